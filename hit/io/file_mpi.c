/* SPDX-License-Identifier: MIT
 * Files by MPI-IO: contiguous stretches at offsets, so that no file view is needed. */
#define _POSIX_C_SOURCE 200809L /* access */

#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/file.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct hit_file {
    MPI_File handle;
    bool writes;
    const hit_array *array; /**< borrowed */
};

/* Open MPI keeps the shared pointer of each file in shared memory, although nothing here
 * uses that pointer, and without it says "known error not in list". */
static const char *const no_shared_memory =
    "MPI-IO needs a /dev/shm that can be written, on one process, too: mount one, or set "
    "OMPI_MCA_sharedfp=^sm in the environment";

static bool lacks_shared_memory(int code)
{
    int class = MPI_SUCCESS;

    MPI_Error_class(code, &class);
    return class == MPI_ERR_OTHER && access("/dev/shm", W_OK) != 0;
}

static void explain(int code, char text[MPI_MAX_ERROR_STRING])
{
    int length = 0;

    if (lacks_shared_memory(code)) {
        snprintf(text, MPI_MAX_ERROR_STRING, "%s", no_shared_memory);
    } else {
        MPI_Error_string(code, text, &length);
    }
}

hit_status hit_file_ready(const char *path)
{
    MPI_File file;
    int code;

    if (access("/dev/shm", W_OK) == 0) return HIT_OK;
    code =
        MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (code == MPI_SUCCESS) code = MPI_File_close(&file);
    if (!lacks_shared_memory(code)) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: cannot be opened: %s", path, no_shared_memory);
}

static hit_status check(const hit_file *file, int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";

    if (code == MPI_SUCCESS) return HIT_OK;
    explain(code, text);
    return HIT_FAIL(HIT_E_IO, "%s: %s: %s", file->array->path, what, text);
}

hit_status hit_file_open(const hit_array *array, bool writes, hit_file **file)
{
    hit_file *made = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(hit_file), &made);

    HIT_TRY(hit_comm_agree(array->comm, status));
    made->array = array;
    made->writes = writes;
    status =
        check(made,
              MPI_File_open(*(const MPI_Comm *)hit_comm_mpi(array->comm), array->opened,
                            writes ? MPI_MODE_WRONLY : MPI_MODE_RDONLY, MPI_INFO_NULL,
                            &made->handle),
              "cannot be opened");
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    *file = made;
    return HIT_OK;
}

/* All that was asked for? */
static hit_status check_count(const hit_file *file, MPI_Status *status, uint64_t offset,
                              size_t size_bytes)
{
    int count = 0;

    MPI_Get_count(status, MPI_BYTE, &count);
    if (count >= 0 && (size_t)count == size_bytes) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: expected %zu bytes at %llu but found %d",
                    file->array->path, size_bytes, (unsigned long long)offset, count);
}

hit_status hit_file_write(hit_file *file, uint64_t offset_bytes, const void *data,
                          size_t size_bytes)
{
    MPI_Status status = {0};

    HIT_TRY(check(file,
                  MPI_File_write_at_all(file->handle, (MPI_Offset)offset_bytes, data,
                                        (int)size_bytes, MPI_BYTE, &status),
                  "cannot be written"));
    return size_bytes > 0 ? check_count(file, &status, offset_bytes, size_bytes) : HIT_OK;
}

hit_status hit_file_read(hit_file *file, uint64_t offset_bytes, void *data,
                         size_t size_bytes)
{
    MPI_Status status = {0};

    HIT_TRY(check(file,
                  MPI_File_read_at_all(file->handle, (MPI_Offset)offset_bytes, data,
                                       (int)size_bytes, MPI_BYTE, &status),
                  "cannot be read"));
    return size_bytes > 0 ? check_count(file, &status, offset_bytes, size_bytes) : HIT_OK;
}

hit_status hit_file_close(hit_file **file_pointer)
{
    hit_file *file = *file_pointer;
    hit_status status = HIT_OK;
    hit_status closed;

    *file_pointer = NULL;
    if (file == NULL) return HIT_OK;
    if (file->writes) {
        status = check(file, MPI_File_sync(file->handle), "cannot be written");
    }
    closed = check(file, MPI_File_close(&file->handle), "cannot be closed");
    free(file);
    return status != HIT_OK ? status : closed;
}
