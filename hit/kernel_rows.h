/* SPDX-License-Identifier: MIT
 * What HIT_BY_ROWS() makes of a kernel: loops over rows, of each a range of the last
 * index. A kernel without it has none of this code: functions that nobody names are
 * dropped. */
#ifndef HIT_KERNEL_ROWS_H
#define HIT_KERNEL_ROWS_H

#include "hit/kernel_macros.h"
#include "patterns/kernel.h"

/* Indices before the last one, of row number hit_r_. */
#define HIT_RANGES_BY(k)                                                                 \
    const hit_index hit_by##k = hit_ranges_->dim == (k) ? hit_ranges_->by : 0;
#define HIT_RANGES_AT(k)                                                                 \
    const hit_index hit_x##k = hit_run_->begin[k] + hit_r_ * hit_by##k;

/* The loops around a statement; of the last index, number @p k, the stride is hit_inner_.
 * Ends of rows are not cut as in HIT_ROWS: most of these are short. */
#define HIT_RANGES(k, bys, ats, ...)                                                     \
    const hit_index hit_rows_ = hit_ranges_->count;                                      \
    const hit_index *const hit_begins_ = hit_ranges_->begin;                             \
    const hit_index *const hit_ends_ = hit_ranges_->end;                                 \
    bys for (hit_index hit_r_ = 0; hit_r_ < hit_rows_; hit_r_++)                         \
    {                                                                                    \
        const hit_index hit_count_ = hit_ends_[hit_r_] - hit_begins_[hit_r_] + 1;        \
        const hit_index hit_first##k =                                                   \
            hit_inner_ > 0 ? hit_begins_[hit_r_] : hit_ends_[hit_r_];                    \
        ats if (hit_free_)                                                               \
        {                                                                                \
            HIT_FREE_ROW(k, hit_count_, 0, __VA_ARGS__)                                  \
        }                                                                                \
        else                                                                             \
        {                                                                                \
            HIT_ROW(k, hit_count_, 0, __VA_ARGS__)                                       \
        }                                                                                \
    }
#define HIT_RANGES_1(...) HIT_RANGES(0, , , __VA_ARGS__)
#define HIT_RANGES_2(...) HIT_RANGES(1, HIT_RANGES_BY(0), HIT_RANGES_AT(0), __VA_ARGS__)
#define HIT_RANGES_3(...)                                                                \
    HIT_RANGES(2, HIT_RANGES_BY(0) HIT_RANGES_BY(1), HIT_RANGES_AT(0) HIT_RANGES_AT(1),  \
               __VA_ARGS__)
#define HIT_RANGES_4(...)                                                                \
    HIT_RANGES(3, HIT_RANGES_BY(0) HIT_RANGES_BY(1) HIT_RANGES_BY(2),                    \
               HIT_RANGES_AT(0) HIT_RANGES_AT(1) HIT_RANGES_AT(2), __VA_ARGS__)
#define HIT_RANGES_5(...) HIT_RANGES_4(__VA_ARGS__) /* refused by HIT_KERNEL_TABLE */

/* The last of (up, down), as a number. */
#define HIT_LAST_ORDER(order) HIT_CAT(HIT_LAST_ORDER_, HIT_COUNT order) order
#define HIT_LAST_ORDER_1(a) HIT_ORDER_##a
#define HIT_LAST_ORDER_2(a, b) HIT_ORDER_##b
#define HIT_LAST_ORDER_3(a, b, c) HIT_ORDER_##c
#define HIT_LAST_ORDER_4(a, b, c, d) HIT_ORDER_##d

/* @p free: indices run in any order; @p step: of the last one, 1 or -1. */
#define HIT_KERNEL_BY_ROWS(name, index, free, step, ...)                                 \
    static HIT_UNUSED HIT_NOINLINE void name##_hit_ranges(                               \
        const hit_run *hit_run_,                                                         \
        const hit_ranges *hit_ranges_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))             \
    {                                                                                    \
        enum {                                                                           \
            hit_free_ = (free),                                                          \
            hit_dense_ = 1,                                                              \
            hit_inner_ = (step)                                                          \
        };                                                                               \
        HIT_EACH(HIT_LOCAL_SLOT, __VA_ARGS__)                                            \
        HIT_CAT(HIT_RANGES_, HIT_COUNT index)                                            \
        (name##_body(hit_run_ HIT_EACH(HIT_ACTUAL, __VA_ARGS__)                          \
                         HIT_INDEX_ACTUALS(index)))                                      \
    }                                                                                    \
    static HIT_UNUSED hit_status name##_hit_by_rows(const hit_run *hit_run_,             \
                                                    const hit_ranges *hit_ranges_)       \
    {                                                                                    \
        name##_hit_ranges(hit_run_, hit_ranges_ HIT_EACH(HIT_BASE_ACTUAL, __VA_ARGS__)); \
        return HIT_OK;                                                                   \
    }

#endif
