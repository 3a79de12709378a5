/* SPDX-License-Identifier: MIT
 * HDF5: one dataset per tile, by the library's MPI-IO driver where there is MPI. Its own
 * reports go nowhere; a failure is told by the call that failed. */
#include "hit/io/hdf5.h"

#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/file.h"
#include "hit/io/options.h"

#include <hdf5.h>

enum {
    METADATA_BYTES = 1 << 16 /* more than HDF5 adds to a dataset */
};

typedef struct h5 {
    hid_t file;
    hid_t set;
    hid_t type;
    hid_t moving; /**< how: collectively */
} h5;

bool hit_hdf5_is_there(void)
{
    return true;
}

static hit_status fail(const hit_array *array, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: dataset %s: %s", array->path, array->dataset, what);
}

static hid_t type_of(hit_type type)
{
    switch (type.kind) {
    case HIT_KIND_FLOAT:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case HIT_KIND_DOUBLE:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case HIT_KIND_INT32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case HIT_KIND_INT64:
        return H5Tcopy(H5T_NATIVE_INT64);
    case HIT_KIND_UINT8:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case HIT_KIND_BYTES:
        break;
    }
    return H5Tcreate(H5T_OPAQUE, type.size_bytes);
}

/* Access by all processes of @p comm together, for files and for moving elements. */
static void by_all(hit_comm *comm, hid_t of_file, hid_t moving)
{
#ifdef H5_HAVE_PARALLEL
    const void *mpi = hit_comm_mpi(comm);

    if (mpi == NULL) return;
    if (of_file >= 0) H5Pset_fapl_mpio(of_file, *(const MPI_Comm *)mpi, MPI_INFO_NULL);
    if (moving >= 0) H5Pset_dxpl_mpio(moving, H5FD_MPIO_COLLECTIVE);
#else
    (void)comm;
    (void)of_file;
    (void)moving;
#endif
}

static hit_status take_handle(hit_array *array, h5 **made)
{
    HIT_TRY(hit_file_ready(array->path));
    HIT_TRY(hit_memory_zeroed(1, sizeof(h5), made));
    **made = (h5){H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
    array->handle = *made;
    (*made)->type = type_of(array->type);
    (*made)->moving = H5Pcreate(H5P_DATASET_XFER);
    by_all(array->comm, H5I_INVALID_HID, (*made)->moving);
    return HIT_OK;
}

static void extents(const hit_array *array, hsize_t size[HIT_MAX_DIMS])
{
    for (int d = 0; d < array->dims; d++) {
        size[d] = (hsize_t)array->extent[d];
    }
}

static hid_t space_of(const hit_array *array)
{
    hsize_t size[HIT_MAX_DIMS] = {0};

    extents(array, size);
    return array->dims == 0 ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(array->dims, size, NULL);
}

/* Make the dataset, and the groups on the way; one of that name is replaced. */
static hit_status make_set(hit_array *array, h5 *made)
{
    const hid_t space = space_of(array);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    const hid_t set = H5Pcreate(H5P_DATASET_CREATE);

    H5Pset_create_intermediate_group(links, 1);
    H5Pset_fill_time(set, H5D_FILL_TIME_NEVER); /* every element is written */
    if (array->add && H5Lexists(made->file, array->dataset, H5P_DEFAULT) > 0) {
        H5Ldelete(made->file, array->dataset, H5P_DEFAULT);
    }
    made->set = H5Dcreate2(made->file, array->dataset, made->type, space, links, set,
                           H5P_DEFAULT);
    H5Pclose(set);
    H5Pclose(links);
    H5Sclose(space);
    return made->set >= 0 ? HIT_OK : fail(array, "cannot be made");
}

/* A program in which HDF5 could not close a file crashes when it ends: HDF5 is not asked
 * to write what there is no room for. */
static hit_status reserve(const hit_array *array)
{
    if (hit_comm_rank(array->comm) != 0) return HIT_OK;
    return hit_file_reserve(array->opened, hit_array_bytes(array) + METADATA_BYTES,
                            array->path);
}

static hit_status create_file(hit_array *array)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    h5 *made = NULL;
    hit_status status = hit_comm_agree(array->comm, take_handle(array, &made));

    if (status == HIT_OK) status = hit_comm_agree(array->comm, reserve(array));
    if (status == HIT_OK) {
        by_all(array->comm, access, H5I_INVALID_HID);
        made->file = array->add
                         ? H5Fopen(array->opened, H5F_ACC_RDWR, access)
                         : H5Fcreate(array->opened, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        if (made->file < 0) {
            status = HIT_FAIL(HIT_E_IO, "%s: %s", array->path,
                              array->add ? "is no HDF5 file that can be written"
                                         : "cannot be made by HDF5");
        }
    }
    H5Pclose(access);
    status = hit_comm_agree(array->comm, status);
    return status == HIT_OK ? make_set(array, made) : status;
}

static bool same_type(hid_t found, hid_t expected)
{
    bool same = H5Tget_class(found) == H5Tget_class(expected) &&
                H5Tget_size(found) == H5Tget_size(expected);

    if (same && H5Tget_class(found) == H5T_INTEGER) {
        same = H5Tget_sign(found) == H5Tget_sign(expected);
    }
    return same;
}

static hit_status check_type(const hit_array *array, const h5 *made)
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
        array->path, array->dataset, hit_io_type_name(array->type, name),
        number >= 0 && number < 6 ? kind[number] : "something else", size_bytes);
}

