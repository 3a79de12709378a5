/* SPDX-License-Identifier: MIT
 * Bytes of a file by the system's own calls. Several clients of NFS may write parts of
 * one page: they keep apart as long as the file has its size before they do, which
 * hit_file_grow() sees to. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sync_file_range, syncfs */
#include "hit/base/file.h"

#include "hit/base/memory.h"
#include "hit/io/io_impl.h"
#include "hit/tile/tile_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) >= 8, "files are longer than 2 GiB");

enum {
    AT_ONCE = 4096 /* coordinates */
};

struct hit_file {
    int handle;
    bool writes;
    char path[]; /* as the program gave it: for texts */
};

hit_status hit_io_cannot(const char *path, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

hit_status hit_file_open(const hit_array *array, bool writes, hit_file **file)
{
    const int writing = array->add ? O_RDWR : O_WRONLY; /* what was there is read, too */
    hit_file *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_file) + strlen(array->path) + 1, &made));
    memcpy(made->path, array->path, strlen(array->path) + 1);
    made->writes = writes;
    made->handle =
        open(array->opened, (writes ? writing | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
    if (made->handle < 0) {
        const hit_status status = hit_io_cannot(made->path, writes ? "written" : "read");

        free(made);
        return status;
    }
    *file = made;
    return HIT_OK;
}

hit_status hit_file_size(const hit_file *file, uint64_t *size_bytes)
{
    struct stat found;

    if (fstat(file->handle, &found) != 0) return hit_io_cannot(file->path, "read");
    *size_bytes = (uint64_t)found.st_size;
    return HIT_OK;
}

hit_status hit_file_grow(hit_file *file, uint64_t size_bytes)
{
    return hit_file_reserve(file->handle, size_bytes, file->path);
}

hit_status hit_file_write(hit_file *file, uint64_t offset_bytes, const void *data,
                          size_t size_bytes)
{
    errno = hit_file_put(file->handle, data, size_bytes, offset_bytes);
    return errno == 0 ? HIT_OK : hit_io_cannot(file->path, "written");
}

/* Pages go to the disk from where they lie, instead of from a copy that the system makes
 * of them; false: not here. */
static bool set_direct(const hit_file *file, bool direct)
{
    const int flags = fcntl(file->handle, F_GETFL);

    return flags >= 0 && fcntl(file->handle, F_SETFL,
                               direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

/* What file systems say that cannot, or have not the memory to. */
static bool is_refusal(int error)
{
    return error == EINVAL || error == EOPNOTSUPP || error == ENOSYS || error == ENOMEM;
}

hit_status hit_file_write_direct(hit_file *file, uint64_t offset_bytes, const void *data,
                                 size_t size_bytes)
{
    const char *byte = data;
    const size_t head = (HIT_FILE_PAGE - offset_bytes % HIT_FILE_PAGE) % HIT_FILE_PAGE;
    const size_t pages =
        size_bytes <= head ? 0 : (size_bytes - head) / HIT_FILE_PAGE * HIT_FILE_PAGE;
    int error = EINVAL;

    if (pages > 0 && (uintptr_t)(byte + head) % HIT_FILE_PAGE == 0 &&
        set_direct(file, true)) {
        error = hit_file_put(file->handle, byte + head, pages, offset_bytes + head);
        (void)set_direct(file, false);
    }
    if (is_refusal(error)) return hit_file_write(file, offset_bytes, data, size_bytes);
    errno = error;
    if (error != 0) return hit_io_cannot(file->path, "written");
    HIT_TRY(hit_file_write(file, offset_bytes, byte, head));
    return hit_file_write(file, offset_bytes + head + pages, byte + head + pages,
                          size_bytes - head - pages);
}

hit_status hit_file_write_axis(hit_file *file, uint64_t offset_bytes,
                               const hit_axis *axis, hit_index count)
{
    double value[AT_ONCE];

    for (hit_index k = 0; k < count;) {
        size_t n = 0;

        for (; n < AT_ONCE && k < count; k++) {
            value[n++] = hit_axis_at(axis, k);
        }
        HIT_TRY(hit_file_write(file, offset_bytes, value, n * sizeof(double)));
        offset_bytes += n * sizeof(double);
    }
    return HIT_OK;
}

hit_status hit_file_read_some(hit_file *file, uint64_t offset_bytes, void *data,
                              size_t size_bytes, size_t *found_bytes)
{
    errno = hit_file_fetch(file->handle, data, size_bytes, offset_bytes, found_bytes);
    return errno == 0 ? HIT_OK : hit_io_cannot(file->path, "read");
}

hit_status hit_file_read(hit_file *file, uint64_t offset_bytes, void *data,
                         size_t size_bytes)
{
    size_t found = 0;

    HIT_TRY(hit_file_read_some(file, offset_bytes, data, size_bytes, &found));
    if (found == size_bytes) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: expected %zu bytes at %llu but found %zu", file->path,
                    size_bytes, (unsigned long long)offset_bytes, found);
}

static hit_status close_file(hit_file **file_pointer, bool syncs)
{
    hit_file *file = *file_pointer;
    hit_status status = HIT_OK;

    *file_pointer = NULL;
    if (file == NULL) return HIT_OK;
    if (syncs && fsync(file->handle) != 0 && errno != EINVAL) {
        status = hit_io_cannot(file->path, "written");
    }
    if (close(file->handle) != 0 && file->writes && status == HIT_OK) {
        status = hit_io_cannot(file->path, "written");
    }
    free(file);
    return status;
}

hit_status hit_file_close(hit_file **file)
{
    return close_file(file, *file != NULL && (*file)->writes);
}

hit_status hit_file_close_early(hit_file **file)
{
    (void)sync_file_range((*file)->handle, 0, 0, SYNC_FILE_RANGE_WRITE);
    return close_file(file, false);
}

hit_status hit_file_sync_all(const hit_array *array)
{
    const int folder = open(array->path, O_RDONLY | O_CLOEXEC);
    const bool done = folder >= 0 && syncfs(folder) == 0;
    const hit_status status = done ? HIT_OK : hit_io_cannot(array->path, "written");

    if (folder >= 0) (void)close(folder);
    return status;
}
