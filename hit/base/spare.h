/* SPDX-License-Identifier: MIT
 * Memory that is used again and again for about the same: taking it from the system costs
 * a page fault per page, which is what a short measurement must not spend its time on. */
#ifndef HIT_BASE_SPARE_H
#define HIT_BASE_SPARE_H

#include "hit/base/status.h"

typedef struct hit_spare hit_spare;

/** @owner the caller: hit_spare_destroy(), after all was given back
 * @errors HIT_E_NOMEM */
hit_status hit_spare_create(hit_spare **spare);
/** Accepts NULL in *spare; sets it to NULL. */
void hit_spare_destroy(hit_spare **spare);
/** As hit_memory_take(); @p spare NULL: just that. What was given back before is taken
 * first; what is unused and too small goes to the system, so that both never stand side
 * by side.
 * @owner hit_spare_give() @errors HIT_E_NOMEM */
hit_status hit_spare_take(hit_spare *spare, size_t size_bytes, const char *what,
                          void **memory);
/** Give back what was taken from the same @p spare. Accepts NULL in *memory; sets it to
 * NULL. */
void hit_spare_give(hit_spare *spare, void **memory);

#endif
