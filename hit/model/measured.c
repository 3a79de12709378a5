/* SPDX-License-Identifier: MIT
 * Saving models. Processes whose devices are alike share one: what they measure at the
 * same time are repetitions of one measurement [Lastovetsky2014, section 2: identical
 * cores are one abstract process]. */
#include "hit/model/store_impl.h"

#include <math.h>

static bool is_useful(const hit_measured *measured)
{
    return measured->result.units > 0 && isfinite(measured->result.seconds) &&
           measured->result.seconds > 0;
}

/* Save all measurements with the key of number @p first. */
static hit_status save_key(const hit_clock *clock, int first, int count,
                           const hit_measured measured[])
{
    hit_fpm *fpm = NULL;
    hit_status st = hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm);

    for (int k = first; k < count && st == HIT_OK; k++) {
        const hit_measure *result = &measured[k].result;

        if (!is_useful(&measured[k])) continue;
        if (!hit_model_key_equal(&measured[k].key, &measured[first].key)) continue;
        st = hit_fpm_add(fpm, (double)result->units, result->seconds, result->reps);
    }
    if (st == HIT_OK) st = hit_store_add(clock, &measured[first].key, fpm);
    hit_fpm_destroy(&fpm);
    return st;
}

hit_status hit_models_save(const hit_clock *clock, int count,
                           const hit_measured measured[])
{
    for (int k = 0; k < count; k++) {
        bool known = !is_useful(&measured[k]);

        for (int before = 0; before < k && !known; before++) {
            known = is_useful(&measured[before]) &&
                    hit_model_key_equal(&measured[before].key, &measured[k].key);
        }
        if (!known) HIT_TRY(save_key(clock, k, count, measured));
    }
    return HIT_OK;
}
