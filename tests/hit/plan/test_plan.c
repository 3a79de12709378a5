/* SPDX-License-Identifier: MIT
 * Superblock plans of launches as large as they are meant for: the reference numbers,
 * which for vector addition are those of [Torres2013] Fig. 3, the order of the pieces,
 * refusals, and the time that a plan takes. That plans are the best ones is in
 * test_plan_search.c. */
#include "hit/plan/plan.h"
#include "tests/hit/plan/plan_case.h"

#include <time.h>

static const size_t KIB = 1 << 10;
static const size_t MIB = 1 << 20;

/* A launch over n indices in each dimension. */
static void reference(launch *l, int dims, hit_index n, hit_index block)
{
    const hit_index size[] = {n, n, n, n};

    *l = (launch){.request = {.kernel = "reference",
                              .device = "gpu7",
                              .index = hit_domain_of_sizes(dims, size),
                              .block = {block, block, block, block},
                              .limit_bytes = SIZE_MAX,
                              .in_flight = 1}};
}

/* The tile holds the indices' domain and what the pattern touches beyond. */
static void add_reference(launch *l, hit_mode mode, const char *text)
{
    hit_plan_arg *arg = &l->arg[l->request.args];
    hit_domain tile = l->request.index;
    hit_domain touched;

    launch_add(l, mode, text, sizeof(float), &tile);
    touched = hit_pattern_cover(arg->pattern, &tile, &l->request.index);
    arg->tile = hit_domain_cover(&tile, &touched);
    arg->clip = arg->tile;
}

static void vector_add(launch *l)
{
    reference(l, 1, 67107840, 1024);
    add_reference(l, HIT_MODE_IN, "[i]");
    add_reference(l, HIT_MODE_IN, "[i]");
    add_reference(l, HIT_MODE_OUT, "[i]");
}

static void heat(launch *l, hit_index n)
{
    reference(l, 2, n, 16);
    add_reference(l, HIT_MODE_OUT, "[i, j]");
    add_reference(l, HIT_MODE_IN, "[i-1:i+1, j] [i, j-1:j+1]");
}

static void gemm(launch *l, hit_index n)
{
    reference(l, 2, n, 16);
    add_reference(l, HIT_MODE_INOUT, "[i, j]");
    add_reference(l, HIT_MODE_IN, "[i, :]");
    add_reference(l, HIT_MODE_IN, "[:, j]");
}

static hit_plan plan_of(launch *l, size_t limit_bytes)
{
    hit_plan plan;

    l->request.limit_bytes = limit_bytes;
    ck_assert_msg(hit_plan_make(&l->request, &plan) == HIT_OK, "%s", hit_status_text());
    ck_assert_uint_le(plan.peak_bytes, limit_bytes);
    return plan;
}

/* ---- reference numbers ---- */

START_TEST(vector_add_is_cut_as_in_figure_3)
{
    const hit_index wanted[] = {49, 25, 13, 7, 3, 2, 1};
    launch l;

    vector_add(&l);
    for (int k = 0; k < 7; k++) {
        ck_assert_int_eq(plan_of(&l, 16 * MIB << k).pieces, wanted[k]);
    }
    launch_clear(&l);
}
END_TEST

START_TEST(heat_is_cut_into_the_fewest_pieces)
{
    const hit_index wanted[] = {132, 66, 33, 17, 9, 5, 3, 2, 1};
    launch l;

    heat(&l, 8192);
    for (int k = 0; k < 9; k++) {
        ck_assert_int_eq(plan_of(&l, 4 * MIB << k).pieces, wanted[k]);
    }
    launch_clear(&l);
}
END_TEST

START_TEST(gemm_is_cut_into_the_fewest_pieces)
{
    const hit_index wanted[] = {1184, 80, 8, 1};
    launch l;

    gemm(&l, 4096);
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(plan_of(&l, 4 * MIB << 2 * k).pieces, wanted[k]);
    }
    launch_clear(&l);
}
END_TEST

