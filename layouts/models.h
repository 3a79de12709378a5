/* SPDX-License-Identifier: MIT
 * Measured models and the store: which model belongs to a trial on this process's device,
 * and what all processes measured. */
#ifndef LAYOUTS_MODELS_H
#define LAYOUTS_MODELS_H

#include "hit/launch/trial.h"
#include "hit/model/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whose model the times of a trial on this process make. The indices of @p trial->whole
 * in a dimension that is not @p cut are all in every part; what is measured depends on
 * their number, and on the device, on how many processes share the host, and on the
 * build.
 * @shape cut: one per dimension of the kernel; NULL: all are
 * @errors HIT_E_PATTERN */
HIT_API hit_status hit_models_key(const hit_context *context, const hit_trial *trial,
                                  const bool cut[], hit_model_key *key);

/** What one process measured. */
typedef struct hit_measured {
    hit_model_key key;
    int local_rank; /**< its number on its host */
    hit_measure result;
} hit_measured;

/** On process 0: add what @p count processes measured to the store, those with the same
 * key together. What took INFINITY is left out.
 * @errors HIT_E_IO; HIT_E_NOMEM */
HIT_API hit_status hit_models_save(int count, const hit_measured measured[]);

#ifdef __cplusplus
}
#endif

#endif
