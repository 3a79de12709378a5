/* SPDX-License-Identifier: MIT
 * Rychkov, Clarke, Lastovetsky, "Using multidimensional solvers for optimal data
 * partitioning on dedicated heterogeneous HPC platforms" (PaCT 2011): t_i(x_i) = T for
 * all i and sum x_i = n, on Akima splines. Differs: the Jacobian is an arrow, so that a
 * Newton step is O(p) and needs no linear solver; limits are kept by fixing who exceeds
 * them; and since equal times are not the goal, one feasibility test (optimal.c) says
 * whether a much better partition exists, in which case this one is not given out. */
#include "hit/model/fpm_impl.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 60,
    MOST_HALVINGS = 30,
    MOST_ROUNDS = 60 /* in which processes are fixed at their limits */
};
static const double SMALL_RESIDUAL = 1e-9;
static const double WORST_RATIO = 1.1; /* of the makespan and the smallest one */

typedef struct process {
    int index;
    hit_index most;
    hit_fpm_akima *akima;
    double x;
    double seconds; /**< at x */
    double slope;   /**< at x, > 0 */
    double step;
} process;

typedef struct equations {
    int count;
    process *process; /**< those with unknown loads come first */
    double n;         /**< the sum of the unknown loads */
    double seconds;   /**< T */
    double residual;
    int steps;
} equations;

/** The largest relative error of an equation; sets seconds and slopes. */
static double evaluate(equations *e)
{
    double sum = 0.0;
    double residual = 0.0;

    for (int i = 0; i < e->count; i++) {
        process *p = &e->process[i];

        p->seconds = hit_fpm_akima_time(p->akima, p->x, &p->slope);
        if (!isfinite(p->seconds)) return INFINITY;
        p->slope = fmax(p->slope, 1e-3 * fabs(p->seconds) / p->x); /* splines may fall */
        if (!(p->slope > 0.0)) p->slope = e->seconds / e->n;
        residual = fmax(residual, fabs(p->seconds - e->seconds) / e->seconds);
        sum += p->x;
    }
    return fmax(residual, fabs(sum - e->n) / e->n);
}

/** The Newton step: sets steps and returns the change of T. */
static double newton(equations *e)
{
    double weights = 0.0;
    double missing = e->n;
    double change;

    for (int i = 0; i < e->count; i++) {
        const process *p = &e->process[i];

        weights += 1.0 / p->slope;
        missing -= p->x + (e->seconds - p->seconds) / p->slope;
    }
    change = missing / weights;
    for (int i = 0; i < e->count; i++) {
        process *p = &e->process[i];

        p->step = (e->seconds + change - p->seconds) / p->slope;
    }
    return change;
}

static void move(equations *e, double part, double change)
{
    for (int i = 0; i < e->count; i++) {
        e->process[i].x += part * e->process[i].step;
    }
    e->seconds += part * change;
}

/** One damped step. Does the residual fall? */
static bool descend(equations *e)
{
    double change = newton(e);
    double part = 1.0;

    for (int i = 0; i < e->count; i++) { /* no load falls by more than 90 % */
        const process *p = &e->process[i];

        if (p->step < 0.0) part = fmin(part, -0.9 * p->x / p->step);
    }
    if (change < 0.0) part = fmin(part, -0.9 * e->seconds / change);
    for (int halving = 0; halving < MOST_HALVINGS; halving++) {
        double residual;

        move(e, part, change);
        residual = evaluate(e);
        if (residual < e->residual) {
            e->residual = residual;
            return true;
        }
        move(e, -part, change);
        part /= 2.0;
    }
    return false;
}

static hit_status solve(equations *e)
{
    double sum = 0.0;

    for (int i = 0; i < e->count; i++) {
        sum += e->process[i].x;
    }
    e->seconds = 1.0;
    for (int i = 0; i < e->count; i++) {
        e->process[i].x *= e->n / sum;
    }
    (void)evaluate(e);
    e->seconds = 0.0;
    for (int i = 0; i < e->count; i++) {
        e->seconds = fmax(e->seconds, e->process[i].seconds);
    }
    if (!(e->seconds > 0.0) || isinf(e->seconds)) {
        return HIT_FAIL(HIT_E_ARG, "numerical declines: times from 0 to %g s",
                        e->seconds);
    }
    e->residual = evaluate(e);
    for (int step = 0; step < MOST_STEPS && e->residual > SMALL_RESIDUAL; step++) {
        e->steps++;
        if (!descend(e)) break;
    }
    if (e->residual <= SMALL_RESIDUAL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "numerical declines: the solver stops %g away from a solution",
                    e->residual);
}

/** Fix the processes that exceed their limits there, behind the others. Were there any?
 */
static bool fix(equations *e, hit_index share[])
{
    int before = e->count;

    for (int i = 0; i < e->count;) {
        process over = e->process[i];

        if (over.x <= (double)over.most) {
            i++;
            continue;
        }
        share[over.index] = over.most;
        e->n -= (double)over.most;
        e->process[i] = e->process[--e->count];
        e->process[e->count] = over;
    }
    return e->count < before;
}

