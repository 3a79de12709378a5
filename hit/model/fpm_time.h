/* SPDX-License-Identifier: MIT
 * What models of speed say of loads. */
#ifndef HIT_MODEL_FPM_TIME_H
#define HIT_MODEL_FPM_TIME_H

#include "hit/model/fpm.h"

HIT_C_BEGIN

/** Units per second when there are @p units to do, whatever the cap. A table answers for
 * its load that is nearest. */
HIT_API double hit_fpm_speed(const hit_fpm *fpm, double units);

/** The seconds that @p units take; INFINITY if they are impossible. */
HIT_API double hit_fpm_time(const hit_fpm *fpm, hit_index units);

/** The highest speed of any load. */
HIT_API double hit_fpm_fastest(const hit_fpm *fpm);
/** The largest load <= @p most that takes at most @p seconds; 0 if none does. Of
 * INFINITY: the largest that is possible. O(log points) if monotone, else O(points). */
HIT_API hit_index hit_fpm_inverse(const hit_fpm *fpm, double seconds, hit_index most);
/** Append all loads <= @p most that take at most @p seconds to the empty @p loads; 0 is
 * always among them. @errors HIT_E_NOMEM */
HIT_API hit_status hit_fpm_within(const hit_fpm *fpm, double seconds, hit_index most,
                                  hit_spans *loads);
/** The largest number that divides every load of a table; 1 for other models, 0 for an
 * empty table. */
HIT_API hit_index hit_fpm_granularity(const hit_fpm *fpm);

HIT_C_END

#endif
