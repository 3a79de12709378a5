/* SPDX-License-Identifier: MIT
 * Products of matrices and of tiles with the same elements. */
#include "tests/bench/product.h"

#include "hit/base/alloc.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <dlfcn.h>
#include <math.h>

enum {
    ROW_MAJOR = 101,
    NO_TRANS = 111
};

typedef union symbol {
    void *address;
    product_dgemm *dgemm;
    product_set_threads *set_threads;
} symbol;

static symbol find(const char *name)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    symbol found;

    if (library == NULL) bench_stop(1, name, "OpenBLAS is not loaded");
    found.address = dlsym(library, name);
    if (found.address == NULL) bench_stop(1, name, "OpenBLAS has no such function");
    (void)dlclose(library); /* the library keeps it loaded */
    return found;
}

void product_make(product *p, int n, int threads)
{
    void *prepared = NULL;

    *p = (product){.n = n, .threads = threads};
    HIT_MUST(gemm_double.prepare(&prepared));
    free(prepared);
    p->dgemm = find("cblas_dgemm").dgemm;
    p->set_threads = find("openblas_set_num_threads").set_threads;
    for (int k = 0; k < 3; k++) {
        void *memory = NULL;

        HIT_MUST(
            hit_memory_take(sizeof(double) * (size_t)n * (size_t)n, "matrix", &memory));
        p->plain[k] = memory;
        for (long i = 0; i < (long)n * n; i++) {
            p->plain[k][i] = sin((double)(i % 997) + k);
        }
    }
}

void product_free(product *p)
{
    for (int k = 0; k < 3; k++) {
        void *memory = p->plain[k];

        hit_memory_release(&memory);
    }
}

double product_blas(void *context)
{
    product *p = context;
    const int n = p->n;
    double start;

    p->set_threads(p->threads);
    start = bench_time();
    p->dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, n, n, n, 1.0, p->plain[0], n, p->plain[1], n,
             0.0, p->plain[2], n);
    return bench_time() - start;
}

void product_open(product_tiles *t, const product *p, const char *devices,
                  size_t memory_bytes)
{
    static const char *const name[3] = {"a", "b", "c"};
    hit_layout *layout = NULL;

    t->of = p;
    HIT_MUST(hit_open_with(
        NULL, NULL,
        &(hit_options){.devices = devices, .device_memory_bytes = memory_bytes},
        &t->hit));
    HIT_MUST(hit_layout_create(t->hit, hit_domain_of(p->n, p->n), "block", &layout));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name[k], &t->tile[k]));
        HIT_MUST(hit_tile_scatter(t->tile[k], 0, p->plain[k]));
    }
    hit_layout_destroy(&layout);
}

void product_close(product_tiles *t)
{
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&t->tile[k]);
    }
    hit_close(&t->hit);
}

double product_launch(void *context)
{
    product_tiles *t = context;
    const double start = bench_time();

    HIT_MUST(hit_launch(t->hit, &gemm_double, hit_domain_of(t->of->n, t->of->n),
                        t->tile[2], t->tile[0], t->tile[1], HIT_VALUE(1.0),
                        HIT_VALUE(0.0)));
    HIT_MUST(hit_wait(t->hit));
    return bench_time() - start;
}

void product_compare_plain(const product *p, const double c[], const char *name)
{
    double worst = 0;

    for (long i = 0; i < (long)p->n * p->n; i++) {
        const double error = fabs(c[i] - p->plain[2][i]);

        if (!(error <= worst)) worst = error;
    }
    if (!(worst <= 1e-16 * p->n * p->n)) bench_stop(1, name, "the results differ");
}

void product_compare(const product_tiles *t, const char *name)
{
    hit_view view;

    HIT_MUST(hit_tile_map(t->tile[2], 0, HIT_READ, &view));
    product_compare_plain(t->of, (const double *)(const void *)view.data, name);
}
