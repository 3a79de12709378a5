/* SPDX-License-Identifier: MIT
 * Internal: HDF5 files. */
#ifndef HIT_IO_HDF5_H
#define HIT_IO_HDF5_H

#include <stdbool.h>

/** Was this built with HDF5? */
bool hit_hdf5_is_there(void);

#endif
