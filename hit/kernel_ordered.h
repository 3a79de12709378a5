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
#define HIT_ORDERED_LOOP(k, ...)                                                         \
    for (hit_index hit_t##k = 0; hit_t##k < hit_count##k; hit_t##k++) {                  \
        const hit_index hit_x##k = hit_first##k + hit_t##k * hit_step##k;                \
        __VA_ARGS__;                                                                     \
    }
#define HIT_ORDERED_LOOPS_1(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, __VA_ARGS__)
#define HIT_ORDERED_LOOPS_2(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, HIT_ORDERED_LOOP(1, __VA_ARGS__))
#define HIT_ORDERED_LOOPS_3(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_run_->stride[1]);                                           \
    HIT_ORDERED_BOUND(2, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(0, HIT_ORDERED_LOOP(1, HIT_ORDERED_LOOP(2, __VA_ARGS__)))
#define HIT_ORDERED_LOOPS_4(...)                                                         \
    HIT_ORDERED_BOUND(0, hit_run_->stride[0]);                                           \
    HIT_ORDERED_BOUND(1, hit_run_->stride[1]);                                           \
    HIT_ORDERED_BOUND(2, hit_run_->stride[2]);                                           \
    HIT_ORDERED_BOUND(3, hit_inner_);                                                    \
    HIT_ORDERED_LOOP(                                                                    \
        0, HIT_ORDERED_LOOP(1, HIT_ORDERED_LOOP(2, HIT_ORDERED_LOOP(3, __VA_ARGS__))))
#define HIT_ORDERED_LOOPS(index, ...)                                                    \
    HIT_CAT(HIT_ORDERED_LOOPS_, HIT_COUNT index)(__VA_ARGS__)

/** Define a kernel whose indices run one after the other, as in a loop: what one writes
 * those after it read. `HIT_ORDERED_KERNEL(seidel, (i, j), (up, up), (inout, float, u,
 * "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]")) { body }`. The order is lexicographic: the last
 * index runs fastest, each one ascending, `up`, or descending, `down`. All else is as
 * with HIT_KERNEL; it cannot reduce, and runs on host devices only. */
#if defined(HIT_KERNEL_CHECKED_HALF)
#define HIT_ORDERED_KERNEL(name, index, order, ...) HIT_KERNEL(name, index, __VA_ARGS__)
#elif defined(__CUDACC__)
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
    HIT_KERNEL_HOST(name, index, __VA_ARGS__)                                            \
    HIT_KERNEL_BY_ROWS(name, index, 0, HIT_LAST_ORDER(order), __VA_ARGS__)               \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)
#endif

#endif
