/* SPDX-License-Identifier: MIT
 * cuBLAS is loaded when the first kernel of whole boxes runs, not linked: a program of a
 * build with CUDA starts on a machine that has none of CUDA's libraries. It stays loaded
 * as long as the process lives, since its kernels are registered with the runtime. */
#include "hit/cuda/cuda_impl.h"

#include <cublas_v2.h>

#include <dlfcn.h>

/* of the version that this was compiled for: others have other interfaces */
#define LIBRARY "libcublas.so." HIT_CUDA_BLAS_TEXT(CUBLAS_VER_MAJOR)

typedef union symbol {
    void *address;
    __typeof__(cublasCreate) *create;
    __typeof__(cublasDestroy) *destroy;
    __typeof__(cublasSetStream) *set_stream;
    __typeof__(cublasGetStatusString) *text;
} symbol;

hit_status hit_cuda_blas_load(void **library)
{
    const char *why;

    *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (*library != NULL) return HIT_OK;
    /* where it was when this was compiled, which the loader need not know */
    *library = dlopen(HIT_CUBLAS_FOLDER "/" LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (*library != NULL) return HIT_OK;
    why = dlerror();
    return HIT_FAIL(HIT_E_ABSENT,
                    "cuBLAS: expected " LIBRARY " among the libraries that the loader "
                    "finds (LD_LIBRARY_PATH) or in " HIT_CUBLAS_FOLDER " but found: %s",
                    why != NULL ? why : "none");
}

hit_status hit_cuda_blas_find(void *library, const char *name, void **function)
{
    *function = dlsym(library, name);
    if (*function != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ABSENT, "cuBLAS: expected %s in " LIBRARY " but found none",
                    name);
}

hit_status hit_cuda_blas_check(void *library, int status, const char *what)
{
    symbol text;

    if (status == CUBLAS_STATUS_SUCCESS) return HIT_OK;
    HIT_TRY(hit_cuda_blas_find(library, HIT_CUDA_BLAS_TEXT(cublasGetStatusString),
                               &text.address));
    return HIT_FAIL(HIT_E_DEVICE, "%s %s (status %d)", what,
                    text.text((cublasStatus_t)status), status);
}

static hit_status check(const hit_cuda *self, cublasStatus_t status)
{
    return hit_cuda_blas_check(self->blas_library, (int)status,
                               "cuBLAS could not be started:");
}

hit_status hit_cuda_blas_start(hit_cuda *self)
{
    cublasHandle_t blas = NULL;
    symbol create;
    symbol set_stream;

    if (self->blas != NULL || self->blas_absent) return HIT_OK;
    if (self->blas_library == NULL) {
        self->blas_absent = hit_cuda_blas_load(&self->blas_library) != HIT_OK;
        if (self->blas_absent) return HIT_OK; /* not every kernel needs it */
    }
    HIT_TRY(hit_cuda_blas_find(self->blas_library, HIT_CUDA_BLAS_TEXT(cublasCreate),
                               &create.address));
    HIT_TRY(hit_cuda_blas_find(self->blas_library, HIT_CUDA_BLAS_TEXT(cublasSetStream),
                               &set_stream.address));
    HIT_TRY(check(self, create.create(&blas)));
    self->blas = blas;
    return check(self, set_stream.set_stream(blas, self->lane[HIT_LANE_RUN].stream));
}

hit_status hit_cuda_blas_of(const hit_run *run, void **handle, void **library)
{
    hit_cuda *self = hit_cuda_call_of(run)->device;

    *handle = NULL;
    *library = NULL;
    if (self == NULL) return HIT_OK; /* a kernel that is called by itself */
    HIT_TRY(hit_cuda_blas_start(self));
    *handle = self->blas;
    *library = self->blas_library;
    return HIT_OK;
}

void hit_cuda_blas_stop(hit_cuda *self)
{
    symbol destroy;

    if (self->blas == NULL) return;
    destroy.address = dlsym(self->blas_library, HIT_CUDA_BLAS_TEXT(cublasDestroy));
    if (destroy.address != NULL) (void)destroy.destroy(self->blas);
}
