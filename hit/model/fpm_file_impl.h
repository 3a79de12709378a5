/* SPDX-License-Identifier: MIT
 * Internal: models in files. */
#ifndef HIT_MODEL_FPM_FILE_IMPL_H
#define HIT_MODEL_FPM_FILE_IMPL_H

#include "hit/model/fpm.h"

#include <stdio.h>

/** Write a model with @p notes, lines that begin with '#', below the first line. */
hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file);

/** Read all of @p file as text that ends with '\0'. @owner *text is the caller's: free()
 */
hit_status hit_fpm_read_all(FILE *file, const char *path, char **text);

#endif
