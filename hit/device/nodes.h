/* SPDX-License-Identifier: MIT
 * Internal: the devices of the processes that a dry run plans for and that are not
 * there. Processes of one kind have the same devices. */
#ifndef HIT_DEVICE_NODES_H
#define HIT_DEVICE_NODES_H

#include "hit/device/device.h"

HIT_C_BEGIN

struct hit_machine;

enum {
    HIT_NODE_TEXT = 512
};

typedef struct hit_node_kind {
    int devices;
    hit_device *device[HIT_MAX_DEVICES];
    char text[HIT_NODE_TEXT]; /**< what they are called */
} hit_node_kind;

/** Process r is of kind turn[r % turns]. */
typedef struct hit_nodes {
    struct hit_machine
        *machine; /**< borrowed; whose kinds of nodes they are; NULL: none's */
    int turns;
    int *turn; /**< in the same block of memory, as the kinds */
    int kinds;
    hit_node_kind *kind;
} hit_nodes;

/** Kinds without devices. @owner the caller: hit_nodes_close() @errors HIT_E_NOMEM */
hit_status hit_nodes_create(int turns, int kinds, hit_nodes **nodes);
/** Close all devices. Accepts NULL in *nodes; sets it to NULL. */
void hit_nodes_close(hit_nodes **nodes);

/** How many kinds of processes there are: 1 where all are like this one. */
int hit_nodes_kinds(const hit_context *context);
/** The kind of a process, from 0. */
int hit_nodes_kind_of(const hit_context *context, int rank);
/** The most devices of a process. */
int hit_nodes_most_devices(const hit_context *context);
/** What the devices of a kind are called. @shape text: HIT_NODE_TEXT */
void hit_nodes_describe(const hit_context *context, int kind, char text[]);
/** The cluster that the processes are nodes of; NULL: they are not. */
const struct hit_machine *hit_nodes_machine(const hit_context *context);
/** How many processes of the context are of @p kind. */
int hit_nodes_count(const hit_context *context, int kind);
/** The context as a process of @p kind has it: a copy with its devices, which lives no
 * longer than the context; closed by nobody. */
void hit_nodes_see(const hit_context *context, int kind, hit_context *as);

HIT_C_END

#endif
