/* SPDX-License-Identifier: MIT
 * The product of two double matrices through a launch, against cblas_dgemm called
 * directly on as many threads. */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <cblas.h>

#include <math.h>

enum {
    SIZE = 2048,
    THREADS = 2
};

typedef struct setting {
    hit_context *hit;
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
    const double start = bench_time();

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1.0,
                s->plain[0], SIZE, s->plain[1], SIZE, 0.0, s->plain[2], SIZE);
    return bench_time() - start;
}

static void set_up(setting *s)
{
    static const char *const name[3] = {"a", "b", "c"};
    hit_layout *layout = NULL;

    s->square = hit_domain_of(SIZE, SIZE);
    HIT_MUST(hit_layout_create(s->hit, s->square, "block", &layout));
    for (int k = 0; k < 3; k++) {
        void *memory = NULL;

        HIT_MUST(hit_memory_take(sizeof(double) * SIZE * SIZE, "matrix", &memory));
        s->plain[k] = memory;
        for (long i = 0; i < (long)SIZE * SIZE; i++) {
            s->plain[k][i] = sin((double)(i % 997) + k);
        }
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name[k], &s->tile[k]));
        HIT_MUST(hit_tile_scatter(s->tile[k], 0, s->plain[k]));
    }
    hit_layout_destroy(&layout);
}

static void compare(setting *s)
{
    hit_view view;
    double worst = 0;

    HIT_MUST(hit_tile_map(s->tile[2], 0, HIT_READ, &view));
    for (long i = 0; i < (long)SIZE * SIZE; i++) {
        const double error =
            fabs(((const double *)(const void *)view.data)[i] - s->plain[2][i]);

        if (!(error <= worst)) worst = error;
    }
    if (!(worst <= 1e-16 * SIZE * SIZE)) {
        bench_stop(1, "gemm-in-place", "the results differ");
    }
}

int main(int argc, char **argv)
{
    setting s = {0};

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=2"}, &s.hit));
    openblas_set_num_threads(THREADS);
    set_up(&s);
    bench_pair("gemm-in-place", run_ours, run_theirs, &s, true);
    compare(&s);
    for (int k = 0; k < 3; k++) {
        void *memory = s.plain[k];

        hit_memory_release(&memory);
        hit_tile_destroy(&s.tile[k]);
    }
    hit_close(&s.hit);
    return 0;
}
