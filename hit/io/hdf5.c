/* SPDX-License-Identifier: MIT
 * HDF5: one dataset per tile. HDF5 is asked for metadata only where something is written:
 * process 0 has it make the dataset on a disk in memory (hdf5_disk.c), and the elements
 * go where that says, as those of any flat file. So no write of HDF5 can fail. For
 * reading each process has HDF5 open the file for itself, and no process waits for
 * another one inside of it. Its own reports go nowhere; the innermost one is told as the
 * reason. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/io/hdf5_impl.h"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <stdio.h>
#include <string.h>

#define CREATION_ORDER (H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED)

enum {
    MOST_REASON = 256 /* characters */
};

extern const hit_format hit_format_vtkhdf;

/* What is read. */
typedef struct reader {
    hit_hdf5_disk *disk;
    hid_t file;
    hid_t set;
    hid_t type; /**< in memory */
    hit_index step;
} reader;

bool hit_hdf5_is_there(void)
{
    return true;
}

/* The innermost report, but for those of the search for plugins, on the way to it. */
static herr_t keep_first(unsigned number, const H5E_error2_t *error, void *text)
{
    char *why = text;

    (void)number;
    if (why[0] == '\0' && error->maj_num != H5E_PLUGIN) {
        (void)snprintf(why, MOST_REASON, "%s", error->desc);
    }
    return 0;
}

/* The call before this one failed: for the reason of the disk, or of HDF5. */
hit_status hit_hdf5_fail(const hit_array *array, const hit_hdf5_disk *disk,
                         const char *what)
{
    char why[MOST_REASON] = "";

    HIT_TRY(hit_hdf5_disk_status(disk));
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, why);
    return HIT_FAIL(HIT_E_IO, "%s: dataset %s: cannot be %s: HDF5 says: %s", array->path,
                    array->dataset, what, why[0] != '\0' ? why : "no reason");
}

static hid_t space_of(const hit_array *array)
{
    hsize_t size[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < array->dims; d++) {
        size[d] = (hsize_t)array->extent[d];
    }
    return array->dims == 0 ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(array->dims, size, NULL);
}

/* ---- writing, on process 0 ---- */

/* Have HDF5 read all of a group. Where a read fails while it changes one, HDF5 1.10 can
 * never close the file, and crashes when the program ends. */
static hit_status read_group(const hit_hdf5_disk *disk, hid_t file, const char *name)
{
    H5G_info_t info;

    if (H5Gget_info_by_name(file, name, &info, H5P_DEFAULT) >= 0 && info.nlinks > 0) {
        (void)H5Lget_name_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, info.nlinks - 1,
                                 NULL, 0, H5P_DEFAULT);
    }
    return hit_hdf5_disk_status(disk);
}

/* All groups on the way to the dataset; one that is not there is no failure. */
static hit_status read_groups(const hit_array *array, const hit_hdf5_disk *disk,
                              hid_t file)
{
    char name[512];
    hit_status status = read_group(disk, file, "/");

    hit_hdf5_vtk_path(array, name);
    for (size_t k = 1; status == HIT_OK && name[0] != '\0' && name[k] != '\0'; k++) {
        char group[256];

        if (name[k] != '/' || k >= sizeof(group)) continue;
        memcpy(group, name, k);
        group[k] = '\0';
        status = read_group(disk, file, group);
    }
    return status;
}

hit_status hit_hdf5_clear(const hit_array *array, const hit_hdf5_disk *disk, int64_t file,
                          const char *path)
{
    const hid_t found = H5Oopen(file, path, H5P_DEFAULT);
    const H5I_type_t kind = found >= 0 ? H5Iget_type(found) : H5I_BADID;
    const bool is_scale = kind == H5I_DATASET && H5DSis_scale(found) > 0;
    hit_status status = HIT_OK;

    if (kind == H5I_DATASET && !is_scale) {
        status = hit_hdf5_scales_detach(array, disk, found);
    }
    if (found >= 0) H5Oclose(found);
    HIT_TRY(hit_hdf5_disk_status(disk));
    HIT_TRY(status);
    if (found >= 0 && (is_scale || kind != H5I_DATASET)) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: dataset %s: expected an array to replace but found a %s",
                        array->path, array->dataset,
                        is_scale            ? "dimension of arrays"
                        : kind == H5I_GROUP ? "group"
                                            : "type");
    }
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return HIT_OK;
    return H5Ldelete(file, path, H5P_DEFAULT) >= 0
               ? HIT_OK
               : hit_hdf5_fail(array, disk, "replaced");
}

