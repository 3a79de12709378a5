/* SPDX-License-Identifier: MIT
 * Internal to kernels/: a step of a factorisation on the threads of a device. */
#ifndef KERNELS_TEAM_H
#define KERNELS_TEAM_H

#include "patterns/kernel.h"

/** Part @p part of @p parts of a step. */
typedef hit_status (*hit_team_step)(const void *of, int part, int parts);

/** Carry out all parts of @p step, one on each thread that @p run has, or on fewer: none
 * gets less than 64 of the rows or columns, of which there are @p count.
 * @errors that of the part that failed first */
hit_status hit_team_run(const hit_run *run, int count, hit_team_step step,
                        const void *of);

/** Where part @p part of @p count rows or columns begins. */
static inline int hit_team_begin(int count, int part, int parts)
{
    return (int)((long long)count * part / parts);
}

#endif
