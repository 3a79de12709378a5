/* SPDX-License-Identifier: MIT
 * The clocks of three lanes. What stream.c asks of a device is asked of a clock per lane
 * instead: an operation begins when its lane is free and what it waits for is over. So
 * fill, drain, buffers and elements that are waited for are in the time without a formula
 * for each. tests/hit/cost/test_predict.c runs stream.c itself on a device whose
 * operations take what the models say, and compares.
 *
 * Of a plan with very many superblocks the beginning is followed, and the pace of its
 * second half goes on until the end. */
#include "hit/cost/clocks.h"

#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "hit/stream/tail.h"

#include <math.h>
#include <string.h>

enum {
    FOLLOWED = 2048 /* superblocks */
};

/* The buffers of one argument; moments instead of marks. */
typedef struct ring {
    int at;
    bool holds;
    hit_domain box;
    double run_s[HIT_STREAM_BUFFERS];
    double sent_s[HIT_STREAM_BUFFERS];
} ring;

/* A superblock that runs, or has run. */
typedef struct frame {
    hit_index k;
    hit_domain box[HIT_MAX_ARGS];
    int at[HIT_MAX_ARGS];
    double loaded_s;
    double freed_s;
    bool sent;
} frame;

typedef struct clocks {
    const hit_rates *rates;
    const hit_superblocks *made;
    const hit_plan *plan;
    const hit_plan_arg *arg;
    int args;
    int dims; /* of the kernel */
    ring ring[HIT_MAX_ARGS];
    hit_arrivals arrivals; /* one memory per argument */
    double in_s;           /* when each lane is free */
    double out_s;
    double run_s;
    double caller_s; /* when the process that asks is */
    double core_s;   /* that all cores together are busy */
    double freed_s;  /* for the next superblock */
} clocks;

/* ---- what one operation takes; NAN where that is not known ---- */

static double kernel_time(clocks *c, const hit_domain *box)
{
    hit_index units = 1;
    double share = 1;
    double seconds;

    if (c->rates->kernel == NULL) return NAN;
    for (int d = 0; d < c->dims; d++) {
        units *= hit_sig_count(box->sig[d]);
    }
    if (box->dims > c->dims) { /* a part of the sum */
        share = (double)hit_sig_count(box->sig[c->dims]) /
                (double)hit_sig_count(c->plan->index.sig[c->dims]);
    }
    seconds = (double)units / hit_fpm_speed(c->rates->kernel, (double)units) * share;
    c->core_s += seconds * c->rates->threads;
    return seconds;
}

/* Of the elements @p box of argument @p u, between views over other boxes. */
static double copy_time(clocks *c, int u, hit_link_name link, const hit_domain *from,
                        const hit_domain *to, const hit_domain *box)
{
    const size_t size = c->arg[u].size_bytes;
    const hit_view source = hit_view_make(from, size, NULL);
    const hit_view target = hit_view_make(to, size, NULL);
    hit_ndcopy copy;
    double runs = 1;
    double seconds;

    if (hit_domain_is_empty(box)) return 0;
    copy = hit_ndcopy_make(&source, &target, box, NULL);
    for (int d = 0; d < copy.dims; d++) {
        runs *= (double)copy.count[d];
    }
    seconds = hit_links_time(&c->rates->links, link, runs, runs * (double)copy.run_bytes);
    c->core_s += seconds;
    return seconds;
}

/* What the whole box of indices needs: how the host's elements lie. */
static hit_domain host_box(const clocks *c, int u)
{
    return hit_plan_need(&c->arg[u], &c->plan->index);
}

/* ---- three lanes, as in stream.c ---- */

static double later(double a, double b)
{
    return isnan(a) || a > b ? a : b; /* unknown stays so */
}

