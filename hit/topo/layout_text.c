/* SPDX-License-Identifier: MIT
 * The text of layouts: options in, parts out. */
#include "hit/base/number.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <string.h>

hit_status hit_layout_options_read(const char *text, hit_layout *layout)
{
    char whose[64];

    (void)snprintf(whose, sizeof whose, "layout %s", layout->ops->name);
    HIT_TRY(hit_option_read(whose, text, &layout->options));
    layout->spec.options = layout->options.count;
    layout->spec.key = layout->options.key;
    layout->spec.value = layout->options.value;
    return HIT_OK;
}

const char *hit_layout_option(const hit_layout_spec *spec, const char *key,
                              const char *otherwise)
{
    for (int i = 0; i < spec->options; i++) {
        if (strcmp(spec->key[i], key) == 0) return spec->value[i];
    }
    return otherwise;
}

hit_status hit_layout_only(const hit_layout_spec *spec, const char *const known[])
{
    for (int i = 0; i < spec->options; i++) {
        int k = 0;

        while (known[k] != NULL && strcmp(known[k], spec->key[i]) != 0) {
            k++;
        }
        if (known[k] == NULL) {
            return HIT_FAIL(HIT_E_ARG, "layout %s: unknown option %s; options: %s",
                            spec->ops->name, spec->key[i], spec->ops->help);
        }
    }
    return HIT_OK;
}

/** Say whose option it is that cannot be read. */
static hit_status of_layout(const hit_layout_spec *spec, hit_status status)
{
    if (status == HIT_OK) return HIT_OK;
    return HIT_FAIL(status, "layout %s: %s", spec->ops->name, hit_status_text());
}

hit_status hit_layout_option_index(const hit_layout_spec *spec, const char *key,
                                   hit_index low, hit_index high, hit_index *value)
{
    const char *text = hit_layout_option(spec, key, NULL);
    char what[32];

    if (text == NULL) return HIT_OK;
    (void)snprintf(what, sizeof what, "%s=", key);
    return of_layout(spec, hit_number_read(what, text, low, high, value));
}

hit_status hit_layout_option_list(const hit_layout_spec *spec, const char *key,
                                  char separator, int *count, hit_index value[])
{
    const char *text = hit_layout_option(spec, key, NULL);
    char what[32];

    *count = 0;
    if (text == NULL) return HIT_OK;
    (void)snprintf(what, sizeof what, "%s=", key);
    return of_layout(
        spec, hit_number_list(what, text, separator, 0, HIT_MAX_DIMS, count, value));
}

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
