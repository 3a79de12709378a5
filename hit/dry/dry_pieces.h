/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: how long launches of a chain take that go through the memory of a
 * device in pieces: their stream runs on a simulated device. */
#ifndef HIT_DRY_DRY_PIECES_H
#define HIT_DRY_DRY_PIECES_H

#include "hit/dry/seen.h"
#include "hit/run/chain_pieces.h"

/** The time of the launches that @p p->plan has, of a block of @p count, on process
 * @p rank. Records have the numbers of their classes in @p seen.
 * What fills a rim takes no time; tiles of a piece save none. @errors HIT_E_NOMEM */
hit_status hit_dry_pieces_time(hit_chain_pieces *p, int count, int rank,
                               const hit_seen *seen, hit_forecast *time);

#endif
