/* SPDX-License-Identifier: MIT
 * Layouts that doubles and files decide: only rank 0 computes, and all own the same; what
 * fails there fails everywhere with its text. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/topo/layout_text.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG = 10000 /* of an option: more than is sent in one piece */
};

/* Open as long as the tests run. */
static hit_context *base;

/* Assertions wait for the end of a test: a process that left early would leave the others
 * waiting. */
static const char *wrong;

static void claim(bool right, const char *what)
{
    if (!right && wrong == NULL) wrong = what;
}

static void end_test(void)
{
    const char *found = wrong;

    wrong = NULL;
    ck_assert_msg(found == NULL, "%s", found);
}

/* ---- a plug-in whose processes would not agree ---- */

static int resolved_here;

/** The options that this process would choose; "fail" is refused, "stay" is whole. */
static hit_status moody_resolve(const hit_layout_spec *spec, char **options)
{
    const char *mood = hit_layout_option(spec, "mood", "good");

    resolved_here++;
    if (strcmp(mood, "fail") == 0) {
        return HIT_FAIL(HIT_E_LIMIT, "rank %d is in no mood", hit_rank(base));
    }
    if (strcmp(mood, "stay") == 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed(LONG + 64, 1, options));
    (void)snprintf(*options, 64, "root=%d,note=", hit_rank(base));
    memset(*options + strlen(*options), 'x', LONG);
    return HIT_OK;
}

static hit_status moody_create(const hit_layout_spec *spec, void **state)
{
    const char *note = hit_layout_option(spec, "note", NULL);
    hit_index root = 0;
    int *made;

    if (note != NULL && strlen(note) != LONG) {
        return HIT_FAIL(HIT_E_ARG, "the note has %zu characters", strlen(note));
    }
    HIT_TRY(hit_layout_option_index(spec, "root", 0, spec->ranks - 1, &root));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *made = (int)root;
    *state = made;
    return HIT_OK;
}

static hit_status moody_part(const hit_layout_spec *spec, const void *state, int rank,
                             hit_region *part)
{
    if (rank != *(const int *)state) return HIT_OK;
    return hit_region_append(part, &spec->domain);
}

static int moody_owner(const hit_layout_spec *spec, const void *state,
                       const hit_index index[])
{
    (void)spec;
    (void)index;
    return *(const int *)state;
}

static bool moody_splits(const hit_layout_spec *spec, const void *state, int dim)
{
    (void)spec;
    (void)state;
    (void)dim;
    return false;
}

static const hit_layout_ops moody = {
    .name = "moody",
    .help = "mood=good, fail or stay",
    .create = moody_create,
    .destroy = free,
    .part = moody_part,
    .owner = moody_owner,
    .splits = moody_splits,
    .resolve = moody_resolve,
};

static void add_moody(void)
{
    HIT_MUST(hit_layout_register(base, &moody));
}

START_TEST(only_rank_0_decides)
{
    hit_layout *layout = NULL;
    const hit_index index = 3;

    resolved_here = 0;
    HIT_MUST(hit_layout_create(base, hit_domain_of(10), "moody", &layout));
    claim(resolved_here == (hit_rank(base) == 0), "only rank 0 is asked");
    claim(hit_layout_owner(layout, &index) == 0, "all take what rank 0 says");
    hit_layout_destroy(&layout);

    HIT_MUST(hit_layout_create(base, hit_domain_of(10), "moody:mood=stay", &layout));
    claim(hit_layout_owner(layout, &index) == 0, "options that are whole stay");
    hit_layout_destroy(&layout);
    end_test();
}
END_TEST

