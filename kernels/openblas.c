/* SPDX-License-Identifier: MIT
 * OpenBLAS, loaded when a kernel that needs it is launched first, not linked: Debian's
 * chooses its kernels while it is being loaded, and takes those for older cores where it
 * does not know a newer one, at half the speed. Then it is loaded again with a choice of
 * ours. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/memory.h"
#include "kernels/kernels_impl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char name_of_library[] = "libopenblas.so.0";
static const char variable[] = "OPENBLAS_CORETYPE";

typedef union symbol {
    void *address;
    char *(*text)(void);
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

const char *hit_openblas_choose(const char *kernels, const char *setting, bool avx512)
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

        return HIT_FAIL(HIT_E_ABSENT, "OpenBLAS: %s",
                        text != NULL ? text : name_of_library);
    }
    snprintf(first, sizeof(first), "%s", text_of(*handle, "openblas_get_corename"));
    better = hit_openblas_choose(first, setting, core_has_avx512());
    if (better == NULL) {
        snprintf(why, size, "%s",
                 setting != NULL ? "as OPENBLAS_CORETYPE says" : "OpenBLAS's own choice");
        return HIT_OK;
    }
    (void)dlclose(*handle);
    (void)setenv(variable, better, 1);
    *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL);
    (void)unsetenv(variable);
    if (*handle == NULL) return HIT_FAIL(HIT_E_ABSENT, "OpenBLAS: %s", dlerror());
    snprintf(why, size, "chosen since this core has AVX-512; OpenBLAS took %s", first);
    return HIT_OK;
}

static const char *const name_of_function[HIT_OPENBLAS_FUNCTIONS] = {
    [HIT_SGEMM] = "cblas_sgemm",
    [HIT_DGEMM] = "cblas_dgemm",
    [HIT_CGEMM] = "cblas_cgemm",
    [HIT_ZGEMM] = "cblas_zgemm",
    [HIT_STRSM] = "cblas_strsm",
    [HIT_DTRSM] = "cblas_dtrsm",
    [HIT_SSYRK] = "cblas_ssyrk",
    [HIT_DSYRK] = "cblas_dsyrk",
    [HIT_SPOTRF] = "spotrf_",
    [HIT_DPOTRF] = "dpotrf_",
    [HIT_GET_NUM_THREADS] = "openblas_get_num_threads",
    [HIT_SET_NUM_THREADS] = "openblas_set_num_threads"};

static hit_status find_all(void *handle, hit_openblas *found)
{
    for (int k = 0; k < HIT_OPENBLAS_FUNCTIONS; k++) {
        found->function[k].address = dlsym(handle, name_of_function[k]);
        if (found->function[k].address != NULL) continue;
        return HIT_FAIL(HIT_E_ABSENT, "OpenBLAS: expected %s in %s but found none",
                        name_of_function[k], name_of_library);
    }
    return HIT_OK;
}

hit_status hit_openblas_open(void **library)
{
    void *handle = dlopen(name_of_library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    hit_openblas *found = NULL;
    hit_status status;
    char why[128];

    if (handle == NULL) {
        HIT_TRY(load(&handle, why, sizeof(why)));
    } else {
        (void)dlclose(handle); /* the first load still holds it */
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*found), &found));
    status = find_all(handle, found);
    if (status != HIT_OK) {
        free(found);
        return status;
    }
    *library = found;
    return HIT_OK;
}

void hit_openblas_one_thread(const hit_openblas *library)
{
    if (library->function[HIT_GET_NUM_THREADS].get_threads() == 1) return;
    library->function[HIT_SET_NUM_THREADS].set_threads(1);
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
