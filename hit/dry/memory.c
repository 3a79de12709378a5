/* SPDX-License-Identifier: MIT
 * What processes and nodes would take of memories, and what it is for, at the end of a
 * dry run. */
#include "hit/base/memory.h"

#include "hit/base/context.h"
#include "hit/base/quote.h"
#include "hit/comm/comm.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"

uint64_t hit_dry_device_limit(const hit_context *context, int d)
{
    uint64_t limit = 0;
    hit_context as;

    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        uint64_t own;

        hit_nodes_see(context, k, &as);
        if (d >= as.devices) continue;
        own = hit_device_in_place(as.device[d]) ? 0 : as.device[d]->limit_bytes;
        if (own == 0 || (limit != 0 && own != limit)) return 0;
        limit = own;
    }
    return limit;
}

uint64_t hit_dry_device_most(const hit_context *context)
{
    uint64_t most = 0;
    hit_context as;

    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        hit_nodes_see(context, k, &as);
        for (int d = 0; d < as.devices; d++) {
            const hit_device *device = as.device[d];

            if (hit_device_in_place(device) || device->limit_bytes <= most) continue;
            most = device->limit_bytes;
        }
    }
    return most;
}

/* Copies of tiles fill a device's memory as long as there are tiles; there are more of
 * them on a disk. */
static uint64_t staged_bytes(const hit_context *context, uint64_t tiles_bytes)
{
    uint64_t bytes = 0;
    hit_context as;

    /* memories of a node's devices are not its host's */
    if (hit_nodes_machine(context) != NULL) return 0;
    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        uint64_t own = 0;

        hit_nodes_see(context, k, &as);
        for (int d = 0; d < as.devices; d++) {
            const hit_device *device = as.device[d];

            if (hit_device_in_place(device) || !device->ops->uses_cores) continue;
            own += device->limit_bytes;
        }
        if (own > bytes) bytes = own;
    }
    return context->disk == NULL && bytes > tiles_bytes ? tiles_bytes : bytes;
}

hit_dry_memory hit_dry_memory_find(const hit_context *context, uint64_t beside_bytes)
{
    hit_dry_memory memory = {.most = hit_footprint_most(context->footprint),
                             .beside_bytes = beside_bytes,
                             .processes = context->size,
                             .moves = hit_dry_device_most(context) > 0,
                             .limit_bytes = hit_dry_device_limit(context, 0)};
    int rank;

    memory.most.staged = staged_bytes(context, memory.most.tiles);
    if (hit_nodes_machine(context) != NULL) {
        memory.on_node = 1;
    } else if (hit_comm_present(context->comm) == context->size) {
        hit_comm_local(context->comm, &rank, &memory.on_node);
    }
    return memory;
}

static void print_part(FILE *out, const char *between, const char *name, uint64_t bytes)
{
    char text[32];

    hit_memory_print(bytes, text, sizeof(text));
    hit_say(out, "%s%s %s", between, name, text);
}

static uint64_t sum_host(hit_footprint_bytes most)
{
    return most.tiles + most.scratch + most.held + most.staged;
}

/* What the library knows of the host's memory, and what it finds in it. */
static void print_host_memory(FILE *out, const hit_dry_memory *memory)
{
    const hit_footprint_bytes most = memory->most;
    char text[32];

    hit_memory_print(sum_host(most), text, sizeof(text));
    hit_say(out, "host memory: %s at most on one process: ", text);
    print_part(out, "", "tiles", most.tiles);
    print_part(out, ", ", "temporary pieces and messages", most.scratch);
    if (most.held > 0) print_part(out, ", ", "boxes of others that are held", most.held);
    if (most.staged > 0) print_part(out, ", ", "staged copies", most.staged);
    hit_memory_print(memory->beside_bytes, text, sizeof(text));
    hit_say(out,
            "\nbeside it: %s of the program, MPI and other libraries, as this process "
            "had it when it began to plan\n",
            text);
}

/* The largest launch of each device of a process. */
static uint64_t sum_devices(const hit_seen *seen, int *devices)
{
    uint64_t bytes[HIT_MAX_DEVICES] = {0};
    uint64_t all = 0;

    *devices = 0;
    for (int k = 0; k < hit_seen_classes(seen); k++) {
        const hit_preview *one = &hit_seen_at(seen, k)->preview;

        if (one->devices > *devices) *devices = one->devices;
        for (int d = 0; d < one->devices; d++) {
            const uint64_t peak_bytes = one->device[d].peak_bytes;

            if (peak_bytes > bytes[d]) bytes[d] = peak_bytes;
        }
    }
    for (int d = 0; d < *devices; d++) {
        all += bytes[d];
    }
    return all;
}

/* Of one launch at a time: copies of tiles stay where there is room, and go where there
 * is none. */
static void print_device_memory(FILE *out, const hit_seen *seen, uint64_t peak_bytes,
                                const hit_dry_memory *memory)
{
    int devices;
    const uint64_t all = sum_devices(seen, &devices);
    char text[32];

    if (!memory->moves) return;
    hit_memory_print(peak_bytes, text, sizeof(text));
    hit_say(out, "device memory: a launch needs %s at most on one device", text);
    if (memory->limit_bytes > 0) print_part(out, ",", " of", memory->limit_bytes);
    if (devices > 1) print_part(out, ";", " on all of a process", all);
    hit_say(out, "\n");
}

/* A node has as many processes as are there, or, of a machine's file, one; else that is
 * not known. */
static void print_node(FILE *out, const hit_dry_memory *memory)
{
    const uint64_t each = sum_host(memory->most) + memory->beside_bytes;
    const int processes = memory->on_node > 0 ? memory->on_node : memory->processes;
    char one[32];
    char all[32];

    hit_memory_print(each, one, sizeof(one));
    hit_memory_print(each * (uint64_t)processes, all, sizeof(all));
    if (processes == 1) {
        hit_say(out, "node: %s at most of its host's memory\n", one);
    } else if (memory->on_node > 0) {
        hit_say(out,
                "node: %s at most of its host's memory, %s for each of %d processes\n",
                all, one, processes);
    } else {
        hit_say(out,
                "node: %s at most of its host's memory for each process on it, %s for "
                "all %d\n",
                one, all, processes);
    }
}

void hit_dry_memory_print(FILE *out, const hit_seen *seen, uint64_t device_bytes,
                          const hit_dry_memory *memory)
{
    print_host_memory(out, memory);
    print_device_memory(out, seen, device_bytes, memory);
    print_node(out, memory);
}
