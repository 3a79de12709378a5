/* SPDX-License-Identifier: MIT
 * Processes that call unlike things are told both, and the context works afterwards. On
 * one process nothing is unlike. */
#include "hit/io/png.h"
#include "hit/launch/launcher.h"
#include "hit/mpi.h"
#include "hit/plugin.h"
#include "hit/tile/array.h"
#include "hit/tile/hold.h"
#include "tests/hit/launch/expect.h"

#include <stdlib.h>

extern const hit_kernel seidel;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* 1 on the last of several processes, which calls something else. */
static int other(const expectations *e)
{
    return hit_size(e->hit) > 1 && hit_rank(e->hit) == hit_size(e->hit) - 1;
}

static void expect_unlike(expectations *e, hit_status found, const char *what,
                          const char *words)
{
    char last[40];

    if (hit_size(e->hit) == 1) {
        expect_true(e, found == HIT_OK, what);
        return;
    }
    snprintf(last, sizeof(last), "and process %d in ", hit_size(e->hit) - 1);
    expect_failure(e, found, HIT_E_ARG, what, words);
    expect_true(e, strstr(hit_status_text(), last) != NULL, "it says which process");
}

START_TEST(unlike_layouts_are_told)
{
    expectations e = expect_open(NULL);
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    expect_unlike(
        &e, hit_layout_create(e.hit, hit_domain_of(9 + other(&e)), "block", &layout),
        "domain", "hit_layout_create(0:8, \"block\")|(0:9, \"block\")");
    hit_layout_destroy(&layout);
    expect_unlike(&e,
                  hit_layout_create(e.hit, hit_domain_of(9),
                                    other(&e) ? "cyclic" : "block", &layout),
                  "text", "hit_layout_create(0:8, \"block\")|(0:8, \"cyclic\")");
    hit_layout_destroy(&layout);
    expect_unlike(
        &e, hit_tile_create(e.layout, other(&e) ? HIT_FLOAT : HIT_DOUBLE, "t", &tile),
        "type", "hit_tile_create(layout block of 0:22, double (8 bytes), \"t\")|float");
    hit_tile_destroy(&tile);
    expect_close(&e);
}
END_TEST

START_TEST(names_and_values_may_be_unlike)
{
    expectations e = expect_open(NULL);
    hit_tile *tile = NULL;

    expect_true(
        &e, hit_tile_create(e.layout, HIT_INT64, other(&e) ? "a" : "b", &tile) == HIT_OK,
        "a name of its own");
    hit_tile_destroy(&tile);
    expect_close(&e);
}
END_TEST

START_TEST(unlike_launches_are_told)
{
    expectations e = expect_open(NULL);
    hit_kernel twin = line; /* of another name it is new to the processes */
    hit_tile *part = NULL;
    hit_status found;

    twin.name = "twin";
    /* at another place the next vote reports it */
    expect_true(&e,
                hit_launch(e.hit, &line, hit_box_of(3, 12 + other(&e)), e.next, e.now) ==
                    HIT_OK,
                "indices");
    found = hit_barrier(e.hit);
    if (hit_size(e.hit) > 1) {
        expect_failure(&e, found, HIT_E_ARG, "a launch before it",
                       "the same launches at the same places|before hit_barrier()");
    }
    expect_unlike(
        &e, hit_launch(e.hit, &twin, hit_box_of(3, 12 + other(&e)), e.next, e.now),
        "indices", "hit_launch(twin, 3:12, next of 0:22, now of 0:22)|(twin, 3:13, ");
    HIT_MUST(hit_tile_select(e.next, hit_box_of(0, 9 + other(&e)), &part));
    expect_unlike(&e, hit_launch(e.hit, &line, hit_box_of(2, 5), part, e.now),
                  "selections", "next of 0:9|next of 0:10");
    hit_tile_destroy(&part);
    expect_close(&e);
}
END_TEST

/* It is many launches, of boxes: none of them is left to wait for the process that begins
 * no box. */
