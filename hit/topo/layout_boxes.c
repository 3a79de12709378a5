/* SPDX-License-Identifier: MIT
 * Boxes as text: "0:4x0:9;5:9x0:4,5:9x5:9", with ';' between ranks and ',' between the
 * boxes of one. A layout that is made of it prints so, and can be read again. */
#include "hit/base/text.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>

static void print_box(const hit_domain *box, hit_growing *text)
{
    if (box->dims == 0) hit_growing_add(text, "()");
    for (int d = 0; d < box->dims; d++) {
        const hit_sig sig = box->sig[d];

        hit_growing_add(text, "%s%lld:%lld", d == 0 ? "" : "x", (long long)sig.begin,
                        (long long)sig.end);
        if (sig.stride != 1) hit_growing_add(text, ":%lld", (long long)sig.stride);
    }
}

static hit_status print(int ranks, const hit_region part[], char **options)
{
    hit_growing text = {.text = NULL};

    for (int rank = 0; rank < ranks; rank++) {
        hit_growing_add(&text, rank == 0 ? "own=" : ";");
        if (part[rank].count == 0) hit_growing_add(&text, HIT_BOXES_NONE);
        for (int k = 0; k < part[rank].count; k++) {
            if (k > 0) hit_growing_add(&text, ",");
            print_box(&part[rank].part[k], &text);
        }
    }
    return hit_growing_end(&text, options);
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
