/* SPDX-License-Identifier: MIT
 * Which loads can a process do in a time T? A few spans of integers, A(T). n units can be
 * done in T if n is a sum of one number of each A(T). The prefix sums of these sets tell,
 * and also give the shares, last process first. T is halved between what failed and the
 * makespan of the best shares so far, which is attained, so that nothing depends on a
 * tolerance. Simpler than HPOPTA (Khaleghzadeh, Reddy, Lastovetsky, "A novel data
 * partitioning algorithm for performance optimization of data-parallel applications on
 * heterogeneous HPC platforms", TPDS 29, 2018), a tree search over sampled sizes, and
 * exact for lines between points as well. */
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct search {
    hit_index n; /**< in grains */
    int parts;
    const hit_fpm *const *model;
    hit_index grain;  /**< units that all loads are multiples of */
    int *order;       /**< processes, those with tables last */
    hit_spans *loads; /**< by place in the order: what the process can do in time */
    hit_spans *sums;  /**< by place: of the loads of it and those before it */
    double low;       /**< seconds in which n cannot be done, but for rounding */
    int iterations;
    hit_partition_info best;
    hit_arrays arrays; /**< of order, loads and sums */
} search;

/** Fill loads. */
static hit_status find_loads(search *s, double seconds)
{
    hit_spans units = {0};
    hit_status st = HIT_OK;

    for (int i = 0; i < s->parts && st == HIT_OK; i++) {
        const hit_fpm *model = s->model[s->order[i]];

        hit_spans_empty(&s->loads[i]);
        if (s->grain == 1) {
            st = hit_fpm_within(model, seconds, s->n, &s->loads[i]);
            continue;
        }
        hit_spans_empty(&units);
        st = hit_fpm_within(model, seconds, s->n * s->grain, &units);
        for (size_t k = 0; k < units.count && st == HIT_OK; k++) {
            st = hit_spans_append(&s->loads[i], units.span[k].first / s->grain,
                                  units.span[k].last / s->grain);
        }
    }
    hit_spans_clear(&units);
    return st;
}

static hit_index largest(const hit_spans *loads)
{
    return loads->span[loads->count - 1].last;
}

/** The x of @p loads closest to @p wish for which n - x is in @p sums; -1 if there is
 * none. */
static hit_index choose(const hit_spans *loads, const hit_spans *sums, hit_index n,
                        double wish)
{
    hit_index best = -1;
    double distance = INFINITY;
    size_t k = 0;
    size_t j = sums->count;

    while (k < loads->count && j > 0) { /* n - sums and loads, both upwards */
        hit_span load = loads->span[k];
        hit_span rest = {n - sums->span[j - 1].last, n - sums->span[j - 1].first};
        hit_span both = {load.first > rest.first ? load.first : rest.first,
                         load.last < rest.last ? load.last : rest.last};

        if (both.first <= both.last) {
            hit_index x = wish <= (double)both.first  ? both.first
                          : wish >= (double)both.last ? both.last
                                                      : (hit_index)wish;

            if (fabs((double)x - wish) < distance) {
                distance = fabs((double)x - wish);
                best = x;
            }
        }
        if (load.last < rest.last) {
            k++;
        } else {
            j--;
        }
    }
    return best;
}

/** Find the loads that can be done in @p seconds and their sums. */
static hit_status try_time(search *s, double seconds, bool *feasible)
{
    hit_index room = 0; /* at most n */
    int last = s->parts - 1;
    hit_spans none = {1, 1, &(hit_span){0, 0}};

    s->iterations++;
    *feasible = false;
    HIT_TRY(find_loads(s, seconds));
    for (int i = 0; i < s->parts; i++) {
        hit_index most = largest(&s->loads[i]);

        room = most > s->n - room ? s->n : room + most;
    }
    if (room < s->n) return HIT_OK;
    for (int i = 0; i < last; i++) { /* the last sum is only asked for n */
        hit_spans_empty(&s->sums[i]);
        HIT_TRY(hit_sumset(i == 0 ? &none : &s->sums[i - 1], &s->loads[i], s->n,
                           &s->sums[i]));
    }
    *feasible =
        choose(&s->loads[last], last > 0 ? &s->sums[last - 1] : &none, s->n, 0.0) >= 0;
    return HIT_OK;
}

/** Shares from the loads and sums of a time that is feasible, each close to its part of
 * what all could do. */
static void recover(const search *s, hit_index share[])
{
    hit_index left = s->n;
    double room = 0.0;

    for (int i = 0; i < s->parts; i++) {
        room += (double)largest(&s->loads[i]);
    }
    for (int i = s->parts - 1; i > 0; i--) {
        double most = (double)largest(&s->loads[i]);
        double wish = most > 0.0 ? (double)left * (most / room) : 0.0;
        hit_index x = choose(&s->loads[i], &s->sums[i - 1], left, wish);

        share[s->order[i]] = x * s->grain;
        left -= x;
        room -= most;
    }
    share[s->order[0]] = left * s->grain;
}

