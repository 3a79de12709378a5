/* SPDX-License-Identifier: MIT
 * Chains over processes beside one launch after the other, in turn: the 5-point average
 * on 512 x 512 floats of each process, one thread each. On 2 processes as messages are
 * there; on 4 with messages that are held back by a millisecond, as on a slow network,
 * and parts of 128 x 512, so that messages are what takes the time. And the kernel alone,
 * on a quarter of a part at a time, which stays in the cache of a core: no schedule is
 * faster. On 2 processes, "chain-processes ROWS SECONDS" takes other parts, and messages
 * that are held back so long; HIT_CHAIN=say prints what running beside them gains.
 */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel average5_float;

enum {
    EDGE = 512, /* columns, and rows of a process on 2 */
    STEPS = 512,
    ROUNDS = 9,
    QUARTERS = 4,
    WARM = 4 /* runs that do not count: sizes are tried */
};

typedef struct field {
    hit_tile *now;
    hit_tile *next;
    uint64_t messages; /* of the last run */
} field;

typedef struct setting {
    hit_context *hit;
    hit_domain inner;
    int steps;
    hit_index rows; /* of a process */
    field blocked;
    field one_by_one;
} setting;

static uint64_t messages_of(const hit_context *hit)
{
    hit_stats stats;

    hit_context_stats(hit, &stats);
    return stats.messages_sent;
}

static double run(const setting *s, field *f, int most)
{
    const uint64_t messages = messages_of(s->hit);
    double start;

    HIT_MUST(hit_chain(s->hit, most));
    HIT_MUST(hit_barrier(s->hit));
    start = bench_time();
    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &average5_float, s->inner, f->next, f->now));
        hit_tile_swap(&f->next, &f->now);
    }
    HIT_MUST(hit_barrier(s->hit));
    f->messages = messages_of(s->hit) - messages;
    return (bench_time() - start) / s->steps;
}

static double run_blocked(void *context)
{
    setting *s = context;

    return run(s, &s->blocked, HIT_CHAIN_ANY);
}

static double run_one_by_one(void *context)
{
    setting *s = context;

    return run(s, &s->one_by_one, HIT_CHAIN_OFF);
}

/* The time of a step, if there were nothing but the indices of this process, and all of
 * them near. */
static double run_kernel(void *context)
{
    enum {
        COUNT = (EDGE / QUARTERS + 2) * EDGE + 256
    }; /* not at like places in a page */
    static float memory[2 * COUNT];
    const setting *s = context;
    const hit_index rows = (s->rows < EDGE ? s->rows : EDGE) / QUARTERS;
    const hit_domain box = hit_domain_of(rows + 2, EDGE);
    hit_run run = {.begin = {1, 1},
                   .end = {rows, EDGE - 2},
                   .stride = {1, 1},
                   .dense = 1,
                   .threads = 1};
    double start;

    for (int k = 0; k < 2; k++) {
        const hit_view view = hit_view_make(&box, sizeof(float), memory + k * COUNT);

        hit_slot_set(&run.slot[k], &view, &box, true);
    }
    HIT_MUST(hit_barrier(s->hit));
    start = bench_time();
    for (hit_index t = 0; t < s->rows / rows * s->steps; t++) {
        HIT_MUST(hit_kernel_call(&average5_float, average5_float.host, &run));
    }
    return (bench_time() - start) / s->steps;
}

static void fill(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    HIT_FOR_EACH (at, view.domain) {
        *(float *)hit_view_at(&view, at) = (float)((at[0] * 7 + at[1] * 3) % 23);
    }
}

static field make_field(hit_context *hit, hit_index rows)
{
    const hit_domain all = hit_domain_of(rows * hit_size(hit), EDGE);
    field made = {0};

    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_FLOAT, "now", &made.now));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_FLOAT, "next", &made.next));
    fill(made.now);
    fill(made.next);
    return made;
}

static void compare(const setting *s)
{
    hit_index at[HIT_MAX_DIMS];
    hit_view a;
    hit_view b;

    HIT_MUST(hit_tile_map(s->blocked.now, 0, HIT_READ, &a));
    HIT_MUST(hit_tile_map(s->one_by_one.now, 0, HIT_READ, &b));
    for (bool more = hit_domain_first(&a.domain, at); more;
         more = hit_domain_next(&a.domain, at)) {
        const float difference =
            *(float *)hit_view_at(&a, at) - *(float *)hit_view_at(&b, at);

        if (!(difference < 1e-3f && difference > -1e-3f)) {
            bench_stop(1, "chain-processes", "the results differ");
        }
    }
}

static void measure(setting *s, const char *name, double hold_s)
{
    const int rounds = bench_rounds(ROUNDS);
    double seconds[3][BENCH_ROUNDS];
    char text[100];

    hit_comm_hold(s->hit->comm, hold_s);
    for (int k = 0; k < WARM; k++) {
        (void)run_blocked(s);
        (void)run_one_by_one(s);
    }
    bench_turns(
        (const bench_turn[]){{run_blocked, s}, {run_one_by_one, s}, {run_kernel, s}}, 3,
        rounds, seconds);
    compare(s);
    if (hit_rank(s->hit) > 0) return;
    (void)snprintf(text, sizeof(text), "chain-processes %s", name);
    bench_ratio(text, seconds[0], seconds[1], rounds);
    (void)snprintf(text, sizeof(text), "chain-processes %s kernel-alone", name);
    bench_ratio(text, seconds[2], seconds[1], rounds);
    (void)snprintf(text, sizeof(text), "chain-processes %s launches-per-message", name);
    bench_figure(text,
                 (double)s->one_by_one.messages /
                     (double)(s->blocked.messages > 0 ? s->blocked.messages : 1),
                 "times");
}

int main(int argc, char **argv)
{
    setting s = {.steps = STEPS};
    double hold_s = 0;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    if (hit_size(s.hit) != 2 && hit_size(s.hit) != 4) {
        bench_stop(77, "chain-processes", "needs 2 or 4 processes");
    }
    s.rows = hit_size(s.hit) == 2 ? EDGE : EDGE / 4;
    if (argc > 1 && hit_size(s.hit) == 2) s.rows = strtoll(argv[1], NULL, 0);
    if (argc > 2) hold_s = strtod(argv[2], NULL);
    s.inner = hit_domain_grow(hit_domain_of(s.rows * hit_size(s.hit), EDGE), -1);
    s.blocked = make_field(s.hit, s.rows);
    s.one_by_one = make_field(s.hit, s.rows);
    if (hit_size(s.hit) == 2) {
        measure(&s, "2-processes", hold_s);
    } else {
        s.steps = STEPS / 4;
        measure(&s, "4-processes-slow-messages", 1e-3);
    }
    hit_tile_destroy(&s.blocked.now);
    hit_tile_destroy(&s.blocked.next);
    hit_tile_destroy(&s.one_by_one.now);
    hit_tile_destroy(&s.one_by_one.next);
    hit_close(&s.hit);
    return 0;
}
