/* SPDX-License-Identifier: MIT
 * The folder is made before a test, found by XDG_CACHE_HOME, and removed after it. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "tests/support/own_store.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/model/store.h"
#include "hit/model/store_impl.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(void)
{
    perror("a folder for models");
    exit(1);
}

static void use(const own_store *store)
{
    if (setenv("XDG_CACHE_HOME", store->folder, 1) != 0) fail();
}

void own_store_open(own_store *store)
{
    *store = (own_store){"/tmp/hit-models-XXXXXX"};
    if (mkdtemp(store->folder) == NULL) fail();
    use(store);
}

void own_store_open_for(own_store *store, hit_context *hit)
{
    if (hit_rank(hit) == 0) own_store_open(store);
    HIT_MUST(hit_comm_broadcast(hit->comm, 0, store, sizeof(*store)));
    use(store);
}

void own_store_close(const own_store *store)
{
    static const char *const part[] = {"/hit/models/.lock", "/hit/models", "/hit", ""};
    hit_model_entry *entry = NULL;
    char path[128];
    int count = 0;

    HIT_MUST(hit_store_list(&count, &entry));
    for (int k = 0; k < count; k++) {
        HIT_MUST(hit_store_remove(entry[k].name));
    }
    free(entry);
    for (int k = 0; k < 4; k++) {
        (void)snprintf(path, sizeof(path), "%s%s", store->folder, part[k]);
        (void)remove(path);
    }
}

void own_store_close_for(const own_store *store, hit_context *hit)
{
    HIT_MUST(hit_barrier(hit)); /* the others may still read */
    if (hit_rank(hit) == 0) own_store_close(store);
}