START_TEST(least_bytes_may_take_more_pieces_to_move_less)
{
    hit_plan fewest;
    hit_plan least;
    launch l;

    heat(&l, 1 << 20);
    fewest = plan_of(&l, 12 * MIB);
    l.request.least_bytes = true;
    least = plan_of(&l, 12 * MIB);
    ck_assert_int_eq(fewest.pieces, 700889);
    ck_assert_int_eq(least.pieces, 701338);
    ck_assert_uint_eq(fewest.bytes_out, least.bytes_out);
    ck_assert_uint_lt(least.bytes_in, fewest.bytes_in);
    launch_clear(&l);
}
END_TEST

START_TEST(diagonals_are_cut_into_small_pieces)
{
    const hit_domain square = hit_domain_of(4096, 4096);
    hit_plan wide;
    hit_plan thin;
    launch l;

    /* the box around n elements of a diagonal has n x n */
    reference(&l, 1, 4096, 16);
    add_reference(&l, HIT_MODE_OUT, "[i]");
    launch_add(&l, HIT_MODE_IN, "[i, i]", sizeof(float), &square);
    wide = plan_of(&l, 4 * MIB);
    l.request.least_bytes = true;
    thin = plan_of(&l, 4 * MIB);
    ck_assert_int_eq(wide.pieces, 5);
    ck_assert_int_eq(thin.pieces, 256);
    ck_assert_uint_eq(thin.bytes_in, 256 * 16 * 16 * sizeof(float));
    launch_clear(&l);
}
END_TEST

START_TEST(a_plan_prints_as_stable_text)
{
    hit_plan plan;
    char text[512];
    char small[10];
    launch l;

    heat(&l, 8192);
    plan = plan_of(&l, 4 * MIB);
    hit_plan_print(&plan, text, sizeof(text));
    ck_assert_str_eq(text, "indices     0:8191 x 0:8191\n"
                           "pieces      132 = 12 x 11\n"
                           "superblock  688 x 752 indices, 43 x 47 blocks\n"
                           "peak        4150544 bytes\n"
                           "in          269944896 bytes\n"
                           "out         268435456 bytes\n");
    hit_plan_print(&plan, small, sizeof(small));
    ck_assert_str_eq(small, "indices  ");
    launch_clear(&l);
}
END_TEST

/* ---- pieces ---- */

START_TEST(pieces_are_disjoint_and_cover_the_indices)
{
    hit_random random = hit_random_start(304);

    for (int n = 0; n < 300; n++) {
        const hit_domain index = hit_random_domain(&random, 3, -9, 9, 3);
        hit_plan plan = {.index = index, .order = {1, 0, 2}, .pieces = 1};
        hit_index sum = 0;

        for (int d = 0; d < 3; d++) {
            hit_index count = hit_sig_count(plan.index.sig[d]);

            plan.shape[d] = hit_random_index(&random, 1, count > 0 ? count : 1);
            plan.grid[d] = hit_index_ceil_div(count, plan.shape[d]);
            plan.pieces *= plan.grid[d];
        }
        for (hit_index k = 0; k < plan.pieces; k++) {
            hit_domain piece = hit_plan_piece(&plan, k);

            ck_assert(!hit_domain_is_empty(&piece));
            ck_assert(hit_domain_inside(&piece, &plan.index));
            sum += hit_domain_count(&piece);
            for (hit_index other = 0; other < k; other++) {
                hit_domain before = hit_plan_piece(&plan, other);
                hit_domain both = hit_domain_intersect(&piece, &before);

                ck_assert(hit_domain_is_empty(&both));
            }
        }
        ck_assert_int_eq(sum, hit_domain_count(&plan.index));
    }
}
END_TEST

