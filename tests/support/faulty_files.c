/* SPDX-License-Identifier: MIT
 * What the linker puts in the place of the calls that read and write files: those of the
 * library, not those of other libraries. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): copy_file_range */
#include "tests/support/faults.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

/* names that the linker asks for */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
ssize_t __real_pwrite(int handle, const void *data, size_t size, off_t at);
ssize_t __real_pread(int handle, void *data, size_t size, off_t at);
int __real_fsync(int handle);
int __real_rename(const char *from, const char *to);
int __real_fallocate(int handle, int mode, off_t at, off_t size);
int __real_ftruncate(int handle, off_t size);
ssize_t __real_copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t size,
                               unsigned flags);
int __real_sync_file_range(int handle, off64_t at, off64_t size, unsigned flags);
int __real_close(int handle);
ssize_t __wrap_pwrite(int handle, const void *data, size_t size, off_t at);
ssize_t __wrap_pread(int handle, void *data, size_t size, off_t at);
int __wrap_fsync(int handle);
int __wrap_rename(const char *from, const char *to);
int __wrap_fallocate(int handle, int mode, off_t at, off_t size);
int __wrap_ftruncate(int handle, off_t size);
ssize_t __wrap_copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t size,
                               unsigned flags);
int __wrap_sync_file_range(int handle, off64_t at, off64_t size, unsigned flags);
int __wrap_close(int handle);
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static bool fails(int error)
{
    if (!test_fault_hits(FAULT_FILE)) return false;
    errno = error;
    return true;
}

ssize_t __wrap_pwrite(int handle, const void *data, size_t size, off_t at)
{
    return fails(ENOSPC) ? -1 : __real_pwrite(handle, data, size, at);
}

ssize_t __wrap_pread(int handle, void *data, size_t size, off_t at)
{
    return fails(EIO) ? -1 : __real_pread(handle, data, size, at);
}

int __wrap_fsync(int handle)
{
    return fails(EIO) ? -1 : __real_fsync(handle);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails(EACCES) ? -1 : __real_rename(from, to);
}

int __wrap_fallocate(int handle, int mode, off_t at, off_t size)
{
    return fails(ENOSPC) ? -1 : __real_fallocate(handle, mode, at, size);
}

int __wrap_ftruncate(int handle, off_t size)
{
    return fails(EIO) ? -1 : __real_ftruncate(handle, size);
}

ssize_t __wrap_copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t size,
                               unsigned flags)
{
    return fails(EXDEV) ? -1 : __real_copy_file_range(from, in, to, out, size, flags);
}

int __wrap_sync_file_range(int handle, off64_t at, off64_t size, unsigned flags)
{
    return fails(EIO) ? -1 : __real_sync_file_range(handle, at, size, flags);
}

/* The handle is gone in any case, as close() has it. */
int __wrap_close(int handle)
{
    const int code = __real_close(handle);

    return fails(EIO) ? -1 : code;
}
