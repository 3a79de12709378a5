/* SPDX-License-Identifier: MIT
 * One file per process, without a name. Memory that is taken is a mapped range of it;
 * ranges are not used twice: what is given back becomes a hole. Copies of devices go by
 * pread() and pwrite(), since a write through a mapping would read each page first.
 * Pages that were copied are on their way to the disk, as far as they are not there,
 * while a few further pieces are copied, and are dropped then: so the disk sets the pace,
 * and little is in memory that no device has asked for. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sync_file_range */
#include "hit/data/disk.h"

#include "hit/base/alloc.h"
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/base/option.h"
#include "hit/base/status_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SMALL_BYTES = 1 << 20,  /* parts of tiles below it stay in memory */
    PAGE_BYTES = 4096,      /* shorter runs are copied through the mapping */
    PIECE_MOST = 8 << 20,   /* copied at a time, and dropped then; at least ... */
    PIECE_LEAST = 64 << 10, /* ... and in between a part of memory= */
    PIECES = 64,            /* of which memory= has so many */
    UNDER_WAY = 8           /* pieces on their way to the disk */
};

/* Memory that was taken. */
typedef struct region {
    const char *begin;
    size_t bytes;
    uint64_t at; /* in the file */
} region;

/* Of the file. */
typedef struct range {
    uint64_t begin;
    uint64_t end;
} range;

struct hit_disk {
    char *path;
    int file;
    size_t memory_bytes;
    size_t piece_bytes;
    bool closed;
    pthread_mutex_t mutex; /* of all that follows */
    region *region;
    size_t regions;
    size_t room;
    uint64_t end; /* of the file */
    range under_way[UNDER_WAY];
    unsigned next;
    uint64_t moved[2];
    hit_first failure;
};

/* ---- open and close ---- */

static hit_status read_options(const hit_option_list *list, hit_disk *made)
{
    for (int k = 0; k < list->count; k++) {
        if (strcmp(list->key[k], "path") == 0) {
            made->path = strdup(list->value[k]);
            if (made->path == NULL)
                return HIT_FAIL(HIT_E_NOMEM, "no memory for HIT_DISK");
        } else if (strcmp(list->key[k], "memory") == 0) {
            if (hit_memory_parse(list->value[k], &made->memory_bytes) == HIT_OK) continue;
            return HIT_FAIL(HIT_E_ARG, "HIT_DISK: memory=: %s", hit_status_text());
        } else {
            return HIT_FAIL(HIT_E_ARG,
                            "HIT_DISK: expected path= and memory= but found \"%s\"",
                            list->key[k]);
        }
    }
    if (made->path != NULL && made->memory_bytes >= SMALL_BYTES) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_DISK: expected a folder and at least 1 MiB for each process, as "
                    "in \"path=/scratch,memory=4GiB\", but found no %s",
                    made->path == NULL ? "path=" : "memory= as large");
}

static hit_status make_file(hit_disk *made)
{
    const size_t size = strlen(made->path) + 32;
    char *name = NULL;
    hit_status status = HIT_OK;

    HIT_TRY(hit_memory_zeroed(size, 1, &name));
    (void)snprintf(name, size, "%s/hit-disk-XXXXXX", made->path);
    made->file = mkstemp(name);
    if (made->file < 0 || unlink(name) != 0) {
        status = HIT_FAIL(HIT_E_IO, "HIT_DISK: no file can be made in %s: %s", made->path,
                          strerror(errno));
    }
    free(name);
    return status;
}

static void destroy(hit_disk *disk)
{
    if (disk->file >= 0) (void)close(disk->file);
    pthread_mutex_destroy(&disk->mutex);
    free(disk->region);
    free(disk->path);
    free(disk);
}

static hit_status make(const char *text, hit_disk *made)
{
    hit_option_list list = {0};
    hit_status status = hit_option_read("HIT_DISK", text, &list);

    if (status == HIT_OK) status = read_options(&list, made);
    hit_option_clear(&list);
    HIT_TRY(status);
    made->piece_bytes = made->memory_bytes / PIECES / PAGE_BYTES * PAGE_BYTES;
    if (made->piece_bytes > PIECE_MOST) made->piece_bytes = PIECE_MOST;
    if (made->piece_bytes < PIECE_LEAST) made->piece_bytes = PIECE_LEAST;
    return make_file(made);
}

hit_status hit_disk_open(const char *text, hit_disk **disk)
{
    hit_disk *made = NULL;
    hit_status status;

    *disk = NULL;
    if (text == NULL || *text == '\0') return HIT_OK;
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->file = -1;
    pthread_mutex_init(&made->mutex, NULL);
    hit_first_begin(&made->failure);
    status = make(text, made);
    if (status != HIT_OK) {
        destroy(made);
        return status;
    }
    *disk = made;
    return HIT_OK;
}

