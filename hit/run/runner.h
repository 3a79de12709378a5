/* SPDX-License-Identifier: MIT
 * Internal to hit/run: a launch that is carried out, and its device's side. */
#ifndef HIT_RUN_RUNNER_H
#define HIT_RUN_RUNNER_H

#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/stream/stream.h"

typedef struct hit_runner {
    const hit_call *call;
    hit_launcher *launcher;
    hit_stations *stations;
    hit_launch_plan *plan;
    hit_known_call *known; /* which keeps it; NULL: it is for this launch only */
    bool ready;            /* the slots of all tiles are set: by an equal call */
    uint64_t stamp;        /* another one whenever a known call set them; else 0 */
    int number;            /* of the device */
    bool left;             /* what was launched last may not be over */
    bool fails; /* its results are lost: messages say so instead of bringing them */
    hit_station *station;
    hit_device *device;
    hit_run run;    /* values are in their slots; the rest is set for every box */
    uint64_t place; /* the plan's, where the box is that of its first part; else 0 */
    hit_index elements[HIT_MAX_ARGS]; /* of the memory that a slot points to */
} hit_runner;

/** Let it run on device number @p number. */
void hit_runner_set_device(hit_runner *r, int number);
/** Let the slot of tile argument @p use, or of all of them, point to @p view, or to what
 * @p part needs on the host. */
void hit_runner_set_slot(hit_runner *r, int use, const hit_view *view);
void hit_runner_set_slots(hit_runner *r, const hit_part *part);
/** Let the run be on the indices @p box, with the slots as they are. A known call at the
 * place of the one before has nothing to do. */
void hit_runner_set_box(hit_runner *r, const hit_domain *box);
/** Run the kernel on the indices @p box, with the slots as they are. */
hit_status hit_runner_box(hit_runner *r, const hit_domain *box);
/** Run a part on the tiles' own memory; at home: where the slots point to. */
hit_status hit_runner_in_place(hit_runner *r, const hit_part *part);
hit_status hit_runner_at_home(hit_runner *r, const hit_part *part);
/** Before all of the device's memory is used for @p part: nothing stays there. What the
 * part will overwrite is not saved. */
hit_status hit_runner_clear_device(hit_runner *r, const hit_part *part);
/** Run a part in the memory of the device: in one go on what stays there, or superblock
 * by superblock. If the device has less memory than its limit promised, the superblocks
 * are planned anew. @errors HIT_E_NOMEM not even one block fits: what was asked for, what
 * the device holds, what is missing */
hit_status hit_runner_on_device(hit_runner *r, hit_part *part);

#endif
