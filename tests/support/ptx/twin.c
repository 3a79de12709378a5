/* SPDX-License-Identifier: MIT
 * Memory of the played GPU and the same on the host. */
#include "tests/support/ptx/twin.h"

#include "tests/support/ptx/runtime.h"

#include <check.h>

#include <stdlib.h>

twin twin_make(hit_random *random, size_t size_bytes)
{
    twin t = {.host = malloc(size_bytes), .size_bytes = size_bytes};

    ck_assert_ptr_nonnull(t.host);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&t.stream, cudaStreamNonBlocking), 0);
    ck_assert_int_eq(cudaMalloc(&t.there, size_bytes), 0);
    for (size_t k = 0; k < size_bytes; k++) {
        t.host[k] = (char)hit_random_index(random, -9, 9);
    }
    return t;
}

void twin_send(twin *t)
{
    ck_assert_int_eq(cudaMemcpyAsync(t->there, t->host, t->size_bytes,
                                     cudaMemcpyHostToDevice, t->stream),
                     0);
}

void twin_fetch(twin *t, char *to)
{
    ck_assert_int_eq(
        cudaMemcpyAsync(to, t->there, t->size_bytes, cudaMemcpyDeviceToHost, t->stream),
        0);
    ck_assert_int_eq(cudaStreamSynchronize(t->stream), 0);
}

void twin_clear(twin *t)
{
    ck_assert_int_eq(cudaFree(t->there), 0);
    ck_assert_int_eq(cudaStreamDestroy(t->stream), 0);
    free(t->host);
}

char *twin_at(const twin *t, bool there, hit_index bytes)
{
    return (there ? (char *)t->there : t->host) + bytes;
}

void twin_limit(hit_random *random, int trial, unsigned strided)
{
    unsigned most[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

    for (unsigned d = 0; d < 3 && trial % 2 == 1; d++) {
        if ((strided >> d & 1u) != 0) most[d] = (unsigned)hit_random_index(random, 1, 2);
    }
    ptx_most_blocks((ptx_dim3){most[0], most[1], most[2]});
}

hit_index twin_low(hit_random *random, int trial)
{
    static const hit_index around[] = {
        0, 0, (hit_index)1 << 32, 0, -((hit_index)1 << 32), 0, (hit_index)1 << 33};

    return around[trial % 7] + hit_random_index(random, -20, 20);
}

bool twin_divides_little(bool by_one)
{
    static ptx_divisions before;
    const ptx_divisions now = ptx_needless_divisions();
    const bool little =
        now.small == before.small && (!by_one || now.by_one == before.by_one);

    before = now;
    return little;
}
