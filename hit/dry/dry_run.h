/* SPDX-License-Identifier: MIT
 * Dry runs (docs/dry-run.md). The library neither runs nor writes anything in one; a
 * program that writes files of its own asks first. */
#ifndef HIT_DRY_DRY_RUN_H
#define HIT_DRY_DRY_RUN_H

#include "hit/base/types.h"

#include <stdbool.h>

HIT_C_BEGIN

/** Are launches of @p context planned and not run (HIT_PLAN)? Of NULL: no.
 * @collective no */
HIT_API bool hit_is_dry_run(const hit_context *context);

HIT_C_END

#endif
