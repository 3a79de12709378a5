/* SPDX-License-Identifier: MIT
 * Options of subcommands that have a value each. */
#ifndef HIT_TOOL_OPTIONS_H
#define HIT_TOOL_OPTIONS_H

#include "hit/base/status.h"

typedef struct hit_tool_option {
    const char *name;   /**< "--out" */
    const char **value; /**< where to put the text of its value, which is argv's */
} hit_tool_option;

/** Take the option at argv[*at], one of @p count, and go to the last word of it.
 * @errors HIT_E_ARG no such option, or no value after it */
hit_status hit_tool_read_option(int argc, char **argv, int *at, int count,
                                const hit_tool_option known[]);

#endif
