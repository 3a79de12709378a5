/* SPDX-License-Identifier: MIT
 * "--name value" and "--name=value" on the command line. */
#include "hit/tool/options.h"

#include <string.h>

hit_status hit_tool_read_option(int argc, char **argv, int *at, int count,
                                const hit_tool_option known[])
{
    const char *text = argv[*at];
    const size_t length = strcspn(text, "=");

    for (int k = 0; k < count; k++) {
        if (strlen(known[k].name) != length) continue;
        if (strncmp(known[k].name, text, length) != 0) continue;
        if (text[length] == '\0' && *at + 1 == argc) {
            return HIT_FAIL(HIT_E_ARG, "expected a value after %s", text);
        }
        *known[k].value = text[length] == '=' ? text + length + 1 : argv[++*at];
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "no option %s", text);
}
