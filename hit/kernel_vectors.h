/* SPDX-License-Identifier: MIT
 * HIT_VECTOR_KERNEL for the vector half of a kernel file; included by hit/kernel.h. The
 * body is compiled once more, in a file of its own, in which hit() is a vector
 * (hit/kernel_lanes.h); here are the rows that such vectors make. */
#ifndef HIT_KERNEL_VECTORS_H
#define HIT_KERNEL_VECTORS_H

#include "hit/kernel_lanes.h"

#ifdef HIT_KERNEL_VECTOR_HALF
/* ---- the ends of rows ---- */

/* There addresses are made for one vector, not for many: from where it begins. */
#define HIT_LANES_MOVE(k, arg) HIT_BY_MODE(HIT_LANES_MOVE_, k, HIT_STRIP arg)
#define HIT_LANES_MOVE_R(k, t, n, ...)                                                   \
    hit_place hit_moved_##n = *hit_s_##n;                                                \
    hit_moved_##n.moved = 1;                                                             \
    for (int hit_d = 1; hit_d < HIT_MAX_DIMS; hit_d++) {                                 \
        hit_moved_##n.at[hit_d] = hit_opaque(hit_moved_##n.at[hit_d] + hit_at_);         \
    }                                                                                    \
    hit_s_##n = &hit_moved_##n;
#define HIT_LANES_MOVE_W(k, t, n, ...) HIT_LANES_MOVE_R(k, t, n, )
#define HIT_LANES_MOVE_V(k, t, n, ...)

/* What the body writes, at its own index, it writes beside the tile; then some of it is
 * stored. */
static HIT_INLINE char *hit_lanes_own(const void *base, const hit_place *p, int dims,
                                      const hit_index x[])
{
    const hit_index own = dims == 1   ? hit_slot_at1(p, x[0])
                          : dims == 2 ? hit_slot_at2(p, x[0], 0)
                          : dims == 3 ? hit_slot_at3(p, x[0], x[1], 0)
                                      : hit_slot_at4(p, x[0], x[1], x[2], 0);

    return (char *)base + own * p->size;
}

/* @p whole: all of these elements are in the row, so that those that are not to be
 * written can be put back, which takes less time. */
static HIT_INLINE void hit_store_part(void *at, hit_words all, hit_index from,
                                      hit_index until, int whole)
{
    const hit_lanes_int word = HIT_WORDS;
    const hit_lanes_int chosen = (word >= (int)from) & (word < (int)until);
    hit_lanes_int *own = at;

    if (whole) {
        *own = ((hit_lanes_int)all & chosen) | (*own & ~chosen);
    } else {
        HIT_STORE(at, (hit_words)chosen, from, until, all);
    }
}

