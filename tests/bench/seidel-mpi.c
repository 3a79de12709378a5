/* SPDX-License-Identifier: MIT
 * Sweeps of Gauss and Seidel on 2 processes, one thread each, against rows that are
 * shared out by hand: a process sweeps block after block of columns, and sends the end of
 * each on to the next process, over MPI. */
#include "hit/base/alloc.h"
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

enum {
    SIZE = 4096,
    SWEEPS = 4,
    BLOCK = 128 /* columns */
};

extern const hit_kernel seidel_sweep;

typedef struct setting {
    hit_context *hit;
    hit_tile *u;
    hit_tile *f;
    long first; /* rows of this process */
    long rows;
    double *plain_u; /* with a row above and one below */
    double *plain_f;
} setting;

static double run_ours(void *context)
{
    setting *s = context;
    const hit_domain inner = hit_domain_grow(hit_domain_of(SIZE, SIZE), -1);
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    for (int t = 0; t < SWEEPS; t++) {
        HIT_MUST(hit_launch(s->hit, &seidel_sweep, inner, s->u, s->f));
    }
    HIT_MUST(hit_wait(s->hit));
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static void sweep_block(const setting *s, long from, long to)
{
    const long top = s->first == 0 ? 2 : 1;
    const long bottom = s->first + s->rows == SIZE ? s->rows - 1 : s->rows;

    for (long i = top; i <= bottom; i++) {
        double *restrict u = s->plain_u + i * SIZE;
        const double *restrict f = s->plain_f + i * SIZE;

        for (long j = from; j < to; j++) {
            u[j] = 0.25 * (u[j - SIZE] + u[j + SIZE] + u[j - 1] + u[j + 1] + f[j]);
        }
    }
}

/* Each block sends its last row down as soon as it is swept, and its first row up for the
 * next sweep. */
static double run_theirs(void *context)
{
    setting *s = context;
    const int me = hit_rank(s->hit);
    const int above = me > 0 ? me - 1 : MPI_PROC_NULL;
    const int below = me + 1 < hit_size(s->hit) ? me + 1 : MPI_PROC_NULL;
    double *last = s->plain_u + s->rows * SIZE;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    MPI_Sendrecv(s->plain_u + SIZE, SIZE, MPI_DOUBLE, above, 1, last + SIZE, SIZE,
                 MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int t = 0; t < SWEEPS; t++) {
        for (long j = 0; j < SIZE; j += BLOCK) {
            const long from = j == 0 ? 1 : j;
            const long to = j + BLOCK == SIZE ? SIZE - 1 : j + BLOCK;
            MPI_Request request;

            MPI_Recv(s->plain_u + j, BLOCK, MPI_DOUBLE, above, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            if (t > 0) {
                MPI_Recv(last + SIZE + j, BLOCK, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            }
            sweep_block(s, from, to);
            MPI_Isend(last + j, BLOCK, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &request);
            MPI_Request_free(&request);
            if (t + 1 == SWEEPS) continue;
            MPI_Isend(s->plain_u + SIZE + j, BLOCK, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                      &request);
            MPI_Request_free(&request);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static double value(long at)
{
    return (double)(at * 7 % 1000) / 1000;
}

static void set_up(setting *s)
{
    hit_layout *layout = NULL;
    hit_view view;
    void *memory;

    HIT_MUST(
        hit_layout_create(s->hit, hit_domain_of(SIZE, SIZE), "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "u", &s->u));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "f", &s->f));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_map(s->u, 0, HIT_READ, &view));
    s->first = (long)view.domain.sig[0].begin;
    s->rows = (long)hit_sig_count(view.domain.sig[0]);
    for (int k = 0; k < 2; k++) {
        double **plain = k == 0 ? &s->plain_u : &s->plain_f;

        HIT_MUST(hit_memory_take(sizeof(double) * SIZE * (size_t)(s->rows + 2), "plate",
                                 &memory));
        *plain = memory;
        for (long i = 0; i < (s->rows + 2) * SIZE; i++) {
            (*plain)[i] = value(i + (s->first - 1) * SIZE + k);
        }
        HIT_MUST(hit_tile_map(k == 0 ? s->u : s->f, 0, HIT_WRITE, &view));
        memcpy(view.data, *plain + SIZE, sizeof(double) * SIZE * (size_t)s->rows);
    }
}

static void tear_down(setting *s)
{
    void *memory[2] = {s->plain_u, s->plain_f};

    hit_tile_destroy(&s->f);
    hit_tile_destroy(&s->u);
    for (int k = 0; k < 2; k++) {
        hit_memory_release(&memory[k]);
    }
}

/* Do both sides hold the same? Their kernels may contract unlike. */
static int is_wrong(const setting *s)
{
    hit_view view;
    int wrong = 0;

    HIT_MUST(hit_tile_map(s->u, 0, HIT_READ, &view));
    for (long i = 0; i < s->rows * SIZE; i++) {
        const double by = ((const double *)(void *)view.data)[i] - s->plain_u[SIZE + i];

        wrong |= by > 1e-9 || by < -1e-9;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    return wrong;
}

int main(int argc, char **argv)
{
    setting s = {0};

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    if (hit_size(s.hit) < 2) bench_stop(77, "seidel-mpi", "needs 2 processes");
    set_up(&s);
    bench_pair("seidel-mpi", run_ours, run_theirs, &s, hit_rank(s.hit) == 0);
    if (is_wrong(&s)) bench_stop(1, "seidel-mpi", "the results differ");
    tear_down(&s);
    hit_close(&s.hit);
    return 0;
}
