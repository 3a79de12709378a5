/* SPDX-License-Identifier: MIT
 * Models that a prediction lacks, measured for it. */
#include "hit/measure/lacks.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/measure/links_measure.h"
#include "hit/measure/trial.h"

#include <math.h>

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
                             .extent = hit_rates_extent(call, known),
                             .args = call->args};
    const hit_subject subject = hit_trial_subject(&trial);
    hit_measure result = {.reps = 0};
    hit_model_key key;

    HIT_TRY(hit_model_key_make(call->context, &subject, NULL, &key));
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

hit_status hit_lacks_measure(const hit_call *call, const hit_known_kernel *known,
                             const hit_domain *box, unsigned lacks)
{
    if ((lacks & HIT_LACKS_KERNEL) != 0) HIT_TRY(measure_kernel(call, known, box));
    if ((lacks & HIT_LACKS_COPIES) != 0) HIT_TRY(measure_links(call->context, false));
    if ((lacks & HIT_LACKS_MESSAGES) != 0) HIT_TRY(measure_links(call->context, true));
    return HIT_OK;
}
