/* SPDX-License-Identifier: MIT
 * Lastovetsky and Reddy, "Data partitioning with a functional performance model of
 * heterogeneous processors" (IJHPCA 21, 2007): a line through the origin with slope 1/T
 * meets each speed function at the load that takes T, and bisecting between two lines is
 * bisecting T. Differs: loads are integers from the start, so that the result is the true
 * optimum and nothing is rounded; T is halved on the bits of doubles, so that bounds need
 * no search. Where times are constant over a range of loads, X(T) jumps by more than the
 * units that are missing; T and its neighbour then enclose the answer. */
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    hit_index n;
    int parts;
    const hit_fpm *const *model;
    int iterations;
    double low;        /**< a time in which at most n units can be done */
    double high;       /**< a time in which n units can be done */
    hit_index missing; /**< n less the units of under */
    hit_index *under;  /**< what each process does in the time low */
    hit_index *trial;
} search;

/** Try @p seconds: moves low, where at most n units can be done, or high. */
static void probe(search *s, double seconds)
{
    hit_index left = s->n;

    s->iterations++;
    for (int i = 0; i < s->parts && left >= 0; i++) {
        s->trial[i] = hit_fpm_inverse(s->model[i], seconds, s->n);
        left -= s->trial[i];
    }
    if (left < 0) {
        s->high = seconds;
    } else {
        hit_index *swap = s->under;

        s->low = seconds;
        s->missing = left;
        s->under = s->trial;
        s->trial = swap;
    }
}

/** The time after which even shares, as far as limits allow them, would be done. */
static double even_time(const search *s)
{
    hit_index even = s->n / s->parts + (s->n % s->parts != 0);
    double most = 0.0;

    for (int i = 0; i < s->parts; i++) {
        hit_index load = hit_fpm_inverse(s->model[i], INFINITY, even);

        most = fmax(most, hit_fpm_time(s->model[i], load));
    }
    return most;
}

/** Narrow the time down until fewer units are missing than there are processes, or no
 * time is left between low and high. */
static void narrow(search *s)
{
    double guess[2];

    guess[0] = even_time(s);
    guess[1] = hit_partition_bound(s->n, s->parts, s->model);
    for (int g = 0; g < 2; g++) {
        if (guess[g] > s->low && guess[g] < s->high) probe(s, guess[g]);
    }
    while (s->missing >= s->parts) {
        double middle = hit_partition_middle(s->low, s->high);

        if (middle <= s->low) break;
        probe(s, middle);
    }
}

/** Give the missing units. */
static hit_status complete(search *s)
{
    if (s->missing < s->parts) {
        return hit_partition_finish(s->missing, s->parts, s->model, s->under);
    }
    for (int i = 0; i < s->parts && s->missing > 0; i++) {
        hit_index most = hit_fpm_inverse(s->model[i], s->high, s->n);
        hit_index more = most > s->under[i] ? most - s->under[i] : 0;

        if (more > s->missing) more = s->missing;
        s->under[i] += more;
        s->missing -= more;
    }
    if (s->missing == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL, "%lld units are left", (long long)s->missing);
}

static hit_status check(hit_index n, int parts, const hit_fpm *const model[])
{
    HIT_TRY(hit_partition_check(n, parts, model));
    for (int i = 0; i < parts; i++) {
        if (hit_fpm_is_monotone(model[i])) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "expected times that never fall with the load but those of "
                        "process %d do",
                        i);
    }
    return hit_partition_check_room(n, parts, model);
}

hit_status hit_partition_gpa(hit_index n, int parts, const hit_fpm *const model[],
                             hit_index share[], hit_partition_info *info)
{
    search s = {.n = n, .parts = parts, .model = model, .high = DBL_MAX, .missing = n};
    hit_partition_info made = {.algorithm = "gpa"};
    hit_index *memory;
    hit_status st;

    HIT_TRY(check(n, parts, model));
    HIT_TRY(hit_memory_zeroed(2 * (size_t)parts, sizeof *memory, &memory));
    s.under = memory;
    s.trial = memory + parts;
    narrow(&s);
    made.iterations = s.iterations;
    HIT_TRY_GOTO(st, complete(&s), free_memory);
    HIT_TRY_GOTO(st, hit_partition_report(parts, model, s.under, made, info),
                 free_memory);
    memcpy(share, s.under, (size_t)parts * sizeof share[0]);

free_memory:
    free(memory);
    return st;
}