START_TEST(unlike_launches_in_order_are_told)
{
    enum {
        N = 24
    };
    expectations e = expect_open(NULL);
    const hit_domain inner = hit_box_of(1, N - 2, 1, N - 2);
    const bool alone = hit_size(e.hit) == 1;
    hit_tile *tile = NULL;
    hit_tile *force = NULL;
    hit_status found;

    e.hit->launcher->ordered.least = 16;
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(N, N), "block:dims=0", HIT_INT64, "grid",
                           &tile));
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(N, N), "block:dims=0", HIT_INT64, "force",
                           &force));
    HIT_MUST(hit_tile_fill(tile, &(int64_t){1}));
    HIT_MUST(hit_tile_fill(force, &(int64_t){2}));
    found = hit_launch(e.hit, &seidel, other(&e) ? hit_domain_of(N) : inner, tile, force);
    expect_true(&e,
                found == (alone       ? HIT_OK
                          : other(&e) ? HIT_E_ARG
                                      : HIT_E_PEER),
                "one has a domain of one dimension");
    expect_true(&e, alone || strstr(hit_status_text(), "expected a domain of 2"), "why");
    for (int k = 0; k < 3; k++) {
        expect_true(&e, hit_launch(e.hit, &seidel, inner, tile, force) == HIT_OK,
                    "afterwards");
    }
    expect_true(&e, hit_barrier(e.hit) == HIT_OK, "all are there");
    hit_tile_destroy(&tile);
    hit_tile_destroy(&force);
    expect_close(&e);
}
END_TEST

START_TEST(unlike_moves_are_told)
{
    expectations e = expect_open(NULL);
    int64_t value = 0;
    int64_t whole[EXPECT_N];

    expect_unlike(&e, hit_tile_get(e.now, (hit_index[]){other(&e)}, &value), "index",
                  "hit_tile_get(now of 0:22, 0)|hit_tile_get(now of 0:22, 1)");
    expect_unlike(&e, hit_tile_gather(e.now, other(&e), whole), "root",
                  "hit_tile_gather(now of 0:22, 0)|hit_tile_gather(now of 0:22, 1)");
    expect_unlike(&e,
                  other(&e) ? hit_tile_gather(e.next, 0, whole)
                            : hit_tile_scatter(e.next, 0, whole),
                  "call", "hit_tile_scatter(next|hit_tile_gather(next");
    expect_unlike(&e, hit_tile_write(e.now, other(&e) ? "b.npy" : "unlike.npy", NULL),
                  "path", "hit_tile_write(now of 0:22, \"unlike.npy\")|\"b.npy\"");
    expect_unlike(
        &e,
        hit_tile_write(e.now, "unlike.npy", other(&e) ? "buffer=1KiB" : "buffer=2KiB"),
        "option", "hit_tile_write(now of 0:22, \"unlike.npy\", \"buffer=2KiB\")|1KiB");
    expect_unlike(&e, hit_tile_read(e.now, "unlike.npy", other(&e) ? "format=npy" : NULL),
                  "no option", "hit_tile_read(now of 0:22, \"unlike.npy\")|format=npy");
    expect_unlike(&e,
                  other(&e) ? hit_barrier(e.hit)
                            : hit_tile_get(e.now, (hit_index[]){3}, &value),
                  "barrier", "hit_tile_get(now of 0:22, 3)|hit_barrier()");
    if (hit_size(e.hit) == 1) remove("unlike.npy");
    expect_close(&e);
}
END_TEST

START_TEST(unlike_colours_are_told)
{
    expectations e = expect_open(NULL);
    hit_tile *square = NULL;

    if (hit_size(e.hit) > 1 && hit_png_is_there()) {
        HIT_MUST(hit_tile_make(e.hit, hit_domain_of(5, 5), "block", HIT_FLOAT, "square",
                               &square));
        expect_unlike(
            &e, hit_tile_write_png(square, "unlike.png", other(&e) ? "low=0" : "low=1"),
            "options", "\"unlike.png\", \"low=1\")|\"low=0\")");
        hit_tile_destroy(&square);
    }
    expect_close(&e);
}
END_TEST

/* Some would wait for messages of blocks that the others do not have. */
START_TEST(unlike_chains_are_told)
{
    expectations e = expect_open(NULL);

    expect_unlike(&e, hit_chain(e.hit, other(&e) ? HIT_CHAIN_OFF : HIT_CHAIN_ANY),
                  "lengths", "hit_chain(0)|hit_chain(1)");
    expect_unlike(&e, hit_chain(e.hit, 16 + other(&e)), "lengths",
                  "hit_chain(16)|hit_chain(17)");
    expect_true(&e, hit_chain(e.hit, 16) == HIT_OK, "like ones");
    for (int t = 0; t < 12; t++) {
        HIT_MUST(hit_launch(e.hit, &line, hit_box_of(3, 12), e.next, e.now));
    }
    expect_close(&e);
}
END_TEST

