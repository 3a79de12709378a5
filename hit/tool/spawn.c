/* SPDX-License-Identifier: MIT
 * Running another program. */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp */

#include "hit/tool/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/** Returns 0 or a number of errno. */
static int start(char *const words[], int in, int out, pid_t *child)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error != 0) return error;
    if (in >= 0) error = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    for (int fd = STDOUT_FILENO; out != -1 && fd <= STDERR_FILENO && error == 0; fd++) {
        error =
            out == HIT_SPAWN_NOWHERE
                ? posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0)
                : posix_spawn_file_actions_adddup2(&files, out, fd);
    }
    if (error == 0) error = posix_spawnp(child, words[0], &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

const char *hit_tool_spawn(char *const words[], int in, int out, char why[])
{
    pid_t child = 0;
    int answer = 0;
    int error = start(words, in, out, &child);

    while (error == 0 && waitpid(child, &answer, 0) < 0) {
        if (errno != EINTR) error = errno;
    }
    if (error == 0 && WIFEXITED(answer) && WEXITSTATUS(answer) == 0) return NULL;
    (void)snprintf(why, HIT_SPAWN_TEXT, "%.120s%s%.100s", words[0],
                   error == ENOENT ? " is not installed"
                   : error != 0    ? ": "
                                   : " failed",
                   error != 0 && error != ENOENT ? strerror(error) : "");
    return why;
}
