/* SPDX-License-Identifier: MIT
 * Plans that are found again: with other tiles of the same shape, the same tile twice,
 * another boundary, after others have been forgotten, after a run that failed. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "hit/topo/layout_impl.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel pair, next_to, breaks, whole_sum;

enum {
    N = 29
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Assertions wait for the end of a test: a process that left early would leave the others
 * in a launch. */
typedef struct bench {
    hit_context *hit;
    hit_layout *layout;
    const char *wrong;
} bench;

static void claim(bench *b, bool right, const char *what)
{
    if (!right && b->wrong == NULL) b->wrong = what;
}

static bench bench_open(const hit_options *options)
{
    bench b = {0};

    HIT_MUST(hit_open_with(NULL, NULL, options, &b.hit));
    HIT_MUST(hit_layout_create(b.hit, hit_domain_of(N), "block", &b.layout));
    return b;
}

static void bench_close(bench *b)
{
    hit_layout_destroy(&b->layout);
    hit_close(&b->hit);
    ck_assert_msg(b->wrong == NULL, "%s", b->wrong);
}

/* Element i is from + i. */
static void set_all(hit_tile *tile, int64_t from)
{
    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_WRITE, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            HIT_AT(view, int64_t, i) = from + i;
        }
    }
}

static hit_tile *make_tile(const bench *b, int64_t from, hit_boundary boundary)
{
    hit_tile *made = NULL;

    HIT_MUST(hit_tile_create(b->layout, HIT_INT64, "t", &made));
    HIT_MUST(hit_tile_set_boundary(made, -1, boundary, NULL));
    set_all(made, from);
    return made;
}

static int64_t read_own(const hit_view *view, hit_index i)
{
    return *(const int64_t *)hit_view_at(view, &i);
}

static hit_index wrapped(hit_index i)
{
    return (i + N) % N;
}

/* next_to() of elements from + i, with periodic boundaries. */
static bool is_next_to(hit_tile *tile, int64_t from)
{
    bool right = true;

    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            const int64_t left = from + wrapped(i - 1);

            right &= read_own(&view, i) == left + 10 * (from + wrapped(i + 1));
        }
    }
    return right;
}

static bool is_pair(hit_tile *tile, int64_t from)
{
    bool right = true;

    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            right &= read_own(&view, i) ==
                     102 * from + 100 * i + wrapped(i - 1) + wrapped(i + 1);
        }
    }
    return right;
}

/* The second argument wants a halo, for which the tile's memory grows after the first one
 * has been looked up. */
static void try_one_tile_twice(const hit_options *options)
{
    bench b = bench_open(options);
    hit_tile *sum = make_tile(&b, 0, HIT_BOUNDARY_NONE);

    for (int64_t from = 0; from < 5000; from += 1000) {
        hit_tile *fresh = make_tile(&b, from, HIT_BOUNDARY_PERIODIC);

        HIT_MUST(hit_launch(b.hit, &pair, hit_domain_of(N), sum, fresh, fresh));
        claim(&b, is_pair(sum, from), "a tile can be read as two arguments");
        hit_tile_destroy(&fresh);
    }
    hit_tile_destroy(&sum);
    bench_close(&b);
}

START_TEST(a_tile_can_be_read_as_two_arguments)
{
    try_one_tile_twice(&(hit_options){.devices = "host", .threads = 1});
    try_one_tile_twice(
        &(hit_options){.devices = "host", .threads = 1, .device_memory_bytes = 200});
}
END_TEST

START_TEST(a_plan_serves_all_tiles_of_its_shape)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *now[6];
    hit_tile *next[6];

    for (int k = 0; k < 6; k++) {
        now[k] = make_tile(&b, 50 * k, HIT_BOUNDARY_PERIODIC);
        next[k] = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    }
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 6; k++) {
            HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next[k], now[k]));
        }
    }
    for (int k = 0; k < 6; k++) {
        claim(&b, is_next_to(next[k], 50 * k), "a plan serves all tiles of its shape");
        hit_tile_destroy(&now[k]);
        hit_tile_destroy(&next[k]);
    }
    bench_close(&b);
}
END_TEST

