/* SPDX-License-Identifier: MIT
 * Performance models as text:
 *
 *     # hit model 1
 *     kind functional          constant, functional or table
 *     cap 500000               optional
 *     1000 2.5e5               functional: UNITS SPEED; table: UNITS SECONDS;
 *     2000 3.1e5 4             constant: one line "speed SPEED"
 *
 * Points come in any order; a third number says how many measurements it is the mean of.
 * What follows a '#' is a comment. */
#ifndef HIT_MODEL_FPM_FILE_H
#define HIT_MODEL_FPM_FILE_H

#include "hit/model/fpm.h"

#include <stdio.h>

HIT_C_BEGIN

/** Read a model from @p text; @p name is for messages: "fast.model:3: expected ...".
 *
 * @owner  *fpm is the caller's: hit_fpm_destroy()
 * @errors HIT_E_ARG not a model; HIT_E_NOMEM
 */
HIT_API hit_status hit_fpm_parse(const char *text, const char *name, hit_fpm **fpm);
/** Read a model from the file @p path. @errors as hit_fpm_parse(); HIT_E_IO */
HIT_API hit_status hit_fpm_load(const char *path, hit_fpm **fpm);
/** Write a model as text that gives the same model again, to the last bit.
 * @errors HIT_E_IO */
HIT_API hit_status hit_fpm_write(const hit_fpm *fpm, FILE *file);

HIT_C_END

#endif
