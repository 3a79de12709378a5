/* SPDX-License-Identifier: MIT
 * The memory of tiles: where it begins in a page, and that it keeps its elements when it
 * grows. */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "hit/tile/hold.h"
#include "hit/tile/tile_impl.h"
#include "tests/support/check_main.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    TILES = 8,
    PAGE_BYTES = 4096,
    APART_BYTES = 512,
    EDGE = 512,  /* of a large tile, in floats: as many bytes as pages */
    LARGE = 6000 /* of one of 137 MiB */
};

static hit_context *hit; /* open as long as the tests run */

static hit_tile *make(hit_index rows, hit_index columns)
{
    hit_tile *tile = NULL;

    ck_assert_int_eq(
        hit_tile_make(hit, hit_domain_of(rows, columns), "block", HIT_FLOAT, "t", &tile),
        HIT_OK);
    return tile;
}

/* Where its first element lies in a page. */
static int place_of(const hit_tile *tile)
{
    return (int)((uintptr_t)tile->storage->view[0].data % PAGE_BYTES);
}

static bool are_apart(int a, int b)
{
    const int distance = abs(a - b);

    return distance >= APART_BYTES && distance <= PAGE_BYTES - APART_BYTES;
}

START_TEST(large_tiles_begin_at_unlike_places_in_a_page)
{
    hit_tile *tile[TILES];
    for (int a = 0; a < TILES; a++) {
        tile[a] = make(EDGE, EDGE);
        for (int b = 0; b < a; b++) {
            ck_assert(are_apart(place_of(tile[a]), place_of(tile[b])));
        }
    }
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&tile[k]);
    }
}
END_TEST

static void check_elements(const hit_view *view, const hit_domain *owned)
{
    hit_index at[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(owned, at); more;
         more = hit_domain_next(owned, at)) {
        const float value = *(float *)hit_view_at(view, at);

        if (value != (float)(at[0] * 1000 + at[1])) ck_abort_msg("an element is lost");
    }
}

/* From a small one, which has no place of its own, too. */
static void grow(hit_index rows)
{
    hit_tile *tile = make(rows, EDGE);
    hit_storage *storage = tile->storage;
    const hit_domain owned = storage->owned[0];
    hit_index at[HIT_MAX_DIMS];
    hit_domain box;

    for (bool more = hit_domain_first(&owned, at); more;
         more = hit_domain_next(&owned, at)) {
        *(float *)hit_view_at(&storage->view[0], at) = (float)(at[0] * 1000 + at[1]);
    }
    for (hit_index by = 1; by < 64; by *= 2) {
        box = hit_domain_grow(owned, by);
        ck_assert_int_eq(hit_storage_cover(storage, 0, &box), HIT_OK);
        ck_assert(hit_domain_equal(&storage->view[0].domain, &box));
        check_elements(&storage->view[0], &owned);
    }
    hit_tile_destroy(&tile);
}

START_TEST(memory_that_grows_keeps_its_elements)
{
    grow(1);
    grow(30);
    grow(EDGE);
}
END_TEST

/* Its pages go back as they are copied. */
START_TEST(a_large_tile_that_grows_is_not_there_twice)
{
    const size_t bytes = (size_t)LARGE * LARGE * sizeof(float);
    hit_tile *tile = make(LARGE, LARGE);
    size_t before = hit_memory_peak_bytes();
    hit_domain box = hit_domain_grow(tile->storage->owned[0], 1);
    const hit_index last[] = {LARGE - 1, LARGE - 1};

    *(float *)hit_view_at(&tile->storage->view[0], last) = 7;
    ck_assert_int_eq(hit_storage_cover(tile->storage, 0, &box), HIT_OK);
    ck_assert(*(float *)hit_view_at(&tile->storage->view[0], last) == 7);
    if (before > 0) ck_assert_uint_lt(hit_memory_peak_bytes() - before, bytes / 2);
    hit_tile_destroy(&tile);
}
END_TEST

/* Memory that was given back is the next tile's. */
START_TEST(memory_of_held_views_stays_until_the_last_release)
{
    hit_tile *tile = make(8, EDGE);
    hit_tile *part;
    hit_tile *other;
    hit_view before;
    hit_domain box = hit_domain_of(8, EDGE);

    HIT_MUST(hit_tile_select(tile, box, &part));
    HIT_MUST(hit_tile_hold(tile));
    HIT_MUST(hit_tile_hold(part));
    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &before));
    HIT_AT(before, float, 3, 4) = 34;
    for (int k = 0; k < 2; k++) {
        box = hit_domain_grow(box, 1);
        HIT_MUST(hit_storage_cover(tile->storage, 0, &box));
    }
    ck_assert_int_eq(tile->storage->lefts, 2);
    hit_tile_release(tile);
    ck_assert_int_eq(tile->storage->lefts, 2);
    other = make(8, EDGE);
    ck_assert_ptr_ne(other->storage->view[0].data, before.data);
    ck_assert_float_eq(HIT_AT(before, float, 3, 4), 34);
    hit_tile_release(part);
    ck_assert_int_eq(tile->storage->lefts, 0);
    hit_tile_release(part);
    ck_assert_int_eq(tile->storage->holds, 0);
    hit_tile_destroy(&other);
    hit_tile_destroy(&part);
    hit_tile_destroy(&tile);
}
END_TEST

START_TEST(a_tile_with_held_views_keeps_its_layout)
{
    hit_tile *tile = make(8, EDGE);

    HIT_MUST(hit_tile_hold(tile));
    ck_assert_int_eq(hit_tile_relayout(tile, hit_tile_layout(tile)), HIT_E_ARG);
    hit_tile_release(tile);
    HIT_MUST(hit_tile_relayout(tile, hit_tile_layout(tile)));
    hit_tile_destroy(&tile);
    hit_tile_release(NULL);
    ck_assert_int_eq(hit_tile_hold(NULL), HIT_E_ARG);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("the memory of tiles");
    TCase *tc = tcase_create("storage");

    tcase_add_test(tc, large_tiles_begin_at_unlike_places_in_a_page);
    tcase_add_test(tc, memory_that_grows_keeps_its_elements);
    tcase_add_test(tc, a_large_tile_that_grows_is_not_there_twice);
    tcase_add_test(tc, memory_of_held_views_stays_until_the_last_release);
    tcase_add_test(tc, a_tile_with_held_views_keeps_its_layout);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &hit);
}