void hit_disk_close(hit_disk **disk_pointer)
{
    hit_disk *disk = *disk_pointer;

    if (disk == NULL) return;
    disk->closed = true;
    if (disk->regions > 0) return;
    *disk_pointer = NULL;
    destroy(disk);
}

size_t hit_disk_device_bytes(const hit_disk *disk)
{
    return disk->memory_bytes - disk->memory_bytes / 8;
}

/* ---- memory ---- */

bool hit_disk_wants(const hit_disk *disk, size_t size_bytes)
{
    return disk != NULL && size_bytes >= SMALL_BYTES;
}

/* The region that @p memory lies in, or NULL. The mutex is held. */
static region *find(const hit_disk *disk, const void *memory)
{
    const char *address = memory;

    for (size_t k = 0; k < disk->regions; k++) {
        region *r = &disk->region[k];

        if (address >= r->begin && address < r->begin + r->bytes) return r;
    }
    return NULL;
}

/* Where it lies in the file; false: it does not. */
static bool place(hit_disk *disk, const void *memory, uint64_t *at)
{
    const region *r;

    if (disk == NULL) return false;
    pthread_mutex_lock(&disk->mutex);
    r = find(disk, memory);
    if (r != NULL) *at = r->at + (uint64_t)((const char *)memory - r->begin);
    pthread_mutex_unlock(&disk->mutex);
    return r != NULL;
}

bool hit_disk_holds(hit_disk *disk, const void *memory)
{
    uint64_t at;

    return place(disk, memory, &at);
}

/* The file grows by as much, which is mapped. */
static hit_status extend(hit_disk *disk, size_t bytes, const char *what, region *made)
{
    void *mapped;

    if (hit_file_reserve(disk->file, disk->end + bytes, disk->path) != HIT_OK) {
        char size[32];

        hit_memory_print(bytes, size, sizeof(size));
        return HIT_FAIL(HIT_E_IO, "%s: no room for %s on the disk: %s", what, size,
                        hit_status_text());
    }
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, disk->file,
                  (off_t)disk->end);
    if (mapped == MAP_FAILED) {
        return HIT_FAIL(HIT_E_NOMEM, "%s: cannot map %zu bytes of a file in %s: %s", what,
                        bytes, disk->path, strerror(errno));
    }
    *made = (region){.begin = mapped, .bytes = bytes, .at = disk->end};
    disk->end += bytes;
    return HIT_OK;
}

hit_status hit_disk_take(hit_disk *disk, size_t size_bytes, const char *what,
                         void **memory)
{
    const size_t bytes = (size_bytes + PIECE_LEAST - 1) / PIECE_LEAST * PIECE_LEAST;
    region made = {0};
    hit_status status;

    pthread_mutex_lock(&disk->mutex);
    status = hit_memory_grow(disk->regions + 1, &disk->room, sizeof(region), what,
                             &disk->region);
    if (status == HIT_OK) status = extend(disk, bytes, what, &made);
    if (status == HIT_OK) disk->region[disk->regions++] = made;
    pthread_mutex_unlock(&disk->mutex);
    HIT_TRY(status);
    *memory = (char *)made.begin;
    return HIT_OK;
}

/* ---- what the system is told of pages ---- */

static void make_hole(const hit_disk *disk, range r)
{
    (void)fallocate(disk->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)r.begin, (off_t)(r.end - r.begin));
}

static void drop(const hit_disk *disk, range r)
{
    if (r.end <= r.begin) return;
    (void)posix_fadvise(disk->file, (off_t)r.begin, (off_t)(r.end - r.begin),
                        POSIX_FADV_DONTNEED);
}

static void expect(const hit_disk *disk, range r, uint64_t from)
{
    const uint64_t most = from + 2 * disk->piece_bytes;
    const uint64_t end = r.end < most ? r.end : most;

    if (end <= from) return;
    (void)posix_fadvise(disk->file, (off_t)from, (off_t)(end - from),
                        POSIX_FADV_WILLNEED);
}

static void write_some(const hit_disk *disk, range r, bool waits)
{
    const unsigned all =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;

    if (r.end <= r.begin) return;
    (void)sync_file_range(disk->file, (off_t)r.begin, (off_t)(r.end - r.begin),
                          waits ? all : SYNC_FILE_RANGE_WRITE);
}

/* Pages that nobody wants for a while, which @p mapped shows: begin to write those that
 * are not on the disk, and wait for those that were begun a few pieces before. */
static void leave(hit_disk *disk, const char *mapped, range r)
{
    range old;

    hit_memory_forget((void *)(uintptr_t)mapped, (size_t)(r.end - r.begin));
    write_some(disk, r, false);
    pthread_mutex_lock(&disk->mutex);
    old = disk->under_way[disk->next];
    disk->under_way[disk->next] = r;
    disk->next = (disk->next + 1) % UNDER_WAY;
    pthread_mutex_unlock(&disk->mutex);
    write_some(disk, old, true);
    drop(disk, old);
}

