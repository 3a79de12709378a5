/* SPDX-License-Identifier: MIT
 * Zarr, version 3: a folder with a group, in which arrays are folders of chunks. Each
 * process writes whole files of chunks, side by side; process 0 makes the folders and the
 * metadata. A new array is made under a name of its own and takes its place when it is
 * complete; a step of time is new files of an array that is there. The zarr.json of the
 * group, which has that of all arrays in it, comes last and by rename, so that a program
 * that is killed leaves what was there, in whole steps. */
#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/codec/codec.h"
#include "hit/io/zarr_impl.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    USUAL_CHUNK = 16 << 20 /* bytes */
};

/* What array->handle is. */
typedef struct zarr {
    hit_zarr_files files;
    hit_zarr_group group; /**< on process 0, and what follows */
    char *draft;          /**< the folder of a new array; NULL: it has its place */
    hit_index steps;      /**< of the array that is there */
    bool writes;
} zarr;

/* ---- the metadata of a new array ---- */

/* About 16 MiB, by halves of the longest side. */
static void choose_chunk(const hit_array *array, hit_index chunk[])
{
    double bytes = (double)array->type.size_bytes;

    for (int d = 0; d < array->dims; d++) {
        chunk[d] = array->extent[d] > 0 ? array->extent[d] : 1;
        bytes *= (double)chunk[d];
    }
    while (bytes > USUAL_CHUNK) {
        int longest = 0;
        hit_index half;

        for (int d = 1; d < array->dims; d++) {
            if (chunk[d] > chunk[longest]) longest = d;
        }
        if (array->dims == 0 || chunk[longest] == 1) return;
        half = (chunk[longest] + 1) / 2;
        bytes = bytes / (double)chunk[longest] * (double)half;
        chunk[longest] = half;
    }
}

static hit_status check_shards(const hit_array *array)
{
    double bytes = (double)array->type.size_bytes;

    for (int d = 0; d < array->dims; d++) {
        if (array->shards[0] > 0 &&
            (array->chunks[0] == 0 || array->shards[d] % array->chunks[d] != 0)) {
            return HIT_FAIL(HIT_E_ARG,
                            "%s: expected shards= whole multiples of chunks= but "
                            "dimension %d has %lld and %lld",
                            array->path, d, (long long)array->shards[d],
                            (long long)array->chunks[d]);
        }
        bytes *= (double)(array->shards[0] > 0 ? array->shards[d] : array->chunks[d]);
    }
    if (bytes <= HIT_ZARR_MOST_CHUNK) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected chunks and shards of at most 1 GiB",
                    array->path);
}

static hit_status make_meta(const hit_array *array, hit_zarr_meta *meta)
{
    const int lead = array->timed ? 1 : 0;

    HIT_TRY(check_shards(array));
    *meta = (hit_zarr_meta){.type = array->type,
                            .dims = array->dims + lead,
                            .shape = {1},
                            .file = {1},
                            .chunk = {1},
                            .sharded = array->shards[0] > 0,
                            .index_crc = true,
                            .chain = {.zstd = array->compress},
                            .separator = '/'};
    choose_chunk(array, meta->chunk + lead);
    for (int d = 0; d < array->dims; d++) {
        meta->shape[d + lead] = array->extent[d];
        if (array->chunks[0] > 0) meta->chunk[d + lead] = array->chunks[d];
        meta->file[d + lead] = meta->sharded ? array->shards[d] : meta->chunk[d + lead];
        if (array->axis[d].name != NULL) {
            (void)snprintf(meta->name[d + lead], sizeof(meta->name[0]), "%s",
                           array->axis[d].name);
        } else if (array->timed) { /* all have a name, or none */
            (void)snprintf(meta->name[d + lead], sizeof(meta->name[0]), "dim_%d", d);
        }
    }
    if (array->timed) memcpy(meta->name[0], "time", sizeof("time"));
    return array->compress ? hit_zstd_check(array->path) : HIT_OK;
}

/* ---- writing, on process 0 ---- */

/* One more step of an array that is there. */
static hit_status begin_step(hit_array *array, zarr *z)
{
    hit_zarr_meta *meta = &z->files.meta;

    HIT_TRY(hit_zarr_group_read(array, array->dataset, array->type, meta));
    HIT_TRY(hit_array_match(array, meta->dims, meta->shape));
    if (strcmp(meta->name[0], "time") != 0 || meta->file[0] != 1) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: array %s: expected time as its first dimension, with files "
                        "of one step",
                        array->path, array->dataset);
    }
    z->steps = meta->shape[0];
    (void)snprintf(z->files.folder, sizeof(z->files.folder), "%s/%s", array->path,
                   array->dataset);
    return HIT_OK;
}

static hit_status begin_writing(hit_array *array, zarr *z)
{
    HIT_TRY(hit_zarr_group_open(array, &z->group));
    if (array->timed && hit_zarr_group_keeps(array, &z->group, array->dataset)) {
        HIT_TRY(begin_step(array, z));
    } else {
        HIT_TRY(make_meta(array, &z->files.meta));
        HIT_TRY(hit_folder_draft(array->path, &z->draft));
        (void)snprintf(z->files.folder, sizeof(z->files.folder), "%s", z->draft);
    }
    HIT_TRY(hit_zarr_axes_check(array, &z->group));
    if (!array->timed) return HIT_OK;
    HIT_TRY(hit_zarr_axes_find_step(array, &z->group, &z->files.step));
    if (z->files.step <= z->steps) return HIT_OK;
    return HIT_FAIL(HIT_E_IO,
                    "%s: array %s: expected its step %lld next but found time=%.17g, "
                    "which is step %lld",
                    array->path, array->dataset, (long long)z->steps, array->time,
                    (long long)z->files.step);
}

