/* SPDX-License-Identifier: MIT
 * Bounds of the time that the tasks of a Cholesky factorisation by blocks take. */
#include "hit/dry/dry_run.h"
#include "kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>

#include "examples/cholesky.h"

enum {
    SAMPLES = 3,
    SMALL = 8 /* a launch on 1/8 of what is a thread's share of a tile is one task */
};

typedef enum kernel {
    POTRF,
    TRSM,
    SYRK,
    GEMM,
    KERNELS
} kernel;

/* How often are they launched for t x t blocks? */
static void count(hit_index t, hit_index launches[KERNELS])
{
    const hit_index pairs = t * (t - 1) / 2;

    launches[POTRF] = t;
    launches[TRSM] = pairs;
    launches[SYRK] = pairs;
    launches[GEMM] = pairs * (t - 2) / 3;
}

static void launch(hit_context *hit, kernel which, hit_tile *const a[], hit_index t,
                   hit_index k)
{
    hit_tile *left = a[(k + 1) * t];
    hit_tile *block = which == POTRF  ? a[k * t + k]
                      : which == TRSM ? left
                      : which == SYRK ? a[(k + 1) * t + k + 1]
                                      : a[(k + 2) * t + 1];
    hit_domain rows = hit_tile_domain(block);

    rows.dims = 1;
    switch (which) {
    case POTRF:
        HIT_MUST(hit_launch(hit, &potrf_double, hit_domain_of(1), block));
        break;
    case TRSM:
        HIT_MUST(hit_launch(hit, &trsm_rlt_double, rows, block, a[0]));
        break;
    case SYRK:
        HIT_MUST(hit_launch(hit, &syrk_double, hit_tile_domain(block), block, left, left,
                            HIT_VALUE(-1.0), HIT_VALUE(1.0)));
        break;
    default:
        HIT_MUST(hit_launch(hit, &gemm_nt_double, hit_tile_domain(block), block,
                            a[(k + 2) * t], a[t], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
    }
}

/* The least of some samples: seconds of a kernel that runs alone. */
static double time_of(hit_context *hit, kernel which, hit_tile *const a[], hit_index t)
{
    double least_s = 0;

    for (hit_index k = 0; k < SAMPLES; k++) {
        double start_s;
        double own_s;

        HIT_MUST(hit_wait(hit));
        start_s = hit_time(hit);
        launch(hit, which, a, t, k);
        HIT_MUST(hit_wait(hit));
        own_s = hit_time(hit) - start_s;
        if (k == 0 || own_s < least_s) least_s = own_s;
    }
    return least_s;
}

void cholesky_bounds(factor *f)
{
    example *e = &f->e;
    const hit_index t = f->t;
    double seconds[KERNELS];
    hit_index launches[KERNELS];
    double work_s = 0;
    hit_stats stats;
    hit_tile *again;
    hit_tile **a;

    hit_context_stats(e->hit, &stats);
    if (hit_size(e->hit) > 1 || stats.threads == 0) return;
    if (hit_is_dry_run(e->hit)) return; /* nothing runs that could be timed */
    if (t < SAMPLES + 2 || t * t < SMALL * (hit_index)stats.threads) return;
    example_blocks_destroy(&f->of_a); /* two matrices may not fit */
    hit_tile_destroy(&f->a);
    again = factor_matrix(f);
    a = example_blocks(again, f->width, f->width);
    count(t, launches);
    for (kernel which = POTRF; which < KERNELS; which++) {
        seconds[which] = time_of(e->hit, which, a, t);
        work_s += (double)launches[which] * seconds[which];
    }
    example_blocks_destroy(&a);
    hit_tile_destroy(&again);
    e->critical_s =
        (double)t * seconds[POTRF] + (double)(t - 1) * (seconds[TRSM] + seconds[SYRK]);
    e->area_s = work_s / (double)stats.threads;
    printf("  %-18s %.3f s in a row, %.3f s on all of %" PRIu64 " threads\n", "at least",
           e->critical_s, e->area_s, stats.threads);
}
