/* SPDX-License-Identifier: MIT
 * One device of 96 MiB. Every copy must stay inside one allocation of the device, and
 * pinned memory counts as both sides. Programs of one thread only. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cublas_v2.h"
#include "cuda_runtime_api.h"

enum {
    TOTAL_BYTES = 96 << 20,
    ALLOCATIONS = 64
};

/* a test program has no context to hang this on */
static struct {
    char *memory;
    size_t size_bytes;
} allocation[ALLOCATIONS];
static size_t used_bytes;

static bool on_device(const char *at, size_t size_bytes)
{
    for (int k = 0; k < ALLOCATIONS; k++) {
        const char *begin = allocation[k].memory;
        if (begin == NULL || at < begin) continue;
        if (at + size_bytes <= begin + allocation[k].size_bytes) return true;
    }
    return false;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    default:
        return "invalid argument";
    }
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    if (device != 0) return cudaErrorInvalidDevice;
    strcpy(properties->name, "fake GPU");
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    *free_bytes = TOTAL_BYTES - used_bytes;
    *total_bytes = TOTAL_BYTES;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t size_bytes)
{
    for (int k = 0; k < ALLOCATIONS; k++) {
        if (allocation[k].memory != NULL) continue;
        if (size_bytes > TOTAL_BYTES - used_bytes) break;
        allocation[k].memory = malloc(size_bytes);
        allocation[k].size_bytes = size_bytes;
        used_bytes += size_bytes;
        *memory = allocation[k].memory;
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *memory)
{
    for (int k = 0; k < ALLOCATIONS; k++) {
        if (memory == NULL || allocation[k].memory != memory) continue;
        used_bytes -= allocation[k].size_bytes;
        allocation[k].memory = NULL;
        free(memory);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaMallocHost(void **memory, size_t size_bytes)
{
    *memory = malloc(size_bytes);
    return *memory == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = malloc(1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return stream == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = malloc(1);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return event == NULL || stream == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    return event == NULL || stream == NULL ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *),
                               void *argument)
{
    if (stream == NULL) return cudaErrorInvalidValue;
    function(argument);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size_bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const char *device = kind == cudaMemcpyHostToDevice ? to : from;
    const char *host = kind == cudaMemcpyHostToDevice ? from : to;

    if (stream == NULL || on_device(host, 1) || !on_device(device, size_bytes)) {
        return cudaErrorInvalidValue;
    }
    memcpy(to, from, size_bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (to_pitch < width || from_pitch < width) return cudaErrorInvalidValue;
    for (size_t row = 0; row < height; row++) {
        cudaError_t error =
            cudaMemcpyAsync((char *)to + row * to_pitch,
                            (const char *)from + row * from_pitch, width, kind, stream);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = malloc(1);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    return handle == NULL || stream == NULL ? CUBLAS_STATUS_NOT_INITIALIZED
                                            : CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? "success" : "not initialized";
}
