/* SPDX-License-Identifier: MIT
 * The formats of files: those of the library, and a program's own. */
#ifndef HIT_IO_FORMATS_H
#define HIT_IO_FORMATS_H

#include "hit/io/format.h"

HIT_C_BEGIN

/** Add a format, which hit_tile_write() and hit_tile_read() then find by its name and its
 * endings. @p format is borrowed until hit_close(); each process adds the same formats.
 * @errors HIT_E_ARG NULL, a function is missing, or the name exists; HIT_E_NOMEM */
HIT_API hit_status hit_format_register(hit_context *context, const hit_format *format);

HIT_C_END

#endif
