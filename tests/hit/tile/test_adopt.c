/* SPDX-License-Identifier: MIT
 * Tiles in arrays of the program: as tiles of the library, and nothing is written beside
 * the owned elements and the ghosts. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/chain/tuner.h"
#include "hit/data/ndcopy.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "hit/tile/hold.h"
#include "hit/tile/tile_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/own_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel reach_0, reach_1, reach_2, reach_3, reach_4;

static const hit_kernel *const reach[] = {&reach_0, &reach_1, &reach_2, &reach_3,
                                          &reach_4};

static hit_context *base; /* keeps MPI open */

enum {
    PAIR = 2, /* tiles that launches read and write in turn */
    MOST_REACH = 4
};

/* Two tiles in arrays of the test, and two that should be equal. */
typedef struct twins {
    hit_context *hit;
    hit_random all;  /* alike on all processes */
    hit_random mine; /* for arrays */
    hit_domain domain;
    own_array own[PAIR];
    hit_tile *adopted[PAIR];
    hit_tile *plain[PAIR];
    hit_boundary boundary;
    char text[160];
} twins;

static hit_index pick(twins *t, hit_index low, hit_index high)
{
    return hit_random_index(&t->all, low, high);
}

static void open_twins(twins *t, uint64_t seed)
{
    static const char *const devices[] = {"host:threads=1",
                                          "host:threads=2",
                                          "host:memory=20KiB",
                                          "host:staged",
                                          "host:threads=1+host:threads=1",
                                          "host:threads=1+host:memory=40KiB"};
    const char *device;

    *t = (twins){.all = {seed}};
    (void)hit_random_next(&t->all);
    device = devices[pick(t, 0, 5)];
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = device}, &t->hit));
    t->mine = (hit_random){t->all.state + (uint64_t)hit_rank(t->hit) * 977};
    snprintf(t->text, sizeof(t->text), "seed %llu on %s", (unsigned long long)seed,
             device);
}

static void make_twins(twins *t)
{
    static const char *const texts[] = {"block", "block:dims=0", "block:dims=1",
                                        "single"};
    const char *text = texts[pick(t, 0, 3)];
    const hit_index begin[] = {pick(t, -3, 3), pick(t, -3, 3)};
    const hit_index end[] = {begin[0] + pick(t, 7, 40), begin[1] + pick(t, 7, 30)};
    const hit_index most = pick(t, 0, 3);
    hit_layout *layout;

    t->domain = hit_domain_box(2, begin, end);
    t->boundary = (hit_boundary)pick(t, HIT_BOUNDARY_NONE, HIT_BOUNDARY_MIRROR);
    HIT_MUST(hit_layout_create(t->hit, t->domain, text, &layout));
    for (int k = 0; k < PAIR; k++) {
        t->own[k] =
            own_array_make(layout, hit_rank(t->hit), sizeof(int64_t), most, &t->mine);
        HIT_MUST(
            own_array_adopt(&t->own[k], layout, HIT_INT64, "adopted", &t->adopted[k]));
        HIT_MUST(hit_tile_create(layout, HIT_INT64, "plain", &t->plain[k]));
        HIT_MUST(hit_tile_set_boundary(t->adopted[k], -1, t->boundary, NULL));
        HIT_MUST(hit_tile_set_boundary(t->plain[k], -1, t->boundary, NULL));
    }
    HIT_MUST(hit_tile_hold(t->adopted[0])); /* which keeps nothing: the array stays */
    hit_layout_destroy(&layout);
}

/* Both are written, or compared. */
static void look(twins *t, int k, bool writes)
{
    const hit_intent intent = writes ? HIT_READ_WRITE : HIT_READ;
    const int64_t step = pick(t, 0, 1000);
    hit_view found;
    hit_view expected;
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_map(t->adopted[k], 0, intent, &found));
    HIT_MUST(hit_tile_map(t->plain[k], 0, intent, &expected));
    if (hit_tile_pieces(t->plain[k]) == 0) {
        ck_assert_msg(hit_domain_is_empty(&found.domain), "%s: a view of nothing",
                      t->text);
        return;
    }
    ck_assert_msg(found.data == t->own[k].array.first, "%s: the view is a copy", t->text);
    for (bool go = hit_domain_first(&found.domain, x); go;
         go = hit_domain_next(&found.domain, x)) {
        int64_t *one = hit_view_at(&found, x);
        int64_t *other = hit_view_at(&expected, x);

        ck_assert_msg(*one == *other, "%s: [%lld, %lld] is %lld, expected %lld", t->text,
                      (long long)x[0], (long long)x[1], (long long)*one,
                      (long long)*other);
        if (writes) *one = *other = *one + step + x[0] * 37 + x[1];
    }
}

