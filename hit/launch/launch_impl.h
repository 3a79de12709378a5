/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/launch share. */
#ifndef HIT_LAUNCH_LAUNCH_IMPL_H
#define HIT_LAUNCH_LAUNCH_IMPL_H

#include "hit/base/status.h"
#include "hit/data/domain.h"
#include "hit/launch/call.h"

/* waves.c: a box of indices that run in order, cut into boxes, which may run as launches
 * in waves: those of a wave need nothing of each other. Pure. */

/** The cuts, by dimension: box c is indices number begin[c] to begin[c + 1] - 1. */
typedef struct hit_waves {
    hit_domain index;
    signed char order[HIT_MAX_DIMS]; /**< hit_kernel.order */
    /** Of two indices of which one needs the other, and which lie apart along p but along
     * no dimension before it: how far, at most, may the later one lie back along q > p?
     * hit_waves_carry() adds to it. */
    hit_index back[HIT_MAX_DIMS][HIT_MAX_DIMS];
    hit_index boxes[HIT_MAX_DIMS];
    hit_index *begin[HIT_MAX_DIMS];
    bool *rim[HIT_MAX_DIMS]; /**< does box c lie beside a cut that was asked for? */
    hit_index weight[HIT_MAX_DIMS]; /**< of a box, in the number of its wave */
} hit_waves;

/** Let some indices need what lies at the distances @p of, a range for each dimension. */
void hit_waves_carry(hit_waves *waves, const hit_sig of[]);
/** Which dimensions have one index in each box, since boxes of more would need each other
 * both ways? Those before another one that is cut, as @p cut says, or is of these.
 * @shape thin, cut: by dimension */
void hit_waves_thin(const hit_waves *waves, const bool cut[], bool thin[]);
/** Cut dimension @p d behind @p count indices, numbers in any order, those of the
 * domain's ends among them or not; and what lies between into equal boxes of at most @p
 * most.
 * @owner hit_waves_clear() @errors HIT_E_NOMEM */
hit_status hit_waves_cut(hit_waves *waves, int d, hit_index count, hit_index cut[],
                         hit_index most);
/** When all dimensions are cut: the weights. */
void hit_waves_weigh(hit_waves *waves);
void hit_waves_clear(hit_waves *waves);
/** Needs each index the one before it in its row, and none one of an earlier row that
 * lies further on? Wherever the indices are; false where that is not known. */
bool hit_waves_in_bands(const hit_known_kernel *known);

/** Call @p visit for each box, wave by wave, until it says false; of a wave those first
 * that lie beside cuts that were asked for: others may wait for them. */
void hit_waves_each(const hit_waves *waves,
                    bool (*visit)(void *of, const hit_domain *box), void *of);

/* ordered.c: launches of kernels whose indices run in an order. */

/** What all processes together have, found at the first such launch. */
typedef struct hit_ordered {
    bool asked;
    uint64_t limit_bytes; /**< of the smallest memory of a device; UINT64_MAX: there is
                               none but the tiles' own */
    uint64_t threads;     /**< of a process in place, at most */
    hit_index least;      /**< indices that are worth a launch beside another one; tests
                               replace it */
} hit_ordered;

enum {
    HIT_ORDERED_LEAST = 3 << 10
};

/** Carry out @p call, of a kernel that is ordered, as launches on boxes, each of which
 * one device of one process runs at once: executors, checks, dry runs and traces see
 * these.
 * @p launch carries out one that may be known. @collective yes
 * @errors those of @p launch */
hit_status hit_launch_ordered(const hit_call *call, hit_status (*launch)(hit_call *call));

/* lookups.c, for scatter.c */

typedef void hit_number_visit(void *of, const hit_index at[], hit_index number);
/** Visit the numbers of this process that @p indices of the launch look up. */
void hit_lookups_each(const hit_call *call, const hit_lookup *lookup,
                      const hit_domain *indices, hit_number_visit *visit, void *of);
/** Pass @p status on; if it is a failure, all processes have one, and leave the launch.
 */
hit_status hit_lookups_leave(const hit_call *call, hit_status status);

/* scatter.c: results whose places stand in data. */

/** Before a plan is made: does no other index write what an index does? Keeps in
 * launcher->marks what is written. All processes say the same. @collective yes
 * @errors HIT_E_PATTERN an element that several do; HIT_E_NOMEM, HIT_E_PEER */
hit_status hit_scatter_check(const hit_call *call, const hit_known_kernel *known);
/** Without launcher->marks. */
void hit_scatter_forget(struct hit_launcher *launcher);

/* results.c: launches with HIT_RESULT() among their arguments. */

/** Is there one among them? Accepts any call. */
bool hit_call_has_results(const hit_call *call);
/** Launch it, and put the numbers where the program wants them. @collective yes
 * @errors HIT_E_ARG one is for no reduction; those of a launch and of hit_tile_get() */
hit_status hit_launch_results(const hit_call *call);

#endif
