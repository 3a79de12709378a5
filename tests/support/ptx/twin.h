/* SPDX-License-Identifier: MIT
 * Memory of the played GPU and the same on the host, for tests that launch grids; and how
 * grids are checked besides their results. */
#ifndef TESTS_SUPPORT_PTX_TWIN_H
#define TESTS_SUPPORT_PTX_TWIN_H

#include "tests/support/fake_cuda/cuda_runtime_api.h"
#include "tests/support/random.h"

#include <check.h>

/** The GPU gets what the host has by twin_send(), and twin_fetch() brings it back. */
typedef struct twin {
    cudaStream_t stream;
    char *host;
    void *there;
    size_t size_bytes;
} twin;

/** @owner the caller: twin_clear() */
twin twin_make(hit_random *random, size_t size_bytes);
void twin_send(twin *t);
void twin_fetch(twin *t, char *to);
void twin_clear(twin *t);
/** On the host, or there. */
char *twin_at(const twin *t, bool there, hit_index bytes);

/** Let every other trial run by so few blocks that threads go on with other indices:
 * those of the dimensions of the grid whose bits @p strided has (1: x, 2: y, 4: z). */
void twin_limit(hit_random *random, int trial, unsigned strided);

/** Where a box may begin: around 0, or where 32 bits end. */
hit_index twin_low(hit_random *random, int trial);

/** Has no thread since the last call divided what it could do without? Divisions by 1
 * count where @p by_one says so. */
bool twin_divides_little(bool by_one);

#endif
