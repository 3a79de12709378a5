/* SPDX-License-Identifier: MIT
 * What stays in the memory of a device between launches: how many bytes are moved. That
 * the host always sees the truth is in test_sequence.c. */
#include "hit/data/sig.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel blend, bump, assign, assign_both;

enum {
    N = 48,
    TILE_BYTES = N * N * 8
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Bytes moved to and from all devices since the last call. */
typedef struct traffic {
    uint64_t in;
    uint64_t out;
} traffic;

static traffic moved(hit_context *hit, traffic *before)
{
    hit_stats now;
    traffic since;

    HIT_MUST(hit_context_stats_all(hit, &now));
    since = (traffic){now.bytes_in - before->in, now.bytes_out - before->out};
    *before = (traffic){now.bytes_in, now.bytes_out};
    return since;
}

static hit_tile *make_tile(hit_context *hit, hit_domain domain)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    const int64_t one = 1;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &one));
    hit_layout_destroy(&layout);
    return tile;
}

static void drop_tiles(hit_tile *tile[], int count)
{
    for (int k = 0; k < count; k++) {
        hit_tile_destroy(&tile[k]);
    }
}

/* A little more, since GPUs keep a part of their memory for partial results. */
static hit_context *open_staged(size_t memory_bytes)
{
    const size_t limit_bytes = memory_bytes + memory_bytes / 32;
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(
        NULL, NULL, &(hit_options){.threads = 1, .device_memory_bytes = limit_bytes},
        &hit));
    return hit;
}

START_TEST(after_the_first_of_ten_launches_that_fit_no_byte_is_moved)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    traffic before = {0};
    traffic first;
    traffic rest;

    HIT_MUST(hit_launch(hit, &assign, whole, tile[0], tile[1]));
    first = moved(hit, &before);
    for (int k = 1; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &assign, whole, tile[k % 2], tile[(k + 1) % 2]));
        HIT_MUST(hit_launch(hit, &bump, whole, tile[k % 2], HIT_VALUE((int64_t)3)));
    }
    rest = moved(hit, &before);
    drop_tiles(tile, 2);
    hit_close(&hit);
    ck_assert_uint_eq(first.in, TILE_BYTES); /* out is not loaded */
    ck_assert_uint_eq(first.out, 0);
    ck_assert_uint_eq(rest.in + rest.out, 0);
}
END_TEST

/* The rim that a stencil reads and does not write comes with the second step, when the
 * tiles have been swapped; then nothing is moved any more. */
START_TEST(a_stencil_that_swaps_tiles_moves_their_rims_once)
{
    const hit_domain whole = hit_domain_of(N, N);
    const hit_domain inner = {2, {hit_sig_make(1, N - 2, 1), hit_sig_make(2, N - 2, 1)}};
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    const bool alone = hit_size(hit) == 1;
    traffic before = {0};
    traffic step[10];

    for (int k = 0; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &blend, inner, tile[k % 2], tile[(k + 1) % 2]));
        step[k] = moved(hit, &before);
    }
    drop_tiles(tile, 2);
    hit_close(&hit);
    if (!alone) return; /* halos are exchanged by the hosts */
    ck_assert_uint_eq(step[0].in, TILE_BYTES);
    ck_assert_uint_lt(step[1].in, 5 * N * 8);
    for (int k = 2; k < 10; k++) {
        ck_assert_uint_eq(step[k].in + step[k].out, 0);
    }
}
END_TEST

START_TEST(only_what_the_host_looks_at_is_sent_back)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    const hit_index at[] = {3, 5};
    traffic before = {0};
    traffic one;
    traffic all;
    traffic again;
    traffic host;
    int64_t value = 0;
    int64_t five = 5;

    HIT_MUST(
        hit_launch(hit, &bump, whole, tile[0], HIT_VALUE((int64_t)3))); /* 3 + i + 2j */
    (void)moved(hit, &before);
    HIT_MUST(hit_tile_get(tile[0], at, &value));
    one = moved(hit, &before);
    for (int k = 0; k < hit_tile_pieces(tile[0]); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile[0], k, HIT_READ, &view));
    }
    all = moved(hit, &before);
    HIT_MUST(hit_launch(hit, &assign, whole, tile[1], tile[0]));
    again = moved(hit, &before);
    HIT_MUST(hit_tile_fill(tile[0], &five));
    HIT_MUST(hit_launch(hit, &bump, whole, tile[0], HIT_VALUE((int64_t)3)));
    host = moved(hit, &before);
    drop_tiles(tile, 2);
    hit_close(&hit);
    ck_assert_int_eq(value, 16);
    ck_assert_uint_eq(one.out, 8);
    ck_assert_uint_eq(all.out, TILE_BYTES - 8);
    ck_assert_uint_eq(again.in + again.out, 0);
    ck_assert_uint_eq(host.in, TILE_BYTES); /* the host wrote it all */
    ck_assert_uint_eq(host.out, 0);
}
END_TEST

