/* SPDX-License-Identifier: MIT
 * Products that do not fit the memory of a device, against cblas_dgemm on matrices in
 * place: one thread multiplies in both; the staged host copies with threads of its own.
 * Also how many bytes are moved, over the least that any order of the N^3 products can do
 * with: 2 N^3 / sqrt(S) - 2 S elements for S elements of memory (T. Smith, B. Lowery, J.
 * Langou, R. van de Geijn, "A tight I/O lower bound for matrix multiplication", 2019),
 * and at least A, B and C once in and C once out. usage: gemm-staged [N] */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <cblas.h>

#include <math.h>
#include <stdio.h>

typedef struct setting {
    hit_context *hit;
    int n;
    hit_domain square;
    hit_tile *tile[3];
    double *plain[3];
} setting;

static double run_ours(void *context)
{
    setting *s = context;
    const double start = bench_time();

    HIT_MUST(hit_launch(s->hit, &gemm_double, s->square, s->tile[2], s->tile[0],
                        s->tile[1], HIT_VALUE(1.0), HIT_VALUE(0.0)));
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_theirs(void *context)
{
    setting *s = context;
    const int n = s->n;
    const double start = bench_time();

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, s->plain[0], n,
                s->plain[1], n, 0.0, s->plain[2], n);
    return bench_time() - start;
}

static void make_matrices(setting *s)
{
    for (int k = 0; k < 3; k++) {
        void *memory = NULL;

        HIT_MUST(hit_memory_take(sizeof(double) * (size_t)s->n * (size_t)s->n, "matrix",
                                 &memory));
        s->plain[k] = memory;
        for (long i = 0; i < (long)s->n * s->n; i++) {
            s->plain[k][i] = sin((double)(i % 997) + k);
        }
    }
}

static void compare(setting *s)
{
    hit_view view;
    double worst = 0;

    HIT_MUST(hit_tile_map(s->tile[2], 0, HIT_READ, &view));
    for (long i = 0; i < (long)s->n * s->n; i++) {
        const double error =
            fabs(((const double *)(const void *)view.data)[i] - s->plain[2][i]);

        if (!(error <= worst)) worst = error;
    }
    if (!(worst <= 1e-16 * s->n * s->n)) {
        bench_stop(1, "gemm-staged", "the results differ");
    }
}

static double least_bytes(double n, double memory_bytes)
{
    const double elements = memory_bytes / sizeof(double);
    const double bound = 2 * n * n * n / sqrt(elements) - 2 * elements;
    const double once = 4 * n * n;

    return sizeof(double) * (bound > once ? bound : once);
}

static void try_limit(setting *s, int part)
{
    static const char *const name[3] = {"a", "b", "c"};
    const double all = 3.0 * sizeof(double) * s->n * s->n;
    hit_layout *layout = NULL;
    hit_stats before;
    hit_stats after;
    char title[64];

    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.devices = "host:staged:threads=1",
                                          .device_memory_bytes = (size_t)(all / part)},
                           &s->hit));
    HIT_MUST(hit_layout_create(s->hit, s->square, "block", &layout));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name[k], &s->tile[k]));
        HIT_MUST(hit_tile_scatter(s->tile[k], 0, s->plain[k]));
    }
    hit_layout_destroy(&layout);
    hit_context_stats(s->hit, &before);
    (void)run_ours(s);
    hit_context_stats(s->hit, &after);
    snprintf(title, sizeof(title), "gemm-staged-1/%d-bytes", part);
    bench_figure(
        title,
        (double)(after.bytes_in + after.bytes_out - before.bytes_in - before.bytes_out) /
            least_bytes(s->n, all / part),
        "of the least");
    snprintf(title, sizeof(title), "gemm-staged-1/%d", part);
    bench_pair(title, run_ours, run_theirs, s, true);
    compare(s);
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&s->tile[k]);
    }
    hit_close(&s->hit);
}

int main(int argc, char **argv)
{
    setting s = {.n = argc > 1 ? atoi(argv[1]) : 4096};
    hit_context *base = NULL;

    HIT_MUST(hit_open(&argc, &argv, &base));
    openblas_set_num_threads(1);
    s.square = hit_domain_of(s.n, s.n);
    make_matrices(&s);
    try_limit(&s, 4);
    try_limit(&s, 16);
    try_limit(&s, 64);
    for (int k = 0; k < 3; k++) {
        void *memory = s.plain[k];

        hit_memory_release(&memory);
    }
    hit_close(&base);
    return 0;
}
