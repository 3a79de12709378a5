/* SPDX-License-Identifier: MIT
 * heat on 2 processes, one thread each, against a hand-written halo exchange of rows over
 * MPI. */
#include "hit/base/alloc.h"
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/heat_plain.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 4096,
    STEPS = 16
};

typedef struct setting {
    hit_context *hit;
    hit_domain inner;
    hit_tile *now;
    hit_tile *next;
    long first; /* rows of this process */
    long rows;
    float *plain[2]; /* with a row above and one below */
} setting;

static const float c = 0.1f;

static double run_ours(void *context)
{
    setting *s = context;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(
            hit_launch(s->hit, &heat_float, s->inner, s->next, s->now, HIT_VALUE(c)));
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_wait(s->hit));
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static void exchange_rows(setting *s, MPI_Request request[4])
{
    const int me = hit_rank(s->hit);
    const int above = me > 0 ? me - 1 : MPI_PROC_NULL;
    const int below = me + 1 < hit_size(s->hit) ? me + 1 : MPI_PROC_NULL;
    float *now = s->plain[0];

    MPI_Irecv(now, SIZE, MPI_FLOAT, above, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(now + (s->rows + 1) * SIZE, SIZE, MPI_FLOAT, below, 2, MPI_COMM_WORLD,
              &request[1]);
    MPI_Isend(now + SIZE, SIZE, MPI_FLOAT, above, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(now + s->rows * SIZE, SIZE, MPI_FLOAT, below, 1, MPI_COMM_WORLD,
              &request[3]);
}

/* The same overlap as the library's: the rows inside while the messages are under way. */
static double run_theirs(void *context)
{
    setting *s = context;
    const long top = s->first == 0 ? 2 : 1;
    const long bottom = s->first + s->rows == SIZE ? s->rows - 1 : s->rows;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        float *swap = s->plain[0];
        MPI_Request request[4];

        exchange_rows(s, request);
        heat_plain_rows(s->plain[1], s->plain[0], 2, s->rows - 1, SIZE, c);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        if (top == 1) heat_plain_rows(s->plain[1], s->plain[0], 1, 1, SIZE, c);
        if (bottom == s->rows) {
            heat_plain_rows(s->plain[1], s->plain[0], bottom, bottom, SIZE, c);
        }
        s->plain[0] = s->plain[1];
        s->plain[1] = swap;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static void set_up(setting *s)
{
    const hit_domain plate = hit_domain_of(SIZE, SIZE);
    hit_layout *layout = NULL;
    hit_view view;

    s->inner = hit_domain_grow(plate, -1);
    HIT_MUST(hit_layout_create(s->hit, plate, "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s->next));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_map(s->now, 0, HIT_READ, &view));
    s->first = (long)view.domain.sig[0].begin;
    s->rows = (long)hit_sig_count(view.domain.sig[0]);
    for (int k = 0; k < 2; k++) {
        void *memory = NULL;

        HIT_MUST(hit_memory_take(sizeof(float) * SIZE * (size_t)(s->rows + 2), "plate",
                                 &memory));
        s->plain[k] = memory;
        for (long i = 0; i < (s->rows + 2) * SIZE; i++) {
            s->plain[k][i] = (float)((i + s->first * SIZE) % 1000) / 1000;
        }
        HIT_MUST(hit_tile_map(k == 0 ? s->now : s->next, 0, HIT_WRITE, &view));
        memcpy(view.data, s->plain[k] + SIZE, sizeof(float) * SIZE * (size_t)s->rows);
    }
}

static void compare(setting *s)
{
    hit_view view;

    HIT_MUST(hit_tile_map(s->now, 0, HIT_READ, &view));
    if (memcmp(view.data, s->plain[0] + SIZE, sizeof(float) * SIZE * (size_t)s->rows) !=
        0) {
        bench_stop(1, "heat-mpi", "the results differ");
    }
}

int main(int argc, char **argv)
{
    setting s = {0};

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    if (hit_size(s.hit) < 2) bench_stop(77, "heat-mpi", "needs 2 processes");
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF)); /* as the loop: step by step */
    set_up(&s);
    bench_pair("heat-mpi", run_ours, run_theirs, &s, hit_rank(s.hit) == 0);
    compare(&s);
    for (int k = 0; k < 2; k++) {
        void *memory = s.plain[k];

        hit_memory_release(&memory);
    }
    hit_tile_destroy(&s.now);
    hit_tile_destroy(&s.next);
    hit_close(&s.hit);
    return 0;
}
