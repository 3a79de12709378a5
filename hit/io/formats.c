/* SPDX-License-Identifier: MIT
 * The formats of the library, one line each, and the list of a program's own. */
#include "hit/io/formats.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/io/formats_impl.h"

#include <stdlib.h>
#include <string.h>

#define EACH_FORMAT(DO)                                                                  \
    DO(hit_format_npy)                                                                   \
    DO(hit_format_hdf5)

#define DECLARE(format) extern const hit_format format;
#define ADDRESS(format) &(format),

EACH_FORMAT(DECLARE)

static const hit_format *const table[] = {EACH_FORMAT(ADDRESS)};

struct hit_format_registry {
    const hit_format *format;
    struct hit_format_registry *next;
};

const hit_format *hit_format_number(const hit_context *context, int k)
{
    const int listed = sizeof(table) / sizeof(table[0]);
    const struct hit_format_registry *own = context->formats;

    if (k < listed) return table[k];
    for (int at = listed; at < k && own != NULL; at++) {
        own = own->next;
    }
    return own == NULL ? NULL : own->format;
}

static bool is_whole(const hit_format *format)
{
    return format != NULL && format->name != NULL && format->create != NULL &&
           format->open != NULL && format->write != NULL && format->read != NULL &&
           format->close != NULL;
}

hit_status hit_format_register(hit_context *context, const hit_format *format)
{
    struct hit_format_registry *added = NULL;
    struct hit_format_registry **end;
    const hit_format *there;

    if (context == NULL || !is_whole(format)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context, and a format with name, create, open, "
                        "write, read and close, but one of them is NULL");
    }
    for (int k = 0; (there = hit_format_number(context, k)) != NULL; k++) {
        if (strcmp(there->name, format->name) == 0) {
            return HIT_FAIL(HIT_E_ARG, "expected a new format name but \"%s\" exists",
                            format->name);
        }
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*added), &added));
    added->format = format;
    for (end = &context->formats; *end != NULL;) {
        end = &(*end)->next;
    }
    *end = added;
    return HIT_OK;
}

void hit_format_registry_destroy(struct hit_format_registry **registry)
{
    while (*registry != NULL) {
        struct hit_format_registry *first = *registry;

        *registry = first->next;
        free(first);
    }
}