/* As where a launch stands behind if (hit_rank(hit) == 0): the others are at the end. */
START_TEST(one_that_closes_while_others_launch_keeps_nobody_waiting)
{
    expectations e = expect_open(NULL);
    hit_tile *tile = NULL;

    if (other(&e)) {
        hit_close(&e.hit); /* prints it */
        hit_tile_destroy(&e.now);
        hit_tile_destroy(&e.next);
        hit_layout_destroy(&e.layout);
    } else {
        expect_true(&e,
                    hit_tile_create(e.layout, HIT_INT64, "late", &tile) ==
                        (hit_size(e.hit) > 1 ? HIT_E_ARG : HIT_OK),
                    "the others are told");
        expect_true(&e, hit_size(e.hit) == 1 || strstr(hit_status_text(), "hit_close()"),
                    "what the last one is in");
        hit_tile_destroy(&tile);
        expect_close(&e);
    }
}
END_TEST

/* The last process alone refuses what it is given. */
static void expect_alone(expectations *e, hit_status found, const char *what,
                         const char *words)
{
    char told[200];

    (void)snprintf(told, sizeof(told), "process %d failed: |%s", hit_size(e->hit) - 1,
                   words);
    expect_failure(e, found, other(e) ? HIT_E_ARG : HIT_E_PEER, what,
                   other(e) ? words : told);
}

START_TEST(what_one_process_refuses_none_waits_for)
{
    expectations e = expect_open(NULL);
    const bool mine = other(&e);
    hit_tile *tile = NULL;
    hit_tile *flat = NULL;
    hit_tile **place = mine ? NULL : &tile;
    const char *path = mine ? NULL : "/tmp/hit-never.npy";
    int64_t value = 0;
    hit_view view;

    if (hit_size(e.hit) == 1) {
        expect_close(&e);
        return;
    }
    expect_alone(&e, hit_tile_create(e.layout, HIT_INT64, "t", place), "no place",
                 "tile t: expected a place for it but found NULL");
    expect_alone(&e,
                 hit_tile_make(e.hit, hit_domain_of(9), "block", HIT_INT64, "t", place),
                 "no place", "tile t: expected a place for it");
    expect_alone(&e, hit_tile_from_array(e.layout, HIT_INT64, "t", 0, NULL, place),
                 "no place", "tile t: expected a place for it");
    expect_alone(&e, hit_tile_map_around(e.now, "[i]", mine ? NULL : &view), "no view",
                 "expected a place for a view");
    expect_alone(&e, hit_tile_get(e.now, (const hit_index[]){0}, mine ? NULL : &value),
                 "no value", "expected a place for the value");
    expect_alone(&e, hit_tile_write(e.now, path, NULL), "no path", "expected a path");
    expect_alone(&e, hit_tile_read(e.now, path, NULL), "no path", "expected a path");
    HIT_MUST(
        hit_tile_make(e.hit, hit_domain_of(4, 4), "block", HIT_FLOAT, "flat", &flat));
    if (hit_png_is_there()) {
        expect_alone(&e, hit_tile_write_png(flat, path, NULL), "no path",
                     "expected a path");
    }
    hit_tile_destroy(&flat);
    expect_alone(&e, hit_tile_copy(e.now, mine ? e.now : e.next), "the same tile",
                 "cannot be copied onto itself");
    if (mine) HIT_MUST(hit_tile_hold(e.now));
    expect_alone(&e, hit_tile_relayout(e.now, e.layout), "a held tile",
                 "release the views of tile now first");
    if (mine) hit_tile_release(e.now);
    expect_true(&e, tile == NULL, "a failure makes no tile");
    expect_close(&e);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("unlike calls");
    TCase *tests = tcase_create("unlike");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, unlike_layouts_are_told);
    tcase_add_test(tests, unlike_colours_are_told);
    tcase_add_test(tests, names_and_values_may_be_unlike);
    tcase_add_test(tests, unlike_launches_are_told);
    tcase_add_test(tests, unlike_launches_in_order_are_told);
    tcase_add_test(tests, unlike_moves_are_told);
    tcase_add_test(tests, unlike_chains_are_told);
    tcase_add_test(tests, one_that_closes_while_others_launch_keeps_nobody_waiting);
    tcase_add_test(tests, what_one_process_refuses_none_waits_for);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