/* 29 * 30 / 2 domains are more than the launcher remembers. */
START_TEST(forgotten_plans_are_made_again)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *now = make_tile(&b, 7, HIT_BOUNDARY_PERIODIC);
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);

    for (int round = 0; round < 2; round++) {
        for (hit_index first = 0; first < N; first++) {
            for (hit_index last = first; last < N; last++) {
                HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_box(1, &first, &last),
                                    next, now));
            }
        }
        claim(&b, is_next_to(next, 7), "forgotten plans are made again");
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    bench_close(&b);
}
END_TEST

/* The outermost elements of next_to() on a tile of constant boundary. */
static void check_ends(bench *b, hit_tile *next, hit_tile *now, int64_t outside)
{
    const hit_index first = 0;
    const hit_index last = N - 1;
    int64_t value = 0;

    HIT_MUST(hit_launch(b->hit, &next_to, hit_domain_of(N), next, now));
    HIT_MUST(hit_tile_get(next, &first, &value));
    claim(b, value == outside + 10, "the constant lies before the first element");
    HIT_MUST(hit_tile_get(next, &last, &value));
    claim(b, value == N - 2 + 10 * outside, "the constant lies behind the last element");
}

START_TEST(a_new_constant_is_seen_by_an_old_plan)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *now = make_tile(&b, 0, HIT_BOUNDARY_CONSTANT);
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);

    check_ends(&b, next, now, 0);
    for (int64_t value = 5; value < 8; value++) {
        HIT_MUST(hit_tile_set_boundary(now, 0, HIT_BOUNDARY_CONSTANT, &value));
        check_ends(&b, next, now, value);
        check_ends(&b, next, now, value);
    }
    HIT_MUST(hit_tile_set_boundary(now, 0, HIT_BOUNDARY_CONSTANT, NULL));
    check_ends(&b, next, now, 0); /* no value is zero */
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    bench_close(&b);
}
END_TEST

START_TEST(another_boundary_and_back_is_seen)
{
    static const hit_boundary kinds[] = {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP,
                                         HIT_BOUNDARY_MIRROR, HIT_BOUNDARY_CLAMP,
                                         HIT_BOUNDARY_PERIODIC};
    static const int64_t before[] = {N - 1, 0, 1, 0, N - 1};
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *now = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    const hit_index first = 0;
    int64_t value = 0;

    for (int k = 0; k < 5; k++) {
        HIT_MUST(hit_tile_set_boundary(now, 0, kinds[k], NULL));
        HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next, now));
        HIT_MUST(hit_tile_get(next, &first, &value));
        claim(&b, value == before[k] + 10, "another boundary is seen");
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    bench_close(&b);
}
END_TEST

/* Only the process that owns the middle fails; the others complete their messages. */
static void try_broken_run(const hit_options *options)
{
    bench b = bench_open(options);
    hit_tile *from = make_tile(&b, 3, HIT_BOUNDARY_PERIODIC);
    hit_tile *to = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    const hit_index middle = N / 2;
    const bool mine = hit_layout_owner(b.layout, &middle) == hit_rank(b.hit);

    for (int round = 0; round < 3; round++) {
        const int64_t bad = round == 1 ? N / 2 : -1;
        const hit_status status =
            hit_launch(b.hit, &breaks, hit_domain_of(N), to, from, HIT_VALUE(bad));

        claim(&b, status == (mine && bad >= 0 ? HIT_E_DEVICE : HIT_OK),
              "a run fails where its kernel fails");
        HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), to, from));
        claim(&b, is_next_to(to, 3), "launches after a failure are right");
    }
    hit_tile_destroy(&from);
    hit_tile_destroy(&to);
    bench_close(&b);
}

START_TEST(a_kernel_that_fails_on_one_process_stops_nobody)
{
    try_broken_run(&(hit_options){.devices = "host", .threads = 1});
    try_broken_run(
        &(hit_options){.devices = "host", .threads = 1, .device_memory_bytes = 200});
}
END_TEST

/* One sweep over the odd or the even elements, which read their neighbours: the strided
 * selections of one tile share its memory. */
