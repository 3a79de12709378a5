/* SPDX-License-Identifier: MIT
 * Times of launches. If a model is missing, no time is returned, but the list of missing
 * models.
 *
 * What goes through the memory of a device is streamed as a launch does (hit/stream), on
 * a simulated device. So fill, drain, buffers and elements that are waited for are in the
 * time without a formula for each. Of a plan with very many superblocks the beginning is
 * followed, and the pace of its second half goes on until the end. */
#include "hit/cost/cost.h"
#include "hit/model/fpm_time.h"
#include "hit/stream/stream.h"

#include <math.h>
#include <string.h>

enum {
    FOLLOWED = 2048 /* superblocks */
};

unsigned hit_predict_lacks(const hit_rates *rates)
{
    const unsigned copies =
        1u << HIT_LINK_IN | 1u << HIT_LINK_OUT | 1u << HIT_LINK_WITHIN;
    unsigned lacks = 0;

    if (rates->kernel == NULL) lacks |= HIT_LACKS_KERNEL;
    if ((rates->links.known & copies) != copies) lacks |= HIT_LACKS_COPIES;
    return lacks;
}

/* A model may say that so many indices are impossible: then it does not know. */
static hit_forecast checked(hit_forecast found)
{
    if (!isfinite(found.first_s)) found.lacks = HIT_LACKS_KERNEL;
    if (found.lacks != 0) found.first_s = found.again_s = 0;
    return found;
}

/* ---- pieces on a simulated device ---- */

hit_sim hit_predict_sim(const hit_rates *rates)
{
    return (hit_sim){.links = &rates->links,
                     .kernel = rates->kernel,
                     .threads = rates->threads,
                     .async = rates->async};
}

/* When the last piece is done. */
static hit_status follow(const hit_rates *rates, hit_sim *sim, const hit_predicted *of,
                         double *seconds)
{
    const hit_index most = of->pieces < FOLLOWED ? of->pieces : FOLLOWED;
    const hit_index half = most / 2;
    double half_s = 0;
    double done_s;

    for (hit_index k = 0; k < most; k++) {
        HIT_TRY(of->next(of->caller));
        if (k + 1 == half) half_s = hit_sim_end(sim);
    }
    done_s = hit_sim_end(sim);
    if (most < of->pieces) {
        const double pace_s = (done_s - half_s) / (double)(most - half);

        HIT_TRY(of->flush(of->caller));
        done_s = hit_sim_end(sim) + pace_s * (double)(of->pieces - most);
        sim->busy_s *= (double)of->pieces / (double)most;
    }
    /* three lanes on two cores take turns */
    if (rates->cores > 0) done_s = fmax(done_s, sim->busy_s / rates->cores);
    *seconds = done_s;
    return HIT_OK;
}

hit_forecast hit_predict_pieces(const hit_rates *rates, hit_sim *sim,
                                const hit_predicted *of)
{
    hit_forecast found = {0};

    if (follow(rates, sim, of, &found.first_s) != HIT_OK) {
        found.lacks = HIT_LACKS_COPIES; /* no memory for a log */
    }
    found.again_s = found.first_s;
    return checked(found);
}

/* ---- a part on a simulated device ---- */

typedef struct simulation {
    hit_sim sim;
    hit_device device;
    int dims; /* of the kernel */
    hit_view host[HIT_MAX_ARGS];
    char memory[HIT_MAX_ARGS]; /* the host's, of each argument another one */
    hit_tail tail;
    uint64_t over[HIT_LANES]; /* nothing is waited for */
    hit_stream stream;
} simulation;

static hit_status run(void *caller, const hit_superblock *of)
{
    simulation *s = caller;
    const hit_domain *box = &of->box;
    hit_domain own = *box;
    hit_index units;
    double share = 1;

    own.dims = s->dims;
    units = hit_where_count(s->stream.superblocks->plan.where, &own);
    if (box->dims > s->dims) { /* a part of the sum */
        share = (double)hit_sig_count(box->sig[s->dims]) / (double)s->sim.sum;
    }
    hit_sim_run(&s->sim, (double)units, share);
    return HIT_OK;
}

static hit_status start(simulation *s, const hit_rates *rates, int dims,
                        const hit_plan_arg arg[], int args,
                        const hit_superblocks *superblocks)
{
    const hit_domain *index = &superblocks->plan.index;

    memset(s, 0, sizeof(*s));
    s->dims = dims;
    s->sim = hit_predict_sim(rates);
    if (index->dims > dims) s->sim.sum = hit_sig_count(index->sig[dims]);
    hit_sim_open(&s->sim, &s->device);
    s->device.arena = s->memory; /* only the address counts */
    s->device.arena_bytes = superblocks->arena_bytes;
    s->stream = (hit_stream){.device = &s->device,
                             .superblocks = superblocks,
                             .until = superblocks->plan.early,
                             .args = args,
                             .arg = arg,
                             .tail = &s->tail,
                             .run = run,
                             .caller = s};
    for (int u = 0; u < args; u++) {
        const hit_domain need = hit_plan_need(&arg[u], index);

        s->host[u] = hit_view_make(&need, arg[u].size_bytes, &s->memory[u]);
        s->stream.host[u] = &s->host[u];
        HIT_TRY(hit_fence_create(HIT_LANES, -1, s->over, &s->stream.log[u]));
    }
    return HIT_OK;
}

