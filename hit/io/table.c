/* SPDX-License-Identifier: MIT
 * The formats, one line each. */
#include "hit/io/array.h"
#include "hit/io/formats.h"

const hit_format *const hit_format_table[] = {
    &hit_format_npy,
    &hit_format_hdf5,
    NULL,
};
