/* SPDX-License-Identifier: MIT
 * The kernels that the tool knows by name: those that come with the library. */
#include "hit/tool/tool.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <string.h>

/* Short names, beside those without the type. */
static const struct {
    const char *alias;
    const char *name;
} aliases[] = {{"vector", "vector_add"}};

static const hit_kernel *find_kernel(const char *name, const char *type)
{
    char full[128];

    (void)snprintf(full, sizeof(full), "%s%s%s", name, *type ? "_" : "", type);
    for (int k = 0; k < hit_kernel_table_count; k++) {
        if (strcmp(hit_kernel_table[k]->name, full) == 0) return hit_kernel_table[k];
    }
    return NULL;
}

static hit_status fail_unknown(const char *name)
{
    char names[512] = "";

    for (int k = 0; k < hit_kernel_table_count; k++) {
        size_t used = strlen(names);

        (void)snprintf(names + used, sizeof(names) - used, " %s",
                       hit_kernel_table[k]->name);
    }
    return HIT_FAIL(HIT_E_ARG, "no kernel %s; there are%s", name, names);
}

/* A kernel with that name, or with that name and a type: the type that is asked for if
 * there is one. */
hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel)
{
    const char *const type[] = {"", wanted != NULL ? wanted : "float", "float", "double"};
    const char *name = text;

    for (size_t a = 0; a < sizeof(aliases) / sizeof(aliases[0]); a++) {
        if (strcmp(name, aliases[a].alias) == 0) name = aliases[a].name;
    }
    for (int t = 0; t < 4; t++) {
        *kernel = find_kernel(name, type[t]);
        if (*kernel) return HIT_OK;
    }
    return fail_unknown(text);
}
