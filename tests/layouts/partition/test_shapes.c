/* SPDX-License-Identifier: MIT
 * Shapes: the volume of two against every way to colour a small square, that of three
 * against shapes that are painted and counted. */
#include "layouts/partition/algorithms.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 60

/** Who has which element. */
typedef struct picture {
    int rows;
    int columns;
    int owner[MOST][MOST];
} picture;

/** The length of each line times the number of its owners less one. */
static int volume_of(const picture *p)
{
    int volume = 0;

    for (int i = 0; i < p->rows; i++) {
        bool there[3] = {false};

        for (int j = 0; j < p->columns; j++) {
            there[p->owner[i][j]] = true;
        }
        volume += p->columns * (there[0] + there[1] + there[2] - 1);
    }
    for (int j = 0; j < p->columns; j++) {
        bool there[3] = {false};

        for (int i = 0; i < p->rows; i++) {
            there[p->owner[i][j]] = true;
        }
        volume += p->rows * (there[0] + there[1] + there[2] - 1);
    }
    return volume;
}

static void paint_box(picture *p, int row, int column, int height, int width, int owner)
{
    for (int i = row; i < row + height; i++) {
        for (int j = column; j < column + width; j++) {
            p->owner[i][j] = owner;
        }
    }
}

static void paint_corner(picture *p, const hit_corner *corner)
{
    hit_index units = corner->units;

    paint_box(p, 0, 0, p->rows, p->columns, 1 - corner->part);
    for (int j = 0; j < corner->width; j++) {
        for (int i = 0; i < corner->height && units > 0; i++, units--) {
            p->owner[i][j] = corner->part;
        }
    }
    ck_assert_int_eq(units, 0);
}

START_TEST(no_other_colouring_by_two_communicates_less)
{
    for (int side = 1; side <= 4; side++) {
        const int elements = side * side;
        int least[17];

        for (int k = 0; k <= elements; k++) {
            least[k] = 1000;
        }
        for (int code = 0; code < 1 << elements; code++) {
            picture p = {side, side, {{0}}};
            int ones = 0;

            for (int k = 0; k < elements; k++) {
                p.owner[k / side][k % side] = code >> k & 1;
                ones += code >> k & 1;
            }
            if (volume_of(&p) < least[ones]) least[ones] = volume_of(&p);
        }
        for (int k = 0; k <= elements; k++) {
            const hit_index share[] = {elements - k, k};
            picture p = {side, side, {{0}}};
            hit_corner corner;
            hit_shape shape[HIT_MOST_SHAPES];
            int count;
            int best;

            ck_assert_int_eq(hit_partition_corner(side, side, share, &corner), HIT_OK);
            paint_corner(&p, &corner);
            ck_assert_int_eq(volume_of(&p), least[k]);
            ck_assert_int_eq(hit_partition_shapes(side, 2, share, &count, shape, &best),
                             HIT_OK);
            ck_assert_double_eq(shape[best].volume, least[k]);
        }
    }
}
END_TEST

/** The least volume of all heights, for either of the two. */
static int least_corner(int rows, int columns, const hit_index share[])
{
    int least = 1000000;

    for (int part = 0; part < 2; part++) {
        for (int height = 1; height <= rows; height++) {
            const hit_index units = share[part];
            const hit_index width = (units + height - 1) / height;
            hit_corner corner = {part, height, width, units};
            picture p = {rows, columns, {{0}}};

            if (width > columns || height > units) continue;
            paint_corner(&p, &corner);
            if (volume_of(&p) < least) least = volume_of(&p);
        }
    }
    return least;
}

START_TEST(no_other_height_of_a_corner_communicates_less)
{
    hit_random random = hit_random_start(51);

    for (int i = 0; i < hit_random_cases(1000); i++) {
        const int rows = (int)hit_random_index(&random, 1, 24);
        const int columns = (int)hit_random_index(&random, 1, 24);
        const hit_index some = hit_random_index(&random, 0, rows * columns);
        const hit_index share[] = {some, rows * columns - some};
        picture p = {rows, columns, {{0}}};
        hit_corner corner;

        ck_assert_int_eq(hit_partition_corner(rows, columns, share, &corner), HIT_OK);
        ck_assert_int_eq(corner.units, share[corner.part]);
        paint_corner(&p, &corner);
        if (some > 0 && share[1] > 0) {
            ck_assert_int_eq(volume_of(&p), least_corner(rows, columns, share));
        }
    }
}
END_TEST