START_TEST(a_failure_of_rank_0_is_told_to_all)
{
    hit_layout *layout = NULL;
    hit_status st = hit_layout_create(base, hit_domain_of(9), "moody:mood=fail", &layout);

    claim(st == HIT_E_LIMIT, "all have the status of rank 0");
    claim(strstr(hit_status_text(), "rank 0 is in no mood") != NULL, "and its text");
    st = hit_layout_create(base, hit_domain_of(9), "fpm:models=absent.fpm", &layout);
    claim(st == HIT_E_IO, "a model that is not there");
    claim(strstr(hit_status_text(), "absent.fpm") != NULL, "is named");
    st = hit_layout_create(base, hit_domain_of(9), "weighted:weights=1,x", &layout);
    claim(st == HIT_E_ARG, "a weight that is no number");
    claim(layout == NULL, "no layout is made");
    end_test();
}
END_TEST

START_TEST(a_tile_and_its_layout_are_made_in_one_call)
{
    hit_tile *tile = NULL;
    const hit_index last = 9;

    HIT_MUST(
        hit_tile_make(base, hit_domain_of(10), "moody", HIT_INT32, "numbers", &tile));
    claim(strcmp(hit_tile_name(tile), "numbers") == 0, "its name");
    claim(hit_layout_owner(hit_tile_layout(tile), &last) == 0, "its layout");
    hit_tile_destroy(&tile);
    claim(hit_tile_make(base, hit_domain_of(10), "moody:mood=fail", HIT_INT32, "t",
                        &tile) == HIT_E_LIMIT,
          "a layout that cannot be made");
    claim(hit_tile_make(base, hit_domain_of(10), "block", (hit_type){0}, "t", &tile) ==
              HIT_E_ARG,
          "a tile that cannot be made");
    claim(tile == NULL, "no tile is made");
    end_test();
}
END_TEST

START_TEST(without_a_context_it_is_decided_here)
{
    hit_layout *layout = NULL;

    resolved_here = 0;
    HIT_MUST(hit_layout_plan(&moody, hit_domain_of(10), 100, NULL, &layout));
    claim(resolved_here == 1, "it is asked here");
    hit_layout_destroy(&layout);
    end_test();
}
END_TEST

/** Does rank 0 print the same? */
static bool same_as_rank_0(const hit_layout *layout)
{
    char mine[4096];
    char first[4096];

    memset(mine, 0, sizeof mine);
    HIT_MUST(hit_layout_print(layout, mine, sizeof mine));
    memcpy(first, mine, sizeof first);
    HIT_MUST(hit_comm_broadcast(base->comm, 0, first, sizeof first));
    return memcmp(mine, first, sizeof mine) == 0;
}

/** Create the layout @p name with one of the words for each process, in turn. */
static void try_layout(const char *name, const char *const word[], int words)
{
    char text[1024];
    hit_layout *layout = NULL;
    hit_region part = {0};
    hit_index owned = 0;

    (void)snprintf(text, sizeof text, "%s=%s", name, word[0]);
    for (int rank = 1; rank < hit_size(base); rank++) {
        strcat(text, ",");
        strcat(text, word[rank % words]);
    }
    HIT_MUST(hit_layout_create(base, hit_domain_of(70, 90), text, &layout));
    claim(same_as_rank_0(layout), text);
    for (int rank = 0; rank < hit_size(base); rank++) {
        HIT_MUST(hit_layout_part(layout, rank, &part));
        owned += hit_region_count(&part);
        hit_region_clear(&part);
    }
    claim(owned == 70 * 90, "all is owned");
    hit_layout_destroy(&layout);
}

START_TEST(layouts_by_speeds_and_models_are_the_same_on_all_ranks)
{
    static const char *const weight[] = {"0.1", "3e-1", "0.7"};
    static const char *const model[] = {"tests/data/models/core.fpm",
                                        "tests/data/models/gpu.fpm",
                                        "tests/data/models/slow.fpm"};

    try_layout("weighted:weights", weight, 3);
    try_layout("cpm:dim=1,speeds", weight, 3);
    try_layout("cpm:models", model, 3);
    try_layout("fpm:models", model, 3);
    try_layout("fpm2d:models", model, 3);
    try_layout("fpm2d:dims=1,0,speeds", weight, 3);
    if (hit_size(base) <= 2) try_layout("corner:models", model, 3);
    end_test();
}
END_TEST

