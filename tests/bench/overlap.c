/* SPDX-License-Identifier: MIT
 * Are copies hidden behind kernels? A stencil that does not fit the memory of its device.
 * Where there is much to do per point, against the larger of: the same copies without a
 * kernel, and the kernel on tiles that fit. Where the kernel is as hungry for memory as
 * the copies are, against all bytes that must cross memory at the speed of plain copies
 * on both cores: each byte is read and written when it comes in, by the kernel, and when
 * it goes out, which are three copies of a tile. 1 is perfect. Then launches one behind
 * the other, against the same that are waited for one by one.
 *
 * On several processes: launches in superblocks whose messages come at once, and such
 * whose messages are held back for half of the time that a launch takes then, which is
 * added to the former: how much of the wait is hidden. 1.5 is all of it, 1 nothing. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <pthread.h>
#include <string.h>

enum {
    SIZE = 4096,
    THREADS = 2,
    PASSES = 3,
    STEPS = 10
};

extern const hit_kernel busy, idle;

/* The same tiles on a device of some memory. */
typedef struct place {
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;
} place;

typedef struct setting {
    place small;
    place large;
    const hit_kernel *kernel;
    char *plain[2]; /* each as large as a tile */
} setting;

static const size_t tile_bytes = sizeof(float) * SIZE * SIZE;

static void launch(place *at, const hit_kernel *kernel)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(SIZE, SIZE), -1);

    HIT_MUST(hit_launch(at->hit, kernel, inner, at->next, at->now, HIT_VALUE(0.5f)));
}

static double run(place *at, const hit_kernel *kernel)
{
    const double start = bench_time();

    launch(at, kernel);
    HIT_MUST(hit_wait(at->hit));
    return bench_time() - start;
}

static double run_steps(setting *s, bool waits)
{
    const double start = bench_time();

    for (int k = 0; k < STEPS; k++) {
        launch(&s->small, s->kernel);
        hit_tile_swap(&s->small.now, &s->small.next);
        if (waits) HIT_MUST(hit_wait(s->small.hit));
    }
    HIT_MUST(hit_wait(s->small.hit));
    return bench_time() - start;
}

static double run_behind(void *context)
{
    return run_steps(context, false);
}

static double run_one_by_one(void *context)
{
    return run_steps(context, true);
}

static double run_streamed(void *context)
{
    setting *s = context;

    return run(&s->small, s->kernel);
}

static double run_lanes_alone(void *context)
{
    setting *s = context;
    const double copies = run(&s->small, &idle);
    const double kernel = run(&s->large, s->kernel);

    return copies > kernel ? copies : kernel;
}

typedef struct share {
    const char *from;
    char *to;
} share;

static void *copy_share(void *argument)
{
    const share *own = argument;

    for (int k = 0; k < PASSES; k++) {
        memcpy(own->to, own->from, tile_bytes / THREADS);
    }
    return NULL;
}

static double run_plain_copies(void *context)
{
    setting *s = context;
    pthread_t thread[THREADS];
    share own[THREADS];
    const double start = bench_time();

    for (int k = 0; k < THREADS; k++) {
        const size_t offset = (size_t)k * (tile_bytes / THREADS);

        own[k] = (share){s->plain[0] + offset, s->plain[1] + offset};
        if (pthread_create(&thread[k], NULL, copy_share, &own[k]) != 0) {
            bench_stop(1, "overlap-heat", "no thread could be started");
        }
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
    }
    return bench_time() - start;
}

static void open_plain(setting *s)
{
    for (int k = 0; k < 2; k++) {
        void *memory = NULL;

        HIT_MUST(hit_memory_take(tile_bytes, "a plain copy", &memory));
        memset(memory, k, tile_bytes);
        s->plain[k] = memory;
    }
}

static void close_plain(setting *s)
{
    for (int k = 0; k < 2; k++) {
        void *memory = s->plain[k];

        hit_memory_release(&memory);
    }
}

static void open_place(place *at, size_t memory_bytes)
{
    const float one = 1;
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.devices = "host:staged:threads=1",
                                          .device_memory_bytes = memory_bytes},
                           &at->hit));
    HIT_MUST(hit_layout_create(at->hit, hit_domain_of(SIZE, SIZE), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &at->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &at->next));
    HIT_MUST(hit_tile_fill(at->now, &one));
    hit_layout_destroy(&layout);
}

static void close_place(place *at)
{
    hit_tile_destroy(&at->now);
    hit_tile_destroy(&at->next);
    hit_close(&at->hit);
}

/* ---- superblocks beside messages ---- */

typedef struct late {
    place at;
    double hold_s;
} late;

static double run_exchanges(place *at, double hold_s)
{
    double start;

    hit_comm_hold(at->hit->comm, hold_s);
    HIT_MUST(hit_barrier(at->hit));
    start = bench_time();
    for (int k = 0; k < STEPS; k++) {
        launch(at, &busy);
        hit_tile_swap(&at->now, &at->next);
    }
    HIT_MUST(hit_wait(at->hit));
    start = bench_time() - start;
    hit_comm_hold(at->hit->comm, 0);
    return start;
}

static double run_late(void *context)
{
    late *l = context;

    return run_exchanges(&l->at, l->hold_s);
}

static double run_soon(void *context)
{
    late *l = context;

    return run_exchanges(&l->at, 0) + STEPS * l->hold_s;
}

static void measure_late(const hit_context *base)
{
    double seconds[2][BENCH_ROUNDS];
    const int rounds = bench_rounds(7);
    uint64_t nanoseconds;
    late l;

    open_place(&l.at, (size_t)16 << 20);
    nanoseconds = (uint64_t)(1e9 * run_exchanges(&l.at, 0) / STEPS / 2);
    HIT_MUST(hit_comm_max_u64(base->comm, &nanoseconds, 1));
    l.hold_s = (double)nanoseconds / 1e9;
    bench_turns((const bench_turn[]){{run_late, &l}, {run_soon, &l}}, 2, rounds, seconds);
    if (hit_rank(base) == 0) {
        bench_ratio("overlap-late-messages", seconds[0], seconds[1], rounds);
        for (int k = 0; k < rounds; k++) {
            seconds[1][k] -= STEPS * l.hold_s;
        }
        bench_times("overlap-soon", seconds[1], rounds, 1e3, "ms");
    }
    close_place(&l.at);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;
    setting s;

    HIT_MUST(hit_open(&argc, &argv, &base));
    if (hit_size(base) > 1) {
        measure_late(base);
        hit_close(&base);
        return 0;
    }
    open_place(&s.small, (size_t)16 << 20);
    open_place(&s.large, (size_t)256 << 20);
    s.kernel = &busy;
    bench_pair("overlap-busy", run_streamed, run_lanes_alone, &s, true);
    s.kernel = &heat_float;
    open_plain(&s);
    bench_pair("overlap-heat", run_streamed, run_plain_copies, &s, true);
    close_plain(&s);
    bench_pair("overlap-behind", run_behind, run_one_by_one, &s, true);
    close_place(&s.small);
    close_place(&s.large);
    hit_close(&base);
    return 0;
}
