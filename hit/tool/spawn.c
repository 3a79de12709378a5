/* SPDX-License-Identifier: MIT
 * Running another program. */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp */

#include "hit/tool/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int hit_tool_start(char *const words[], const int files[3], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0) return error;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; fd++) {
        if (files[fd] == HIT_SPAWN_SAME) continue;
        error =
            files[fd] == HIT_SPAWN_NOWHERE
                ? posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0)
                : posix_spawn_file_actions_adddup2(&actions, files[fd], fd);
    }
    if (error == 0) error = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

int hit_tool_wait(pid_t child, int *error)
{
    int answer = 0;

    *error = 0;
    while (*error == 0 && waitpid(child, &answer, 0) < 0) {
        if (errno != EINTR) *error = errno;
    }
    return answer;
}

const char *hit_tool_spawn(char *const words[], const int files[3], char why[])
{
    pid_t child = 0;
    int error = hit_tool_start(words, files, &child);
    const int answer = error == 0 ? hit_tool_wait(child, &error) : 0;

    if (error == 0 && WIFEXITED(answer) && WEXITSTATUS(answer) == 0) return NULL;
    (void)snprintf(why, HIT_SPAWN_TEXT, "%.120s%s%.100s", words[0],
                   error == ENOENT ? " is not installed"
                   : error != 0    ? ": "
                                   : " failed",
                   error != 0 && error != ENOENT ? strerror(error) : "");
    return why;
}
