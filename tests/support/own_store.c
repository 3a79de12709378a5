/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "tests/support/own_store.h"

#include "hit/hit.h"
#include "hit/model/store.h"

#include <stdio.h>
#include <stdlib.h>

void own_store_open(own_store *store)
{
    *store = (own_store){"/tmp/hit-models-XXXXXX"};
    if (mkdtemp(store->folder) == NULL ||
        setenv("XDG_CACHE_HOME", store->folder, 1) != 0) {
        perror("a folder for models");
        exit(1);
    }
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
