/* SPDX-License-Identifier: MIT
 * hit infer: runs a program with HIT_INFER=1. The library prints the annotations; this is
 * the way to ask for them that is found in the list of commands, and says so where none
 * came. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): pipe2 */

#include "hit/base/quote.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: hit infer PROGRAM [ARGUMENT...]\n\n"
    "Runs PROGRAM and prints, at the first launch of each kernel, the annotation that\n"
    "fits what its body does, ready to paste: modes and patterns, and where an access\n"
    "is not affine. What is declared plays no part in it, but has to compile:\n"
    "(inout, float, a, \"[:, :]\") will do. The same as HIT_INFER=1 PROGRAM. With MPI:\n"
    "mpiexec -n 1 hit infer PROGRAM.\n";

/** What the program prints, passed on as it is. Does the library say something in it? */
static bool pass_on(FILE *program)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool said = false;

    while ((length = getline(&line, &room, program)) > 0) {
        said = said || strncmp(line, "HIT_", 4) == 0;
        (void)fwrite(line, 1, (size_t)length, stdout);
        (void)fflush(stdout);
    }
    free(line);
    return said;
}

/** Run the program with its output in a pipe. Returns 0 or a number of errno. */
static int start(char **argv, pid_t *child, FILE **output)
{
    int end[2];
    int error;

    if (pipe2(end, O_CLOEXEC) != 0 || setenv("HIT_INFER", "1", 1) != 0) return errno;
    error = hit_tool_start(argv, (const int[]){HIT_SPAWN_SAME, end[1], HIT_SPAWN_SAME},
                           child);
    (void)close(end[1]);
    if (error == 0) {
        *output = fdopen(end[0], "r");
        if (*output != NULL) return 0;
        error = errno;
    }
    (void)close(end[0]);
    return error;
}

int hit_tool_infer(int argc, char **argv)
{
    FILE *output = NULL;
    pid_t child = -1;
    bool said;
    int answer;
    int error;

    if (hit_tool_helps_first(argc, argv, usage)) return 0;
    if (argc < 2 || argv[1][0] == '-') {
        (void)fputs(usage, stderr);
        return 2;
    }
    error = start(argv + 1, &child, &output);
    if (error != 0) {
        hit_say(stderr, "hit infer: %s: %s\n", argv[1], strerror(error));
        return 2;
    }
    said = pass_on(output);
    (void)fclose(output);
    answer = hit_tool_wait(child, &error);
    if (error != 0) return 2;
    if (!WIFEXITED(answer)) return 128 + WTERMSIG(answer);
    if (WEXITSTATUS(answer) != 0 || said) return WEXITSTATUS(answer);
    hit_say(stderr,
            "hit infer: %s ended without a context of hit: no kernel was launched, so "
            "that no annotation is known\n",
            argv[1]);
    return 1;
}
