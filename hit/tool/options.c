/* SPDX-License-Identifier: MIT
 * The words of the command line: "--name value", "--name=value", and kernels that come
 * with the library, also by short names. */
#include "hit/tool/options.h"

#include "hit/base/names.h"
#include "hit/base/option.h"
#include "hit/launch/catalogue.h"

#include <stdio.h>
#include <string.h>

hit_status hit_tool_read_option(int argc, char **argv, int *at, int count,
                                const hit_tool_option known[])
{
    const char *text = argv[*at];
    hit_names names;

    for (int k = 0; k < count; k++) {
        if (hit_option_is(text, known[k].name, known[k].value)) return HIT_OK;
        if (strcmp(known[k].name, text) != 0) continue;
        if (*at + 1 == argc) {
            return HIT_FAIL(HIT_E_ARG, "expected a value after %s", text);
        }
        *known[k].value = argv[++*at];
        return HIT_OK;
    }
    hit_names_begin(&names, text, strcspn(text, "="));
    for (int k = 0; k < count; k++) {
        hit_names_add(&names, known[k].name);
    }
    return HIT_FAIL(HIT_E_ARG, "no option %s%s", text, hit_names_hint(&names));
}

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
