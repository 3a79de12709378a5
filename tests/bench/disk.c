/* SPDX-License-Identifier: MIT
 * Tiles on a disk (HIT_DISK), through a quarter of their memory and less: steps of heat
 * in chains against the same launches one by one. The disk is played: reads and writes of
 * the file take as long as on one of 200 MB/s, one after the other.
 * usage: disk [N]; default 2896, tiles of 32 MiB */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): setenv */
#include "hit/data/disk.h"

#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    STEPS = 24,
    ROUNDS = 3,
    BYTES_PER_S = 200000000
};

static pthread_mutex_t disk_mutex = PTHREAD_MUTEX_INITIALIZER;
static double disk_free_s; /* what it has been asked for so far takes until then */

static void play(ssize_t bytes)
{
    double end_s;

    if (bytes <= 0) return;
    pthread_mutex_lock(&disk_mutex);
    end_s = hit_clock_now(NULL);
    if (disk_free_s < end_s) disk_free_s = end_s;
    disk_free_s += (double)bytes / BYTES_PER_S;
    end_s = disk_free_s;
    pthread_mutex_unlock(&disk_mutex);
    hit_clock_wait_until(NULL, end_s);
}

/* names that the linker asks for */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
ssize_t __real_pwrite(int handle, const void *data, size_t size, off_t at);
ssize_t __real_pread(int handle, void *data, size_t size, off_t at);
ssize_t __wrap_pwrite(int handle, const void *data, size_t size, off_t at);
ssize_t __wrap_pread(int handle, void *data, size_t size, off_t at);

ssize_t __wrap_pwrite(int handle, const void *data, size_t size, off_t at)
{
    const ssize_t done = __real_pwrite(handle, data, size, at);

    play(done);
    return done;
}

ssize_t __wrap_pread(int handle, void *data, size_t size, off_t at)
{
    const ssize_t done = __real_pread(handle, data, size, at);

    play(done);
    return done;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

typedef struct variant {
    const char *chain; /* of HIT_CHAIN; NULL: not set */
    int n;
    double sum;
    uint64_t moved[2];
} variant;

static double sum_of(hit_tile *tile)
{
    hit_view view;
    double sum = 0;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    HIT_FOR_EACH (x, view.domain) {
        sum += HIT_AT(view, float, x[0], x[1]) * (float)(1 + (x[0] + 3 * x[1]) % 17);
    }
    return sum;
}

static void fill(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    HIT_FOR_EACH (x, view.domain) {
        HIT_AT(view, float, x[0], x[1]) = (float)((x[0] * 7 + x[1] * 3) % 101);
    }
}

static double run(void *context)
{
    variant *v = context;
    const hit_domain whole = hit_domain_of(v->n, v->n);
    const hit_domain inner = hit_domain_grow(whole, -1);
    hit_context *hit = NULL;
    hit_tile *now = NULL;
    hit_tile *next = NULL;
    hit_view view;
    double seconds;

    if (v->chain != NULL) setenv("HIT_CHAIN", v->chain, 1);
    HIT_MUST(hit_open_with(NULL, NULL, NULL, &hit));
    unsetenv("HIT_CHAIN");
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_FLOAT, "next", &next));
    fill(now);
    fill(next);
    seconds = hit_clock_now(NULL);
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(hit, &heat_float, inner, next, now, HIT_VALUE(0.1F)));
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_tile_map(now, 0, HIT_READ, &view)); /* all is on the disk */
    seconds = hit_clock_now(NULL) - seconds;
    hit_disk_moved(hit->disk, v->moved);
    v->sum = sum_of(now);
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_close(&hit);
    return seconds;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 2896;
    const int rounds = bench_rounds(ROUNDS);
    variant chain = {.n = n};
    variant steps = {.n = n, .chain = "off"};
    const bench_turn turn[2] = {{run, &chain}, {run, &steps}};
    double seconds[2][BENCH_ROUNDS];
    hit_context *base = NULL; /* keeps MPI open */
    char disk[64];

    HIT_MUST(hit_open(&argc, &argv, &base));
    if (hit_size(base) != 1) bench_stop(77, "disk", "needs 1 process");
    (void)snprintf(disk, sizeof(disk), "path=/tmp,memory=%ldkB",
                   (long)n * n * 8 / 4 / 1000);
    setenv("HIT_DISK", disk, 1);
    bench_turns(turn, 2, rounds, seconds);
    if (chain.sum != steps.sum) bench_stop(1, "disk", "the results differ");
    bench_ratio("disk", seconds[0], seconds[1], rounds);
    bench_figure("disk bytes a step",
                 (double)(chain.moved[0] + chain.moved[1]) /
                     (double)(steps.moved[0] + steps.moved[1]),
                 "of those one by one");
    hit_close(&base);
    return 0;
}
