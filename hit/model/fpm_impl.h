/* SPDX-License-Identifier: MIT
 * Internal: what the files of fpm.h share. */
#ifndef HIT_MODEL_FPM_IMPL_H
#define HIT_MODEL_FPM_IMPL_H

#include "hit/model/fpm.h"

#include <stdio.h>

struct hit_fpm {
    hit_fpm_kind kind;
    bool monotone; /**< of points and cap: hit_fpm_seal() */
    hit_index cap;
    size_t count;
    size_t capacity;
    hit_fpm_point *point; /**< ascending, no two with equal units */
};

/** Find out again what follows from points and cap, after they changed. */
void hit_fpm_seal(hit_fpm *fpm);

/** Write a model with @p notes, lines that begin with '#', below the first line. */
hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file);
/** Read all of @p file as text that ends with '\0'. @owner *text is the caller's: free()
 */
hit_status hit_fpm_read_all(FILE *file, const char *path, char **text);

#endif