START_TEST(consecutive_pieces_are_neighbours)
{
    hit_plan plan = {.index = hit_domain_of(7, 8, 9, 5), .order = {2, 0, 3, 1}};
    const hit_index side[] = {2, 3, 2, 5};

    plan.pieces = 1;
    for (int d = 0; d < 4; d++) {
        plan.shape[d] = side[d];
        plan.grid[d] = hit_index_ceil_div(hit_sig_count(plan.index.sig[d]), side[d]);
        plan.pieces *= plan.grid[d];
    }
    ck_assert_int_eq(plan.pieces, 60);
    for (hit_index k = 1; k < plan.pieces; k++) {
        hit_domain a = hit_plan_piece(&plan, k - 1);
        hit_domain b = hit_plan_piece(&plan, k);
        int changed = 0;

        for (int d = 0; d < 4; d++) {
            if (hit_sig_equal(a.sig[d], b.sig[d])) continue;
            changed++;
            ck_assert(a.sig[d].end + 1 == b.sig[d].begin ||
                      b.sig[d].end + 1 == a.sig[d].begin);
        }
        ck_assert_int_eq(changed, 1);
    }
}
END_TEST

START_TEST(the_last_dimension_runs_fastest_and_turns_round)
{
    hit_plan plan = {
        hit_domain_of(2, 6), {1, 2}, .grid = {2, 3}, .order = {0, 1}, .pieces = 6};
    const hit_index at[6][2] = {{0, 0}, {0, 2}, {0, 4}, {1, 4}, {1, 2}, {1, 0}};

    for (hit_index k = 0; k < 6; k++) {
        hit_domain piece = hit_plan_piece(&plan, k);

        ck_assert_int_eq(piece.sig[0].begin, at[k][0]);
        ck_assert_int_eq(piece.sig[1].begin, at[k][1]);
    }
}
END_TEST

/* ---- limits and mistakes ---- */

START_TEST(one_block_that_does_not_fit_is_refused_with_all_numbers)
{
    const char *const part[] = {
        "kernel reference", "device gpu7", "(0:15 x 0:15)", "513 KiB", "1.5 MiB",
        "i 1 KiB",          "j 256 KiB",   "k 256 KiB",     "; 1 KiB", "3 pieces"};
    hit_plan plan = {.pieces = 77};
    launch l;

    gemm(&l, 4096);
    l.request.in_flight = 3;
    l.request.limit_bytes = 3 * 512 * KIB;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_LIMIT);
    ck_assert_int_eq(plan.pieces, 77);
    for (size_t p = 0; p < sizeof(part) / sizeof(part[0]); p++) {
        ck_assert_msg(strstr(hit_status_text(), part[p]) != NULL, "no \"%s\" in: %s",
                      part[p], hit_status_text());
    }
    l.request.limit_bytes = 3 * 513 * KIB;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_OK);
    ck_assert_int_eq(plan.pieces, 256 * 256);
    launch_clear(&l);
}
END_TEST

START_TEST(without_a_limit_there_is_one_piece)
{
    hit_plan plan;
    launch l;

    heat(&l, 8192);
    l.request.in_flight = 3;
    plan = plan_of(&l, SIZE_MAX);
    ck_assert_int_eq(plan.pieces, 1);
    ck_assert_uint_eq(plan.bytes_out, (uint64_t)8192 * 8192 * 4);
    ck_assert_uint_eq(plan.bytes_in, (uint64_t)8194 * 8194 * 4);
    launch_clear(&l);
}
END_TEST

START_TEST(an_empty_launch_has_no_piece)
{
    hit_plan plan;
    launch l;

    heat(&l, 64);
    l.request.index = hit_domain_empty(2);
    plan = plan_of(&l, 0);
    ck_assert_int_eq(plan.pieces, 0);
    ck_assert_uint_eq(plan.peak_bytes, 0);
    ck_assert_uint_eq(plan.bytes_in + plan.bytes_out, 0);
    launch_clear(&l);
}
END_TEST

START_TEST(needs_beyond_64_bits_do_not_wrap)
{
    hit_plan plan;
    launch l;

    reference(&l, 2, (hit_index)1 << 40, 1);
    add_reference(&l, HIT_MODE_IN, "[:, :]");
    l.request.limit_bytes = SIZE_MAX - 1;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_LIMIT);
    plan = plan_of(&l, SIZE_MAX);
    ck_assert_int_eq(plan.pieces, 1);
    ck_assert_uint_eq(plan.bytes_in, UINT64_MAX);
    launch_clear(&l);
}
END_TEST

