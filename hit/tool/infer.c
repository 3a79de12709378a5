/* SPDX-License-Identifier: MIT
 * hit infer: runs a program with HIT_INFER=1. The library prints the annotations; this is
 * the way to ask for them that is found in the list of commands, and says so where none
 * came. */
#define _POSIX_C_SOURCE 200809L /* fdopen, fork, getline, setenv */

#include "hit/base/quote.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
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

    if (pipe(end) != 0 || setenv("HIT_INFER", "1", 1) != 0) return errno;
    *child = fork();
    if (*child < 0) return errno;
    if (*child == 0) {
        (void)dup2(end[1], STDOUT_FILENO);
        (void)close(end[0]);
        (void)close(end[1]);
        (void)execvp(argv[0], argv);
        hit_say(stderr, "hit infer: %s: %s\n", argv[0], strerror(errno));
        _exit(2);
    }
    (void)close(end[1]);
    *output = fdopen(end[0], "r");
    return *output != NULL ? 0 : errno;
}

static int end_of(pid_t child)
{
    int answer = 0;

    while (waitpid(child, &answer, 0) < 0) {
        if (errno != EINTR) return 2;
    }
    return WIFEXITED(answer) ? WEXITSTATUS(answer) : 128 + WTERMSIG(answer);
}

int hit_tool_infer(int argc, char **argv)
{
    FILE *output = NULL;
    pid_t child = -1;
    bool said;
    int error;
    int code;

    if (argc < 2 || argv[1][0] == '-') {
        const bool help =
            argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);

        (void)fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    error = start(argv + 1, &child, &output);
    if (error != 0) {
        hit_say(stderr, "hit infer: %s: %s\n", argv[1], strerror(error));
        return 2;
    }
    said = pass_on(output);
    (void)fclose(output);
    code = end_of(child);
    if (code != 0 || said) return code;
    hit_say(stderr,
            "hit infer: %s ended without a context of hit: no kernel was launched, so "
            "that no annotation is known\n",
            argv[1]);
    return 1;
}
