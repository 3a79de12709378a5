/* SPDX-License-Identifier: MIT
 * Kernels for tests/fortran/test_hit.f90, and what the headers say of its types. */
#include "hit/kernel.h"
#include "hit/tile/tile.h"

const int fortran_types[20] = {HIT_KIND_FLOAT,
                               HIT_KIND_DOUBLE,
                               HIT_KIND_INT8,
                               HIT_KIND_INT16,
                               HIT_KIND_INT32,
                               HIT_KIND_INT64,
                               HIT_KIND_BOOL,
                               HIT_KIND_COMPLEX_FLOAT,
                               HIT_KIND_COMPLEX_DOUBLE,
                               HIT_READ,
                               HIT_WRITE,
                               HIT_READ_WRITE,
                               HIT_BOUNDARY_NONE,
                               HIT_BOUNDARY_CONSTANT,
                               HIT_BOUNDARY_PERIODIC,
                               HIT_BOUNDARY_CLAMP,
                               HIT_BOUNDARY_MIRROR,
                               sizeof(hit_view),
                               sizeof(hit_domain),
                               sizeof(hit_kernel)};

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(mix, (j, i),
    (out,   double,  a, "[j, i]"),
    (value, float,   f),
    (value, double,  d),
    (value, int32_t, k),
    (value, int64_t, n))
{
    hit(a, j, i) = (double)(1000 * i + j) + (double)f + d + (double)k + (double)n;
}

HIT_KERNEL(shift, (j, i),
    (out, double, next, "[j, i]"),
    (in,  double, now,  "[j, i-1:i+1]"))
{
    hit(next, j, i) = hit(now, j, i - 1) + hit(now, j, i) + hit(now, j, i + 1);
}

HIT_KERNEL(turn, (j, i),
    (inout, hit_complex_double, z, "[j, i]"),
    (value, hit_complex_double, by),
    (value, hit_complex_float,  more))
{
    hit(z, j, i) = hit(z, j, i) * by * more;
}
