/* SPDX-License-Identifier: MIT
 * Arrays in which known bytes surround what a tile may use. */
#include "tests/support/own_array.h"

#include "hit/data/ndcopy.h"
#include "hit/topo/layout_plugin.h"

#include <stdlib.h>
#include <string.h>

enum {
    CANARY = 0xa5,
    GHOST = 0x3c,
    BESIDE = 64 /* bytes before and behind */
};

bool own_array_may(const hit_layout *layout)
{
    bool may = true;

    for (int rank = 0; rank < hit_layout_ranks(layout); rank++) {
        hit_region part = {0};

        HIT_MUST(hit_layout_part(layout, rank, &part));
        may = may && part.count <= 1;
        hit_region_clear(&part);
    }
    return may;
}

static hit_domain owned_by(const hit_layout *layout, int rank)
{
    hit_domain owned = hit_domain_empty(1);
    hit_region part = {0};

    HIT_MUST(hit_layout_part(layout, rank, &part));
    if (part.count > 0) owned = part.part[0];
    hit_region_clear(&part);
    return owned;
}

own_array own_array_make(const hit_layout *layout, int rank, size_t size_bytes,
                         hit_index most, hit_random *random)
{
    own_array own = {.owned = owned_by(layout, rank)};
    hit_domain all = own.owned;
    hit_index step = 1;
    char ghost[64];
    const bool pads = hit_random_index(random, 0, 1) == 1;

    if (hit_domain_is_empty(&own.owned)) return own;
    own.view = (hit_view){.size_bytes = size_bytes};
    for (int d = all.dims - 1; d >= 0; d--) {
        hit_index *before = &own.array.before[d];
        hit_index *behind = &own.array.behind[d];

        if (all.sig[d].stride == 1) {
            *before = hit_random_index(random, 0, most);
            *behind = hit_random_index(random, 0, most);
        }
        all.sig[d].begin -= *before;
        all.sig[d].end += *behind;
        own.view.stride_bytes[d] = (ptrdiff_t)step * (ptrdiff_t)size_bytes;
        if (pads) own.array.stride[d] = step;
        step *= hit_sig_count(all.sig[d]);
        if (pads && d > 0) step += hit_random_index(random, 0, 3);
    }
    own.view.domain = all;
    own.bytes = (size_t)step * size_bytes + 2 * (size_t)BESIDE;
    own.memory = malloc(own.bytes);
    if (own.memory == NULL) abort();
    memset(own.memory, CANARY, own.bytes);
    own.view.data = own.memory + BESIDE;
    for (int d = 0; d < all.dims; d++) {
        own.view.data += own.array.before[d] * own.view.stride_bytes[d];
    }
    own.array.first = own.view.data;
    own.view.data = own.memory + BESIDE;
    memset(ghost, GHOST, sizeof(ghost));
    hit_view_fill(&own.view, &all, ghost);
    return own;
}

hit_status own_array_adopt(const own_array *own, hit_layout *layout, hit_type type,
                           const char *name, hit_tile **tile)
{
    const bool owns = !hit_domain_is_empty(&own->owned);

    return hit_tile_adopt(layout, type, name, owns ? &own->array : NULL, tile);
}

/* A copy of the memory in which what may be written is a canary, too. */
bool own_array_is_intact(const own_array *own)
{
    hit_view view = own->view;
    char canary[64];
    bool intact = true;
    char *copy;

    if (own->memory == NULL) return true;
    memset(canary, CANARY, sizeof(canary));
    copy = malloc(own->bytes);
    if (copy == NULL) abort();
    memcpy(copy, own->memory, own->bytes);
    view.data = copy + (own->view.data - own->memory);
    hit_view_fill(&view, &view.domain, canary);
    for (size_t b = 0; b < own->bytes && intact; b++) {
        intact = (unsigned char)copy[b] == CANARY;
    }
    free(copy);
    return intact;
}

void own_array_free(own_array *own)
{
    free(own->memory);
    own->memory = NULL;
}
