/* SPDX-License-Identifier: MIT
 * VTKHDF, version 2.0 ("VTK File Formats", Kitware): ImageData. An array has x last, as
 * tiles have; with steps it has time in front, each step is one chunk, and the group
 * Steps says which times they are. */
#include "hit/base/kind.h"
#include "hit/io/hdf5_impl.h"
#include "hit/tile/tile_impl.h"

#include <hdf5.h>

#include <stdio.h>
#include <string.h>

#define ROOT "VTKHDF"
#define STEPS ROOT "/Steps"

extern const hit_format hit_format_vtkhdf;

void hit_hdf5_vtk_path(const hit_array *array, char path[512])
{
    const bool image = array->format == &hit_format_vtkhdf;

    (void)snprintf(path, 512, "%s%s", image ? ROOT "/PointData/" : "", array->dataset);
}

static hit_status check(const hit_array *array)
{
    const bool image = array->dims == 2 || array->dims == 3;
    bool even = true;

    for (int d = 0; d < array->dims; d++) {
        even = even && array->axis[d].value == NULL && array->extent[d] > 0 &&
               array->extent[d] < INT32_MAX;
    }
    if (!image || !even ||
        strchr("fiu", hit_kind_find(array->type.kind)->letter) == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected numbers of 2 or 3 dimensions with coordinates at "
                        "even distances, for an image of VTK",
                        array->path);
    }
    if (strchr(array->dataset, '/') == NULL &&
        (!array->timed || hit_array_bytes(array) < UINT32_MAX)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "%s: array %s: expected a name without '/', and steps below 4 GiB",
                    array->path, array->dataset);
}

/* ---- attributes ---- */

static bool read_attribute(hid_t group, const char *name, hid_t type, hssize_t count,
                           void *value)
{
    const hid_t found = H5Aopen(group, name, H5P_DEFAULT);
    const hid_t space = H5Aget_space(found);
    const bool done =
        H5Sget_simple_extent_npoints(space) == count && H5Aread(found, type, value) >= 0;

    if (space >= 0) H5Sclose(space);
    if (found >= 0) H5Aclose(found);
    return done;
}

static void find_extent(const hit_array *array, int64_t extent[6])
{
    memset(extent, 0, 6 * sizeof(*extent));
    for (int d = 0; d < array->dims; d++) {
        extent[2 * (array->dims - 1 - d) + 1] = array->extent[d] - 1;
    }
}

static bool write_image(const hit_array *array, hid_t group)
{
    static const int64_t version[2] = {2, 0};
    static const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const hid_t text = H5Tcopy(H5T_C_S1);
    double origin[3] = {0, 0, 0};
    double spacing[3] = {1, 1, 1};
    int64_t extent[6];
    bool done;

    find_extent(array, extent);
    for (int d = 0; d < array->dims; d++) {
        if (!hit_axis_has_coordinates(&array->axis[d])) continue;
        origin[array->dims - 1 - d] = array->axis[d].first;
        spacing[array->dims - 1 - d] = array->axis[d].step;
    }
    H5Tset_size(text, strlen("ImageData"));
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    done = hit_hdf5_attribute(group, "Version", H5T_NATIVE_INT64, 2, version) &&
           hit_hdf5_attribute(group, "Type", text, 0, "ImageData") &&
           hit_hdf5_attribute(group, "WholeExtent", H5T_NATIVE_INT64, 6, extent) &&
           hit_hdf5_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, origin) &&
           hit_hdf5_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing) &&
           hit_hdf5_attribute(group, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
    H5Tclose(text);
    return done;
}

/* Is what is there an image of the same extent? */
static hit_status check_image(const hit_array *array, hid_t group)
{
    int64_t expected[6];
    int64_t extent[6] = {0};

    find_extent(array, expected);
    if (read_attribute(group, "WholeExtent", H5T_NATIVE_INT64, 6, extent) &&
        memcmp(extent, expected, sizeof(extent)) == 0) {
        return HIT_OK;
    }
    return HIT_FAIL(
        HIT_E_IO,
        "%s: expected an image of %lld x %lld x %lld points, as the file has, "
        "but found %lld x %lld x %lld",
        array->path, (long long)extent[5] + 1, (long long)extent[3] + 1,
        (long long)extent[1] + 1, (long long)expected[5] + 1, (long long)expected[3] + 1,
        (long long)expected[1] + 1);
}

/* ---- steps ---- */

