/* SPDX-License-Identifier: MIT
 * y = A x by cuBLAS, on the stream its handle is bound to; what it does not take, strict
 * builds, whose sums have the order of the host's, and machines without it have the grid
 * of matvec.k.c. */
#include "hit/cuda/blas.h"
#include "kernels/kernels.h"

#include <cublas_v2.h>

#include <limits.h>

typedef union symbol {
    void *address;
    __typeof__(cublasSgemv) *sgemv;
    __typeof__(cublasDgemv) *dgemv;
} symbol;

/* y = A x as cuBLAS takes it; ld and inc are elements from one row or element on. */
typedef struct matvec {
    hit_index rows, columns, lda, incx, incy;
    hit_index first[3]; /* elements from the base of y, A and x to the first one */
} matvec;

/* Whether cuBLAS is there and takes the rows of @p run: elements of a row that lie side
 * by side, without steps. */
static bool read_matvec(const hit_run *run, matvec *v)
{
    const hit_slot *y = &run->slot[0];
    const hit_slot *a = &run->slot[1];
    const hit_slot *x = &run->slot[2];
    const hit_index begin = run->begin[0];

    if (y->step[0] != 1 || a->step[0] != 1 || a->step[1] != 1 || a->stride[1] != 1 ||
        x->step[0] != 1) {
        return false;
    }
    v->rows = (run->end[0] - begin) / run->stride[0] + 1;
    v->columns = a->end[1] - a->begin[1] + 1;
    v->lda = a->stride[0] * run->stride[0];
    v->incx = x->stride[0];
    v->incy = y->stride[0] * run->stride[0];
    v->first[0] = begin * y->stride[0];
    v->first[1] = begin * a->stride[0] + a->begin[1];
    v->first[2] = a->begin[1] * x->stride[0];
    return run->end[0] >= begin && v->columns >= 1 && v->rows <= INT_MAX &&
           v->lda >= v->columns && v->lda <= INT_MAX && v->incx >= 1 &&
           v->incx <= INT_MAX && v->incy >= 1 && v->incy <= INT_MAX;
}

#define MATVEC(c_type, s, S)                                                             \
    hit_status matvec_##c_type##_cuda(const hit_run *run);                               \
    hit_status hit_matvec_grid_##c_type##_cuda(const hit_run *run);                      \
    hit_status matvec_##c_type##_cuda(const hit_run *run)                                \
    {                                                                                    \
        static const c_type one = 1;                                                     \
        static const c_type zero = 0;                                                    \
        const c_type *a = run->slot[1].base;                                             \
        const c_type *x = run->slot[2].base;                                             \
        void *y = run->slot[0].base;                                                     \
        void *handle;                                                                    \
        void *library;                                                                   \
        symbol gemv;                                                                     \
        cublasStatus_t status;                                                           \
        matvec v;                                                                        \
                                                                                         \
        HIT_TRY(hit_cuda_blas_of(run, &handle, &library));                               \
        if (handle == NULL || matvec_##c_type.strict || !read_matvec(run, &v)) {         \
            return hit_matvec_grid_##c_type##_cuda(run);                                 \
        }                                                                                \
        HIT_TRY(hit_cuda_blas_find(library, HIT_CUDA_BLAS_TEXT(cublas##S##gemv),         \
                                   &gemv.address));                                      \
        status =                                                                         \
            gemv.s##gemv((cublasHandle_t)handle, CUBLAS_OP_T, (int)v.columns,            \
                         (int)v.rows, &one, a + v.first[1], (int)v.lda, x + v.first[2],  \
                         (int)v.incx, &zero, (c_type *)y + v.first[0], (int)v.incy);     \
        return hit_cuda_blas_check(library, (int)status, "cuBLAS answered");             \
    }

MATVEC(float, s, S)
MATVEC(double, d, D)
