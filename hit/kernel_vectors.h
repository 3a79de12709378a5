/* SPDX-License-Identifier: MIT
 * HIT_VECTOR_KERNEL for the vector half of a kernel file; included by hit/kernel.h. The
 * body is compiled once more, in a file of its own, in which hit() is a vector
 * (hit/kernel_lanes.h); here are the rows that such vectors make. */
#ifndef HIT_KERNEL_VECTORS_H
#define HIT_KERNEL_VECTORS_H

#include "hit/kernel_lanes.h"

#ifdef HIT_KERNEL_VECTOR_HALF
/* ---- what is written ---- */

/* What the body writes, at its own index, it writes beside the tile, to hit_made_[k];
 * then the vector is stored, or some of it: of one whose first element is number @p
 * number of a row the elements from number @p from to the one before @p until. */
typedef struct hit_row_part {
    int is_whole;
    hit_index number, from, until;
} hit_row_part;

static HIT_INLINE void *hit_lanes_own(const void *base, const hit_place *p, int dims,
                                      const hit_index x[])
{
    const hit_index own = dims == 1   ? hit_slot_at1(p, x[0])
                          : dims == 2 ? hit_slot_at2(p, x[0], x[1])
                          : dims == 3 ? hit_slot_at3(p, x[0], x[1], x[2])
                                      : hit_slot_at4(p, x[0], x[1], x[2], x[3]);

    return (char *)(uintptr_t)base + own * p->size;
}

/* @p alone: no other thread writes elements of the vector, so that those that are not to
 * be written can be put back, which takes less time. */
static HIT_INLINE void hit_store(void *at, hit_words all, hit_index size,
                                 hit_row_part part, int alone)
{
    const hit_lanes_int word = HIT_WORDS;
    const hit_index most = HIT_VECTOR_BYTES / 4;
    hit_lanes_int *own = at;

    if (part.is_whole) {
        *own = (hit_lanes_int)all;
        return;
    }
    const hit_index first = part.from - part.number;
    const hit_index past = part.until - part.number;
    const hit_index from = first < 0 ? 0 : first * size / 4;
    const hit_index until = past * size / 4 < most ? past * size / 4 : most;
    const hit_lanes_int chosen = (word >= (int)from) & (word < (int)until);

    if (alone) {
        *own = ((hit_lanes_int)all & chosen) | (*own & ~chosen);
    } else {
        HIT_STORE(at, (hit_words)chosen, from, until, all);
    }
}

#define HIT_LANES_OWN(n) hit_lanes_own(hit_p_##n, hit_s_##n, hit_dims_, hit_x_)
#define HIT_LANES_MADE(k, arg) HIT_BY_MODE(HIT_LANES_MADE_, k, HIT_STRIP arg)
#define HIT_LANES_MADE_R(k, t, n, ...)
#define HIT_LANES_MADE_W(k, t, n, ...)                                                   \
    hit_made_[k] = *(const hit_words *)HIT_LANES_OWN(n);                                 \
    hit_p_##n = (void *)&hit_made_[k];
#define HIT_LANES_MADE_V(k, t, n, ...)
#define HIT_LANES_KEEP(k, arg) HIT_BY_MODE(HIT_LANES_KEEP_, k, HIT_STRIP arg)
#define HIT_LANES_KEEP_R(k, t, n, ...)
#define HIT_LANES_KEEP_W(k, t, n, ...)                                                   \
    hit_store(HIT_LANES_OWN(n), hit_made_[k], (hit_index)sizeof(t), hit_part_,           \
              !hit_shifts_);
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

/* ---- what is read later ---- */

/* Of tiles that are larger than caches a row comes from memory where it is the last one
 * that an index reads, and processors begin too late to fetch what follows in it: the
 * loop does so itself. The instruction keeps the compiler from sharing all of what
 * neighbours read, so that the rows of a large box go alone. Of other boxes it fetches
 * nothing new, in those rows that go alone. Nothing is fetched for stencils that reach
 * further than to the next row, which gain more by what they share, nor for those that
 * read on one side: as measured. */
#ifndef HIT_FETCH_BOX
#define HIT_FETCH_BOX (1 << 20) /* bytes of the indices of a large box */
#endif
enum {
    HIT_FETCH_AHEAD = 4096 /* bytes */
};

