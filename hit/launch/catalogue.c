/* SPDX-License-Identifier: MIT
 * Kernels by name. The library's are kernels/table.c; a program's are a list of its
 * context. */
#include "hit/launch/catalogue.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/names.h"
#include "hit/base/version.h"
#include "hit/launch/catalogue_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The kernels of one program: a list in the order in which they were added. */
struct hit_kernel_registry {
    const hit_kernel *kernel;
    struct hit_kernel_registry *next;
};

hit_status hit_kernel_register(hit_context *context, const hit_kernel *kernel)
{
    struct hit_kernel_registry **end;
    struct hit_kernel_registry *added;

    if (context == NULL || kernel == NULL || kernel->name == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context and a kernel with a name but found NULL");
    }
    for (end = &context->kernels; *end != NULL; end = &(*end)->next) {
        if (strcmp((*end)->kernel->name, kernel->name) != 0) continue;
        if ((*end)->kernel == kernel) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "expected a new kernel name but \"%s\" exists",
                        kernel->name);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *added, &added));
    added->kernel = kernel;
    *end = added;
    return HIT_OK;
}

void hit_kernel_registry_destroy(struct hit_kernel_registry **registry)
{
    while (*registry != NULL) {
        struct hit_kernel_registry *first = *registry;

        *registry = first->next;
        free(first);
    }
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
    const struct hit_kernel_registry *own = context != NULL ? context->kernels : NULL;
    hit_names known;

    hit_names_begin(&known, name, strlen(name));
    for (; own != NULL; own = own->next) {
        hit_names_add(&known, own->kernel->name);
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
    const struct hit_kernel_registry *own = context != NULL ? context->kernels : NULL;
    const hit_kernel *found = NULL;

    for (; own != NULL && found == NULL; own = own->next) {
        if (strcmp(own->kernel->name, name) == 0) found = own->kernel;
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
