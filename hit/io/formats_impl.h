/* SPDX-License-Identifier: MIT
 * Internal: formats in turn. */
#ifndef HIT_IO_FORMATS_IMPL_H
#define HIT_IO_FORMATS_IMPL_H

#include "hit/io/format.h"

/** Format number @p k, those of the library first; NULL: there are no more. */
const hit_format *hit_format_number(const hit_context *context, int k);

#endif
