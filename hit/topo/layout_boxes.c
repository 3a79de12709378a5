/* SPDX-License-Identifier: MIT
 * Boxes as text: "0:4x0:9;5:9x0:4,5:9x5:9", with ';' between ranks and ',' between the
 * boxes of one. A layout that is made of it prints so, and can be read again. */
#include "hit/base/memory.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 66 * HIT_MAX_DIMS /* characters of a box, with what follows it */
};

static size_t print_box(const hit_domain *box, char *text)
{
    size_t used = 0;

    if (box->dims == 0) return (size_t)snprintf(text, MOST, "()");
    for (int d = 0; d < box->dims; d++) {
        const hit_sig sig = box->sig[d];

        used +=
            (size_t)snprintf(text + used, MOST - used, "%s%lld:%lld", d == 0 ? "" : "x",
                             (long long)sig.begin, (long long)sig.end);
        if (sig.stride == 1) continue;
        used +=
            (size_t)snprintf(text + used, MOST - used, ":%lld", (long long)sig.stride);
    }
    return used;
}

static hit_status print(int ranks, const hit_region part[], char **options)
{
    size_t most = sizeof "own=";
    char *at;

    for (int rank = 0; rank < ranks; rank++) {
        most += MOST * (size_t)(part[rank].count + 1);
    }
    HIT_TRY(hit_memory_zeroed(most, 1, options));
    at = *options + sprintf(*options, "own=");
    for (int rank = 0; rank < ranks; rank++) {
        if (rank > 0) *at++ = ';';
        if (part[rank].count == 0) at += sprintf(at, HIT_BOXES_NONE);
        for (int k = 0; k < part[rank].count; k++) {
            if (k > 0) *at++ = ',';
            at += print_box(&part[rank].part[k], at);
        }
    }
    return HIT_OK;
}

hit_status hit_layout_boxes(hit_context *context, hit_domain domain, int ranks,
                            const hit_region part[], hit_layout **layout)
{
    hit_layout_spec wanted = {.domain = domain, .ranks = ranks};
    const char *none;
    char *options = NULL;
    hit_status st;

    HIT_TRY(hit_layout_read(context, "boxes", &wanted.ops, &none));
    st = print(ranks, part, &options);
    if (st == HIT_OK) st = hit_layout_make(context, &wanted, options, layout);
    free(options);
    return st;
}