static hit_status load(clocks *c, int u, const hit_domain *held)
{
    const hit_domain host = host_box(c, u);
    const hit_domain *need = &c->ring[u].box;
    const hit_when *arrives = hit_arrivals_find(&c->arrivals, &c->ring[u], need);
    hit_region rest = {0};
    hit_status status = hit_region_append(&rest, need);

    c->in_s = later(c->in_s, c->caller_s);
    if (arrives != NULL) c->in_s = later(c->in_s, arrives->moment_s);
    if (status == HIT_OK && held != NULL) {
        const hit_domain common = hit_domain_intersect(held, need);

        c->in_s += copy_time(c, u, HIT_LINK_WITHIN, held, need, &common);
        status = hit_region_subtract(&rest, &common);
    }
    for (int k = 0; k < rest.count && status == HIT_OK; k++) {
        c->in_s += copy_time(c, u, HIT_LINK_IN, &host, need, &rest.part[k]);
    }
    hit_region_clear(&rest);
    return status;
}

static hit_status turn(clocks *c, int u, const hit_domain *need, const hit_domain *box)
{
    ring *of = &c->ring[u];
    const int buffers = c->made->buffers[u];
    const int next = (of->at + 1) % buffers;
    const bool keeps = of->holds && buffers > 1;
    const hit_domain held = of->box;

    of->at = next;
    of->box = *need;
    of->holds = true;
    if (!hit_plan_moves_in(&c->arg[u], box)) {
        c->freed_s = later(of->sent_s[next], c->freed_s);
        return HIT_OK;
    }
    c->in_s = later(later(c->in_s, of->run_s[next]), of->sent_s[next]);
    return load(c, u, keeps ? &held : NULL);
}

static hit_status prepare(clocks *c, hit_index k)
{
    const hit_domain box = hit_plan_piece(c->plan, k);

    for (int u = 0; u < c->args; u++) {
        const hit_domain need = hit_plan_need(&c->arg[u], &box);

        if (c->ring[u].holds && hit_domain_equal(&need, &c->ring[u].box)) continue;
        HIT_TRY(turn(c, u, &need, &box));
    }
    return HIT_OK;
}

static bool is_tied(const clocks *c, hit_index k)
{
    const hit_domain box = hit_plan_piece(c->plan, k + 1);

    for (int u = 0; u < c->args; u++) {
        const hit_domain need = hit_plan_need(&c->arg[u], &box);
        const hit_domain common = hit_domain_intersect(&need, &c->ring[u].box);

        if (hit_domain_equal(&need, &c->ring[u].box)) continue;
        if (c->made->buffers[u] == 1) return true;
        if (c->arg[u].mode != HIT_MODE_IN && !hit_domain_is_empty(&common)) return true;
    }
    return false;
}

static frame frame_of(const clocks *c, hit_index k)
{
    frame f = {.k = k, .loaded_s = c->in_s, .freed_s = c->freed_s};

    for (int u = 0; u < c->args; u++) {
        f.box[u] = c->ring[u].box;
        f.at[u] = c->ring[u].at;
    }
    return f;
}

/* A device that is not async keeps the process that asks until the kernel is done. */
static void run(clocks *c, const frame *f)
{
    const hit_domain box = hit_plan_piece(c->plan, f->k);

    c->run_s = later(later(c->run_s, f->loaded_s), f->freed_s) + kernel_time(c, &box);
    if (!c->rates->async) c->caller_s = c->run_s;
    for (int u = 0; u < c->args; u++) {
        c->ring[u].run_s[f->at[u]] = c->run_s;
    }
}

static void send(clocks *c, frame *f)
{
    const bool last = f->k + 1 == c->plan->pieces;
    const hit_domain box = hit_plan_piece(c->plan, last ? f->k : f->k + 1);

    if (f->sent) return;
    f->sent = true;
    for (int u = 0; u < c->args; u++) {
        const hit_domain next = hit_plan_need(&c->arg[u], &box);
        const hit_domain host = host_box(c, u);
        ring *of = &c->ring[u];

        if (!hit_plan_moves_out(&c->arg[u])) continue;
        if (!last && hit_domain_equal(&next, &f->box[u])) continue;
        c->out_s = later(later(c->out_s, of->run_s[f->at[u]]), c->caller_s);
        c->out_s += copy_time(c, u, HIT_LINK_OUT, &f->box[u], &host, &f->box[u]);
        hit_arrivals_add(&c->arrivals, &c->ring[u], &f->box[u],
                         (hit_when){.moment_s = c->out_s});
        of->sent_s[f->at[u]] = c->out_s;
    }
}

static double all_done(const clocks *c)
{
    return later(later(c->in_s, c->out_s), c->run_s);
}