/** Whole shares: rounded down, and the last units one by one. */
static hit_status round_shares(const equations *e, hit_index n, int parts,
                               const hit_fpm *const model[], hit_index share[])
{
    double sum = 0.0;

    for (int i = 0; i < e->count; i++) {
        sum += e->process[i].x;
    }
    for (int i = 0; i < e->count; i++) {
        const process *p = &e->process[i];
        double exact = p->x * (e->n / sum) * (1.0 - DBL_EPSILON * (parts + 4));

        share[p->index] = exact < (double)p->most ? (hit_index)exact : p->most;
    }
    for (int i = 0; i < parts; i++) {
        n -= share[i];
    }
    if (n < 0) return HIT_FAIL(HIT_E_INTERNAL, "%lld units too many", (long long)-n);
    if (hit_partition_finish(n, parts, model, share) != HIT_OK ||
        isinf(hit_partition_makespan(parts, model, share))) {
        return HIT_FAIL(HIT_E_ARG, "numerical declines: a share is not possible");
    }
    return HIT_OK;
}

/** Is there any partition? */
static hit_status check_feasible(hit_index n, int parts, const hit_fpm *const model[])
{
    bool feasible;

    HIT_TRY(hit_partition_check(n, parts, model));
    HIT_TRY(hit_partition_check_room(n, parts, model));
    HIT_TRY(hit_partition_feasible(n, parts, model, INFINITY, &feasible));
    if (feasible) return HIT_OK;
    return HIT_FAIL(HIT_E_LIMIT,
                    "no choice of loads that the models allow sums up to "
                    "%lld units",
                    (long long)n);
}

/** Is there no partition that is much better? */
static hit_status certify(hit_index n, int parts, const hit_fpm *const model[],
                          double makespan_s)
{
    bool feasible;

    if (makespan_s == 0.0) return HIT_OK;
    HIT_TRY(hit_partition_feasible(n, parts, model, makespan_s / WORST_RATIO, &feasible));
    if (!feasible) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "numerical declines: its partition takes %g s but there is one of at "
                    "most %g s",
                    makespan_s, makespan_s / WORST_RATIO);
}

static hit_status solve_with_limits(equations *e, hit_index n, int parts,
                                    const hit_fpm *const model[], hit_index share[])
{
    int rounds = 0;

    if (n > 0) {
        do {
            if (rounds++ == MOST_ROUNDS || e->count == 0 || !(e->n > 0.0)) {
                return HIT_FAIL(HIT_E_ARG, "numerical declines: too many limits");
            }
            HIT_TRY(solve(e));
        } while (fix(e, share));
    }
    HIT_TRY(round_shares(e, n, parts, model, share));
    return certify(n, parts, model, hit_partition_makespan(parts, model, share));
}

/** Curves for the processes that can do something. */
static hit_status add_processes(equations *e, hit_index n, int parts,
                                const hit_fpm *const model[])
{
    for (int i = 0; i < parts; i++) {
        process *p = &e->process[e->count];
        hit_status st;

        p->index = i;
        p->most = hit_fpm_inverse(model[i], INFINITY, n);
        if (p->most == 0) continue;
        st = hit_fpm_akima_create(model[i], &p->akima);
        if (st != HIT_OK) {
            return HIT_FAIL(st, "numerical declines: process %d: %s", i,
                            hit_status_text());
        }
        p->x = hit_fpm_speed(model[i], fmax(1.0, e->n / parts));
        if (!(p->x > 0.0)) p->x = hit_fpm_fastest(model[i]);
        e->count++;
    }
    return HIT_OK;
}

hit_status hit_partition_numerical(hit_index n, int parts, const hit_fpm *const model[],
                                   hit_index share[], hit_partition_info *info)
{
    equations e = {.n = (double)n};
    hit_partition_info made = {.algorithm = "numerical"};
    hit_arrays arrays = {NULL};
    hit_index *trial = NULL;
    hit_status st;

    HIT_TRY(check_feasible(n, parts, model));
    st = HIT_TAKE(&arrays, (size_t)parts, trial);
    if (st == HIT_OK) st = HIT_TAKE(&arrays, (size_t)parts, e.process);
    if (st == HIT_OK) st = add_processes(&e, n, parts, model);
    if (st == HIT_OK) st = solve_with_limits(&e, n, parts, model, trial);
    made.iterations = e.steps;
    if (st == HIT_OK) st = hit_partition_report(parts, model, trial, made, info);
    if (st == HIT_OK) memcpy(share, trial, (size_t)parts * sizeof share[0]);
    for (int i = 0; e.process != NULL && i < parts; i++) {
        hit_fpm_akima_destroy(&e.process[i].akima);
    }
    hit_arrays_free(&arrays);
    return st;
}
