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

/* fpm_akima.c: a smooth curve through the times of a model. */

typedef struct hit_fpm_akima hit_fpm_akima;

/** The Akima spline of time over units through (0, 0) and the points of @p fpm; the times
 * of the model itself if there are fewer than 5 of them with (0, 0); beyond the last
 * point time grows in proportion. The cap of @p fpm is not part of it.
 *
 * @owner  *akima is the caller's; @p fpm is not needed any more
 * @errors HIT_E_ARG a model without points, or with an infinite time; HIT_E_NOMEM
 * @paper  [Akima1970]; [Rychkov2011]; differs: time, not speed, as
 *         FuPerMod does
 */
hit_status hit_fpm_akima_create(const hit_fpm *fpm, hit_fpm_akima **akima);
/** Accepts NULL in *akima; sets it to NULL. */
void hit_fpm_akima_destroy(hit_fpm_akima **akima);
/** The seconds that @p units >= 0 take; *slope is the derivative in s per unit. */
double hit_fpm_akima_time(const hit_fpm_akima *akima, double units, double *slope);

#endif
