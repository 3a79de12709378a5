/* SPDX-License-Identifier: MIT
 * What it costs that a trace could be recorded, where none is: the same launches of an
 * empty kernel on one index, by this program, and by its twin in the folder without/,
 * whose launcher and device are compiled without the points that record. Nothing else
 * differs, and no launch is cheaper. The programs run in turn; the ratio is that of the
 * best of several loops in each. Trace off is to cost less than 1 %: 0.99 or more. */
#define _POSIX_C_SOURCE 200809L /* popen */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LAUNCHES = 20000,
    LOOPS = 10
};

extern const hit_kernel empty;

/* Seconds per launch. */
static double run_loop(hit_context *hit, hit_domain one, hit_tile *next, hit_tile *now)
{
    const double start = bench_time();

    for (int t = 0; t < LAUNCHES; t++) {
        HIT_MUST(hit_launch(hit, &empty, one, next, now, HIT_VALUE(0.5f)));
    }
    HIT_MUST(hit_wait(hit));
    return (bench_time() - start) / LAUNCHES;
}

static void run_loops(int *argc, char ***argv)
{
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *now = NULL;
    hit_tile *next = NULL;
    double best = 1;

    HIT_MUST(
        hit_open_with(argc, argv, &(hit_options){.devices = "host:threads=1"}, &hit));
    HIT_MUST(hit_layout_create(hit, hit_domain_of(3, 3), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &next));
    hit_layout_destroy(&layout);
    for (int k = 0; k < LOOPS; k++) {
        const double loop =
            run_loop(hit, hit_domain_grow(hit_domain_of(3, 3), -1), next, now);

        if (loop < best) best = loop;
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_close(&hit);
    printf("%.12f\n", best);
}

/* What `program run` prints. */
static double ask(const char *program)
{
    char command[PATH_MAX + 8];
    char line[64] = "";
    FILE *from;

    (void)snprintf(command, sizeof(command), "'%s' run", program);
    from = popen(command, "r");
    if (from == NULL || fgets(line, sizeof(line), from) == NULL || pclose(from) != 0) {
        bench_stop(1, "trace-off", program);
    }
    return strtod(line, NULL);
}

typedef struct programs {
    char with[PATH_MAX];
    char without[PATH_MAX];
} programs;

static double with_points(void *context)
{
    return ask(((programs *)context)->with);
}

static double without_points(void *context)
{
    return ask(((programs *)context)->without);
}

int main(int argc, char **argv)
{
    programs both;
    const char *slash = strrchr(argv[0], '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - argv[0]);

    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        run_loops(&argc, &argv);
        return 0;
    }
    unsetenv("HIT_TRACE");
    unsetenv("HIT_PROFILE");
    (void)snprintf(both.with, sizeof(both.with), "%s", argv[0]);
    (void)snprintf(both.without, sizeof(both.without), "%.*swithout/%s", folder, argv[0],
                   argv[0] + folder);
    bench_pair("trace-off", with_points, without_points, &both, true);
    return 0;
}
