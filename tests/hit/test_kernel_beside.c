/* SPDX-License-Identifier: MIT
 * What lies beside the rows of kernels in vectors: pages that must not be read, or not
 * written, and numbers that must not be divided by. */
#include "hit/hit.h"
#include "tests/hit/kernel_vectors.h"
#include "tests/support/check_main.h"
#include "tests/support/pages.h"

#include <sys/mman.h>
#include <unistd.h>

enum {
    ARGS = 4,
    PAGES = 32
};

static char *pages[ARGS]; /* between two that must not be read */

static void map_pages(void)
{
    for (int a = 0; a < ARGS; a++) {
        pages[a] = guarded_map(PAGES);
    }
}

static void unmap_pages(void)
{
    for (int a = 0; a < ARGS; a++) {
        guarded_unmap(pages[a], PAGES);
    }
}

enum {
    ROWS = 10,
    LONG = 203
};

/* Which row of x the elements of row i of y are made of, the sum of both. */
typedef struct beside_case {
    const hit_kernel *kernel;
    int dims;       /* of x */
    hit_index rows; /* of x */
    hit_index (*row)(hit_index i, int which);
} beside_case;

static hit_index row_zero(hit_index i, int which)
{
    (void)i;
    (void)which;
    return 0;
}

static hit_index row_half(hit_index i, int which)
{
    (void)which;
    return i / 2;
}

static hit_index row_same(hit_index i, int which)
{
    (void)which;
    return i;
}

static hit_index row_and_zero(hit_index i, int which)
{
    return which == 0 ? i : 0;
}

static hit_index row_and_nine(hit_index i, int which)
{
    return which == 0 ? i : 9;
}

static const beside_case beside[] = {
    {&vectors_all, 1, 1, row_zero},         {&vectors_zero, 2, 1, row_zero},
    {&vectors_half, 2, 5, row_half},        {&vectors_named, 2, 1, row_zero},
    {&vectors_joined, 2, 10, row_and_zero}, {&vectors_prefix, 2, 10, row_same},
    {&vectors_until, 2, 10, row_and_nine},  {&vectors_second, 3, 5, row_half}};

/* Rows of LONG elements, in a tile whose other dimensions have one index. */
static void set_rows(hit_slot *slot, void *base, int dims, hit_index rows)
{
    *slot = (hit_slot){.base = base, .dense = 1};
    for (int d = 0; d < dims; d++) {
        slot->step[d] = 1;
        slot->stride[d] = d == dims - 1 ? 1 : d == dims - 2 ? LONG : LONG * rows;
    }
}

START_TEST(nothing_outside_is_read)
{
    const beside_case *c = &beside[_i];
    const hit_index none = 0;

    map_pages();
    for (int at_end = 0; at_end < 2; at_end++) {
        hit_run run = {.dense = 1, .threads = 1};
        const size_t bytes = (size_t)(c->rows * LONG) * sizeof(float);
        const size_t all = PAGES * (size_t)sysconf(_SC_PAGESIZE);
        float *x = (float *)(pages[1] + (at_end ? all - bytes : 0));
        float *y = (float *)pages[0];

        for (hit_index e = 0; e < c->rows * LONG; e++) {
            x[e] = (float)(e % 97);
        }
        for (int d = 0; d < c->kernel->dims; d++) {
            const int from_last = c->kernel->dims - 1 - d;

            run.stride[d] = 1;
            run.end[d] = from_last == 0 ? LONG - 1 : from_last == 1 ? ROWS - 1 : 0;
        }
        set_rows(&run.slot[0], y, c->kernel->dims, ROWS);
        set_rows(&run.slot[1], x, c->dims, c->rows);
        run.slot[2].base = (void *)(uintptr_t)&none;
        HIT_MUST(c->kernel->host(&run));
        for (hit_index e = 0; e < ROWS * LONG; e++) {
            const hit_index i = e / LONG;
            const hit_index j = e % LONG;

            if (y[e] != x[c->row(i, 0) * LONG + j] + x[c->row(i, 1) * LONG + j]) {
                ck_abort_msg("%s: at %d, %d", c->kernel->name, (int)i, (int)j);
            }
        }
    }
    unmap_pages();
}
END_TEST

/* Beside rows of y and z, which begin where a page does, or end so, are pages that must
 * not be written: another thread may own what lies there. */
static void protect_every_second(char *from)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    for (int k = 0; k < PAGES; k += 2) {
        ck_assert_int_eq(mprotect(from + (size_t)k * page, page, PROT_READ), 0);
    }
}

START_TEST(nothing_beside_is_written)
{
    const hit_index page = sysconf(_SC_PAGESIZE);
    const hit_index apart = 2 * page / (hit_index)sizeof(float);
    float two = 2;
    hit_run run = {.dense = 1, .threads = 1, .end = {ROWS - 1}, .stride = {1, 1}};

    map_pages();
    protect_every_second(pages[0]);
    protect_every_second(pages[1]);
    for (int a = 0; a < 3; a++) {
        run.slot[a] = (hit_slot){.dense = 1, .stride = {apart, 1}, .step = {1, 1}};
        run.slot[a].base = pages[a] + 4 * page; /* rows before those of the box */
    }
    run.slot[3].base = &two;
    for (hit_index length = 1; length < LONG; length++) {
        for (int at_end = 0; at_end < 2; at_end++) {
            const hit_index before = page - length * (hit_index)sizeof(float);

            run.end[1] = length - 1;
            for (int a = 0; a < 2; a++) {
                run.slot[a].base = pages[a] + page + (at_end ? before : 0);
            }
            HIT_MUST(vectors_both.host(&run));
        }
    }
    unmap_pages();
}
END_TEST

START_TEST(whole_numbers_beside_a_row_are_not_divided_by)
{
    static int x[ROWS * 2 * LONG];
    static int y[ROWS * 2 * LONG];
    hit_run run = {
        .dense = 1, .threads = 1, .end = {ROWS - 1, LONG - 1}, .stride = {1, 1}};

    for (int k = 0; k < 2; k++) {
        run.slot[k] = (hit_slot){
            .base = k == 0 ? y : x, .dense = 1, .stride = {2 * LONG, 1}, .step = {1, 1}};
    }
    for (int e = 0; e < ROWS * 2 * LONG; e++) {
        x[e] = e % (2 * LONG) < LONG ? 1 + e % 10 : 0;
    }
    HIT_MUST(vectors_quotient.host(&run));
    for (int e = 0; e < ROWS * 2 * LONG; e++) {
        ck_assert_int_eq(y[e], x[e] == 0 ? 0 : 2520 / x[e]);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.kernel_beside");
    TCase *tests = tcase_create("kernel_beside");

    tcase_add_loop_test(tests, nothing_outside_is_read, 0,
                        sizeof(beside) / sizeof(beside[0]));
    tcase_add_test(tests, nothing_beside_is_written);
    tcase_add_test(tests, whole_numbers_beside_a_row_are_not_divided_by);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    hit_context *base; /* keeps MPI open */

    return check_run_open(&argc, &argv, suite(), &base);
}
