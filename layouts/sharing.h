/* SPDX-License-Identifier: MIT
 * Internal: the partition algorithms, as hit/launch shares a process's indices among its
 * devices by them. */
#ifndef LAYOUTS_SHARING_H
#define LAYOUTS_SHARING_H

#include "hit/base/sharing.h"

extern const hit_sharing hit_sharing_by_speed;

#endif
