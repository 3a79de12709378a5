/* SPDX-License-Identifier: MIT
 * heat on a frame of 8 elements around a square, on 2 processes of one thread: one launch
 * with HIT_WHERE() against a launch for each of the four sides. */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 8,
    STEPS = 100
};

typedef struct setting {
    hit_context *hit;
    hit_index n;
    const char *frame;
    bool sides; /* one by one */
    hit_tile *now;
    hit_tile *next;
} setting;

static void launch(const setting *s, hit_domain box)
{
    HIT_MUST(hit_launch(s->hit, &heat_float, box, s->next, s->now, HIT_VALUE(0.1f)));
}

static double run(setting *s)
{
    const hit_index n = s->n;
    double start;

    HIT_MUST(hit_barrier(s->hit));
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        if (s->sides) {
            launch(s, hit_box_of(1, WIDTH, 1, n));
            launch(s, hit_box_of(n - WIDTH + 1, n, 1, n));
            launch(s, hit_box_of(WIDTH + 1, n - WIDTH, 1, WIDTH));
            launch(s, hit_box_of(WIDTH + 1, n - WIDTH, n - WIDTH + 1, n));
        } else {
            HIT_MUST(hit_launch(s->hit, &heat_float, hit_box_of(1, n, 1, n), s->next,
                                s->now, HIT_VALUE(0.1f), HIT_WHERE(s->frame)));
        }
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_barrier(s->hit));
    return bench_time() - start;
}

static double run_ours(void *context)
{
    setting *all = context;

    return run(&all[0]);
}

static double run_theirs(void *context)
{
    setting *all = context;

    return run(&all[1]);
}

static float *take(const setting *s)
{
    const size_t count = (size_t)((s->n + 2) * (s->n + 2));
    float *made = malloc(sizeof(float) * count);

    if (made == NULL) bench_stop(1, "frame-mpi", "expected memory for the results");
    for (size_t k = 0; k < count; k++) {
        made[k] = (float)(k % 1000) / 1000;
    }
    return made;
}

static void set_up(setting *s)
{
    const hit_domain plate = hit_box_of(0, s->n + 1, 0, s->n + 1);
    float *start = take(s);

    HIT_MUST(hit_tile_make(s->hit, plate, "block", HIT_FLOAT, "now", &s->now));
    HIT_MUST(hit_tile_make(s->hit, plate, "block", HIT_FLOAT, "next", &s->next));
    HIT_MUST(hit_tile_scatter(s->now, 0, start));
    HIT_MUST(hit_tile_copy(s->now, s->next));
    free(start);
}

static void compare(const setting all[2], const char *name)
{
    const hit_domain plate = hit_tile_domain(all[0].now);
    const size_t bytes = sizeof(float) * (size_t)hit_domain_count(&plate);
    float *found[2] = {take(&all[0]), take(&all[1])};

    HIT_MUST(hit_tile_gather(all[0].now, 0, found[0]));
    HIT_MUST(hit_tile_gather(all[1].now, 0, found[1]));
    if (hit_rank(all[0].hit) == 0 && memcmp(found[0], found[1], bytes) != 0) {
        bench_stop(1, name, "the results differ");
    }
    free(found[0]);
    free(found[1]);
}

static void measure(hit_context *hit, hit_index n, const char *name, const char *frame)
{
    setting all[2] = {{.hit = hit, .n = n, .frame = frame},
                      {.hit = hit, .n = n, .sides = true}};

    set_up(&all[0]);
    set_up(&all[1]);
    bench_pair(name, run_ours, run_theirs, all, hit_rank(hit) == 0);
    compare(all, name);
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&all[k].now);
        hit_tile_destroy(&all[k].next);
    }
}

int main(int argc, char **argv)
{
    hit_context *hit = NULL;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &hit));
    if (hit_size(hit) < 2) bench_stop(77, "frame-mpi", "needs 2 processes");
    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF)); /* step by step */
    measure(hit, 64, "frame of 64", "i <= 8 or i > 56 or j <= 8 or j > 56");
    measure(hit, 1024, "frame of 1024", "i <= 8 or i > 1016 or j <= 8 or j > 1016");
    hit_close(&hit);
    return 0;
}