START_TEST(what_is_clean_and_was_not_used_for_longest_gives_way)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(3 * TILE_BYTES);
    hit_tile *t[4];
    const bool alone = hit_size(hit) == 1;
    traffic before = {0};
    traffic step[3];
    int64_t value = 0;

    for (int k = 0; k < 4; k++) {
        t[k] = make_tile(hit, whole);
    }
    /* 0 dirty, 1 clean, 2 dirty */
    HIT_MUST(hit_launch(hit, &assign, whole, t[0], t[1]));
    HIT_MUST(hit_launch(hit, &bump, whole, t[2], HIT_VALUE((int64_t)2)));
    (void)moved(hit, &before);
    HIT_MUST(hit_launch(hit, &bump, whole, t[3], HIT_VALUE((int64_t)2)));
    step[0] = moved(hit, &before); /* 1 is dropped */
    HIT_MUST(hit_launch(hit, &assign, whole, t[1], t[2]));
    step[1] = moved(hit, &before); /* 0 is sent back */
    HIT_MUST(hit_launch(hit, &bump, whole, t[3], HIT_VALUE((int64_t)2)));
    step[2] = moved(hit, &before);
    HIT_MUST(hit_tile_get(t[1], (const hit_index[]){1, 1}, &value));
    drop_tiles(t, 4);
    hit_close(&hit);
    ck_assert_int_eq(value, 2 + 1 + 2);
    if (!alone) return; /* parts differ in size */
    ck_assert_uint_eq(step[0].in, TILE_BYTES);
    ck_assert_uint_eq(step[0].out, 0);
    ck_assert_uint_eq(step[1].in, 0);
    ck_assert_uint_eq(step[1].out, TILE_BYTES);
    ck_assert_uint_eq(step[2].in + step[2].out, 0);
}
END_TEST

/* A launch finds two boxes for an argument: the one that was there, and a smaller one,
 * which is made for another argument of the same tile. The first one is free again. */
START_TEST(what_another_box_takes_the_place_of_gives_way)
{
    const hit_domain all = hit_domain_of(N, N);
    hit_context *hit = open_staged(3100);
    hit_tile *t[3];
    int64_t value = 0;

    for (int k = 0; k < 3; k++) {
        t[k] = make_tile(hit, all);
    }
    for (int64_t c = 1; c < 3; c++) {
        HIT_MUST(hit_launch(hit, &bump, hit_box_of(0, 15, 1, 4), t[0], HIT_VALUE(c)));
        HIT_MUST(
            hit_launch(hit, &assign_both, hit_box_of(10, 12, 1, 4), t[1], t[0], t[0]));
        HIT_MUST(hit_launch(hit, &bump, all, t[2], HIT_VALUE(c)));
    }
    HIT_MUST(hit_tile_get(t[1], (const hit_index[]){10, 2}, &value));
    drop_tiles(t, 3);
    hit_close(&hit);
    /* x of row r is 1, then 1 + r + 4, then 2 * (1 + r + 4) + r + 4 = 3 * r + 14 */
    ck_assert_int_eq(value, (3 * 6 + 14) + (3 * 14 + 14) - 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("resident");
    TCase *tests = tcase_create("resident");

    tcase_add_test(tests, after_the_first_of_ten_launches_that_fit_no_byte_is_moved);
    tcase_add_test(tests, a_stencil_that_swaps_tiles_moves_their_rims_once);
    tcase_add_test(tests, only_what_the_host_looks_at_is_sent_back);
    tcase_add_test(tests, what_is_clean_and_was_not_used_for_longest_gives_way);
    tcase_add_test(tests, what_another_box_takes_the_place_of_gives_way);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
