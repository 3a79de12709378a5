/* SPDX-License-Identifier: MIT
 * Kernels by name. The library's are kernels/table.c; a program's are a list of its
 * context. */
#include "hit/launch/catalogue.h"

#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/base/version.h"

#include <stdio.h>
#include <string.h>

/** Those of the library are no part of it: a program's kernel hides one of that name. */
static const void *listed(int k)
{
    (void)k;
    return NULL;
}

static const hit_registry_kind kernels = {"a kernel", "kernel name", listed};

/** Number @p k of the program's; NULL: there are no more. */
static const hit_kernel *own_kernel(const hit_context *context, int k)
{
    return context != NULL ? hit_registry_at(&kernels, context->kernels, k) : NULL;
}

hit_status hit_kernel_register(hit_context *context, const hit_kernel *kernel)
{
    const hit_kernel *known;

    if (context == NULL || kernel == NULL || kernel->name == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context and a kernel with a name but found NULL");
    }
    for (int k = 0; (known = own_kernel(context, k)) != NULL; k++) {
        if (known == kernel) return HIT_OK;
    }
    return hit_registry_add(&kernels, &context->kernels, kernel);
}

static const hit_kernel *find_in_table(const char *name, const char *type)
{
    char full[128];

    (void)snprintf(full, sizeof(full), "%s%s", name, type);
    for (int k = 0; k < hit_kernel_table_count; k++) {
        if (strcmp(hit_kernel_table[k]->name, full) == 0) return hit_kernel_table[k];
    }
    return NULL;
}

static hit_status fail_unknown(const hit_context *context, const char *name)
{
    const hit_kernel *own;
    hit_names known;

    hit_names_begin(&known, name, strlen(name));
    for (int k = 0; (own = own_kernel(context, k)) != NULL; k++) {
        hit_names_add(&known, own->name);
    }
    for (int k = 0; k < hit_kernel_table_count; k++) {
        hit_names_add(&known, hit_kernel_table[k]->name);
    }
    return HIT_FAIL(HIT_E_ARG, "expected the name of a kernel (%s) but found \"%s\"%s",
                    hit_names_list(&known), name, hit_names_hint(&known));
}

hit_status hit_kernel_find(const hit_context *context, const char *name,
                           const hit_kernel **kernel)
{
    static const char *const type[] = {"", "_float", "_double"};
    const hit_kernel *found;

    if (name == NULL || kernel == NULL) {
        return HIT_FAIL(
            HIT_E_ARG, "expected the name of a kernel and a place for it but found NULL");
    }
    for (int k = 0; (found = own_kernel(context, k)) != NULL; k++) {
        if (strcmp(found->name, name) == 0) break;
    }
    for (int t = 0; t < 3 && found == NULL; t++) {
        found = find_in_table(name, type[t]);
    }
    if (found == NULL) return fail_unknown(context, name);
    *kernel = found;
    return HIT_OK;
}

void hit_build_text(char *text, size_t size)
{
    char blas[81];

    hit_gemm_library(blas, sizeof(blas));
    (void)snprintf(text, size, "hit %s, compiler %.24s, %s", hit_version(), __VERSION__,
                   blas);
}