START_TEST(a_corner_wins_above_3_to_1)
{
    hit_corner corner;
    hit_index share[] = {750000 + 4000, 250000 - 4000};

    ck_assert_int_eq(hit_partition_corner(1000, 1000, share, &corner), HIT_OK);
    ck_assert_int_eq(corner.part, 1);
    ck_assert_int_lt(corner.height, 1000);
    share[0] = 750000 - 4000;
    share[1] = 250000 + 4000;
    ck_assert_int_eq(hit_partition_corner(1000, 1000, share, &corner), HIT_OK);
    ck_assert_int_eq(corner.height, 1000);
}
END_TEST

START_TEST(large_corners_are_found_quickly)
{
    const hit_index side = INT64_C(1) << 31;
    const hit_index share[] = {side * side - 12345678901, 12345678901};
    hit_corner corner;

    ck_assert_int_eq(hit_partition_corner(side, side, share, &corner), HIT_OK);
    ck_assert_int_eq(corner.part, 1);
    ck_assert_int_eq(corner.height + corner.width, 222223); /* ceil(2 sqrt(units)) */
}
END_TEST

/* ---- three ---- */

/** Paints shape @p k of the table for boxes of @p r and @p s columns or sides. */
static void paint_three(picture *p, int k, int r, int s)
{
    const int n = p->rows;

    paint_box(p, 0, 0, n, n, 0);
    if (k == 0) { /* squares of sides r and s */
        paint_box(p, 0, 0, r, r, 1);
        paint_box(p, n - s, n - s, s, s, 2);
    } else if (k == 1) { /* heights r and n - r, widths r and n - r, scaled to 2/3 */
        paint_box(p, 0, 0, r, 2 * r / 3, 1);
        paint_box(p, r, n - 2 * (n - r) / 3, n - r, 2 * (n - r) / 3, 2);
    } else if (k == 2) { /* a strip of r columns and a square of side s */
        paint_box(p, 0, 0, n, r, 1);
        paint_box(p, 0, n - s, s, s, 2);
    } else if (k == 3) { /* r rows below the largest, s of their columns for the third */
        paint_box(p, n - r, 0, r, n - s, 1);
        paint_box(p, n - r, n - s, r, s, 2);
    } else if (k == 4) { /* r columns, and s rows of what is left */
        paint_box(p, 0, 0, n, r, 1);
        paint_box(p, n - s, r, s, n - r, 2);
    } else { /* r and s columns */
        paint_box(p, 0, 0, n, r, 1);
        paint_box(p, 0, r, n, s, 2);
    }
}

START_TEST(volumes_of_three_are_those_of_painted_shapes)
{
    static const int size[6][2] = {{24, 12}, {36, 0},  {24, 24},
                                   {24, 24}, {20, 18}, {18, 12}};
    static const char *const name[6] = {"square corner",    "rectangle corner",
                                        "square rectangle", "block rectangle",
                                        "L rectangle",      "strips"};

    for (int k = 0; k < 6; k++) {
        picture p = {MOST, MOST, {{0}}};
        hit_index share[3] = {0};
        hit_shape shape[HIT_MOST_SHAPES];
        int count;
        int best;

        paint_three(&p, k, size[k][0], size[k][1]);
        for (int i = 0; i < MOST; i++) {
            for (int j = 0; j < MOST; j++) {
                share[p.owner[i][j]]++;
            }
        }
        ck_assert_int_ge(share[0], share[1]);
        ck_assert_int_ge(share[1], share[2]);
        ck_assert_int_eq(hit_partition_shapes(MOST, 3, share, &count, shape, &best),
                         HIT_OK);
        ck_assert_int_eq(count, 6);
        ck_assert_str_eq(shape[k].name, name[k]);
        ck_assert_double_eq_tol(shape[k].volume, volume_of(&p), 1e-6);
        ck_assert_double_le(shape[best].volume, shape[k].volume);
    }
}
END_TEST

