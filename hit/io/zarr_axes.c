/* SPDX-License-Identifier: MIT
 * Coordinates of dimensions, and time, as arrays of one dimension: process 0 writes and
 * reads them, in files that are replaced as a whole. */
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/io/zarr_impl.h"
#include "hit/tile/tile_impl.h"

#include <stdio.h>
#include <string.h>

enum {
    TIMES = 1024,         /* of a file */
    COORDINATES = 1 << 20 /* of a file */
};

/* An array of one dimension, of @p count numbers. */
static hit_zarr_meta list_meta(const char *name, hit_index count, hit_index chunk)
{
    hit_zarr_meta meta = {.type = HIT_DOUBLE,
                          .dims = 1,
                          .shape = {count},
                          .file = {chunk},
                          .chunk = {chunk},
                          .separator = '/'};

    (void)snprintf(meta.name[0], sizeof(meta.name[0]), "%s", name);
    return meta;
}

/* Are its files as those of list_meta() are? */
static bool is_list(const hit_zarr_meta *meta, hit_index chunk)
{
    return meta->dims == 1 && meta->chunk[0] == chunk && !meta->sharded &&
           !meta->chain.zstd && !meta->chain.crc && meta->separator == '/';
}

static hit_zarr_meta axis_meta(const hit_array *array, int dim)
{
    const hit_axis *axis = &array->axis[dim];
    const hit_index count = array->extent[dim];
    const hit_index chunk = hit_larger(hit_smaller(count, COORDINATES), 1);
    hit_zarr_meta meta = list_meta(axis->name, count, chunk);

    if (axis->units != NULL) {
        (void)snprintf(meta.units, sizeof(meta.units), "%s", axis->units);
    }
    return meta;
}

/* Write file @p number of an array of coordinates, whole or not at all. */
static hit_status write_values(const hit_array *array, const char *name, hit_index number,
                               const double value[], size_t count)
{
    char path[HIT_ZARR_PATH];
    char file[32];
    hit_draft draft;

    (void)snprintf(file, sizeof(file), "c/%lld", (long long)number);
    hit_zarr_join(path, array, name, file);
    HIT_TRY(hit_zarr_make_folders(array, array->path, path));
    HIT_TRY(hit_draft_open(path, &draft));
    (void)fwrite(value, sizeof(double), count, draft.stream);
    return hit_draft_close(&draft, HIT_OK);
}

/* @p count values from a file of an array of coordinates. */
static hit_status read_values(const hit_array *array, const char *name, hit_index number,
                              double value[], size_t count)
{
    char path[HIT_ZARR_PATH];
    char where[32];
    size_t found = 0;
    FILE *file;

    (void)snprintf(where, sizeof(where), "c/%lld", (long long)number);
    hit_zarr_join(path, array, name, where);
    file = fopen(path, "rb");
    if (file != NULL) {
        found = fread(value, sizeof(double), count, file);
        (void)fclose(file);
    }
    if (found == count) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: %s/%s: expected %zu coordinates but found %zu",
                    array->path, name, where, count, found);
}

/* One file of coordinates: write it, or is it the same? */
static hit_status move_axis(const hit_array *array, int dim, hit_index number,
                            bool writes, double value[])
{
    const hit_axis *axis = &array->axis[dim];
    const hit_zarr_meta meta = axis_meta(array, dim);
    const hit_index first = number * meta.chunk[0];
    hit_index count = array->extent[dim] - first;

    if (count > meta.chunk[0]) count = meta.chunk[0];
    if (writes) {
        memset(value, 0, (size_t)meta.chunk[0] * sizeof(double));
        for (hit_index k = 0; k < count; k++) {
            value[k] = hit_axis_at(axis, first + k);
        }
        return write_values(array, axis->name, number, value, (size_t)meta.chunk[0]);
    }
    HIT_TRY(read_values(array, axis->name, number, value, (size_t)count));
    return hit_array_check_axis(array, dim, axis->name, first, (size_t)count, value);
}

static hit_status move_axes(const hit_array *array, int dim, bool writes)
{
    const hit_zarr_meta meta = axis_meta(array, dim);
    double *value = NULL;
    hit_status status = hit_memory_zeroed((size_t)meta.chunk[0], sizeof(double), &value);

    for (hit_index k = 0; k * meta.chunk[0] < meta.shape[0] && status == HIT_OK; k++) {
        status = move_axis(array, dim, k, writes, value);
    }
    free(value);
    return status;
}