#define HIT_LANES_OWN(k, arg) HIT_LANES_OWN_ arg
#define HIT_LANES_OWN_(mode, ...)                                                        \
    HIT_CAT(HIT_LANES_OWN_, HIT_CLASS_##mode)                                            \
    (HIT_MODE_OF_##mode == HIT_MODE_INOUT, __VA_ARGS__, )
#define HIT_LANES_OWN_R(is_read, t, n, ...)
#define HIT_LANES_OWN_W(is_read, t, n, ...)                                              \
    char *const hit_own_##n = hit_lanes_own(hit_p_##n, hit_s_##n, hit_dims_, hit_x_);    \
    hit_words hit_beside_##n = {0};                                                      \
    if (is_read) hit_beside_##n = *(const hit_words *)hit_own_##n;                       \
    hit_p_##n =                                                                          \
        (hit_lanes_##t *)((char *)&hit_beside_##n - (hit_own_##n - (char *)hit_p_##n));
#define HIT_LANES_OWN_V(is_read, ...)
#define HIT_LANES_KEEP(k, arg) HIT_BY_MODE(HIT_LANES_KEEP_, k, HIT_STRIP arg)
#define HIT_LANES_KEEP_R(k, t, n, ...)
#define HIT_LANES_KEEP_W(k, t, n, ...)                                                   \
    hit_store_part(hit_own_##n, hit_beside_##n,                                          \
                   hit_part_from_ *(hit_index)sizeof(t) / 4,                             \
                   hit_part_to_ * (hit_index)sizeof(t) / 4, !hit_shifts_);
#define HIT_LANES_KEEP_V(k, t, n, ...)

/* ... as a condition: does it write elsewhere than at its own index, @p own_, "(i, j)"?
 */
#define HIT_OR_ELSEWHERE(k, arg) HIT_BY_MODE(HIT_OR_ELSEWHERE_, k, HIT_STRIP arg)
#define HIT_OR_ELSEWHERE_R(k, t, n, p, ...)
#define HIT_OR_ELSEWHERE_W(k, t, n, p, ...)                                              \
    || __builtin_strncmp(&(p)[1], &hit_own_[1], __builtin_strlen(hit_own_) - 2) != 0 ||  \
        __builtin_strlen(p) != __builtin_strlen(hit_own_)
#define HIT_OR_ELSEWHERE_V(k, t, n, ...)
HIT_REFUSED(
    "a HIT_VECTOR_KERNEL writes at its own index, spelled alike: \"[i, j]\" for (i, j)")
void hit_writes_elsewhere(void);

/* ---- rows ---- */

/* What follows index @p name, or a number away from it, in a text; NULL: it is not there.
 */
static HIT_INLINE const char *hit_behind(const char *text, const char *name)
{
    const size_t length = strlen(name);

    if (strncmp(text, name, length) != 0) return NULL;
    text += length;
    if (*text == '+' || *text == '-') text += 1 + strspn(text + 1, "0123456789");
    return text;
}

/* Is something beside a row read by @p pattern? Not without the last index and a range.
 */
static HIT_INLINE int hit_is_beside(const char *pattern, const char *last)
{
    return __builtin_strstr(pattern, last) != NULL ||
           __builtin_strchr(pattern, ':') != NULL;
}

/* Does each element that a body touches by @p pattern move with index @p name, number @p
 * dim, 0 or 1, as "i", "i-1", "i-1:i+1"? What is written otherwise, as "i/2" or "i:9",
 * does not. */
static HIT_INLINE int hit_moves(const char *pattern, const char *name, int dim,
                                const char *last)
{
    if (!hit_is_beside(pattern, last)) return 1;
    for (const char *part = pattern; (part = strchr(part, '[')) != NULL;) {
        const char *end = ++part;

        if (dim == 1) {
            end += strcspn(end, ",[]");
            if (*end != ',') return 0;
            end += 1 + strspn(end + 1, " ");
        }
        end = hit_behind(end, name);
        if (end != NULL && *end == ':') end = hit_behind(end + 1, name);
        if (end == NULL || (*end != ',' && *end != ']')) return 0;
    }
    return 1;
}

/* ... all that it touches: asked once. Beside a row whole numbers are not computed with:
 * a division by 0 traps. */
#define HIT_AND_MOVES(k, arg) HIT_BY_MODE(HIT_AND_MOVES_, k, HIT_STRIP arg)
#define HIT_AND_MOVES_R(k, t, n, p, ...)                                                 \
    &&(t)0.5 != 0 && hit_moves(p, hit_name_, hit_dim_, hit_last_)
#define HIT_AND_MOVES_W(k, t, n, p, ...) HIT_AND_MOVES_R(k, t, n, p, )
#define HIT_AND_MOVES_V(k, t, n, ...)
static HIT_INLINE int hit_asked(int *answer, int (*ask)(int dim), int dim)
{
    int known = __atomic_load_n(answer, __ATOMIC_RELAXED);

    if (known == 0) {
        known = ask(dim) ? 1 : -1;
        __atomic_store_n(answer, known, __ATOMIC_RELAXED);
    }
    return known > 0;
}

/* Are elements of neighbours in the first index, or in the second one, so far away that
 * those beside a row lie between, in the memory of a tile? */
#define HIT_AND_FAR(k, arg) HIT_BY_MODE(HIT_AND_FAR_, k, HIT_STRIP arg)
#define HIT_AND_FAR_R(k, t, n, p, ...)                                                   \
    if (hit_is_beside(p, hit_last_)) {                                                   \
        hit_far_[0] &= hit_is_far(hit_s_##n.slot.stride[0], hit_lanes_);                 \
        hit_far_[1] &= hit_is_far(hit_s_##n.slot.stride[1], hit_lanes_);                 \
    }
#define HIT_AND_FAR_W(k, t, n, p, ...) HIT_AND_FAR_R(k, t, n, p, )
#define HIT_AND_FAR_V(k, t, n, ...)
static HIT_INLINE int hit_is_far(hit_index stride, int lanes)
{
    return stride >= 3 * lanes || stride <= -3 * lanes;
}

/* The vector whose first index is number @p where of a row. */
#define HIT_VECTOR(k, where, at_end, shifts, from, until, ...)                           \
    {                                                                                    \
        enum {                                                                           \
            hit_at_end_ = at_end,                                                        \
            hit_shifts_ = shifts                                                         \
        };                                                                               \
        const hit_index hit_at_ = hit_first##k + (where);                                \
        const int hit_part_from_ = (int)(from);                                          \
        const int hit_part_to_ = (int)(until);                                           \
        const hit_last_index hit_x##k = HIT_LAST_INDEX;                                  \
        __VA_ARGS__;                                                                     \
    }
/* A row of at least three vectors: vectors that are aligned as what is written is.
 * Of the first and of the last one some elements may not be of the row. Where rows lie
 * before it and behind it, what is beside it lies in memory, too: these are its edges.
 * Else, before the first vector that has one before it, there are one that begins where
 * the row does and a whole one, and so at its end. */
#define HIT_ONE_ROW(k, ...)                                                              \
    {                                                                                    \
        const hit_index hit_full_ = (hit_count_ - hit_lead_) & -(hit_index)hit_lanes_;   \
        const hit_index hit_past_ = hit_lead_ + hit_full_;                               \
        const hit_index hit_begin_ = hit_lead_ > 0 ? hit_lead_ - hit_lanes_ : 0;         \
        const hit_index hit_end_ =                                                       \
            hit_past_ < hit_count_ ? hit_past_ : hit_past_ - hit_lanes_;                 \
        const int hit_edged_ =                                                           \
            hit_begin_ < hit_end_ &&                                                     \
            ((hit_far_[0] && hit_row_[0] > hit_run_->begin[0] &&                         \
              hit_row_[0] + hit_together_ - 1 <=                                         \
                  hit_run_->end[0] - hit_run_->stride[0]) ||                             \
             (hit_far_[1] && hit_row_[hit_dims_ > 2] > hit_run_->begin[1] &&             \
              hit_row_[hit_dims_ > 2] <= hit_run_->end[1] - hit_run_->stride[1]));       \
        const hit_index hit_tail_ = hit_count_ - hit_past_;                              \
        const hit_index hit_end_at_[] = {0, hit_lead_, hit_past_ - hit_lanes_,           \
                                         hit_count_ - hit_lanes_};                       \
        const int hit_some_[] = {hit_lead_ > 0, hit_full_ > 0, hit_full_ > hit_lanes_,   \
                                 hit_tail_ > 0};                                         \
        const hit_index hit_to_end_ = hit_edged_ ? hit_end_ : hit_past_ - hit_lanes_;    \
        for (int hit_side_ = 0;; hit_side_ = 2) {                                        \
            if (hit_edged_) {                                                            \
                const hit_index hit_edge_ = hit_side_ > 0 ? hit_end_ : hit_begin_;       \
                HIT_VECTOR(k, hit_edge_, 1, 1, hit_edge_ < 0 ? -hit_edge_ : 0,           \
                           hit_edge_ + hit_lanes_ <= hit_count_                          \
                               ? hit_lanes_                                              \
                               : hit_count_ - hit_edge_,                                 \
                           __VA_ARGS__)                                                  \
            } else {                                                                     \
                for (int hit_k_ = hit_side_; hit_k_ < hit_side_ + 2; hit_k_++) {         \
                    if (!hit_some_[hit_k_]) continue;                                    \
                    HIT_VECTOR(k, hit_end_at_[hit_k_], 1, 0,                             \
                               hit_k_ == 3 ? hit_lanes_ - hit_tail_ : 0,                 \
                               hit_k_ == 0 ? hit_lead_ : hit_lanes_, __VA_ARGS__)        \
                }                                                                        \
            }                                                                            \
            if (hit_side_ > 0) break;                                                    \
            for (hit_index hit_i_ = hit_edged_ ? hit_begin_ + hit_lanes_                 \
                                               : hit_lead_ + hit_lanes_;                 \
                 hit_i_ < hit_to_end_; hit_i_ += hit_lanes_) {                           \
                HIT_VECTOR(k, hit_i_, 0, 1, 0, 0, __VA_ARGS__)                           \
            }                                                                            \
        }                                                                                \
    }

#define HIT_LANES_NUMBER(k, i) HIT_NUMBER(i),
#define HIT_LAST_TEXT_1(i) #i
#define HIT_LAST_TEXT_2(i, j) #j
#define HIT_LAST_TEXT_3(i, j, k) #k
#define HIT_LAST_TEXT_4(i, j, k, l) #l
#define HIT_SECOND_TEXT(...) HIT_SECOND_TEXT_(__VA_ARGS__, , )
#define HIT_SECOND_TEXT_(i, j, ...) #j
#define HIT_ONE_SIZE(sizes) (((sizes) & ((sizes)-1)) == 0)

/* Are rows a whole number of vectors apart, so that all are aligned alike? */
#define HIT_AND_EVEN(k, arg) HIT_BY_MODE(HIT_AND_EVEN_, k, HIT_STRIP arg)
#define HIT_AND_EVEN_R(k, t, n, ...)                                                     \
    &&hit_is_even(hit_run_->slot[k].stride, hit_last_, sizeof(t))
#define HIT_AND_EVEN_W(k, t, n, ...) HIT_AND_EVEN_R(k, t, n, )
#define HIT_AND_EVEN_V(k, t, n, ...)
static HIT_INLINE int hit_is_even(const hit_index stride[], int last, hit_index size)
{
    hit_index all = 0;

    for (int d = 0; d < last; d++) {
        all |= stride[d];
    }
    return all * size % HIT_VECTOR_BYTES == 0;
}

/* name##_vectors() runs a box, or says that it does not: its rows are so short that
 * vectors at their ends would take more time than others gain, or nothing is shifted. */
#define HIT_VECTOR_KERNEL(name, index, ...)                                              \
    static HIT_INLINE void name##_body(                                                  \
        HIT_BODY_PARAM HIT_EACH(HIT_LANES_PARAM, __VA_ARGS__) HIT_LANES_INDEX(index));   \
    static HIT_INLINE void name##_vector(                                                \
        HIT_BODY_PARAM HIT_EACH(HIT_LANES_PARAM, __VA_ARGS__) HIT_LANES_INDEX(index))    \
    {                                                                                    \
        enum {                                                                           \
            hit_dims_ = HIT_COUNT index                                                  \
        };                                                                               \
        const hit_index hit_x_[] = {HIT_EACH(HIT_LANES_NUMBER, HIT_STRIP index)};        \
        if (!hit_at_end_) {                                                              \
            name##_body(HIT_BODY_OF HIT_EACH(HIT_LANES_PASS, __VA_ARGS__),               \
                        HIT_STRIP index);                                                \
        } else {                                                                         \
            HIT_EACH(HIT_LANES_MOVE, __VA_ARGS__)                                        \
            HIT_EACH(HIT_LANES_OWN, __VA_ARGS__)                                         \
            name##_body(HIT_BODY_OF HIT_EACH(HIT_LANES_PASS, __VA_ARGS__),               \
                        HIT_STRIP index);                                                \
            HIT_EACH(HIT_LANES_KEEP, __VA_ARGS__)                                        \
        }                                                                                \
    }                                                                                    \
    static HIT_COLD int name##_moves(int hit_dim_)                                       \
    {                                                                                    \
        const char *const hit_name_ =                                                    \
            hit_dim_ == 0 ? HIT_FIRST_TEXT index : HIT_SECOND_TEXT index;                \
        const char *const hit_last_ = HIT_CAT(HIT_LAST_TEXT_, HIT_COUNT index) index;    \
                                                                                         \
        return hit_dim_ < HIT_COUNT index - 1 HIT_EACH(HIT_AND_MOVES, __VA_ARGS__);      \
    }                                                                                    \
    static HIT_NOINLINE void name##_rows(                                                \
        const hit_run *hit_run_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                   \
    {                                                                                    \
        HIT_LOOP_CONSTANTS(index, __VA_ARGS__)                                           \
        _Static_assert(hit_free_ && HIT_ONE_SIZE(0 HIT_EACH(HIT_OR_SIZE, __VA_ARGS__)),  \
                       "the tiles of a HIT_VECTOR_KERNEL have one type, and none is "    \
                       "reduced");                                                       \
        enum {                                                                           \
            hit_dense_ = 1,                                                              \
            hit_inner_ = 1                                                               \
        };                                                                               \
        const char *const hit_last_ = HIT_CAT(HIT_LAST_TEXT_, HIT_COUNT index) index;    \
        static int hit_asked_[2];                                                        \
        const int hit_calm_ = HIT_READS_ROWS && HIT_QUIET;                               \
        int hit_far_[] = {hit_calm_ && hit_asked(&hit_asked_[0], name##_moves, 0),       \
                          hit_calm_ && hit_asked(&hit_asked_[1], name##_moves, 1)};      \
        hit_index hit_from_ HIT_UNUSED = hit_run_->begin[0];                             \
        HIT_EACH(HIT_LANES_SLOT, __VA_ARGS__)                                            \
        HIT_EACH(HIT_AND_FAR, __VA_ARGS__)                                               \
        if (hit_shares_ && hit_run_->stride[0] == 1) {                                   \
            enum {                                                                       \
                hit_together_ = HIT_NEIGHBOURS                                           \
            };                                                                           \
            HIT_GROUPS(index, HIT_EACH(HIT_START, __VA_ARGS__), name##_vector,           \
                       HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__))                          \
        }                                                                                \
        enum {                                                                           \
            hit_together_ = 1                                                            \
        };                                                                               \
        HIT_LOOPS(index, HIT_EACH(HIT_START, __VA_ARGS__),                               \
                  name##_vector(HIT_BODY_OF HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__)      \
                                    HIT_INDEX_ACTUALS(index)))                           \
    }                                                                                    \
    int name##_vectors(const hit_run *hit_run_);                                         \
    int name##_vectors(const hit_run *hit_run_)                                          \
    {                                                                                    \
        enum {                                                                           \
            hit_last_ = HIT_COUNT index - 1,                                             \
            hit_size_ = 0 HIT_EACH(HIT_OR_SIZE, __VA_ARGS__)                             \
        };                                                                               \
        const char *const hit_own_ = HIT_TEXT(index);                                    \
        const hit_index count =                                                          \
            hit_run_->end[hit_last_] - hit_run_->begin[hit_last_] + 1;                   \
        if (HIT_REFUSES && (0 HIT_EACH(HIT_OR_ELSEWHERE, __VA_ARGS__))) {                \
            hit_writes_elsewhere();                                                      \
        }                                                                                \
        const int even = 1 HIT_EACH(HIT_AND_EVEN, __VA_ARGS__);                          \
        if (!HIT_SHIFTS ||                                                               \
            count < (even ? 3 * HIT_VECTOR_BYTES / hit_size_ : 2 * HIT_VECTOR_BYTES)) {  \
            return 0;                                                                    \
        }                                                                                \
        name##_rows(hit_run_ HIT_EACH(HIT_BASE_ACTUAL, __VA_ARGS__));                    \
        return 1;                                                                        \
    }                                                                                    \
    static HIT_INLINE void name##_body(                                                  \
        HIT_BODY_PARAM HIT_EACH(HIT_LANES_PARAM, __VA_ARGS__) HIT_LANES_INDEX(index))

/* Other kernels of the file are not compiled for vectors. */
#define HIT_KERNEL(name, index, ...)                                                     \
    HIT_UNUSED HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)
#endif

#endif
