/* SPDX-License-Identifier: MIT
 * Buffers of a superblock plan in the arena of a device. */
#include "hit/base/alloc.h"
#include "hit/stream/stream.h"

void hit_arena_lay_out(const hit_device *device, const hit_superblocks *superblocks,
                       int args, const int buffers[], size_t each_bytes[], char *data[])
{
    size_t sum = 0;
    size_t offset = 0;
    bool roomy;

    for (int u = 0; u < args; u++) {
        sum += (size_t)buffers[u] * hit_memory_padded(each_bytes[u]);
    }
    roomy = sum <= device->arena_bytes;
    for (int k = 0; k < args; k++) {
        const int u = superblocks->order[k];

        if (roomy) each_bytes[u] = hit_memory_padded(each_bytes[u]);
        data[u] = device->arena + offset;
        offset += (size_t)buffers[u] * each_bytes[u];
    }
}
