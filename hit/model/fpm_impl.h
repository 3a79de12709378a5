/* SPDX-License-Identifier: MIT
 * Internal: what the files of fpm.h share. */
#ifndef HIT_MODEL_FPM_IMPL_H
#define HIT_MODEL_FPM_IMPL_H

#include "hit/model/fpm.h"

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

#endif
