/* SPDX-License-Identifier: MIT
 * Benchmarks: A B A B ..., after one round that does not count. Machines are shared and
 * noisy: the ratio of neighbours in time holds where seconds do not. */
#define _POSIX_C_SOURCE 200809L

#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_time(void)
{
    struct timespec now;

    clock_gettime(getenv("BENCH_PROCESSOR") != NULL ? CLOCK_PROCESS_CPUTIME_ID
                                                    : CLOCK_MONOTONIC,
                  &now);
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

/* Sorts them. */
static void print_figure(const char *name, double figure[], int count, const char *unit)
{
    double middle;
    double low;
    double high;

    qsort(figure, (size_t)count, sizeof(double), ascending);
    middle = figure[count / 2];
    low = figure[count / 4];
    high = figure[count - 1 - count / 4];
    printf("%-36s %8.3f   %8.3f to %8.3f  %s\n", name, middle, low, high, unit);
    printf(
        "{\"name\":\"%s\",\"ratio\":%.4f,\"low\":%.4f,\"high\":%.4f,\"unit\":\"%s\"}\n",
        name, middle, low, high, unit);
    fflush(stdout);
}

void bench_turns(const bench_turn turn[], int count, int rounds,
                 double seconds[][BENCH_ROUNDS])
{
    for (int t = 0; t < count; t++) {
        (void)after_rest(turn[t].run, turn[t].context);
    }
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < count; t++) {
            seconds[t][r] = after_rest(turn[t].run, turn[t].context);
        }
    }
}

double bench_median(const double seconds[], int rounds)
{
    double sorted[BENCH_ROUNDS];

    memcpy(sorted, seconds, (size_t)rounds * sizeof(double));
    qsort(sorted, (size_t)rounds, sizeof(double), ascending);
    return sorted[rounds / 2];
}

void bench_ratio(const char *name, const double ours[], const double theirs[], int rounds)
{
    double ratio[BENCH_ROUNDS];

    for (int r = 0; r < rounds; r++) {
        ratio[r] = theirs[r] / ours[r];
    }
    print_figure(name, ratio, rounds, "times as fast");
    bench_times(name, ours, rounds, 1e6, "microseconds"); /* for other commits */
}

void bench_times(const char *name, const double seconds[], int rounds, double per_second,
                 const char *unit)
{
    double value[BENCH_ROUNDS];

    for (int r = 0; r < rounds; r++) {
        value[r] = seconds[r] * per_second;
    }
    print_figure(name, value, rounds, unit);
}

void bench_rates(const char *name, const double seconds[], int rounds, double work,
                 const char *unit)
{
    double rate[BENCH_ROUNDS];

    for (int r = 0; r < rounds; r++) {
        rate[r] = work / seconds[r];
    }
    print_figure(name, rate, rounds, unit);
}

int bench_rounds(int most)
{
    const char *asked = getenv("BENCH_ROUNDS");
    const int rounds = asked == NULL ? most : atoi(asked);

    return rounds < 1 || rounds > most ? most : rounds;
}

void bench_pair(const char *name, bench_variant ours, bench_variant theirs, void *context,
                bool print)
{
    const bench_turn turn[2] = {{ours, context}, {theirs, context}};
    const int rounds = bench_rounds(BENCH_ROUNDS);
    double seconds[2][BENCH_ROUNDS];

    bench_turns(turn, 2, rounds, seconds);
    if (print) bench_ratio(name, seconds[0], seconds[1], rounds);
}

void bench_value(const char *name, bench_variant variant, void *context,
                 double per_second, const char *unit)
{
    const bench_turn turn = {variant, context};
    const int rounds = bench_rounds(BENCH_ROUNDS);
    double seconds[1][BENCH_ROUNDS];

    bench_turns(&turn, 1, rounds, seconds);
    bench_times(name, seconds[0], rounds, per_second, unit);
}

void bench_figure(const char *name, double value, const char *unit)
{
    print_figure(name, &value, 1, unit);
}

_Noreturn void bench_stop(int code, const char *name, const char *why)
{
    fprintf(stderr, "%s: %s\n", name, why);
    exit(code);
}
