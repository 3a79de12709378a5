/* SPDX-License-Identifier: MIT
 * Products by OpenBLAS. It is loaded when a product is launched first, not linked:
 * Debian's chooses its kernels while it is being loaded, and takes those for older cores
 * where it does not know a newer one, at half the speed. Then it is loaded again with a
 * choice of ours. The threads of a device multiply side by side, each on its block, each
 * by one thread of OpenBLAS, which carries out one product of several threads at a time
 * only. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/memory.h"
#include "kernels/gemm.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char name_of_library[] = "libopenblas.so.0";
static const char variable[] = "OPENBLAS_CORETYPE";

enum {
    ROW_MAJOR = 101,
    NO_TRANS = 111
};

typedef void sgemm_function(int order, int ta, int tb, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb, float beta,
                            float *c, int ldc);
typedef void dgemm_function(int order, int ta, int tb, int m, int n, int k, double alpha,
                            const double *a, int lda, const double *b, int ldb,
                            double beta, double *c, int ldc);

/* Functions of the library; NULL where it is not loaded or has none of that name. */
typedef union symbol {
    void *address;
    sgemm_function *sgemm;
    dgemm_function *dgemm;
    char *(*text)(void);
    int (*get)(void);
    void (*set)(int threads);
} symbol;

static symbol find(void *handle, const char *name)
{
    return (symbol){.address = handle != NULL ? dlsym(handle, name) : NULL};
}

static const char *text_of(void *handle, const char *name)
{
    const symbol of = find(handle, name);

    return of.address != NULL ? of.text() : "unknown";
}

static bool core_has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

const char *hit_gemm_choose(const char *kernels, const char *setting, bool avx512)
{
    static const char *const wide[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};

    if (setting != NULL || !avx512) return NULL;
    for (size_t k = 0; k < sizeof(wide) / sizeof(wide[0]); k++) {
        if (strcmp(kernels, wide[k]) == 0) return NULL;
    }
    return "SKYLAKEX";
}

/* Load it, and once more if its choice can be improved on. *why (of `size` bytes) says
 * which kernels are in use for which reason. */
static hit_status load(void **handle, char *why, size_t size)
{
    const char *setting = getenv(variable);
    const char *better;
    char first[64];

    *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (*handle != NULL) {
        snprintf(why, size, "as it was loaded before");
        return HIT_OK;
    }
    *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL);
    if (*handle == NULL) {
        const char *text = dlerror();

        return HIT_FAIL(HIT_E_ABSENT, "gemm: %s", text != NULL ? text : name_of_library);
    }
    snprintf(first, sizeof(first), "%s", text_of(*handle, "openblas_get_corename"));
    better = hit_gemm_choose(first, setting, core_has_avx512());
    if (better == NULL) {
        snprintf(why, size, "%s",
                 setting != NULL ? "as OPENBLAS_CORETYPE says" : "OpenBLAS's own choice");
        return HIT_OK;
    }
    (void)dlclose(*handle);
    (void)setenv(variable, better, 1);
    *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL);
    (void)unsetenv(variable);
    if (*handle == NULL) return HIT_FAIL(HIT_E_ABSENT, "gemm: %s", dlerror());
    snprintf(why, size, "chosen since this core has AVX-512; OpenBLAS took %s", first);
    return HIT_OK;
}

/* Functions of OpenBLAS, which load() keeps for the life of the process. */
typedef struct openblas {
    symbol sgemm;
    symbol dgemm;
    symbol get_threads;
    symbol set_threads;
} openblas;

hit_status hit_gemm_prepare(void **library)
{
    void *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    openblas *found = NULL;
    char why[128];

    if (handle == NULL) {
        HIT_TRY(load(&handle, why, sizeof(why)));
    } else {
        (void)dlclose(handle); /* the first load still holds it */
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*found), &found));
    found->sgemm = find(handle, "cblas_sgemm");
    found->dgemm = find(handle, "cblas_dgemm");
    found->get_threads = find(handle, "openblas_get_num_threads");
    found->set_threads = find(handle, "openblas_set_num_threads");
    if (found->sgemm.address == NULL || found->dgemm.address == NULL) {
        free(found);
        return HIT_FAIL(HIT_E_ABSENT, "gemm: %s has no cblas_sgemm or no cblas_dgemm",
                        name_of_library);
    }
    *library = found;
    return HIT_OK;
}

static void use_threads(const openblas *library, int threads)
{
    if (threads < 1 || library->get_threads.address == NULL) return;
    if (library->set_threads.address == NULL) return;
    if (library->get_threads.get() != threads) library->set_threads.set(threads);
}

hit_status hit_gemm_float(const hit_gemm *g)
{
    const openblas *library = g->library;

    use_threads(library, g->threads);
    library->sgemm.sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, g->m, g->n, g->k,
                         *(const float *)g->alpha, g->a, g->lda, g->b, g->ldb,
                         *(const float *)g->beta, g->c, g->ldc);
    return HIT_OK;
}

hit_status hit_gemm_double(const hit_gemm *g)
{
    const openblas *library = g->library;

    use_threads(library, g->threads);
    library->dgemm.dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, g->m, g->n, g->k,
                         *(const double *)g->alpha, g->a, g->lda, g->b, g->ldb,
                         *(const double *)g->beta, g->c, g->ldc);
    return HIT_OK;
}

void hit_gemm_library(char *text, size_t size)
{
    char why[128];
    void *handle = NULL;

    if (load(&handle, why, sizeof(why)) != HIT_OK) {
        snprintf(text, size, "%s", hit_status_text());
        return;
    }
    snprintf(text, size, "%s, %s kernels, %s", text_of(handle, "openblas_get_config"),
             text_of(handle, "openblas_get_corename"), why);
}
