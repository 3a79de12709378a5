/* SPDX-License-Identifier: MIT
 * The words of subcommands: options, plain words, names of kernels; and how they fail. */
#ifndef HIT_TOOL_OPTIONS_H
#define HIT_TOOL_OPTIONS_H

#include "patterns/kernel.h"

#include <stdbool.h>

/** An option with a value, or a flag: one of the two is NULL. */
typedef struct hit_tool_option {
    const char *name;   /**< "--out"; NULL ends a list */
    const char **value; /**< where to put the text of its value, which is argv's */
    bool *flag;         /**< becomes true */
} hit_tool_option;

/** Is "--help" or "-h" one of the words? */
bool hit_tool_asks_help(int argc, char **argv);
/** Take the option at argv[*at] and go to the last word of it.
 * @errors HIT_E_ARG no such option, or no value after it */
hit_status hit_tool_read_option(int argc, char **argv, int *at,
                                const hit_tool_option known[]);
/** Take the flags only, also those behind a mistake: --json says how that is told. */
void hit_tool_read_flags(int argc, char **argv, const hit_tool_option known[]);
/** Take all words behind argv[0]: options, and up to @p plains plain words, of which the
 * last is a @p what. @errors HIT_E_ARG those of hit_tool_read_option(); a word more */
hit_status hit_tool_read_words(int argc, char **argv, const hit_tool_option known[],
                               int plains, const char **const plain[], const char *what);
/** Print the text of the last failure of @p command, as JSON with @p status if @p json
 * is asked for. */
void hit_tool_print_failure(const char *command, bool json, const char *status);

/** A picture that goes to @p path, which may be NULL, is SVG: a name that says otherwise
 * ("x.pdf") is refused. @errors HIT_E_ARG */
hit_status hit_tool_check_svg(const char *path);
/** One of a list: its name, in a column of @p width, and what it is, in lines of no more
 * characters than a terminal has. */
void hit_tool_print_item(int width, const char *name, const char *help);

/** The kernel of the library named @p text, or @p text with the type @p wanted (NULL:
 * any) at its end. @errors HIT_E_ARG no such kernel; lists those that there are */
hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel);

#endif
