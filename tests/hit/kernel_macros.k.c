/* SPDX-License-Identifier: MIT
 * Every macro of hit/kernel.h, in each of the three compilations of a kernel file: the
 * host's half, the checked one, and the one for CUDA, which is C++. */
#include "hit/kernel.h"

#include <stdlib.h>

HIT_OPERATIONS(macro_any, 3);
HIT_RUNS_ON(macro_any, "host,cuda");
HIT_BY_ROWS(macro_any);
HIT_KERNEL(macro_any, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i, j] [i, 0]"), (inout, int64_t, z, "[i, j]"),
           (in, int64_t, row, "[:]"), (value, int64_t, add))
{
    hit(z, i, j) += hit(row, hit_begin(row, 0)) + hit(row, hit_end(row, 0));
    hit(y, i, j) = hit(x, i, j) + hit(x, i, 0) + add;
}

HIT_KERNEL(macro_sums, (i, j), (sum, int64_t, all, "[]"), (min, double, least, "[i]"),
           (max, float, most, "[]"), (in, int64_t, x, "[i, j]"))
{
    const double v = (double)hit(x, i, j);

    hit(all) += hit(x, i, j);
    if (v < hit(least, i)) hit(least, i) = v;
    if ((float)v > hit(most)) hit(most) = (float)v;
}
HIT_OPERATIONS_ALONG(macro_sums, 2, 3, 1);

static HIT_INLINE void macro_start(int64_t *x)
{
    *x = -1; /* all bits are set */
}

static HIT_INLINE void macro_combine(int64_t *onto, const int64_t *from)
{
    *onto &= *from;
}

HIT_REDUCTION(int64_t, macro_start, macro_combine);

HIT_KERNEL(macro_reduce, (i, j), (reduce, int64_t, all, "[]"), (in, int64_t, x, "[i, j]"))
{
    hit(all) &= hit(x, i, j);
}

HIT_KERNEL(macro_four, (i, j, k, l), (inout, uint8_t, a, "[i, j, k, l]"),
           (in, uint8_t, b, "[i, j, k]"))
{
    hit(a, i, j, k, l) = (uint8_t)(hit(a, i, j, k, l) + hit(b, i, j, k));
}
HIT_BY_ROWS(macro_four);

/* Neighbours in the first index share what they read: groups of them go through a row,
 * index by index or in vectors. */
#define MACRO_NEAR(KERNEL, name, mode, is)                                               \
    KERNEL(name##2, (i, j), (mode, float, y, "[i, j]"),                                  \
           (in, float, x, "[i-2:i+2, j] [i, j-1:j+1]"))                                  \
    {                                                                                    \
        const hit_auto far = hit(x, i - 2, j) + 2 * hit(x, i + 2, j);                    \
                                                                                         \
        hit(y, i, j) is far + 4 * hit(x, i, j - 1) + 8 * hit(x, i, j + 1);               \
    }                                                                                    \
    KERNEL(name##3, (i, j, k), (mode, float, y, "[i, j, k]"),                            \
           (in, float, x, "[i-1:i+1, j, k] [i, j-1:j, k:k+1]"))                          \
    {                                                                                    \
        hit(y, i, j, k) is hit(x, i - 1, j, k) + 2 * hit(x, i + 1, j, k) +               \
            4 * hit(x, i, j - 1, k + 1);                                                 \
    }                                                                                    \
    KERNEL(name##4, (i, j, k, l), (mode, float, y, "[i, j, k, l]"),                      \
           (in, float, x, "[i-1:i+1, j, k, l]"))                                         \
    {                                                                                    \
        hit(y, i, j, k, l) is hit(x, i - 1, j, k, l) + 2 * hit(x, i + 1, j, k, l);       \
    }
/* clang-format off */
MACRO_NEAR(HIT_KERNEL, macro_near, inout, +=)
MACRO_NEAR(HIT_VECTOR_KERNEL, macro_new, out, =)
/* clang-format on */

static HIT_NOINLINE HIT_UNUSED int64_t twice(int64_t x)
{
    return 2 * x;
}

static HIT_COLD HIT_UNUSED void double_all(int64_t *HIT_RESTRICT y, hit_index count)
{
    for (hit_index i = 0; i < count; i++) {
        y[i] = twice(y[i]);
    }
}

static HIT_INLINE int64_t *row_of(const hit_run *run)
{
    return (int64_t *)hit_run_address(run, 0, 1, run->begin, sizeof(int64_t));
}

static hit_status enter(const hit_group *group)
{
    return group->threads > 0 ? HIT_OK : HIT_E_INTERNAL;
}

static void second_half(void *of, int thread, int threads)
{
    const hit_run *run = (const hit_run *)of;

    if (thread == 0) double_all(row_of(run), 1);
    if (threads > 1) hit_run_barrier(run);
    if (thread == threads - 1) double_all(row_of(run) + 1, run->end[0] - run->begin[0]);
}

HIT_OWN_THREADS(macro_box, enter);
HIT_BOX_KERNEL(macro_box, (i), (inout, int64_t, y, "[i]"))
{
    hit_run_team(run, second_half, (void *)run);
    return HIT_OK;
}

static hit_status prepare(void **prepared)
{
    *prepared = calloc(1, sizeof(int64_t));
    return *prepared != NULL ? HIT_OK : HIT_E_NOMEM;
}

HIT_BOX_PARTS_KERNEL(macro_parts, (i), prepare, (inout, int64_t, y, "[i]"))
{
    double_all(row_of(run), run->end[0] - run->begin[0] + 1);
    return run->prepared != NULL ? HIT_OK : HIT_E_INTERNAL;
}

HIT_BOX_PARTS_KERNEL(macro_no_prepare, (i), NULL, (inout, int64_t, y, "[i]"))
{
    double_all(row_of(run), run->end[0] - run->begin[0] + 1);
    return HIT_OK;
}

static hit_status prepare_sum(void **prepared)
{
    return prepare(prepared);
}

HIT_ORDERED_KERNEL(macro_ordered, (i, j), (down, up),
                   (inout, int64_t, x, "[i, j] <- [i+1, j] [i, j-1]"),
                   (value, int64_t, add))
{
    hit(x, i, j) = hit(x, i + 1, j) + 2 * hit(x, i, j - 1) + add;
}

HIT_BOX_SUM_KERNEL(macro_along, (i), (HIT_ALONG(1, 1)), prepare_sum,
                   (inout, int64_t, y, "[i]"), (in, int64_t, x, "[i, :]"))
{
    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        int64_t *y = (int64_t *)hit_run_address(run, 0, 1, &i, sizeof(int64_t));

        if (!run->later) *y = 0;
        for (hit_index j = run->slot[1].begin[1]; j <= run->slot[1].end[1]; j++) {
            const hit_index at[] = {i, j};

            *y += *(const int64_t *)hit_run_address(run, 1, 2, at, sizeof(int64_t));
        }
    }
    return HIT_OK;
}

#ifdef __CUDACC__ /* a whole box's other half is a function that the program writes */
#define NO_BOX(name)                                                                     \
    extern "C" hit_status name##_cuda(const hit_run *run);                               \
    extern "C" hit_status name##_cuda(const hit_run *run)                                \
    {                                                                                    \
        (void)run;                                                                       \
        return HIT_E_ABSENT;                                                             \
    }
NO_BOX(macro_box)
NO_BOX(macro_parts)
NO_BOX(macro_no_prepare)
NO_BOX(macro_along)
#endif
