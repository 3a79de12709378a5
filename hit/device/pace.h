/* SPDX-License-Identifier: MIT
 * Internal: how long kernels take for an index on one thread, as found from their own
 * runs. Nothing that changes results may follow from it: only whether threads are woken,
 * and whether a run is shared by them. */
#ifndef HIT_DEVICE_PACE_H
#define HIT_DEVICE_PACE_H

#include "patterns/kernel.h"

#include <stdbool.h>

enum {
    HIT_PACES = 64 /**< kernels that are remembered */
};

typedef struct hit_pace {
    const hit_kernel *kernel; /**< compared, never read; NULL: none */
    double index_ns;          /**< 0: not known */
    unsigned runs;
} hit_pace;

/** Zeroed before the first use; one thread at a time. */
typedef struct hit_paces {
    hit_pace of[HIT_PACES];
} hit_paces;

/** What is known of @p kernel; another one may be forgotten for it. */
hit_pace *hit_paces_find(hit_paces *paces, const hit_kernel *kernel);
/** Is the next run to be timed? The first few, then one of many; counts the runs. */
bool hit_pace_samples(hit_pace *pace);
/** A run of @p indices > 0 took @p seconds. A single slow one, of a thread that had to
 * wait for a core, changes little. */
void hit_pace_note(hit_pace *pace, double indices, double seconds);

#endif
