/* SPDX-License-Identifier: MIT
 * Models that a prediction lacks, measured for it. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/measure/measure_impl.h"
#include "hit/model/store_impl.h"

/* Process 0 keeps what it measured itself. */
static hit_status keep(const hit_context *context, const hit_measured *measured)
{
    return context->rank == 0 ? hit_models_save(&context->clock, 1, measured) : HIT_OK;
}

/* By @p device; a process without it waits for the others. */
static hit_status measure_kernel(const hit_call *call, const hit_known_kernel *known,
                                 hit_device *device, const hit_domain *box)
{
    const hit_domain none = hit_domain_empty(call->domain.dims);
    const hit_trial trial = {.kernel = call->kernel,
                             .device = device,
                             .whole = call->domain,
                             .extent = hit_rates_extent(call, known),
                             .args = call->args};
    const hit_subject subject = hit_trial_subject(&trial);
    hit_measured found = {.result = {.reps = 0}};

    HIT_TRY(
        hit_comm_agree(call->context->comm,
                       hit_model_key_make(call->context, &subject, NULL, &found.key)));
    HIT_TRY(hit_trial_run(call->context, &trial, device != NULL ? box : &none,
                          &found.result));
    return hit_comm_agree(call->context->comm, keep(call->context, &found));
}

static hit_status measure_links(hit_context *context, hit_device *device, bool messages)
{
    /* a copy that others disturb is not waited for: there are many of them */
    const hit_measure_options options = {.time_max_s = 0.1};
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    hit_status status = HIT_OK;

    for (int k = 0; k < count; k++) {
        hit_measured found = {.result = {.reps = 0}};

        if ((shape[k].link == HIT_LINK_MESSAGE) != messages) continue;
        HIT_TRY(hit_links_measure(context, device, &shape[k], &options, &found.result));
        if (device == NULL && !messages) continue;
        hit_model_key_of_link(context, device, shape[k].link, shape[k].run_bytes,
                              &found.key);
        if (status == HIT_OK) status = keep(context, &found);
    }
    return hit_comm_agree(context->comm, status);
}

hit_status hit_lacks_measure(const hit_call *call, const hit_known_kernel *known,
                             int number, const hit_domain *box, unsigned lacks)
{
    hit_context *context = call->context;
    hit_device *device = number < context->devices ? context->device[number] : NULL;

    if ((lacks & HIT_LACKS_KERNEL) != 0) {
        HIT_TRY(measure_kernel(call, known, device, box));
    }
    if ((lacks & HIT_LACKS_COPIES) != 0) HIT_TRY(measure_links(context, device, false));
    if ((lacks & HIT_LACKS_MESSAGES) != 0) HIT_TRY(measure_links(context, device, true));
    return HIT_OK;
}