static void sweep(const bench *b, hit_tile *tile, int64_t want[], hit_index first)
{
    const hit_domain of[2] = {{1, {hit_sig_make(0, N - 1, 2)}},
                              {1, {hit_sig_make(1, N - 1, 2)}}};
    const hit_domain inner = {1, {hit_sig_make(first, N - 2, 2)}};
    hit_tile *written = NULL;
    hit_tile *read = NULL;

    HIT_MUST(hit_tile_select(tile, of[first % 2], &written));
    HIT_MUST(hit_tile_select(tile, of[(first + 1) % 2], &read));
    HIT_MUST(hit_launch(b->hit, &next_to, inner, written, read));
    hit_tile_destroy(&written);
    hit_tile_destroy(&read);
    for (hit_index i = first; i < N - 1; i += 2) {
        want[i] = want[i - 1] + 10 * want[i + 1];
    }
}

static void try_sweeps(const hit_options *options)
{
    bench b = bench_open(options);
    hit_tile *tile = make_tile(&b, 1, HIT_BOUNDARY_NONE);
    int64_t found[N] = {0};
    int64_t want[N];

    for (hit_index i = 0; i < N; i++) {
        want[i] = 1 + i;
    }
    for (int round = 0; round < 3; round++) {
        sweep(&b, tile, want, 1);
        sweep(&b, tile, want, 2);
    }
    HIT_MUST(hit_tile_gather(tile, 0, found));
    claim(&b, hit_rank(b.hit) != 0 || memcmp(found, want, sizeof(want)) == 0,
          "odd and even elements can be swept in turn");
    hit_tile_destroy(&tile);
    bench_close(&b);
}

START_TEST(odd_and_even_elements_of_a_tile_are_swept_in_turn)
{
    try_sweeps(&(hit_options){.devices = "host", .threads = 1});
    try_sweeps(
        &(hit_options){.devices = "host", .threads = 1, .device_memory_bytes = 200});
}
END_TEST

/* What lies in the tile's own memory, grown by a halo, is not copied. */
START_TEST(tiles_with_the_same_parts_and_other_options_keep_halos)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_layout *other = NULL;
    hit_tile *now = NULL;
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);

    HIT_MUST(hit_layout_create(b.hit, hit_domain_of(N), "block:dims=0", &other));
    claim(&b, hit_layout_key(other) != hit_layout_key(b.layout), "the keys differ");
    hit_layout_destroy(&b.layout);
    b.layout = other;
    now = make_tile(&b, 7, HIT_BOUNDARY_PERIODIC);
    HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next, now));
    claim(&b, is_next_to(next, 7), "results are right");
    for (int u = 0; u < b.hit->launcher->plan[0]->uses; u++) {
        const hit_use *use = &b.hit->launcher->plan[0]->use[u];

        claim(&b, use->mode != HIT_MODE_IN || use->retained, "halos are kept");
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    bench_close(&b);
}
END_TEST

/* What a launch of next_to() answers that is like one before it, but for one thing. */
static hit_status launch_but(const bench *b, hit_tile *next, hit_tile *now, int change)
{
    static const int64_t three = 3;
    hit_arg args[2] = {hit_arg_tile(next), hit_arg_tile(now)};
    hit_domain domain = hit_domain_of(N);
    int count = 2;

    if (change == 0) args[1].type = HIT_FLOAT;
    if (change == 1) args[1] = (hit_arg){NULL, &three, HIT_INT64};
    if (change == 2) args[0].value = &three;
    if (change == 3) args[1].tile = NULL;
    if (change == 4) domain = hit_domain_grow(domain, 1);
    if (change == 5) domain.sig[0].stride = 0;
    if (change == 6) domain.dims = 2;
    if (change == 7) count = 1;
    return hit_launch_args(b->hit, NULL, &next_to, domain, count, args);
}