START_TEST(the_shapes_that_are_chosen_are_the_three_that_are_known_to_be_optimal)
{
    hit_random random = hit_random_start(52);
    int chosen[3] = {0};

    for (int i = 0; i < hit_random_cases(3000); i++) {
        static const char *const known[] = {"square corner", "square rectangle",
                                            "block rectangle"};
        hit_index weight[3];
        hit_index share[3];
        hit_shape shape[HIT_MOST_SHAPES];
        int count;
        int best;
        int k = 0;

        for (int j = 0; j < 3; j++) {
            weight[j] = hit_random_index(&random, 1, INT64_C(1) << (i + j * i) % 7);
        }
        share[0] = 10000 * weight[0] / (weight[0] + weight[1] + weight[2]);
        share[1] = 10000 * weight[1] / (weight[0] + weight[1] + weight[2]);
        share[2] = 10000 - share[0] - share[1];
        ck_assert_int_eq(hit_partition_shapes(100, 3, share, &count, shape, &best),
                         HIT_OK);
        while (k < 3 && strcmp(shape[best].name, known[k]) != 0) {
            k++;
        }
        ck_assert_msg(k < 3, "%s is chosen", shape[best].name);
        chosen[k]++;
    }
    ck_assert(chosen[0] > 0 && chosen[1] > 0 && chosen[2] > 0);
}
END_TEST

START_TEST(shares_of_0_leave_the_shapes_of_fewer)
{
    hit_shape shape[HIT_MOST_SHAPES];
    int count;
    int best;

    ck_assert_int_eq(
        hit_partition_shapes(10, 3, (const hit_index[]){0, 96, 4}, &count, shape, &best),
        HIT_OK);
    ck_assert_int_eq(count, 3);
    ck_assert_double_eq(shape[best].volume, 40.0);
    ck_assert_int_eq(
        hit_partition_shapes(10, 2, (const hit_index[]){0, 100}, &count, shape, &best),
        HIT_OK);
    ck_assert_int_eq(count, 1);
    ck_assert_double_eq(shape[0].volume, 0.0);
}
END_TEST

START_TEST(wrong_arguments_are_told)
{
    hit_shape shape[HIT_MOST_SHAPES];
    hit_corner corner;
    int count;
    int best;
    const hit_index share[] = {60, 40, 0, 0};

    ck_assert_int_eq(hit_partition_shapes(10, 4, share, &count, shape, &best), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_shapes(10, 1, share, &count, shape, &best), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_shapes(9, 2, share, &count, shape, &best), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_shapes(0, 2, share, &count, shape, &best), HIT_E_ARG);
    ck_assert_int_eq(
        hit_partition_shapes(10, 2, (const hit_index[]){101, -1}, &count, shape, &best),
        HIT_E_ARG);
    ck_assert_int_eq(hit_partition_corner(10, 9, share, &corner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_corner(-1, 9, share, &corner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_corner(INT64_MAX, 9, share, &corner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_corner(0, 9, (const hit_index[]){0, 0}, &corner),
                     HIT_OK);
    ck_assert_int_eq(corner.units, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("shapes");
    TCase *tcase = tcase_create("shapes");

    tcase_add_test(tcase, no_other_colouring_by_two_communicates_less);
    tcase_add_test(tcase, no_other_height_of_a_corner_communicates_less);
    tcase_add_test(tcase, a_corner_wins_above_3_to_1);
    tcase_add_test(tcase, large_corners_are_found_quickly);
    tcase_add_test(tcase, volumes_of_three_are_those_of_painted_shapes);
    tcase_add_test(tcase,
                   the_shapes_that_are_chosen_are_the_three_that_are_known_to_be_optimal);
    tcase_add_test(tcase, shares_of_0_leave_the_shapes_of_fewer);
    tcase_add_test(tcase, wrong_arguments_are_told);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
