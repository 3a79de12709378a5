/* SPDX-License-Identifier: MIT
 * Options of layouts. */
#include "hit/topo/layout_text.h"

#include "hit/base/registry.h"
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

static hit_status unknown_option(const hit_layout_spec *spec, const char *const known[],
                                 const char *key)
{
    hit_names names;

    hit_names_begin(&names, key, strlen(key));
    for (int k = 0; known[k] != NULL; k++) {
        hit_names_add(&names, known[k]);
    }
    return HIT_FAIL(HIT_E_ARG, "layout %s: unknown option %s%s; options: %s",
                    spec->ops->name, key, hit_names_hint(&names), spec->ops->help);
}

hit_status hit_layout_only(const hit_layout_spec *spec, const char *const known[])
{
    for (int i = 0; i < spec->options; i++) {
        int k = 0;

        while (known[k] != NULL && strcmp(known[k], spec->key[i]) != 0) {
            k++;
        }
        if (known[k] == NULL) return unknown_option(spec, known, spec->key[i]);
    }
    return HIT_OK;
}

hit_status hit_layout_tell(const hit_layout_spec *spec, hit_status status)
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
    return hit_layout_tell(spec, hit_number_read(what, text, low, high, value));
}

hit_status hit_layout_option_list(const hit_layout_spec *spec, const char *key,
                                  char separator, int *count, hit_index value[])
{
    const char *text = hit_layout_option(spec, key, NULL);
    char what[32];

    *count = 0;
    if (text == NULL) return HIT_OK;
    (void)snprintf(what, sizeof what, "%s=", key);
    return hit_layout_tell(
        spec, hit_number_list(what, text, &(hit_number_shape){separator, 0, HIT_MAX_DIMS},
                              count, value));
}