static void launch(twins *t, int far)
{
    const hit_index margin = t->boundary == HIT_BOUNDARY_NONE ? far : 0;
    const hit_domain inner = hit_domain_grow(t->domain, -margin);

    HIT_MUST(hit_launch(t->hit, reach[far], inner, t->adopted[1], t->adopted[0]));
    HIT_MUST(hit_launch(t->hit, reach[far], inner, t->plain[1], t->plain[0]));
    hit_tile_swap(&t->adopted[0], &t->adopted[1]);
    hit_tile_swap(&t->plain[0], &t->plain[1]);
    /* the memory stays with its tile */
    {
        const own_array kept = t->own[0];

        t->own[0] = t->own[1];
        t->own[1] = kept;
    }
}

/* What launches wrote is in the arrays when their tiles are gone. */
static void close_twins(twins *t)
{
    for (int k = 0; k < PAIR; k++) {
        hit_view found = t->own[k].view;
        hit_view expected;
        hit_index x[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(t->plain[k], 0, HIT_READ, &expected));
        ck_assert_int_eq(t->adopted[k]->storage->lefts, 0);
        hit_tile_release(t->adopted[k]);
        hit_tile_destroy(&t->adopted[k]);
        for (bool go = t->own[k].memory != NULL && hit_domain_first(&t->own[k].owned, x);
             go; go = hit_domain_next(&t->own[k].owned, x)) {
            ck_assert_msg(*(int64_t *)hit_view_at(&found, x) ==
                              *(int64_t *)hit_view_at(&expected, x),
                          "%s: [%lld, %lld] is lost", t->text, (long long)x[0],
                          (long long)x[1]);
        }
        ck_assert_msg(own_array_is_intact(&t->own[k]), "%s: bytes beside an array",
                      t->text);
        own_array_free(&t->own[k]);
        hit_tile_destroy(&t->plain[k]);
    }
    hit_close(&t->hit);
}

/* One reach in a row, as programs do, or any; looks now and then. */
static void run_steps(twins *t)
{
    const int steps = (int)pick(t, 1, 30);
    const bool one = pick(t, 0, 3) > 0;
    int far = (int)pick(t, 0, MOST_REACH);

    for (int s = 0; s < steps; s++) {
        if (!one) far = (int)pick(t, 0, 3);
        launch(t, far);
        if (pick(t, 0, 5) == 0) look(t, (int)pick(t, 0, 1), pick(t, 0, 1) == 1);
    }
}

static uint64_t run_case(uint64_t seed)
{
    hit_choice choice = {.lines = false};
    hit_stats stats;
    twins t;

    open_twins(&t, seed);
    choice.steps = (int)pick(&t, 2, 8);
    choice.width[0] = choice.width[1] = choice.width[2] = choice.width[3] =
        (int)pick(&t, 1, 9);
    if (pick(&t, 0, 3) > 0) {
        HIT_MUST(hit_chain(t.hit, HIT_CHAIN_ANY));
        t.hit->launcher->chain_choice = &choice;
    }
    make_twins(&t);
    for (int k = 0; k < PAIR; k++) {
        HIT_MUST(hit_tile_fill(t.adopted[k], &(int64_t){k}));
        HIT_MUST(hit_tile_fill(t.plain[k], &(int64_t){k}));
        look(&t, k, true);
    }
    run_steps(&t);
    hit_context_stats(t.hit, &stats);
    close_twins(&t);
    return stats.chained;
}

