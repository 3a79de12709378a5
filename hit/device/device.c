/* SPDX-License-Identifier: MIT
 * Opening devices, and the accounting of a device's memory, which never passes the
 * limit. */
#include "hit/device/device.h"

#include "hit/base/memory.h"
#include "hit/base/text.h"

#include <stdlib.h>

enum {
    PIN_LEAST_BYTES = 1 << 20 /* pinning takes a call to the system per page */
};

hit_status hit_device_open(const hit_device_spec *spec, hit_device **out)
{
    hit_device *device = NULL;
    hit_status st = HIT_OK;
    const hit_device_ops *ops = spec->kind;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*device), &device));
    device->ops = ops;
    device->processor = ops->processor;
    device->spec = *spec;
    HIT_TRY_GOTO(st, ops->open(spec, &device->state), free_device);
    device->threads = ops->processor == NULL ? 1 : ops->processor->threads(device->state);
    if (ops->in_place == NULL || !ops->in_place(device->state)) {
        device->memory = ops->memory;
    }
    device->limit_bytes = hit_device_in_place(device)
                              ? SIZE_MAX
                              : device->memory->memory_bytes(device->state);
    if (spec->slow.factor > 1 || spec->slow.cliff > 1) {
        HIT_TRY_GOTO(st, hit_slow_wrap(device), close);
    }
    *out = device;
    return HIT_OK;

close:
    device->ops->close(device->state);
free_device:
    free(device);
    return st;
}

bool hit_devices_in_place(int count, hit_device *const device[])
{
    bool shared = false;

    for (int d = 0; d < count; d++) {
        shared = shared || !device[d]->spec.spare;
    }
    for (int d = 0; d < count; d++) {
        if (shared && device[d]->spec.spare) continue;
        if (!hit_device_in_place(device[d])) return false;
    }
    return true;
}

bool hit_device_with_memory(const hit_device *in_place, hit_device *made)
{
    if (!in_place->ops->lends) return false;
    *made = *in_place;
    made->memory = in_place->counts ? &hit_device_counting : in_place->ops->memory;
    return true;
}

void hit_device_copy_on_host(const hit_context *context, const hit_view *from,
                             const hit_view *to, const hit_domain *domain)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        if (!device->ops->lends) continue;
        (void)device->ops->memory->copy(device->state, HIT_LANE_RUN, HIT_WAY_WITHIN, from,
                                        to, domain); /* a disk keeps its failure */
        return;
    }
    hit_view_copy(from, to, domain, NULL);
}

void hit_device_close(hit_device **out)
{
    hit_device *device = *out;

    if (device == NULL) return;
    hit_device_release_arena(device);
    device->ops->close(device->state);
    free(device->slow);
    free(device->counting);
    free(device);
    *out = NULL;
}

hit_status hit_device_take(hit_device *device, size_t size_bytes, void **memory)
{
    char asked[32];
    char limit[32];
    char used[32];

    if (hit_device_in_place(device)) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "a device that works in place has no memory of its "
                        "own to reserve");
    }
    if (size_bytes > device->limit_bytes - device->used_bytes) {
        hit_memory_print(size_bytes, asked, sizeof(asked));
        hit_memory_print(device->limit_bytes, limit, sizeof(limit));
        hit_memory_print(device->used_bytes, used, sizeof(used));
        return HIT_FAIL(HIT_E_LIMIT,
                        "asked for %s of the memory of a %s device, its limit "
                        "is %s, and %s are in use",
                        asked, device->ops->kind, limit, used);
    }
    HIT_TRY(device->memory->allocate(device->state, size_bytes, memory));
    device->used_bytes += size_bytes;
    if (device->used_bytes > device->peak_bytes) device->peak_bytes = device->used_bytes;
    return HIT_OK;
}

void hit_device_give(hit_device *device, void *memory, size_t size_bytes)
{
    device->memory->release(device->state, memory);
    device->used_bytes -= size_bytes;
}

void hit_device_release_arena(hit_device *device)
{
    if (device->arena == NULL) return;
    hit_device_give(device, device->arena, device->arena_bytes);
    device->arena = NULL;
    device->arena_bytes = 0;
}

hit_status hit_device_reserve(hit_device *device, size_t size_bytes)
{
    const size_t held = device->arena_bytes;
    const size_t others = device->used_bytes - held;
    void *arena = NULL;
    char limit[32];
    hit_status st;

    if (size_bytes <= held && size_bytes > 0) return HIT_OK;
    /* the old arena goes first: both together might not fit the limit; what cannot be had
     * anyhow does not cost it */
    if (size_bytes <= device->limit_bytes - others) hit_device_release_arena(device);
    st = hit_device_take(device, size_bytes, &arena);
    if (st == HIT_E_NOMEM) {
        hit_memory_print(device->limit_bytes, limit, sizeof(limit));
        return HIT_FAIL(st, "%s (limit %s, %zu bytes were held before)",
                        hit_status_text(), limit, held);
    }
    HIT_TRY(st);
    device->arena = arena;
    device->arena_bytes = size_bytes;
    return HIT_OK;
}

/* Does it pin the host's memory? */
static bool pins(const hit_device *device)
{
    return device->memory != NULL && device->memory->pin != NULL;
}

void hit_device_pin(const hit_device *device, void *memory, size_t size_bytes)
{
    if (device == NULL || !pins(device)) return;
    if (size_bytes < PIN_LEAST_BYTES) return;
    device->memory->pin(device->state, memory, size_bytes);
}

void hit_device_unpin(const hit_device *device, void *memory, size_t size_bytes)
{
    if (device == NULL || !pins(device)) return;
    if (size_bytes < PIN_LEAST_BYTES) return;
    device->memory->unpin(device->state, memory);
}

bool hit_device_owns(const hit_device *device, const void *memory)
{
    if (device->memory == NULL || device->memory->owns == NULL) return false;
    return device->memory->owns(device->state, memory);
}

void hit_device_describe_all(int count, hit_device *const device[], char *text,
                             size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < count; k++) {
        char one[512];

        hit_device_describe(device[k], one, sizeof(one));
        hit_text_add(text, size, "%s%s", k > 0 ? " + " : "", one);
    }
}

const hit_device *hit_device_that_pins(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        if (device != NULL && pins(device)) return device;
    }
    return NULL;
}
