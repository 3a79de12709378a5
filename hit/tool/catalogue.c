/* SPDX-License-Identifier: MIT
 * The kernels that the tool knows by name: those that come with the library, also by
 * short names. */
#include "hit/launch/catalogue.h"

#include "hit/tool/tool.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *alias;
    const char *name;
} aliases[] = {{"vector", "vector_add"}};

hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel)
{
    const char *name = text;
    char typed[128];

    for (size_t a = 0; a < sizeof(aliases) / sizeof(aliases[0]); a++) {
        if (strcmp(name, aliases[a].alias) == 0) name = aliases[a].name;
    }
    (void)snprintf(typed, sizeof(typed), "%s_%s", name, wanted != NULL ? wanted : "");
    if (wanted != NULL && hit_kernel_find(NULL, typed, kernel) == HIT_OK) return HIT_OK;
    return hit_kernel_find(NULL, name, kernel);
}
