/* SPDX-License-Identifier: MIT
 * Names and coordinates of dimensions. They belong to the storage, and selections take
 * their part when they are asked. Names are those that HDF5, NetCDF and Zarr all have. */
#include "hit/base/memory.h"
#include "hit/data/sig.h"
#include "hit/tile/tile_impl.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NAME = 63, /* bytes */
    MOST_UNITS = 127
};

static bool is_name(const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;

    for (size_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)name[k];

        if (c >= 0x80 || (!isalpha(c) && c != '_' &&
                          (k == 0 || (!isdigit(c) && strchr("+-.", c) == NULL)))) {
            return false;
        }
    }
    return length > 0 && length <= MOST_NAME;
}

static bool are_units(const char *units)
{
    for (const char *c = units; *c != '\0'; c++) {
        if (iscntrl((unsigned char)*c) && (unsigned char)*c < 0x80) return false;
    }
    return strlen(units) <= MOST_UNITS;
}

static hit_status check_coordinates(const hit_tile *tile, int dim, const hit_axis *axis)
{
    const hit_index count = hit_sig_count(tile->domain.sig[dim]);

    for (hit_index k = 0; k < (axis->value != NULL ? count : 1); k++) {
        if (isfinite(hit_axis_at(axis, k)) && isfinite(axis->step)) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: axis %s: expected finite coordinates but found another "
                        "one at element %lld",
                        tile->storage->name, axis->name, (long long)k);
    }
    return HIT_OK;
}

static hit_status check(const hit_tile *tile, int dim, const hit_axis *axis)
{
    const char *name = tile->storage->name;

    if (tile->parent != NULL) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: a selection has the axes of its tile", name);
    }
    if (dim < 0 || dim >= tile->domain.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a dimension from 0 to %d but found %d", name,
                        tile->domain.dims - 1, dim);
    }
    if (axis == NULL) return HIT_OK;
    if (!is_name(axis->name)) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a name of at most %d letters, digits and _ + "
                        "- . that begins with a letter or _ but found \"%.80s\"",
                        name, MOST_NAME, axis->name != NULL ? axis->name : "NULL");
    }
    for (int d = 0; d < tile->domain.dims; d++) {
        const char *other = tile->storage->axis[d].name;

        if (d == dim || other == NULL || strcmp(other, axis->name) != 0) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected another name for dimension %d than for %d but "
                        "found \"%s\"",
                        name, dim, d, axis->name);
    }
    if (axis->units != NULL && !are_units(axis->units)) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: axis %s: expected units of at most %d characters that "
                        "can be printed but found \"%.20s...\"",
                        name, axis->name, MOST_UNITS, axis->units);
    }
    return check_coordinates(tile, dim, axis);
}

static void drop(hit_axis *axis)
{
    free((void *)(uintptr_t)axis->name); /* units and values lie behind it */
    *axis = (hit_axis){0};
}

/* One block of memory: values, name, units. */
static hit_status copy(const hit_axis *axis, hit_index count, hit_axis *made)
{
    const size_t name_bytes = strlen(axis->name) + 1;
    const size_t units_bytes = axis->units != NULL ? strlen(axis->units) + 1 : 0;
    const size_t values = axis->value != NULL ? (size_t)count : 0;
    const size_t text = (name_bytes + units_bytes + 7) / 8 * 8;
    char *block = NULL;

    HIT_TRY(hit_memory_zeroed(text + values * sizeof(double), 1, &block));
    *made = (hit_axis){.name = block, .first = axis->first, .step = axis->step};
    memcpy(block, axis->name, name_bytes);
    if (units_bytes > 0) {
        made->units = memcpy(block + name_bytes, axis->units, units_bytes);
    }
    if (axis->value != NULL) {
        double *value = (double *)(void *)(block + text);

        for (size_t k = 0; k < values; k++) {
            value[k] = hit_axis_at(axis, (hit_index)k);
        }
        made->value = value;
    }
    return HIT_OK;
}

hit_status hit_tile_set_axis(hit_tile *tile, int dim, const hit_axis *axis)
{
    hit_axis made = {0};

    HIT_TRY(hit_tile_check_open(tile));
    HIT_TRY(check(tile, dim, axis));
    if (axis != NULL) {
        HIT_TRY(copy(axis, hit_sig_count(tile->domain.sig[dim]), &made));
    }
    drop(&tile->storage->axis[dim]);
    tile->storage->axis[dim] = made;
    return HIT_OK;
}

hit_axis hit_tile_axis(const hit_tile *tile, int dim)
{
    const hit_domain whole = hit_layout_domain(tile->storage->layout);
    const hit_sig sig = tile->domain.sig[dim];
    hit_axis axis = tile->storage->axis[dim];

    if (axis.name == NULL || hit_sig_is_empty(sig)) return axis;
    axis.first += axis.step * (double)(sig.begin - whole.sig[dim].begin);
    axis.step *= (double)sig.stride;
    if (axis.value != NULL) {
        axis.value += hit_sig_position(whole.sig[dim], sig.begin);
        axis.value_step = sig.stride / whole.sig[dim].stride;
    }
    return axis;
}

void hit_storage_drop_axes(hit_storage *storage)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        drop(&storage->axis[d]);
    }
}
