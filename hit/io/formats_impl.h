/* SPDX-License-Identifier: MIT
 * Internal: formats in turn. */
#ifndef HIT_IO_FORMATS_IMPL_H
#define HIT_IO_FORMATS_IMPL_H

#include "hit/io/format.h"

/** The format of that name. @errors HIT_E_ARG there is none; lists those that there are
 */
hit_status hit_format_find(const hit_context *context, const char *name,
                           const hit_format **format);
/** Format number @p k, those of the library first; NULL: there are no more. */
const hit_format *hit_format_number(const hit_context *context, int k);

#endif
