/* SPDX-License-Identifier: MIT
 * A few pieces of memory, each in use or not. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    ROOM = 32 /* pieces; more are not kept */
};

typedef struct piece {
    void *memory; /* NULL: nothing */
    size_t size_bytes;
    bool used;
} piece;

struct hit_spare {
    piece piece[ROOM];
};

hit_status hit_spare_create(hit_spare **spare)
{
    return hit_memory_zeroed(1, sizeof(**spare), spare);
}

void hit_spare_destroy(hit_spare **spare)
{
    if (*spare == NULL) return;
    for (int k = 0; k < ROOM; k++) {
        hit_memory_release(&(*spare)->piece[k].memory);
    }
    free(*spare);
    *spare = NULL;
}

/* The smallest unused piece that is large enough; NULL: none. */
static piece *find(hit_spare *spare, size_t size_bytes)
{
    piece *best = NULL;

    for (int k = 0; k < ROOM; k++) {
        piece *one = &spare->piece[k];

        if (one->memory == NULL || one->used || one->size_bytes < size_bytes) continue;
        if (best == NULL || one->size_bytes < best->size_bytes) best = one;
    }
    return best;
}

/* Give all unused pieces back: they are too small. */
static void drop_unused(hit_spare *spare)
{
    for (int k = 0; k < ROOM; k++) {
        if (!spare->piece[k].used) hit_memory_release(&spare->piece[k].memory);
    }
}

static piece *find_room(hit_spare *spare)
{
    for (int k = 0; k < ROOM; k++) {
        if (spare->piece[k].memory == NULL) return &spare->piece[k];
    }
    return NULL;
}

hit_status hit_spare_take(hit_spare *spare, size_t size_bytes, const char *what,
                          void **memory)
{
    piece *found;

    if (spare == NULL) return hit_memory_take(size_bytes, what, memory);
    found = find(spare, size_bytes);
    if (found == NULL) {
        /* for a larger one; what is not needed now is not touched */
        const size_t more = size_bytes <= SIZE_MAX / 2 ? 2 * size_bytes : size_bytes;

        drop_unused(spare);
        found = find_room(spare);
        if (found == NULL || hit_memory_take(more, what, memory) != HIT_OK) {
            return hit_memory_take(size_bytes, what, memory);
        }
        *found = (piece){.memory = *memory, .size_bytes = more};
    }
    found->used = true;
    *memory = found->memory;
    return HIT_OK;
}

void hit_spare_give(hit_spare *spare, void **memory)
{
    for (int k = 0; spare != NULL && *memory != NULL && k < ROOM; k++) {
        if (spare->piece[k].memory != *memory) continue;
        spare->piece[k].used = false;
        *memory = NULL;
        return;
    }
    hit_memory_release(memory);
}
