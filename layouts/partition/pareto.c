/* SPDX-License-Identifier: MIT
 * The least energy within a time bound is a sum over processes: dynamic programming over
 * units that are given out, process by process. It keeps, beside the least energy, the
 * shortest time with that energy, as both parts of a best partition are best ones. So one
 * pass answers with a member of the set; the next member is the answer to a bound below
 * its time. */
#include "layouts/partition/pareto.h"

#include "hit/base/memory.h"
#include "hit/data/sig.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    TABLE = 1 << 28 /* elements of all tables of one kind */
};

typedef struct search {
    hit_index n; /* in grains */
    int parts;
    hit_index grain; /* units that all loads are multiples of */
    size_t row;      /* n + 1 */
    double *time;    /* by process, then by grains */
    double *energy;
    double weight;  /* of energies: 0 where the shortest time is asked for */
    hit_index *top; /* by process: the largest load that is possible in the time bound */
    /* of so many processes, and so many grains given out: */
    double *least;     /* energy */
    double *shortest;  /* time with that energy */
    hit_arrays arrays; /* of all these */
} search;

static hit_status take_tables(search *s)
{
    const size_t parts = (size_t)s->parts;

    if (s->row > TABLE / (parts + 1)) {
        return HIT_FAIL(HIT_E_NOMEM,
                        "expected at most %d units times processes but found %" PRId64
                        " x %d",
                        TABLE, s->n, s->parts);
    }
    HIT_TRY(HIT_TAKE(&s->arrays, parts * s->row, s->time));
    HIT_TRY(HIT_TAKE(&s->arrays, parts * s->row, s->energy));
    HIT_TRY(HIT_TAKE(&s->arrays, parts, s->top));
    HIT_TRY(HIT_TAKE(&s->arrays, (parts + 1) * s->row, s->least));
    return HIT_TAKE(&s->arrays, (parts + 1) * s->row, s->shortest);
}

static void fill_tables(search *s, const hit_trade_models *models)
{
    for (int i = 0; i < s->parts; i++) {
        for (hit_index u = 0; u <= s->n; u++) {
            const size_t at = (size_t)i * s->row + (size_t)u;

            s->time[at] = hit_fpm_time(models->time[i], u * s->grain);
            s->energy[at] = hit_fpm_time(models->energy[i], u * s->grain);
            if (isinf(s->energy[at])) s->time[at] = INFINITY;
        }
    }
}

static hit_status open_search(search *s, hit_index n, const hit_trade_models *models)
{
    HIT_TRY(hit_partition_check(n, models->parts, models->time));
    HIT_TRY(hit_partition_check(n, models->parts, models->energy));
    *s = (search){.parts = models->parts,
                  .weight = 1,
                  .grain =
                      hit_index_gcd(hit_partition_grain(models->parts, models->time),
                                    hit_partition_grain(models->parts, models->energy))};
    if (n % s->grain != 0) {
        return HIT_FAIL(HIT_E_LIMIT,
                        "expected a multiple of %" PRId64
                        " units, as all loads of the models are, but found %" PRId64,
                        s->grain, n);
    }
    s->n = n / s->grain;
    s->row = (size_t)s->n + 1;
    HIT_TRY(take_tables(s));
    fill_tables(s, models);
    return HIT_OK;
}

/* ---- one member of the set ---- */

/* Of some numbers of grains that are given out. */
typedef struct sums {
    double *energy; /* the least */
    double *time;   /* the shortest with that energy */
} sums;

static sums sums_of(const search *s, int processes, hit_index grains)
{
    const size_t at = (size_t)processes * s->row + (size_t)grains;

    return (sums){s->least + at, s->shortest + at};
}

/* Give one more process a load: better sums of @p count numbers of grains. No branches:
 * compilers make vectors of it. */
static void give(double energy, double time, hit_index count, sums from, sums to)
{
    for (hit_index k = 0; k < count; k++) {
        const double e = from.energy[k] + energy;
        const double t = from.time[k] > time ? from.time[k] : time;
        const int better = (e < to.energy[k]) | ((e == to.energy[k]) & (t < to.time[k]));

        to.energy[k] = better ? e : to.energy[k];
        to.time[k] = better ? t : to.time[k];
    }
}

static void find_tops(search *s, double bound_s)
{
    for (int i = 0; i < s->parts; i++) {
        const double *time = s->time + (size_t)i * s->row;

        s->top[i] = s->n;
        while (s->top[i] > 0 &&
               !(time[s->top[i]] <= bound_s && isfinite(time[s->top[i]]))) {
            s->top[i]--;
        }
    }
}

