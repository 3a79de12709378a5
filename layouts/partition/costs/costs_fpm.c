/* SPDX-License-Identifier: MIT
 * Runs of positions by cost and by models, where a longer run may take less time: dynamic
 * programming over parts and cuts. best[b] is the smallest makespan of the parts so far
 * for the positions before cut b. A run that takes longer than a known makespan even at
 * the part's highest speed is in no best cuts, which leaves a part about as many runs to
 * look at as it could do. */
#include "hit/base/alloc.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/costs/costs.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdint.h>

typedef struct search {
    const hit_costs *costs;
    double bound;   /**< no best cuts take longer */
    int cuts;       /**< 0..cuts */
    hit_index step; /**< positions between two cuts but the last two */
    double *best;   /**< by cut: of the parts so far; */
    double *next;   /**< and with one more */
    double *rate;   /**< of the part: seconds for one of so many steps */
    int32_t *from;  /**< by part and cut: where the part's run begins */
    hit_arrays arrays;
} search;

static hit_index at_cut(const search *s, int cut)
{
    return cut < s->cuts ? cut * s->step : s->costs->n;
}

/** hit_costs_time() between two cuts. */
static double time_of(const search *s, int i, int from, int to)
{
    const hit_index a = at_cut(s, from);
    const hit_index b = at_cut(s, to);

    if (to == s->cuts) return hit_costs_time(s->costs, i, a, b);
    if (isinf(s->rate[to - from])) return INFINITY;
    return (double)(s->costs->sum[b] - s->costs->sum[a]) * s->rate[to - from];
}

static void find_rates(search *s, int i)
{
    for (int steps = 1; steps < s->cuts; steps++) {
        const hit_index positions = steps * s->step;

        s->rate[steps] = hit_fpm_time(s->costs->fpm[i], positions) / (double)positions;
    }
}

/** Let part @p i follow those before it: from best to next. */
static void add_part(search *s, int i, int32_t from[])
{
    const hit_index *sum = s->costs->sum;
    const double fastest = hit_fpm_fastest(s->costs->fpm[i]);
    /* a load of no time has no speed */
    const double most = s->bound > 0 ? s->bound * fastest * (1 + 1e-9) : INFINITY;

    find_rates(s, i);
    for (int to = 0; to <= s->cuts; to++) {
        const hit_index end = sum[at_cut(s, to)];

        s->next[to] = s->best[to]; /* the part does nothing */
        from[to] = to;
        for (int a = to - 1; a >= 0; a--) {
            double seconds;

            if ((double)(end - sum[at_cut(s, a)]) > most) break;
            if (s->best[a] >= s->next[to]) continue;
            seconds = fmax(s->best[a], time_of(s, i, a, to));
            if (seconds >= s->next[to]) continue;
            s->next[to] = seconds;
            from[to] = a;
        }
    }
}

static hit_status open_search(search *s)
{
    const hit_index n = s->costs->n;
    size_t cuts;

    s->step = (n + HIT_COSTS_CUTS - 1) / HIT_COSTS_CUTS;
    if (s->step == 0) s->step = 1;
    s->cuts = (int)((n + s->step - 1) / s->step);
    cuts = (size_t)s->cuts + 1;
    HIT_TRY(HIT_TAKE(&s->arrays, cuts, s->best));
    HIT_TRY(HIT_TAKE(&s->arrays, cuts, s->next));
    HIT_TRY(HIT_TAKE(&s->arrays, cuts, s->rate));
    return HIT_TAKE(&s->arrays, (size_t)s->costs->parts * cuts, s->from);
}

/** The makespan of @p share where its cuts are moved to the ones that are looked at. */
static double find_bound(const search *s, const hit_index share[])
{
    hit_index position = 0;
    double most = 0;
    int from = 0;

    for (int i = 0; i < s->costs->parts; i++) {
        int to;

        position += share[i];
        to = position < s->costs->n ? (int)(position / s->step) : s->cuts;
        most = fmax(most, hit_costs_time(s->costs, i, at_cut(s, from), at_cut(s, to)));
        from = to;
    }
    return most;
}

static void run(search *s)
{
    for (int cut = 1; cut <= s->cuts; cut++) {
        s->best[cut] = INFINITY;
    }
    for (int i = 0; i < s->costs->parts; i++) {
        double *swap = s->best;

        add_part(s, i, s->from + (size_t)i * ((size_t)s->cuts + 1));
        s->best = s->next;
        s->next = swap;
    }
}

hit_status hit_costs_by_models(const hit_costs *costs, hit_index share[])
{
    search s = {.costs = costs};
    hit_status st = open_search(&s);
    int cut = s.cuts;

    if (st == HIT_OK) {
        s.bound = find_bound(&s, share);
        run(&s);
        if (isinf(s.best[s.cuts])) {
            st = hit_partition_check_room(costs->n, costs->parts, costs->fpm);
            if (st == HIT_OK) {
                st = HIT_FAIL(HIT_E_LIMIT,
                              "no runs in order that the models allow are %lld units",
                              (long long)costs->n);
            }
        }
    }
    for (int i = costs->parts - 1; st == HIT_OK && i >= 0; i--) {
        const int from = s.from[(size_t)i * ((size_t)s.cuts + 1) + (size_t)cut];

        share[i] = at_cut(&s, cut) - at_cut(&s, from);
        cut = from;
    }
    hit_arrays_free(&s.arrays);
    return st;
}
