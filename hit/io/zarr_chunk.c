/* SPDX-License-Identifier: MIT
 * A chunk is a box of elements in row-major order, filled up where it sticks out of the
 * array. A shard is a file of chunks and of an index that says where they are, with a
 * checksum (Zarr's codec sharding_indexed). */
#define _POSIX_C_SOURCE 200809L /* access */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/io/codec/codec.h"
#include "hit/io/zarr_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MISSING UINT64_MAX

static hit_status damaged(const hit_zarr_files *files, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: %s: %s", files->array.path,
                    files->key + strlen(files->folder) + 1, what);
}

/* ---- where things are ---- */

static int leading(const hit_zarr_files *files)
{
    return files->meta.dims - files->array.dims;
}

/* The index of a file, or a chunk, along all dimensions of the metadata. */
static void add_step(const hit_zarr_files *files, const hit_index size[],
                     const hit_index at[], hit_index all[])
{
    const int lead = leading(files);

    if (lead > 0) all[0] = files->step / size[0];
    memcpy(all + lead, at, sizeof(hit_index) * (size_t)files->array.dims);
}

/* The elements of the chunk along dimensions of the array; as if it never ended, or those
 * that the array has. */
static hit_domain chunk_domain(const hit_zarr_files *files, const hit_index at[],
                               bool clipped)
{
    const int lead = leading(files);
    hit_domain domain = {.dims = files->array.dims};

    for (int d = 0; d < domain.dims; d++) {
        const hit_index first = at[d] * files->meta.chunk[d + lead];
        hit_index end = first + files->meta.chunk[d + lead];

        if (clipped && end > files->array.extent[d]) end = files->array.extent[d];
        domain.sig[d] = hit_sig_make(first, end - 1, 1);
    }
    return domain;
}

static size_t index_bytes(const hit_zarr_meta *meta)
{
    return 16 * (size_t)hit_zarr_chunks_of_file(meta) + (meta->index_crc ? 4 : 0);
}

/* The part of a chunk that is this step. */
static unsigned char *slice(const hit_zarr_files *files)
{
    const hit_zarr_meta *meta = &files->meta;

    if (leading(files) == 0) return files->chunk;
    return files->chunk + hit_zarr_chunk_bytes(meta) / (size_t)meta->chunk[0] *
                              (size_t)(files->step % meta->chunk[0]);
}

/* ---- files ---- */

/* Where the system can write from without a copy: hit_file_write_direct(). */
static hit_status take_pages(size_t bytes, unsigned char **memory)
{
    void *taken = NULL;

    HIT_TRY(hit_memory_take(bytes, "a chunk of a file", &taken));
    *memory = taken;
    return HIT_OK;
}

hit_status hit_zarr_files_open(hit_zarr_files *files)
{
    const hit_zarr_meta *meta = &files->meta;
    const size_t bytes = hit_zarr_chunk_bytes(meta);

    HIT_TRY(take_pages(bytes, &files->chunk));
    memset(files->chunk, 0, bytes);
    HIT_TRY(take_pages(hit_zstd_bound(bytes) + 4, &files->packed));
    return hit_memory_zeroed(index_bytes(meta) + 8, 1, &files->index);
}

void hit_zarr_files_close(hit_zarr_files *files)
{
    (void)hit_file_close(&files->file); /* what was written is closed already */
    free(files->index);
    free(files->packed);
    free(files->chunk);
}

hit_status hit_zarr_make_folders(const hit_array *array, const char *there, char path[])
{
    for (char *c = path + strlen(there) + 1; *c != '\0'; c++) {
        int made;

        if (*c != '/') continue;
        *c = '\0';
        made = mkdir(path, 0777);
        *c = '/';
        if (made != 0 && errno != EEXIST) return hit_io_cannot(array->path, "written");
    }
    return HIT_OK;
}

static hit_status open_file(hit_zarr_files *files, const hit_index all[], bool writes,
                            bool *changed)
{
    char key[HIT_ZARR_PATH];
    int used = snprintf(key, sizeof(key), "%s/c", files->folder);

    for (int d = 0; d < files->meta.dims && used < HIT_ZARR_PATH; d++) {
        used += snprintf(key + used, sizeof(key) - (size_t)used, "%c%lld",
                         files->meta.separator, (long long)all[d]);
    }
    if (used >= HIT_ZARR_PATH) {
        return HIT_FAIL(HIT_E_IO, "%s: its path is too long", files->array.path);
    }
    *changed = strcmp(key, files->key) != 0;
    if (!*changed) return HIT_OK;
    HIT_TRY(hit_file_close(&files->file));
    memcpy(files->key, key, sizeof(key));
    files->array.opened = files->key;
    if (writes) HIT_TRY(hit_zarr_make_folders(&files->array, files->folder, files->key));
    if (!writes && access(key, F_OK) != 0 && errno == ENOENT) return HIT_OK;
    return hit_file_open(&files->array, writes, &files->file);
}