static hit_status place_array(const hit_array *array, zarr *z)
{
    hit_zarr_meta *meta = &z->files.meta;
    char path[HIT_ZARR_PATH];
    hit_status status;

    if (array->timed) {
        meta->shape[0] = z->steps > z->files.step ? z->steps : z->files.step + 1;
    }
    if (z->draft == NULL) {
        return hit_zarr_group_write_steps(array, array->dataset, meta->shape[0]);
    }
    (void)snprintf(path, sizeof(path), "%s/zarr.json", z->draft);
    HIT_TRY(hit_zarr_group_write_meta(path, meta));
    (void)snprintf(path, sizeof(path), "%s/%s", array->path, array->dataset);
    status = hit_folder_place(array->path, z->draft, path);
    free(z->draft);
    z->draft = NULL;
    return status;
}

static hit_status finish_writing(const hit_array *array, zarr *z)
{
    HIT_TRY(hit_zarr_axes_write(array, &z->group, z->files.step));
    HIT_TRY(place_array(array, z));
    return hit_zarr_group_write(array, &z->group);
}

/* ---- reading, on process 0 ---- */

static hit_status begin_reading(hit_array *array, zarr *z)
{
    hit_zarr_meta *meta = &z->files.meta;

    HIT_TRY(hit_zarr_group_find(array, z->files.folder, sizeof(z->files.folder), meta));
    HIT_TRY(hit_array_match(array, meta->dims, meta->shape));
    if (meta->chain.zstd) HIT_TRY(hit_zstd_check(array->path));
    return hit_array_find_step(array, meta->shape[0], &z->files.step);
}

/* ---- the format ---- */

static hit_status begin(hit_array *array, bool writes)
{
    zarr *z = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(zarr), &z);

    array->handle = z;
    if (status == HIT_OK) {
        z->writes = writes;
        if (hit_comm_rank(array->comm) == 0) {
            status = writes ? begin_writing(array, z) : begin_reading(array, z);
        }
    }
    HIT_TRY(hit_comm_agree(array->comm, status));
    HIT_TRY(hit_comm_broadcast(array->comm, 0, &z->files.meta, sizeof(z->files.meta)));
    HIT_TRY(hit_comm_broadcast(array->comm, 0, &z->files.step, sizeof(z->files.step)));
    HIT_TRY(hit_comm_broadcast(array->comm, 0, z->files.folder, sizeof(z->files.folder)));
    z->files.array = *array;
    z->files.array.add = false;
    for (int d = 0; d < array->dims; d++) {
        const int k = d + z->files.meta.dims - array->dims;

        array->unit[d] = writes ? z->files.meta.file[k] : z->files.meta.chunk[k];
    }
    return hit_zarr_files_open(&z->files);
}

static hit_status zarr_create(hit_array *array)
{
    return begin(array, true);
}

static hit_status zarr_open(hit_array *array)
{
    return begin(array, false);
}

/* One call for each unit that the box has something of. */
static hit_status each_unit(hit_array *array, const hit_index start[],
                            const hit_index count[], const hit_view *view)
{
    zarr *z = array->handle;
    hit_domain units = {.dims = array->dims};

    for (int d = 0; d < array->dims; d++) {
        units.sig[d] = hit_sig_make(start[d] / array->unit[d],
                                    (start[d] + count[d] - 1) / array->unit[d], 1);
    }
    HIT_FOR_EACH (at, units) {
        HIT_TRY(z->writes ? hit_zarr_write_file(&z->files, at, view)
                          : hit_zarr_read_chunk(&z->files, at, view));
    }
    return HIT_OK;
}

static hit_status move(hit_array *array, const hit_index start[], const hit_index count[],
                       void *data)
{
    hit_domain box = {.dims = array->dims};
    hit_view view;

    if (array->dims == 0 && count[0] < 0) return HIT_OK;
    for (int d = 0; d < array->dims; d++) {
        if (count[d] == 0) return HIT_OK;
        box.sig[d] = hit_sig_make(start[d], start[d] + count[d] - 1, 1);
    }
    view = hit_view_make(&box, array->type.size_bytes, data);
    return each_unit(array, start, count, &view);
}

static hit_status zarr_write(hit_array *array, const hit_index start[],
                             const hit_index count[], const void *data)
{
    return move(array, start, count, (void *)(uintptr_t)data);
}

static hit_status zarr_commit(hit_array *array)
{
    zarr *z = array->handle;

    HIT_TRY(hit_comm_agree(array->comm, hit_file_sync_all(array)));
    return hit_comm_rank(array->comm) == 0 ? finish_writing(array, z) : HIT_OK;
}

static hit_status zarr_close(hit_array *array)
{
    zarr *z = array->handle;

    array->handle = NULL;
    if (z == NULL) return HIT_OK;
    hit_zarr_files_close(&z->files);
    if (z->draft != NULL) hit_folder_remove(z->draft);
    free(z->draft);
    hit_zarr_group_close(array, &z->group);
    free(z);
    return HIT_OK;
}

const hit_format hit_format_zarr = {
    .name = "zarr",
    .ending = {".zarr", NULL},
    .named = true,
    .timed = true,
    .chunked = true,
    .create = zarr_create,
    .open = zarr_open,
    .write = zarr_write,
    .read = move,
    .commit = zarr_commit,
    .close = zarr_close,
};
