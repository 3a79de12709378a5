/* SPDX-License-Identifier: MIT
 * Products and triangles by cuBLAS, on the stream its handle is bound to. The device has
 * loaded it; the functions are looked up there. cuBLAS counts by columns: a row-major
 * C = A B is its C' = B' A', and a lower triangle on the right is an upper one on the
 * left. */
#include "hit/cuda/blas.h"
#include "hit/kernel_cuda_run.h"
#include "kernels/kernels_impl.h"

#include <cublas_v2.h>

typedef union symbol {
    void *address;
    __typeof__(cublasSgemm) *sgemm;
    __typeof__(cublasDgemm) *dgemm;
    __typeof__(cublasCgemm) *cgemm;
    __typeof__(cublasZgemm) *zgemm;
    __typeof__(cublasStrsm) *strsm;
    __typeof__(cublasDtrsm) *dtrsm;
    __typeof__(cublasSsyrk) *ssyrk;
    __typeof__(cublasDsyrk) *dsyrk;
} symbol;

/* cuBLAS as the device has loaded it; where it could not, the reason is told. */
static hit_status library_of(const hit_run *run, void **library)
{
    *library = hit_cuda_call_of(run)->blas_library;
    return *library != NULL ? HIT_OK : hit_cuda_blas_load(library);
}

static hit_status find(const hit_run *run, const char *name, symbol *function)
{
    void *library;

    HIT_TRY(library_of(run, &library));
    return hit_cuda_blas_find(library, name, &function->address);
}

static hit_status translate(const hit_run *run, cublasStatus_t status)
{
    void *library;

    HIT_TRY(library_of(run, &library));
    return hit_cuda_blas_check(library, (int)status, "cuBLAS answered");
}

static cublasHandle_t handle_of(const hit_run *run)
{
    return (cublasHandle_t)hit_cuda_call_of(run)->blas;
}

static cublasOperation_t operation(bool transposed)
{
    return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

static cublasSideMode_t side(hit_trsm_letters letters)
{
    return letters.right ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}

static cublasFillMode_t triangle(hit_trsm_letters letters)
{
    return letters.upper ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}

static cublasDiagType_t diagonal(hit_trsm_letters letters)
{
    return letters.unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

/* The functions of one element type, and its letter in the names of BLAS. */
#define MULTIPLY(of, s, S)                                                               \
    static hit_status multiply_##of(const hit_run *run, const hit_gemm *g)               \
    {                                                                                    \
        symbol gemm;                                                                     \
                                                                                         \
        HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublas##S##gemm), &gemm));                  \
        return translate(run,                                                            \
                         gemm.s##gemm(handle_of(run), operation(g->trans_b),             \
                                      operation(g->trans_a), g->c.columns, g->c.rows,    \
                                      hit_gemm_depth(g), g->alpha, g->b.data, g->b.ld,   \
                                      g->a.data, g->a.ld, g->beta, g->c.data, g->c.ld)); \
    }

#define FUNCTIONS(c_type, s, S)                                                          \
    MULTIPLY(c_type, s, S)                                                               \
                                                                                         \
    static hit_status solve_##c_type(const hit_run *run, const hit_trsm *t)              \
    {                                                                                    \
        static const c_type one = 1;                                                     \
        const hit_trsm_letters letters = hit_trsm_letters_of[t->form];                   \
        symbol trsm;                                                                     \
                                                                                         \
        HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublas##S##trsm), &trsm));                  \
        return translate(run,                                                            \
                         trsm.s##trsm(handle_of(run), side(letters), triangle(letters),  \
                                      operation(letters.transposed), diagonal(letters),  \
                                      t->x.columns, t->x.rows, &one, t->l.data, t->l.ld, \
                                      t->x.data, t->x.ld));                              \
    }                                                                                    \
                                                                                         \
    static hit_status square_##c_type(const hit_run *run, const hit_gemm *g)             \
    {                                                                                    \
        symbol syrk;                                                                     \
                                                                                         \
        HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublas##S##syrk), &syrk));                  \
        return translate(run, syrk.s##syrk(handle_of(run), CUBLAS_FILL_MODE_UPPER,       \
                                           CUBLAS_OP_T, g->c.rows, hit_gemm_depth(g),    \
                                           g->alpha, g->a.data, g->a.ld, g->beta,        \
                                           g->c.data, g->c.ld));                         \
    }

FUNCTIONS(float, s, S)
FUNCTIONS(double, d, D)
MULTIPLY(complex_float, c, C)
MULTIPLY(complex_double, z, Z)

#define GEMM(name, of, c_type, trans_a, trans_b)                                         \
    hit_status name##_##of##_cuda(const hit_run *run);                                   \
    hit_status name##_##of##_cuda(const hit_run *run)                                    \
    {                                                                                    \
        hit_gemm g;                                                                      \
                                                                                         \
        HIT_TRY(hit_gemm_read(run, HIT_GEMM_TYPE(c_type), trans_a, trans_b, &g));        \
        return multiply_##of(run, &g);                                                   \
    }
#define GEMMS(of, c_type)                                                                \
    GEMM(gemm, of, c_type, false, false)                                                 \
    GEMM(gemm_nt, of, c_type, false, true)                                               \
    GEMM(gemm_tn, of, c_type, true, false)

GEMMS(float, float)
GEMMS(double, double)
GEMMS(complex_float, hit_complex_float)
GEMMS(complex_double, hit_complex_double)

#define TRSM(name, c_type, form)                                                         \
    hit_status name##_##c_type##_cuda(const hit_run *run);                               \
    hit_status name##_##c_type##_cuda(const hit_run *run)                                \
    {                                                                                    \
        hit_trsm t;                                                                      \
                                                                                         \
        HIT_TRY(hit_trsm_read(run, sizeof(c_type), form, &t));                           \
        return solve_##c_type(run, &t);                                                  \
    }
#define TRSMS(name, form)                                                                \
    TRSM(name, float, form)                                                              \
    TRSM(name, double, form)

TRSMS(trsm_rlt, HIT_TRSM_RLT)
TRSMS(trsm_lln, HIT_TRSM_LLN)
TRSMS(trsm_llt, HIT_TRSM_LLT)
TRSMS(trsm_run, HIT_TRSM_RUN)
TRSMS(trsm_lun, HIT_TRSM_LUN)
TRSMS(trsm_llnu, HIT_TRSM_LLNU)

#define SYRK(c_type)                                                                     \
    hit_status syrk_##c_type##_cuda(const hit_run *run);                                 \
    hit_status syrk_##c_type##_cuda(const hit_run *run)                                  \
    {                                                                                    \
        hit_syrk_box box;                                                                \
                                                                                         \
        HIT_TRY(hit_syrk_read(run, HIT_GEMM_TYPE(c_type), &box));                        \
        for (int k = 0; k < box.products; k++) {                                         \
            HIT_TRY(multiply_##c_type(run, &box.product[k]));                            \
        }                                                                                \
        return box.triangle.c.rows > 0 ? square_##c_type(run, &box.triangle) : HIT_OK;   \
    }

SYRK(float)
SYRK(double)
