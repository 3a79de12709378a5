/* SPDX-License-Identifier: MIT
 * `hit model plot`: the points of a model as a file of numbers, and as a picture where
 * there is a gnuplot. */
#define _POSIX_C_SOURCE 200809L /* popen */

#include "hit/base/file.h"
#include "hit/tool/model.h"

#include <stdio.h>

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
static void print_quoted(FILE *gnuplot, const char *text)
{
    (void)fputc('\'', gnuplot);
    for (; *text != '\0'; text++) {
        (void)fprintf(gnuplot, *text == '\'' ? "''" : "%c", *text);
    }
    (void)fputc('\'', gnuplot);
}

static bool draw(const char *title, const char *data, const char *picture)
{
    FILE *gnuplot = popen("gnuplot >/dev/null 2>&1", "w");

    if (gnuplot == NULL) return false;
    (void)fprintf(gnuplot, "set terminal png size 800,500\nset output ");
    print_quoted(gnuplot, picture);
    (void)fprintf(gnuplot, "\nset title ");
    print_quoted(gnuplot, title);
    (void)fprintf(gnuplot, " noenhanced\nset xlabel 'units'\nset ylabel 'units per "
                           "second'\nset yrange [0:*]\nset grid\nplot ");
    print_quoted(gnuplot, data);
    (void)fprintf(gnuplot, " using 1:2 with linespoints pointtype 7 notitle\n");
    return pclose(gnuplot) == 0;
}

hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix)
{
    char data[1024];
    char picture[1024];

    (void)snprintf(data, sizeof(data), "%s.dat", prefix);
    (void)snprintf(picture, sizeof(picture), "%s.png", prefix);
    HIT_TRY(write_data(title, fpm, data));
    printf("%s\n", data);
    (void)fflush(stdout);
    if (draw(title, data, picture)) {
        printf("%s\n", picture);
    } else {
        printf("no picture: gnuplot is not installed, or failed\n");
    }
    return HIT_OK;
}
