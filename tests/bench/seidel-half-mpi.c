/* SPDX-License-Identifier: MIT
 * Sweeps of Gauss and Seidel in order, in place, on all processes beside the same on half
 * of them, on the HIT_DEVICES that are asked for, or on cores that are four times slower:
 * these sleep, so that there may be more processes than the machine has cores. Prints how
 * long one of the boxes takes into which a sweep is cut, too.
 * usage: seidel-half-mpi [SIDE [SWEEPS]]; default 8192 and 2 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "hit/hit.h"
#include "hit/mpi.h"
#include "tests/bench/bench.h"

#include <mpi.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROUNDS = 5 /* a run takes seconds */
};

extern const hit_kernel seidel_sweep;

typedef struct setting {
    hit_context *hit; /* NULL: this process has no part in it */
    hit_tile *u;
    hit_tile *f;
    hit_index side;
    int sweeps;
} setting;

/* Asleep: those that have no part in a run leave the cores to the others. */
static void meet(void)
{
    const struct timespec nap = {0, 1000000};
    MPI_Request request;
    int met = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &met, MPI_STATUS_IGNORE); met == 0;
         MPI_Test(&request, &met, MPI_STATUS_IGNORE)) {
        nanosleep(&nap, NULL);
    }
}

static double run(void *context)
{
    const setting *s = context;
    const hit_domain inner = hit_domain_grow(hit_domain_of(s->side, s->side), -1);
    double start;

    meet();
    start = bench_time();
    for (int t = 0; t < s->sweeps && s->hit != NULL; t++) {
        HIT_MUST(hit_launch(s->hit, &seidel_sweep, inner, s->u, s->f));
    }
    if (s->hit != NULL) HIT_MUST(hit_wait(s->hit));
    meet();
    return bench_time() - start;
}

static void set_up(setting *s)
{
    const hit_domain all = hit_domain_of(s->side, s->side);
    hit_view view;

    HIT_MUST(hit_tile_make(s->hit, all, "block:dims=0", HIT_DOUBLE, "u", &s->u));
    HIT_MUST(hit_tile_make(s->hit, all, "block:dims=0", HIT_DOUBLE, "f", &s->f));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_map(k == 0 ? s->u : s->f, 0, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            HIT_AT(view, double, at[0], at[1]) =
                (double)((at[0] * 31 + at[1] * 7 + k) % 1000) / 1000;
        }
    }
}

static void tear_down(setting *s)
{
    if (s->hit == NULL) return;
    hit_tile_destroy(&s->f);
    hit_tile_destroy(&s->u);
    hit_close(&s->hit);
}

/* What all processes have together, by place. */
static double sum_of(const setting *s)
{
    double sum = 0;
    hit_view view;

    if (s->hit != NULL) {
        HIT_MUST(hit_tile_map(s->u, 0, HIT_READ, &view));
        HIT_FOR_EACH (at, view.domain) {
            sum += HIT_AT(view, double, at[0], at[1]) * (double)(1 + at[1] % 7);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* The boxes of a run on all processes, of all of them. */
static double boxes(setting *s)
{
    hit_stats before;
    hit_stats after;

    HIT_MUST(hit_context_stats_all(s->hit, &before));
    (void)run(s);
    HIT_MUST(hit_context_stats_all(s->hit, &after));
    return (double)(after.superblocks - before.superblocks);
}

int main(int argc, char **argv)
{
    const hit_options slow = {
        .devices = getenv("HIT_DEVICES") != NULL ? NULL : "host:threads=1:slow=4"};
    const int rounds = bench_rounds(ROUNDS);
    setting all = {.side = argc > 1 ? atoi(argv[1]) : 8192,
                   .sweeps = argc > 2 ? atoi(argv[2]) : 2};
    setting half = all;
    double seconds[2][BENCH_ROUNDS];
    double count;
    bool first;
    int size;

    HIT_MUST(hit_open_with(&argc, &argv, &slow, &all.hit));
    size = hit_size(all.hit);
    first = hit_rank(all.hit) == 0;
    if (size < 2 || size % 2 != 0) {
        bench_stop(77, "seidel-half-mpi", "needs an even number of processes");
    }
    HIT_MUST(
        hit_open_group(all.hit, hit_rank(all.hit) < size / 2 ? 0 : 1, &slow, &half.hit));
    if (hit_rank(all.hit) >= size / 2) hit_close(&half.hit);
    set_up(&all);
    if (half.hit != NULL) set_up(&half);
    bench_turns((const bench_turn[]){{run, &all}, {run, &half}}, 2, rounds, seconds);
    if (fabs(sum_of(&all) / sum_of(&half) - 1) > 1e-9) {
        bench_stop(1, "seidel-half-mpi", "the results differ");
    }
    count = boxes(&all);
    if (first) {
        bench_ratio("seidel-half-mpi", seconds[0], seconds[1], rounds);
        bench_figure("seidel-half-mpi boxes", count, "boxes");
        bench_times("seidel-half-mpi a box, at most", seconds[0], rounds,
                    1e3 * size / count, "milliseconds");
    }
    tear_down(&half);
    tear_down(&all);
    return 0;
}
