/* SPDX-License-Identifier: MIT
 * Boxes of the first process that the last one holds: which of them go where they are too
 * many, and what becomes of them after failures. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel take_last, set_or_fail;

static hit_context *base; /* keeps MPI open */

typedef struct scene {
    hit_context *hit;
    hit_tile *tile;  /* by rows */
    hit_tile *other; /* the same */
} scene;

static scene open_scene(hit_index rows, hit_index columns, bool promises)
{
    scene s = {.hit = NULL};
    const hit_domain all = hit_domain_of(rows * hit_size(base), columns);
    const int64_t zero = 0;

    setenv("HIT_PLAN", "0", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &s.hit));
    HIT_MUST(hit_tile_make(s.hit, all, "block:dims=0", HIT_INT64, "tile", &s.tile));
    HIT_MUST(hit_tile_make(s.hit, all, "block:dims=0", HIT_INT64, "other", &s.other));
    HIT_MUST(hit_tile_fill(s.tile, &zero));
    HIT_MUST(hit_tile_fill(s.other, &zero));
    HIT_MUST(hit_chain(s.hit, promises ? HIT_CHAIN_ANY : HIT_CHAIN_OFF));
    return s;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->tile);
    hit_tile_destroy(&s->other);
    hit_close(&s->hit);
}

/* The last process reads rows of the first one. */
static hit_status read_rows(scene *s, hit_index first, hit_index last)
{
    const hit_domain all = hit_tile_domain(s->tile);
    const hit_index row = all.sig[0].end;
    hit_tile *box;
    hit_tile *to;
    hit_status status;

    HIT_MUST(hit_tile_select(s->tile, hit_box_of(first, last, 0, all.sig[1].end), &box));
    HIT_MUST(hit_tile_select(s->other, hit_box_of(row, row, 0, 0), &to));
    status = hit_launch(s->hit, &take_last, hit_box_of(row, row, 0, 0), to, box);
    hit_tile_destroy(&box);
    hit_tile_destroy(&to);
    return status;
}

static uint64_t messages_of(scene *s)
{
    hit_stats stats;

    HIT_MUST(hit_context_stats_all(s->hit, &stats));
    return stats.messages_sent;
}

/* 6 MiB a box, of which a process holds 16 MiB of another one; half of both from 4 on. */
START_TEST(the_oldest_boxes_go)
{
    static const int order[] = {0, 1, 2, 1, 0, 2, 1};
    static const uint64_t sent[] = {1, 1, 1, 0, 1, 0, 1};
    const int rows = hit_size(base) < 4 ? 512 : 256;
    scene s = open_scene(3 * rows, 1536, true);
    uint64_t before = 0;

    for (size_t k = 0; k < sizeof(order) / sizeof(order[0]) && hit_size(base) > 1; k++) {
        HIT_MUST(read_rows(&s, order[k] * rows, order[k] * rows + rows - 1));
        ck_assert_uint_eq(messages_of(&s) - before, sent[k]);
        before += sent[k];
    }
    close_scene(&s);
}
END_TEST

/* A failure is told where the box is held, and forgotten when it is overwritten. */
START_TEST(what_could_not_be_written_is_not_held)
{
    scene s = open_scene(4, 4, _i == 0);
    const hit_domain box = hit_box_of(0, 1, 0, 3);
    const int last = hit_size(base) - 1;
    hit_status status;

    HIT_MUST(read_rows(&s, 0, 1));
    HIT_MUST(hit_launch(s.hit, &set_or_fail, box, s.tile, HIT_VALUE((int64_t)5)));
    HIT_MUST(read_rows(&s, 0, 1));
    status = hit_launch(s.hit, &set_or_fail, box, s.tile, HIT_VALUE((int64_t)-1));
    ck_assert_int_eq(status != HIT_OK, hit_rank(base) == 0);
    status = read_rows(&s, 0, 1);
    ck_assert_int_eq(status != HIT_OK,
                     last > 0 && (hit_rank(base) == 0 || hit_rank(base) == last));
    HIT_MUST(hit_launch(s.hit, &set_or_fail, box, s.tile, HIT_VALUE((int64_t)7)));
    for (int k = 0; k < 2; k++) {
        hit_view view;

        HIT_MUST(read_rows(&s, 0, 1));
        if (hit_rank(base) != last) continue;
        HIT_MUST(hit_tile_map(s.other, 0, HIT_READ, &view));
        ck_assert_int_eq(*(const int64_t *)hit_view_at(
                             &view, (hit_index[]){hit_tile_domain(s.tile).sig[0].end, 0}),
                         7);
    }
    close_scene(&s);
}
END_TEST

static hit_status write_alone(const scene *s)
{
    hit_view view;

    if (hit_rank(base) != 0) return HIT_OK;
    HIT_TRY(hit_tile_map(s->tile, 0, HIT_READ_WRITE, &view));
    return HIT_OK;
}

/* Who has promised not to. Without chains: these vote by themselves on launches that they
 * see a second time. */
START_TEST(who_writes_alone_is_told_of_it)
{
    scene s;

    setenv("HIT_CHAIN", "off", 1);
    s = open_scene(4, 4, true);
    unsetenv("HIT_CHAIN");
    if (hit_size(base) > 1) {
        HIT_MUST(read_rows(&s, 0, 1));
        HIT_MUST(write_alone(&s));
        /* the first process compares itself before the launch, the others in the vote */
        if (hit_rank(base) == 0) {
            ck_assert_int_eq(read_rows(&s, 0, 1), HIT_E_ARG);
        } else {
            HIT_MUST(read_rows(&s, 0, 1));
            ck_assert_int_eq(hit_barrier(s.hit), HIT_E_ARG);
        }
        ck_assert_msg(strstr(hit_status_text(), "with tile tile written before") != NULL,
                      "%s", hit_status_text());
    }
    close_scene(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("hit/run/held_box");
    TCase *tests = tcase_create("held_box");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, the_oldest_boxes_go);
    tcase_add_loop_test(tests, what_could_not_be_written_is_not_held, 0, 2);
    tcase_add_test(tests, who_writes_alone_is_told_of_it);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
