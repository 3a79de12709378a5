/* SPDX-License-Identifier: MIT
 * Calls that are known: those whose hashes are alike are known side by side. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"

enum {
    TILES = 200,
    ROUNDS = 3
};

static hit_context *base;

static uint64_t number_of(const hit_tile *tile)
{
    return tile->storage->number;
}

/* The set in which the call that fills a tile is known; -1: it is not. */
static int set_of(const hit_tile *tile)
{
    for (int set = 0; set < HIT_KNOWN_SETS; set++) {
        const hit_known_call *known = base->launcher->known_call[set];

        for (int way = 0; way < HIT_KNOWN_WAYS && known != NULL; way++) {
            if (known[way].plan != NULL &&
                known[way].tile[0].storage == number_of(tile)) {
                return set;
            }
        }
    }
    return -1;
}

static void fill(hit_tile *tile)
{
    HIT_MUST(hit_launch(base, &fill_float, hit_domain_of(8), tile, HIT_VALUE(1.0f)));
}

/* Tiles whose calls are of one set, as many as it has room for. */
static void find_alike(hit_tile *tile[], hit_tile *alike[])
{
    int count[HIT_KNOWN_SETS] = {0};
    int wanted = -1;
    int found = 0;

    for (int k = 0; k < TILES && wanted < 0; k++) {
        fill(tile[k]);
        if (++count[set_of(tile[k])] == HIT_KNOWN_WAYS) wanted = set_of(tile[k]);
    }
    ck_assert_int_ge(wanted, 0);
    for (int k = 0; k < TILES && found < HIT_KNOWN_WAYS; k++) {
        fill(tile[k]);
        if (set_of(tile[k]) == wanted) alike[found++] = tile[k];
    }
    ck_assert_int_eq(found, HIT_KNOWN_WAYS);
}

START_TEST(calls_of_one_hash_are_known_side_by_side)
{
    hit_tile *tile[TILES] = {NULL};
    hit_tile *alike[HIT_KNOWN_WAYS];

    for (int k = 0; k < TILES; k++) {
        HIT_MUST(
            hit_tile_make(base, hit_domain_of(8), "block", HIT_FLOAT, "t", &tile[k]));
    }
    find_alike(tile, alike);
    for (int round = 0; round < ROUNDS; round++) {
        for (int k = 0; k < HIT_KNOWN_WAYS; k++) {
            fill(alike[k]);
        }
    }
    for (int k = 0; k < HIT_KNOWN_WAYS; k++) {
        ck_assert_int_ge(set_of(alike[k]), 0);
    }
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&tile[k]);
    }
}
END_TEST

static hit_tile *select_part(hit_tile *tile, hit_index begin)
{
    const hit_index end = begin + 3;
    hit_tile *part = NULL;

    HIT_MUST(hit_tile_select(tile, hit_domain_box(1, &begin, &end), &part));
    return part;
}

static void fill_part(hit_tile *part)
{
    HIT_MUST(hit_launch(base, &fill_float, hit_tile_domain(part), part, HIT_VALUE(1.0f)));
}

/* As the rims of a tile, which a program fills in each step. */
START_TEST(selections_that_come_again_are_known_side_by_side)
{
    hit_tile *tile = NULL;
    hit_tile *part[2] = {NULL};
    uint64_t stamps = 0;

    HIT_MUST(hit_tile_make(base, hit_domain_of(8), "block", HIT_FLOAT, "t", &tile));
    for (int k = 0; k < 2; k++) {
        part[k] = select_part(tile, 4 * (hit_index)k);
    }
    for (int round = 0; round < 2 * ROUNDS; round++) {
        if (round == ROUNDS) stamps = base->launcher->stamps;
        fill_part(part[0]);
        fill_part(part[1]);
    }
    ck_assert_uint_eq(base->launcher->stamps, stamps);
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&part[k]);
    }
    hit_tile_destroy(&tile);
}
END_TEST

/* More than a set has room for: one becomes the next. */
START_TEST(selections_that_do_not_come_again_share_what_is_known)
{
    hit_tile *tile = NULL;
    uint64_t plans = 0;

    HIT_MUST(hit_tile_make(base, hit_domain_of(TILES), "block", HIT_FLOAT, "t", &tile));
    for (int k = 0; k < TILES - 4; k++) {
        hit_tile *part = select_part(tile, k);

        if (k == HIT_KNOWN_WAYS) plans = base->launcher->plans_made;
        fill_part(part);
        if (hit_size(base) == 1) ck_assert_int_ge(set_of(tile), 0);
        hit_tile_destroy(&part);
    }
    if (hit_size(base) == 1) ck_assert_uint_eq(base->launcher->plans_made, plans);
    hit_tile_destroy(&tile);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *all = suite_create("known calls");
    TCase *calls = tcase_create("calls");

    tcase_add_test(calls, calls_of_one_hash_are_known_side_by_side);
    tcase_add_test(calls, selections_that_come_again_are_known_side_by_side);
    tcase_add_test(calls, selections_that_do_not_come_again_share_what_is_known);
    suite_add_tcase(all, calls);
    return check_run_open(&argc, &argv, all, &base);
}
