/* SPDX-License-Identifier: MIT
 * Halos of one dimension beside another, on 2 processes: a cube is cut along dimension 0,
 * 1 or 2, and the elements at the cut are exchanged, as many in each case. Along
 * dimension 0 they lie side by side, along 2 each has a cache line of its own, which
 * packing has to move: plain loops that copy such planes to a buffer and back are beside
 * it. The time of messages is that of a launch on the four planes at the cut whose
 * processes need a neighbour's plane, less that of one on the same indices of a tile on
 * which they do not. In place, and staged. */
#include "hit/base/alloc.h"
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum {
    STEPS = 2, /* short rounds: the least one is not interrupted */
    ROUNDS = BENCH_ROUNDS,
    KINDS = 3
};

extern const hit_kernel halo_rows, halo_columns, halo_layers;

static const struct {
    const char *name;
    const char *layout;
    const hit_kernel *kernel;
} cut[KINDS] = {{"rows", "block:grid=2x1x1", &halo_rows},
                {"columns", "block:grid=1x2x1", &halo_columns},
                {"layers", "block:grid=1x1x2", &halo_layers}};

/* Tiles that are cut along a dimension, and a launch at the cut or away from it. */
typedef struct setting {
    hit_context *hit;
    const hit_kernel *kernel;
    hit_domain indices;
    hit_tile *now;
    hit_tile *next;
} setting;

/* The elements of a process, in plain memory, twice, and room for a plane of them. */
typedef struct plain {
    float *cube[2];
    float *buffer;
    hit_index size[3];
    int dim;
} plain;

/* From the last plane along the dimension to the buffer, and from there to the first. */
static void copy_planes(const plain *p, float *cube)
{
    const hit_index stride[3] = {p->size[1] * p->size[2], p->size[2], 1};
    const int a = p->dim == 0 ? 1 : 0;
    const int b = p->dim == 2 ? 1 : 2;
    const hit_index last = (p->size[p->dim] - 1) * stride[p->dim];

    for (hit_index i = 0; i < p->size[a]; i++) {
        for (hit_index j = 0; j < p->size[b]; j++) {
            p->buffer[i * p->size[b] + j] = cube[last + i * stride[a] + j * stride[b]];
        }
    }
    for (hit_index i = 0; i < p->size[a]; i++) {
        for (hit_index j = 0; j < p->size[b]; j++) {
            cube[i * stride[a] + j * stride[b]] = p->buffer[i * p->size[b] + j];
        }
    }
}

static double run_plain(void *context)
{
    const plain *p = context;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        copy_planes(p, p->cube[t % 2]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return (bench_time() - start) / STEPS;
}

static void *take(hit_index count)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take((size_t)count * sizeof(float), "a plain cube", &memory));
    memset(memory, 0, (size_t)count * sizeof(float));
    return memory;
}

static void open_plain(int dim, hit_index size, plain *p)
{
    *p = (plain){.size = {size, size, size}, .dim = dim};
    p->size[dim] = size / 2;
    for (int k = 0; k < 2; k++) {
        p->cube[k] = take(p->size[0] * p->size[1] * p->size[2]);
    }
    p->buffer = take(size * size);
}

static void close_plain(plain *p)
{
    void *memory[] = {p->cube[0], p->cube[1], p->buffer};

    for (int k = 0; k < 3; k++) {
        hit_memory_release(&memory[k]);
    }
}

static double run(void *context)
{
    setting *s = context;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, s->kernel, s->indices, s->next, s->now));
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_wait(s->hit));
    MPI_Barrier(MPI_COMM_WORLD);
    return (bench_time() - start) / STEPS;
}

static void open_setting(hit_context *hit, int dim, hit_index size, setting *s)
{
    hit_layout *layout = NULL;

    s->hit = hit;
    s->kernel = cut[dim].kernel;
    HIT_MUST(hit_layout_create(hit, hit_domain_of(size, size, size), cut[dim].layout,
                               &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s->next));
    hit_layout_destroy(&layout);
}

static void close_setting(setting *s)
{
    hit_tile_destroy(&s->now);
    hit_tile_destroy(&s->next);
}

/* What is in the way of a message makes it longer, and nothing makes it shorter. */
static double least(const double seconds[])
{
    double best = seconds[0];

    for (int k = 1; k < ROUNDS; k++) {
        if (seconds[k] < best) best = seconds[k];
    }
    return best;
}

/* Microseconds at a cut along a dimension. */
typedef struct cost {
    double message;
    double plain; /**< to copy the same planes by plain loops */
} cost;

static cost measure(hit_context *hit, int dim, hit_index size)
{
    setting at = {0};
    setting away;
    plain copies;
    hit_domain indices = hit_domain_of(size, size, size);
    double seconds[3][BENCH_ROUNDS];

    open_setting(hit, dim, size, &at);
    away = at; /* the same tiles: swapped as often in the end */
    indices.sig[dim] = hit_sig_make(size / 2 - 1, size / 2, 1);
    at.indices = indices;
    indices.sig[dim] = hit_sig_make(size / 4, 3 * size / 4, size / 2);
    away.indices = indices;
    open_plain(dim, size, &copies);
    bench_turns((const bench_turn[]){{run, &at}, {run, &away}, {run_plain, &copies}}, 3,
                ROUNDS, seconds);
    close_plain(&copies);
    close_setting(&at);
    return (cost){1e6 * (least(seconds[0]) - least(seconds[1])), 1e6 * least(seconds[2])};
}

static void print(const char *what, int dim, hit_index size, const char *beside,
                  double value, const char *unit)
{
    char name[80];

    (void)snprintf(name, sizeof name, "halo-%s-%s-%lld%s", what, cut[dim].name,
                   (long long)size, beside);
    bench_figure(name, value, unit);
}

static void compare(const char *devices, const char *what, hit_index size)
{
    hit_context *hit = NULL;
    cost us[KINDS];

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF)); /* a message for each launch */
    for (int dim = 0; dim < KINDS; dim++) {
        us[dim] = measure(hit, dim, size);
    }
    for (int dim = 0; dim < KINDS && hit_rank(hit) == 0; dim++) {
        const double bound = us[0].message + us[dim].plain;

        print(what, dim, size, "", us[dim].message, "microseconds");
        if (dim == 0) continue;
        print(what, dim, size, "-rows", us[dim].message / us[0].message, "times");
        print(what, dim, size, "-plain", us[dim].message / bound, "times");
    }
    hit_close(&hit);
}

int main(int argc, char **argv)
{
    static const hit_index size[] = {64, 256};
    hit_context *hit = NULL;

    HIT_MUST(hit_open(&argc, &argv, &hit)); /* MPI stays until this is closed */
    if (hit_size(hit) != 2) bench_stop(77, "halo-mpi", "needs 2 processes");
    for (int k = 0; k < 2; k++) {
        compare("host:threads=1", "in-place", size[k]);
        compare("host:staged:threads=1:memory=1GiB", "staged", size[k]);
    }
    hit_close(&hit);
    return 0;
}
