/* SPDX-License-Identifier: MIT
 * Internal: launches of a chain on several devices whose memory is smaller than their
 * tiles. Each device has some rows of the results, and runs the launches on these and so
 * far around them as its later launches need: what is run twice gives the same bits. Of
 * what others have it needs the rows as they are before the launches begin. One device
 * has all rows, and nothing is run twice. */
#ifndef HIT_CHAIN_CUT_H
#define HIT_CHAIN_CUT_H

#include "hit/base/status.h"
#include "hit/chain/deep.h"
#include "hit/chain/stream.h"

/** Launches, of which each has some of its positions; the numbers are those of the block.
 */
typedef struct hit_chain_narrow {
    hit_skew chain;
    hit_chain_launch launch[HIT_CHAIN_LAUNCHES];
    const hit_chain_launch *list[HIT_CHAIN_LAUNCHES];
} hit_chain_narrow;

/** Where elements lie, as seen by a device. */
typedef enum hit_chain_side {
    HIT_CHAIN_BELOW, /**< in rows of devices before */
    HIT_CHAIN_OWN,   /**< in its own */
    HIT_CHAIN_ABOVE,
    HIT_CHAIN_SIDES
} hit_chain_side;

/** What one of the devices does. */
typedef struct hit_chain_share {
    bool runs;          /**< false: there are too few rows, and what follows is not set */
    hit_chain_rows own; /**< the first one has all rows before, the last one all behind */
    hit_chain_stream plan;
    hit_chain_narrow *narrow; /**< NULL: it is the only one, and runs all */
} hit_chain_share;

typedef struct hit_chain_cut {
    int shares;
    hit_index *weight; /**< of each share: of the rows it has as many; 1 at first */
    hit_chain_share *share;
    uint32_t written;      /**< by the launches planned last: storages, a bit each */
    hit_deep_launch *work; /**< of these; NULL: there is one share */
} hit_chain_cut;

/** @owner the caller: hit_chain_cut_destroy() @errors HIT_E_NOMEM */
hit_status hit_chain_cut_create(int shares, hit_chain_cut **cut);
/** Accepts NULL in *cut; sets it to NULL. */
void hit_chain_cut_destroy(hit_chain_cut **cut);

/** Why several devices cannot share the first @p launches launches of a chain; NULL: they
 * can, and any of them that follow each other. Pure, as all below. */
const char *hit_chain_cut_refused(const hit_skew *chain,
                                  const hit_chain_launch *const launch[], int launches);
/** Plan what each share does, as hit_chain_stream_plan() does for one device; the limit
 * of memory is that of each. The launches must not be refused. False: they do not fit, or
 * move more bytes together than each of them alone. */
bool hit_chain_cut_plan(hit_chain_cut *cut, const hit_chain_stream_request *request);
/** The same where more of the @p count launches of a block follow, as many at a time:
 * what they overwrite need not go out. request->dead is for those that nothing follows.
 */
bool hit_chain_cut_plan_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                              int count);
/** How many of the launches are best run at a time, a multiple of @p period where that
 * fits: those whose bytes, per launch, cost least where the same launches follow them. 0:
 * not even one fits. */
int hit_chain_cut_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                        int period);
/** The bytes that cross by the plan, in both directions. */
uint64_t hit_chain_cut_bytes(const hit_chain_cut *cut);

/** Of the rows @p box of a storage those that lie on @p side of the share. */
hit_domain hit_chain_share_side(const hit_chain_share *share, int storage, hit_domain box,
                                hit_chain_side side);
/** What the share needs on @p side as it is before the launches begin, and another share
 * may send meanwhile. */
hit_domain hit_chain_cut_halo(const hit_chain_cut *cut, const hit_chain_share *share,
                              int storage, hit_chain_side side);

#endif
