/* SPDX-License-Identifier: MIT
 * Internal: where buffers lie in the arena of a device. */
#ifndef HIT_STREAM_ARENA_H
#define HIT_STREAM_ARENA_H

#include "hit/device/device.h"
#include "hit/plan/superblocks.h"

/** Lay out buffers[u] buffers of each_bytes[u] bytes for each of @p args arguments, from
 * data[u] on: at multiples of 64 bytes if there is room, to which each_bytes[u] is
 * rounded up, else without a gap, in the order of falling alignment. */
void hit_arena_lay_out(const hit_device *device, const hit_superblocks *superblocks,
                       int args, const int buffers[], size_t each_bytes[], char *data[]);

#endif
