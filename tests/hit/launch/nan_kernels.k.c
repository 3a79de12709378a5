/* SPDX-License-Identifier: MIT
 * Reductions whose bodies keep what is not a number. */
#include "hit/kernel.h"

#define OF_TYPE(type)                                                                    \
    HIT_KERNEL(least_##type, (i), (min, type, low, "[]"), (max, type, high, "[]"),       \
               (in, type, x, "[i]"))                                                     \
    {                                                                                    \
        const type v = hit(x, i);                                                        \
                                                                                         \
        if (v < hit(low) || v != v) hit(low) = v;                                        \
        if (v > hit(high) || v != v) hit(high) = v;                                      \
    }                                                                                    \
    HIT_KERNEL(rows_##type, (i, j), (min, type, low, "[i]"), (max, type, high, "[j]"),   \
               (in, type, x, "[i, j]"))                                                  \
    {                                                                                    \
        const type v = hit(x, i, j);                                                     \
                                                                                         \
        if (v < hit(low, i) || v != v) hit(low, i) = v;                                  \
        if (v > hit(high, j) || v != v) hit(high, j) = v;                                \
    }
OF_TYPE(float)
OF_TYPE(double)

/* It has no index, and runs once. */
HIT_KERNEL(stepped, (), (inout, double, at, "[]"), (inout, double, path, "[s:s+1]"),
           (value, hit_index, s))
{
    hit(at) += 0.5;
    hit(path, s) += hit(at);
    hit(path, s + 1) -= hit(at);
}
