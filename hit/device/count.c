/* SPDX-License-Identifier: MIT
 * Devices of dry runs: the code of real runs decides what lies in their memories, which
 * are nowhere, and what it moves is counted where it always is. */
#include "hit/base/memory.h"
#include "hit/device/device.h"

#include <stdint.h>

static const uintptr_t nowhere = 4096; /* the address of what is never read */

/* NOLINTBEGIN(misc-unused-parameters): what is only counted is not looked at */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"

static hit_status allocate(void *state, size_t size_bytes, void **memory)
{
    *memory = (void *)nowhere;
    return HIT_OK;
}

static void release(void *state, void *memory) {}

static hit_status copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain)
{
    return HIT_OK;
}

static uint64_t mark(void *state, hit_lane lane)
{
    return 0;
}

static hit_status reached(void *state, hit_lane lane, uint64_t number, bool *over)
{
    *over = true;
    return HIT_OK;
}

static hit_status after(void *state, hit_lane lane, hit_lane of, uint64_t number)
{
    return HIT_OK;
}

static hit_status run(void *state, const hit_kernel *kernel, const hit_run *box,
                      const hit_domain need[])
{
    return HIT_OK;
}

static hit_status run_chain(void *state, const struct hit_chain_work *work,
                            const struct hit_chain_items *items)
{
    return HIT_OK;
}

static hit_status run_alone(void *state, const hit_kernel *kernel, const hit_run *box)
{
    return run(state, kernel, box, NULL);
}

#pragma GCC diagnostic pop
/* NOLINTEND(misc-unused-parameters) */

const hit_memory_ops hit_device_counting = {.allocate = allocate,
                                            .release = release,
                                            .copy = copy,
                                            .mark = mark,
                                            .reached = reached,
                                            .after = after};

void hit_device_set_counting(hit_device *device, bool counts)
{
    if (device->counting == NULL || device->counts == counts) return;
    hit_device_release_arena(device);
    device->counts = counts;
    if (device->memory != NULL) {
        device->memory = counts ? &hit_device_counting : device->ops->memory;
    }
    device->processor = counts                 ? device->counting
                        : device->slow != NULL ? &device->slow->processor
                                               : device->ops->processor;
}

hit_status hit_device_count(hit_device *device)
{
    if (device->processor == NULL) return HIT_OK; /* it takes no launch */
    HIT_TRY(hit_memory_zeroed(1, sizeof(*device->counting), &device->counting));
    *device->counting = *device->processor;
    device->counting->run = run;
    if (device->counting->run_chain != NULL) device->counting->run_chain = run_chain;
    if (device->counting->run_alone != NULL) device->counting->run_alone = run_alone;
    hit_device_set_counting(device, true);
    return HIT_OK;
}

void hit_devices_set_counting(int count, hit_device *const device[], bool counts)
{
    for (int d = 0; d < count; d++) {
        hit_device_set_counting(device[d], counts);
    }
}
