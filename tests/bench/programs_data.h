/* SPDX-License-Identifier: MIT
 * What kernels and plain C of the benchmark `programs` have in common: sizes, and the
 * longer formulas. */
#ifndef TESTS_BENCH_PROGRAMS_DATA_H
#define TESTS_BENCH_PROGRAMS_DATA_H

enum {
    SCAN_BLOCK = 1024, /* as the patterns of programs.k.c say */
    BINS = 256,
    FEATURES = 8,
    CENTRES = 10,
    SPEEDS = 9 /* of a lattice Boltzmann cell */
};

#include "hit/kernel.h"

#include <math.h>

/** A body at a distance attracts: its share of the acceleration is added. */
static HIT_INLINE void bench_attract(float x, float y, float z, float mass,
                                     float *HIT_RESTRICT sum)
{
    const float square = x * x + y * y + z * z + 0.01f;
    const float inverse = 1.0f / sqrtf(square);
    const float force = mass * inverse * inverse * inverse;

    sum[0] += force * x;
    sum[1] += force * y;
    sum[2] += force * z;
}

static HIT_INLINE float bench_normal(float x)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    const float tail =
        0.39894228f * expf(-0.5f * x * x) * k *
        (0.31938153f + k * (-0.356563782f +
                            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));

    return x > 0 ? 1.0f - tail : tail;
}

/** The price of a call; that of the put follows. */
static HIT_INLINE float bench_call(float price, float strike, float years, float *put)
{
    const float rate = 0.02f;
    const float root = 0.3f * sqrtf(years);
    const float one = (logf(price / strike) + (rate + 0.5f * 0.3f * 0.3f) * years) / root;
    const float first = bench_normal(one);
    const float second = bench_normal(one - root);
    const float later = strike * expf(-rate * years);

    *put = later * (1.0f - second) - price * (1.0f - first);
    return price * first - later * second;
}

#endif
