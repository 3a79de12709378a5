/* SPDX-License-Identifier: MIT
 * Copies of devices go by pread() and pwrite(), since a write through a mapping would
 * read each page first. Pages that were copied are on their way to the disk, as far as
 * they are not there, while a few further pieces are copied, and are dropped then: so the
 * disk sets the pace, and little is in memory that no device has asked for. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sync_file_range */
#include "hit/base/alloc.h"
#include "hit/base/file.h"
#include "hit/data/disk_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* ---- what the system is told of pages ---- */

static void drop(const hit_disk *disk, hit_disk_range r)
{
    if (r.end <= r.begin) return;
    (void)posix_fadvise(disk->file, (off_t)r.begin, (off_t)(r.end - r.begin),
                        POSIX_FADV_DONTNEED);
}

static void expect(const hit_disk *disk, hit_disk_range r, uint64_t from)
{
    const uint64_t most = from + 2 * disk->piece_bytes;
    const uint64_t end = r.end < most ? r.end : most;

    if (end <= from) return;
    (void)posix_fadvise(disk->file, (off_t)from, (off_t)(end - from),
                        POSIX_FADV_WILLNEED);
}

static void fail(hit_disk *disk, bool reads, uint64_t at, const char *reason)
{
    pthread_mutex_lock(&disk->mutex);
    hit_first_keep(
        &disk->failure,
        HIT_FAIL(HIT_E_IO, "HIT_DISK: a file in %s cannot be %s at byte %llu: %s",
                 disk->path, reads ? "read" : "written", (unsigned long long)at, reason));
    pthread_mutex_unlock(&disk->mutex);
}

/* What pwrite() took may fail on its way; then the page is dropped as if it were there. A
 * system that knows no such call writes when it likes. */
static void write_some(hit_disk *disk, hit_disk_range r, bool waits)
{
    const unsigned all =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;

    if (r.end <= r.begin) return;
    if (sync_file_range(disk->file, (off_t)r.begin, (off_t)(r.end - r.begin),
                        waits ? all : SYNC_FILE_RANGE_WRITE) == 0) {
        return;
    }
    if (errno == EIO || errno == ENOSPC || errno == EDQUOT) {
        fail(disk, false, r.begin, strerror(errno));
    }
}

/* Pages that nobody wants for a while, which @p mapped shows: begin to write those that
 * are not on the disk, and wait for those that were begun a few pieces before. */
static void leave(hit_disk *disk, const char *mapped, hit_disk_range r)
{
    hit_disk_range old;

    hit_memory_forget((void *)(uintptr_t)mapped, (size_t)(r.end - r.begin));
    write_some(disk, r, false);
    pthread_mutex_lock(&disk->mutex);
    old = disk->under_way[disk->next];
    disk->under_way[disk->next] = r;
    disk->next = (disk->next + 1) % HIT_DISK_UNDER_WAY;
    pthread_mutex_unlock(&disk->mutex);
    write_some(disk, old, true);
    drop(disk, old);
}

void hit_disk_behind(hit_disk *disk, const void *memory, size_t size_bytes)
{
    uint64_t at;

    if (size_bytes == 0 || !hit_disk_place(disk, memory, &at)) return;
    leave(disk, memory, (hit_disk_range){at, at + size_bytes});
}

/* ---- copies ---- */

/* A copy that is under way, one side of which lies in the file. */
typedef struct transfer {
    hit_disk *disk;
    bool reads;
    hit_disk_range whole; /* of the file: all that the copy touches ... */
    const char *mapped;   /* ... and where that begins in memory */
    bool dense;           /* most of it is copied */
    hit_disk_range piece; /* what was copied since pages were dropped */
    size_t bytes;         /* of it */
    uint64_t total;
} transfer;

/* Between memory and the file, whole; false: it failed, and that is kept. */
static bool move(const transfer *t, char *memory, size_t bytes, uint64_t at)
{
    const int file = t->disk->file;
    size_t found = bytes;
    const int error = t->reads ? hit_file_fetch(file, memory, bytes, at, &found)
                               : hit_file_put(file, memory, bytes, at);

    if (error == 0 && found == bytes) return true;
    fail(t->disk, t->reads, at, error != 0 ? strerror(error) : "it is too short");
    return false;
}

static void end_piece(transfer *t)
{
    if (t->bytes == 0) return;
    leave(t->disk, t->mapped + (t->piece.begin - t->whole.begin), t->piece);
    if (t->reads && t->dense) expect(t->disk, t->whole, t->piece.end);
    t->total += t->bytes;
    t->bytes = 0;
}

static bool move_run(transfer *t, char *memory, size_t bytes, uint64_t at)
{
    while (bytes > 0) {
        const size_t part = bytes < t->disk->piece_bytes ? bytes : t->disk->piece_bytes;

        if (!move(t, memory, part, at)) return false;
        if (t->bytes == 0) t->piece = (hit_disk_range){at, at};
        if (at < t->piece.begin) t->piece.begin = at;
        if (at + part > t->piece.end) t->piece.end = at + part;
        t->bytes += part;
        if (t->bytes >= t->disk->piece_bytes) end_piece(t);
        memory += part;
        at += part;
        bytes -= part;
    }
    return true;
}

