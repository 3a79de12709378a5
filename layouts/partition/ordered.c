/* SPDX-License-Identifier: MIT
 * Ordered sets. Constant speeds: panels are given from the last to the first, each to the
 * process that would then finish first, so that every suffix is an optimal distribution
 * of its own and steps may have any weights. By models that fails: what is best for few
 * panels may exceed a memory when there are many. The Reverse algorithm starts with the
 * best counts for all panels and peels from the front: before a step the best counts for
 * the panels that are left are computed, and the process that exceeds its own most gives
 * up the next panel. */
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- moving single panels to other parts, as long as that makes the steps faster ----
 * The Reverse algorithm decides on one step at a time and can be 10 % off at cliffs; this
 * brings it within 5 % on models whose speed does not rise, and closer on others. */

enum {
    MOST_LOOKS = 20000000, /* times in one pass over all panels */
    MOST_PASSES = 10
};

static const double IMPOSSIBLE_S = 1e200;

typedef struct climb {
    const hit_steps *steps;
    hit_index *count; /**< by panels left and part */
    double *time;     /**< of the step, by panels left */
    int *owner;
} climb;

/** The time of a step; what is impossible is very long, so that less of it is better. */
static double time_of(const climb *c, hit_index left, const hit_index count[])
{
    return fmin(hit_steps_time(c->steps, left, count), IMPOSSIBLE_S);
}

/** The time of the step on the last @p left panels if @p to had one panel of @p from. */
static double time_with(const climb *c, hit_index left, int from, int to)
{
    hit_index *count = c->count + left * c->steps->parts;
    double time;

    count[from]--;
    count[to]++;
    time = time_of(c, left, count);
    count[from]++;
    count[to]--;
    return time;
}

/** Give panel @p j to @p to if that is faster. */
static bool move(const climb *c, hit_index j, int to)
{
    const hit_index panels = c->steps->panels;
    const int from = c->owner[j];
    double change = 0.0;

    for (hit_index left = panels - j; left < panels; left++) {
        change += time_with(c, left, from, to) - c->time[left];
    }
    /* what roundings gain is nothing, and would go on for ever */
    if (!(change < -1e-9 * c->time[panels - j])) return false;
    for (hit_index left = panels - j; left < panels; left++) {
        c->time[left] = time_with(c, left, from, to);
        c->count[left * c->steps->parts + from]--;
        c->count[left * c->steps->parts + to]++;
    }
    c->owner[j] = to;
    return true;
}

static void start(const climb *c)
{
    const int parts = c->steps->parts;

    for (hit_index left = 1; left < c->steps->panels; left++) {
        hit_index *count = c->count + left * parts;

        memcpy(count, count - parts, (size_t)parts * sizeof *count);
        count[c->owner[c->steps->panels - left]]++;
        c->time[left] = time_of(c, left, count);
    }
}

static hit_status climb_steps(climb *c, hit_arrays *arrays)
{
    const hit_steps *steps = c->steps;
    const double looks = pow((double)steps->panels * (double)steps->parts, 2.0) / 2.0;
    const size_t panels = (size_t)steps->panels;
    bool moved = true;

    if (looks > MOST_LOOKS) return HIT_OK;
    HIT_TRY(HIT_TAKE(arrays, panels * (size_t)steps->parts, c->count));
    HIT_TRY(HIT_TAKE(arrays, panels, c->time));
    start(c);
    for (int pass = 0; moved && pass < MOST_PASSES; pass++) {
        moved = false;
        for (hit_index j = 1; j < steps->panels; j++) {
            for (int to = 0; to < steps->parts; to++) {
                if (to != c->owner[j] && move(c, j, to)) moved = true;
            }
        }
    }
    return HIT_OK;
}

static hit_status check(hit_index panels, int parts)
{
    if (panels < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected panels >= 0 but found %lld",
                        (long long)panels);
    }
    if (parts < 1) return HIT_FAIL(HIT_E_ARG, "expected parts >= 1 but found %d", parts);
    return HIT_OK;
}

/* ---- constant speeds ---- */

static hit_status deal(hit_index panels, int parts, const double speed[],
                       hit_arrays *arrays, int owner[])
{
    hit_process_queue q = {0};
    hit_index *count; /* panels of each process, and one more */

    HIT_TRY(HIT_TAKE(arrays, (size_t)parts, q.process));
    HIT_TRY(HIT_TAKE(arrays, (size_t)parts, q.seconds));
    HIT_TRY(HIT_TAKE(arrays, (size_t)parts, count));
    HIT_TRY(hit_partition_check_speeds(parts, speed));
    for (int i = 0; i < parts; i++) {
        if (!(speed[i] > 0.0)) continue;
        count[i] = 1;
        q.seconds[i] = 1.0 / speed[i];
        q.process[q.count++] = i;
    }
    if (q.count == 0 && panels > 0) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld panels are left but all speeds are 0",
                        (long long)panels);
    }
    hit_heap_make(q.count, q.process, hit_process_first, &q);
    for (hit_index j = panels - 1; j >= 0; j--) {
        const int i = q.process[0];

        owner[j] = i;
        q.seconds[i] = (double)++count[i] / speed[i];
        hit_heap_sink(q.count, q.process, 0, hit_process_first, &q);
    }
    return HIT_OK;
}

hit_status hit_partition_ordered(hit_index panels, int parts, const double speed[],
                                 int owner[])
{
    hit_arrays arrays = {NULL};
    hit_status st;

    HIT_TRY(check(panels, parts));
    st = deal(panels, parts, speed, &arrays, owner);
    hit_arrays_free(&arrays);
    return st;
}

