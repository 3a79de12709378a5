/* SPDX-License-Identifier: MIT
 * Benchmarks: A B A B ..., after one round that does not count. Machines are shared and
 * noisy: the ratio of neighbours in time holds where seconds do not. */
#define _POSIX_C_SOURCE 200809L

#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROUNDS = 31
};

double bench_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Threads of an OpenMP runtime go on spinning for some milliseconds after their last
 * loop, on the cores of the other variant: neither begins before they sleep. */
static double after_rest(bench_variant variant, void *context)
{
    const struct timespec rest = {0, 100000000};

    nanosleep(&rest, NULL);
    return variant(context);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print_figure(const char *name, double figure[], const char *unit)
{
    qsort(figure, ROUNDS, sizeof(double), ascending);
    printf("%-16s %8.3f   %8.3f to %8.3f  %s\n", name, figure[ROUNDS / 2],
           figure[ROUNDS / 4], figure[ROUNDS - 1 - ROUNDS / 4], unit);
    printf(
        "{\"name\":\"%s\",\"ratio\":%.4f,\"low\":%.4f,\"high\":%.4f,\"unit\":\"%s\"}\n",
        name, figure[ROUNDS / 2], figure[ROUNDS / 4], figure[ROUNDS - 1 - ROUNDS / 4],
        unit);
    fflush(stdout);
}

void bench_pair(const char *name, bench_variant ours, bench_variant theirs, void *context,
                bool print)
{
    double ratio[ROUNDS];

    ours(context);
    theirs(context);
    for (int k = 0; k < ROUNDS; k++) {
        const double mine = after_rest(ours, context);

        ratio[k] = after_rest(theirs, context) / mine;
    }
    if (print) print_figure(name, ratio, "times as fast");
}

void bench_value(const char *name, bench_variant variant, void *context,
                 double per_second, const char *unit)
{
    double value[ROUNDS];

    variant(context);
    for (int k = 0; k < ROUNDS; k++) {
        value[k] = after_rest(variant, context) * per_second;
    }
    print_figure(name, value, unit);
}

void bench_figure(const char *name, double value, const char *unit)
{
    double figure[ROUNDS];

    for (int k = 0; k < ROUNDS; k++) {
        figure[k] = value;
    }
    print_figure(name, figure, unit);
}

void bench_stop(int code, const char *name, const char *why)
{
    fprintf(stderr, "%s: %s\n", name, why);
    exit(code);
}