static hid_t make_list(hid_t file, const char *path, hid_t type)
{
    const hsize_t none = 0;
    const hsize_t most = H5S_UNLIMITED;
    const hsize_t chunk = 256;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_chunk(how, 1, &chunk);
    return hit_hdf5_make(file, path, type, H5Screate_simple(1, &none, &most), how);
}

static bool is_list(hid_t set)
{
    hit_index extent[HIT_HDF5_DIMS];
    bool is_virtual;

    return hit_hdf5_extents(set, extent) == 1 && !hit_hdf5_is_elsewhere(set, &is_virtual);
}

/* A dataset of one number for each step, in the file. */
static hit_status open_list(const hit_array *array, const hit_hdf5_disk *disk, hid_t file,
                            const char *path, hid_t type, hid_t *list)
{
    const hid_t set = H5Lexists(file, path, H5P_DEFAULT) > 0
                          ? H5Dopen2(file, path, H5P_DEFAULT)
                          : make_list(file, path, type);

    if (set < 0) return hit_hdf5_fail(array, disk, "added");
    if (!is_list(set)) {
        H5Dclose(set);
        return HIT_FAIL(HIT_E_IO,
                        "%s: %s: expected a list of numbers, in the file, but found "
                        "another dataset",
                        array->path, path);
    }
    *list = set;
    return HIT_OK;
}

static hsize_t count_of(hid_t list)
{
    hit_index extent[HIT_HDF5_DIMS] = {0};

    (void)hit_hdf5_extents(list, extent);
    return (hsize_t)extent[0];
}

/* Read or write number @p at; one more where it is written behind the last. */
static bool move_number(hid_t set, hsize_t at, hid_t type, bool writes, void *number)
{
    const hsize_t one = 1;
    const hid_t memory = H5Screate_simple(1, &one, NULL);
    hid_t space;
    bool done = !writes || at < count_of(set) ||
                H5Dset_extent(set, (const hsize_t[]){at + 1}) >= 0;

    space = H5Dget_space(set);
    done = done && H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL) >= 0;
    if (done) {
        done = (writes ? H5Dwrite(set, type, memory, space, H5P_DEFAULT, number)
                       : H5Dread(set, type, memory, space, H5P_DEFAULT, number)) >= 0;
    }
    H5Sclose(space);
    H5Sclose(memory);
    return done;
}

/* Which step the time is, the last one or one more; write it down. */
static bool write_time(const hit_array *array, hid_t group, hid_t values, hsize_t *step)
{
    double time = array->time;
    double last = 0;
    int64_t steps;
    bool done = true;

    *step = count_of(values);
    if (*step > 0) {
        done = move_number(values, *step - 1, H5T_NATIVE_DOUBLE, false, &last);
        if (last == time) --*step;
    }
    steps = (int64_t)*step + 1;
    return done && move_number(values, *step, H5T_NATIVE_DOUBLE, true, &time) &&
           hit_hdf5_attribute(group, "NSteps", H5T_NATIVE_INT64, 0, &steps);
}

static hit_status add_time(const hit_array *array, const hit_hdf5_disk *disk, hid_t file,
                           hsize_t *step)
{
    hid_t values = H5I_INVALID_HID;
    hid_t group;
    hit_status status = HIT_OK;

    HIT_TRY(open_list(array, disk, file, STEPS "/Values", H5T_NATIVE_DOUBLE, &values));
    group = H5Gopen2(file, STEPS, H5P_DEFAULT);
    if (group < 0 || !write_time(array, group, values, step)) {
        status = hit_hdf5_fail(array, disk, "added");
    }
    if (group >= 0) H5Gclose(group);
    H5Dclose(values);
    return status;
}

static hit_status add_offset(const hit_array *array, const hit_hdf5_disk *disk,
                             hid_t file, hsize_t step)
{
    char path[512];
    int64_t offset = (int64_t)step;
    hit_status status = HIT_OK;
    hid_t list = H5I_INVALID_HID;

    (void)snprintf(path, sizeof(path), STEPS "/PointDataOffsets/%s", array->dataset);
    HIT_TRY(open_list(array, disk, file, path, H5T_NATIVE_INT64, &list));
    if (!move_number(list, step, H5T_NATIVE_INT64, true, &offset)) {
        status = hit_hdf5_fail(array, disk, "added");
    }
    H5Dclose(list);
    return status;
}

/* ---- arrays ---- */

