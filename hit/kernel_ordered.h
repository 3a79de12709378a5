/* SPDX-License-Identifier: MIT
 * HIT_ORDERED_KERNEL: a body whose indices run one after the other; included by
 * hit/kernel.h. */
#ifndef HIT_KERNEL_ORDERED_H
#define HIT_KERNEL_ORDERED_H

#include "hit/kernel_macros.h"
#include "patterns/kernel.h"

/* The loops over a box, around a statement, in the order hit_order_. Of the last index
 * the stride is hit_inner_. The compiler is told of no independence that is not there. */
#define HIT_ORDERED_BOUND(k, stride_)                                                    \
    const hit_index hit_count##k =                                                       \
        (hit_run_->end[k] - hit_run_->begin[k]) / (stride_) + 1;                         \
    const hit_index hit_step##k = hit_order_[k] * (stride_);                             \
    const hit_index hit_first##k =                                                       \
        hit_run_->begin[k] + (hit_order_[k] < 0 ? (hit_count##k - 1) * (stride_) : 0)
#define HIT_ORDERED_PART(k, from, until, ...)                                            \
    for (hit_index hit_t##k = (from); hit_t##k < (until); hit_t##k++) {                  \
        const hit_index hit_x##k = hit_first##k + hit_t##k * hit_step##k;                \
        __VA_ARGS__;                                                                     \
    }
#define HIT_ORDERED_LOOP(k, ...) HIT_ORDERED_PART(k, 0, hit_count##k, __VA_ARGS__)
/* The last two of them. Where each index needs the one before it in its row, the next row
 * is as far as this one only some indices behind: a few rows go on together, HIT_BAND of
 * them, a few indices at a time, and the processor works on all of them, which wait for
 * nothing but their own row. */
#define HIT_BAND 4
#define HIT_BAND_WIDTH 8
#define HIT_ORDERED_BANDS(p, q, ...)                                                     \
    const int hit_in_bands_ = hit_run_->in_bands && hit_count##p > 1;                    \
    const hit_index hit_band_ = hit_in_bands_ ? HIT_BAND : 1;                            \
    const hit_index hit_width_ = hit_in_bands_ ? HIT_BAND_WIDTH : hit_count##q;          \
    for (hit_index hit_p_ = 0; hit_p_ < hit_count##p; hit_p_ += hit_band_) {             \
        const hit_index hit_left_p_ = hit_count##p - hit_p_;                             \
        const hit_index hit_past_p_ =                                                    \
            hit_p_ + (hit_left_p_ < hit_band_ ? hit_left_p_ : hit_band_);                \
        for (hit_index hit_q_ = 0; hit_q_ < hit_count##q; hit_q_ += hit_width_) {        \
            const hit_index hit_left_q_ = hit_count##q - hit_q_;                         \
            const hit_index hit_past_q_ =                                                \
                hit_q_ + (hit_left_q_ < hit_width_ ? hit_left_q_ : hit_width_);          \
            HIT_ORDERED_PART(p, hit_p_, hit_past_p_,                                     \
                             HIT_ORDERED_PART(q, hit_q_, hit_past_q_, __VA_ARGS__))      \
        }                                                                                \
    }
#define HIT_ORDERED_LOOPS_1(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, __VA_ARGS__)
#define HIT_ORDERED_LOOPS_2(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_inner_);                                                    \
    HIT_ORDERED_BANDS(0, 1, __VA_ARGS__)
#define HIT_ORDERED_LOOPS_3(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_run_->stride[1]);                                           \
    HIT_ORDERED_BOUND(2, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, HIT_ORDERED_BANDS(1, 2, __VA_ARGS__))
#define HIT_ORDERED_LOOPS_4(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_run_->stride[1]);                                           \
    HIT_ORDERED_BOUND(2, hit_run_->stride[2]);                                           \
    HIT_ORDERED_BOUND(3, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, HIT_ORDERED_LOOP(1, HIT_ORDERED_BANDS(2, 3, __VA_ARGS__)))
#define HIT_ORDERED_LOOPS(index, ...)                                                    \
    HIT_CAT(HIT_ORDERED_LOOPS_, HIT_COUNT index)(__VA_ARGS__)

/** Define a kernel whose indices run one after the other, as in a loop: what one writes
 * those after it read. `HIT_ORDERED_KERNEL(seidel, (i, j), (up, up), (inout, float, u,
 * "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]")) { body }`. The order is lexicographic: the last
 * index runs fastest, each one ascending, `up`, or descending, `down`. All else is as
 * with HIT_KERNEL; it cannot reduce, and runs on host devices only. */
#if defined(HIT_KERNEL_CHECKED_HALF)
#define HIT_ORDERED_KERNEL(name, index, order, ...) HIT_KERNEL(name, index, __VA_ARGS__)
#elif !defined(HIT_KERNEL_HOST_HALF)
#define HIT_ORDERED_KERNEL(name, index, order, ...)                                      \
    HIT_UNUSED HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)
#else
#define HIT_ORDERED_KERNEL(name, index, order, ...)                                      \
    _Static_assert(HIT_COUNT index == HIT_COUNT order,                                   \
                   "expected up or down for each index");                                \
    HIT_CHECKED_DECLARE(name)                                                            \
    HIT_ORDERED_TABLE(name, index, 1, order, NULL, 0, NULL, HIT_CHECKED_POINTER(name),   \
                      __VA_ARGS__)                                                       \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                           \
    static HIT_INLINE void name##_loop(                                                  \
        const hit_run *hit_run_, const int hit_dense_,                                   \
        const hit_index hit_inner_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                \
    {                                                                                    \
        static const int hit_order_[] = {HIT_EACH(HIT_ORDER, HIT_STRIP order)};          \
        HIT_EACH(HIT_LOCAL_SLOT, __VA_ARGS__)                                            \
        HIT_ORDERED_LOOPS(index, name##_body(hit_run_ HIT_EACH(HIT_ACTUAL, __VA_ARGS__)  \
                                                 HIT_INDEX_ACTUALS(index)))              \
    }                                                                                    \
    HIT_KERNEL_HOST(name, index, 0, __VA_ARGS__)                                         \
    HIT_KERNEL_BY_ROWS(name, index, 0, HIT_LAST_ORDER(order), __VA_ARGS__)               \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)
#endif

#endif