/* Make the dataset, and the groups on the way; tell where its elements are to be. */
static hit_status make_set(const hit_array *array, const hit_hdf5_disk *disk, hid_t file,
                           uint64_t *begin, hit_hdf5_scales *scales)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t type = hit_hdf5_type(array->type);
    hit_status status = HIT_OK;
    hid_t set;

    H5Pset_attr_creation_order(how, CREATION_ORDER);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER); /* every element is written */
    set = hit_hdf5_make(file, array->dataset, type, space_of(array), how);
    if (set < 0) {
        status = hit_hdf5_fail(array, disk, "made");
    } else {
        *begin = hit_array_bytes(array) > 0 ? H5Dget_offset(set) : 0;
        status = hit_hdf5_scales_attach(array, disk, file, set, scales);
        H5Dclose(set);
    }
    H5Tclose(type);
    return status;
}

static hit_status make_all(const hit_array *array, hit_hdf5_disk *disk, uint64_t *begin,
                           hit_hdf5_scales *scales)
{
    const hid_t access = hit_hdf5_disk_access(disk);
    const hid_t how = H5Pcreate(H5P_FILE_CREATE);
    hit_status status = HIT_OK;
    hid_t file;

    H5Pset_link_creation_order(how, CREATION_ORDER); /* groups inside have it from it */
    file = array->add ? H5Fopen(array->opened, H5F_ACC_RDWR, access)
                      : H5Fcreate(array->opened, H5F_ACC_TRUNC, how, access);
    if (file < 0) {
        status = hit_hdf5_fail(array, disk, array->add ? "added" : "made");
    } else {
        if (array->add) status = read_groups(array, disk, file);
        if (status == HIT_OK && array->format == &hit_format_vtkhdf) {
            status = hit_hdf5_vtk_make(array, disk, file, begin);
        } else if (status == HIT_OK) {
            if (array->add) status = hit_hdf5_clear(array, disk, file, array->dataset);
            if (status == HIT_OK) status = make_set(array, disk, file, begin, scales);
        }
        if (H5Fclose(file) < 0 && status == HIT_OK) {
            status = hit_hdf5_fail(array, disk, "made");
        }
    }
    H5Pclose(how);
    H5Pclose(access);
    return status == HIT_OK ? hit_hdf5_disk_status(disk) : status;
}

static hit_status write_head(const hit_array *array, hit_file *file, uint64_t *begin)
{
    hit_hdf5_disk *disk = NULL;
    hit_hdf5_scales scales = {0};
    hit_status status = HIT_OK;
    uint64_t size = 0;

    if (array->add) HIT_TRY(hit_file_size(file, &size));
    HIT_TRY(hit_hdf5_disk_open(file, size, &disk));
    H5E_BEGIN_TRY
    {
        status = make_all(array, disk, begin, &scales);
    }
    H5E_END_TRY;
    if (status == HIT_OK) status = hit_hdf5_disk_save(disk);
    if (status == HIT_OK) status = hit_hdf5_scales_write(array, &scales, file);
    hit_hdf5_disk_close(&disk);
    return status;
}

static hit_status h5_create(hit_array *array)
{
    return hit_flat_begin(array, true, write_head);
}

/* ---- reading ---- */

static bool same_type(hid_t found, hid_t expected)
{
    bool same = H5Tget_class(found) == H5Tget_class(expected) &&
                H5Tget_size(found) == H5Tget_size(expected);

    if (same && H5Tget_class(found) == H5T_INTEGER) {
        same = H5Tget_sign(found) == H5Tget_sign(expected);
    }
    return same;
}

static hit_status check_type(const hit_array *array, const reader *made)
{
    static const char *const kind[] = {
        "integers", "floating-point numbers", "times", "strings", "bit fields", "opaque"};
    const hid_t found = H5Dget_type(made->set);
    const bool same = same_type(found, made->type);
    const int number = (int)H5Tget_class(found);
    const size_t size_bytes = H5Tget_size(found);
    char name[32];

    H5Tclose(found);
    if (same) return HIT_OK;
    return HIT_FAIL(
        HIT_E_IO,
        "%s: dataset %s: expected elements of type %s but found %s of %zu bytes",
        array->path, array->dataset, hit_kind_type_name(array->type, name),
        number >= 0 && number < 6 ? kind[number] : "something else", size_bytes);
}

static hit_status check_extents(const hit_array *array, reader *made)
{
    hit_index extent[HIT_HDF5_DIMS] = {0};

    HIT_TRY(hit_array_match(array, hit_hdf5_extents(made->set, extent), extent));
    return hit_array_find_step(array, extent[0], &made->step);
}

bool hit_hdf5_is_elsewhere(int64_t set, bool *is_virtual)
{
    const hid_t how = H5Dget_create_plist(set);
    const bool is_external = H5Pget_external_count(how) > 0;

    *is_virtual = H5Pget_layout(how) == H5D_VIRTUAL;
    H5Pclose(how);
    return is_external || *is_virtual;
}

/* What lies in other files could be any file of the machine, and HDF5 takes what is not
 * there for zeros. */