START_TEST(adopted_tiles_are_as_tiles_of_the_library)
{
    const uint64_t first = hit_random_start(4000000).state;
    const char *text = getenv("HIT_PROGRAMS");
    const int count = text != NULL ? atoi(text) : hit_random_cases(200);
    uint64_t chained = 0;

    for (int k = 0; k < count; k++) {
        chained += run_case(first + (uint64_t)k);
    }
    ck_assert_uint_gt(chained, 0);
}
END_TEST

/* ---- without a copy ---- */

static hit_tile *adopt(hit_context *hit, const char *name, own_array *own,
                       hit_index ghosts)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(60, 50), "block:dims=0", &layout));
    *own = (own_array){.owned = hit_domain_empty(2)};
    for (uint64_t seed = 1;; seed++) { /* until it has all the ghosts */
        hit_random random = {seed};

        *own = own_array_make(layout, hit_rank(hit), sizeof(int64_t), ghosts, &random);
        if (own->memory == NULL ||
            (own->array.before[0] == ghosts && own->array.behind[0] == ghosts)) {
            break;
        }
        own_array_free(own);
    }
    HIT_MUST(own_array_adopt(own, layout, HIT_INT64, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

/* The line of HIT_PROFILE on process 0, for launches that reach @p far. */
static bool copies(int far, hit_index ghosts)
{
    char text[8192] = "";
    FILE *out = tmpfile();
    own_array own[PAIR];
    hit_tile *tile[PAIR];
    hit_context *hit;
    hit_view view;
    size_t got;

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(setenv("HIT_PROFILE", "1", 1), 0);
    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host", .out = out}, &hit));
    tile[0] = adopt(hit, "a", &own[0], ghosts);
    tile[1] = adopt(hit, "b", &own[1], ghosts);
    HIT_MUST(hit_tile_fill(tile[0], &(int64_t){1}));
    HIT_MUST(hit_launch(hit, reach[far], hit_domain_grow(hit_domain_of(60, 50), -far),
                        tile[1], tile[0]));
    HIT_MUST(hit_tile_map(tile[1], 0, HIT_READ, &view));
    for (int k = 0; k < PAIR; k++) {
        hit_tile_destroy(&tile[k]);
        own_array_free(&own[k]);
    }
    hit_close(&hit);
    ck_assert_int_eq(unsetenv("HIT_PROFILE"), 0);
    rewind(out);
    got = fread(text, 1, sizeof(text) - 1, out);
    text[got] = '\0';
    (void)fclose(out);
    ck_assert(hit_rank(base) > 0 || strstr(text, "reach_") != NULL);
    return strstr(text, "arrays of the program:") != NULL;
}

START_TEST(profiles_count_what_is_copied)
{
    ck_assert(!copies(1, 1));
    ck_assert(!copies(2, 3));
    if (hit_size(base) > 1 && hit_rank(base) == 0) {
        ck_assert(copies(2, 1));
    } else {
        (void)copies(2, 1);
    }
}
END_TEST

/* A tile that outlives its context brings back what lies in its buffer. */
START_TEST(tiles_that_are_destroyed_last_leave_their_arrays_right)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(60, 50), -2);
    own_array own[PAIR];
    hit_tile *tile[PAIR];
    hit_context *hit;
    hit_index x[HIT_MAX_DIMS];

    ck_assert_int_eq(setenv("HIT_PROFILE", "1", 1), 0);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    ck_assert_int_eq(unsetenv("HIT_PROFILE"), 0);
    for (int k = 0; k < PAIR; k++) {
        tile[k] = adopt(hit, "t", &own[k], 0);
        HIT_MUST(hit_tile_fill(tile[k], &(int64_t){1}));
    }
    HIT_MUST(hit_launch(hit, &reach_2, inner, tile[1], tile[0]));
    HIT_MUST(hit_launch(hit, &reach_2, inner, tile[0], tile[1]));
    hit_close(&hit);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    for (bool go = own[1].memory != NULL && hit_domain_first(&own[1].owned, x); go;
         go = hit_domain_next(&own[1].owned, x)) {
        const int64_t expected = hit_domain_has(&inner, x) ? 39 : 1;

        ck_assert_int_eq(*(int64_t *)hit_view_at(&own[1].view, x), expected);
    }
    for (int k = 0; k < PAIR; k++) {
        ck_assert(own_array_is_intact(&own[k]));
        own_array_free(&own[k]);
    }
}
END_TEST

