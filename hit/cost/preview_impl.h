/* SPDX-License-Identifier: MIT
 * Internal: what the two halves of a preview share: what processes tell each other, and
 * what the devices of a process do. */
#ifndef HIT_COST_PREVIEW_IMPL_H
#define HIT_COST_PREVIEW_IMPL_H

#include "hit/base/containers.h"
#include "hit/base/context.h"
#include "hit/cost/cost.h"
#include "hit/launch/launch_plan.h"

enum {
    HIT_PREVIEW_FOUNDS = 16 /* shares that are kept for processes of a kind */
};

/* What one device of a process does. */
typedef struct hit_preview_device {
    uint64_t indices;
    uint64_t peak_bytes;
    hit_forecast time;
    double kernel_j; /* see hit_preview */
    hit_domain sample;
} hit_preview_device;

/* What all devices of a process do together. */
typedef struct hit_preview_done {
    uint64_t indices;
    uint64_t superblocks;
    uint64_t bytes_in;
    uint64_t bytes_out;
    bool streams; /* on some device, ... */
    bool stays;   /* ... on some that has a memory */
} hit_preview_done;

/* What one process does. */
typedef struct hit_preview_share {
    int rank;
    uint64_t messages;
    uint64_t message_bytes;
    uint64_t buffer_bytes;
    unsigned halos; /* of these arguments it receives halos, a bit each */
    hit_forecast messages_time;
    hit_preview_done done;
    hit_preview_device device[]; /* as many as a process has at most */
} hit_preview_share;

/* What each device gets, by predicted times, of the dimension that is cut of a box of so
 * many indices. */
typedef struct hit_preview_found {
    int dim; /* -1: nothing was found */
    hit_index extent[HIT_MAX_DIMS];
    hit_index part[HIT_MAX_DEVICES];
} hit_preview_found;

/* The call as processes of one kind make it. */
typedef struct hit_preview_peer {
    hit_context context;
    hit_call call;
    const hit_rates *rates; /* per device */
    int founds;
    hit_preview_found found[HIT_PREVIEW_FOUNDS]; /* parts of processes have few extents */
} hit_preview_peer;

/* What is planned. */
typedef struct hit_preview_call {
    const hit_call *call;
    const hit_known_kernel *known;
    hit_preview_peer *of; /* per kind of processes */
    int devices;          /* of a process, at most */
    hit_split split;
    hit_use use[HIT_MAX_ARGS]; /* per argument */
    hit_preview_parts *parts;  /* NULL: not wanted */
} hit_preview_call;

static inline uint64_t hit_preview_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

hit_preview_peer *hit_preview_peer_of(const hit_preview_call *w, int rank);

/* preview_devices.c */

/** Add what the devices of process @p mine->rank do of the indices @p index, beside the
 * messages that are there. @errors as a launch */
hit_status hit_preview_devices(const hit_preview_call *w, const hit_region *index,
                               hit_preview_share *mine);

#endif
