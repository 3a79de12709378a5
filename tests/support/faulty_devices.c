/* SPDX-License-Identifier: MIT
 * The operations of each device are its own, but for copies, what sees their end, and
 * allocations above a cap. */
#include "tests/support/faulty_devices.h"

#include "hit/device/device.h"
#include "tests/support/faults.h"

#include <stdint.h>

enum {
    MOST_BYTES = 1 << 16 /* of a copy that fails late */
};

/* Copies of a lane that arrived wrong: their marks, first to last. */
typedef struct lost_copies {
    bool any;
    uint64_t first;
    uint64_t last;
    bool told;
} lost_copies;

typedef struct faulty_device {
    const void *state;
    const hit_memory_ops *real;
    hit_memory_ops memory;
    const hit_device_ops *real_ops;
    hit_device_ops ops;
    lost_copies lost[HIT_LANES];
} faulty_device;

static struct {
    size_t cap_bytes;
    faulty_device device[HIT_MAX_DEVICES];
    int64_t other[MOST_BYTES / sizeof(int64_t)]; /* what arrives; products stay small */
} their;

static faulty_device *device_of(const void *state)
{
    faulty_device *d = their.device;

    while (d->state != state) {
        d++;
    }
    return d;
}

static hit_status tell_late(lost_copies *lost)
{
    lost->told = true;
    return HIT_FAIL(HIT_E_DEVICE, "a copy was made to fail late");
}

static hit_status faulty_copy(void *state, hit_lane lane, hit_way way,
                              const hit_view *from, const hit_view *to,
                              const hit_domain *domain)
{
    faulty_device *d = device_of(state);
    lost_copies *lost = &d->lost[lane];
    const size_t bytes = (size_t)hit_domain_count(domain) * from->size_bytes;
    const uint64_t before = d->real->mark(state, lane);
    hit_view other;

    if (test_fault_hits(FAULT_COPY)) {
        return HIT_FAIL(HIT_E_DEVICE, "copy %ld was made to fail",
                        (long)test_fault.count[FAULT_COPY]);
    }
    if (bytes > MOST_BYTES || !test_fault_hits(FAULT_LATE_COPY)) {
        return d->real->copy(state, lane, way, from, to, domain);
    }
    other = hit_view_make(domain, from->size_bytes, their.other);
    HIT_TRY(d->real->copy(state, lane, way, &other, to, domain));
    lost->last = d->real->mark(state, lane);
    if (lost->told || !lost->any) lost->first = lost->last;
    lost->told = false;
    lost->any = true;
    return lost->last == before ? tell_late(lost) : HIT_OK; /* it was made at once */
}

static hit_status faulty_reached(void *state, hit_lane lane, uint64_t mark, bool *over)
{
    faulty_device *d = device_of(state);
    lost_copies *lost = &d->lost[lane];

    HIT_TRY(d->real->reached(state, lane, mark, over));
    if (!*over || !lost->any || mark < lost->first) return HIT_OK;
    if (mark > lost->last && lost->told) return HIT_OK;
    return tell_late(lost);
}

static hit_status faulty_wait(void *state)
{
    faulty_device *d = device_of(state);
    hit_status status = d->real_ops->wait != NULL ? d->real_ops->wait(state) : HIT_OK;

    for (int lane = 0; lane < HIT_LANES; lane++) {
        lost_copies *lost = &d->lost[lane];

        if (lost->any && !lost->told) status = tell_late(lost);
    }
    return status;
}

static hit_status capped_allocate(void *state, size_t size_bytes, void **memory)
{
    if (their.cap_bytes > 0 && size_bytes > their.cap_bytes) {
        return HIT_FAIL(HIT_E_NOMEM, "%zu bytes are not there", size_bytes);
    }
    return device_of(state)->real->allocate(state, size_bytes, memory);
}

void faulty_devices_set(const hit_context *hit, size_t cap_bytes)
{
    for (size_t k = 0; k < sizeof(their.other) / sizeof(their.other[0]); k++) {
        their.other[k] = 4242;
    }
    their.cap_bytes = cap_bytes;
    for (int k = 0; k < hit->devices; k++) {
        hit_device *device = hit->device[k];
        faulty_device *d = &their.device[k];

        *d = (faulty_device){.state = device->state};
        if (hit_device_in_place(device)) continue;
        d->real = device->memory;
        d->memory = *device->memory;
        d->memory.copy = faulty_copy;
        d->memory.allocate = capped_allocate;
        if (d->real->reached != NULL) d->memory.reached = faulty_reached;
        d->real_ops = device->ops;
        d->ops = *device->ops;
        d->ops.wait = faulty_wait;
        device->memory = &d->memory;
        device->ops = &d->ops;
    }
}