/* ---- a box from each process ---- */

/** Rows rank * (rank + 1) / 2 ..., rank + 1 of them: all are 1 + 2 + ... */
static hit_domain my_rows(int rank)
{
    const hit_index first = (hit_index)rank * (rank + 1) / 2;

    return hit_box_of(first, first + rank, 0, 4);
}

static hit_domain all_rows(void)
{
    const int size = hit_size(base);

    return hit_domain_of((hit_index)size * (size + 1) / 2, 5);
}

START_TEST(each_process_owns_the_box_that_it_says)
{
    const int rank = hit_rank(base);
    const hit_domain mine = my_rows(rank);
    hit_layout *layout = NULL;
    hit_region part = {0};

    HIT_MUST(hit_layout_from_parts(base, all_rows(), mine, &layout));
    HIT_MUST(hit_layout_part(layout, rank, &part));
    claim(part.count == 1 && hit_domain_equal(&part.part[0], &mine), "my box is mine");
    claim(same_as_rank_0(layout), "all know all boxes");
    hit_region_clear(&part);
    hit_layout_destroy(&layout);

    HIT_MUST(hit_layout_from_parts(base, hit_domain_of(3, 5),
                                   rank == 0 ? hit_domain_of(3, 5) : hit_domain_of(0, 5),
                                   &layout));
    HIT_MUST(hit_layout_part(layout, rank, &part));
    claim(part.count == (rank == 0), "the others own nothing");
    hit_region_clear(&part);
    hit_layout_destroy(&layout);
    end_test();
}
END_TEST

START_TEST(boxes_that_do_not_fit_together_are_refused_everywhere)
{
    const int rank = hit_rank(base);
    const bool last = rank == hit_size(base) - 1;
    const bool several = hit_size(base) > 1;
    hit_domain mine = my_rows(rank);
    hit_layout *layout = NULL;
    hit_status st;

    mine.sig[0].begin -= last && several;
    st = hit_layout_from_parts(base, all_rows(), mine, &layout);
    claim(st == (several ? HIT_E_ARG : HIT_OK), "boxes with a common row");
    claim(!several || strstr(hit_status_text(), "without common elements") != NULL,
          "are named");
    hit_layout_destroy(&layout);

    st = hit_layout_from_parts(base, all_rows(), last ? hit_domain_of(0, 5) : mine,
                               &layout);
    claim(st == HIT_E_ARG, "rows of nobody");
    st = hit_layout_from_parts(base, all_rows(), last ? hit_domain_of(3) : my_rows(rank),
                               &layout);
    claim(st == (last ? HIT_E_ARG : HIT_E_PEER), "a box of another shape");
    st = hit_layout_from_parts(base, last ? all_rows() : hit_domain_of(99, 5),
                               my_rows(rank), &layout);
    claim(several ? st == HIT_E_ARG : st == HIT_OK, "unlike domains");
    claim(!several || strstr(hit_status_text(), "hit_layout_from_parts(0:98") != NULL,
          "are told");
    hit_layout_destroy(&layout);
    st = hit_layout_from_parts(base, all_rows(), my_rows(rank), NULL);
    claim(st == HIT_E_ARG, "no place for the layout");
    end_test();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("layout resolve");
    TCase *tcase = tcase_create("layout resolve");

    tcase_add_unchecked_fixture(tcase, add_moody, NULL);
    tcase_add_test(tcase, only_rank_0_decides);
    tcase_add_test(tcase, a_failure_of_rank_0_is_told_to_all);
    tcase_add_test(tcase, a_tile_and_its_layout_are_made_in_one_call);
    tcase_add_test(tcase, without_a_context_it_is_decided_here);
    tcase_add_test(tcase, layouts_by_speeds_and_models_are_the_same_on_all_ranks);
    tcase_add_test(tcase, each_process_owns_the_box_that_it_says);
    tcase_add_test(tcase, boxes_that_do_not_fit_together_are_refused_everywhere);
    suite_add_tcase(made, tcase);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
