/* SPDX-License-Identifier: MIT
 * Links by least squares. There are three costs, so that the non-negative fit is found by
 * looking at all seven sets of costs that are not zero. Relative errors count: a latency
 * shows in copies of microseconds, a bandwidth in those of milliseconds. */
#include "hit/model/link.h"

#include <math.h>

enum {
    COSTS = 3,           /* latency, bytes, runs */
    USUAL_RUN_BYTES = 16 /* the copy engine of an H200 brings runs of 64 bytes at 31 GB/s,
                            and a core packs 2 to 5 (docs/measured.md) */
};

const char *hit_link_text(hit_link_name name)
{
    static const char *const text[HIT_LINK_NAMES] = {
        "in", "out", "within", "in_packed", "out_packed", "message"};

    return name >= 0 && name < HIT_LINK_NAMES ? text[name] : "unknown";
}

double hit_link_time(const hit_link *link, double runs, double bytes)
{
    return link->latency_s + runs * link->run_s + bytes * link->byte_s;
}

/* ---- the fit ---- */

/* What a sample says of each cost, divided by its time. */
static void equation(const hit_link_sample *sample, double of[COSTS])
{
    of[0] = 1 / sample->seconds;
    of[1] = sample->bytes / sample->seconds;
    of[2] = sample->runs / sample->seconds;
}

/* Sum of squared relative errors. */
static double error_of(int count, const hit_link_sample sample[],
                       const double cost[COSTS])
{
    double sum = 0;

    for (int k = 0; k < count; k++) {
        double of[COSTS];
        double error = -1;

        equation(&sample[k], of);
        for (int c = 0; c < COSTS; c++) {
            error += cost[c] * of[c];
        }
        sum += error * error;
    }
    return sum;
}

/* Solve the normal equations a x = b of n unknowns; false: they are singular. Unknowns
 * differ by many orders of magnitude, so each is scaled first. */
static bool solve(int n, double a[COSTS][COSTS], double b[COSTS], double x[COSTS])
{
    double scale[COSTS];

    for (int i = 0; i < n; i++) {
        if (!(a[i][i] > 0)) return false;
        scale[i] = 1 / sqrt(a[i][i]);
    }
    for (int i = 0; i < n; i++) {
        b[i] *= scale[i];
        for (int j = 0; j < n; j++) {
            a[i][j] *= scale[i] * scale[j];
        }
    }
    for (int p = 0; p < n; p++) { /* symmetric and positive: no pivoting */
        if (a[p][p] < 1e-12) return false;
        for (int i = p + 1; i < n; i++) {
            const double factor = a[i][p] / a[p][p];

            for (int j = p; j < n; j++) {
                a[i][j] -= factor * a[p][j];
            }
            b[i] -= factor * b[p];
        }
    }
    for (int i = n; i-- > 0;) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++) {
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
    for (int i = 0; i < n; i++) {
        x[i] *= scale[i];
    }
    return true;
}

/* The best costs of which those outside of the set @p used are 0; false: there are none,
 * or one is negative. */
static bool fit_set(unsigned used, int count, const hit_link_sample sample[],
                    double cost[COSTS])
{
    double a[COSTS][COSTS] = {{0}};
    double b[COSTS] = {0};
    double x[COSTS] = {0};
    int which[COSTS];
    int n = 0;

    for (int c = 0; c < COSTS; c++) {
        cost[c] = 0;
        if ((used >> c & 1u) != 0) which[n++] = c;
    }
    for (int k = 0; k < count; k++) {
        double of[COSTS];

        equation(&sample[k], of);
        for (int i = 0; i < n; i++) {
            b[i] += of[which[i]];
            for (int j = 0; j < n; j++) {
                a[i][j] += of[which[i]] * of[which[j]];
            }
        }
    }
    if (!solve(n, a, b, x)) return false;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0) return false;
        cost[which[i]] = x[i];
    }
    return true;
}

hit_status hit_link_fit(int count, const hit_link_sample sample[], hit_link *link)
{
    double best[COSTS] = {0};
    double least = INFINITY;

    if (count < 1) return HIT_FAIL(HIT_E_ARG, "expected copies that were timed");
    for (int k = 0; k < count; k++) {
        if (sample[k].seconds > 0 && isfinite(sample[k].seconds)) continue;
        return HIT_FAIL(HIT_E_ARG, "expected the seconds of a copy but found %g",
                        sample[k].seconds);
    }
    for (unsigned used = 1; used < 1u << COSTS; used++) {
        double cost[COSTS];
        double error;

        if (!fit_set(used, count, sample, cost)) continue;
        error = error_of(count, sample, cost);
        if (!(error < least * (1 - 1e-9))) continue;
        least = error;
        for (int c = 0; c < COSTS; c++) {
            best[c] = cost[c];
        }
    }
    *link = (hit_link){.latency_s = best[0], .byte_s = best[1], .run_s = best[2]};
    return HIT_OK;
}

/* ---- what follows from links ---- */

/* What counts until something was measured. Only the difference counts: packing takes
 * twice the time of sending. */
static hit_link usual(bool packed)
{
    const double byte_s = 1e-10;

    if (packed) return (hit_link){.byte_s = 2 * byte_s};
    return (hit_link){.byte_s = byte_s, .run_s = USUAL_RUN_BYTES * byte_s};
}

static bool knows(const hit_links *links, hit_link_name name)
{
    return (links->known >> name & 1u) != 0;
}

static hit_link_name packed_of(hit_link_name direct)
{
    return direct == HIT_LINK_OUT ? HIT_LINK_OUT_PACKED : HIT_LINK_IN_PACKED;
}

bool hit_link_packs(const hit_links *links, hit_link_name direct, double runs,
                    double bytes)
{
    const hit_link_name packed = packed_of(direct);
    const bool both = knows(links, direct) && knows(links, packed);
    const hit_link one = both ? links->link[direct] : usual(false);
    const hit_link other = both ? links->link[packed] : usual(true);

    if (runs <= 1) return false;
    return hit_link_time(&other, runs, bytes) < hit_link_time(&one, runs, bytes);
}

double hit_links_time(const hit_links *links, hit_link_name name, double runs,
                      double bytes)
{
    const bool crosses = name == HIT_LINK_IN || name == HIT_LINK_OUT;

    if (!knows(links, name)) return NAN;
    if (crosses && knows(links, packed_of(name)) &&
        hit_link_packs(links, name, runs, bytes)) {
        name = packed_of(name);
    }
    return hit_link_time(&links->link[name], runs, bytes);
}
