/* SPDX-License-Identifier: MIT
 * Keys of models, and saving. Processes whose devices are alike share a model: what they
 * measure at the same time are repetitions of one measurement [Lastovetsky2014, section
 * 2: identical cores are one abstract process]. */
#include "layouts/models.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/catalogue.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/launch/imagine.h"
#include "patterns/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Does an argument traverse a dimension of its tile? */
static hit_status any_traversed(const hit_kernel *kernel, bool *traversed)
{
    *traversed = false;
    for (int k = 0; k < kernel->args; k++) {
        hit_pattern pattern;

        if (kernel->arg[k].mode == HIT_MODE_VALUE) continue;
        HIT_TRY(hit_pattern_parse(kernel->arg[k].pattern, kernel->dims, kernel->index,
                                  &pattern));
        for (int t = 0; t < pattern.tile_dims; t++) {
            *traversed = *traversed || hit_imagine_traverses(&pattern, t);
        }
        hit_pattern_clear(&pattern);
    }
    return HIT_OK;
}

/* "*x2000": each dimension is cut, or has so many indices. */
static void add_sizes(const hit_domain *whole, const bool cut[], char *text, size_t size)
{
    size_t used = strlen(text);

    for (int d = 0; d < whole->dims && used < size; d++) {
        const char *between = d > 0 ? "x" : " ";

        if (cut == NULL || cut[d]) {
            used += (size_t)snprintf(text + used, size - used, "%s*", between);
        } else {
            used += (size_t)snprintf(text + used, size - used, "%s%lld", between,
                                     (long long)hit_sig_count(whole->sig[d]));
        }
    }
}

hit_status hit_models_key(const hit_context *context, const hit_trial *trial,
                          const bool cut[], hit_model_key *key)
{
    const bool none[HIT_MAX_DIMS] = {false};
    hit_model_key made;
    bool traversed;
    int rank;
    int processes;
    size_t used;

    HIT_TRY(any_traversed(trial->kernel, &traversed));
    (void)snprintf(made.kernel, sizeof(made.kernel), "%.64s", trial->kernel->name);
    add_sizes(&trial->whole, cut, made.kernel, sizeof(made.kernel));
    used = strlen(made.kernel);
    if (traversed && trial->extent > 0) {
        (void)snprintf(made.kernel + used, sizeof(made.kernel) - used, " k=%lld",
                       (long long)trial->extent);
    } else if (traversed) {
        (void)snprintf(made.kernel + used, sizeof(made.kernel) - used, " k=");
        add_sizes(&trial->whole, none, made.kernel, sizeof(made.kernel));
    }
    used = strlen(made.kernel);
    if (trial->piece > 0) {
        (void)snprintf(made.kernel + used, sizeof(made.kernel) - used, " by pieces");
    }
    hit_device_identity(context->devices, context->device, made.device,
                        sizeof(made.device));
    hit_comm_local(context->comm, &rank, &processes);
    used = strlen(made.device);
    (void)snprintf(made.device + used, sizeof(made.device) - used, ", %d process%s",
                   processes, processes == 1 ? "" : "es");
    hit_build_text(made.build, sizeof(made.build));
    *key = made;
    return HIT_OK;
}

static bool same_key(const hit_model_key *a, const hit_model_key *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->build, b->build) == 0;
}

static bool is_useful(const hit_measured *measured)
{
    return measured->result.units > 0 && isfinite(measured->result.seconds) &&
           measured->result.seconds > 0;
}

/* Save all measurements with the key of number @p first. */
static hit_status save_key(int first, int count, const hit_measured measured[])
{
    hit_fpm *fpm = NULL;
    hit_status st = hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm);

    for (int k = first; k < count && st == HIT_OK; k++) {
        const hit_measure *result = &measured[k].result;

        if (!is_useful(&measured[k])) continue;
        if (!same_key(&measured[k].key, &measured[first].key)) continue;
        st = hit_fpm_add(fpm, (double)result->units, result->seconds, result->reps);
    }
    if (st == HIT_OK) st = hit_store_add(&measured[first].key, fpm);
    hit_fpm_destroy(&fpm);
    return st;
}

hit_status hit_models_save(int count, const hit_measured measured[])
{
    for (int k = 0; k < count; k++) {
        bool known = !is_useful(&measured[k]);

        for (int before = 0; before < k && !known; before++) {
            known = is_useful(&measured[before]) &&
                    same_key(&measured[before].key, &measured[k].key);
        }
        if (!known) HIT_TRY(save_key(k, count, measured));
    }
    return HIT_OK;
}
