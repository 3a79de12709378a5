/* SPDX-License-Identifier: MIT
 * Internal: texts that name devices, "cuda", "host:1", "gpu,core", as HIT_ON() and
 * HIT_RUNS_ON() take them. */
#ifndef HIT_BASE_ON_H
#define HIT_BASE_ON_H

#include "hit/base/device_set.h"
#include "hit/base/status.h"

/** How a device is named: by its kind, and, on a machine that calls it "core", as "host",
 * too. */
typedef struct hit_on_device {
    const char *kind;
    bool is_host;
} hit_on_device;

/** What a launch may run on. */
typedef struct hit_on {
    const char *kernel;    /**< its name */
    const char *of_kernel; /**< HIT_RUNS_ON(); NULL: everywhere */
    const char *of_launch; /**< HIT_ON(); NULL: everywhere */
} hit_on;

/** Is @p text kinds, each with the number of a device or without, joined by commas?
 * @errors HIT_E_ARG; the text begins with the kernel's name @p kernel */
hit_status hit_on_check(const char *kernel, const char *text);
/** The devices that both texts name; those of a kind are numbered from 0.
 * @errors HIT_E_ABSENT none: what was asked for, and what there is */
hit_status hit_on_find(const hit_on *on, int devices, const hit_on_device device[],
                       hit_device_set *set);

#endif