static hid_t create_array(const hit_array *array, hid_t file, const char *path)
{
    const int lead = array->timed ? 1 : 0;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t type = hit_hdf5_type(array->type);
    hsize_t size[HIT_MAX_DIMS + 1] = {1};
    hsize_t most[HIT_MAX_DIMS + 1] = {H5S_UNLIMITED};
    hid_t made;

    for (int d = 0; d < array->dims; d++) {
        size[d + lead] = (hsize_t)array->extent[d];
        most[d + lead] = size[d + lead];
    }
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER); /* every element is written */
    if (array->timed) H5Pset_chunk(how, array->dims + 1, size);
    made = hit_hdf5_make(file, path, type,
                         H5Screate_simple(array->dims + lead, size, most), how);
    H5Tclose(type);
    return made;
}

/* What is written are bytes as the machine has them. */
static hit_status check_type(const hit_array *array, hid_t set)
{
    const hid_t found = H5Dget_type(set);
    const hid_t type = hit_hdf5_type(array->type);
    const bool same = H5Tequal(found, type) > 0;
    char name[32];

    H5Tclose(type);
    H5Tclose(found);
    if (same) return HIT_OK;
    return HIT_FAIL(HIT_E_IO,
                    "%s: array %s: expected elements of type %s, as this machine has "
                    "them, but found others",
                    array->path, array->dataset, hit_kind_type_name(array->type, name));
}

/* Let the array have this step. */
static hit_status grow(const hit_array *array, const hit_hdf5_disk *disk, hid_t set,
                       hsize_t step)
{
    hit_index found[HIT_HDF5_DIMS] = {0};
    hsize_t size[HIT_MAX_DIMS + 1] = {step + 1};
    bool same = hit_hdf5_extents(set, found) == array->dims + 1;

    for (int d = 0; d < array->dims; d++) {
        size[d + 1] = (hsize_t)array->extent[d];
        same = same && found[d + 1] == array->extent[d];
    }
    if (!same || step > (hsize_t)found[0]) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: array %s: expected steps of its extents, each in turn, but "
                        "found step %llu after %llu",
                        array->path, array->dataset, (unsigned long long)step,
                        (unsigned long long)found[0]);
    }
    if (step < (hsize_t)found[0]) return HIT_OK;
    return H5Dset_extent(set, size) >= 0 ? HIT_OK : hit_hdf5_fail(array, disk, "added");
}

static hit_status make_array(const hit_array *array, const hit_hdf5_disk *disk,
                             hid_t file, hsize_t step, uint64_t *begin)
{
    char path[512];
    hsize_t at[HIT_MAX_DIMS + 1] = {step};
    hit_status status = HIT_OK;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    unsigned mask = 0;
    hid_t set;

    hit_hdf5_vtk_path(array, path);
    if (!array->timed) HIT_TRY(hit_hdf5_clear(array, disk, file, path));
    if (array->timed && H5Lexists(file, ROOT "/PointData", H5P_DEFAULT) > 0 &&
        H5Lexists(file, path, H5P_DEFAULT) > 0) {
        set = H5Dopen2(file, path, H5P_DEFAULT);
    } else {
        set = create_array(array, file, path);
    }
    if (set < 0) return hit_hdf5_fail(array, disk, "made");
    if (array->timed) {
        status = check_type(array, set);
        if (status == HIT_OK) status = grow(array, disk, set, step);
        if (status == HIT_OK) {
            (void)H5Dget_chunk_info_by_coord(set, at, &mask, &address, &bytes);
        }
    } else {
        address = H5Dget_offset(set);
        bytes = hit_array_bytes(array);
    }
    H5Dclose(set);
    HIT_TRY(status);
    if (address == HADDR_UNDEF || bytes != hit_array_bytes(array)) {
        return hit_hdf5_fail(array, disk, "made");
    }
    *begin = address;
    return HIT_OK;
}

hit_status hit_hdf5_vtk_make(const hit_array *array, const hit_hdf5_disk *disk,
                             int64_t file, uint64_t *begin)
{
    const bool there = array->add && H5Lexists(file, ROOT, H5P_DEFAULT) > 0;
    hsize_t step = 0;
    hit_status status = check(array);
    hid_t group;

    HIT_TRY(status);
    group = there ? H5Gopen2(file, ROOT, H5P_DEFAULT)
                  : H5Gcreate2(file, ROOT, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return hit_hdf5_fail(array, disk, "made");
    if (there) status = check_image(array, group);
    if (!there && !write_image(array, group)) status = hit_hdf5_fail(array, disk, "made");
    H5Gclose(group);
    HIT_TRY(status);
    if (array->timed) {
        HIT_TRY(add_time(array, disk, file, &step));
        HIT_TRY(add_offset(array, disk, file, step));
    }
    return make_array(array, disk, file, step, begin);
}
