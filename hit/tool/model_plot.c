/* SPDX-License-Identifier: MIT
 * `hit model plot`: the points of a model as a file of numbers, and as a picture where
 * there is a gnuplot. */
#define _POSIX_C_SOURCE 200809L /* fileno */

#include "hit/base/file.h"
#include "hit/base/quote.h"
#include "hit/model/fpm_time.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <string.h>

static hit_status write_data(const char *title, const hit_fpm *fpm, const char *path)
{
    hit_draft draft;

    HIT_TRY(hit_draft_open(path, &draft));
    hit_say(draft.stream, "# %s\n# units   units/s   seconds   repetitions\n", title);
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        const hit_fpm_point point = hit_fpm_point_at(fpm, k);
        const double seconds = hit_fpm_point_time(fpm, k);

        (void)fprintf(draft.stream, "%.9g %.9g %.9g %.9g\n", point.units,
                      hit_fpm_speed(fpm, point.units), seconds, point.reps);
    }
    return hit_draft_close(&draft, HIT_OK);
}

/* No name of a file is said to gnuplot, which takes "< command" and "| command" for
 * programs: the numbers stand in the script, and the picture goes to standard output. */
static void write_script(const char *title, const hit_fpm *fpm, FILE *script)
{
    (void)fputs(
        "set terminal png size 800,500\nset xlabel 'units'\nset ylabel 'units per "
        "second'\nset yrange [0:*]\nset grid\n",
        script);
    hit_quote_write(script, HIT_LANGUAGE_GNUPLOT, "set title %s noenhanced\n", title);
    (void)fputs("plot '-' using 1:2 with linespoints pointtype 7 notitle\n", script);
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        const double units = hit_fpm_point_at(fpm, k).units;

        hit_say(script, "%.9g %.9g\n", units, hit_fpm_speed(fpm, units));
    }
    (void)fputs("e\n", script);
}

/* Run gnuplot with @p script as its standard input and @p picture as its output. The
 * script is a file and no pipe: a write to a pipe whose reader has ended kills the writer
 * (SIGPIPE). NULL: the picture is there; else why not. */
static const char *run_gnuplot(FILE *script, FILE *picture, char why[])
{
    char *const words[] = {(char[]){"gnuplot"}, NULL};

    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0) return strerror(errno);
    return hit_tool_spawn(
        words, (const int[]){fileno(script), fileno(picture), HIT_SPAWN_NOWHERE}, why);
}

static const char *draw(const char *title, const hit_fpm *fpm, FILE *picture, char why[])
{
    FILE *script = tmpfile();
    const char *wrong;

    if (script == NULL) return strerror(errno);
    write_script(title, fpm, script);
    wrong = run_gnuplot(script, picture, why);
    (void)fclose(script);
    return wrong;
}

/* A picture that cannot be made is no failure: the numbers are there. */
static hit_status draw_file(const char *title, const hit_fpm *fpm, const char *path)
{
    char text[HIT_SPAWN_TEXT];
    const char *why;
    hit_draft draft;

    HIT_TRY(hit_draft_open(path, &draft));
    why = draw(title, fpm, draft.stream, text);
    if (why == NULL) {
        HIT_TRY(hit_draft_close(&draft, HIT_OK));
        hit_say(stdout, "%s\n", path);
        return HIT_OK;
    }
    (void)hit_draft_close(&draft, HIT_E_ABSENT); /* no draft stays */
    hit_say(stdout, "no picture: %s\n", why);
    return HIT_OK;
}

hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix)
{
    char data[4096];
    char picture[sizeof(data)];

    if (strlen(prefix) >= sizeof(data) - strlen(".dat")) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a path of less than %zu characters but found "
                        "\"%.40s...\"",
                        sizeof(data) - strlen(".dat"), prefix);
    }
    (void)snprintf(data, sizeof(data), "%s.dat", prefix);
    (void)snprintf(picture, sizeof(picture), "%s.png", prefix);
    HIT_TRY(write_data(title, fpm, data));
    hit_say(stdout, "%s\n", data);
    (void)fflush(stdout);
    return draw_file(title, fpm, picture);
}