/* ---- models ---- */

/** The units of one panel when @p left panels are left. */
static hit_index height_of(const hit_steps *steps, hit_index left)
{
    return steps->height != NULL ? steps->height[steps->panels - 1 - left] : left;
}

double hit_steps_time(const hit_steps *steps, hit_index left, const hit_index count[])
{
    const hit_index height = height_of(steps, left);
    double longest = 0.0;

    for (int i = 0; i < steps->parts; i++) {
        longest = fmax(longest, hit_fpm_time(steps->fpm[i], count[i] * height));
    }
    return longest;
}

/** The sum of the steps' times; @p count becomes what each part has of all panels but the
 * first. */
static double add_up(const hit_steps *s, const int owner[], hit_index count[])
{
    double sum = 0.0;

    memset(count, 0, (size_t)s->parts * sizeof *count);
    for (hit_index j = s->panels - 1; j > 0; j--) {
        count[owner[j]]++;
        sum += hit_steps_time(s, s->panels - j, count);
    }
    return sum;
}

double hit_partition_ordered_time(hit_index panels, const hit_index height[], int parts,
                                  const hit_fpm *const fpm[], const int owner[])
{
    const hit_steps s = {panels, height, parts, fpm};
    hit_index *count;
    double sum;

    if (hit_memory_zeroed((size_t)parts, sizeof *count, &count) != HIT_OK) {
        return INFINITY;
    }
    sum = add_up(&s, owner, count);
    free(count);
    return sum;
}

/** Who takes panel 0, which no step works on: who would be done with it first. */
static int take_first(const hit_steps *s, const hit_index count[])
{
    const hit_index height = s->panels > 1 ? height_of(s, s->panels - 1) : 1;
    double least = INFINITY;
    int first = 0;

    for (int i = 0; i < s->parts; i++) {
        const double end = hit_fpm_time(s->fpm[i], (count[i] + 1) * height);

        if (end < least) {
            least = end;
            first = i;
        }
    }
    return first;
}

/** Who gives up a panel: who exceeds @p target most, the lower number on ties. */
static int most_exceeding(int parts, const hit_index count[], const hit_index target[])
{
    int most = 0;

    for (int i = 1; i < parts; i++) {
        if (count[i] - target[i] > count[most] - target[most]) most = i;
    }
    return most;
}

/** The owners of all panels but the first, by the Reverse algorithm. */
static hit_status reverse(const hit_steps *s, hit_index count[], hit_index target[],
                          int owner[])
{
    hit_index left = s->panels - 1;

    if (left < 1) return HIT_OK;
    HIT_TRY(hit_partition_scaled(left, height_of(s, left), s->parts, s->fpm, count));
    for (hit_index j = 1; j < s->panels; j++) {
        left = s->panels - 1 - j;
        memset(target, 0, (size_t)s->parts * sizeof *target);
        if (left > 0) {
            HIT_TRY(
                hit_partition_scaled(left, height_of(s, left), s->parts, s->fpm, target));
        }
        owner[j] = most_exceeding(s->parts, count, target);
        count[owner[j]]--;
    }
    return HIT_OK;
}

static hit_status find_owners(const hit_steps *s, hit_arrays *arrays, int owner[])
{
    hit_index *count;
    hit_index *target;

    HIT_TRY(HIT_TAKE(arrays, (size_t)s->parts, count));
    HIT_TRY(HIT_TAKE(arrays, (size_t)s->parts, target));
    if (hit_steps_are_few(s)) {
        HIT_TRY(hit_steps_optimal(s, arrays, owner));
    } else {
        HIT_TRY(reverse(s, count, target, owner));
        HIT_TRY(climb_steps(&(climb){.steps = s, .owner = owner}, arrays));
    }
    if (isinf(add_up(s, owner, count))) {
        return HIT_FAIL(HIT_E_LIMIT,
                        "no owners of %lld panels are found that the models allow in "
                        "each step",
                        (long long)s->panels);
    }
    owner[0] = take_first(s, count);
    return HIT_OK;
}

static hit_status check_models(const hit_steps *s)
{
    HIT_TRY(check(s->panels, s->parts));
    if (s->height == NULL && s->panels > INT32_MAX) {
        return HIT_FAIL(HIT_E_ARG, "expected panels < 2^31 but found %lld",
                        (long long)s->panels);
    }
    for (int i = 0; i < s->parts; i++) {
        if (hit_fpm_count(s->fpm[i]) > 0) continue;
        return HIT_FAIL(HIT_E_ARG, "the model of process %d has no points", i);
    }
    for (hit_index k = 0; s->height != NULL && k < s->panels - 1; k++) {
        if (s->height[k] >= 1 && s->height[k] <= (INT64_C(1) << 62) / s->panels) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "expected panels of at least 1 unit and of at most 2^62 in all "
                        "but found %lld at step %lld",
                        (long long)s->height[k], (long long)k);
    }
    return HIT_OK;
}

hit_status hit_partition_ordered_fpm(hit_index panels, const hit_index height[],
                                     int parts, const hit_fpm *const fpm[], int owner[])
{
    const hit_steps s = {panels, height, parts, fpm};
    hit_arrays arrays = {NULL};
    hit_status st;

    HIT_TRY(check_models(&s));
    if (panels == 0) return HIT_OK;
    st = find_owners(&s, &arrays, owner);
    hit_arrays_free(&arrays);
    return st;
}
