/* SPDX-License-Identifier: MIT
 * A store of models of one's own, empty at first, in a folder that goes away. */
#ifndef TESTS_SUPPORT_OWN_STORE_H
#define TESTS_SUPPORT_OWN_STORE_H

#include "hit/context.h"

typedef struct own_store {
    char folder[32];
} own_store;

/** Let XDG_CACHE_HOME of this process be a new folder; ends the process if there is none.
 */
void own_store_open(own_store *store);
/** Remove all models, and the folder. */
void own_store_close(const own_store *store);
/** The same for all processes of a context together: one folder, that of process 0.
 * @collective yes */
void own_store_open_for(own_store *store, hit_context *hit);
void own_store_close_for(const own_store *store, hit_context *hit);

#endif
