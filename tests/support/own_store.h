/* SPDX-License-Identifier: MIT
 * A store of models of one's own, empty at first, in a folder that goes away. */
#ifndef TESTS_SUPPORT_OWN_STORE_H
#define TESTS_SUPPORT_OWN_STORE_H

typedef struct own_store {
    char folder[32];
} own_store;

/** Let XDG_CACHE_HOME of this process be a new folder; ends the process if there is none.
 */
void own_store_open(own_store *store);
/** Remove all models, and the folder. */
void own_store_close(const own_store *store);

#endif