static hit_status check_extents(const hit_array *array, const h5 *made)
{
    const hid_t space = H5Dget_space(made->set);
    const int dims = H5Sget_simple_extent_ndims(space);
    hsize_t size[H5S_MAX_RANK] = {0};
    hit_index extent[H5S_MAX_RANK] = {0};
    bool same = dims == array->dims;
    char expected[128];
    char found[1024];

    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    for (int d = 0; d < dims; d++) {
        extent[d] = (hit_index)size[d];
        same = same && extent[d] == array->extent[d];
    }
    if (same) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: dataset %s: expected an array of %s but found %s",
                    array->path, array->dataset,
                    hit_io_shape(array->dims, array->extent, expected, sizeof(expected)),
                    hit_io_shape(dims, extent, found, sizeof(found)));
}

static hit_status open_file(hit_array *array)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    h5 *made = NULL;
    hit_status status = hit_comm_agree(array->comm, take_handle(array, &made));

    if (status == HIT_OK) {
        by_all(array->comm, access, H5I_INVALID_HID);
        made->file = H5Fopen(array->opened, H5F_ACC_RDONLY, access);
        if (made->file < 0) {
            status =
                HIT_FAIL(HIT_E_IO, "%s: is no HDF5 file that can be read", array->path);
        }
    }
    H5Pclose(access);
    HIT_TRY(hit_comm_agree(array->comm, status));
    made->set = H5Dopen2(made->file, array->dataset, H5P_DEFAULT);
    if (made->set < 0) return fail(array, "is not in the file");
    HIT_TRY(check_type(array, made));
    return check_extents(array, made);
}

/* The elements of a box in memory and in the file; a process without any selects none. */
static void select_box(const hit_array *array, const hit_index start[],
                       const hit_index count[], hid_t *memory, hid_t *file)
{
    hsize_t first[HIT_MAX_DIMS] = {0};
    hsize_t size[HIT_MAX_DIMS] = {0};
    bool none = array->dims == 0 && count[0] < 0;

    for (int d = 0; d < array->dims; d++) {
        first[d] = (hsize_t)start[d];
        size[d] = (hsize_t)count[d];
        if (count[d] == 0) none = true;
    }
    *file = space_of(array);
    if (none) {
        *memory = H5Scopy(*file);
        H5Sselect_none(*memory);
        H5Sselect_none(*file);
    } else if (array->dims == 0) {
        *memory = H5Screate(H5S_SCALAR);
    } else {
        *memory = H5Screate_simple(array->dims, size, NULL);
        H5Sselect_hyperslab(*file, H5S_SELECT_SET, first, NULL, size, NULL);
    }
}

typedef herr_t (*mover)(hid_t set, hid_t type, hid_t memory, hid_t file, hid_t how,
                        void *data);

static herr_t write_set(hid_t set, hid_t type, hid_t memory, hid_t file, hid_t how,
                        void *data)
{
    return H5Dwrite(set, type, memory, file, how, data);
}

/* Move a box between the file and @p data. */
static bool move_box(const hit_array *array, const hit_index start[],
                     const hit_index count[], mover move, void *data)
{
    const h5 *made = array->handle;
    hid_t memory;
    hid_t file;
    herr_t code = -1;

    select_box(array, start, count, &memory, &file);
    H5E_BEGIN_TRY
    {
        code = move(made->set, made->type, memory, file, made->moving, data);
    }
    H5E_END_TRY;
    H5Sclose(memory);
    H5Sclose(file);
    return code >= 0;
}

static hit_status h5_write(hit_array *array, const hit_index start[],
                           const hit_index count[], const void *data)
{
    /* through an integer: it is only read */
    void *from = (void *)(uintptr_t)data;

    return move_box(array, start, count, write_set, from)
               ? HIT_OK
               : fail(array, "cannot be written");
}

static hit_status h5_read(hit_array *array, const hit_index start[],
                          const hit_index count[], void *data)
{
    return move_box(array, start, count, H5Dread, data) ? HIT_OK
                                                        : fail(array, "cannot be read");
}

static hit_status quietly(hit_status (*call)(hit_array *array), hit_array *array)
{
    hit_status status = HIT_OK;

    H5E_BEGIN_TRY
    {
        status = call(array);
    }
    H5E_END_TRY;
    return status;
}

static hit_status h5_create(hit_array *array)
{
    return quietly(create_file, array);
}

static hit_status h5_open(hit_array *array)
{
    return quietly(open_file, array);
}

static hit_status h5_close(hit_array *array)
{
    h5 *made = array->handle;
    bool done = true;

    array->handle = NULL;
    if (made == NULL) return HIT_OK;
    H5E_BEGIN_TRY
    {
        if (made->type >= 0) H5Tclose(made->type);
        if (made->moving >= 0) H5Pclose(made->moving);
        if (made->set >= 0) done = H5Dclose(made->set) >= 0;
        if (made->file >= 0) done = H5Fclose(made->file) >= 0 && done;
    }
    H5E_END_TRY;
    free(made);
    return done ? HIT_OK : fail(array, "cannot be written");
}

const hit_format hit_format_hdf5 = {
    .name = "hdf5",
    .ending = {".h5", ".hdf5", NULL},
    .named = true,
    .create = h5_create,
    .open = h5_open,
    .write = h5_write,
    .read = h5_read,
    .close = h5_close,
};
