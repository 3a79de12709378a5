/* SPDX-License-Identifier: MIT
 * Kernels by every macro of hit/kernel.h do what they say. That all three compilations of
 * their file end without a warning is tested by building this program, as a C program and
 * with the CUDA half. */
#include "hit/hit.h"
#include "patterns/kernel.h"
#include "tests/support/check_main.h"

extern const hit_kernel macro_any, macro_sums, macro_reduce, macro_four, macro_box,
    macro_parts, macro_no_prepare, macro_along, macro_ordered, macro_near2, macro_near3,
    macro_near4, macro_new2, macro_new3, macro_new4;

enum {
    N = 12,
    M = 7
};

typedef struct scene {
    hit_context *hit;
    hit_tile *x, *y, *z, *row, *column;
} scene;

static void make(hit_context *hit, hit_domain domain, hit_type type, hit_tile **tile)
{
    HIT_MUST(hit_tile_make(hit, domain, "block", type, "tile", tile));
}

/* x is 10 i + j, row is i, all else 0; whole boxes have no half for a GPU here. */
static scene open_scene(void)
{
    scene s;
    int64_t x[N * M];
    int64_t row[M];

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=2"}, &s.hit));
    make(s.hit, hit_domain_of(N, M), HIT_INT64, &s.x);
    make(s.hit, hit_domain_of(N, M), HIT_INT64, &s.y);
    make(s.hit, hit_domain_of(N, M), HIT_INT64, &s.z);
    make(s.hit, hit_domain_of(M), HIT_INT64, &s.row);
    make(s.hit, hit_domain_of(N), HIT_INT64, &s.column);
    for (int k = 0; k < N * M; k++) {
        x[k] = 10 * (k / M) + k % M;
        if (k < M) row[k] = k + 1;
    }
    HIT_MUST(hit_tile_scatter(s.x, 0, x));
    HIT_MUST(hit_tile_scatter(s.row, 0, row));
    return s;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->x);
    hit_tile_destroy(&s->y);
    hit_tile_destroy(&s->z);
    hit_tile_destroy(&s->row);
    hit_tile_destroy(&s->column);
    hit_close(&s->hit);
}

static int64_t element(hit_tile *tile, hit_index i, hit_index j)
{
    int64_t found;

    HIT_MUST(hit_tile_get(tile, (hit_index[]){i, j}, &found));
    return found;
}

START_TEST(kernels_of_single_indices_do_what_they_say)
{
    scene s = open_scene();
    const int64_t add = 1000;

    HIT_MUST(hit_launch(s.hit, &macro_any, hit_domain_of(N, M), s.y, s.x, s.z, s.row,
                        HIT_VALUE(add)));
    ck_assert_int_eq(element(s.y, 3, 4), 34 + 30 + 1000);
    ck_assert_int_eq(element(s.z, 11, 6), 1 + M);
    ck_assert_uint_eq(macro_any.operations->per_index, 3);
    ck_assert_str_eq(macro_any.on->devices, "host,cuda");
    ck_assert_uint_eq(macro_sums.operations->per_step, 2);
    ck_assert_int_eq(macro_sums.operations->along.arg, 3);
    ck_assert_int_eq(macro_sums.operations->along.dim, 1);
    close_scene(&s);
}
END_TEST

START_TEST(kernels_that_reduce_do_what_they_say)
{
    scene s = open_scene();
    hit_tile *all;
    hit_tile *least;
    hit_tile *most;
    int64_t sum;
    double low;
    float high;

    make(s.hit, hit_domain_scalar(), HIT_INT64, &all);
    make(s.hit, hit_domain_of(N), HIT_DOUBLE, &least);
    make(s.hit, hit_domain_scalar(), HIT_FLOAT, &most);
    HIT_MUST(hit_launch(s.hit, &macro_sums, hit_domain_of(N, M), all, least, most, s.x));
    HIT_MUST(hit_tile_get(all, NULL, &sum));
    HIT_MUST(hit_tile_get(least, (hit_index[]){5}, &low));
    HIT_MUST(hit_tile_get(most, NULL, &high));
    ck_assert_int_eq(sum, 10 * M * N * (N - 1) / 2 + N * M * (M - 1) / 2);
    ck_assert_double_eq(low, 50);
    ck_assert_float_eq(high, 10 * (N - 1) + M - 1);
    hit_tile_destroy(&all);
    hit_tile_destroy(&least);
    hit_tile_destroy(&most);
    close_scene(&s);
}
END_TEST