/* ---- writing ---- */

/* The chunk in memory, filled up; where it is one stretch of what there is, that. */
static const void *gather(hit_zarr_files *files, const hit_index at[],
                          const hit_view *from)
{
    const hit_domain whole = chunk_domain(files, at, false);
    const hit_domain there = chunk_domain(files, at, true);
    const hit_view to = hit_view_make(&whole, files->meta.type.size_bytes, files->chunk);
    const hit_ndcopy copy = hit_ndcopy_make(from, &to, &there, NULL);

    if (copy.dims == 0 && copy.run_bytes == hit_zarr_chunk_bytes(&files->meta)) {
        return (const char *)from->data + copy.from_offset;
    }
    if (!hit_domain_equal(&whole, &there)) {
        memset(files->chunk, 0, hit_zarr_chunk_bytes(&files->meta));
    }
    hit_ndcopy_run(&copy, from->data, files->chunk);
    return files->chunk;
}

static hit_status write_chunk(hit_zarr_files *files, const hit_index at[],
                              const hit_view *from, uint64_t offset, uint64_t *size)
{
    const hit_zarr_chain chain = files->meta.chain;
    const void *data = gather(files, at, from);
    size_t bytes = hit_zarr_chunk_bytes(&files->meta);

    if (chain.zstd) {
        HIT_TRY(hit_zstd_pack(files->array.path, data, bytes, files->packed,
                              hit_zstd_bound(bytes), &bytes));
        data = files->packed;
    }
    *size = bytes + (chain.crc ? 4 : 0);
    HIT_TRY(hit_file_write_direct(files->file, offset, data, bytes));
    if (!chain.crc) return HIT_OK;
    return hit_file_write(files->file, offset + bytes,
                          &(const uint32_t){hit_crc32c(data, bytes)}, 4);
}

/* The chunks of a file in row-major order. false: there are no more. */
static bool next_chunk(const hit_zarr_files *files, hit_index inside[])
{
    const int lead = leading(files);

    for (int d = files->array.dims - 1; d >= 0; d--) {
        if (++inside[d] < files->meta.file[d + lead] / files->meta.chunk[d + lead]) {
            return true;
        }
        inside[d] = 0;
    }
    return false;
}

static hit_status write_chunks(hit_zarr_files *files, const hit_index at[],
                               const hit_view *from, uint64_t *end)
{
    const int lead = leading(files);
    hit_index inside[HIT_MAX_DIMS] = {0};
    hit_index chunk[HIT_MAX_DIMS] = {0};
    size_t n = 0;

    do {
        hit_domain there;

        for (int d = 0; d < files->array.dims; d++) {
            chunk[d] =
                at[d] * (files->meta.file[d + lead] / files->meta.chunk[d + lead]) +
                inside[d];
        }
        there = chunk_domain(files, chunk, true);
        files->index[2 * n] = MISSING;
        files->index[2 * n + 1] = MISSING;
        if (!hit_domain_is_empty(&there)) {
            files->index[2 * n] = *end;
            HIT_TRY(write_chunk(files, chunk, from, *end, &files->index[2 * n + 1]));
            *end += files->index[2 * n + 1];
        }
        n++;
    } while (next_chunk(files, inside));
    return HIT_OK;
}

static hit_status write_index(const hit_zarr_files *files, uint64_t begin)
{
    const size_t size = 16 * (size_t)hit_zarr_chunks_of_file(&files->meta);
    const uint32_t crc = hit_crc32c(files->index, size);

    HIT_TRY(hit_file_write(files->file, begin, files->index, size));
    if (!files->meta.index_crc) return HIT_OK;
    return hit_file_write(files->file, begin + size, &crc, sizeof(crc));
}

hit_status hit_zarr_write_file(hit_zarr_files *files, const hit_index at[],
                               const hit_view *from)
{
    const uint64_t index = files->meta.sharded ? index_bytes(&files->meta) : 0;
    const bool first = files->meta.index_first;
    hit_index all[HIT_ZARR_DIMS];
    uint64_t end = first ? index : 0;
    bool changed;

    add_step(files, files->meta.file, at, all);
    HIT_TRY(open_file(files, all, true, &changed));
    HIT_TRY(write_chunks(files, at, from, &end));
    if (index > 0) HIT_TRY(write_index(files, first ? 0 : end));
    if (!first) end += index;
    HIT_TRY(hit_file_grow(files->file, end)); /* one that was there may be longer */
    files->key[0] = '\0';
    return hit_file_close_early(&files->file);
}

/* ---- reading ---- */

