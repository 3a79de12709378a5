/* SPDX-License-Identifier: MIT
 * All files of the store of models. */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "hit/base/alloc.h"
#include "hit/model/store_impl.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const hit_model_entry *)a)->name, ((const hit_model_entry *)b)->name);
}

/* The name of a model without its ending; false: the file is something else. */
static bool is_model(const char *file, hit_model_entry *found)
{
    const size_t length = strlen(file);

    for (int kind = 0; kind < HIT_STORE_KINDS && file[0] != '.'; kind++) {
        const char *ending = hit_store_ending((hit_store_kind)kind);
        const size_t rest = length - strlen(ending);

        if (length <= strlen(ending) || rest >= sizeof(found->name)) continue;
        if (strcmp(file + rest, ending) != 0) continue;
        found->kind = (hit_store_kind)kind;
        memcpy(found->name, file, rest);
        found->name[rest] = '\0';
        return true;
    }
    return false;
}

static hit_status list_files(DIR *files, int *count, hit_model_entry **entry)
{
    const struct dirent *file;
    size_t room = 0;

    while ((file = readdir(files)) != NULL) {
        hit_model_entry found = {.name = ""};
        char *text = NULL;

        if (!is_model(file->d_name, &found)) continue;
        HIT_TRY(
            hit_memory_grow((size_t)*count + 1, &room, sizeof(**entry), "a list", entry));
        /* what cannot be read is listed without a key */
        if (hit_store_read_text(found.name, &found, &text) != HIT_OK) {
            found.key = (hit_model_key){.kernel = ""};
        }
        free(text);
        (*entry)[(*count)++] = found;
    }
    return HIT_OK;
}

hit_status hit_store_list(int *count, hit_model_entry **entry)
{
    hit_model_entry *found = NULL;
    char *folder;
    DIR *files;
    int number = 0;
    hit_status st = HIT_OK;

    HIT_TRY(hit_store_folder(&folder));
    files = opendir(folder);
    if (files == NULL && errno != ENOENT) {
        st = HIT_FAIL(HIT_E_IO, "cannot read %s: %s", folder, strerror(errno));
    }
    free(folder);
    if (files != NULL) {
        st = list_files(files, &number, &found);
        (void)closedir(files);
    }
    if (st != HIT_OK) {
        free(found);
        return st;
    }
    if (number > 1) qsort(found, (size_t)number, sizeof(*found), by_name);
    *count = number;
    *entry = found;
    return HIT_OK;
}

bool hit_model_key_equal(const hit_model_key *a, const hit_model_key *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->build, b->build) == 0;
}
