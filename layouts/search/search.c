/* SPDX-License-Identifier: MIT
 * The loop that measures: process 0 asks the plug-in's search for a distribution, all
 * processes measure their parts of it at the same time, process 0 tells the search
 * ([Clarke 2012] section 3; integers are computed on one process only). It ends at once
 * if the models of the store know about every share that is best by them. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "layouts/search/search.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/device/nodes.h"
#include "hit/launch/catalogue.h"
#include "hit/measure/measure_impl.h"
#include "hit/topo/layout_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where times differ by more than this part of the longest, they need not be exact. */
static const double rough = 0.3;
/* Indices of the first piece that is tried. */
static const hit_index first_piece = 1 << 14;

/* What process 0 tells the others of an offer. */
typedef struct envelope {
    uint64_t text_bytes; /* of the options, with their end */
    uint64_t last;       /* 1: not to be measured */
    uint64_t exact;      /* 1: to be measured well in any case */
} envelope;

/* ---- options ---- */

/* A number below 1; @p value is kept where the option is not given. */
static hit_status read_part(const hit_layout_spec *spec, const char *name, double least,
                            double *value)
{
    const char *text = hit_layout_option(spec, name, NULL);
    hit_status st;

    if (text == NULL) return HIT_OK;
    st = hit_number_read_real(name, text, least, nextafter(1, 0), value);
    if (st == HIT_OK) return HIT_OK;
    return HIT_FAIL(st, "layout %s: expected %g <= %s < 1 but found \"%.32s\"",
                    spec->ops->name, least, name, text);
}

static hit_status read_options(hit_search *s)
{
    const hit_layout_spec *spec = s->spec;
    const char *measure = hit_layout_option(spec, "measure", "missing");
    const char *name = hit_layout_option(spec, "kernel", NULL);

    HIT_TRY(hit_kernel_find(s->context, name, &s->trial.kernel));
    if (s->trial.kernel->dims != spec->domain.dims) {
        return HIT_LAYOUT_FAIL(
            spec, "expected a kernel of %d dimensions, as the domain has, but %s has %d",
            spec->domain.dims, name, s->trial.kernel->dims);
    }
    HIT_TRY(hit_layout_option_index(spec, "k", 1, INT64_MAX / 2, &s->trial.extent));
    s->error = 0.05;
    HIT_TRY(read_part(spec, "error", 1e-6, &s->error));
    s->piece_s = 0.015;
    HIT_TRY(read_part(spec, "piece", 0, &s->piece_s));
    s->trial.piece = s->piece_s > 0 ? first_piece : 0;
    s->trial.whole = spec->domain;
    s->trial.measure =
        (hit_measure_options){.relative_error = s->error, .reps_min = 2, .reps_max = 8};
    s->always = strcmp(measure, "always") == 0;
    if (s->always || strcmp(measure, "missing") == 0) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected measure=missing or always but found \"%s\"",
                           measure);
}

/* ---- all processes ---- */

/* Process 0 gives an offer and its status; afterwards all have both. */
static hit_status share_offer(hit_search *s, hit_status st, hit_layout_offer *offer,
                              bool *last)
{
    struct hit_comm *comm = s->context->comm;
    envelope head = {0};

    HIT_TRY(hit_comm_agree(comm, st));
    if (s->context->rank == 0) {
        head =
            (envelope){strlen(offer->options) + 1, offer->reason != NULL, offer->exact};
    }
    HIT_TRY(hit_comm_broadcast(comm, 0, &head, sizeof(head)));
    if (s->context->rank != 0) {
        st = hit_memory_zeroed((size_t)head.text_bytes, 1, &offer->options);
    }
    HIT_TRY(hit_comm_agree(comm, st));
    HIT_TRY(hit_comm_broadcast(comm, 0, offer->options, (size_t)head.text_bytes));
    *last = head.last != 0;
    s->trial.rough = head.exact != 0 ? 0 : rough;
    return hit_comm_broadcast(comm, 0, s->kill_s,
                              (size_t)s->spec->ranks * sizeof(double));
}

/* The box of this process; empty where it has none. */
static hit_status find_part(const hit_search *s, const char *options, hit_domain *box)
{
    hit_region part = {0};
    hit_layout *layout;
    hit_status st;

    HIT_TRY(
        hit_layout_plan(s->spec->ops, s->spec->domain, s->spec->ranks, options, &layout));
    st = hit_layout_part(layout, s->context->rank, &part);
    if (st == HIT_OK && part.count > 1) {
        st = HIT_LAYOUT_FAIL(s->spec, "expected parts that are one box to measure");
    }
    *box = hit_domain_empty(s->spec->domain.dims);
    if (st == HIT_OK && part.count == 1) *box = part.part[0];
    hit_region_clear(&part);
    hit_layout_destroy(&layout);
    return st;
}

/* Find out how many indices a piece has that takes the slowest process as long as pieces
 * are to take. All begin with a small one. */
