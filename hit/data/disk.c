/* SPDX-License-Identifier: MIT
 * One file per process, without a name. Memory that is taken is a mapped range
 * of it; ranges are not used twice: what is given back becomes a hole. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): fallocate */
#include "hit/base/alloc.h"
#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/data/disk_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SMALL_BYTES = 1 << 20,  /* parts of tiles below it stay in memory */
    PIECE_MOST = 8 << 20,   /* copied at a time, and dropped then; at least ... */
    PIECE_LEAST = 64 << 10, /* ... and in between a part of memory= */
    PIECES = 64,            /* of which memory= has so many */
};

/* ---- open and close ---- */

static hit_status read_one(void *of, const char *key, const char *value)
{
    hit_disk *made = of;

    if (strcmp(key, "path") == 0) {
        made->path = strdup(value);
        return made->path != NULL ? HIT_OK
                                  : HIT_FAIL(HIT_E_NOMEM, "no memory for HIT_DISK");
    }
    if (strcmp(key, "memory") != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DISK: expected path= and memory= but found \"%s\"", key);
    }
    if (hit_memory_parse(value, &made->memory_bytes) == HIT_OK) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "HIT_DISK: memory=: %s", hit_status_text());
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

static hit_status make(const char *text, bool planned, hit_disk *made)
{
    HIT_TRY(hit_option_each("HIT_DISK", text, read_one, made));
    if (made->path == NULL || made->memory_bytes < SMALL_BYTES) {
        return HIT_FAIL(
            HIT_E_ARG,
            "HIT_DISK: expected a folder and at least 1 MiB for each process, "
            "as in \"path=/scratch,memory=4GiB\", but found no %s",
            made->path == NULL ? "path=" : "memory= as large");
    }
    made->piece_bytes = made->memory_bytes / PIECES / HIT_DISK_PAGE * HIT_DISK_PAGE;
    if (made->piece_bytes > PIECE_MOST) made->piece_bytes = PIECE_MOST;
    if (made->piece_bytes < PIECE_LEAST) made->piece_bytes = PIECE_LEAST;
    return planned ? HIT_OK : make_file(made);
}

hit_status hit_disk_open(const char *text, bool planned, hit_disk **disk)
{
    hit_disk *made;
    hit_status status;

    *disk = NULL;
    if (text == NULL || *text == '\0') return HIT_OK;
    made = calloc(1, sizeof(*made));
    if (made == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for HIT_DISK");
    made->file = -1;
    made->process = getpid();
    pthread_mutex_init(&made->mutex, NULL);
    hit_first_begin(&made->failure);
    status = make(text, planned, made);
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
static hit_disk_region *find(const hit_disk *disk, const void *memory)
{
    const char *address = memory;

    for (size_t k = 0; k < disk->regions; k++) {
        hit_disk_region *r = &disk->region[k];

        if (address >= r->begin && address < r->begin + r->bytes) return r;
    }
    return NULL;
}

/* Where it lies in the file; false: it does not. */
bool hit_disk_place(hit_disk *disk, const void *memory, uint64_t *at)
{
    const hit_disk_region *r;

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

    return hit_disk_place(disk, memory, &at);
}

/* Also where the file system only has what was written, as NFS 3: a page of the mapping
 * that has no room would be a signal. */
static hit_status take_room(const hit_disk *disk, size_t bytes, const char *what)
{
    hit_status status = hit_file_reserve(disk->file, disk->end + bytes, disk->path);
    char size[32];
    int error = 0;

    if (status == HIT_OK) {
        error = posix_fallocate(disk->file, (off_t)disk->end, (off_t)bytes);
        if (error == 0) return HIT_OK;
    }
    hit_memory_print(bytes, size, sizeof(size));
    return HIT_FAIL(HIT_E_IO, "%s: no room for %s on the disk: %s", what, size,
                    error != 0 ? strerror(error) : hit_status_text());
}

/* The file grows by as much, which is mapped. */
static hit_status extend(hit_disk *disk, size_t bytes, const char *what,
                         hit_disk_region *made)
{
    void *mapped;

    HIT_TRY(take_room(disk, bytes, what));
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, disk->file,
                  (off_t)disk->end);
    if (mapped == MAP_FAILED) {
        return HIT_FAIL(HIT_E_NOMEM, "%s: cannot map %zu bytes of a file in %s: %s", what,
                        bytes, disk->path, strerror(errno));
    }
    *made = (hit_disk_region){.begin = mapped, .bytes = bytes, .at = disk->end};
    disk->end += bytes;
    return HIT_OK;
}

hit_status hit_disk_take(hit_disk *disk, size_t size_bytes, const char *what,
                         void **memory)
{
    const size_t bytes = (size_bytes + PIECE_LEAST - 1) / PIECE_LEAST * PIECE_LEAST;
    hit_disk_region made = {0};
    hit_status status;

    pthread_mutex_lock(&disk->mutex);
    status = HIT_ONE_MORE(disk->region, disk->regions, disk->room, what);
    if (status == HIT_OK) status = extend(disk, bytes, what, &made);
    if (status == HIT_OK) disk->region[disk->regions++] = made;
    pthread_mutex_unlock(&disk->mutex);
    HIT_TRY(status);
    *memory = (char *)made.begin;
    return HIT_OK;
}

/* Not in a child that was forked: the file is its parent's. */
static void make_hole(const hit_disk *disk, hit_disk_range r)
{
    if (disk->process != getpid()) return;
    (void)fallocate(disk->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)r.begin, (off_t)(r.end - r.begin));
}

bool hit_disk_give(hit_disk **disk_pointer, const void *memory)
{
    hit_disk *disk = *disk_pointer;
    hit_disk_region *r;
    hit_disk_region old = {0};

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
    make_hole(disk, (hit_disk_range){old.at, old.at + old.bytes});
    if (disk->closed) hit_disk_close(disk_pointer);
    return true;
}
