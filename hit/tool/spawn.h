/* SPDX-License-Identifier: MIT
 * Other programs that subcommands run. */
#ifndef HIT_TOOL_SPAWN_H
#define HIT_TOOL_SPAWN_H

/** Run @p words, NULL at the end, and wait. @p files become its standard input, output
 * and error; HIT_SPAWN_SAME: those of this program, HIT_SPAWN_NOWHERE: none. Returns NULL
 * if it ended with 0, else why not: "cmake is not installed", "cmake failed". The text is
 * @p why, of HIT_SPAWN_TEXT bytes. */
const char *hit_tool_spawn(char *const words[], const int files[3], char why[]);

enum {
    HIT_SPAWN_SAME = -1,
    HIT_SPAWN_NOWHERE = -2,
    HIT_SPAWN_TEXT = 256
};

#endif
