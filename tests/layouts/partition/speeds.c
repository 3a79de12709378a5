/* SPDX-License-Identifier: MIT
 * Emulated processes; see speeds.h. */
#include "tests/layouts/partition/speeds.h"

#include <math.h>
#include <stdlib.h>

#define MOST_BY_ALL 1000

double speed_time(const speed *s, hit_index units)
{
    double x = (double)units;
    double t = x / s->fastest;

    if (units == 0) return 0.0;
    switch (s->kind) {
    case SPEED_RISES:
        return (x + s->at) / s->fastest;
    case SPEED_FALLS:
        return t * (1.0 + x / s->at);
    case SPEED_RISES_FALLS:
        return (x + 0.2 * s->at) / s->fastest * (1.0 + x / (4.0 * s->at));
    case SPEED_CLIFF:
        return x <= s->at ? t : t * s->factor;
    case SPEED_FAILS:
        return x <= s->at ? t : INFINITY;
    case SPEED_STEPS:
        return ceil(x / (0.05 * s->at)) * 0.05 * s->at / s->fastest;
    case SPEED_SAW: {
        double tile = fmax(2.0, 0.3 * s->at);

        return t * (1.0 + 0.25 * (ceil(x / tile) - x / tile));
    }
    case SPEED_ZERO:
        return INFINITY;
    default:
        return t;
    }
}

double speed_uniform(hit_random *random)
{
    return ((double)(hit_random_next(random) >> 11) + 0.5) * 0x1p-53;
}

double speed_normal(hit_random *random)
{
    double radius = sqrt(-2.0 * log(speed_uniform(random)));

    return radius * cos(4.0 * acos(0.0) * speed_uniform(random));
}

speed speed_random(hit_random *random, speed_kind kind, hit_index even)
{
    return (speed){.kind = kind,
                   .fastest = exp(log(100.0) * speed_uniform(random)),
                   .at = fmax(1.0, (double)even * exp(3.0 * speed_uniform(random) - 1.0)),
                   .factor = 3.0 + 30.0 * speed_uniform(random)};
}

double speed_makespan(int parts, const speed s[], const hit_index share[])
{
    double most = 0.0;

    for (int i = 0; i < parts; i++) {
        most = fmax(most, speed_time(&s[i], share[i]));
    }
    return most;
}

static double optimum_by_all(hit_index n, int parts, const speed s[])
{
    double best[MOST_BY_ALL + 1];

    for (hit_index m = 0; m <= n; m++) {
        best[m] = speed_time(&s[0], m);
    }
    for (int i = 1; i < parts; i++) {
        for (hit_index m = n; m >= 0; m--) {
            for (hit_index x = 1; x <= m; x++) {
                best[m] = fmin(best[m], fmax(speed_time(&s[i], x), best[m - x]));
            }
        }
    }
    return best[n];
}

/** The largest load up to @p n done in @p seconds. */
static hit_index most_in(const speed *s, double seconds, hit_index n)
{
    hit_index low = 0;
    hit_index high = n;

    while (low < high) {
        hit_index middle = low + (high - low + 1) / 2;

        if (speed_time(s, middle) <= seconds) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

double speed_optimum(hit_index n, int parts, const speed s[])
{
    double low = 0.0;
    double high = 1e18;

    if (n <= MOST_BY_ALL) return optimum_by_all(n, parts, s);
    for (int step = 0; step < 120; step++) {
        double middle = low > 0.0 ? sqrt(low * high) : high * 1e-36;
        hit_index sum = 0;

        for (int i = 0; i < parts; i++) {
            sum += most_in(&s[i], middle, n);
        }
        if (sum >= n) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}
