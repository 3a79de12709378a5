/* SPDX-License-Identifier: MIT
 * Kinds of processes in a dry run. */
#include "hit/device/nodes.h"

#include "hit/base/memory.h"

#include <stdlib.h>
#include <string.h>

hit_status hit_nodes_create(int turns, int kinds, hit_nodes **nodes)
{
    hit_nodes *made;

    HIT_TRY(hit_memory_zeroed(1,
                              sizeof(*made) + (size_t)kinds * sizeof(*made->kind) +
                                  (size_t)turns * sizeof(*made->turn),
                              &made));
    made->kind = (hit_node_kind *)(made + 1);
    made->turn = (int *)(made->kind + kinds);
    made->turns = turns;
    made->kinds = kinds;
    *nodes = made;
    return HIT_OK;
}

void hit_nodes_close(hit_nodes **nodes)
{
    hit_nodes *closing = *nodes;

    if (closing == NULL) return;
    for (int k = 0; k < closing->kinds; k++) {
        for (int d = 0; d < closing->kind[k].devices; d++) {
            hit_device_close(&closing->kind[k].device[d]);
        }
    }
    free(closing);
    *nodes = NULL;
}

int hit_nodes_kinds(const hit_context *context)
{
    return context->nodes != NULL ? context->nodes->kinds : 1;
}

int hit_nodes_kind_of(const hit_context *context, int rank)
{
    const hit_nodes *nodes = context->nodes;

    return nodes != NULL ? nodes->turn[rank % nodes->turns] : 0;
}

int hit_nodes_most_devices(const hit_context *context)
{
    int most = context->devices;

    for (int k = 0; context->nodes != NULL && k < context->nodes->kinds; k++) {
        const int devices = context->nodes->kind[k].devices;

        if (devices > most) most = devices;
    }
    return most;
}

void hit_nodes_describe(const hit_context *context, int kind, char text[])
{
    const hit_nodes *nodes = context->nodes;

    if (nodes != NULL && nodes->machine != NULL) {
        memcpy(text, nodes->kind[kind].text, HIT_NODE_TEXT);
    } else {
        hit_context as;

        hit_nodes_see(context, kind, &as);
        hit_device_describe_all(as.devices, as.device, text, HIT_NODE_TEXT);
    }
}

const struct hit_machine *hit_nodes_machine(const hit_context *context)
{
    return context->nodes != NULL ? context->nodes->machine : NULL;
}

int hit_nodes_count(const hit_context *context, int kind)
{
    const hit_nodes *nodes = context->nodes;
    int count = 0;

    if (nodes == NULL) return context->size;
    for (int t = 0; t < nodes->turns && t < context->size; t++) {
        if (nodes->turn[t] != kind) continue;
        count += (context->size - t - 1) / nodes->turns + 1;
    }
    return count;
}

void hit_nodes_see(const hit_context *context, int kind, hit_context *as)
{
    const hit_nodes *nodes = context->nodes;

    *as = *context;
    if (nodes == NULL) return;
    as->devices = nodes->kind[kind].devices;
    memcpy(as->device, nodes->kind[kind].device, sizeof(as->device));
}
