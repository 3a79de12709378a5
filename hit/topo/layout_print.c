/* SPDX-License-Identifier: MIT
 * Layouts as text, one line per rank. */
#include "hit/topo/layout_print.h"

#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <string.h>

/** Text of a known size that is being written. */
typedef struct page {
    char *text;
    size_t size;
    size_t used;
} page;

static bool is_full(const page *p)
{
    return p->used + 1 >= p->size;
}

static void write_text(page *p, const char *text)
{
    size_t length = strlen(text);

    if (p->size == 0) return;
    if (length > p->size - 1 - p->used) length = p->size - 1 - p->used;
    memcpy(p->text + p->used, text, length);
    p->used += length;
    p->text[p->used] = '\0';
}

static void write_head(page *p, const hit_layout *layout)
{
    char line[256];

    write_text(p, layout->ops->name);
    for (int i = 0; i < layout->spec.options; i++) {
        write_text(p, i == 0 ? ":" : ",");
        write_text(p, layout->spec.key[i]);
        write_text(p, "=");
        write_text(p, layout->spec.value[i]);
    }
    hit_domain_print(&layout->spec.domain, line, sizeof line);
    write_text(p, " splits ");
    write_text(p, line);
    (void)snprintf(line, sizeof line, " over %d ranks\n", layout->spec.ranks);
    write_text(p, line);
}

hit_status hit_layout_print(const hit_layout *layout, char *text, size_t size)
{
    page p = {text, size, 0};

    if (layout == NULL || (text == NULL && size > 0)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout and a place for its text but found NULL");
    }
    if (size > 0) text[0] = '\0';
    write_head(&p, layout);
    for (int rank = 0; rank < layout->spec.ranks && !is_full(&p); rank++) {
        hit_region part = {0};
        char line[256];

        HIT_TRY(hit_layout_part(layout, rank, &part));
        (void)snprintf(line, sizeof line, "rank %d:", rank);
        write_text(&p, line);
        if (part.count == 0) write_text(&p, " nothing");
        for (int i = 0; i < part.count && !is_full(&p); i++) {
            hit_domain_print(&part.part[i], line, sizeof line);
            write_text(&p, i == 0 ? " " : ", ");
            write_text(&p, line);
        }
        write_text(&p, "\n");
        hit_region_clear(&part);
    }
    return HIT_OK;
}