START_TEST(a_call_like_a_known_one_is_checked)
{
    static const hit_status expected[] = {HIT_E_ARG,     HIT_E_ARG, HIT_E_ARG, HIT_E_ARG,
                                          HIT_E_PATTERN, HIT_E_ARG, HIT_E_ARG, HIT_E_ARG};
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    bench other = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    hit_tile *now = make_tile(&b, 7, HIT_BOUNDARY_PERIODIC);
    hit_tile *first = make_tile(&other, 0, HIT_BOUNDARY_NONE);
    hit_tile *theirs = make_tile(&other, 7, HIT_BOUNDARY_PERIODIC); /* has now's number */

    for (int change = 0; change < 8; change++) {
        HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next, now));
        HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next, now));
        claim(&b, launch_but(&b, next, now, change) == expected[change],
              "what differs is found");
    }
    claim(&b, launch_but(&b, next, theirs, -1) == HIT_E_ARG, "it is another context's");
    HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), next, now));
    claim(&b, is_next_to(next, 7), "results are right");
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_tile_destroy(&theirs);
    hit_tile_destroy(&first);
    bench_close(&other);
    bench_close(&b);
}
END_TEST

/* Selections that differ in what is traversed, at one place of the launch, in turn. */
START_TEST(a_known_call_is_found_at_its_place_again)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    hit_tile *to = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    hit_tile *from = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    const hit_index begin[2] = {3, 5};
    const hit_index end[2] = {9, 20};
    const hit_index at = 4;
    hit_tile *part[2] = {NULL, NULL};
    int64_t value = 0;

    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_select(from, hit_domain_box(1, &begin[k], &end[k]), &part[k]));
    }
    for (int round = 0; round < 6; round++) {
        const int k = round % 2;

        HIT_MUST(hit_launch(b.hit, &whole_sum, hit_domain_box(1, &at, &at), to, part[k]));
        HIT_MUST(hit_tile_get(to, &at, &value));
        claim(&b, value == (end[k] - begin[k] + 1) * (begin[k] + end[k]) / 2,
              "it is the sum of this selection");
    }
    hit_tile_destroy(&part[0]);
    hit_tile_destroy(&part[1]);
    hit_tile_destroy(&from);
    hit_tile_destroy(&to);
    bench_close(&b);
}
END_TEST

/* What lies beyond a boundary needs more memory, elsewhere. */
START_TEST(a_known_call_finds_memory_that_grew)
{
    bench b = bench_open(&(hit_options){.devices = "host", .threads = 1});
    const hit_domain inner = hit_domain_grow(hit_domain_of(N), -1);
    hit_tile *next = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    hit_tile *other = make_tile(&b, 0, HIT_BOUNDARY_NONE);
    hit_tile *now = make_tile(&b, 7, HIT_BOUNDARY_PERIODIC);
    const hit_index at = N / 2;
    int64_t value = 0;

    for (int round = 0; round < 6; round++) {
        const int64_t from = 100 * round;

        set_all(now, from);
        if (round == 3) {
            HIT_MUST(hit_launch(b.hit, &next_to, hit_domain_of(N), other, now));
            claim(&b, is_next_to(other, from), "beyond the boundary");
            set_all(now, from);
        }
        HIT_MUST(hit_launch(b.hit, &next_to, inner, next, now));
        HIT_MUST(hit_tile_get(next, &at, &value));
        claim(&b, value == from + at - 1 + 10 * (from + at + 1), "in the new memory");
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&other);
    hit_tile_destroy(&next);
    bench_close(&b);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("reuse");
    TCase *tests = tcase_create("plans");

    tcase_add_test(tests, a_tile_can_be_read_as_two_arguments);
    tcase_add_test(tests, a_plan_serves_all_tiles_of_its_shape);
    tcase_add_test(tests, forgotten_plans_are_made_again);
    tcase_add_test(tests, a_new_constant_is_seen_by_an_old_plan);
    tcase_add_test(tests, another_boundary_and_back_is_seen);
    tcase_add_test(tests, a_kernel_that_fails_on_one_process_stops_nobody);
    tcase_add_test(tests, odd_and_even_elements_of_a_tile_are_swept_in_turn);
    tcase_add_test(tests, tiles_with_the_same_parts_and_other_options_keep_halos);
    tcase_add_test(tests, a_call_like_a_known_one_is_checked);
    tcase_add_test(tests, a_known_call_is_found_at_its_place_again);
    tcase_add_test(tests, a_known_call_finds_memory_that_grew);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
