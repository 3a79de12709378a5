/* SPDX-License-Identifier: MIT
 * See plane_case.h. */
#include "tests/layouts/partition/plane_case.h"

#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

void plane_case_speeds(hit_random *random, int parts, double speed[])
{
    static const hit_index scale[] = {1, 10, 1000, 1000000};

    for (int i = 0; i < parts; i++) {
        speed[i] =
            (double)hit_random_index(random, 1, scale[hit_random_index(random, 0, 3)]);
        if (i > 0 && hit_random_index(random, 0, 9) == 0) speed[i] = 0.0;
        if (i > 0 && hit_random_index(random, 0, 4) == 0) speed[i] = speed[i - 1];
    }
}

static int compare(const void *one, const void *other)
{
    const hit_rect *a = one;
    const hit_rect *b = other;

    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/** Sorted by column and row, each rectangle goes on where the one before ends. */
static bool goes_on(const hit_plane *plane, const hit_rect *last, const hit_rect *next)
{
    if (last->row + last->height == plane->rows) {
        return next->row == 0 && next->column == last->column + last->width;
    }
    return next->row == last->row + last->height && next->column == last->column &&
           next->width == last->width;
}

void plane_case_check(const hit_plane *plane, const hit_rect rect[])
{
    hit_rect *sorted = calloc((size_t)plane->parts, sizeof *sorted);
    hit_rect last = {0, 0, plane->rows, 0};
    int count = 0;
    bool good = true;

    ck_assert_ptr_nonnull(sorted);
    for (int i = 0; i < plane->parts; i++) {
        const hit_rect *r = &rect[i];

        if (r->height != 0 || r->width != 0) {
            good = good && r->height > 0 && r->width > 0;
            sorted[count++] = *r;
        } else {
            good = good && r->row == 0 && r->column == 0;
        }
    }
    ck_assert_msg(good, "a rectangle has a side of 0");
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    for (int k = 0; k < count; k++) {
        good = good && goes_on(plane, &last, &sorted[k]);
        last = sorted[k];
    }
    free(sorted);
    ck_assert_msg(good, "rectangles leave a gap, or overlap");
    if (plane->rows == 0 || plane->columns == 0) {
        ck_assert_int_eq(count, 0);
        return;
    }
    ck_assert_int_eq(last.row + last.height, plane->rows);
    ck_assert_int_eq(last.column + last.width, plane->columns);
}

double plane_case_column(const hit_plane *plane, const int column_of[], int c, int part,
                         hit_index rows)
{
    double least = INFINITY;

    if (part == plane->parts) return rows == 0 ? 0.0 : INFINITY;
    if (column_of[part] != c) {
        return plane_case_column(plane, column_of, c, part + 1, rows);
    }
    for (hit_index height = 0; height <= rows; height++) {
        double time = plane_case_column(plane, column_of, c, part + 1, rows - height);

        if (height > 0) time = fmax(time, (double)height / plane->speed[part]);
        least = fmin(least, time);
    }
    return least;
}

bool plane_case_first(int count, hit_index sum, hit_index number[])
{
    for (int i = 0; i < count; i++) {
        number[i] = 0;
    }
    number[0] = sum;
    return true;
}

bool plane_case_next(int count, hit_index number[])
{
    hit_index first = number[0];
    int at = 0;

    while (at < count && number[at] == 0) {
        at++;
    }
    if (at >= count - 1) return false;
    first = number[at];
    number[at] = 0;
    number[at + 1]++;
    number[0] = first - 1;
    return true;
}
