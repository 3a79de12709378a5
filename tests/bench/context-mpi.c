/* SPDX-License-Identifier: MIT
 * What a context takes in steady state on process 0, without its tiles: what the library
 * has from malloc() (not what MPI takes) when a time loop of 1,000 steps is over, of
 * launches one by one, in chains, and of narrow launches, which wait in a window. */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel empty;

enum {
    SIZE = 256,
    BLOCK = 16, /* of narrow launches */
    STEPS = 1000
};

/* ---- in the place of those of the C library, where the library calls them ---- */

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's
 */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static atomic_llong taken_bytes;

static void *counted(void *memory)
{
    atomic_fetch_add(&taken_bytes, (long long)malloc_usable_size(memory));
    return memory;
}

static void *uncounted(void *memory)
{
    atomic_fetch_sub(&taken_bytes, (long long)malloc_usable_size(memory));
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    return counted(__real_realloc(uncounted(memory), size));
}

void __wrap_free(void *memory)
{
    __real_free(uncounted(memory));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return counted(__real_aligned_alloc(alignment, size));
}

/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

/* ---- the loops ---- */

static void launch_step(hit_context *hit, hit_tile *next, hit_tile *now, bool narrow)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(SIZE, SIZE), -1);
    const int rows = narrow ? BLOCK : SIZE;

    for (hit_index i = 0; i < SIZE; i += rows) {
        hit_domain box = inner;

        if (i > 0) box.sig[0].begin = i;
        if (i + rows < SIZE) box.sig[0].end = i + rows - 1;
        HIT_MUST(hit_launch(hit, &empty, box, next, now, HIT_VALUE(0.5f)));
    }
}

static void print_bytes(int *argc, char ***argv, const char *name, int chain, bool narrow)
{
    const long long before = taken_bytes;
    hit_context *hit = NULL;
    hit_tile *now = NULL;
    hit_tile *next = NULL;

    HIT_MUST(
        hit_open_with(argc, argv, &(hit_options){.devices = "host:threads=2"}, &hit));
    HIT_MUST(hit_chain(hit, chain));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(SIZE, SIZE), "block", HIT_FLOAT, "now", &now));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(SIZE, SIZE), "block", HIT_FLOAT, "next", &next));
    for (int t = 0; t < STEPS; t++) {
        launch_step(hit, next, now, narrow);
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_wait(hit));
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    if (hit_rank(hit) == 0) {
        bench_figure(name, (double)(taken_bytes - before) / 1000, "KB");
    }
    hit_close(&hit);
}

int main(int argc, char **argv)
{
    hit_context *first = NULL; /* MPI lives as long */

    HIT_MUST(hit_open(&argc, &argv, &first));
    print_bytes(&argc, &argv, "context one-by-one", HIT_CHAIN_OFF, false);
    print_bytes(&argc, &argv, "context chains", HIT_CHAIN_ANY, false);
    print_bytes(&argc, &argv, "context narrow", HIT_CHAIN_OFF, true);
    hit_close(&first);
    return 0;
}
