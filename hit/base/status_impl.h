/* SPDX-License-Identifier: MIT
 * Internal: what else the library knows of the failures of a thread. */
#ifndef HIT_BASE_STATUS_IMPL_H
#define HIT_BASE_STATUS_IMPL_H

#include "hit/base/status.h"

/** How many texts were recorded on this thread so far. */
uint64_t hit_status_failures(void);

#endif
