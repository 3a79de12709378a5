/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the formats that there are. */
#ifndef HIT_IO_FORMATS_H
#define HIT_IO_FORMATS_H

#include "hit/io/array.h"

extern const hit_format hit_format_npy;  /**< npy.c */
extern const hit_format hit_format_hdf5; /**< hdf5.c, hdf5_absent.c */

#endif