/* Superblock k, and what is asked for beside it. */
static hit_status step(clocks *c, hit_index k, frame *before)
{
    frame now = frame_of(c, k);
    const bool last = k + 1 == c->plan->pieces;
    const bool tied = !last && is_tied(c, k);
    const bool early = !c->rates->async && !last && !tied;

    if (early) HIT_TRY(prepare(c, k + 1));
    run(c, &now);
    if (c->rates->async) send(c, before);
    if (!c->rates->async || last || tied) send(c, &now);
    if (!early && !last) HIT_TRY(prepare(c, k + 1));
    *before = now;
    return HIT_OK;
}

/* ---- one superblock at a time, as in squeeze.c ---- */

static double squeezed(clocks *c, hit_index k)
{
    const hit_domain box = hit_plan_piece(c->plan, k);
    double seconds = kernel_time(c, &box);

    for (int u = 0; u < c->args; u++) {
        const hit_domain need = hit_plan_need(&c->arg[u], &box);
        const hit_domain host = host_box(c, u);

        if (hit_plan_moves_in(&c->arg[u], &box)) {
            seconds += copy_time(c, u, HIT_LINK_IN, &host, &need, &need);
        }
        if (hit_plan_moves_out(&c->arg[u])) {
            seconds += copy_time(c, u, HIT_LINK_OUT, &need, &host, &need);
        }
    }
    return seconds;
}

/* The moment when the first superblocks up to k are done. */
static hit_status follow(clocks *c, hit_index k, frame *before, double *done_s)
{
    if (c->made->buffers[0] == 0) {
        *done_s += squeezed(c, k);
        return HIT_OK;
    }
    if (k == 0) HIT_TRY(prepare(c, 0));
    HIT_TRY(step(c, k, before));
    *done_s = all_done(c);
    return HIT_OK;
}

static hit_status follow_all(clocks *c, double *seconds)
{
    const hit_index pieces = c->plan->pieces;
    const hit_index most = pieces < FOLLOWED ? pieces : FOLLOWED;
    const hit_index half = most / 2;
    frame before = {.sent = true};
    double half_s = 0;
    double done_s = 0;

    for (hit_index k = 0; k < most; k++) {
        HIT_TRY(follow(c, k, &before, &done_s));
        if (k + 1 == half) half_s = done_s;
    }
    if (most < pieces) {
        const double pace_s = (done_s - half_s) / (double)(most - half);

        if (c->made->buffers[0] > 0) {
            send(c, &before);
            done_s = all_done(c);
        }
        done_s += pace_s * (double)(pieces - most);
        c->core_s *= (double)pieces / (double)most;
    }
    /* three lanes on two cores take turns */
    if (c->rates->cores > 0) done_s = later(done_s, c->core_s / c->rates->cores);
    *seconds = done_s;
    return HIT_OK;
}

static clocks start(const hit_rates *rates, int dims, const hit_plan_arg arg[], int args,
                    const hit_superblocks *superblocks)
{
    clocks c;

    memset(&c, 0, sizeof(c));
    c.rates = rates;
    c.made = superblocks;
    c.plan = &superblocks->plan;
    c.arg = arg;
    c.args = args;
    c.dims = dims;
    return c;
}

hit_status hit_clocks_follow(const hit_rates *rates, int dims, const hit_plan_arg arg[],
                             int args, const hit_superblocks *superblocks,
                             double *seconds)
{
    clocks c = start(rates, dims, arg, args, superblocks);

    return follow_all(&c, seconds);
}

hit_forecast hit_clocks_resident(const hit_rates *rates, int dims,
                                 const hit_plan_arg arg[], int args,
                                 const hit_superblocks *superblocks)
{
    clocks c = start(rates, dims, arg, args, superblocks);
    const hit_domain *box = &c.plan->index;
    hit_forecast found = {.again_s = kernel_time(&c, box)};

    found.first_s = found.again_s;
    for (int u = 0; u < args; u++) {
        const hit_domain need = hit_plan_need(&arg[u], box);

        if (!hit_plan_moves_in(&arg[u], box)) continue;
        found.first_s += copy_time(&c, u, HIT_LINK_IN, &need, &need, &need);
    }
    return found;
}
