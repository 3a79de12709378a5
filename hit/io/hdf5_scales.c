/* SPDX-License-Identifier: MIT
 * What others expect of elements and dimensions: types as h5py has them, and dimension
 * scales as NetCDF-4 has them ("NetCDF-4 Format", Unidata), a dataset of the dimension's
 * name in the group of the array. One with coordinates has them as elements; one without
 * has no element on disk, and says in its own name that it is no variable. The order in
 * which things are made is kept by the file, which NetCDF wants to change it. */
#include "hit/io/hdf5_impl.h"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <stdio.h>
#include <string.h>

#define NO_VARIABLE "This is a netCDF dimension but not a netCDF variable."

enum {
    AT_ONCE = 4096, /* coordinates */
    MOST_PATH = 512
};

/* ---- types ---- */

/* As h5py has it: an enumeration. */
static hid_t make_truth(void)
{
    const hid_t made = H5Tenum_create(H5T_NATIVE_INT8);

    H5Tenum_insert(made, "FALSE", &(const int8_t){0});
    H5Tenum_insert(made, "TRUE", &(const int8_t){1});
    return made;
}

/* And a complex number: two parts. */
static hid_t make_complex(size_t size_bytes)
{
    const hid_t made = H5Tcreate(H5T_COMPOUND, size_bytes);
    const hid_t part =
        size_bytes == 2 * sizeof(float) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;

    H5Tinsert(made, "r", 0, part);
    H5Tinsert(made, "i", size_bytes / 2, part);
    return made;
}

/* A number of 16 bits, with @p exponent of them for the exponent. */
static hid_t make_real(size_t exponent, size_t bias)
{
    const hid_t made = H5Tcopy(H5T_NATIVE_FLOAT);

    H5Tset_fields(made, 15, 15 - exponent, exponent, 0, 15 - exponent);
    H5Tset_size(made, 2);
    H5Tset_ebias(made, bias);
    return made;
}

#define TYPE_f(KIND, c_type) H5Tcopy(H5T_NATIVE_##KIND)
#define TYPE_i(KIND, c_type) H5Tcopy(H5T_NATIVE_##KIND)
#define TYPE_u(KIND, c_type) H5Tcopy(H5T_NATIVE_##KIND)
#define TYPE_b(KIND, c_type) make_truth()
#define TYPE_c(KIND, c_type) make_complex(sizeof(c_type))
#define TYPE_e(KIND, c_type) make_real(5, 15)
#define TYPE_E(KIND, c_type) make_real(8, 127)
#define TYPE(KIND, name, c_type, letter)                                                 \
    case HIT_KIND_##KIND:                                                                \
        return TYPE_##letter(KIND, c_type);

int64_t hit_hdf5_type(hit_type type)
{
    switch (type.kind) {
        HIT_KINDS(TYPE)
    case HIT_KIND_BYTES:
        break;
    }
    return H5Tcreate(H5T_OPAQUE, type.size_bytes);
}

/* ---- datasets and attributes ---- */

int64_t hit_hdf5_make(int64_t file, const char *path, int64_t type, int64_t space,
                      int64_t how)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t made;
    hid_t reason;

    H5Pset_create_intermediate_group(links, 1);
    made = H5Dcreate2(file, path, type, space, links, how, H5P_DEFAULT);
    reason = H5Eget_current_stack(); /* each call clears it */
    H5Sclose(space);
    H5Pclose(how);
    H5Pclose(links);
    H5Eset_current_stack(reason);
    return made;
}

int hit_hdf5_extents(int64_t set, hit_index extent[HIT_HDF5_DIMS])
{
    const hid_t space = H5Dget_space(set);
    const bool none = H5Sget_simple_extent_type(space) == H5S_NULL;
    hsize_t size[H5S_MAX_RANK] = {0};
    const int dims = H5Sget_simple_extent_dims(space, size, NULL);

    H5Sclose(space);
    for (int d = 0; d < dims; d++) {
        extent[d] = (hit_index)size[d];
    }
    return none ? -1 : dims;
}

