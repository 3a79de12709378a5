/* SPDX-License-Identifier: MIT
 * Internal: is a run faster shared by all threads, or on the calling thread alone? Where
 * it is short both are tried, and the times decide, for each kernel and size of boxes.
 * Nothing that changes results may follow from it. */
#ifndef HIT_MODEL_PACE_H
#define HIT_MODEL_PACE_H

#include <stdbool.h>

enum {
    HIT_PACES = 64 /**< kernels and sizes that are remembered */
};

typedef struct hit_pace {
    const void *kernel; /**< compared, never read; NULL: none */
    int size;           /**< the logarithm of the number of indices */
    double shared_ns;   /**< for an index; 0: not known */
    double alone_ns;    /**< the same on one thread */
    bool tries;         /**< the other way is tried */
    bool shared;        /**< the last run was */
    unsigned left;      /**< runs until that changes */
    unsigned wait;      /**< runs between tries; 0: there were none yet */
} hit_pace;

/** Zeroed before the first use; one thread at a time. */
typedef struct hit_paces {
    hit_pace of[HIT_PACES];
} hit_paces;

/** What is known of boxes of about so many @p indices > 0; another kernel or size may be
 * forgotten for it. */
hit_pace *hit_paces_find(hit_paces *paces, const void *kernel, double indices);
/** Is the next run to be shared? Called once for each. *timed: hit_pace_note() is to
 * follow.
 */
bool hit_pace_shares(hit_pace *pace, double indices, bool *timed);
/** A run took @p seconds. A single slow one, of a thread that had to wait for a core,
 * changes little. */
void hit_pace_note(hit_pace *pace, bool shared, double indices, double seconds);

/** What is known of a time after one more was measured; @p known 0: nothing was. What is
 * shorter is believed sooner than what is longer, and a single long one changes little.
 */
double hit_pace_correct(double known, double measured);

#endif
