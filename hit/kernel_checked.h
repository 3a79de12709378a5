/* SPDX-License-Identifier: MIT
 * HIT_KERNEL for the checked half of a kernel file; included by hit/kernel.h. The body is
 * compiled once more, in a file of its own, so that the other half is the same machine
 * code whether there are checks or not. Every access asks the slot's recorder. */
#ifndef HIT_KERNEL_CHECKED_H
#define HIT_KERNEL_CHECKED_H

#include "hit/kernel_macros.h"
#include "patterns/kernel.h"

#define HIT_AT_1(name) hit_p_##name[hit_s_##name->touch->at(hit_s_##name->touch, 0, NULL)]
#define HIT_AT_2(name, i) HIT_TOUCHED(name, 1, (i))
#define HIT_AT_3(name, i, j) HIT_TOUCHED(name, 2, (i), (j))
#define HIT_AT_4(name, i, j, k) HIT_TOUCHED(name, 3, (i), (j), (k))
#define HIT_AT_5(name, i, j, k, l) HIT_TOUCHED(name, 4, (i), (j), (k), (l))
#define HIT_TOUCHED(name, count, ...)                                                    \
    hit_p_##name[hit_s_##name->touch->at(hit_s_##name->touch, count,                     \
                                         (const hit_index[]){__VA_ARGS__})]

/* One argument: its slot, and as actual parameters of the body. */
#define HIT_CHECKED_SLOT(k, arg) HIT_BY_MODE(HIT_CHECKED_SLOT_, k, HIT_STRIP arg)
#define HIT_CHECKED_SLOT_R(k, t, n, ...) const hit_slot *hit_s_##n = &hit_run_->slot[k];
#define HIT_CHECKED_SLOT_W(k, t, n, ...) HIT_CHECKED_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_CHECKED_SLOT_A(k, t, n, ...) HIT_CHECKED_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_CHECKED_SLOT_V(k, t, n, ...)
#define HIT_CHECKED_ACTUAL(k, arg) HIT_BY_MODE(HIT_CHECKED_ACTUAL_, k, HIT_STRIP arg)
#define HIT_CHECKED_ACTUAL_R(k, t, n, ...) , (const t *)hit_s_##n->base, hit_s_##n
#define HIT_CHECKED_ACTUAL_W(k, t, n, ...) , (t *)hit_s_##n->base, hit_s_##n
#define HIT_CHECKED_ACTUAL_A(k, t, n, ...) , (t *)hit_s_##n->base, hit_s_##n
#define HIT_CHECKED_ACTUAL_V(k, t, n, ...) , *(const t *)hit_run_->slot[k].base

#define HIT_KERNEL(name, index, ...)                                                     \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                           \
    hit_status name##_checked(const hit_run *hit_run_);                                  \
    hit_status name##_checked(const hit_run *hit_run_)                                   \
    {                                                                                    \
        const int hit_dense_ = 0;                                                        \
        const int hit_free_ = 0;                                                         \
        const int hit_cuts_ = 0;                                                         \
        const int hit_lanes_ HIT_UNUSED = 4;                                             \
        const hit_index hit_inner_ = HIT_INNER_STRIDE(index);                            \
        const hit_index hit_from_ HIT_UNUSED = hit_run_->begin[0];                       \
        HIT_EACH(HIT_CHECKED_SLOT, __VA_ARGS__)                                          \
        HIT_LOOPS(index, ,                                                               \
                  name##_body(hit_run_ HIT_EACH(HIT_CHECKED_ACTUAL, __VA_ARGS__)         \
                                  HIT_INDEX_ACTUALS(index)))                             \
        return HIT_OK;                                                                   \
    }                                                                                    \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)

#endif
