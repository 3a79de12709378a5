/* SPDX-License-Identifier: MIT
 * Preprocessor machinery behind hit/kernel.h: counting, loops over lists, and what each
 * mode of an argument expands to. Nothing here is for users. */
#ifndef HIT_KERNEL_MACROS_H
#define HIT_KERNEL_MACROS_H

#include "patterns/kernel.h"

/* The half that has the table of a kernel, and not another one. */
#if !defined(__CUDACC__) && !defined(HIT_KERNEL_CHECKED_HALF) &&                         \
    !defined(HIT_KERNEL_VECTOR_HALF)
#define HIT_KERNEL_HOST_HALF
#endif

#define HIT_CAT(a, b) HIT_CAT_(a, b)
#define HIT_CAT_(a, b) a##b
#define HIT_STRIP(...) __VA_ARGS__
#define HIT_TEXT(index) #index

#define HIT_COUNT(...)                                                                   \
    HIT_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HIT_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

/* HIT_EACH(M, ...) is M(0, first) M(0 + 1, second) ... */
#define HIT_EACH(M, ...) HIT_CAT(HIT_EACH_, HIT_COUNT(__VA_ARGS__))(M, 0, __VA_ARGS__)
#define HIT_EACH_1(M, k, a) M(k, a)
#define HIT_EACH_2(M, k, a, ...) M(k, a) HIT_EACH_1(M, k + 1, __VA_ARGS__)
#define HIT_EACH_3(M, k, a, ...) M(k, a) HIT_EACH_2(M, k + 1, __VA_ARGS__)
#define HIT_EACH_4(M, k, a, ...) M(k, a) HIT_EACH_3(M, k + 1, __VA_ARGS__)
#define HIT_EACH_5(M, k, a, ...) M(k, a) HIT_EACH_4(M, k + 1, __VA_ARGS__)
#define HIT_EACH_6(M, k, a, ...) M(k, a) HIT_EACH_5(M, k + 1, __VA_ARGS__)
#define HIT_EACH_7(M, k, a, ...) M(k, a) HIT_EACH_6(M, k + 1, __VA_ARGS__)
#define HIT_EACH_8(M, k, a, ...) M(k, a) HIT_EACH_7(M, k + 1, __VA_ARGS__)
#define HIT_EACH_9(M, k, a, ...) M(k, a) HIT_EACH_8(M, k + 1, __VA_ARGS__)
#define HIT_EACH_10(M, k, a, ...) M(k, a) HIT_EACH_9(M, k + 1, __VA_ARGS__)
#define HIT_EACH_11(M, k, a, ...) M(k, a) HIT_EACH_10(M, k + 1, __VA_ARGS__)
#define HIT_EACH_12(M, k, a, ...) M(k, a) HIT_EACH_11(M, k + 1, __VA_ARGS__)
#define HIT_EACH_13(M, k, a, ...) M(k, a) HIT_EACH_12(M, k + 1, __VA_ARGS__)
#define HIT_EACH_14(M, k, a, ...) M(k, a) HIT_EACH_13(M, k + 1, __VA_ARGS__)
#define HIT_EACH_15(M, k, a, ...) M(k, a) HIT_EACH_14(M, k + 1, __VA_ARGS__)
#define HIT_EACH_16(M, k, a, ...) M(k, a) HIT_EACH_15(M, k + 1, __VA_ARGS__)

/* The index tuple: (i, j). That of no index, (), is an index without a name, which bodies
 * have as hit_none_. */
