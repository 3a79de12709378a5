/* SPDX-License-Identifier: MIT
 * Receivers at the surface: sample t of the traces is the field at depth 0. The wave
 * itself is a kernel of the library's catalogue, wave_float. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(record, (t, i),
    (out, float, traces, "[t, i]"),
    (in,  float, field,  "[i, 0]"))
{
    hit(traces, t, i) = hit(field, i, 0);
}
