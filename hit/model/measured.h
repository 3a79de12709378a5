/* SPDX-License-Identifier: MIT
 * Measured models into the store. */
#ifndef HIT_MODEL_MEASURED_H
#define HIT_MODEL_MEASURED_H

#include "hit/base/clock.h"
#include "hit/model/measure.h"
#include "hit/model/store.h"

/** What one process measured. */
typedef struct hit_measured {
    hit_model_key key;
    int local_rank; /**< its number on its host */
    hit_measure result;
} hit_measured;

/** On process 0: add what @p count processes measured to the store, those with the same
 * key together. What took INFINITY is left out. @p clock: as for hit_store_add().
 * @errors HIT_E_IO; HIT_E_NOMEM */
hit_status hit_models_save(const hit_clock *clock, int count,
                           const hit_measured measured[]);

#endif
