/* SPDX-License-Identifier: MIT
 * Internal: names of element types, for messages. */
#ifndef HIT_BASE_KIND_H
#define HIT_BASE_KIND_H

#include "hit/base/types.h"

/** "float", "int32" ...; "plain bytes" for all other types. */
const char *hit_kind_name(hit_kind kind);

#endif
