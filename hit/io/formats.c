/* SPDX-License-Identifier: MIT
 * The formats of the library, one line each, and the list of a program's own. */
#include "hit/io/formats.h"

#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/io/io_impl.h"

#include <string.h>

#define EACH_FORMAT(DO)                                                                  \
    DO(hit_format_npy)                                                                   \
    DO(hit_format_hdf5)                                                                  \
    DO(hit_format_vtkhdf)                                                                \
    DO(hit_format_zarr)

#define DECLARE(format) extern const hit_format format;
#define ADDRESS(format) &(format),

EACH_FORMAT(DECLARE)

static const hit_format *const table[] = {EACH_FORMAT(ADDRESS)};

static const void *listed(int k)
{
    return k < (int)(sizeof(table) / sizeof(table[0])) ? table[k] : NULL;
}

static const hit_registry_kind formats = {"a format", "format name", listed};

const hit_format *hit_format_number(const hit_context *context, int k)
{
    return hit_registry_at(&formats, context->formats, k);
}

hit_status hit_format_find(const hit_context *context, const char *name,
                           const hit_format **format)
{
    const void *found = NULL;
    const hit_status status =
        hit_registry_find(&formats, context->formats, name, strlen(name), &found);

    *format = found;
    return status;
}

static bool is_whole(const hit_format *format)
{
    return format != NULL && format->name != NULL && format->create != NULL &&
           format->open != NULL && format->write != NULL && format->read != NULL &&
           format->close != NULL;
}

hit_status hit_format_register(hit_context *context, const hit_format *format)
{
    if (context == NULL || !is_whole(format)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context, and a format with name, create, open, "
                        "write, read and close, but one of them is NULL");
    }
    return hit_registry_add(&formats, &context->formats, format);
}
