/* SPDX-License-Identifier: MIT
 * "--name value" and "--name=value" on the command line. */
#include "hit/tool/options.h"

#include "hit/base/names.h"
#include "hit/base/option.h"

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
