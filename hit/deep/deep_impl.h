/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/deep share. */
#ifndef HIT_DEEP_DEEP_IMPL_H
#define HIT_DEEP_DEEP_IMPL_H

#include "hit/deep/deep.h"

/* ready.c: the launches that are expected, and what they take on this process. */

/* The launches that are expected. */
typedef struct hit_deep_expected {
    hit_deep *deep;
    uint64_t first; /* in the history */
    int period;
    const hit_storage *storage;   /* of the last one */
    const char *kernel;           /* for texts */
    const hit_deep_layout *parts; /* of its layout */
    double wait_s;                /* for messages, once */
    double launch_s; /* the mean launch of the process that takes longest, 0: not known */
    bool streams;    /* what some process runs does not fit its device */
    double share;    /* of the processes that have indices, those of which it is so */
    bool gains;      /* the launches of some process move bytes or miss its caches */
    bool async;      /* the devices with memories copy beside the program, all of them */
    int devices;     /* that share what a process runs, in the process that has most */
    size_t limit_bytes; /* of the smallest memory of a device; SIZE_MAX: all in place */
} hit_deep_expected;

/* Launch number @p l of the block. */
static inline const hit_deep_form *hit_deep_form_at(const hit_deep_expected *e, int l)
{
    return hit_deep_at(e->deep, e->first + (uint64_t)(l % e->period));
}

/** Take note of a collective call of so many numbers. */
static inline void hit_deep_note_vote(hit_deep *deep, uint64_t numbers)
{
    deep->votes++;
    deep->voted += numbers;
}

/** Set *launch to the launch on the indices @p box as a device gets it, the number of
 * each use being that of its storage (form.c). */
void hit_deep_launch_on(const hit_deep_form *form, const hit_domain *box,
                        hit_chain_launch *launch);
/** Can the device of this process, or one like it, go through the indices @p box of a
 * launch row by row? @errors HIT_E_LIMIT */
hit_status hit_deep_check_room(const hit_deep *deep, const hit_deep_form *form,
                               const hit_domain *box);
/** Take the memory that the launches of @p plan need, and make ready the messages of its
 * fields; where nothing is run these are counted. @errors HIT_E_NOMEM; HIT_E_LIMIT a
 * device has no room */
hit_status hit_deep_get_ready(const hit_deep_expected *e, hit_deep_plan *plan);

/* plan.c: blocks over processes. */

/** The plan of a block whose launches are those of the history from @p e->first on,
 * e->period of them again and again, at most @p most; NULL: there is none. The rest of *e
 * is set here. @collective where it is new @errors none: who has no memory has no plan,
 * nor have the others */
hit_deep_plan *hit_deep_plan_of(hit_deep_expected *e, int most);
void hit_deep_plan_destroy(hit_deep_plan **plan);

/* crossing.c: the bytes that cross to and from a device whose memory is smaller than the
 * tiles. */

/** Set *bytes to the bytes per launch of a block of @p launches launches, with the
 * margins and fields of e->deep->planning->work; of 0 launches: one after the other,
 * without margins. They are those of a process that has the smallest part, in the middle,
 * and the smallest device memory: so they are equal on all processes, and where nothing
 * is run. Rows that do not fit count as if they did. @errors HIT_E_NOMEM */
hit_status hit_deep_crossing(const hit_deep_expected *e, int launches, double *bytes);

/* home.c: launches of a block over processes that need nothing of other processes: each
 * process runs its own indices, whatever the layouts are. */

/** What such a launch is recognised by, wherever it is in dimensions that are not cut. 0:
 * it is none, whatever processes own. Equal on all processes. */
uint64_t hit_deep_home_key(const hit_call *call, const hit_launch_plan *plan);
/** Is the question below not collective, and does it change nothing that is known? */
bool hit_deep_knows_home(const hit_deep *deep, uint64_t key);
/** hit_deep_describe() of a launch of which each process owns all that its indices touch;
 * NULL: it is none. Equal on all processes. @collective the second time that its key is
 * seen */
hit_deep_form *hit_deep_describe_home(hit_deep *deep, const hit_call *call,
                                      const hit_launch_plan *plan, uint64_t key);

/* blocks.c */

/** Put a launch of this form at place @p at of the history; those behind it move on by
 * one. Nothing happens where that place is kept no more. */
void hit_deep_insert(hit_deep *deep, uint64_t at, const hit_deep_form *form);
/** Does a launch of this form go on with the block that is under way? */
bool hit_deep_is_next(const hit_deep *deep, const hit_deep_form *form);

/* exchange.c: messages of blocks. */

/** What a block that begins exchanges: not what is right already. */
void hit_deep_set_sent(hit_deep *deep, hit_deep_plan *plan);
/** What a block needs around parts. */
typedef struct hit_deep_around {
    hit_around around;
    hit_around_field field[HIT_DEEP_FIELDS]; /**< by the fields of its plan */
    hit_margin depth[HIT_DEEP_FIELDS];
} hit_deep_around;

/** Set *wanted to what the plan needs of tiles of @p layout that repeat after @p period,
 * which is borrowed, as the plan is. */
void hit_deep_want(const hit_deep_plan *plan, const hit_layout *layout,
                   const hit_index period[], hit_deep_around *wanted);
/** The messages of hit_deep.open end, if there are some: its neighbours are told, and
 * have told this process. */
void hit_deep_end_messages(hit_deep *deep);

/* compare.c: are all processes at the same place of the program? */

/** Compare how many launches the processes made, and how often they wrote each tile.
 * Where they differ there are no chains any more until hit_chain() is called.
 * @collective yes; while a block is under way, so is the head of all that is collective
 * @errors HIT_E_COMM on all processes: they differ, in the tile that is named */
hit_status hit_deep_compare(hit_deep *deep);
/** A block is under way, or no more: hit_deep_compare() begins all that is collective. */
void hit_deep_watch(hit_deep *deep, bool inside);

#endif
