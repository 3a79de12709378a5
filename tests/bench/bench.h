/* SPDX-License-Identifier: MIT
 * Honest pairs: two variants in turn in one run, the ratio pair by pair, its median and
 * its spread. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdbool.h>

enum {
    BENCH_ROUNDS = 31 /**< at most, and where a benchmark does not say */
};

/** Run once, return the seconds that count. */
typedef double (*bench_variant)(void *context);

/** Run @p ours and @p theirs in turn and print how much faster ours is (their seconds /
 * ours): a line for people and one JSON object {"name","ratio","low","high","unit"},
 * where low and high are the quartiles. @p correct says whether both gave the right
 * result; else the process must fail. */
void bench_pair(const char *name, bench_variant ours, bench_variant theirs, void *context,
                bool print);
/** One of several variants, and what it is given. */
typedef struct bench_turn {
    bench_variant run;
    void *context;
} bench_turn;

/** Run @p count variants in turn, @p rounds times (<= BENCH_ROUNDS) after one that does
 * not count: seconds[variant][round]. */
void bench_turns(const bench_turn turn[], int count, int rounds,
                 double seconds[][BENCH_ROUNDS]);
/** Print how much faster ours is, round by round, and what ours takes. */
void bench_ratio(const char *name, const double ours[], const double theirs[],
                 int rounds);
/** Print seconds times @p per_second. */
void bench_times(const char *name, const double seconds[], int rounds, double per_second,
                 const char *unit);
/** Print @p work / seconds. */
void bench_rates(const char *name, const double seconds[], int rounds, double work,
                 const char *unit);
double bench_median(const double seconds[], int rounds);
/** Run one variant and print its value in @p unit (seconds times @p per_second). */
void bench_value(const char *name, bench_variant variant, void *context,
                 double per_second, const char *unit);
/** Print a figure that does not vary in the same form. */
void bench_figure(const char *name, double value, const char *unit);
/** Say that a benchmark cannot be run or is wrong, and exit: 77 is skipped, 1 wrong. */
_Noreturn void bench_stop(int code, const char *name, const char *why);
/** How many rounds: @p most, or what BENCH_ROUNDS asks for: compare.sh, which runs the
 * program many times, asks for fewer. */
int bench_rounds(int most);
/** Seconds, monotonic; those of processors if BENCH_PROCESSOR is set, for variants of one
 * thread on a busy machine. */
double bench_time(void);

#endif
