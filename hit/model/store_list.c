/* SPDX-License-Identifier: MIT
 * All files of the store of models. */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "hit/model/store_list.h"

#include "hit/model/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".fpm";

static int by_name(const void *a, const void *b)
{
    return strcmp(((const hit_model_entry *)a)->name, ((const hit_model_entry *)b)->name);
}

/* The name of a model without its suffix; false: the file is something else. */
static bool is_model(const char *file, char name[64])
{
    const size_t length = strlen(file);

    if (file[0] == '.' || length <= strlen(suffix) || length >= 64) return false;
    if (strcmp(file + length - strlen(suffix), suffix) != 0) return false;
    memcpy(name, file, length - strlen(suffix));
    name[length - strlen(suffix)] = '\0';
    return true;
}

static hit_status list_files(DIR *files, int *count, hit_model_entry **entry)
{
    const struct dirent *file;
    int capacity = 0;

    while ((file = readdir(files)) != NULL) {
        hit_model_entry found = {.name = ""};
        hit_fpm *fpm = NULL;

        if (!is_model(file->d_name, found.name)) continue;
        if (*count == capacity) {
            void *grown;

            capacity = capacity > 0 ? 2 * capacity : 16;
            grown = realloc(*entry, (size_t)capacity * sizeof(**entry));
            if (grown == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a list");
            *entry = grown;
        }
        /* what cannot be read is listed without a key */
        if (hit_store_read(found.name, &found, &fpm) != HIT_OK) {
            found.key = (hit_model_key){.kernel = ""};
        }
        hit_fpm_destroy(&fpm);
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
