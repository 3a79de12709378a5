/* SPDX-License-Identifier: MIT
 * Files of one process, where MPI is off. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "hit/base/memory.h"
#include "hit/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct hit_file {
    int handle;
    bool writes;
    const hit_array *array; /**< borrowed */
};

static hit_status fail(const hit_file *file, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: %s: %s", file->array->path, what, strerror(errno));
}

hit_status hit_file_ready(const char *path)
{
    (void)path;
    return HIT_OK;
}

hit_status hit_file_open(const hit_array *array, bool writes, hit_file **file)
{
    hit_file *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_file), &made));
    made->array = array;
    made->writes = writes;
    made->handle = open(array->opened, writes ? O_WRONLY : O_RDONLY);
    if (made->handle < 0) {
        const hit_status status = fail(made, "cannot be opened");

        free(made);
        return status;
    }
    *file = made;
    return HIT_OK;
}

hit_status hit_file_write(hit_file *file, uint64_t offset_bytes, const void *data,
                          size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        const ssize_t now = pwrite(file->handle, (const char *)data + done,
                                   size_bytes - done, (off_t)(offset_bytes + done));

        if (now < 0 && errno != EINTR) return fail(file, "cannot be written");
        if (now > 0) done += (size_t)now;
    }
    return HIT_OK;
}

hit_status hit_file_read(hit_file *file, uint64_t offset_bytes, void *data,
                         size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        const ssize_t now = pread(file->handle, (char *)data + done, size_bytes - done,
                                  (off_t)(offset_bytes + done));

        if (now < 0 && errno != EINTR) return fail(file, "cannot be read");
        if (now == 0) {
            return HIT_FAIL(HIT_E_IO, "%s: expected %zu bytes at %llu but found %zu",
                            file->array->path, size_bytes,
                            (unsigned long long)offset_bytes, done);
        }
        if (now > 0) done += (size_t)now;
    }
    return HIT_OK;
}

hit_status hit_file_close(hit_file **file_pointer)
{
    hit_file *file = *file_pointer;
    hit_status status = HIT_OK;

    *file_pointer = NULL;
    if (file == NULL) return HIT_OK;
    if (file->writes && fsync(file->handle) != 0 && errno != EINVAL) {
        status = fail(file, "cannot be written");
    }
    if (close(file->handle) != 0 && status == HIT_OK) {
        status = fail(file, "cannot be closed");
    }
    free(file);
    return status;
}
