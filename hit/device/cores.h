/* SPDX-License-Identifier: MIT
 * The cores this process may use. Built twice: cores_hwloc.c, and cores_posix.c where
 * hwloc is off. */
#ifndef HIT_DEVICE_CORES_H
#define HIT_DEVICE_CORES_H

#include "hit/base/status.h"

#include <stdbool.h>

typedef struct hit_cores hit_cores;

/** Sizes in bytes; 0 where unknown. Caches are those of the first core. */
typedef struct hit_cores_info {
    int cores;
    size_t level1_bytes;
    size_t level2_bytes;
    size_t level3_bytes;
    size_t memory_bytes; /**< of the machine */
} hit_cores_info;

/** Look at the machine. @owner *cores is the caller's until hit_cores_close() */
hit_status hit_cores_open(hit_cores **cores);
/** Accepts NULL in *cores; sets it to NULL. */
void hit_cores_close(hit_cores **cores);
/** How many cores the process is allowed to use, >= 1. They are numbered from 0. */
int hit_cores_count(const hit_cores *cores);
/** What groups of cores have in common; in the order of the names socket, numa, l3, l2,
 * core. */
typedef enum hit_cores_level {
    HIT_CORES_SOCKET,
    HIT_CORES_NUMA,
    HIT_CORES_L3,
    HIT_CORES_L2,
    HIT_CORES_CORE
} hit_cores_level;
/** The group of core @p core, as a number; neighbours of one group are neighbours in
 * number. Where the machine does not say, all are one. */
int hit_cores_group(const hit_cores *cores, int core, hit_cores_level level);
/** Keep the calling thread on core @p core, 0 <= core < count; a wish, false if refused.
 */
bool hit_cores_bind(const hit_cores *cores, int core);
/** Call @p function(@p of), after which the calling thread may run where it might before.
 */
void hit_cores_around(const hit_cores *cores, void (*function)(void *of), void *of);
/** Move the calling thread away from the core of processor @p number, as the operating
 * system counts them, to any other core of the process; it does not come back. False:
 * there is no other, or refused. */
bool hit_cores_leave(const hit_cores *cores, int number);
/** The number of core @p core as the operating system counts processors; -1: not known.
 */
int hit_cores_number(const hit_cores *cores, int core);
void hit_cores_info_get(const hit_cores *cores, hit_cores_info *info);
/** "hwloc 2.9.0", or what is used instead. */
const char *hit_cores_library(void);

#endif