bool hit_hdf5_attribute(int64_t of, const char *name, int64_t type, int count,
                        const void *value)
{
    const hsize_t size = (hsize_t)count;
    const hid_t space =
        count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t made;
    bool done;

    if (H5Aexists(of, name) > 0) (void)H5Adelete(of, name);
    made = H5Acreate2(of, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    done = made >= 0 && H5Awrite(made, type, value) >= 0;
    if (made >= 0) H5Aclose(made);
    H5Sclose(space);
    return done;
}

/* ---- dimensions ---- */

static herr_t detach_one(hid_t set, unsigned dim, hid_t scale, void *unused)
{
    (void)unused;
    return H5DSdetach_scale(set, scale, dim) < 0 ? -1 : 0;
}

hit_status hit_hdf5_scales_detach(const hit_array *array, const hit_hdf5_disk *disk,
                                  int64_t set)
{
    hit_index extent[HIT_HDF5_DIMS];
    const int dims = hit_hdf5_extents(set, extent);
    bool done = true;

    for (int d = 0; d < dims && done; d++) {
        done = H5DSiterate_scales(set, (unsigned)d, NULL, detach_one, NULL) >= 0;
    }
    return done ? HIT_OK : hit_hdf5_fail(array, disk, "replaced");
}

static hit_status differs(const hit_array *array, const char *path, const char *expected,
                          const char *found)
{
    return HIT_FAIL(HIT_E_IO,
                    "%s: dimension %s: expected %s, as the file has it for other arrays, "
                    "but found %s",
                    array->path, path, expected, found);
}

static hit_status check_values(const hit_array *array, const hit_hdf5_disk *disk, int dim,
                               const char *path, hid_t scale)
{
    const hid_t file = H5Dget_space(scale);
    hit_status status = HIT_OK;
    double value[AT_ONCE];

    for (hit_index k = 0; k < array->extent[dim] && status == HIT_OK; k += AT_ONCE) {
        const hit_index left = array->extent[dim] - k;
        const hsize_t first = (hsize_t)k;
        const hsize_t count = left < AT_ONCE ? (hsize_t)left : AT_ONCE;
        const hid_t memory = H5Screate_simple(1, &count, NULL);

        H5Sselect_hyperslab(file, H5S_SELECT_SET, &first, NULL, &count, NULL);
        if (H5Dread(scale, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, value) < 0) {
            status = hit_hdf5_fail(array, disk, "added to its dimensions");
        }
        H5Sclose(memory);
        if (status == HIT_OK) {
            status = hit_array_check_axis(array, dim, path, k, (size_t)count, value);
        }
    }
    H5Sclose(file);
    return status;
}

/* Is what the file has there already what this array needs? */
static hit_status check_scale(const hit_array *array, const hit_hdf5_disk *disk, int dim,
                              const char *path, hid_t scale)
{
    const bool has = hit_axis_has_coordinates(&array->axis[dim]);
    hit_index count[HIT_HDF5_DIMS];
    char name[96] = "";
    char expected[48];
    char found[48];
    bool there;
    bool is_virtual;

    if (hit_hdf5_extents(scale, count) != 1 || H5DSis_scale(scale) <= 0 ||
        hit_hdf5_is_elsewhere(scale, &is_virtual)) {
        return differs(array, path, "an array that is no dimension", "a dimension");
    }
    if (count[0] != array->extent[dim]) {
        (void)snprintf(expected, sizeof(expected), "%lld elements", (long long)count[0]);
        (void)snprintf(found, sizeof(found), "%lld", (long long)array->extent[dim]);
        return differs(array, path, expected, found);
    }
    (void)H5DSget_scale_name(scale, name, sizeof(name));
    there = strncmp(name, NO_VARIABLE, strlen(NO_VARIABLE)) != 0;
    if (there != has) {
        return differs(array, path, there ? "coordinates" : "no coordinates",
                       has ? "some" : "none");
    }
    return has ? check_values(array, disk, dim, path, scale) : HIT_OK;
}

static void write_units(hid_t scale, const char *units)
{
    const hid_t type = H5Tcopy(H5T_C_S1);

    H5Tset_size(type, strlen(units));
    H5Tset_cset(type, H5T_CSET_UTF8);
    (void)hit_hdf5_attribute(scale, "units", type, 0, units);
    H5Tclose(type);
}

/* The dataset of a dimension; its elements are written later, or never. */
static hid_t make_scale(const hit_array *array, int dim, const char *path, hid_t file,
                        uint64_t *begin)
{
    const hit_axis *axis = &array->axis[dim];
    const bool has = hit_axis_has_coordinates(axis);
    const hsize_t count = (hsize_t)array->extent[dim];
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    char name[96];
    hid_t set;

    H5Pset_attr_creation_order(how, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_alloc_time(how, has ? H5D_ALLOC_TIME_EARLY : H5D_ALLOC_TIME_LATE);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    set = hit_hdf5_make(file, path, has ? H5T_IEEE_F64LE : H5T_IEEE_F32BE, space, how);
    if (set < 0) return set;
    (void)snprintf(name, sizeof(name), NO_VARIABLE "%10lld",
                   (long long)array->extent[dim]);
    H5DSset_scale(set, has ? axis->name : name);
    if (axis->units != NULL && axis->units[0] != '\0') write_units(set, axis->units);
    if (has && count > 0) *begin = H5Dget_offset(set);
    return set;
}

static hit_status attach(const hit_array *array, const hit_hdf5_disk *disk, hid_t file,
                         hid_t set, int dim, uint64_t *begin)
{
    const char *slash = strrchr(array->dataset, '/');
    const int group = slash != NULL ? (int)(slash - array->dataset) + 1 : 0;
    char path[MOST_PATH];
    hit_status status = HIT_OK;
    hid_t scale;

    (void)snprintf(path, sizeof(path), "%.*s%s", group, array->dataset,
                   array->axis[dim].name);
    if (strcmp(path, array->dataset) == 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: dataset %s: expected another name than that of dimension %d",
                        array->path, path, dim);
    }
    if (H5Lexists(file, path, H5P_DEFAULT) > 0) {
        scale = H5Dopen2(file, path, H5P_DEFAULT);
        if (scale >= 0) status = check_scale(array, disk, dim, path, scale);
    } else {
        scale = make_scale(array, dim, path, file, begin);
    }
    if (status == HIT_OK &&
        (scale < 0 || H5DSattach_scale(set, scale, (unsigned)dim) < 0)) {
        status = hit_hdf5_fail(array, disk, "added to its dimensions");
    }
    if (scale >= 0) H5Dclose(scale);
    return status;
}

hit_status hit_hdf5_scales_attach(const hit_array *array, const hit_hdf5_disk *disk,
                                  int64_t file, int64_t set, hit_hdf5_scales *scales)
{
    for (int d = 0; d < array->dims && array->axis[d].name != NULL; d++) {
        HIT_TRY(attach(array, disk, file, set, d, &scales->begin_bytes[d]));
    }
    return HIT_OK;
}

hit_status hit_hdf5_scales_write(const hit_array *array, const hit_hdf5_scales *scales,
                                 hit_file *file)
{
    for (int d = 0; d < array->dims; d++) {
        if (scales->begin_bytes[d] == 0) continue;
        HIT_TRY(hit_file_write_axis(file, scales->begin_bytes[d], &array->axis[d],
                                    array->extent[d]));
    }
    return HIT_OK;
}
