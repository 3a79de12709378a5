/* SPDX-License-Identifier: MIT
 * The words of subcommands: options that have a value each, names of kernels. */
#ifndef HIT_TOOL_OPTIONS_H
#define HIT_TOOL_OPTIONS_H

#include "patterns/kernel.h"

typedef struct hit_tool_option {
    const char *name;   /**< "--out" */
    const char **value; /**< where to put the text of its value, which is argv's */
} hit_tool_option;

/** Take the option at argv[*at], one of @p count, and go to the last word of it.
 * @errors HIT_E_ARG no such option, or no value after it */
hit_status hit_tool_read_option(int argc, char **argv, int *at, int count,
                                const hit_tool_option known[]);

/** The kernel of the library named @p text, or @p text with the type @p wanted (NULL:
 * any) at its end. @errors HIT_E_ARG no such kernel; lists those that there are */
hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel);

#endif
