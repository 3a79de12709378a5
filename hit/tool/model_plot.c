/* SPDX-License-Identifier: MIT
 * `hit model plot`: the points of a model as a file of numbers, and as a picture where
 * there is a gnuplot. */
#define _POSIX_C_SOURCE 200809L /* fileno */

#include "hit/base/file.h"
#include "hit/model/fpm_time.h"
#include "hit/tool/model.h"
#include "hit/tool/spawn.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
 * a pipe whose reader has ended kills the writer (SIGPIPE). NULL: the picture is there;
 * else why not. */
static const char *run_gnuplot(FILE *script, char why[])
{
    char *const words[] = {(char[]){"gnuplot"}, NULL};

    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0) return strerror(errno);
    return hit_tool_spawn(words, fileno(script), HIT_SPAWN_NOWHERE, why);
}

static const char *draw(const char *title, const char *data, const char *picture,
                        char why[])
{
    FILE *script = tmpfile();
    const char *wrong;

    if (script == NULL) return strerror(errno);
    write_script(title, data, picture, script);
    wrong = run_gnuplot(script, why);
    (void)fclose(script);
    return wrong;
}

hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix)
{
    char data[4096];
    char picture[sizeof(data)];
    char text[HIT_SPAWN_TEXT];
    const char *why;

    if (strlen(prefix) >= sizeof(data) - strlen(".dat")) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a path of less than %zu characters but found "
                        "\"%.40s...\"",
                        sizeof(data) - strlen(".dat"), prefix);
    }
    (void)snprintf(data, sizeof(data), "%s.dat", prefix);
    (void)snprintf(picture, sizeof(picture), "%s.png", prefix);
    HIT_TRY(write_data(title, fpm, data));
    printf("%s\n", data);
    (void)fflush(stdout);
    why = draw(title, data, picture, text);
    if (why == NULL) {
        printf("%s\n", picture);
    } else {
        printf("no picture: %s\n", why);
    }
    return HIT_OK;
}