static hit_status calibrate(hit_search *s)
{
    const hit_domain *whole = &s->spec->domain;
    const double most = (double)hit_domain_count(whole);
    hit_trial trial = s->trial;
    double indices = (double)first_piece;
    double ratio = 2;

    s->calibrated = true;
    trial.measure = (hit_measure_options){.reps_min = 1, .reps_max = 1};
    while (ratio > 1.5 && indices < most) {
        hit_pieces pieces = hit_pieces_cut(whole, indices);
        const hit_domain piece = hit_pieces_take(&pieces);
        hit_measure result;
        uint64_t ns;

        trial.piece = 0;
        HIT_TRY(hit_trial_run(s->context, &trial, &piece, &result));
        ns = (uint64_t)(1e9 * fmin(result.seconds, 1e9));
        HIT_TRY(hit_comm_max_u64(s->context->comm, &ns, 1));
        ratio = s->piece_s / fmax(1e-9 * (double)ns, 1e-7);
        if (ratio > 1) indices *= fmin(ratio, 64);
    }
    s->trial.piece = (hit_index)fmin(indices, most);
    return HIT_OK;
}

/* All processes measure their parts at the same time; process 0 gets what they found. */
static hit_status measure(hit_search *s, const char *options)
{
    const double kill_s = s->kill_s[s->context->rank];
    hit_measured mine = {.key = s->key, .result = {.reps = 0}};
    hit_domain box = hit_domain_empty(s->spec->domain.dims);

    HIT_TRY(hit_comm_agree(s->context->comm, find_part(s, options, &box)));
    if (s->piece_s > 0 && !s->calibrated) HIT_TRY(calibrate(s));
    if (kill_s < 0) box = hit_domain_empty(box.dims);
    s->trial.measure.kill_s = kill_s > 0 && isfinite(kill_s) ? kill_s : 0;
    HIT_TRY(hit_trial_run(s->context, &s->trial, &box, &mine.result));
    return hit_comm_gather(s->context->comm, &mine, sizeof(mine), s->root.all);
}

/* Offers are measured until there is a last word, which is *options. */
static hit_status search_all(hit_search *s, char **options)
{
    bool last = false;
    hit_status st = HIT_OK;

    while (!last && st == HIT_OK) {
        hit_layout_offer offer = {.kill_s = s->kill_s};

        if (s->context->rank == 0) st = hit_search_next(s, &offer);
        st = share_offer(s, st, &offer, &last);
        if (st == HIT_OK && !last) {
            st = measure(s, offer.options);
            if (s->context->rank == 0 && st == HIT_OK) st = hit_search_keep(s);
            st = hit_comm_agree(s->context->comm, st); /* all go on, or none */
        }
        if (st == HIT_OK && last) {
            *options = offer.options;
        } else {
            free(offer.options);
        }
    }
    return st;
}

static hit_status prepare(hit_search *s, const bool cut[])
{
    const size_t ranks = (size_t)s->spec->ranks;
    const hit_subject subject = hit_trial_subject(&s->trial);

    HIT_TRY(hit_memory_zeroed(ranks, sizeof(double), &s->kill_s));
    HIT_TRY(hit_spare_create(&s->trial.spare));
    return hit_model_key_make(s->context, &subject, cut, &s->key);
}

/* The processes of a dry run are not there, and have no models in the store. */
static hit_status gather_keys(hit_search *s)
{
    struct hit_comm *comm = s->context->comm;
    hit_measured mine = {.key = s->key, .result = {.reps = 0}};
    int processes;

    if (hit_comm_is_planned(comm)) return HIT_OK;
    hit_comm_local(comm, &mine.local_rank, &processes);
    return hit_comm_gather(comm, &mine, sizeof(mine), s->root.all);
}

hit_status hit_layout_search(hit_context *context, const hit_layout_spec *spec,
                             char **options)
{
    hit_search s = {.context = context, .spec = spec};
    bool cut[HIT_MAX_DIMS] = {false};
    char *found = NULL;
    hit_status st;

    if (hit_comm_is_planned(context->comm) && hit_nodes_machine(context) == NULL) {
        return HIT_LAYOUT_FAIL(
            spec,
            "a dry run measures nothing: give models= or speeds= instead of kernel=");
    }
    HIT_TRY(spec->ops->search->cut(spec, cut));
    HIT_TRY(read_options(&s)); /* alike on all processes, as the text is */
    st = prepare(&s, cut);
    if (st == HIT_OK && context->rank == 0) st = hit_search_root_open(&s);
    st = hit_comm_agree(context->comm, st);
    if (st == HIT_OK) {
        st = gather_keys(&s);
    }
    if (st == HIT_OK && context->rank == 0) st = hit_search_begin(&s);
    st = hit_comm_agree(context->comm, st);
    if (st == HIT_OK) st = search_all(&s, &found);
    hit_search_root_close(&s);
    hit_spare_destroy(&s.trial.spare);
    free(s.kill_s);
    if (st == HIT_OK) *options = found;
    return st;
}
