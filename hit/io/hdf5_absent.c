/* SPDX-License-Identifier: MIT
 * Takes the place of hdf5.c where HDF5 is not there: says why. */
#include "hit/io/formats.h"
#include "hit/io/io.h"
#include "hit/io/io_impl.h"

bool hit_hdf5_is_there(void)
{
    return false;
}

static hit_status absent(hit_array *array)
{
    return HIT_FAIL(HIT_E_ABSENT, "%s: HDF5 is %s", array->path, HIT_HDF5_WHY);
}

static hit_status closed(hit_array *array)
{
    (void)array;
    return HIT_OK;
}

/* write and read are not reached */
const hit_format hit_format_hdf5 = {
    .name = "hdf5",
    .ending = {".h5", ".hdf5", NULL},
    .named = true,
    .create = absent,
    .open = absent,
    .close = closed,
};

const hit_format hit_format_vtkhdf = {
    .name = "vtkhdf",
    .ending = {".vtkhdf", NULL},
    .named = true,
    .timed = true,
    .create = absent,
    .open = absent,
    .close = closed,
};