static hit_status check_place(const hit_array *array, const reader *made)
{
    const hid_t how = H5Dget_create_plist(made->set);
    H5D_fill_value_t fill = H5D_FILL_VALUE_DEFAULT;
    bool is_virtual;
    bool never;

    H5Pfill_value_defined(how, &fill);
    H5Pclose(how);
    if (hit_hdf5_is_elsewhere(made->set, &is_virtual)) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: dataset %s: expected elements in the file but found %s",
                        array->path, array->dataset,
                        is_virtual ? "a virtual dataset, of elements of other datasets"
                                   : "that they are in other files");
    }
    never = fill == H5D_FILL_VALUE_UNDEFINED && hit_array_bytes(array) > 0 &&
            H5Dget_storage_size(made->set) == 0;
    if (!never) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: dataset %s: its elements were never written",
                    array->path, array->dataset);
}

static hit_status open_set(hit_array *array, reader *made)
{
    const hid_t access = hit_hdf5_disk_access(made->disk);

    made->type = hit_hdf5_type(array->type);
    made->file = H5Fopen(array->opened, H5F_ACC_RDONLY, access);
    if (made->file >= 0) {
        char path[512];

        hit_hdf5_vtk_path(array, path);
        made->set = H5Dopen2(made->file, path, H5P_DEFAULT);
    }
    if (made->set < 0) {
        const hit_status status = hit_hdf5_fail(array, made->disk, "read");

        H5Pclose(access);
        return status;
    }
    H5Pclose(access);
    HIT_TRY(check_type(array, made));
    HIT_TRY(check_extents(array, made));
    return check_place(array, made);
}

static hit_status h5_open(hit_array *array)
{
    hit_flat *flat;
    reader *made = NULL;
    hit_status status;
    uint64_t size = 0;

    HIT_TRY(hit_flat_begin(array, false, NULL));
    flat = array->handle;
    HIT_TRY(hit_file_size(flat->file, &size));
    HIT_TRY(hit_memory_zeroed(1, sizeof(reader), &made));
    *made = (reader){NULL, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, 0};
    flat->more = made;
    HIT_TRY(hit_hdf5_disk_open(flat->file, size, &made->disk));
    H5E_BEGIN_TRY
    {
        status = open_set(array, made);
    }
    H5E_END_TRY;
    return status;
}

/* A box of elements, at least one. */
static hit_status read_box(const hit_array *array, const hit_index start[],
                           const hit_index count[], void *data)
{
    const reader *made = ((const hit_flat *)array->handle)->more;
    const int lead = array->has_step ? 1 : 0;
    hsize_t first[HIT_MAX_DIMS + 1] = {(hsize_t)made->step};
    hsize_t size[HIT_MAX_DIMS + 1] = {1};
    const hid_t file = H5Dget_space(made->set);
    hid_t memory = H5S_ALL;
    hit_status status = HIT_OK;

    for (int d = 0; d < array->dims; d++) {
        first[d + lead] = (hsize_t)start[d];
        size[d + lead] = (hsize_t)count[d];
    }
    if (array->dims > 0) {
        H5Sselect_hyperslab(file, H5S_SELECT_SET, first, NULL, size, NULL);
        memory = H5Screate_simple(array->dims + lead, size, NULL);
    }
    if (H5Dread(made->set, made->type, memory, file, H5P_DEFAULT, data) < 0) {
        status = hit_hdf5_fail(array, made->disk, "read");
    }
    if (array->dims > 0) H5Sclose(memory);
    H5Sclose(file);
    return status;
}

static hit_status h5_read(hit_array *array, const hit_index start[],
                          const hit_index count[], void *data)
{
    const size_t bytes = hit_flat_stretch(array, start, count).size_bytes;
    hit_status status = HIT_OK;

    if (bytes == 0) return HIT_OK;
    /* chunks that were never written and have no value leave their elements as they are
     */
    memset(data, 0, bytes);
    H5E_BEGIN_TRY
    {
        status = read_box(array, start, count, data);
    }
    H5E_END_TRY;
    return status;
}

static hit_status h5_close(hit_array *array)
{
    hit_flat *flat = array->handle;
    reader *made = flat != NULL ? flat->more : NULL;

    if (made != NULL) {
        H5E_BEGIN_TRY
        {
            if (made->type >= 0) H5Tclose(made->type);
            if (made->set >= 0) H5Dclose(made->set);
            if (made->file >= 0) H5Fclose(made->file);
        }
        H5E_END_TRY;
        hit_hdf5_disk_close(&made->disk);
        free(made);
    }
    return hit_flat_close(array);
}

const hit_format hit_format_hdf5 = {
    .name = "hdf5",
    .ending = {".h5", ".hdf5", NULL},
    .named = true,
    .create = h5_create,
    .open = h5_open,
    .write = hit_flat_write,
    .read = h5_read,
    .close = h5_close,
};

const hit_format hit_format_vtkhdf = {
    .name = "vtkhdf",
    .ending = {".vtkhdf", NULL},
    .named = true,
    .timed = true,
    .create = h5_create,
    .open = h5_open,
    .write = hit_flat_write,
    .read = h5_read,
    .close = h5_close,
};