#define HIT_OR_FETCHED(k, arg) HIT_BY_MODE(HIT_OR_FETCHED_, k, HIT_STRIP arg)
#define HIT_OR_FETCHED_R(k, t, n, p, ...) || hit_is_fetched(p, hit_open_, hit_indices_)
#define HIT_OR_FETCHED_W(k, t, n, ...)
#define HIT_OR_FETCHED_V(k, t, n, ...)
#define HIT_AHEAD(k, arg) HIT_BY_MODE(HIT_AHEAD_, k, HIT_STRIP arg)
#define HIT_AHEAD_R(k, t, n, p, ...)                                                     \
    hit_s_##n.ahead = hit_ahead(hit_run_, &hit_run_->slot[k], p, hit_indices_, sizeof(t));
#define HIT_AHEAD_W(k, t, n, ...)
#define HIT_AHEAD_V(k, t, n, ...)
#define HIT_FETCH(k, arg) HIT_BY_MODE(HIT_FETCH_, k, HIT_STRIP arg)
#define HIT_FETCH_R(k, t, n, p, ...)                                                     \
    if (hit_is_fetched(p, hit_open_, hit_dims_)) {                                       \
        __builtin_prefetch(                                                              \
            (const void *)((uintptr_t)hit_lanes_own(hit_p_##n, &hit_s_##n, hit_dims_,    \
                                                    hit_row_) +                          \
                           (uintptr_t)(hit_i_ * hit_s_##n.size + hit_s_##n.ahead)));     \
    }
#define HIT_FETCH_W(k, t, n, ...)
#define HIT_FETCH_V(k, t, n, ...)

/* Behind a range of a pattern, of which the compiler knows the text, and where that is.
 */
static HIT_INLINE const char *hit_next_range(const char *range)
{
    const char *end = range + __builtin_strcspn(range, ",]");

    return *end == ',' ? end + 1 : end;
}

/* Has a tile the dimensions of the indices, of which the first begins with @p open, and
 * are its next neighbours on both sides read, as by "[i-1:i+1, j]"? */
static HIT_INLINE int hit_is_fetched(const char *pattern, const char *open, int dims)
{
    const char *second = hit_next_range(pattern);
    const char *third = hit_next_range(second);
    const char *fourth = hit_next_range(third);
    const char *low = pattern + __builtin_strcspn(pattern, "-,]");
    const char *high = pattern + __builtin_strcspn(pattern, "+,]");

    return __builtin_strncmp(low, "-1:", 3) == 0 &&
           __builtin_strncmp(high, "+1", 2) == 0 && __builtin_strcspn(high, ",]") == 2 &&
           __builtin_strncmp(pattern, open, __builtin_strlen(open)) == 0 &&
           1 + (second[-1] == ',') + (third[-1] == ',') + (fourth[-1] == ',') == dims;
}

static HIT_INLINE int hit_is_large(const hit_run *run, int dims, hit_index size)
{
    for (int d = 0; d < dims; d++) {
        size *= (run->end[d] - run->begin[d]) / run->stride[d] + 1;
    }
    return size >= HIT_FETCH_BOX;
}

/* hit_place.ahead of a tile that is fetched. The last row that an index reads is its next
 * neighbour's, or of a box around it "[i-1:i+1, j-1:j+1, k]" one further. Behind the end
 * of a short row lies the next one only where the box is as wide as the tile: else that
 * is fetched. */
static HIT_NOINLINE HIT_UNUSED hit_index hit_ahead(const hit_run *run,
                                                   const hit_slot *slot,
                                                   const char *pattern, int dims,
                                                   hit_index size)
{
    const char *second = hit_next_range(pattern);
    const int around = dims > 2 && second[strcspn(second, "+,]")] == '+';
    const hit_index reach = slot->stride[0] + (around ? slot->stride[1] : 0);
    const hit_index row = (run->end[dims - 1] - run->begin[dims - 1] + 1) * size;
    const hit_index next = dims > 1 ? slot->stride[dims - 2] * size : row;
    const int short_row = row < 4 * HIT_FETCH_AHEAD && row + HIT_FETCH_AHEAD / 8 < next;

    return reach * size + (short_row ? next : HIT_FETCH_AHEAD);
}

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
    return stride >= 2 * lanes || stride <= -2 * lanes;
}

/* The vector whose first index is number @p number of a row. */
#define HIT_VECTOR(k, number)                                                            \
    const hit_index hit_number_ = (number);                                              \
    const hit_index hit_at_ = hit_first##k + hit_number_;                                \
    const hit_last_index hit_x##k = HIT_LAST_INDEX
#define HIT_PART(is_whole, from, until)                                                  \
    const hit_row_part hit_part_ = {is_whole, hit_number_, from, until}

/* The vector whose first index is number hit_i_ of a row, stored as a whole; the loop
 * around is left at the last one and at one that begins before the row, and hit_made_ is
 * what is to be stored then. */
#define HIT_WHOLE_VECTOR(k, make, keep)                                                  \
    {                                                                                    \
        HIT_VECTOR(k, hit_i_);                                                           \
        make if ((uint64_t)hit_i_ >= hit_end_) break;                                    \
        HIT_PART(1, 0, 0);                                                               \
        keep                                                                             \
    }

/* A row, of vectors that are aligned as what is written is; @p make computes one, @p keep
 * stores it. Of the first and of the last one some elements may not be of the row. Where
 * rows lie before it and behind it, what is beside it lies in memory, too: these are
 * vectors like others, of which a part is stored. The loop is left for that: with code
 * for it inside, the compiler would load again what the next vector shares with this one.
 * Where no neighbours go together it has two vectors, since the compiler does not unroll
 * it. Else, before the first vector that has one before it, there are one that begins
 * where the row does and a whole one, and so at its end. */
#define HIT_ONE_ROW(k, fetch, make, keep)                                                \
    {                                                                                    \
        const hit_index hit_full_ = (hit_count_ - hit_lead_) & -(hit_index)hit_lanes_;   \
        const hit_index hit_past_ = hit_lead_ + hit_full_;                               \
        const int hit_edged_ =                                                           \
            (hit_far_[0] && hit_row_[0] > hit_run_->begin[0] &&                          \
             hit_row_[0] + hit_together_ - 1 <=                                          \
                 hit_run_->end[0] - hit_run_->stride[0]) ||                              \
            (hit_far_[1] && hit_row_[hit_dims_ > 2] > hit_run_->begin[1] &&              \
             hit_row_[hit_dims_ > 2] <= hit_run_->end[1] - hit_run_->stride[1]);         \
        hit_words hit_made_[hit_together_][hit_args_];                                   \
        hit_index hit_i_ = hit_lead_ + hit_lanes_;                                       \
        hit_index hit_to_ = hit_past_ - hit_lanes_;                                      \
        if (hit_edged_) {                                                                \
            hit_i_ = hit_lead_ > 0 ? hit_lead_ - hit_lanes_ : 0;                         \
            hit_to_ = hit_count_;                                                        \
        } else {                                                                         \
            enum {                                                                       \
                hit_shifts_ = 0                                                          \
            };                                                                           \
            const hit_index hit_end_at_[] = {0, hit_lead_, hit_to_,                      \
                                             hit_count_ - hit_lanes_};                   \
            const int hit_some_[] = {hit_lead_ > 0, hit_full_ > 0,                       \
                                     hit_full_ > hit_lanes_, hit_past_ < hit_count_};    \
            for (int hit_k_ = 0; hit_k_ < 4; hit_k_++) {                                 \
                if (!hit_some_[hit_k_]) continue;                                        \
                HIT_VECTOR(k, hit_end_at_[hit_k_]);                                      \
                HIT_PART(0, hit_k_ == 3 ? hit_past_ : 0,                                 \
                         hit_k_ == 0 ? hit_lead_ : hit_count_);                          \
                make keep                                                                \
            }                                                                            \
        }                                                                                \
        enum {                                                                           \
            hit_shifts_ = 1                                                              \
        };                                                                               \
        const uint64_t hit_end_ = (uint64_t)(hit_to_ - hit_lanes_);                      \
        while (hit_i_ < hit_to_) {                                                       \
            hit_i_ = hit_opaque(hit_i_); /* two loops for the compiler, too */           \
            for (;; hit_i_ += hit_lanes_) {                                              \
                if (hit_together_ == 1) {                                                \
                    fetch                                                                \
                }                                                                        \
                HIT_WHOLE_VECTOR(k, make, keep)                                          \
                if (!hit_shares_) {                                                      \
                    hit_i_ += hit_lanes_;                                                \
                    if (HIT_VECTOR_BYTES == 64) {                                        \
                        fetch                                                            \
                    }                                                                    \
                    HIT_WHOLE_VECTOR(k, make, keep)                                      \
                }                                                                        \
            }                                                                            \
            HIT_VECTOR(k, hit_i_);                                                       \
            HIT_PART(hit_i_ >= 0 && hit_i_ <= hit_count_ - hit_lanes_, 0, hit_count_);   \
            keep hit_i_ += hit_lanes_;                                                   \
        }                                                                                \
    }

/* @p of, name##_hit_make or name##_hit_keep, for each neighbour of a group. */
#define HIT_LANES_ONE(of, index, n, ...)                                                 \
    HIT_ONE_OF(of, index, n, , hit_made_[(n) < hit_together_ ? (n) : 0] __VA_ARGS__)
#define HIT_LANES_ALL(of, index, ...)                                                    \
    HIT_LANES_ONE(of, index, 0, __VA_ARGS__);                                            \
    if (hit_together_ > 1) HIT_LANES_ONE(of, index, 1, __VA_ARGS__);                     \
    if (hit_together_ > 2) {                                                             \
        HIT_LANES_ONE(of, index, 2, __VA_ARGS__);                                        \
        HIT_LANES_ONE(of, index, 3, __VA_ARGS__);                                        \
    }

#define HIT_LANES_NUMBER(k, i) HIT_NUMBER(i),
#define HIT_LANES_NUMBERS(index)                                                         \
    enum {                                                                               \
        hit_dims_ = HIT_COUNT index                                                      \
    };                                                                                   \
    const hit_index hit_x_[] HIT_UNUSED = {HIT_EACH(HIT_LANES_NUMBER, HIT_STRIP index)};
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
    &&hit_is_even(hit_run_->slot[k].stride, hit_indices_ - 1, sizeof(t))
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

/* In a shorter row vectors at its ends would take more time than others gain, as
 * measured: neighbours that go together gain more. To be aligned costs a vector more,
 * which pays sooner where all rows are alike. */
#define HIT_LEAST_ROW(grouped) ((grouped) ? 3 * hit_lanes_ / 2 : 7 * hit_lanes_ / 2)
#define HIT_ALIGNED_ROW(even) ((even) ? 3 * hit_lanes_ : 8 * hit_lanes_)

/* name##_vectors() runs a box, or says that it does not: rows are short, or nothing is
 * shifted. */
#define HIT_VECTOR_KERNEL(name, index, ...)                                              \
    static HIT_INLINE void name##_body(                                                  \
        HIT_BODY_PARAM HIT_EACH(HIT_LANES_PARAM, __VA_ARGS__) HIT_LANES_INDEX(index));   \
    static HIT_INLINE void name##_hit_make(                                              \
        HIT_BODY_PARAM, hit_words hit_made_[] HIT_UNUSED HIT_EACH(                       \
                            HIT_LANES_PARAM, __VA_ARGS__) HIT_LANES_INDEX(index))        \
    {                                                                                    \
        HIT_LANES_NUMBERS(index)                                                         \
        HIT_EACH(HIT_LANES_MADE, __VA_ARGS__)                                            \
        name##_body(HIT_BODY_OF HIT_EACH(HIT_LANES_PASS, __VA_ARGS__), HIT_STRIP index); \
    }                                                                                    \
    static HIT_INLINE void name##_hit_keep(                                              \
        HIT_BODY_PARAM, const hit_words hit_made_[] HIT_UNUSED,                          \
        const hit_row_part hit_part_ HIT_UNUSED HIT_EACH(HIT_LANES_PARAM, __VA_ARGS__)   \
            HIT_LANES_INDEX(index))                                                      \
    {                                                                                    \
        HIT_LANES_NUMBERS(index)                                                         \
        HIT_EACH(HIT_LANES_KEEP, __VA_ARGS__)                                            \
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
            hit_inner_ = 1,                                                              \
            hit_args_ = HIT_COUNT(__VA_ARGS__)                                           \
        };                                                                               \
        const char *const hit_last_ = HIT_CAT(HIT_LAST_TEXT_, HIT_COUNT index) index;    \
        const int hit_even_ = 1 HIT_EACH(HIT_AND_EVEN, __VA_ARGS__);                     \
        const hit_index hit_long_row_ = HIT_ALIGNED_ROW(hit_even_);                      \
        static int hit_asked_[2];                                                        \
        const int hit_calm_ = HIT_READS_ROWS && HIT_QUIET;                               \
        int hit_far_[] = {hit_calm_ && hit_asked(&hit_asked_[0], name##_moves, 0),       \
                          hit_calm_ && hit_asked(&hit_asked_[1], name##_moves, 1)};      \
        hit_index hit_from_ HIT_UNUSED = hit_run_->begin[0];                             \
        HIT_EACH(HIT_LANES_SLOT, __VA_ARGS__)                                            \
        HIT_EACH(HIT_AND_FAR, __VA_ARGS__)                                               \
        const int hit_alone_ =                                                           \
            (0 HIT_EACH(HIT_OR_FETCHED, __VA_ARGS__)) &&                                 \
            hit_run_->end[hit_indices_ - 1] - hit_run_->begin[hit_indices_ - 1] >=       \
                HIT_LEAST_ROW(0) &&                                                      \
            hit_is_large(hit_run_, hit_indices_, hit_sizes_ & -hit_sizes_);              \
        if (hit_alone_) {                                                                \
            HIT_EACH(HIT_AHEAD, __VA_ARGS__)                                             \
        }                                                                                \
        if (hit_shares_ && hit_run_->stride[0] == 1 && !hit_alone_) {                    \
            enum {                                                                       \
                hit_together_ = HIT_NEIGHBOURS                                           \
            };                                                                           \
            HIT_GROUPS(index, HIT_EACH(HIT_START, __VA_ARGS__), ,                        \
                       HIT_LANES_ALL(name##_hit_make, index,                             \
                                     HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__)),           \
                       HIT_LANES_ALL(name##_hit_keep, index, ,                           \
                                     hit_part_ HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__))) \
        }                                                                                \
        enum {                                                                           \
            hit_together_ = 1                                                            \
        };                                                                               \
        HIT_LOOPS(index, HIT_EACH(HIT_START, __VA_ARGS__),                               \
                  HIT_EACH(HIT_FETCH, __VA_ARGS__),                                      \
                  HIT_LANES_ALL(name##_hit_make, index,                                  \
                                HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__)),                \
                  HIT_LANES_ALL(name##_hit_keep, index, ,                                \
                                hit_part_ HIT_EACH(HIT_LANES_ACTUAL, __VA_ARGS__)))      \
    }                                                                                    \
    int name##_vectors(const hit_run *hit_run_);                                         \
    int name##_vectors(const hit_run *hit_run_)                                          \
    {                                                                                    \
        HIT_LOOP_CONSTANTS(index, __VA_ARGS__)                                           \
        enum {                                                                           \
            hit_last_ = HIT_COUNT index - 1                                              \
        };                                                                               \
        const char *const hit_own_ HIT_UNUSED = HIT_TEXT(index);                         \
        const hit_index hit_length_ =                                                    \
            hit_run_->end[hit_last_] - hit_run_->begin[hit_last_] + 1;                   \
        const int hit_grouped_ =                                                         \
            HIT_COUNT index > 1 && hit_shares_ && hit_run_->stride[0] == 1 &&            \
            hit_run_->end[0] - hit_run_->begin[0] + 1 >= HIT_NEIGHBOURS;                 \
                                                                                         \
        if (HIT_REFUSES && (0 HIT_EACH(HIT_OR_ELSEWHERE, __VA_ARGS__))) {                \
            hit_writes_elsewhere();                                                      \
        }                                                                                \
        if (!HIT_SHIFTS || hit_length_ < HIT_LEAST_ROW(hit_grouped_)) return 0;          \
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
