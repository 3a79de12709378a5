/* SPDX-License-Identifier: MIT
 * Ordered sets. Constant speeds: panels are given from the last to the first, each to the
 * process that would then finish first, so that every suffix is an optimal distribution
 * of its own and steps may have any weights. By models that fails: what is best for few
 * panels may exceed a memory when there are many. The Reverse algorithm starts with the
 * best counts for all panels and peels from the front: before a step the best counts for
 * the panels that are left are computed, and the process that exceeds its own most gives
 * up the next panel. */
#include "layouts/partition/ordered.h"

#include "hit/base/memory.h"
#include "layouts/partition/scale.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/** Processes as a heap: the one that would finish one more panel first is on top. */
typedef struct queue {
    int count;
    int *process;
    const double *speed;
    hit_index *panels; /**< of each process, and one more */
} queue;

static bool before(const queue *q, int i, int j)
{
    const double end_i = (double)q->panels[i] / q->speed[i];
    const double end_j = (double)q->panels[j] / q->speed[j];

    if (end_i < end_j || end_i > end_j) return end_i < end_j;
    return i < j;
}

static void sift_down(queue *q, int at)
{
    int moving = q->process[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= q->count) break;
        if (child + 1 < q->count && before(q, q->process[child + 1], q->process[child])) {
            child++;
        }
        if (!before(q, q->process[child], moving)) break;
        q->process[at] = q->process[child];
        at = child;
    }
    q->process[at] = moving;
}

static hit_status deal(queue *q, hit_index panels, int parts, int owner[])
{
    for (int i = 0; i < parts; i++) {
        if (!isfinite(q->speed[i]) || q->speed[i] < 0.0) {
            return HIT_FAIL(HIT_E_ARG, "expected speeds >= 0 but found %g at position %d",
                            q->speed[i], i);
        }
        q->panels[i] = 1;
        if (q->speed[i] > 0.0) q->process[q->count++] = i;
    }
    if (q->count == 0 && panels > 0) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld panels are left but all speeds are 0",
                        (long long)panels);
    }
    for (int at = q->count / 2 - 1; at >= 0; at--) {
        sift_down(q, at);
    }
    for (hit_index j = panels - 1; j >= 0; j--) {
        owner[j] = q->process[0];
        q->panels[owner[j]]++;
        sift_down(q, 0);
    }
    return HIT_OK;
}

hit_status hit_partition_ordered(hit_index panels, int parts, const double speed[],
                                 int owner[])
{
    queue q = {.speed = speed};
    hit_status st;

    HIT_TRY(check(panels, parts));
    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *q.process, &q.process));
    st = hit_memory_zeroed((size_t)parts, sizeof *q.panels, &q.panels);
    if (st == HIT_OK) st = deal(&q, panels, parts, owner);
    free(q.process);
    free(q.panels);
    return st;
}

/* ---- models ---- */

/** The steps, and who can do what. */
typedef struct steps {
    hit_index panels;
    const hit_index *height; /**< NULL: as many as there are panels left */
    int parts;
    const hit_fpm *const *fpm;
} steps;

/** The units of one panel when @p left panels are left. */
static hit_index height_of(const steps *s, hit_index left)
{
    return s->height != NULL ? s->height[s->panels - 1 - left] : left;
}

static double step_time(const steps *s, hit_index left, const hit_index count[])
{
    const hit_index height = height_of(s, left);
    double longest = 0.0;

    for (int i = 0; i < s->parts; i++) {
        longest = fmax(longest, hit_fpm_time(s->fpm[i], count[i] * height));
    }
    return longest;
}

double hit_partition_ordered_time(hit_index panels, const hit_index height[], int parts,
                                  const hit_fpm *const fpm[], const int owner[])
{
    const steps s = {panels, height, parts, fpm};
    hit_index *count;
    double sum = 0.0;

    if (hit_memory_zeroed((size_t)parts, sizeof *count, &count) != HIT_OK) {
        return INFINITY;
    }
    for (hit_index j = panels - 1; j > 0; j--) {
        count[owner[j]]++;
        sum += step_time(&s, panels - j, count);
    }
    free(count);
    return sum;
}

/** Who takes panel 0, which no step works on: who would be done with it first. */
static int take_first(const steps *s, const hit_index count[])
{
    const hit_index height = height_of(s, s->panels - 1);
    int first = 0;

    for (int i = 1; i < s->parts; i++) {
        if (hit_fpm_time(s->fpm[i], (count[i] + 1) * height) <
            hit_fpm_time(s->fpm[first], (count[first] + 1) * height)) {
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

static hit_status peel(const steps *s, hit_index count[], hit_index target[], int owner[])
{
    if (s->panels == 1) {
        const hit_index one = 1;
        const steps all = {2, &one, s->parts, s->fpm};

        owner[0] = take_first(&all, count);
        return HIT_OK;
    }
    for (hit_index j = 0; j < s->panels; j++) {
        const hit_index left = s->panels - 1 - j;

        for (int i = 0; left == 0 && i < s->parts; i++) {
            target[i] = 0;
        }
        if (left > 0) {
            HIT_TRY(
                hit_partition_scaled(left, height_of(s, left), s->parts, s->fpm, target));
        }
        if (j == 0) {
            for (int i = 0; i < s->parts; i++) {
                count[i] = target[i];
            }
            owner[0] = take_first(s, count);
            continue;
        }
        owner[j] = most_exceeding(s->parts, count, target);
        count[owner[j]]--;
    }
    return HIT_OK;
}

hit_status hit_partition_ordered_fpm(hit_index panels, const hit_index height[],
                                     int parts, const hit_fpm *const fpm[], int owner[])
{
    const steps s = {panels, height, parts, fpm};
    hit_index *count;
    hit_index *target;
    hit_status st;

    HIT_TRY(check(panels, parts));
    if (panels == 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *count, &count));
    st = hit_memory_zeroed((size_t)parts, sizeof *target, &target);
    if (st == HIT_OK) st = peel(&s, count, target, owner);
    free(count);
    free(target);
    return st;
}
