/* SPDX-License-Identifier: MIT
 * Internal: models in files. */
#ifndef HIT_MODEL_FPM_FILE_IMPL_H
#define HIT_MODEL_FPM_FILE_IMPL_H

#include "hit/model/fpm.h"

#include <stdio.h>

/** Write a model with @p notes, lines that begin with '#', below the first line. */
hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file);

/** All of a file of the store, which ends with a newline. @owner *text is the caller's:
 * free() @errors those of hit_lines_load(); HIT_E_IO it ends without one */
hit_status hit_fpm_read_text(const char *path, char **text);

#endif