#define HIT_NAMELESS_ ~, hit_none_
#define HIT_SECOND(...) HIT_SECOND_(__VA_ARGS__)
#define HIT_SECOND_(a, b, ...) b
#define HIT_INDEX_PARAM(k, name)                                                         \
    , const hit_index HIT_SECOND(HIT_NAMELESS_##name, name, ) HIT_UNUSED
#define HIT_INDEX_NAME(k, name) #name,
#ifndef HIT_KERNEL_VECTOR_HALF
#define HIT_BODY_PARAM const hit_run *hit_run_of_body HIT_UNUSED
#define HIT_BODY_OF hit_run_
#endif
#define HIT_INDEX_ACTUALS_1 , hit_x0
#define HIT_INDEX_ACTUALS_2 , hit_x0, hit_x1
#define HIT_INDEX_ACTUALS_3 , hit_x0, hit_x1, hit_x2
#define HIT_INDEX_ACTUALS_4 , hit_x0, hit_x1, hit_x2, hit_x3
#define HIT_INDEX_ACTUALS_5 , hit_x0, hit_x1, hit_x2, hit_x3, 0 /* refused already */
#define HIT_INDEX_ACTUALS(index) HIT_CAT(HIT_INDEX_ACTUALS_, HIT_COUNT index)
#define HIT_FIRST_TEXT(...) HIT_FIRST_TEXT_(__VA_ARGS__, )
#define HIT_FIRST_TEXT_(i, ...) #i

/* The order of the indices, (up, down): as numbers, and as a condition. */
#define HIT_ORDER(k, word) HIT_ORDER_##word,
#define HIT_OR_ORDER(k, word) || HIT_ORDER_##word != 0
#define HIT_ORDER_none 0
#define HIT_ORDER_up 1
#define HIT_ORDER_down (-1)

/* One argument, (mode, type, name, pattern) or (value, type, name), by the class of its
 * mode: HIT_R read, HIT_W written, HIT_A accumulated (sum, min, max, reduce), HIT_V
 * value. HIT_BY_MODE(M_, k, arg) is M_R(k, type, name, ...), M_W(...), M_A(...) or
 * M_V(...). */
#define HIT_BY_MODE(M, k, ...) HIT_BY_MODE_(M, k, __VA_ARGS__, )
#define HIT_BY_MODE_(M, k, mode, ...) HIT_CAT(M, HIT_CLASS_##mode)(k, __VA_ARGS__)
#define HIT_CLASS_in R
#define HIT_CLASS_out W
#define HIT_CLASS_inout W
#define HIT_CLASS_sum A
#define HIT_CLASS_min A
#define HIT_CLASS_max A
#define HIT_CLASS_reduce A
#define HIT_CLASS_value V

/* ... in the table of arguments. */
#define HIT_MODE_OF_in HIT_MODE_IN
#define HIT_MODE_OF_out HIT_MODE_OUT
#define HIT_MODE_OF_inout HIT_MODE_INOUT
#define HIT_MODE_OF_sum HIT_MODE_SUM
#define HIT_MODE_OF_min HIT_MODE_MIN
#define HIT_MODE_OF_max HIT_MODE_MAX
#define HIT_MODE_OF_reduce HIT_MODE_REDUCE
#define HIT_MODE_OF_value HIT_MODE_VALUE
#define HIT_TYPE_TEXT(k, arg) HIT_TYPE_TEXT_ arg
#define HIT_TYPE_TEXT_(mode, t, ...) #t,
#define HIT_ENTRY(k, arg) HIT_ENTRY_ arg
#define HIT_ENTRY_(mode, ...) HIT_ENTRY_OF(HIT_MODE_OF_##mode, __VA_ARGS__, NULL, )
#define HIT_ENTRY_OF(mode, t, n, p, ...) {mode, HIT_TYPE_OF(t), #n, p},

/* ... as its reduction: HIT_REDUCTION() of the type has made it. */
#define HIT_REDUCTION_ENTRY(k, arg) HIT_REDUCTION_ENTRY_ arg
#define HIT_REDUCTION_ENTRY_(mode, t, ...) HIT_REDUCTION_OF_##mode(t),
#define HIT_REDUCTION_OF_in(t) NULL
#define HIT_REDUCTION_OF_out(t) NULL
#define HIT_REDUCTION_OF_inout(t) NULL
#define HIT_REDUCTION_OF_sum(t) NULL
#define HIT_REDUCTION_OF_min(t) NULL
#define HIT_REDUCTION_OF_max(t) NULL
#define HIT_REDUCTION_OF_value(t) NULL
#define HIT_REDUCTION_OF_reduce(t) &t##_reduction

/* ... as a number: 1 if the type of the program's says how it is reduced. */
#define HIT_OR_REDUCE(k, arg) HIT_OR_REDUCE_ arg
#define HIT_OR_REDUCE_(mode, ...) || HIT_MODE_OF_##mode == HIT_MODE_REDUCE

/* ... as parameters of the body: a pointer and a slot, or the value itself. What is only
 * read may be there for a pattern or for HIT_WHERE(). */
#define HIT_PARAM(k, arg) HIT_BY_MODE(HIT_PARAM_, k, HIT_STRIP arg)
#define HIT_PARAM_R(k, t, n, ...)                                                        \
    , const t *HIT_RESTRICT hit_p_##n HIT_UNUSED,                                        \
        const hit_place *hit_s_##n HIT_UNUSED HIT_IS_WRITTEN(n)
#define HIT_PARAM_W(k, t, n, ...)                                                        \
    , t *HIT_RESTRICT hit_p_##n, const hit_place *hit_s_##n HIT_UNUSED HIT_IS_WRITTEN(n)
#define HIT_PARAM_A(k, t, n, ...)                                                        \
    , t *HIT_RESTRICT hit_p_##n, const hit_place *hit_s_##n HIT_UNUSED HIT_IS_WRITTEN(n)
#ifdef HIT_KERNEL_VECTOR_HALF
#define HIT_IS_WRITTEN(n) , const int hit_w_##n HIT_UNUSED
#else
#define HIT_IS_WRITTEN(n)
#endif
#define HIT_PARAM_V(k, t, n, ...) , const t n HIT_UNUSED

/* ... as parameters of the host's loop. gcc keeps `restrict` only for the parameters of a
 * function that is not inlined; without it, more than ten arguments' rows are too many to
 * compare, and the loop is not vectorised. */
#define HIT_BASE_PARAM(k, arg) HIT_BY_MODE(HIT_BASE_PARAM_, k, HIT_STRIP arg)
#define HIT_BASE_PARAM_R(k, t, n, ...) , const t *HIT_RESTRICT hit_p_##n
#define HIT_BASE_PARAM_W(k, t, n, ...) , t *HIT_RESTRICT hit_p_##n
#define HIT_BASE_PARAM_A(k, t, n, ...) , t *HIT_RESTRICT hit_p_##n
#define HIT_BASE_PARAM_V(k, t, n, ...) , const t n
#define HIT_BASE(k, arg) HIT_BY_MODE(HIT_BASE_, k, HIT_STRIP arg)
#define HIT_BASE_R(k, t, n, ...) , hit_p_##n
#define HIT_BASE_W(k, t, n, ...) , hit_p_##n
#define HIT_BASE_A(k, t, n, ...) , hit_p_##n
#define HIT_BASE_V(k, t, n, ...) , n
#define HIT_BASE_ACTUAL(k, arg) HIT_BY_MODE(HIT_BASE_ACTUAL_, k, HIT_STRIP arg)
#define HIT_BASE_ACTUAL_R(k, t, n, ...) , (const t *)hit_run_->slot[k].base
#define HIT_BASE_ACTUAL_W(k, t, n, ...) , (t *)hit_run_->slot[k].base
#define HIT_BASE_ACTUAL_A(k, t, n, ...) , (t *)hit_run_->slot[k].base
#define HIT_BASE_ACTUAL_V(k, t, n, ...) , *(const t *)hit_run_->slot[k].base
#define HIT_LOCAL_SLOT(k, arg) HIT_BY_MODE(HIT_LOCAL_SLOT_, k, HIT_STRIP arg)
#define HIT_LOCAL_SLOT_R(k, t, n, ...)                                                   \
    hit_place hit_s_##n = {hit_run_->slot[k], {0}, {0}};                                 \
    if (hit_dense_) hit_s_##n.slot.dense = 1;
#define HIT_LOCAL_SLOT_W(k, t, n, ...) HIT_LOCAL_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_LOCAL_SLOT_A(k, t, n, ...) HIT_LOCAL_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_LOCAL_SLOT_V(k, t, n, ...)

/* ... as actual parameters of the body. */
#define HIT_ACTUAL(k, arg) HIT_BY_MODE(HIT_ACTUAL_, k, HIT_STRIP arg)
#define HIT_ACTUAL_R(k, t, n, ...) , hit_p_##n, &hit_s_##n
#define HIT_ACTUAL_W(k, t, n, ...) , hit_p_##n, &hit_s_##n
#define HIT_ACTUAL_A(k, t, n, ...) , hit_p_##n, &hit_s_##n
#define HIT_ACTUAL_V(k, t, n, ...) , n

/* ... as a condition: is it no tile, or one with a dense slot? */
#define HIT_AND_DENSE(k, arg) HIT_BY_MODE(HIT_AND_DENSE_, k, HIT_STRIP arg)
#define HIT_AND_DENSE_R(k, t, n, ...) &&hit_run_->slot[k].dense
#define HIT_AND_DENSE_W(k, t, n, ...) &&hit_run_->slot[k].dense
#define HIT_AND_DENSE_A(k, t, n, ...) &&hit_run_->slot[k].dense
#define HIT_AND_DENSE_V(k, t, n, ...)

/* ... as a condition: does the body not accumulate? */
#define HIT_AND_FREE(k, arg) HIT_BY_MODE(HIT_AND_FREE_, k, HIT_STRIP arg)
#define HIT_AND_FREE_R(k, t, n, ...)
#define HIT_AND_FREE_W(k, t, n, ...)
#define HIT_AND_FREE_A(k, t, n, ...) &&0
#define HIT_AND_FREE_V(k, t, n, ...)

/* ... as a condition: do indices that follow each other in the first dimension share much
 * of what they read? */
#define HIT_OR_SHARES(k, arg) HIT_BY_MODE(HIT_OR_SHARES_, k, HIT_STRIP arg)
#define HIT_OR_SHARES_R(k, t, n, p, ...)                                                 \
    || hit_row_shares(p, hit_low_, hit_high_, hit_near_)
#define HIT_OR_SHARES_W(k, t, n, ...)
#define HIT_OR_SHARES_A(k, t, n, ...)
#define HIT_OR_SHARES_V(k, t, n, ...)

/* ... as a bit: what divides the size of its elements. */
#define HIT_OR_SIZE(k, arg) HIT_BY_MODE(HIT_OR_SIZE_, k, HIT_STRIP arg)
#define HIT_OR_SIZE_R(k, t, n, ...) | (int)sizeof(t)
#define HIT_OR_SIZE_W(k, t, n, ...) | (int)sizeof(t)
#define HIT_OR_SIZE_A(k, t, n, ...) | (int)sizeof(t)
#define HIT_OR_SIZE_V(k, t, n, ...)

/* ... as a statement where a row begins: its place counts from there, and how many
 * indices of the row lie before a whole vector of what is written. */
#define HIT_START(k, arg) HIT_BY_MODE(HIT_START_, k, HIT_STRIP arg)
#define HIT_START_R(k, t, n, p, ...)                                                     \
    hit_place_row(&hit_s_##n, hit_row_, hit_dims_, hit_row_follows(p, hit_open_));
#define HIT_START_W(k, t, n, p, ...)                                                     \
    HIT_START_R(k, t, n, p, )                                                            \
    if (hit_inner_ == 1 && hit_count_ >= HIT_LONG_ROW) {                                 \
        hit_lead_ =                                                                      \
            hit_row_lead(hit_p_##n, &hit_s_##n.slot, hit_row_, hit_dims_, sizeof(t));    \
    }
#define HIT_START_A(k, t, n, p, ...) HIT_START_R(k, t, n, p, )
#define HIT_START_V(k, t, n, ...)

/* A slot as bodies have it. On the host it is a copy that counts from where a row begins:
 * from index from[d] of dimension d, and the first d of these lie at[d] elements behind
 * the base (hit_place_row()). The compiler sees that elements of a row are as far from
 * there as those of the row before, and keeps distances in registers, which all rows
 * share, not an address of each element. Outside of rows it counts from 0. */
#if defined(__CUDACC__) || defined(HIT_KERNEL_CHECKED_HALF)
typedef hit_slot hit_place;
#define HIT_SLOT_OF(place) (place)
#define HIT_FROM(place, d) 0
#define HIT_ROW_AT(place, dims) 0
#else
typedef struct hit_place {
    hit_slot slot;
    hit_index from[HIT_MAX_DIMS];
    hit_index at[HIT_MAX_DIMS];
#ifdef HIT_KERNEL_VECTOR_HALF
    hit_index size;  /* of an element in bytes */
    hit_index ahead; /* from an index's own element to what is fetched, in bytes */
#endif
} hit_place;
#define HIT_SLOT_OF(place) (&(place)->slot)
#define HIT_FROM(place, d) ((place)->from[d])
#define HIT_ROW_AT(place, dims) ((place)->at[dims])
#endif

/* The loops of the host over a box, around a statement; hit_x0 ... are the indices,
 * hit_inner_ is the stride of the last one. The bounds are copied first: as far as the
 * compiler knows, a store to an element (a byte, or of the type of an index) could change
 * those of the run, and it would read them again for each index.
 *
 * Rows of elements side by side go in blocks of HIT_VECTOR_BYTES, of hit_lanes_ indices,
 * from where what is written is aligned so; what is left goes in shorter blocks and one
 * by one. The compiler makes a vector of each block, or two, and keeps the distances of
 * what the body touches, which are those of all rows (hit_place). Of a loop over the
 * whole row it makes a pointer for each element instead, for each row anew: 25 of them
 * for order 8 in three dimensions, where a processor has 16 registers. In a row of fewer
 * than HIT_LONG_ROW indices alignment would cost more than it gains.
 *
 * Where neighbours in the first dimension share much of what they read, HIT_NEIGHBOURS of
 * them go through a row together: the compiler sees that they read the same element. What
 * is left of the first dimension begins at hit_from_. A processor with 16 registers for
 * vectors cannot hold what neighbours share: there each goes by itself, but in the vector
 * half two go together. */
#ifdef __AVX512VBMI2__
#define HIT_VECTOR_BYTES 64
#elif defined(HIT_KERNEL_VECTOR_HALF) && !defined(__AVX__)
#define HIT_VECTOR_BYTES 16
#elif defined(__clang__) && !defined(HIT_KERNEL_VECTOR_HALF)
#define HIT_VECTOR_BYTES 64 /* it loads for two vectors at a time */
#else
#define HIT_VECTOR_BYTES 32
#endif
/* Has the vector half shifts for neighbours in a row? Without them its rows are no faster
 * than those here; with them only short rows of its kernels run here. */
#ifdef __AVX2__
#define HIT_SHIFTS 1
#else
#define HIT_SHIFTS 0
#endif
#ifdef HIT_KERNEL_VECTOR_HALF
#define HIT_LONG_ROW hit_long_row_
#else
#define HIT_LONG_ROW (2 * HIT_VECTOR_BYTES)
#endif
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__AVX512F__)
#define HIT_MANY_REGISTERS 0
#else
#define HIT_MANY_REGISTERS 1
#endif
#if defined(HIT_KERNEL_VECTOR_HALF) && !HIT_MANY_REGISTERS
#define HIT_NEIGHBOURS 2
#else
#define HIT_NEIGHBOURS 4
#endif
/* Indices run in any order: but for what they add to, none needs what another one leaves.
 * The compiler cannot see that where a tile is written in many rows, such as planes whose
 * distance it does not know, and would not vectorise. */
#ifdef __clang__
#define HIT_INDEPENDENT
#define HIT_NOT_UNROLLED _Pragma("clang loop unroll(disable)")
#else
#define HIT_INDEPENDENT _Pragma("GCC ivdep")
#define HIT_NOT_UNROLLED _Pragma("GCC unroll 1")
#endif
#define HIT_BOUND(k)                                                                     \
    const hit_index hit_first##k = hit_run_->begin[k];                                   \
    const hit_index hit_past##k = hit_run_->end[k] + 1;                                  \
    const hit_index hit_stride##k HIT_UNUSED = hit_run_->stride[k]
#define HIT_FIRST_BOUND                                                                  \
    const hit_index hit_first0 HIT_UNUSED = hit_from_;                                   \
    const hit_index hit_past0 = hit_run_->end[0] + 1;                                    \
    const hit_index hit_stride0 HIT_UNUSED = hit_run_->stride[0]
#define HIT_LAST_BOUND(k)                                                                \
    const hit_index hit_first##k = hit_run_->begin[k];                                   \
    const hit_index hit_count_ =                                                         \
        (hit_run_->end[k] - hit_first##k + hit_inner_) / hit_inner_
#define HIT_LOOP(k)                                                                      \
    for (hit_index hit_x##k = hit_first##k; hit_x##k < hit_past##k;                      \
         hit_x##k += hit_stride##k)
#define HIT_ROW(k, count, from, ...)                                                     \
    for (hit_index hit_t = 0; hit_t < (count); hit_t++) {                                \
        const hit_index hit_x##k = hit_first##k + ((from) + hit_t) * hit_inner_;         \
        __VA_ARGS__;                                                                     \
    }
#define HIT_FREE_ROW(k, count, from, ...)                                                \
    HIT_INDEPENDENT HIT_ROW(k, count, from, __VA_ARGS__)
/* Whole blocks of @p size indices, a power of two. Before vectors are made none is
 * unrolled: short bodies would be, and be made vectors of the wrong way. */
#define HIT_BLOCKS(k, size, ...)                                                         \
    for (const hit_index hit_to_ =                                                       \
             hit_at_ + ((hit_stop_ - hit_at_) & -(hit_index)(size));                     \
         hit_at_ < hit_to_; hit_at_ += (size)) {                                         \
        HIT_INDEPENDENT HIT_NOT_UNROLLED HIT_ROW(k, (size), hit_at_, __VA_ARGS__)        \
    }
/* The empty instruction: no vectors of what is left. */
#define HIT_CUT_ROW(k, ...)                                                              \
    hit_index hit_at_ = 0;                                                               \
    hit_index hit_stop_ = hit_lead_ > 0 ? hit_lead_ : hit_count_;                        \
    for (;; hit_stop_ = hit_count_) {                                                    \
        HIT_BLOCKS(k, hit_lanes_, __VA_ARGS__)                                           \
        HIT_BLOCKS(k, hit_lanes_ / 2, __VA_ARGS__)                                       \
        if (hit_lanes_ >= 32) {                                                          \
            HIT_BLOCKS(k, hit_lanes_ / 4, __VA_ARGS__)                                   \
        }                                                                                \
        HIT_NOT_UNROLLED                                                                 \
        for (; hit_at_ < hit_stop_; hit_at_++) {                                         \
            const hit_index hit_x##k = hit_first##k + hit_at_ * hit_inner_;              \
            __asm__ volatile("");                                                        \
            __VA_ARGS__;                                                                 \
        }                                                                                \
        if (hit_stop_ == hit_count_) break;                                              \
    }
#define HIT_ROWS(k, starts, row, ...)                                                    \
    {                                                                                    \
        enum {                                                                           \
            hit_dims_ = (k) + 1                                                          \
        };                                                                               \
        const hit_index hit_row_[] HIT_UNUSED = {HIT_STRIP row};                         \
        hit_index hit_lead_ = 0;                                                         \
        if (hit_dense_) {                                                                \
            starts                                                                       \
        }                                                                                \
        HIT_ONE_ROW(k, __VA_ARGS__)                                                      \
    }
/* The vector half has rows of its own, in hit/kernel_vectors.h. What it leaves where
 * neighbours go together is not cut: rows are so short that one loop is enough. */
#ifndef HIT_KERNEL_VECTOR_HALF
#define HIT_ONE_ROW(k, ...)                                                              \
    if (hit_cuts_) {                                                                     \
        HIT_CUT_ROW(k, __VA_ARGS__)                                                      \
    } else if (hit_free_) {                                                              \
        HIT_FREE_ROW(k, hit_count_, 0, __VA_ARGS__)                                      \
    } else {                                                                             \
        HIT_ROW(k, hit_count_, 0, __VA_ARGS__)                                           \
    }
#endif
#define HIT_LOOPS_1(starts, ...)                                                         \
    HIT_LAST_BOUND(0);                                                                   \
    HIT_ROWS(0, starts, (hit_first0), __VA_ARGS__)
#define HIT_LOOPS_2(starts, ...)                                                         \
    HIT_FIRST_BOUND;                                                                     \
    HIT_LAST_BOUND(1);                                                                   \
    HIT_LOOP(0) HIT_ROWS(1, starts, (hit_x0, hit_first1), __VA_ARGS__)
#define HIT_LOOPS_3(starts, ...)                                                         \
    HIT_FIRST_BOUND;                                                                     \
    HIT_BOUND(1);                                                                        \
    HIT_LAST_BOUND(2);                                                                   \
    HIT_LOOP(0) HIT_LOOP(1) HIT_ROWS(2, starts, (hit_x0, hit_x1, hit_first2), __VA_ARGS__)
#define HIT_LOOPS_4(starts, ...)                                                         \
    HIT_FIRST_BOUND;                                                                     \
    HIT_BOUND(1);                                                                        \
    HIT_BOUND(2);                                                                        \
    HIT_LAST_BOUND(3);                                                                   \
    HIT_LOOP(0)                                                                          \
    HIT_LOOP(1)                                                                          \
    HIT_LOOP(2) HIT_ROWS(3, starts, (hit_x0, hit_x1, hit_x2, hit_first3), __VA_ARGS__)
#define HIT_LOOPS_5(starts, ...)                                                         \
    HIT_LOOPS_4(starts, __VA_ARGS__) /* refused by HIT_KERNEL_TABLE */
#define HIT_LOOPS(index, starts, ...)                                                    \
    HIT_CAT(HIT_LOOPS_, HIT_COUNT index)(starts, __VA_ARGS__)

/* The loops of the host over groups of neighbours, before those over what is left:
 * HIT_GROUP_OF() is the body for each index of a group. */
#define HIT_MOVED_ACTUALS_1(n) , hit_x0 /* has no groups */
#define HIT_MOVED_ACTUALS_2(n) , hit_x0 + (n), hit_x1
#define HIT_MOVED_ACTUALS_3(n) , hit_x0 + (n), hit_x1, hit_x2
#define HIT_MOVED_ACTUALS_4(n) , hit_x0 + (n), hit_x1, hit_x2, hit_x3
#define HIT_MOVED_ACTUALS_5(n) , hit_x0 + (n), hit_x1, hit_x2, hit_x3, 0
#define HIT_ONE_OF(body, index, n, ...)                                                  \
    body(HIT_BODY_OF __VA_ARGS__ HIT_CAT(HIT_MOVED_ACTUALS_, HIT_COUNT index)(n))
#define HIT_GROUP_OF(body, index, ...)                                                   \
    HIT_ONE_OF(body, index, 0, __VA_ARGS__);                                             \
    HIT_ONE_OF(body, index, 1, __VA_ARGS__);                                             \
    HIT_ONE_OF(body, index, 2, __VA_ARGS__);                                             \
    HIT_ONE_OF(body, index, 3, __VA_ARGS__);
#define HIT_GROUP_LOOP                                                                   \
    for (hit_index hit_x0 = hit_from_; hit_x0 + HIT_NEIGHBOURS <= hit_past0;             \
         hit_x0 += HIT_NEIGHBOURS, hit_from_ = hit_x0)
#define HIT_GROUPS_1(starts, ...) (void)0;
#define HIT_GROUPS_2(starts, ...)                                                        \
    HIT_FIRST_BOUND;                                                                     \
    HIT_LAST_BOUND(1);                                                                   \
    HIT_GROUP_LOOP HIT_ROWS(1, starts, (hit_x0, hit_first1), __VA_ARGS__)
#define HIT_GROUPS_3(starts, ...)                                                        \
    HIT_FIRST_BOUND;                                                                     \
    HIT_BOUND(1);                                                                        \
    HIT_LAST_BOUND(2);                                                                   \
    HIT_GROUP_LOOP HIT_LOOP(1)                                                           \
        HIT_ROWS(2, starts, (hit_x0, hit_x1, hit_first2), __VA_ARGS__)
#define HIT_GROUPS_4(starts, ...)                                                        \
    HIT_FIRST_BOUND;                                                                     \
    HIT_BOUND(1);                                                                        \
    HIT_BOUND(2);                                                                        \
    HIT_LAST_BOUND(3);                                                                   \
    HIT_GROUP_LOOP HIT_LOOP(1) HIT_LOOP(2)                                               \
        HIT_ROWS(3, starts, (hit_x0, hit_x1, hit_x2, hit_first3), __VA_ARGS__)
#define HIT_GROUPS_5(starts, ...) HIT_GROUPS_4(starts, __VA_ARGS__)
#define HIT_GROUPS(index, starts, ...)                                                   \
    HIT_CAT(HIT_GROUPS_, HIT_COUNT index)(starts, __VA_ARGS__)
#define HIT_INNER_STRIDE(index) (hit_run_->stride[(HIT_COUNT index)-1])

/* What the compiler knows of the loops of a kernel. */
#define HIT_LOOP_CONSTANTS(index, ...)                                                   \
    enum {                                                                               \
        hit_free_ = 1 HIT_EACH(HIT_AND_FREE, __VA_ARGS__),                               \
        hit_sizes_ = 8 HIT_EACH(HIT_OR_SIZE, __VA_ARGS__),                               \
        hit_lanes_ = HIT_VECTOR_BYTES / (hit_sizes_ & -hit_sizes_),                      \
        hit_indices_ = HIT_COUNT index                                                   \
    };                                                                                   \
    const char *const hit_open_ HIT_UNUSED = "[" HIT_FIRST_TEXT index;                   \
    const char *const hit_low_ HIT_UNUSED = HIT_FIRST_TEXT index "-";                    \
    const char *const hit_high_ HIT_UNUSED = ":" HIT_FIRST_TEXT index "+";               \
    const char *const hit_near_ HIT_UNUSED =                                             \
        hit_indices_ > 2 ? NULL : HIT_FIRST_TEXT index "-1:" HIT_FIRST_TEXT index "+1";  \
    const int hit_shares_ HIT_UNUSED = 0 HIT_EACH(HIT_OR_SHARES, __VA_ARGS__);

/* What the host calls, from name##_loop: the compiler knows that elements of a row lie
 * side by side in name##_dense, and that every second index runs in name##_second. */
#define HIT_KERNEL_HOST(name, index, in_vectors, ...)                                    \
    static HIT_NOINLINE void name##_dense(                                               \
        const hit_run *hit_run_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                   \
    {                                                                                    \
        name##_loop(hit_run_, 1, 1 HIT_EACH(HIT_BASE, __VA_ARGS__));                     \
    }                                                                                    \
    static HIT_NOINLINE void name##_second(                                              \
        const hit_run *hit_run_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                   \
    {                                                                                    \
        name##_loop(hit_run_, 1, 2 HIT_EACH(HIT_BASE, __VA_ARGS__));                     \
    }                                                                                    \
    static HIT_COLD void name##_any(                                                     \
        const hit_run *hit_run_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                   \
    {                                                                                    \
        name##_loop(hit_run_, 0,                                                         \
                    HIT_INNER_STRIDE(index) HIT_EACH(HIT_BASE, __VA_ARGS__));            \
    }                                                                                    \
    static hit_status name##_host(const hit_run *hit_run_)                               \
    {                                                                                    \
        const int dense = 1 HIT_EACH(HIT_AND_DENSE, __VA_ARGS__);                        \
        if (dense && HIT_INNER_STRIDE(index) == 1) {                                     \
            if (in_vectors) return HIT_OK;                                               \
            name##_dense(hit_run_ HIT_EACH(HIT_BASE_ACTUAL, __VA_ARGS__));               \
        } else if (dense && HIT_INNER_STRIDE(index) == 2) {                              \
            name##_second(hit_run_ HIT_EACH(HIT_BASE_ACTUAL, __VA_ARGS__));              \
        } else {                                                                         \
            name##_any(hit_run_ HIT_EACH(HIT_BASE_ACTUAL, __VA_ARGS__));                 \
        }                                                                                \
        return HIT_OK;                                                                   \
    }

#endif
