/* SPDX-License-Identifier: MIT
 * Sets of devices, by number; all zero is the empty one. */
#ifndef HIT_BASE_DEVICE_SET_H
#define HIT_BASE_DEVICE_SET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HIT_DEVICE_SET_ROOM = 256
};

typedef struct hit_device_set {
    uint64_t word[HIT_DEVICE_SET_ROOM / 64];
} hit_device_set;

static inline bool hit_device_set_has(const hit_device_set *set, int device)
{
    return (set->word[device / 64] >> device % 64 & 1u) != 0;
}

static inline void hit_device_set_add(hit_device_set *set, int device)
{
    set->word[device / 64] |= UINT64_C(1) << device % 64;
}

static inline bool hit_device_set_equal(const hit_device_set *a, const hit_device_set *b)
{
    uint64_t differ = 0;

    for (int k = 0; k < HIT_DEVICE_SET_ROOM / 64; k++) {
        differ |= a->word[k] ^ b->word[k];
    }
    return differ == 0;
}

static inline bool hit_device_set_is_empty(const hit_device_set *set)
{
    const hit_device_set empty = {{0}};

    return hit_device_set_equal(set, &empty);
}

#endif