/* ---- what is refused ---- */

static void refuse(hit_layout *layout, const hit_local_array *array, const char *text)
{
    hit_tile *tile = NULL;

    ck_assert_int_eq(hit_tile_adopt(layout, HIT_INT64, "t", array, &tile), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), text) != NULL, "%s", hit_status_text());
    ck_assert_ptr_null(tile);
}

START_TEST(arrays_that_cannot_be_are_refused)
{
    static int64_t memory[400];
    const hit_domain domain = hit_domain_of(8 * hit_size(base), 10);
    const hit_local_array good = {.first = memory, .stride = {20, 1}};
    hit_local_array wrong[6];
    hit_layout *layout;
    hit_layout *cyclic;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(base, domain, "block:dims=0", &layout));
    for (int k = 0; k < 6; k++) {
        wrong[k] = good;
    }
    wrong[0].first = NULL;
    wrong[1].first = (char *)memory + 1;
    wrong[2].stride[1] = 2;
    wrong[3].stride[0] = 9;
    wrong[4].before[1] = -1;
    wrong[5].behind[0] = HIT_INDEX_LIMIT;
    refuse(layout, NULL, "found NULL");
    refuse(layout, &wrong[0], "found NULL");
    refuse(layout, &wrong[1], "a multiple of 8 bytes");
    refuse(layout, &wrong[2], "a stride of 1 in dimension 1 but found 2");
    refuse(layout, &wrong[3], "a stride of at least 10 in dimension 0 but found 9");
    refuse(layout, &wrong[4], "0 ghosts or more in dimension 1 but found -1");
    refuse(layout, &wrong[5], "");
    HIT_MUST(hit_layout_create(base, hit_domain_of(9 * hit_size(base)),
                               "blockcyclic:block=3", &cyclic));
    if (hit_size(base) > 1) {
        refuse(cyclic, &(hit_local_array){.first = memory, .before = {1}},
               "no ghosts around the 3 boxes of a process");
    }
    if (hit_size(base) == 3) {
        hit_layout *pairs;

        HIT_MUST(hit_layout_create(base, hit_domain_of(12, 12), "sbc:block=2", &pairs));
        refuse(pairs, &(hit_local_array){.first = memory}, "lie in rows and columns");
        hit_layout_destroy(&pairs);
    }
    HIT_MUST(hit_tile_adopt(layout, HIT_INT64, "t", &good, &tile));
    ck_assert_int_eq(hit_tile_relayout(tile, layout), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "an array of the program"));
    hit_tile_destroy(&tile);
    hit_layout_destroy(&cyclic);
    hit_layout_destroy(&layout);
}
END_TEST

/* Processes that have nothing give no array. */
START_TEST(who_owns_nothing_gives_none)
{
    static int64_t memory[6] = {1, 2, 3, 4, 5, 6};
    hit_layout *layout;
    hit_tile *tile;
    hit_view view;
    int64_t last = 0;

    HIT_MUST(hit_layout_create(base, hit_domain_of(2, 3), "single", &layout));
    HIT_MUST(hit_tile_adopt(
        layout, HIT_INT64, "t",
        hit_rank(base) == 0 ? &(hit_local_array){.first = memory} : NULL, &tile));
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    ck_assert_int_eq(hit_domain_count(&view.domain), hit_rank(base) == 0 ? 6 : 0);
    HIT_MUST(hit_tile_get(tile, (hit_index[]){1, 2}, &last));
    ck_assert_int_eq(last, 6);
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tiles in arrays of the program");
    TCase *tc = tcase_create("adopt");

    tcase_add_test(tc, adopted_tiles_are_as_tiles_of_the_library);
    tcase_add_test(tc, profiles_count_what_is_copied);
    tcase_add_test(tc, tiles_that_are_destroyed_last_leave_their_arrays_right);
    tcase_add_test(tc, arrays_that_cannot_be_are_refused);
    tcase_add_test(tc, who_owns_nothing_gives_none);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
