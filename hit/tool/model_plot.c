/* SPDX-License-Identifier: MIT
 * `hit model plot`: the points of a model as a file of numbers, and as a picture where
 * there is a gnuplot. */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp */

#include "hit/base/file.h"
#include "hit/model/fpm_time.h"
#include "hit/tool/model.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static hit_status write_data(const char *title, const hit_fpm *fpm, const char *path)
{
    hit_draft draft;

    HIT_TRY(hit_draft_open(path, &draft));
    (void)fprintf(draft.stream, "# %s\n# units   units/s   seconds   repetitions\n",
                  title);
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        const hit_fpm_point point = hit_fpm_point_at(fpm, k);
        const double seconds = hit_fpm_point_time(fpm, k);

        (void)fprintf(draft.stream, "%.9g %.9g %.9g %.9g\n", point.units,
                      hit_fpm_speed(fpm, point.units), seconds, point.reps);
    }
    return hit_draft_close(&draft, HIT_OK);
}

/* A text in gnuplot's single quotes, where nothing but the quote is special. */
static void print_quoted(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text != '\0'; text++) {
        (void)fprintf(script, *text == '\'' ? "''" : "%c", *text);
    }
    (void)fputc('\'', script);
}

static void write_script(const char *title, const char *data, const char *picture,
                         FILE *script)
{
    (void)fprintf(script, "set terminal png size 800,500\nset output ");
    print_quoted(script, picture);
    (void)fprintf(script, "\nset title ");
    print_quoted(script, title);
    (void)fprintf(script, " noenhanced\nset xlabel 'units'\nset ylabel 'units per "
                          "second'\nset yrange [0:*]\nset grid\nplot ");
    print_quoted(script, data);
    (void)fprintf(script, " using 1:2 with linespoints pointtype 7 notitle\n");
}

/* Run gnuplot with @p script as its standard input. It is a file and no pipe: a write to
 * a pipe whose reader has ended kills the writer (SIGPIPE). Returns 0 or a number of
 * errno. */
static int start_gnuplot(FILE *script, pid_t *child)
{
    char *const words[] = {(char[]){"gnuplot"}, NULL};
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error != 0) return error;
    error = posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO && error == 0; fd++) {
        error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
    }
    if (error == 0) error = posix_spawnp(child, "gnuplot", &files, NULL, words, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

/* NULL: the picture is there; else why not. */
static const char *run_gnuplot(FILE *script)
{
    pid_t child = 0;
    int answer = 0;
    int error;

    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0) return strerror(errno);
    error = start_gnuplot(script, &child);
    if (error == ENOENT) return "gnuplot is not installed";
    if (error != 0) return strerror(error);
    while (waitpid(child, &answer, 0) < 0) {
        if (errno != EINTR) return strerror(errno);
    }
    return WIFEXITED(answer) && WEXITSTATUS(answer) == 0 ? NULL : "gnuplot failed";
}

static const char *draw(const char *title, const char *data, const char *picture)
{
    FILE *script = tmpfile();
    const char *why;

    if (script == NULL) return strerror(errno);
    write_script(title, data, picture, script);
    why = run_gnuplot(script);
    (void)fclose(script);
    return why;
}

hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix)
{
    char data[1024];
    char picture[1024];
    const char *why;

    (void)snprintf(data, sizeof(data), "%s.dat", prefix);
    (void)snprintf(picture, sizeof(picture), "%s.png", prefix);
    HIT_TRY(write_data(title, fpm, data));
    printf("%s\n", data);
    (void)fflush(stdout);
    why = draw(title, data, picture);
    if (why == NULL) {
        printf("%s\n", picture);
    } else {
        printf("no picture: %s\n", why);
    }
    return HIT_OK;
}
