/* SPDX-License-Identifier: MIT
 * As much of the CUDA runtime as hit/cuda calls, on the processor: device
 * memory is heap memory that is counted, checked and limited, work is done late. So the
 * CUDA device and the grids of kernels are tested where there is no GPU. */
#ifndef TESTS_SUPPORT_FAKE_CUDA_RUNTIME_API_H
#define TESTS_SUPPORT_FAKE_CUDA_RUNTIME_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713
} cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2
};

enum {
    cudaStreamNonBlocking = 1,
    cudaEventDisableTiming = 2,
    cudaHostRegisterPortable = 1
};

typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;

struct cudaDeviceProp {
    char name[256];
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1, /* pinned */
    cudaMemoryTypeDevice = 2
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
};

extern unsigned long fake_waits; /* how often the host waited for a stream or an event */

/* What CUDA leaves open is left to the dice, unless a test settles it. */
typedef enum fake_choice {
    FAKE_DICE,
    FAKE_NEVER,
    FAKE_ALWAYS
} fake_choice;

extern fake_choice fake_refuses_pins; /* cudaHostRegister */
/* Are copies from memory that is not pinned read when they are asked for? Else when the
 * stream comes there. */
extern fake_choice fake_reads_early;
extern fake_choice fake_refuses_kernels; /* FAKE_NEVER, if no test says otherwise */

/** Let the work number @p number from now on, counted from 1, fail when it is carried
 * out, and all that comes after it: as a kernel does that leaves its memory. */
void fake_fault(unsigned long number);
/** The device works again; CUDA knows of no such thing. */
void fake_repair(void);

const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetPCIBusId(char *bus, int size, int device);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMalloc(void **memory, size_t size_bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMallocHost(void **memory, size_t size_bytes);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t size_bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *at);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/** Now and then some work is done before it answers. */
cudaError_t cudaEventQuery(cudaEvent_t event);
/** Refuses events that were made without timing, and those not recorded, or not yet. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *),
                               void *argument);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size_bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                              size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