START_TEST(kernels_that_reduce_their_own_way_do_what_they_say)
{
    scene s = open_scene();
    int64_t x[N * M];
    hit_tile *all;
    int64_t found;

    make(s.hit, hit_domain_scalar(), HIT_INT64, &all);
    for (int k = 0; k < N * M; k++) {
        x[k] = k < N * M - 1 ? 0x77 : 0x1b;
    }
    HIT_MUST(hit_tile_scatter(s.x, 0, x));
    HIT_MUST(hit_launch(s.hit, &macro_reduce, hit_domain_of(N, M), all, s.x));
    HIT_MUST(hit_tile_get(all, NULL, &found));
    ck_assert_int_eq(found, 0x13);
    ck_assert(macro_reduce.cuda == NULL);
    hit_tile_destroy(&all);
    close_scene(&s);
}
END_TEST

START_TEST(kernels_of_four_indices_do_what_they_say)
{
    scene s = open_scene();
    const uint8_t two = 2;
    const uint8_t three = 3;
    uint8_t found;
    hit_tile *a;
    hit_tile *b;

    make(s.hit, hit_domain_of(3, 4, 5, 6), HIT_UINT8, &a);
    make(s.hit, hit_domain_of(3, 4, 5), HIT_UINT8, &b);
    HIT_MUST(hit_tile_fill(a, &two));
    HIT_MUST(hit_tile_fill(b, &three));
    HIT_MUST(hit_launch(s.hit, &macro_four, hit_domain_of(3, 4, 5, 6), a, b));
    HIT_MUST(hit_tile_get(a, (hit_index[]){2, 3, 4, 5}, &found));
    ck_assert_uint_eq(found, 5);
    HIT_MUST(hit_launch(s.hit, &macro_four, hit_domain_of(3, 4, 5, 6), a, b,
                        HIT_WHERE("k - 1 <= l <= k")));
    for (hit_index l = 0; l < 6; l++) {
        for (hit_index k = 0; k < 5; k++) {
            HIT_MUST(hit_tile_get(a, (hit_index[]){2, 3, k, l}, &found));
            ck_assert_uint_eq(found, k - 1 <= l && l <= k ? 8 : 5);
        }
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    close_scene(&s);
}
END_TEST

START_TEST(kernels_of_whole_boxes_do_what_they_say)
{
    scene s = open_scene();
    const hit_kernel *const doubles[] = {&macro_box, &macro_parts, &macro_no_prepare};
    int64_t found;

    HIT_MUST(hit_launch(s.hit, &macro_along, hit_domain_of(N), s.column, s.x));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(s.hit, doubles[k], hit_domain_of(N), s.column));
    }
    for (hit_index i = 0; i < N; i++) {
        HIT_MUST(hit_tile_get(s.column, &i, &found));
        ck_assert_int_eq(found, 8 * (10 * i * M + M * (M - 1) / 2));
    }
    close_scene(&s);
}
END_TEST

START_TEST(kernels_in_order_do_what_they_say)
{
    scene s = open_scene();
    int64_t want[N][M];
    const int64_t add = 3;

    HIT_MUST(hit_launch(s.hit, &macro_ordered, hit_box_of(0, N - 2, 1, M - 1), s.x,
                        HIT_VALUE(add)));
    for (hit_index i = N - 1; i >= 0; i--) {
        for (hit_index j = 0; j < M; j++) {
            int64_t found;

            want[i][j] = i == N - 1 || j == 0 ? 10 * i + j
                                              : want[i + 1][j] + 2 * want[i][j - 1] + add;
            HIT_MUST(hit_tile_get(s.x, (hit_index[]){i, j}, &found));
            ck_assert_int_eq(found, want[i][j]);
        }
    }
    close_scene(&s);
}
END_TEST

/* ---- neighbours that share what they read ---- */

/* Arrays of NEAR_MAX elements whose first dimensions have the extents of a box and 2 more
 * on each side; the box begins where rows begin anywhere in a line of the cache. */
enum {
    NEAR_MAX = 200000,
    NEAR_SIDE = 2
};

typedef struct near_case {
    bool adds; /* else what was there is not read */
    int dims;
    hit_index extent[HIT_MAX_DIMS]; /* of the box */
    hit_index stride[HIT_MAX_DIMS]; /* of elements */
    hit_index step;                 /* of the box along the first dimension */
} near_case;

static float near_value(const float *x, const near_case *c)
{
    const hit_index *s = c->stride;

    if (c->dims == 2) return x[-2 * s[0]] + 2 * x[2 * s[0]] + 4 * x[-1] + 8 * x[1];
    if (c->dims == 3) return x[-s[0]] + 2 * x[s[0]] + 4 * x[-s[1] + 1];
    return x[-s[0]] + 2 * x[s[0]];
}

