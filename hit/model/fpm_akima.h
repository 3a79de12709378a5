/* SPDX-License-Identifier: MIT
 * A smooth curve through the times of a model. */
#ifndef HIT_MODEL_FPM_AKIMA_H
#define HIT_MODEL_FPM_AKIMA_H

#include "hit/model/fpm.h"

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
