/* SPDX-License-Identifier: MIT
 * Processes that call something with a tile compare what they call: another tile, index,
 * root, path or option on one of them would otherwise be a wrong result, or no end. */
#include "hit/base/context.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/tile/tile_impl.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t hit_tile_mark(uint64_t hash, const hit_tile *tile)
{
    return hit_hash_word(hit_hash_word(hash, tile->storage->number), tile->shape);
}

static uint64_t mark_call(const void *of)
{
    const hit_tile_call *call = of;
    uint64_t hash = hit_tile_mark(hit_hash_text(HIT_HASH_START, call->name), call->tile);

    if (call->other != NULL) hash = hit_tile_mark(hash, call->other);
    for (int k = 0; k < call->numbers; k++) {
        hash = hit_hash_word(hash, (uint64_t)call->number[k]);
    }
    if (call->path != NULL) hash = hit_hash_text(hash, call->path);
    return hit_hash_text(hash, call->options != NULL ? call->options : "");
}

static void say_tile(const hit_tile *tile, const char *before, char *text, size_t size)
{
    char domain[128];

    hit_domain_print(&tile->domain, domain, sizeof(domain));
    hit_text_add(text, size, "%s%.60s of %s", before, tile->storage->name, domain);
}

static void say_call(const void *of, char *text, size_t size)
{
    const hit_tile_call *call = of;

    (void)snprintf(text, size, "%s(", call->name);
    say_tile(call->tile, "", text, size);
    if (call->other != NULL) say_tile(call->other, ", ", text, size);
    for (int k = 0; k < call->numbers; k++) {
        hit_text_add(text, size, ", %" PRId64, call->number[k]);
    }
    if (call->path != NULL) hit_text_add(text, size, ", \"%.100s\"", call->path);
    if (call->options != NULL) hit_text_add(text, size, ", \"%.100s\"", call->options);
    hit_text_add(text, size, ")");
}

hit_status hit_tile_agree(const hit_tile_call *call, hit_status status)
{
    const hit_comm_call all = {mark_call, say_call, call};

    return hit_comm_agree_on(call->tile->storage->context->comm, status, &all);
}
