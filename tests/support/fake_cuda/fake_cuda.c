/* SPDX-License-Identifier: MIT
 * One device of 96 MiB. Every copy must stay inside one allocation of the device, and
 * pinned memory counts as both sides. What the contract of CUDA allows but no machine
 * does every time is done by dice: host memory is not pinned, and copies from memory that
 * is not pinned are read when they are asked for. For one thread at a time. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "fake_streams.h"

enum {
    TOTAL_BYTES = 96 << 20,
    ALLOCATIONS = 64,
    PINNED = 4096
};

/* a test program has no context to hang this on */
static struct {
    char *memory;
    size_t size_bytes;
    unsigned char *known; /* per byte: was it ever written? */
} allocation[ALLOCATIONS];
static size_t used_bytes;
static struct {
    const char *begin;
    size_t size_bytes;
} pinned[PINNED];

fake_choice fake_refuses_pins;
fake_choice fake_reads_early;
fake_choice fake_refuses_kernels = FAKE_NEVER;

static bool overlaps_pinned(const char *begin, size_t size_bytes)
{
    for (int k = 0; k < PINNED; k++) {
        if (pinned[k].begin == NULL || begin + size_bytes <= pinned[k].begin) continue;
        if (begin < pinned[k].begin + pinned[k].size_bytes) return true;
    }
    return false;
}

static cudaError_t pin(const void *memory, size_t size_bytes)
{
    for (int k = 0; k < PINNED; k++) {
        if (pinned[k].begin != NULL) continue;
        pinned[k].begin = memory;
        pinned[k].size_bytes = size_bytes;
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

static cudaError_t unpin(const void *memory)
{
    fake_run_all();
    for (int k = 0; k < PINNED; k++) {
        if (memory == NULL || pinned[k].begin != memory) continue;
        pinned[k].begin = NULL;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

bool fake_find(const void *at, size_t size_bytes, fake_memory *out)
{
    const char *first = at;

    for (int k = 0; k < ALLOCATIONS; k++) {
        const char *begin = allocation[k].memory;
        if (begin == NULL || first < begin) continue;
        if (first + size_bytes > begin + allocation[k].size_bytes) continue;
        *out = (fake_memory){begin, allocation[k].size_bytes, allocation[k].known};
        return true;
    }
    for (int k = 0; k < PINNED; k++) {
        const char *begin = pinned[k].begin;
        if (begin == NULL || first < begin) continue;
        if (first + size_bytes > begin + pinned[k].size_bytes) continue;
        *out = (fake_memory){begin, pinned[k].size_bytes, NULL};
        return true;
    }
    return false;
}

static bool is_pinned(const char *at, size_t size_bytes)
{
    fake_memory memory;

    return fake_find(at, size_bytes, &memory) && memory.known == NULL;
}

static bool on_device(const char *at, size_t size_bytes)
{
    fake_memory memory;

    return fake_find(at, size_bytes, &memory) && memory.known != NULL;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorIllegalAddress:
        return "an illegal memory access was encountered";
    default:
        return "invalid argument";
    }
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

cudaError_t cudaDeviceGetPCIBusId(char *bus, int size, int device)
{
    if (device != 0) return cudaErrorInvalidDevice;
    (void)snprintf(bus, (size_t)size, "0000:17:00.0");
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
        allocation[k].known = calloc(size_bytes, 1);
        if (allocation[k].memory == NULL || allocation[k].known == NULL) abort();
        allocation[k].size_bytes = size_bytes;
        used_bytes += size_bytes;
        *memory = allocation[k].memory;
        return cudaSuccess;
    }
    return fake_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *memory)
{
    for (int k = 0; k < ALLOCATIONS; k++) {
        if (memory == NULL || allocation[k].memory != memory) continue;
        fake_run_all();
        used_bytes -= allocation[k].size_bytes;
        allocation[k].memory = NULL;
        free(allocation[k].known);
        free(memory);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaMallocHost(void **memory, size_t size_bytes)
{
    *memory = malloc(size_bytes);
    return *memory == NULL ? cudaErrorMemoryAllocation : pin(*memory, size_bytes);
}

cudaError_t cudaFreeHost(void *memory)
{
    const cudaError_t error = unpin(memory);

    if (error == cudaSuccess) free(memory);
    return error;
}

cudaError_t cudaHostRegister(void *memory, size_t size_bytes, unsigned flags)
{
    (void)flags;
    if (overlaps_pinned(memory, size_bytes)) {
        return fake_error(cudaErrorHostMemoryAlreadyRegistered);
    }
    if (fake_chooses(fake_refuses_pins, 3)) return fake_error(cudaErrorMemoryAllocation);
    return fake_error(pin(memory, size_bytes));
}

cudaError_t cudaHostUnregister(void *memory)
{
    return fake_error(unpin(memory) == cudaSuccess ? cudaSuccess
                                                   : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *at)
{
    attributes->type = cudaMemoryTypeUnregistered;
    if (on_device(at, 1)) attributes->type = cudaMemoryTypeDevice;
    if (is_pinned(at, 1)) attributes->type = cudaMemoryTypeHost;
    return cudaSuccess;
}

typedef struct copying {
    void *to;
    const void *from;
    size_t size_bytes;
} copying;

static void copy_now(void *argument)
{
    const copying *c = argument;
    fake_memory memory;

    memcpy(c->to, c->from, c->size_bytes);
    if (fake_find(c->to, c->size_bytes, &memory) && memory.known != NULL) {
        memset(memory.known + ((char *)c->to - memory.begin), 1, c->size_bytes);
    }
}

/* With the elements as they are now, behind it in the same memory, if it is early. */
static cudaError_t start_copy(const copying *wanted, bool early, cudaStream_t stream)
{
    copying *c = malloc(sizeof(*c) + (early ? wanted->size_bytes : 0));

    if (c == NULL) abort();
    *c = *wanted;
    if (early) {
        c->from = c + 1;
        memcpy(c + 1, wanted->from, wanted->size_bytes);
    }
    return fake_enqueue(stream, copy_now, c);
}

/* If the host's memory is not pinned, the driver may wait for the stream and for the
 * copy, or read what is sent at once. */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size_bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const bool in = kind == cudaMemcpyHostToDevice;
    const char *device = in ? to : from;
    const char *host = in ? from : to;
    const bool pageable = !is_pinned(host, size_bytes);
    const bool early = in && pageable && fake_chooses(fake_reads_early, 2);
    cudaError_t error;

    if (stream == NULL || on_device(host, 1) || !on_device(device, size_bytes)) {
        return fake_error(cudaErrorInvalidValue);
    }
    error = start_copy(&(copying){to, from, size_bytes}, early, stream);
    if (error != cudaSuccess || !pageable) return error;
    return fake_toss() ? fake_drain(stream) : cudaSuccess;
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
