/* SPDX-License-Identifier: MIT
 * hit infer: runs a program with HIT_INFER=1. The library prints the annotations; this is
 * the way to ask for them that is found in the list of commands. */
#define _POSIX_C_SOURCE 200809L /* setenv, execvp */

#include "hit/tool/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_usage(FILE *out)
{
    (void)fputs(
        "usage: hit infer PROGRAM [ARGUMENT...]\n\n"
        "Runs PROGRAM and prints, at the first launch of each kernel, the annotation "
        "that\n"
        "fits what its body does, ready to paste: modes and patterns, and where an "
        "access\n"
        "is not affine. What is declared plays no part in it, but has to compile:\n"
        "(inout, float, a, \"[:, :]\") will do. The same as HIT_INFER=1 PROGRAM. With "
        "MPI:\n"
        "mpiexec -n 1 hit infer PROGRAM.\n",
        out);
}

int hit_tool_infer(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == '-') {
        const int help =
            argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);

        print_usage(help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if (setenv("HIT_INFER", "1", 1) == 0) (void)execvp(argv[1], argv + 1);
    (void)fprintf(stderr, "hit infer: %s: %s\n", argv[1], strerror(errno));
    return 2;
}
