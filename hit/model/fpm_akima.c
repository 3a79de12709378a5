/* SPDX-License-Identifier: MIT
 * Akima, "A new method of interpolation and smooth curve fitting based on local
 * procedures" (J. ACM 17, 1970): cubic pieces whose slopes at the nodes weigh the secants
 * on both sides, so that one odd point bends only its neighbourhood. A curve through
 * times may still fall where no time does: who uses it must be able to say no. */
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_impl.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEWEST_NODES = 5 /* of a spline; below, speeds are linear */
};

struct hit_fpm_akima {
    size_t count;
    bool linear;     /**< speeds, as in the model */
    double *units;   /**< nodes; the first is 0 */
    double *seconds; /**< at the nodes */
    double *slope;   /**< at the nodes */
};

/** The slope of the secant from node @p k to the next; two virtual ones at either end. */
static double secant(const hit_fpm_akima *a, long k)
{
    long last = (long)a->count - 2;

    if (k < 0) return (double)(1 - k) * secant(a, 0) - (double)-k * secant(a, 1);
    if (k > last) {
        return (double)(k - last + 1) * secant(a, last) -
               (double)(k - last) * secant(a, last - 1);
    }
    return (a->seconds[k + 1] - a->seconds[k]) / (a->units[k + 1] - a->units[k]);
}

static double slope_at(const hit_fpm_akima *a, long k)
{
    double left = secant(a, k - 1);
    double right = secant(a, k);
    double left_weight = fabs(secant(a, k + 1) - right);
    double right_weight = fabs(left - secant(a, k - 2));
    double sum = left_weight + right_weight;

    if (sum <= 1e-9 * (fabs(left) + fabs(right))) return (left + right) / 2.0;
    return (left_weight * left + right_weight * right) / sum;
}

static hit_status add_nodes(const hit_fpm *fpm, hit_fpm_akima *a)
{
    a->count = 1; /* (0, 0) */
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        hit_fpm_point point = hit_fpm_point_at(fpm, k);
        double seconds = hit_fpm_point_time(fpm, k);

        if (hit_fpm_kind_of(fpm) == HIT_FPM_CONSTANT) { /* a straight line */
            point.units = 1.0;
            seconds = 1.0 / point.value;
        }
        if (point.units == 0.0) continue;
        if (isinf(seconds)) {
            return HIT_FAIL(HIT_E_ARG, "no curve through the infinite time of %g units",
                            point.units);
        }
        a->units[a->count] = point.units;
        a->seconds[a->count++] = seconds;
    }
    if (a->count == 1) return HIT_FAIL(HIT_E_ARG, "no curve without points");
    a->linear = a->count < FEWEST_NODES;
    for (size_t k = 0; k < a->count && !a->linear; k++) {
        a->slope[k] = slope_at(a, (long)k);
    }
    return HIT_OK;
}

hit_status hit_fpm_akima_create(const hit_fpm *fpm, hit_fpm_akima **akima)
{
    size_t most = hit_fpm_count(fpm) + 1;
    hit_fpm_akima *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    HIT_TRY_GOTO(st, hit_memory_zeroed(3 * most, sizeof(double), &made->units),
                 destroy_made);
    made->seconds = made->units + most;
    made->slope = made->seconds + most;
    HIT_TRY_GOTO(st, add_nodes(fpm, made), destroy_made);
    *akima = made;
    return HIT_OK;

destroy_made:
    hit_fpm_akima_destroy(&made);
    return st;
}

void hit_fpm_akima_destroy(hit_fpm_akima **akima)
{
    if (*akima == NULL) return;
    free((*akima)->units);
    free(*akima);
    *akima = NULL;
}

/** The last node that is not after @p units. */
static size_t find(const hit_fpm_akima *a, double units)
{
    size_t low = 1;
    size_t high = a->count;

    HIT_BISECT(k, low, high, a->units[k] > units);
    return low - 1;
}

/** The time between nodes @p k and k + 1 where the speed is a + b units. */
static double linear_time(const hit_fpm_akima *a, size_t k, double units, double *slope)
{
    double right = a->units[k + 1] / a->seconds[k + 1];
    double left = k == 0 ? right : a->units[k] / a->seconds[k];
    double rise = (right - left) / (a->units[k + 1] - a->units[k]);
    double speed = left + rise * (units - a->units[k]);

    *slope = (speed - rise * units) / (speed * speed);
    return units / speed;
}

double hit_fpm_akima_time(const hit_fpm_akima *akima, double units, double *slope)
{
    size_t k = find(akima, units);
    double width;
    double steep;
    double x;
    double square;
    double cube;

    if (k == akima->count - 1) {
        *slope = akima->seconds[k] / akima->units[k];
        return *slope * units;
    }
    width = akima->units[k + 1] - akima->units[k];
    steep = (akima->seconds[k + 1] - akima->seconds[k]) / width;
    x = units - akima->units[k];
    if (akima->linear) return linear_time(akima, k, units, slope);
    square = (3.0 * steep - 2.0 * akima->slope[k] - akima->slope[k + 1]) / width;
    cube = (akima->slope[k] + akima->slope[k + 1] - 2.0 * steep) / (width * width);
    *slope = akima->slope[k] + x * (2.0 * square + x * 3.0 * cube);
    return akima->seconds[k] + x * (akima->slope[k] + x * (square + x * cube));
}
