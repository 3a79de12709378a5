/* SPDX-License-Identifier: MIT
 * Models for a launch. A kernel's model may be that of pieces that are cut in all
 * dimensions, as `hit model measure` makes them, or of slices, as layouts do that cut one
 * dimension. */
#include "hit/launch/rates.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "hit/launch/imagine.h"
#include "hit/launch/links.h"
#include "hit/launch/model_key.h"
#include "patterns/transform.h"

#include <math.h>
#include <string.h>

/* ---- models ---- */

/* The extent of all dimensions that are traversed; 0: none is, or they differ. */
static hit_index traversed_extent(const hit_call *call, const hit_known_kernel *known)
{
    hit_index extent = 0;

    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile == NULL) continue;
        for (int t = 0; t < tile->domain.dims; t++) {
            const hit_index count = hit_sig_count(tile->domain.sig[t]);

            if (!hit_imagine_traverses(&known->pattern[k], t)) continue;
            if (extent > 0 && count != extent) return 0;
            extent = count;
        }
    }
    return extent;
}

/* A model of trials like this one, of which dimension @p cut is cut (-1: all are). */
static hit_fpm *find(const hit_context *context, const hit_trial *trial, int cut)
{
    bool cuts[HIT_MAX_DIMS] = {false};
    hit_model_key key;
    hit_fpm *fpm = NULL;

    if (cut >= 0) cuts[cut] = true;
    if (hit_model_key_make(context, trial, cut < 0 ? NULL : cuts, &key) != HIT_OK ||
        hit_store_find(&key, &fpm) != HIT_OK) {
        return NULL;
    }
    return fpm;
}

static hit_fpm *find_kernel(const hit_call *call, const hit_known_kernel *known)
{
    const hit_index extent = traversed_extent(call, known);
    hit_fpm *found = NULL;

    for (int exact = extent > 0; exact >= 0 && found == NULL; exact--) {
        const hit_trial trial = {
            .kernel = call->kernel, .whole = call->domain, .extent = exact ? extent : 0};

        for (int cut = -1; cut < call->domain.dims && found == NULL; cut++) {
            found = find(call->context, &trial, cut);
        }
    }
    return found;
}

/* The copies of a staged host are made by threads, on cores that the threads of kernels
 * use as well, and perhaps other processes. */
static double shared_cores(const hit_context *context)
{
    const hit_device *device = context->device[0];
    hit_cores *cores = NULL;
    int rank = 0;
    int processes = 1;
    int count;

    if (strcmp(device->ops->kind, "host") != 0) return 0;
    if (device->spec.first_core >= 0) {
        return device->spec.last_core - device->spec.first_core + 1;
    }
    if (hit_cores_open(&cores) != HIT_OK) return 0;
    count = hit_cores_count(cores);
    hit_cores_close(&cores);
    hit_comm_local(context->comm, &rank, &processes);
    return count > processes ? (double)count / processes : 1;
}

void hit_rates_load(const hit_call *call, const hit_known_kernel *known, hit_rates *rates)
{
    const hit_device *device = call->context->device[0];

    rates->async = device->ops->async;
    rates->cores = shared_cores(call->context);
    rates->threads = device->ops->threads(device->state);
    rates->kernel = find_kernel(call, known);
    hit_links_load(call->context, &rates->links);
}

void hit_rates_clear(hit_rates *rates)
{
    hit_fpm_destroy(&rates->kernel);
}

/* ---- the time of a box of indices ---- */

hit_forecast hit_rates_predict(const hit_rates *rates, const hit_call *call,
                               const hit_known_kernel *known, const hit_domain *index,
                               const hit_superblocks *made)
{
    hit_plan_arg arg[HIT_MAX_ARGS];
    int args = 0;

    if (made == NULL) return hit_predict_in_place(rates, index);
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;
        const hit_pattern *pattern = &known->pattern[k];

        if (tile == NULL) continue;
        arg[args] = (hit_plan_arg){
            .mode = call->kernel->arg[k].mode,
            .size_bytes = call->args[k].type.size_bytes,
            .pattern = made->sum.args > 0 ? &made->sum.pattern[args] : pattern,
            .tile = tile->domain,
            .clip = hit_pattern_cover(pattern, &tile->domain, index)};
        args++;
    }
    return hit_predict_on_device(rates, index->dims, arg, args, made);
}

/* ---- measuring ---- */

/* Process 0 keeps what it measured itself. */
static hit_status keep(const hit_context *context, const hit_model_key *key,
                       const hit_measure *result)
{
    hit_fpm *fpm = NULL;
    hit_status status;

    if (context->rank != 0 || result->reps == 0) return HIT_OK;
    if (!(result->seconds > 0) || !isfinite(result->seconds)) return HIT_OK;
    HIT_TRY(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    status = hit_fpm_add(fpm, (double)result->units, result->seconds, result->reps);
    if (status == HIT_OK) status = hit_store_add(key, fpm);
    hit_fpm_destroy(&fpm);
    return status;
}

static hit_status measure_kernel(const hit_call *call, const hit_known_kernel *known,
                                 const hit_domain *box)
{
    const hit_trial trial = {.kernel = call->kernel,
                             .whole = call->domain,
                             .extent = traversed_extent(call, known),
                             .args = call->args};
    hit_measure result = {.reps = 0};
    hit_model_key key;

    HIT_TRY(hit_model_key_make(call->context, &trial, NULL, &key));
    HIT_TRY(hit_trial_run(call->context, &trial, box, &result));
    return hit_comm_agree(call->context->comm, keep(call->context, &key, &result));
}

static hit_status measure_links(hit_context *context, bool messages)
{
    /* a copy that others disturb is not waited for: there are many of them */
    const hit_measure_options options = {.time_max_s = 0.1};
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    hit_status status = HIT_OK;

    for (int k = 0; k < count; k++) {
        hit_measure result = {.reps = 0};
        hit_model_key key;

        if ((shape[k].link == HIT_LINK_MESSAGE) != messages) continue;
        HIT_TRY(hit_links_measure(context, &shape[k], &options, &result));
        hit_model_key_of_link(context, shape[k].link, shape[k].run_bytes, &key);
        if (status == HIT_OK) status = keep(context, &key, &result);
    }
    return hit_comm_agree(context->comm, status);
}

hit_status hit_rates_measure(const hit_call *call, const hit_known_kernel *known,
                             const hit_domain *box, unsigned lacks)
{
    if ((lacks & HIT_LACKS_KERNEL) != 0) HIT_TRY(measure_kernel(call, known, box));
    if ((lacks & HIT_LACKS_COPIES) != 0) HIT_TRY(measure_links(call->context, false));
    if ((lacks & HIT_LACKS_MESSAGES) != 0) HIT_TRY(measure_links(call->context, true));
    return HIT_OK;
}
