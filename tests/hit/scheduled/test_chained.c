/* SPDX-License-Identifier: MIT
 * Chains that the program asks for, beside launches that a scheduler places: both happen,
 * and results are those of plain loops. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/support/check_main.h"

#include <string.h>

extern const hit_kernel chained_step, chained_bump;

static hit_context *base; /* keeps MPI open */

enum {
    ROWS = 192,
    COLUMNS = 16,
    BLOCK = 4,
    STEPS = 8,
    PASSES = 3
};

typedef struct loops {
    int64_t now[ROWS * COLUMNS];
    int64_t next[ROWS * COLUMNS];
} loops;

static int inside(int x, int count)
{
    return x < 0 ? 0 : x < count ? x : count - 1;
}

static int64_t at(const loops *l, int i, int j)
{
    return l->now[inside(i, ROWS) * COLUMNS + inside(j, COLUMNS)];
}

static void pass_plainly(loops *l)
{
    for (int t = 0; t < STEPS; t++) {
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            const int i = k / COLUMNS;
            const int j = k % COLUMNS;

            l->next[k] = (at(l, i - 1, j) + at(l, i + 1, j) + at(l, i, j - 1) +
                          at(l, i, j + 1) + 3 * at(l, i, j)) %
                         1009;
        }
        memcpy(l->now, l->next, sizeof(l->now));
    }
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        l->now[k] = (5 * l->now[k] + k / COLUMNS + k % COLUMNS) % 1009;
    }
}

/* Steps, then launches that are placed: blocks of rows that fit each device. */
static void pass(hit_context *hit, hit_tile **now, hit_tile **next)
{
    const hit_domain plate = hit_domain_of(ROWS, COLUMNS);

    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(hit, &chained_step, plate, *next, *now));
        hit_tile_swap(now, next);
    }
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF));
    for (int i = 0; i < ROWS; i += BLOCK) {
        const hit_domain rows = hit_domain_box(2, (hit_index[]){i, 0},
                                               (hit_index[]){i + BLOCK - 1, COLUMNS - 1});

        HIT_MUST(hit_launch(hit, &chained_bump, rows, *now));
    }
}

static uint64_t placed(const hit_context *hit)
{
    const hit_scheduled *s = hit->stations->keeper.self;

    return s->forgotten + (uint64_t)s->graph.tasks;
}

static void make(hit_context *hit, const char *name, const int64_t *from, hit_tile **tile)
{
    HIT_MUST(hit_tile_make(hit, hit_domain_of(ROWS, COLUMNS), "block:dims=0", HIT_INT64,
                           name, tile));
    HIT_MUST(hit_tile_set_boundary(*tile, -1, HIT_BOUNDARY_CLAMP, NULL));
    HIT_MUST(hit_tile_scatter(*tile, 0, from));
}

static void expect(hit_tile *tile, const loops *l)
{
    static int64_t found[ROWS * COLUMNS];

    HIT_MUST(hit_tile_gather(tile, 0, found));
    if (hit_rank(base) > 0) return;
    ck_assert_mem_eq(found, l->now, sizeof(found));
}

/* With chains or without, the other way in each pass. */
static void run(const char *devices, bool asks)
{
    static loops plain;
    const uint64_t each = STEPS * PASSES;
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;
    hit_stats stats;

    for (int k = 0; k < ROWS * COLUMNS; k++) {
        plain.now[k] = k * 37 % 101;
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    HIT_MUST(hit_schedule(hit, "mct"));
    make(hit, "now", plain.now, &now);
    make(hit, "next", plain.now, &next);
    for (int p = 0; p < PASSES; p++) {
        if (asks) HIT_MUST(hit_chain(hit, HIT_CHAIN_ANY));
        pass(hit, &now, &next);
        pass_plainly(&plain);
        expect(now, &plain);
    }
    hit_context_stats(hit, &stats);
    ck_assert_uint_ge(placed(hit), PASSES);
    if (!asks) ck_assert_uint_eq(stats.chained, 0);
    if (asks && hit_size(base) == 1) ck_assert_uint_ge(stats.chained, each / 2);
    hit_tile_destroy(&next);
    hit_tile_destroy(&now);
    hit_close(&hit);
}

START_TEST(chains_and_tasks_take_turns)
{
    static const char *const devices[] = {
        "host:threads=1:memory=8KiB", "host:threads=1:memory=8KiB+host:threads=1",
        "host:threads=1:memory=8KiB+host:threads=1:memory=10KiB"};

    for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
        run(devices[k], false);
        run(devices[k], true);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("chains beside a scheduler");
    TCase *tests = tcase_create("chained");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, chains_and_tasks_take_turns);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