static hit_status check_axis(const hit_array *array, int dim)
{
    const char *name = array->axis[dim].name;
    const hit_zarr_meta expected = axis_meta(array, dim);
    hit_zarr_meta found;

    HIT_TRY(hit_zarr_group_read(array, name, HIT_DOUBLE, &found));
    if (found.dims != 1 || found.shape[0] != expected.shape[0] ||
        strcmp(found.units, expected.units) != 0 ||
        strcmp(found.name[0], expected.name[0]) != 0) {
        return HIT_FAIL(
            HIT_E_IO,
            "%s: dimension %s: expected %lld elements in units \"%s\", as the "
            "store has it for other arrays, but found %lld in units \"%s\"",
            array->path, name, (long long)found.shape[0], found.units,
            (long long)expected.shape[0], expected.units);
    }
    if (!is_list(&found, expected.chunk[0])) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: dimension %s: expected coordinates as hit writes them",
                        array->path, name);
    }
    return move_axes(array, dim, false);
}

hit_status hit_zarr_axes_check(const hit_array *array, const hit_zarr_group *group)
{
    for (int d = 0; d < array->dims; d++) {
        const char *name = array->axis[d].name;

        if (name == NULL) continue;
        if (strcmp(name, array->dataset) == 0 ||
            (array->timed && strcmp(name, "time") == 0)) {
            return HIT_FAIL(HIT_E_ARG,
                            "%s: array %s: expected another name for dimension %d but "
                            "found \"%s\"",
                            array->path, array->dataset, d, name);
        }
        if (!hit_axis_has_coordinates(&array->axis[d])) continue;
        if (hit_zarr_group_keeps(array, group, name)) HIT_TRY(check_axis(array, d));
    }
    return HIT_OK;
}

/* ---- time ---- */

hit_status hit_zarr_axes_find_step(const hit_array *array, hit_zarr_group *group,
                                   hit_index *step)
{
    double value[TIMES];
    hit_zarr_meta meta;

    *step = group->steps;
    if (group->steps == 0) return HIT_OK;
    HIT_TRY(hit_zarr_group_read(array, "time", HIT_DOUBLE, &meta));
    if (!is_list(&meta, TIMES) || meta.shape[0] < group->steps) {
        return HIT_FAIL(HIT_E_IO, "%s: expected the array time as hit writes it",
                        array->path);
    }
    for (hit_index k = 0; k < group->steps; k++) {
        const hit_index left = group->steps - k;

        if (k % TIMES == 0) {
            HIT_TRY(read_values(array, "time", k / TIMES, value,
                                left < TIMES ? (size_t)left : TIMES));
        }
        if (value[k % TIMES] == array->time) {
            *step = k;
            return HIT_OK;
        }
    }
    return HIT_OK;
}

static hit_status write_time(const hit_array *array, const hit_zarr_group *group,
                             hit_index step)
{
    const size_t before = (size_t)(step % TIMES);
    double value[TIMES] = {0};
    const hit_zarr_meta meta = list_meta("time", step + 1, TIMES);

    if (step < group->steps) return HIT_OK; /* it is there */
    HIT_TRY(before > 0 ? read_values(array, "time", step / TIMES, value, before)
                       : HIT_OK);
    value[before] = array->time;
    HIT_TRY(write_values(array, "time", step / TIMES, value, TIMES));
    return group->steps > 0 ? hit_zarr_group_write_steps(array, "time", step + 1)
                            : hit_zarr_group_write_array(array, "time", &meta);
}

hit_status hit_zarr_axes_write(const hit_array *array, const hit_zarr_group *group,
                               hit_index step)
{
    for (int d = 0; d < array->dims; d++) {
        const hit_axis *axis = &array->axis[d];
        const hit_zarr_meta meta =
            axis->name != NULL ? axis_meta(array, d) : (hit_zarr_meta){0};

        if (axis->name == NULL || !hit_axis_has_coordinates(axis) ||
            hit_zarr_group_keeps(array, group, axis->name)) {
            continue;
        }
        HIT_TRY(move_axes(array, d, true));
        HIT_TRY(hit_zarr_group_write_array(array, axis->name, &meta));
    }
    return array->timed ? write_time(array, group, step) : HIT_OK;
}
