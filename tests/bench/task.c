/* SPDX-License-Identifier: MIT
 * What a task costs beside its work, from its launch until hit_wait() returns: a kernel
 * that does next to nothing, with two tiles and a value, on blocks of a tile. In a chain,
 * where each needs the one before, and on blocks in turn. With one thread launches run at
 * once; with two they are tasks, of one device or of two. Beside as many tasks of StarPU,
 * where there is one: with two data and a value, on as many workers. */
#include "hit/hit.h"
#include "hit/kernel.h"
#include "tests/bench/bench.h"
#include "tests/bench/starpu_side.h"

#include <stdio.h>

enum {
    TASKS = 20000,
    SIDE = 32, /* blocks in each dimension */
    WIDTH = 4,
    ROUNDS = 15
};

HIT_BOX_PARTS_KERNEL(empty_block, (i, j), NULL, (inout, float, c, "[i, j]"),
                     (in, float, a, "[i, j]"), (value, float, by))
{
    const hit_index at[] = {run->begin[0], run->begin[1]};
    float *c = (float *)hit_run_address(run, 0, 2, at, sizeof(float));

    *c += *(const float *)run->slot[2].base;
    return HIT_OK;
}

typedef struct setting {
    hit_context *hit;
    hit_tile *c;
    hit_tile *a;
    int written; /* blocks that are written in turn */
} setting;

static double run(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < TASKS; t++) {
        const hit_index i = t % s->written / SIDE * WIDTH;
        const hit_index j = t % s->written % SIDE * WIDTH;
        const hit_domain block =
            hit_domain_box(2, (const hit_index[]){i, j},
                           (const hit_index[]){i + WIDTH - 1, j + WIDTH - 1});

        HIT_MUST(hit_launch(s->hit, &empty_block, block, s->c, s->a, HIT_VALUE(0.5f)));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / TASKS;
}

static void measure(const char *name, setting *s, const char *on, bool beside)
{
    starpu_tasks theirs = {.tasks = TASKS, .written = s->written};
    const bench_turn turn[2] = {{run, s}, {starpu_side_tasks, &theirs}};
    double seconds[2][BENCH_ROUNDS];
    char title[64];

    bench_turns(turn, beside ? 2 : 1, ROUNDS, seconds);
    (void)snprintf(title, sizeof(title), "task-%s-%s", name, on);
    bench_times(title, seconds[0], ROUNDS, 1e6, "microseconds");
    if (!beside) return;
    (void)snprintf(title, sizeof(title), "task-%s-%s-starpu", name, on);
    bench_times(title, seconds[1], ROUNDS, 1e6, "microseconds");
    (void)snprintf(title, sizeof(title), "task-%s-%s-beside-starpu", name, on);
    bench_ratio(title, seconds[0], seconds[1], ROUNDS);
}

/* Has each task run? Blocks are written equally often but for the last round. */
static void check(const setting *s, int tasks)
{
    float sum = 0;
    hit_view view;

    HIT_MUST(hit_tile_map(s->c, 0, HIT_READ, &view));
    for (hit_index i = 0; i < SIDE; i++) {
        for (hit_index j = 0; j < SIDE; j++) {
            sum += *(const float *)hit_view_at(&view,
                                               (const hit_index[]){i * WIDTH, j * WIDTH});
        }
    }
    if (sum != 0.5f * (float)tasks) bench_stop(1, "task", "not every task has run once");
}

/* @p workers of StarPU beside it; 0: it is not measured. */
static void measure_on(const char *devices, const char *on, int workers)
{
    const float zero = 0;
    setting s = {0};
    bool beside;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &s.hit));
    HIT_MUST(hit_tile_make(s.hit, hit_domain_of(SIDE * WIDTH, SIDE * WIDTH), "block",
                           HIT_FLOAT, "c", &s.c));
    HIT_MUST(hit_tile_create(hit_tile_layout(s.c), HIT_FLOAT, "a", &s.a));
    HIT_MUST(hit_tile_fill(s.c, &zero));
    HIT_MUST(hit_tile_fill(s.a, &zero));
    s.written = SIDE * SIDE;
    (void)run(&s);
    check(&s, TASKS);
    beside = workers > 0 && starpu_side_open("task", workers);
    measure("independent", &s, on, beside);
    s.written = 1;
    measure("chain", &s, on, beside);
    if (beside) starpu_side_close();
    hit_tile_destroy(&s.c);
    hit_tile_destroy(&s.a);
    hit_close(&s.hit);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;

    HIT_MUST(hit_open(&argc, &argv, &base));
    measure_on("host:threads=1", "1", 1);
    measure_on("host:threads=2", "2", 2);
    measure_on("host:threads=1 * 2", "2-devices", 0);
    hit_close(&base);
    return 0;
}