/* The bytes of the file from the first to the last that a copy touches, whose first run
 * is @p at there. */
static hit_disk_range extent(const hit_ndcopy *copy, const ptrdiff_t stride[],
                             uint64_t at)
{
    hit_disk_range r = {at, at + copy->run_bytes};

    for (int d = 0; d < copy->dims; d++) {
        const ptrdiff_t length = (ptrdiff_t)(copy->count[d] - 1) * stride[d];

        if (length > 0) r.end += (uint64_t)length;
        if (length < 0) r.begin -= (uint64_t)-length;
    }
    return r;
}

static bool is_dense(const hit_ndcopy *copy, hit_disk_range r)
{
    return 2 * (uint64_t)hit_ndcopy_bytes(copy) >= r.end - r.begin;
}

/* All runs, each of which lies in the file at @p at for the first one. */
static void run(transfer *t, const hit_ndcopy *copy, char *memory, uint64_t at)
{
    hit_index index[HIT_MAX_DIMS] = {0};
    ptrdiff_t from = 0;
    ptrdiff_t to = 0;

    do {
        const ptrdiff_t in_file = t->reads ? from : to;
        const ptrdiff_t in_memory = t->reads ? to : from;

        if (!move_run(t, memory + in_memory, copy->run_bytes, at + (uint64_t)in_file)) {
            break;
        }
    } while (hit_ndcopy_next(copy, copy->dims, index, &from, &to));
    end_piece(t);
}

static void add_moved(hit_disk *disk, bool reads, uint64_t bytes)
{
    pthread_mutex_lock(&disk->mutex);
    disk->moved[reads ? 0 : 1] += bytes;
    pthread_mutex_unlock(&disk->mutex);
}

/* Through the mapping, run after run too short for a call of the system. Pages stay where
 * most of their bytes are of others, who come next. */
static void run_mapped(hit_disk *disk, const hit_ndcopy *copy, const void *from, void *to,
                       bool reads)
{
    const char *memory = reads ? (const char *)from + copy->from_offset
                               : (const char *)to + copy->to_offset;
    const hit_disk_range r = extent(copy, reads ? copy->from_stride : copy->to_stride, 0);

    hit_ndcopy_run(copy, from, to);
    if (is_dense(copy, r)) {
        hit_disk_behind(disk, memory + (ptrdiff_t)r.begin, (size_t)(r.end - r.begin));
    }
    add_moved(disk, reads, hit_ndcopy_bytes(copy));
}

void hit_disk_copy(hit_disk *disk, const hit_ndcopy *copy, const void *from, void *to)
{
    const char *source = (const char *)from + copy->from_offset;
    char *target = (char *)to + copy->to_offset;
    transfer t = {.disk = disk};
    uint64_t at = 0;

    if (copy->run_bytes == 0) return;
    t.reads = disk != NULL && hit_disk_place(disk, source, &at);
    if (disk == NULL || (!t.reads && !hit_disk_place(disk, target, &at))) {
        hit_ndcopy_run(copy, from, to);
        return;
    }
    if (copy->run_bytes < HIT_DISK_PAGE) {
        run_mapped(disk, copy, from, to, t.reads);
        return;
    }
    t.whole = extent(copy, t.reads ? copy->from_stride : copy->to_stride, at);
    t.mapped = (t.reads ? source : target) - (at - t.whole.begin);
    t.dense = is_dense(copy, t.whole);
    if (t.reads && t.dense) expect(disk, t.whole, t.whole.begin);
    run(&t, copy, t.reads ? target : (char *)(uintptr_t)source, at);
    add_moved(disk, t.reads, t.total);
}

void hit_disk_expect(hit_disk *disk, const hit_ndcopy *copy, const void *from)
{
    uint64_t at;
    hit_disk_range r;

    if (copy->run_bytes < HIT_DISK_PAGE) return;
    if (!hit_disk_place(disk, (const char *)from + copy->from_offset, &at)) return;
    r = extent(copy, copy->from_stride, at);
    if (is_dense(copy, r)) expect(disk, r, r.begin);
}

hit_status hit_disk_failure(hit_disk *disk)
{
    hit_status status;

    pthread_mutex_lock(&disk->mutex);
    status = disk->failure.status;
    if (status != HIT_OK) hit_first_recall(&disk->failure);
    pthread_mutex_unlock(&disk->mutex);
    return status;
}

void hit_disk_moved(hit_disk *disk, uint64_t moved[2])
{
    moved[0] = 0;
    moved[1] = 0;
    if (disk == NULL) return;
    pthread_mutex_lock(&disk->mutex);
    memcpy(moved, disk->moved, sizeof(disk->moved));
    pthread_mutex_unlock(&disk->mutex);
}
