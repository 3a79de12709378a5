/* SPDX-License-Identifier: MIT
 * Layouts as text, one line per rank. */
#include "hit/topo/layout_print.h"

#include "hit/base/text.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <stdlib.h>

static void add_head(const hit_layout *layout, hit_growing *text)
{
    char domain[256];

    hit_growing_add(text, "%s", layout->ops->name);
    for (int i = 0; i < layout->spec.options; i++) {
        hit_growing_add(text, "%s%s=%s", i == 0 ? ":" : ",", layout->spec.key[i],
                        layout->spec.value[i]);
    }
    hit_domain_print(&layout->spec.domain, domain, sizeof domain);
    hit_growing_add(text, " splits %s over %d ranks\n", domain, layout->spec.ranks);
}

hit_status hit_layout_add_text(const hit_layout *layout, size_t most, hit_growing *text)
{
    add_head(layout, text);
    for (int rank = 0; rank < layout->spec.ranks && text->used < most; rank++) {
        hit_region part = {0};
        char box[256];

        HIT_TRY(hit_layout_part(layout, rank, &part));
        hit_growing_add(text, "rank %d:%s", rank, part.count == 0 ? " nothing" : "");
        for (int i = 0; i < part.count && text->used < most; i++) {
            hit_domain_print(&part.part[i], box, sizeof box);
            hit_growing_add(text, "%s%s", i == 0 ? " " : ", ", box);
        }
        hit_growing_add(text, "\n");
        hit_region_clear(&part);
    }
    return text->status;
}

hit_status hit_layout_print(const hit_layout *layout, char *text, size_t size)
{
    hit_growing all = {.text = NULL};
    hit_status st;

    if (layout == NULL || (text == NULL && size > 0)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout and a place for its text but found NULL");
    }
    st = hit_layout_add_text(layout, size, &all);
    if (size > 0) (void)snprintf(text, size, "%s", st == HIT_OK ? all.text : "");
    free(all.text);
    return st;
}
