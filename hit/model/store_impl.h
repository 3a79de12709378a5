/* SPDX-License-Identifier: MIT
 * Internal: what the library reads of the store, and writes into it. */
#ifndef HIT_MODEL_STORE_IMPL_H
#define HIT_MODEL_STORE_IMPL_H

#include "hit/base/clock.h"
#include "hit/model/measure.h"
#include "hit/model/store.h"

/* store_list.c: the files and keys of the store. */

/** All files, in the order of their names. @owner *entry: free() @errors HIT_E_IO;
 * HIT_E_NOMEM */
hit_status hit_store_list(int *count, hit_model_entry **entry);
bool hit_model_key_equal(const hit_model_key *a, const hit_model_key *b);

/* measured.c: measured models into the store. */

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
