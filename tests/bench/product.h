/* SPDX-License-Identifier: MIT
 * What the benchmarks of products on one process share: square matrices of doubles, the
 * product by BLAS called directly, and tiles with the same elements on a device. */
#ifndef TESTS_BENCH_PRODUCT_H
#define TESTS_BENCH_PRODUCT_H

#include "hit/hit.h"

/** As cblas_dgemm() and openblas_set_num_threads(). */
typedef void product_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha,
                           const double *a, int lda, const double *b, int ldb,
                           double beta, double *c, int ldc);
typedef void product_set_threads(int threads);

/** n x n matrices A, B and C, row by row. The functions are those of the library that the
 * kernel gemm_double has loaded, which was told which kernels to take: linked to a
 * program, OpenBLAS would choose by itself before the program begins, and ours would not
 * be better. So all variants multiply with the same kernels. */
typedef struct product {
    int n;
    int threads; /**< of product_blas() */
    double *plain[3];
    product_dgemm *dgemm;
    product_set_threads *set_threads;
} product;

/** Tiles A, B, C of a device; the matrices are borrowed. */
typedef struct product_tiles {
    const product *of;
    hit_context *hit;
    hit_tile *tile[3];
} product_tiles;

/** Take memory, fill A and B and load BLAS. */
void product_make(product *p, int n, int threads);
void product_free(product *p);
/** C = A B by BLAS; a bench_variant, @p context is a product. */
double product_blas(void *context);

/** Open @p devices with a limit on their memory (0: none) and scatter the matrices. */
void product_open(product_tiles *t, const product *p, const char *devices,
                  size_t memory_bytes);
void product_close(product_tiles *t);
/** C = A B in one launch; a bench_variant, @p context is a product_tiles. */
double product_launch(void *context);
/** End the benchmark if the tile C is not the matrix C. */
void product_compare(const product_tiles *t, const char *name);
/** End the benchmark if @p c is not the matrix C. */
void product_compare_plain(const product *p, const double c[], const char *name);

#endif
