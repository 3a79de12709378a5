/* SPDX-License-Identifier: MIT
 * Work on the device that is played: carried out as late as the program's waits allow, or
 * at some moment before, as the dice have it. A program that forgets to wait reads old
 * elements. */
#ifndef TESTS_SUPPORT_FAKE_STREAMS_H
#define TESTS_SUPPORT_FAKE_STREAMS_H

#include <stdbool.h>

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Let @p stream call @p work with @p argument, which is memory of malloc() and freed
 * afterwards. Accepts NULL in @p argument: no memory. */
#if defined(__GNUC__) /* the played cuBLAS, a library of its own, calls it */
__attribute__((visibility("default")))
#endif
cudaError_t
fake_enqueue(cudaStream_t stream, void (*work)(void *), void *argument);
/** Carry out what @p stream was asked for; does not count as a wait of the host. */
cudaError_t fake_drain(cudaStream_t stream);
/** Carry everything out. */
void fake_run_all(void);
/** Is something left to be carried out? */
bool fake_is_busy(void);
/** As likely as not; the same sequence in every run, or that of the environment variable
 * HIT_SEED. */
bool fake_toss(void);
/** As @p choice says; by dice once in @p times. */
bool fake_chooses(fake_choice choice, unsigned times);
/** Memory that the device may use: its own, or pinned. */
typedef struct fake_memory {
    const char *begin;
    size_t size_bytes;
    unsigned char *known; /**< per byte of the device's: was it ever written?; or NULL */
} fake_memory;

/** The memory that has @p size_bytes at @p at; false: there is none. */
bool fake_find(const void *at, size_t size_bytes, fake_memory *out);
/** What cudaGetLastError() answers next, unless it is cudaSuccess. Answers @p error. */
cudaError_t fake_error(cudaError_t error);

#ifdef __cplusplus
}
#endif

#endif
