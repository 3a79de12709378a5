/* SPDX-License-Identifier: MIT
 * Other programs that subcommands run. */
#ifndef HIT_TOOL_SPAWN_H
#define HIT_TOOL_SPAWN_H

/** Run @p words, NULL at the end, and wait. @p in and @p out, if not -1, become its
 * standard input, and its standard output and error, which HIT_SPAWN_NOWHERE throws away.
 * Returns NULL if it ended with 0, else why not: "cmake is not installed", "cmake
 * failed". The text is @p why, of HIT_SPAWN_TEXT bytes. */
const char *hit_tool_spawn(char *const words[], int in, int out, char why[]);

enum {
    HIT_SPAWN_NOWHERE = -2,
    HIT_SPAWN_TEXT = 256
};

#endif