/* Grains from @p low to @p high can be given out by processes 0..@p i. */
static void add_process(search *s, int i, double bound_s, hit_index low, hit_index high)
{
    const size_t before = (size_t)i * s->row;
    const size_t after = before + s->row;

    for (size_t k = 0; k < s->row; k++) {
        s->least[after + k] = s->shortest[after + k] = INFINITY;
    }
    for (hit_index u = 0; u <= s->top[i] && u <= high; u++) {
        const double time = s->time[before + (size_t)u];
        const hit_index first = u > low ? u : low;

        if (!(time <= bound_s) || isinf(time)) continue;
        give(s->weight * s->energy[before + (size_t)u], time, high - first + 1,
             sums_of(s, i, first - u), sums_of(s, i + 1, first));
    }
}

/* What was given to process @p i, when @p k grains were to it and those before. */
static hit_index given(const search *s, int i, hit_index k)
{
    const size_t before = (size_t)i * s->row;
    const size_t at = before + s->row + (size_t)k;
    hit_index u = 0;

    for (; u < s->top[i] && u < k; u++) {
        const size_t from = before + (size_t)(k - u);
        const double time = s->time[before + (size_t)u];
        const double longer = s->shortest[from] > time ? s->shortest[from] : time;

        if (s->least[from] + s->weight * s->energy[before + (size_t)u] == s->least[at] &&
            longer == s->shortest[at]) {
            break;
        }
    }
    return u;
}

/* The least energy within the bound, and of these partitions the fastest one. False:
 * there is none. */
static bool find(search *s, double bound_s, hit_trade *found)
{
    hit_index high = 0; /* of what can be given out */
    hit_index rest = 0; /* what the processes after can take */
    hit_index left = s->n;
    const size_t end = (size_t)s->parts * s->row + (size_t)s->n;

    find_tops(s, bound_s);
    for (int i = 0; i < s->parts; i++) {
        rest += s->top[i];
    }
    for (size_t k = 0; k < s->row; k++) {
        s->least[k] = s->shortest[k] = k == 0 ? 0 : INFINITY;
    }
    for (int i = 0; i < s->parts; i++) {
        rest -= s->top[i];
        high = high + s->top[i] < s->n ? high + s->top[i] : s->n;
        add_process(s, i, bound_s, s->n > rest ? s->n - rest : 0, high);
    }
    if (isinf(s->least[end])) return false;
    found->energy_j = s->least[end];
    found->makespan_s = s->shortest[end];
    for (int i = s->parts; i-- > 0;) {
        const hit_index u = given(s, i, left);

        found->share[i] = u * s->grain;
        left -= u;
    }
    return true;
}

/* The shortest time of all partitions: that of the fastest one where energies are none.
 */
static bool find_fastest(search *s, hit_trade *found)
{
    bool is_there;

    s->weight = 0;
    is_there = find(s, INFINITY, found);
    s->weight = 1;
    return is_there;
}

/* ---- the set ---- */

typedef struct trades {
    hit_trade *trade; /* with falling times */
    char *looked;     /* how often for a member between it and the next one */
    int count;
    size_t room;
    size_t looked_room;
} trades;

static hit_status infeasible(const search *s)
{
    return HIT_FAIL(HIT_E_LIMIT,
                    "infeasible: no loads that both models of each of %d processes allow "
                    "have a sum of %" PRId64 " units",
                    s->parts, s->n * s->grain);
}

/* Room for one more, whose share is there and whose number is that of the count. */
static hit_status add_room(const search *s, trades *made)
{
    const size_t count = (size_t)made->count + 1;
    hit_trade *last;

    HIT_TRY(hit_memory_grow(count, &made->room, sizeof(hit_trade),
                            "Pareto-optimal partitions", &made->trade));
    HIT_TRY(hit_memory_grow(count, &made->looked_room, 1, "Pareto-optimal partitions",
                            &made->looked));
    last = &made->trade[made->count];
    *last = (hit_trade){0};
    made->looked[made->count] = 0;
    HIT_TRY(hit_memory_zeroed((size_t)s->parts, sizeof(hit_index), &last->share));
    made->count++;
    return HIT_OK;
}

static void drop_last(trades *made)
{
    free(made->trade[--made->count].share);
}

/* The member at @p bound_s, if there is one, behind the others. */
static hit_status add_trade(search *s, double bound_s, trades *made, bool *is_there)
{
    HIT_TRY(add_room(s, made));
    *is_there = find(s, bound_s, &made->trade[made->count - 1]);
    if (!*is_there) drop_last(made);
    return HIT_OK;
}

