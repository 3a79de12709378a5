/* SPDX-License-Identifier: MIT
 * A virtual file driver of HDF5. Only metadata is written by it, little at a time: it is
 * kept as a list, in the order of writing. */
#include "hit/base/memory.h"
#include "hit/io/hdf5_impl.h"

#include <hdf5.h>

#include <string.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum {
    LARGE = 1 << 20 /* bytes */
};

typedef struct change {
    struct change *next;
    uint64_t at;
    size_t size;
    char bytes[];
} change;

struct hit_hdf5_disk {
    hit_file *file;    /**< borrowed */
    uint64_t size;     /**< of the file, as it is */
    uint64_t end;      /**< of what HDF5 wrote */
    uint64_t asked;    /**< how long HDF5 wants the file */
    change *first;     /**< NULL: nothing is written */
    change **last;     /**< where the next one goes */
    hit_status status; /**< the first failure */
    hid_t driver;
    bool held; /**< HDF5 has it open */
};

/* HDF5's own handle of an open file: HDF5 fills in what comes first. */
typedef struct opened {
    H5FD_t of_library;
    hit_hdf5_disk *disk;
} opened;

static hit_hdf5_disk *disk_of(const H5FD_t *file)
{
    return ((const opened *)(const void *)file)->disk;
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    hit_hdf5_disk *const *disk = H5Pget_driver_info(access);
    opened *made = NULL;

    (void)flags;
    (void)most;
    if (disk == NULL) {
        H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_FILE,
                 H5E_CANTOPENFILE, "%s: links to other files are not followed", name);
        return NULL;
    }
    if ((*disk)->held || hit_memory_zeroed(1, sizeof(opened), &made) != HIT_OK) {
        return NULL;
    }
    made->disk = *disk;
    made->disk->held = true;
    return &made->of_library;
}

static herr_t disk_close(H5FD_t *file)
{
    disk_of(file)->held = false;
    free(file);
    return 0;
}

static herr_t disk_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DATA_SIEVE;
    return 0;
}

static haddr_t disk_asked(const H5FD_t *file, H5FD_mem_t kind)
{
    (void)kind;
    return disk_of(file)->asked;
}

static herr_t disk_ask(H5FD_t *file, H5FD_mem_t kind, haddr_t size)
{
    (void)kind;
    disk_of(file)->asked = size;
    return 0;
}

static haddr_t disk_end(const H5FD_t *file, H5FD_mem_t kind)
{
    const hit_hdf5_disk *disk = disk_of(file);

    (void)kind;
    return disk->size > disk->end ? disk->size : disk->end;
}

/* Take in what was written over a stretch. */
static void take_changes(const hit_hdf5_disk *disk, uint64_t at, size_t size, char *data)
{
    for (const change *c = disk->first; c != NULL; c = c->next) {
        const uint64_t from = c->at > at ? c->at : at;
        const uint64_t end = c->at + c->size < at + size ? c->at + c->size : at + size;

        if (from < end) {
            memcpy(data + (from - at), c->bytes + (from - c->at), (size_t)(end - from));
        }
    }
}

static herr_t disk_read(H5FD_t *file, H5FD_mem_t kind, hid_t how, haddr_t at, size_t size,
                        void *data)
{
    hit_hdf5_disk *disk = disk_of(file);
    const uint64_t there = at < disk->size ? disk->size - at : 0;
    size_t found = 0;
    hit_status status = HIT_OK;

    (void)kind;
    (void)how;
    if (there > 0) {
        status = hit_file_read_some(disk->file, at, data,
                                    there < size ? (size_t)there : size, &found);
    }
    if (status != HIT_OK) {
        if (disk->status == HIT_OK) disk->status = status;
        return -1;
    }
    memset((char *)data + found, 0, size - found);
    take_changes(disk, at, size, data);
    return 0;
}

/* HDF5 is never told of a failure: it could not bear it. */
static herr_t disk_write(H5FD_t *file, H5FD_mem_t kind, hid_t how, haddr_t at,
                         size_t size, const void *data)
{
    hit_hdf5_disk *disk = disk_of(file);
    change *made = NULL;
    const hit_status status = hit_memory_zeroed(1, sizeof(change) + size, &made);

    (void)kind;
    (void)how;
    if (status != HIT_OK) {
        if (disk->status == HIT_OK) disk->status = status;
        return 0;
    }
    made->at = at;
    made->size = size;
    memcpy(made->bytes, data, size);
    *disk->last = made;
    disk->last = &made->next;
    if (at + size > disk->end) disk->end = at + size;
    return 0;
}

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* not one that is reserved */
#endif
    .name = "hit",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(hit_hdf5_disk *),
    .open = disk_open,
    .close = disk_close,
    .query = disk_query,
    .get_eoa = disk_asked,
    .set_eoa = disk_ask,
    .get_eof = disk_end,
    .read = disk_read,
    .write = disk_write,
};

hit_status hit_hdf5_disk_open(hit_file *file, uint64_t size_bytes, hit_hdf5_disk **disk)
{
    hit_hdf5_disk *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_hdf5_disk), &made));
    made->file = file;
    made->size = size_bytes;
    made->last = &made->first;
    made->driver = H5FDregister(&driver);
    *disk = made;
    return HIT_OK;
}

int64_t hit_hdf5_disk_access(hit_hdf5_disk *disk)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    H5Pset_driver(access, disk->driver, &disk);
    H5Pset_alignment(access, LARGE, HIT_FILE_PAGE); /* hit_file_write_direct() */
    return access;
}

hit_status hit_hdf5_disk_status(const hit_hdf5_disk *disk)
{
    return disk->status;
}

hit_status hit_hdf5_disk_save(const hit_hdf5_disk *disk)
{
    HIT_TRY(hit_file_grow(disk->file, disk->asked));
    for (const change *c = disk->first; c != NULL; c = c->next) {
        HIT_TRY(hit_file_write(disk->file, c->at, c->bytes, c->size));
    }
    return HIT_OK;
}

void hit_hdf5_disk_close(hit_hdf5_disk **disk_pointer)
{
    hit_hdf5_disk *disk = *disk_pointer;

    *disk_pointer = NULL;
    if (disk == NULL) return;
    if (disk->driver >= 0) H5FDunregister(disk->driver);
    if (disk->held) { /* HDF5 could not close it and comes back to it when it ends */
        disk->size = 0;
        return;
    }
    while (disk->first != NULL) {
        change *next = disk->first->next;

        free(disk->first);
        disk->first = next;
    }
    free(disk);
}