static hit_status read_index(hit_zarr_files *files)
{
    const size_t size = 16 * (size_t)hit_zarr_chunks_of_file(&files->meta);
    const size_t whole = index_bytes(&files->meta);
    uint64_t end;
    uint32_t crc;

    HIT_TRY(hit_file_size(files->file, &end));
    if (end < whole) return damaged(files, "is shorter than the index of a shard");
    HIT_TRY(hit_file_read(files->file, files->meta.index_first ? 0 : end - whole,
                          files->index, whole));
    memcpy(&crc, (const char *)files->index + size, sizeof(crc));
    if (!files->meta.index_crc || crc == hit_crc32c(files->index, size)) return HIT_OK;
    files->key[0] = '\0'; /* it is not to be taken for read */
    return HIT_FAIL(HIT_E_IO, "%s: the index of a shard is damaged: its CRC-32C differs",
                    files->array.path);
}

/* Where a chunk of the open file lies; false: it has none. */
static hit_status find_chunk(const hit_zarr_files *files, const hit_index all[],
                             uint64_t *offset, uint64_t *size, bool *there)
{
    const hit_zarr_meta *meta = &files->meta;
    uint64_t whole = 0;
    size_t n = 0;

    *offset = 0;
    *there = files->file != NULL;
    if (!*there) return HIT_OK;
    HIT_TRY(hit_file_size(files->file, &whole));
    *size = whole;
    if (!meta->sharded) return HIT_OK;
    for (int d = 0; d < meta->dims; d++) {
        const hit_index along = meta->file[d] / meta->chunk[d];

        n = n * (size_t)along + (size_t)(all[d] % along);
    }
    *offset = files->index[2 * n];
    *size = files->index[2 * n + 1];
    *there = *offset != MISSING || *size != MISSING;
    if (!*there || (*offset <= whole && *size <= whole - *offset)) return HIT_OK;
    return damaged(files, "expected chunks inside of the shard but found one outside");
}

/* From the file to files->chunk. */
static hit_status expand(const hit_zarr_files *files, uint64_t offset, uint64_t size)
{
    const hit_zarr_chain chain = files->meta.chain;
    const size_t bytes = hit_zarr_chunk_bytes(&files->meta);
    const size_t sum = chain.crc ? 4 : 0;
    const size_t most = chain.zstd ? hit_zstd_bound(bytes) : bytes;
    void *into = chain.zstd || chain.crc ? files->packed : files->chunk;
    uint32_t crc;

    if (size < sum || size - sum > most || (!chain.zstd && size - sum != bytes)) {
        return HIT_FAIL(
            HIT_E_IO, "%s: %s: expected a chunk of %s%zu bytes but found %llu",
            files->array.path, files->key + strlen(files->folder) + 1,
            chain.zstd ? "at most " : "", most + sum, (unsigned long long)size);
    }
    HIT_TRY(hit_file_read(files->file, offset, into, (size_t)size));
    if (chain.crc) {
        memcpy(&crc, files->packed + size - sum, sizeof(crc));
        if (crc != hit_crc32c(files->packed, (size_t)size - sum)) {
            return damaged(files, "a chunk is damaged: its CRC-32C differs");
        }
    }
    if (chain.zstd) {
        return hit_zstd_unpack(files->array.path, files->packed, (size_t)size - sum,
                               files->chunk, bytes);
    }
    if (chain.crc) memcpy(files->chunk, files->packed, bytes);
    return HIT_OK;
}

hit_status hit_zarr_read_chunk(hit_zarr_files *files, const hit_index at[],
                               const hit_view *to)
{
    const hit_zarr_meta *meta = &files->meta;
    const hit_domain whole = chunk_domain(files, at, false);
    const hit_domain there = chunk_domain(files, at, true);
    const hit_domain wanted = hit_domain_intersect(&there, &to->domain);
    hit_index all[HIT_ZARR_DIMS];
    hit_index file[HIT_ZARR_DIMS] = {0};
    uint64_t offset;
    uint64_t size = 0;
    bool changed;
    bool found;
    hit_view from;

    add_step(files, meta->chunk, at, all);
    for (int d = 0; d < meta->dims; d++) {
        file[d] = all[d] / (meta->file[d] / meta->chunk[d]);
    }
    HIT_TRY(open_file(files, file, false, &changed));
    if (changed && meta->sharded && files->file != NULL) HIT_TRY(read_index(files));
    HIT_TRY(find_chunk(files, all, &offset, &size, &found));
    if (!found) {
        const size_t size_bytes = meta->type.size_bytes;

        memset(files->chunk, 0, size_bytes);
        memcpy(files->chunk, meta->fill,
               size_bytes < sizeof(meta->fill) ? size_bytes : sizeof(meta->fill));
        hit_view_fill(to, &wanted, files->chunk);
        return HIT_OK;
    }
    HIT_TRY(expand(files, offset, size));
    from = hit_view_make(&whole, meta->type.size_bytes, slice(files));
    hit_view_copy(&from, to, &wanted, NULL);
    return HIT_OK;
}