static hit_run near_run(const near_case *c, float *y, const float *x, hit_index first)
{
    hit_run run = {.threads = 1};
    float *const base[] = {y + first, (float *)(uintptr_t)(x + first)};

    for (int d = 0; d < c->dims; d++) {
        run.end[d] = c->extent[d] - 1;
        run.stride[d] = 1;
    }
    run.stride[0] = c->step;
    run.end[0] = (c->extent[0] - 1) * c->step;
    for (int a = 0; a < 2; a++) {
        run.slot[a] = (hit_slot){.base = base[a], .dense = 1};
        for (int d = 0; d < c->dims; d++) {
            run.slot[a].stride[d] = c->stride[d];
            run.slot[a].step[d] = 1;
        }
    }
    return run;
}

static bool near_right(const near_case *c, float *y, const float *x)
{
    static const hit_kernel *const kernel[2][3] = {
        {&macro_new2, &macro_new3, &macro_new4},
        {&macro_near2, &macro_near3, &macro_near4}};
    hit_index at[HIT_MAX_DIMS] = {0};
    hit_index first = 7;
    hit_index wrong = 0;

    for (int d = 0; d < c->dims; d++) {
        first += NEAR_SIDE * c->stride[d];
    }
    for (hit_index e = 0; e < NEAR_MAX; e++) {
        y[e] = -1;
    }
    const hit_run run = near_run(c, y, x, first);
    HIT_MUST(kernel[c->adds][c->dims - 2]->host(&run));
    /* what is in the box is right, and becomes -1 again, as all else must be */
    for (;;) {
        hit_index e = first + at[0] * (c->step - 1) * c->stride[0];
        int d = c->dims - 1;

        for (int k = 0; k < c->dims; k++) {
            e += at[k] * c->stride[k];
        }
        wrong += y[e] != near_value(x + e, c) - (float)c->adds;
        y[e] = -1;
        while (d >= 0 && ++at[d] == c->extent[d]) {
            at[d--] = 0;
        }
        if (d < 0) break;
    }
    for (hit_index e = 0; e < NEAR_MAX; e++) {
        wrong += y[e] != -1;
    }
    return wrong == 0;
}

static void expect_rows(bool adds, int dims, hit_index first, const float *x, float *y)
{
    static const hit_index row[] = {1,  2,  7,  8,   9,   15,  16,  17,  31, 33,
                                    63, 64, 65, 127, 128, 129, 140, 200, 300};

    for (size_t r = 0; r < sizeof(row) / sizeof(row[0]); r++) {
        near_case c = {.adds = adds, .dims = dims, .step = first % 3 == 0 ? 2 : 1};
        hit_index stride = 1;

        for (int d = dims - 1; d >= 0; d--) {
            c.extent[d] = d == dims - 1 ? row[r] : d == 0 ? first : 2;
            c.stride[d] = stride;
            stride *= c.extent[d] * (d == 0 ? c.step : 1) + 2 * NEAR_SIDE;
        }
        if (stride + 7 > NEAR_MAX) continue;
        ck_assert_msg(near_right(&c, y, x), "dims %d, first %d, row %d%s", dims,
                      (int)first, (int)row[r], adds ? ", adds" : "");
    }
}

START_TEST(neighbours_that_go_through_a_row_together_compute_what_each_would)
{
    static float x[NEAR_MAX];
    static float y[NEAR_MAX];

    for (int e = 0; e < NEAR_MAX; e++) {
        x[e] = (float)(e * 7 % 61);
    }
    for (int k = 0; k < 2 * 3 * 9; k++) {
        expect_rows(k % 2 == 1, 2 + k / 2 % 3, 1 + k / 6, x, y);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.kernel_macros");
    TCase *tests = tcase_create("kernel_macros");

    tcase_add_test(tests, kernels_of_single_indices_do_what_they_say);
    tcase_add_test(tests, kernels_that_reduce_do_what_they_say);
    tcase_add_test(tests, kernels_that_reduce_their_own_way_do_what_they_say);
    tcase_add_test(tests, kernels_of_four_indices_do_what_they_say);
    tcase_add_test(tests, kernels_of_whole_boxes_do_what_they_say);
    tcase_add_test(tests, kernels_in_order_do_what_they_say);
    tcase_add_test(tests,
                   neighbours_that_go_through_a_row_together_compute_what_each_would);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    hit_context *base; /* keeps MPI open */

    return check_run_open(&argc, &argv, suite(), &base);
}
