/* SPDX-License-Identifier: MIT
 * Internal: what the files of the dependency log share. */
#ifndef HIT_DATA_FENCE_IMPL_H
#define HIT_DATA_FENCE_IMPL_H

#include "hit/data/fence.h"
#include "hit/data/hash.h"
#include "hit/data/region.h"

enum {
    HIT_FENCE_MANY = 1024, /* boxes: those that are over are looked for, and when they
                              double. A program that goes over fewer blocks again and
                              again finds them all */
    HIT_FENCE_MOST = 4096  /* boxes; beyond that all of a piece become one, which waits
                              for more */
};

typedef struct hit_fence_entry {
    int piece;
    hit_domain box;
    hit_loose_list writers; /* events of the loose source */
    hit_loose_list readers;
    uint64_t event[]; /* per source: the last write, then per source: the last read */
} hit_fence_entry;

struct hit_fence {
    int sources;
    int loose; /* one of them; -1: none */
    const uint64_t *over;
    hit_pool pool; /* of its events */
    int count;
    int room;
    size_t entry_bytes;     /* with its events */
    char *entries;          /* the last one takes the place of one that goes */
    hit_outlines *outlines; /* of their boxes */
    hit_table by_box;
    hit_region rest; /* kept, so that its memory is used again */
    uint64_t *all; /* events of accesses that count as those to all elements; in the same
                      block of memory */
    bool folded;
    int sweeps; /* with so many boxes, those that are over are looked for */
    uint64_t scans;
};

static inline hit_fence_entry *hit_fence_at(const hit_fence *fence, int k)
{
    return (hit_fence_entry *)(void *)(fence->entries + (size_t)k * fence->entry_bytes);
}

/** Number @p k has another box. */
void hit_fence_note_box(hit_fence *fence, int k);
/** The last entry gets number @p k. */
void hit_fence_take_out(hit_fence *fence, int k);
bool hit_fence_is_over(const hit_fence *fence, const hit_fence_entry *e);

/* fence_short.c */

/** Before one more box is put in. */
void hit_fence_shorten(hit_fence *fence);

#endif
