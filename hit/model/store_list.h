/* SPDX-License-Identifier: MIT
 * Internal: the files and keys of the store. */
#ifndef HIT_MODEL_STORE_LIST_H
#define HIT_MODEL_STORE_LIST_H

#include "hit/model/store.h"

/** All files, in the order of their names. @owner *entry: free() @errors HIT_E_IO;
 * HIT_E_NOMEM */
hit_status hit_store_list(int *count, hit_model_entry **entry);
bool hit_model_key_equal(const hit_model_key *a, const hit_model_key *b);

#endif
