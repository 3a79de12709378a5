/* SPDX-License-Identifier: MIT
 * Which library this is. */
#ifndef HIT_BASE_VERSION_H
#define HIT_BASE_VERSION_H

#include "hit/base/status.h"

HIT_C_BEGIN

/** The library's version, "0.1.0". */
HIT_API const char *hit_version(void);

HIT_C_END

#endif