/* From the least energy to the shortest time. */
static hit_status add_all(search *s, trades *made)
{
    double bound_s = INFINITY;
    bool is_there = true;

    while (is_there) {
        HIT_TRY(add_trade(s, bound_s, made, &is_there));
        if (is_there) bound_s = nextafter(made->trade[made->count - 1].makespan_s, -1);
    }
    return HIT_OK;
}

/* The member before the widest gap of times in which there may be one; -1: there is
 * none. */
static int widest_gap(const trades *made)
{
    double widest_s = 0;
    int at = -1;

    for (int k = 0; k + 1 < made->count; k++) {
        const double gap_s = made->trade[k].makespan_s - made->trade[k + 1].makespan_s;

        if (made->looked[k] == 2 || gap_s <= widest_s) continue;
        widest_s = gap_s;
        at = k;
    }
    return at;
}

/* Look for a member between number @p k and the next one: at the middle of their times,
 * then just below the longer one, which finds one if there is any. */
static hit_status look_between(search *s, int k, trades *made)
{
    const double longer_s = made->trade[k].makespan_s;
    const double shorter_s = made->trade[k + 1].makespan_s;
    const double middle_s = shorter_s + (longer_s - shorter_s) / 2;
    hit_trade found;
    bool is_there;

    HIT_TRY(add_trade(s, made->looked[k] == 0 ? middle_s : nextafter(longer_s, -1), made,
                      &is_there));
    found = made->trade[made->count - 1];
    if (!is_there || found.makespan_s == shorter_s) {
        made->looked[k]++;
        if (is_there) drop_last(made);
        return HIT_OK;
    }
    for (int m = made->count - 1; m > k + 1; m--) {
        made->trade[m] = made->trade[m - 1];
        made->looked[m] = made->looked[m - 1];
    }
    made->trade[k + 1] = found;
    made->looked[k + 1] = 0;
    return HIT_OK;
}

/* Both ends, and then a member in the widest gap, again and again. */
static hit_status add_some(search *s, double shortest_s, int most, trades *made)
{
    bool is_there;

    if (most > 1) HIT_TRY(add_trade(s, INFINITY, made, &is_there));
    if (most == 1 || made->trade[0].makespan_s > shortest_s) {
        HIT_TRY(add_trade(s, shortest_s, made, &is_there));
    }
    while (made->count < most) {
        const int gap = widest_gap(made);

        if (gap < 0) break;
        HIT_TRY(look_between(s, gap, made));
    }
    return HIT_OK;
}

static hit_status find_set(search *s, int most, trades *made)
{
    hit_trade quick = {0};
    hit_status st;

    if (most == 0) {
        HIT_TRY(add_all(s, made));
        return made->count > 0 ? HIT_OK : infeasible(s);
    }
    HIT_TRY(hit_memory_zeroed((size_t)s->parts, sizeof(hit_index), &quick.share));
    st = find_fastest(s, &quick) ? add_some(s, quick.makespan_s, most, made)
                                 : infeasible(s);
    free(quick.share);
    return st;
}

hit_status hit_partition_pareto(hit_index n, const hit_trade_models *models, int most,
                                hit_trade **trade, int *trades_made)
{
    search s = {0};
    trades made = {0};
    hit_status st;

    if (most < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected 0 points or more but found %d", most);
    }
    st = open_search(&s, n, models);
    if (st == HIT_OK) st = find_set(&s, most, &made);
    hit_arrays_free(&s.arrays);
    free(made.looked);
    if (st != HIT_OK) {
        hit_partition_trades_free(&made.trade, made.count);
        return st;
    }
    *trade = made.trade;
    *trades_made = made.count;
    return HIT_OK;
}

void hit_partition_trades_free(hit_trade **trade, int count)
{
    for (int k = 0; k < count; k++) {
        free((*trade)[k].share);
    }
    free(*trade);
    *trade = NULL;
}

/* The fastest one is within the bound, so there is a member. */
static hit_status find_thrifty(search *s, double slack, hit_trade *found)
{
    if (!find_fastest(s, found)) return infeasible(s);
    return find(s, found->makespan_s * (1 + slack), found) ? HIT_OK : infeasible(s);
}

hit_status hit_partition_thrifty(hit_index n, const hit_trade_models *models,
                                 double slack, hit_trade *found)
{
    search s = {0};
    hit_status st;

    if (!(slack >= 0) || isinf(slack)) {
        return HIT_FAIL(HIT_E_ARG, "expected a slack of 0 or more but found %g", slack);
    }
    st = open_search(&s, n, models);
    if (st == HIT_OK) st = find_thrifty(&s, slack, found);
    hit_arrays_free(&s.arrays);
    return st;
}