static void end(simulation *s)
{
    for (int u = 0; u < HIT_MAX_ARGS; u++) {
        hit_fence_destroy(&s->stream.log[u]);
    }
}

/* One superblock that stays on the device: bringing it there, and running it. */
static hit_forecast stay(simulation *s)
{
    hit_stream *stream = &s->stream;
    const hit_superblock all = {.box = stream->superblocks->plan.index};
    hit_forecast found;

    (void)run(s, &all);
    found = (hit_forecast){.again_s = hit_sim_end(&s->sim)};
    for (int u = 0; u < stream->args; u++) {
        if (!hit_plan_moves_in(&stream->arg[u], &all.box)) continue;
        (void)hit_device_copy(&s->device, HIT_LANE_RUN, HIT_WAY_IN, &s->host[u],
                              &s->host[u], &s->host[u].domain);
    }
    found.first_s = hit_sim_end(&s->sim);
    return found;
}

/* What comes by messages has come. */
static hit_status go_on(simulation *s)
{
    s->stream.from = s->stream.until;
    s->stream.until = s->stream.superblocks->plan.pieces;
    return hit_stream_begin(&s->stream);
}

static hit_status next(void *caller)
{
    simulation *s = caller;

    if (s->stream.next >= s->stream.until) HIT_TRY(go_on(s));
    return hit_stream_next(&s->stream);
}

static hit_status flush(void *caller)
{
    simulation *s = caller;
    return hit_stream_flush(&s->stream);
}

static hit_forecast stream(simulation *s, const hit_rates *rates)
{
    const hit_predicted all = {.pieces = s->stream.superblocks->plan.filled,
                               .next = next,
                               .flush = flush,
                               .caller = s};

    if (hit_stream_begin(&s->stream) != HIT_OK) {
        return (hit_forecast){.lacks = HIT_LACKS_COPIES};
    }
    return hit_predict_pieces(rates, &s->sim, &all);
}

hit_forecast hit_predict_on_device(const hit_rates *rates, int dims,
                                   const hit_plan_arg arg[], int args,
                                   const hit_superblocks *superblocks)
{
    hit_forecast found = {.lacks = hit_predict_lacks(rates)};
    simulation s;
    hit_status status;

    if (found.lacks != 0 || superblocks->plan.pieces == 0) return found;
    status = start(&s, rates, dims, arg, args, superblocks);
    if (status == HIT_OK) {
        found = superblocks->arena_bytes == 0 ? stay(&s) : stream(&s, rates);
    }
    end(&s);
    if (status != HIT_OK) found.lacks = HIT_LACKS_COPIES; /* no memory for a log */
    return checked(found);
}

/* ---- the others ---- */

hit_forecast hit_predict_in_place(const hit_rates *rates, hit_index units)
{
    hit_forecast found = {0};

    if (rates->kernel == NULL) {
        found.lacks = HIT_LACKS_KERNEL;
    } else {
        found.first_s = (double)units / hit_fpm_speed(rates->kernel, (double)units);
        found.again_s = found.first_s;
    }
    return checked(found);
}

hit_forecast hit_predict_messages(const hit_rates *rates, int sends, uint64_t bytes_sent,
                                  int receives, uint64_t bytes_received)
{
    const hit_link *link = &rates->links.link[HIT_LINK_MESSAGE];
    hit_forecast found = {0};
    double in_s;
    double out_s;

    if (sends == 0 && receives == 0) return found;
    if ((rates->links.known >> HIT_LINK_MESSAGE & 1u) == 0) {
        found.lacks = HIT_LACKS_MESSAGES;
        return found;
    }
    out_s = sends * link->latency_s + (double)bytes_sent * link->byte_s;
    in_s = receives * link->latency_s + (double)bytes_received * link->byte_s;
    found.first_s = found.again_s = link->once_s + fmax(in_s, out_s);
    return found;
}

/* Those beyond a power of two tell one of the others first, and are told at the end. */
static int count_rounds(int processes)
{
    int rounds = 0;

    while (processes >> (rounds + 1) > 0) {
        rounds++;
    }
    return (1 << rounds) == processes ? rounds : rounds + 2;
}

hit_forecast hit_predict_vote(const hit_rates *rates, int processes, uint64_t bytes)
{
    hit_forecast found = hit_predict_messages(rates, 1, bytes, 1, bytes);

    found.first_s *= count_rounds(processes);
    found.again_s = found.first_s;
    found.lacks = 0;
    return found;
}

hit_forecast hit_forecast_add(hit_forecast a, hit_forecast b)
{
    return (hit_forecast){a.first_s + b.first_s, a.again_s + b.again_s,
                          a.lacks | b.lacks};
}

hit_forecast hit_forecast_max(hit_forecast a, hit_forecast b)
{
    return (hit_forecast){fmax(a.first_s, b.first_s), fmax(a.again_s, b.again_s),
                          a.lacks | b.lacks};
}
