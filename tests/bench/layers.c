/* SPDX-License-Identifier: MIT
 * The last layer of a cube of 64 or 256, of floats or doubles: to a buffer and back, as
 * messages are packed and unpacked, beside plain loops that do the same. Cubes are taken
 * in turn, so that those of 256 come from memory. One thread. */
#include "hit/base/alloc.h"
#include "hit/data/ndcopy.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>

enum {
    CUBES = 16,
    TIMES = 64
};

typedef struct setting {
    hit_index size;
    size_t element_bytes;
    void *cube[CUBES];
    void *buffer;
} setting;

static void *take(size_t size_bytes)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take(size_bytes, "a cube", &memory));
    memset(memory, 0, size_bytes);
    return memory;
}

static double run_ours(void *context)
{
    const setting *s = context;
    const hit_domain all = hit_domain_of(s->size, s->size, s->size / 2 + 1);
    hit_domain layer = all;
    const double start = bench_time();

    layer.sig[2] = hit_sig_make(s->size / 2, s->size / 2, 1);
    for (int t = 0; t < TIMES; t++) {
        const hit_view cube = hit_view_make(&all, s->element_bytes, s->cube[t % CUBES]);
        const hit_view packed = hit_view_make(&layer, s->element_bytes, s->buffer);
        const hit_ndcopy pack = hit_ndcopy_make(&cube, &packed, &layer, NULL);
        const hit_ndcopy unpack = hit_ndcopy_make(&packed, &cube, &layer, NULL);

        hit_ndcopy_run(&pack, cube.data, packed.data);
        hit_ndcopy_run(&unpack, packed.data, cube.data);
    }
    return (bench_time() - start) / TIMES;
}

#define COPY(T)                                                                          \
    for (hit_index k = 0; k < rows; k++) {                                               \
        ((T *)s->buffer)[k] = ((T *)cube)[k * width + width - 1];                        \
    }                                                                                    \
    for (hit_index k = 0; k < rows; k++) {                                               \
        ((T *)cube)[k * width + width - 1] = ((T *)s->buffer)[k];                        \
    }

static double run_plain(void *context)
{
    const setting *s = context;
    const hit_index rows = s->size * s->size;
    const hit_index width = s->size / 2 + 1;
    const double start = bench_time();

    for (int t = 0; t < TIMES; t++) {
        void *cube = s->cube[t % CUBES];

        if (s->element_bytes == sizeof(float)) {
            COPY(float)
        } else {
            COPY(double)
        }
    }
    return (bench_time() - start) / TIMES;
}

static void measure(hit_index size, size_t element_bytes)
{
    const size_t elements = (size_t)(size * size * (size / 2 + 1));
    setting s = {.size = size, .element_bytes = element_bytes};
    char name[60];

    for (int k = 0; k < CUBES; k++) {
        s.cube[k] = take(elements * element_bytes);
    }
    s.buffer = take((size_t)(size * size) * element_bytes);
    (void)snprintf(name, sizeof(name), "layers-%s-%lld",
                   element_bytes == sizeof(float) ? "float" : "double", (long long)size);
    bench_pair(name, run_ours, run_plain, &s, true);
    for (int k = 0; k < CUBES; k++) {
        hit_memory_release(&s.cube[k]);
    }
    hit_memory_release(&s.buffer);
}

int main(void)
{
    measure(64, sizeof(float));
    measure(256, sizeof(float));
    measure(256, sizeof(double));
    return 0;
}
