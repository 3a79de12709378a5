/* SPDX-License-Identifier: MIT
 * Emulated processes for tests of balancing: times as functions of the load, and the best
 * makespan by other means than the library's. */
#ifndef TESTS_LAYOUTS_PARTITION_SPEEDS_H
#define TESTS_LAYOUTS_PARTITION_SPEEDS_H

#include "tests/support/random.h"

typedef enum speed_kind {
    SPEED_CONSTANT,
    SPEED_RISES, /* as start-up costs are amortised */
    SPEED_FALLS, /* as caches are exceeded, slowly */
    SPEED_RISES_FALLS,
    SPEED_CLIFF, /* many times slower beyond a limit */
    SPEED_FAILS, /* nothing beyond a limit */
    SPEED_STEPS, /* time rises in steps */
    SPEED_SAW,   /* faster at multiples of a tile: times fall there by up to a quarter */
    SPEED_ZERO,  /* never ends */
    SPEED_KINDS
} speed_kind;

typedef struct speed {
    speed_kind kind;
    double fastest; /* units per second */
    double at;      /* where it changes, in units */
    double factor;  /* of a cliff */
} speed;

/** The seconds of @p units; INFINITY: fails. */
double speed_time(const speed *s, hit_index units);
/** A process whose speed changes near an even share of @p even units. */
speed speed_random(hit_random *random, speed_kind kind, hit_index even);
/** The makespan of a distribution. */
double speed_makespan(int parts, const speed s[], const hit_index share[]);
/** The least makespan of @p n units; by dynamic programming over all distributions up to
 * 1000 units, else by bisection, for times that do not fall. */
double speed_optimum(hit_index n, int parts, const speed s[]);
/** In (0, 1), and of mean 0 and deviation 1. */
double speed_uniform(hit_random *random);
double speed_normal(hit_random *random);

#endif
