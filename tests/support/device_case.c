/* SPDX-License-Identifier: MIT
 * Tiles lie in memory as in a launcher's arena: dense arrays of their domain, one behind
 * the other. Patterns are evaluated by patterns/, which has tests of its own. */
#include "tests/support/device_case.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "patterns/parse.h"
#include "patterns/slot.h"
#include "patterns/transform.h"

#include <string.h>

static void store(hit_type type, void *at, double value)
{
    switch (type.kind) {
    case HIT_KIND_FLOAT:
        *(float *)at = (float)value;
        break;
    case HIT_KIND_DOUBLE:
        *(double *)at = value;
        break;
    case HIT_KIND_INT32:
        *(int32_t *)at = (int32_t)value;
        break;
    case HIT_KIND_INT64:
        *(int64_t *)at = (int64_t)value;
        break;
    default:
        *(uint8_t *)at = (uint8_t)(value < 0 ? -value : value);
        break;
    }
}

static void fill(hit_random *random, const hit_kernel_arg *arg, case_arg *tile,
                 bool fractions)
{
    size_t size = arg->type.size_bytes;

    for (size_t at = 0; at < tile->size_bytes; at += size) {
        double value = (double)hit_random_index(random, -9, 9);
        if (fractions) value = (double)hit_random_index(random, -999999, 999999) / 7.0;
        store(arg->type, tile->host.data + at, value);
    }
}

static void make_tile(hit_random *random, const hit_kernel *kernel, int a,
                      device_case *one)
{
    const hit_kernel_arg *arg = &kernel->arg[a];
    case_arg *tile = &one->arg[a];
    hit_pattern pattern = {0};
    void *data = NULL;

    hit_status st = hit_kernel_pattern(kernel, a, NULL, &pattern);
    if (st != HIT_OK) abort(); /* a wrong test */
    hit_domain nothing = hit_domain_empty(pattern.tile_dims);
    tile->need = hit_pattern_cover(&pattern, &nothing, &one->box);
    hit_pattern_clear(&pattern);

    hit_domain domain = tile->need;
    for (int d = 0; d < domain.dims; d++) {
        bool strided = hit_random_index(random, 0, 1) == 1;
        hit_sig sig = domain.sig[d];
        if (!strided) sig = hit_sig_make(sig.begin, sig.end, 1);
        domain.sig[d] = hit_sig_grow(sig, hit_random_index(random, 0, 2));
    }
    tile->size_bytes = (size_t)hit_domain_count(&domain) * arg->type.size_bytes;
    if (hit_memory_take(tile->size_bytes, "a test", &data) != HIT_OK) abort();
    tile->host = hit_view_make(&domain, arg->type.size_bytes, data);
    fill(random, arg, tile, false);
}

void device_case_make(hit_random *random, const hit_kernel *kernel, const hit_domain *box,
                      const void *value, device_case *made)
{
    *made = (device_case){.kernel = kernel, .box = *box};
    for (int a = 0; a < kernel->args; a++) {
        if (kernel->arg[a].mode == HIT_MODE_VALUE) {
            made->arg[a].value = value;
        } else {
            make_tile(random, kernel, a, made);
        }
    }
}

void device_case_fractions(hit_random *random, device_case *one)
{
    for (int a = 0; a < one->kernel->args; a++) {
        if (one->arg[a].value == NULL) {
            fill(random, &one->kernel->arg[a], &one->arg[a], true);
        }
    }
}

void device_case_apart(hit_random *random, device_case *one)
{
    for (int a = 0; a < one->kernel->args; a++) {
        case_arg *tile = &one->arg[a];
        void *data = tile->host.data;
        if (tile->value != NULL) continue;
        hit_memory_release(&data);
        tile->size_bytes *= 2;
        if (hit_memory_take(tile->size_bytes, "a test", &data) != HIT_OK) abort();
        tile->host.data = data;
        for (int d = 0; d < tile->host.domain.dims; d++) {
            tile->host.stride_bytes[d] *= 2;
        }
        fill(random, &one->kernel->arg[a], tile, false);
    }
}

void device_case_copy(const device_case *from, device_case *to)
{
    *to = *from;
    for (int a = 0; a < from->kernel->args; a++) {
        void *data = NULL;
        if (from->arg[a].value != NULL) continue;
        if (hit_memory_take(from->arg[a].size_bytes, "a test", &data) != HIT_OK) abort();
        memcpy(data, from->arg[a].host.data, from->arg[a].size_bytes);
        to->arg[a].host.data = data;
    }
}

void device_case_clear(device_case *one)
{
    for (int a = 0; a < one->kernel->args; a++) {
        void *data = one->arg[a].host.data;
        hit_memory_release(&data);
        one->arg[a].host.data = NULL;
    }
}

bool device_case_equal(const device_case *a, const device_case *b)
{
    for (int k = 0; k < a->kernel->args; k++) {
        if (a->arg[k].value != NULL) continue;
        if (memcmp(a->arg[k].host.data, b->arg[k].host.data, a->arg[k].size_bytes) != 0) {
            return false;
        }
    }
    return true;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Where the tiles of a case are on the device. */
static hit_status place(hit_device *device, const device_case *one, hit_view view[])
{
    size_t bytes = 0;
    bool in_place = hit_device_in_place(device);

    for (int a = 0; a < one->kernel->args; a++) {
        bytes += aligned(one->arg[a].size_bytes);
    }
    if (!in_place) HIT_TRY(hit_device_reserve(device, bytes));
    bytes = 0;
    for (int a = 0; a < one->kernel->args; a++) {
        view[a] = one->arg[a].host;
        if (!in_place) view[a].data = device->arena + bytes;
        bytes += aligned(one->arg[a].size_bytes);
    }
    return HIT_OK;
}

static hit_run make_run(const device_case *one, const hit_view view[], void *value[])
{
    hit_run run = {.dense = hit_domain_is_dense(&one->box)};

    for (int d = 0; d < one->box.dims; d++) {
        run.begin[d] = one->box.sig[d].begin;
        run.end[d] = one->box.sig[d].end;
        run.stride[d] = one->box.sig[d].stride;
    }
    for (int a = 0; a < one->kernel->args; a++) {
        if (one->arg[a].value != NULL) {
            run.slot[a].base = value[a];
            continue;
        }
        hit_slot_set(&run.slot[a], &view[a], &view[a].domain, false);
        run.dense = run.dense && run.slot[a].dense;
    }
    return run;
}

hit_status device_case_run(hit_device *device, device_case *one)
{
    bool in_place = hit_device_in_place(device);
    hit_view view[HIT_MAX_ARGS];
    hit_domain need[HIT_MAX_ARGS];
    void *value[HIT_MAX_ARGS] = {0};

    HIT_TRY(place(device, one, view));
    for (int a = 0; a < one->kernel->args; a++) {
        case_arg *arg = &one->arg[a];
        need[a] = arg->need;
        memcpy(&value[a], &arg->value, sizeof(void *)); /* a slot's base is not const */
        if (in_place || arg->value != NULL) continue;
        HIT_TRY(hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_IN, &arg->host, &view[a],
                                &arg->host.domain));
    }
    hit_run run = make_run(one, view, value);
    HIT_TRY(hit_device_run(device, one->kernel, &run, need));
    for (int a = 0; a < one->kernel->args && !in_place; a++) {
        case_arg *arg = &one->arg[a];
        if (arg->value != NULL) continue;
        HIT_TRY(hit_device_copy(device, HIT_LANE_RUN, HIT_WAY_OUT, &view[a], &arg->host,
                                &arg->host.domain));
    }
    return hit_device_wait(device);
}
