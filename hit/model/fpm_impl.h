/* SPDX-License-Identifier: MIT
 * Internal: what the files of fpm.h share. */
#ifndef HIT_MODEL_FPM_IMPL_H
#define HIT_MODEL_FPM_IMPL_H

#include "hit/model/fpm.h"

#include <stdio.h>

struct hit_fpm {
    hit_fpm_kind kind;
    bool monotone; /**< by points and cap */
    hit_index cap;
    size_t count;
    size_t capacity;
    hit_fpm_point *point; /**< ascending, no two with equal units */
};

/* models in files. */

/** Write a model with @p notes, lines that begin with '#', below the first line. */
hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file);

/** All of a file of the store, which ends with a newline. @owner *text is the caller's:
 * free() @errors those of hit_lines_load(); HIT_E_IO it ends without one */
hit_status hit_fpm_read_text(const char *path, char **text);

#endif