/** Try @p seconds, which is less than the best makespan so far; makes that, or low,
 * closer to the optimum. */
static hit_status probe(search *s, double seconds, hit_index trial[], hit_index share[])
{
    bool feasible;
    double makespan = INFINITY;

    HIT_TRY(try_time(s, seconds, &feasible));
    if (feasible) {
        recover(s, trial);
        makespan = hit_partition_makespan(s->parts, s->model, trial);
    }
    if (makespan < s->best.makespan_s) {
        s->best.makespan_s = makespan;
        memcpy(share, trial, (size_t)s->parts * sizeof share[0]);
    }
    /* where times are constant, rounding may put some of them above both ends */
    if (makespan > seconds) s->low = seconds;
    return HIT_OK;
}

static hit_status bisect(search *s, hit_index trial[], hit_index share[])
{
    double bound = hit_partition_bound(s->n * s->grain, s->parts, s->model);
    bool feasible;

    HIT_TRY(try_time(s, DBL_MAX, &feasible));
    if (!feasible) {
        HIT_TRY(hit_partition_check_room(s->n * s->grain, s->parts, s->model));
        return HIT_FAIL(HIT_E_LIMIT,
                        "no choice of loads that the models allow sums up to %lld units",
                        (long long)(s->n * s->grain));
    }
    recover(s, share);
    s->best.makespan_s = hit_partition_makespan(s->parts, s->model, share);
    if (bound < s->best.makespan_s) HIT_TRY(probe(s, bound, trial, share));
    while (s->low < s->best.makespan_s) {
        double middle = hit_partition_middle(s->low, s->best.makespan_s);

        if (middle <= s->low) break;
        HIT_TRY(probe(s, middle, trial, share));
    }
    return HIT_OK;
}

/** Tables last: their gaps are then filled by the long spans of the others, and sums stay
 * few. */
static void set_order(search *s)
{
    int place = 0;

    for (int tables = 0; tables <= 1; tables++) {
        for (int i = 0; i < s->parts; i++) {
            bool table = hit_fpm_kind_of(s->model[i]) == HIT_FPM_TABLE;

            if (table == (tables == 1)) s->order[place++] = i;
        }
    }
}

static hit_status open_search(search *s)
{
    size_t parts = (size_t)s->parts;
    hit_index units = s->n;

    HIT_TRY(hit_partition_check(s->n, s->parts, s->model));
    s->grain = hit_partition_grain(s->parts, s->model);
    s->n /= s->grain;
    if (s->n * s->grain < units) {
        return HIT_FAIL(HIT_E_LIMIT,
                        "expected a multiple of %lld units, as all loads are, but found "
                        "%lld",
                        (long long)s->grain, (long long)units);
    }
    HIT_TRY(HIT_TAKE(&s->arrays, 2 * parts, s->loads));
    HIT_TRY(HIT_TAKE(&s->arrays, parts, s->order));
    s->sums = s->loads + parts;
    set_order(s);
    return HIT_OK;
}

static void close_search(search *s)
{
    for (int i = 0; s->loads != NULL && i < 2 * s->parts; i++) {
        hit_spans_clear(&s->loads[i]);
    }
    hit_arrays_free(&s->arrays);
}

hit_status hit_partition_optimal(hit_index n, int parts, const hit_fpm *const model[],
                                 hit_index share[], hit_partition_info *info)
{
    search s = {.n = n, .parts = parts, .model = model};
    const size_t count = parts > 0 ? (size_t)parts : 0;
    hit_index *trial = NULL;
    hit_status st = open_search(&s);

    if (st == HIT_OK) st = HIT_TAKE(&s.arrays, 2 * count, trial);
    if (st == HIT_OK) st = bisect(&s, trial, trial + count);
    if (st == HIT_OK) {
        memcpy(share, trial + count, count * sizeof share[0]);
        s.best.iterations = s.iterations;
        s.best.algorithm = "optimal";
        if (info != NULL) *info = s.best;
    }
    close_search(&s);
    return st;
}

hit_status hit_partition_feasible(hit_index n, int parts, const hit_fpm *const model[],
                                  double seconds, bool *feasible)
{
    search s = {.n = n, .parts = parts, .model = model};
    hit_status st = open_search(&s);

    *feasible = false;
    if (st == HIT_OK) st = try_time(&s, seconds, feasible);
    close_search(&s);
    return st == HIT_E_LIMIT ? HIT_OK : st;
}