START_TEST(wrong_requests_are_refused)
{
    hit_plan plan;
    launch l;

    heat(&l, 64);
    plan = plan_of(&l, MIB);
    ck_assert_int_eq(plan.pieces, 1);
    l.request.block[1] = 0;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_ARG);
    l.request.block[1] = 1;
    l.request.in_flight = 0;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_ARG);
    l.request.in_flight = 1;
    l.arg[1].tile.dims = 1;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_ARG);
    l.arg[1].tile.dims = 2;
    l.request.index.dims = 1;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_ARG);
    l.request.index.dims = 0;
    ck_assert_int_eq(hit_plan_make(&l.request, &plan), HIT_E_ARG);
    launch_clear(&l);
}
END_TEST

/* ---- time ---- */

/* Far more than it takes. */
static void expect_fast(launch *l, size_t limit_bytes)
{
    clock_t start = clock();
    hit_plan plan = plan_of(l, limit_bytes);
    double time_s = (double)(clock() - start) / CLOCKS_PER_SEC;

    printf("%lld pieces in %.2f ms\n", (long long)plan.pieces, time_s * 1e3);
    ck_assert_double_le(time_s, 0.5);
}

START_TEST(planning_65536_by_65536_blocks_takes_milliseconds)
{
    launch l;

    heat(&l, 1 << 20);
    for (size_t limit = 64 * KIB; limit < (size_t)1 << 44; limit *= 16) {
        expect_fast(&l, limit);
    }
    l.request.least_bytes = true;
    expect_fast(&l, 64 * MIB);
    launch_clear(&l);
    gemm(&l, 1 << 20);
    expect_fast(&l, 16 * KIB * MIB);
    launch_clear(&l);
}
END_TEST

START_TEST(planning_1024_cubed_blocks_takes_milliseconds)
{
    launch l;

    reference(&l, 3, 8192, 8);
    add_reference(&l, HIT_MODE_OUT, "[i, j, k]");
    add_reference(&l, HIT_MODE_IN, "[i-1:i+1, j, k] [i, j-1:j+1, k] [i, j, k-1:k+1]");
    for (size_t limit = 64 * KIB; limit < (size_t)1 << 44; limit *= 16) {
        expect_fast(&l, limit);
    }
    launch_clear(&l);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("plan");
    TCase *plan = tcase_create("plan");

    tcase_add_test(plan, vector_add_is_cut_as_in_figure_3);
    tcase_add_test(plan, heat_is_cut_into_the_fewest_pieces);
    tcase_add_test(plan, gemm_is_cut_into_the_fewest_pieces);
    tcase_add_test(plan, least_bytes_may_take_more_pieces_to_move_less);
    tcase_add_test(plan, diagonals_are_cut_into_small_pieces);
    tcase_add_test(plan, a_plan_prints_as_stable_text);
    tcase_add_test(plan, pieces_are_disjoint_and_cover_the_indices);
    tcase_add_test(plan, consecutive_pieces_are_neighbours);
    tcase_add_test(plan, the_last_dimension_runs_fastest_and_turns_round);
    tcase_add_test(plan, one_block_that_does_not_fit_is_refused_with_all_numbers);
    tcase_add_test(plan, without_a_limit_there_is_one_piece);
    tcase_add_test(plan, an_empty_launch_has_no_piece);
    tcase_add_test(plan, needs_beyond_64_bits_do_not_wrap);
    tcase_add_test(plan, wrong_requests_are_refused);
    tcase_add_test(plan, planning_65536_by_65536_blocks_takes_milliseconds);
    tcase_add_test(plan, planning_1024_cubed_blocks_takes_milliseconds);
    suite_add_tcase(all, plan);
    return all;
}

int main(void)
{
    return check_run(suite());
}
