/* SPDX-License-Identifier: MIT
 * Models for a launch. A kernel's model may be that of pieces that are cut in all
 * dimensions, as `hit model measure` makes them, or of slices, as layouts do that cut one
 * dimension. */
#include "hit/comm/comm.h"
#include "hit/cost/cost.h"
#include "hit/device/cores.h"

/* ---- models ---- */

hit_index hit_rates_extent(const hit_call *call, const hit_known_kernel *known)
{
    hit_index extent = 0;

    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile == NULL) continue;
        for (int t = 0; t < tile->domain.dims; t++) {
            const hit_index count = hit_sig_count(tile->domain.sig[t]);

            if (!hit_pattern_traverses(&known->pattern[k], t)) continue;
            if (extent > 0 && count != extent) return 0;
            extent = count;
        }
    }
    return extent;
}

/* A model of @p subject, of which dimension @p cut is cut (-1: all are); *key has the
 * device and the build. */
static hit_fpm *find(const hit_subject *subject, int cut, hit_model_key *key)
{
    bool cuts[HIT_MAX_DIMS] = {false};
    hit_fpm *fpm = NULL;

    if (cut >= 0) cuts[cut] = true;
    if (hit_model_key_subject(subject, cut < 0 ? NULL : cuts, key) != HIT_OK ||
        hit_store_find(key, &fpm) != HIT_OK) {
        return NULL;
    }
    return fpm;
}

static hit_subject subject_of(const hit_call *call, hit_index extent, hit_device *device)
{
    return (hit_subject){.kernel = call->kernel,
                         .whole = call->domain,
                         .extent = extent,
                         .device = device};
}

hit_status hit_rates_key(const hit_call *call, const hit_known_kernel *known,
                         hit_device *device, hit_model_key *key)
{
    const hit_subject subject = subject_of(call, hit_rates_extent(call, known), device);

    return hit_model_key_make(call->context, &subject, NULL, key);
}

hit_fpm *hit_rates_kernel(const hit_call *call, const hit_known_kernel *known,
                          hit_device *device)
{
    const hit_index extent = hit_rates_extent(call, known);
    hit_model_key key;
    hit_fpm *found = NULL;

    if (hit_rates_key(call, known, device, &key) != HIT_OK) return NULL;
    for (int exact = extent > 0; exact >= 0 && found == NULL; exact--) {
        const hit_subject subject = subject_of(call, exact ? extent : 0, device);

        for (int cut = -1; cut < call->domain.dims && found == NULL; cut++) {
            found = find(&subject, cut, &key);
        }
    }
    return found;
}

/* Copies that threads of this process make run on cores that the threads of kernels use
 * as well, and perhaps other devices of the process, and other processes; 0: they do not.
 */
static double shared_cores(const hit_context *context, const hit_device *device)
{
    hit_cores *cores = NULL;
    int hosts = 0;
    int rank = 0;
    int processes = 1;
    int count;

    if (!device->ops->uses_cores) return 0;
    if (device->spec.first_core >= 0) {
        return device->spec.last_core - device->spec.first_core + 1;
    }
    if (hit_cores_open(&cores) != HIT_OK) return 0;
    count = hit_cores_count(cores);
    hit_cores_close(&cores);
    hit_comm_beside(context->comm, &rank, &processes);
    for (int d = 0; d < context->devices; d++) {
        const hit_device *other = context->device[d];

        hosts += other->ops->uses_cores && other->spec.first_core < 0;
    }
    return count > processes * hosts ? (double)count / (processes * hosts) : 1;
}

void hit_rates_load(const hit_call *call, const hit_known_kernel *known,
                    hit_device *device, hit_rates *rates)
{
    rates->async = hit_device_async(device);
    rates->cores = shared_cores(call->context, device);
    rates->threads = device->threads;
    rates->kernel = hit_rates_kernel(call, known, device);
    hit_links_load(call->context, device, &rates->links);
}

hit_status hit_rates_copy(const hit_rates *rates, hit_rates *copy)
{
    *copy = *rates;
    copy->kernel = NULL;
    return rates->kernel != NULL ? hit_fpm_copy(rates->kernel, &copy->kernel) : HIT_OK;
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
    int args;

    if (made == NULL) {
        return hit_predict_in_place(rates, hit_where_count(known->where, index));
    }
    args = hit_call_superblock_args(call, known, made, arg);
    return hit_predict_on_device(rates, index->dims, arg, args, made);
}
