/* SPDX-License-Identifier: MIT
 * The factor by launches on blocks, and the difference from the matrix that it belongs
 * to. */
#include "tests/bench/blocks.h"

#include "hit/base/alloc.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdlib.h>

double bench_matrix_element(int n, long i, long j)
{
    const long at = i > j ? i * 31 + j : j * 31 + i;

    return sin((double)(at % 997)) + (i == j ? n : 0);
}

hit_tile *bench_matrix_tile(hit_context *hit, int n)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(n, n), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "A", &tile));
    hit_layout_destroy(&layout);
    return tile;
}

void bench_check_factor(const char *name, int n, const double *l)
{
    for (long s = 0; s < 4000; s++) {
        const long i = s * 7919 % n;
        const long j = s * 104729 % (i + 1);
        double sum = 0;

        for (long k = 0; k <= j; k++) {
            sum += l[i * n + k] * l[j * n + k];
        }
        if (!(fabs(sum - bench_matrix_element(n, i, j)) <= 1e-14 * n * n)) {
            bench_stop(1, name, "L L' is not A");
        }
    }
}

static int size_of(const bench_blocks *b, int i)
{
    return i < b->t - 1 ? b->width : b->n - i * b->width;
}

void bench_blocks_select(bench_blocks *b)
{
    const int t = (b->n + b->width - 1) / b->width;

    b->t = t;
    HIT_MUST(hit_memory_zeroed((size_t)(t * t), sizeof(hit_tile *), &b->block));
    for (int i = 0; i < t; i++) {
        for (int j = 0; j <= i; j++) {
            const hit_index begin[2] = {(hit_index)i * b->width, (hit_index)j * b->width};
            const hit_index end[2] = {begin[0] + size_of(b, i) - 1,
                                      begin[1] + size_of(b, j) - 1};

            HIT_MUST(hit_tile_select(b->tile, hit_domain_box(2, begin, end),
                                     &b->block[i * t + j]));
        }
    }
}

void bench_blocks_drop(bench_blocks *b)
{
    for (int k = 0; k < b->t * b->t; k++) {
        hit_tile_destroy(&b->block[k]);
    }
    free(b->block);
    b->block = NULL;
}

static hit_domain rows_of(const hit_tile *tile)
{
    return (hit_domain){.dims = 1, .sig = {hit_tile_domain(tile).sig[0]}};
}

static void launched(const bench_blocks *b, hit_status status)
{
    HIT_MUST(status);
    if (b->waits) HIT_MUST(hit_wait(b->hit));
}

void bench_blocks_factor(const bench_blocks *b)
{
    hit_context *hit = b->hit;
    hit_tile **a = b->block;
    const int t = b->t;

    for (int k = 0; k < t; k++) {
        launched(b, hit_launch(hit, &potrf_double, hit_domain_of(1), a[k * t + k]));
        for (int i = k + 1; i < t; i++) {
            launched(b, hit_launch(hit, &trsm_rlt_double, rows_of(a[i * t + k]),
                                   a[i * t + k], a[k * t + k]));
        }
        for (int i = k + 1; i < t; i++) {
            for (int j = k + 1; j <= i; j++) {
                launched(b, hit_launch(hit, j < i ? &gemm_nt_double : &syrk_double,
                                       hit_tile_domain(a[i * t + j]), a[i * t + j],
                                       a[i * t + k], a[j * t + k], HIT_VALUE(-1.0),
                                       HIT_VALUE(1.0)));
            }
        }
    }
}
