/* SPDX-License-Identifier: MIT
 * Internal: what the files of fpm.h share. */
#ifndef HIT_MODEL_FPM_IMPL_H
#define HIT_MODEL_FPM_IMPL_H

#include "hit/model/fpm.h"

struct hit_fpm {
    hit_fpm_kind kind;
    bool monotone; /**< by points and cap */
    hit_index cap;
    size_t count;
    size_t capacity;
    hit_fpm_point *point; /**< ascending, no two with equal units */
};

#endif
