/* SPDX-License-Identifier: MIT
 * The subcommands of the command-line tool `hit`: one function and one file each. */
#ifndef HIT_TOOL_TOOL_H
#define HIT_TOOL_TOOL_H

#include "patterns/kernel.h"

/** Exit codes: 0 fine, 1 the answer is no, 2 wrong usage. argv[0] is the subcommand's
 * name. */
typedef int (*hit_tool_function)(int argc, char **argv);

int hit_tool_infer(int argc, char **argv);
int hit_tool_info(int argc, char **argv);
int hit_tool_layout(int argc, char **argv);
int hit_tool_model(int argc, char **argv);
int hit_tool_new(int argc, char **argv);
int hit_tool_partition(int argc, char **argv);
int hit_tool_plan(int argc, char **argv);
int hit_tool_schedule(int argc, char **argv);
int hit_tool_trace(int argc, char **argv);

/** model_measure.c: argv[0] is "measure". */
int hit_tool_model_measure(int argc, char **argv);

#endif