void hit_disk_behind(hit_disk *disk, const void *memory, size_t size_bytes)
{
    uint64_t at;

    if (size_bytes == 0 || !place(disk, memory, &at)) return;
    leave(disk, memory, (range){at, at + size_bytes});
}

bool hit_disk_give(hit_disk *disk, const void *memory)
{
    region *r;
    region old = {0};

    if (disk == NULL) return false;
    pthread_mutex_lock(&disk->mutex);
    r = find(disk, memory);
    if (r != NULL) {
        old = *r;
        *r = disk->region[--disk->regions];
    }
    pthread_mutex_unlock(&disk->mutex);
    if (r == NULL) return false;
    (void)munmap((char *)old.begin, old.bytes);
    make_hole(disk, (range){old.at, old.at + old.bytes});
    if (disk->closed && disk->regions == 0) destroy(disk);
    return true;
}

/* ---- copies ---- */

/* A copy that is under way, one side of which lies in the file. */
typedef struct transfer {
    hit_disk *disk;
    bool reads;
    range whole;        /* of the file: all that the copy touches ... */
    const char *mapped; /* ... and where that begins in memory */
    bool dense;         /* most of it is copied */
    range piece;        /* what was copied since pages were dropped */
    size_t bytes;       /* of it */
    uint64_t total;
} transfer;

static void fail(hit_disk *disk, bool reads, uint64_t at, const char *reason)
{
    pthread_mutex_lock(&disk->mutex);
    hit_first_keep(
        &disk->failure,
        HIT_FAIL(HIT_E_IO, "HIT_DISK: a file in %s cannot be %s at byte %llu: %s",
                 disk->path, reads ? "read" : "written", (unsigned long long)at, reason));
    pthread_mutex_unlock(&disk->mutex);
}

/* Between memory and the file, whole; false: it failed, and that is kept. */
static bool move(const transfer *t, char *memory, size_t bytes, uint64_t at)
{
    while (bytes > 0) {
        const ssize_t done = t->reads ? pread(t->disk->file, memory, bytes, (off_t)at)
                                      : pwrite(t->disk->file, memory, bytes, (off_t)at);

        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            fail(t->disk, t->reads, at, done < 0 ? strerror(errno) : "it is too short");
            return false;
        }
        memory += done;
        at += (uint64_t)done;
        bytes -= (size_t)done;
    }
    return true;
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
        if (t->bytes == 0) t->piece = (range){at, at};
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
static range extent(const hit_ndcopy *copy, const ptrdiff_t stride[], uint64_t at)
{
    range r = {at, at + copy->run_bytes};

    for (int d = 0; d < copy->dims; d++) {
        const ptrdiff_t length = (ptrdiff_t)(copy->count[d] - 1) * stride[d];

        if (length > 0) r.end += (uint64_t)length;
        if (length < 0) r.begin -= (uint64_t)-length;
    }
    return r;
}

static bool is_dense(const hit_ndcopy *copy, range r)
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

/* Through the mapping, run after run too short for a call of the system. */
static void run_mapped(hit_disk *disk, const hit_ndcopy *copy, const void *from, void *to,
                       bool reads)
{
    const char *memory = reads ? (const char *)from + copy->from_offset
                               : (const char *)to + copy->to_offset;
    const range r = extent(copy, reads ? copy->from_stride : copy->to_stride, 0);

    hit_ndcopy_run(copy, from, to);
    hit_disk_behind(disk, memory + (ptrdiff_t)r.begin, (size_t)(r.end - r.begin));
    add_moved(disk, reads, hit_ndcopy_bytes(copy));
}

void hit_disk_copy(hit_disk *disk, const hit_ndcopy *copy, const void *from, void *to)
{
    const char *source = (const char *)from + copy->from_offset;
    char *target = (char *)to + copy->to_offset;
    transfer t = {.disk = disk, .reads = true};
    uint64_t at = 0;

    if (copy->run_bytes == 0) return;
    if (!place(disk, source, &at)) {
        t.reads = false;
        if (!place(disk, target, &at)) {
            hit_ndcopy_run(copy, from, to);
            return;
        }
    }
    if (copy->run_bytes < PAGE_BYTES) {
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
    range r;

    if (disk == NULL || copy->run_bytes < PAGE_BYTES) return;
    if (!place(disk, (const char *)from + copy->from_offset, &at)) return;
    r = extent(copy, copy->from_stride, at);
    if (is_dense(copy, r)) expect(disk, r, r.begin);
}

hit_status hit_disk_told(hit_disk *disk)
{
    hit_status status;

    if (disk == NULL) return HIT_OK;
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
