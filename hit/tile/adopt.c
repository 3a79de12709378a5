/* SPDX-License-Identifier: MIT
 * Arrays of the program as the memory of a tile: what they may be, and where their
 * elements lie. What happens where one is too small: storage.c. */
#include "hit/tile/adopt.h"

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/data/domain_set.h"
#include "hit/data/region.h"
#include "hit/device/device.h"
#include "hit/tile/tile_impl.h"

/* Elements of bytes may lie anywhere, as far as the library knows. */
static size_t alignment_of(hit_type type)
{
    switch (type.kind) {
    case HIT_KIND_BYTES:
        return 1;
    case HIT_KIND_COMPLEX_FLOAT:
        return sizeof(float);
    case HIT_KIND_COMPLEX_DOUBLE:
        return sizeof(double);
    default:
        return type.size_bytes;
    }
}

static hit_status check_address(const hit_local_array *array, const hit_storage *storage)
{
    const size_t alignment = alignment_of(storage->type);
    const hit_context *context = storage->context;

    if (array == NULL || array->first == NULL) {
        return HIT_FAIL(
            HIT_E_ARG,
            "tile %s: expected an array with elements of process %d but found "
            "NULL",
            storage->name, context->rank);
    }
    if ((uintptr_t)array->first % alignment != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected an array at a multiple of %zu bytes, as "
                        "elements of type %s are, but found %p",
                        storage->name, alignment, hit_kind_name(storage->type.kind),
                        array->first);
    }
    for (int d = 0; d < context->devices; d++) {
        if (!hit_device_owns(context->device[d], array->first)) continue;
        return HIT_FAIL(
            HIT_E_ARG,
            "tile %s: expected an array in memory of the host but found memory "
            "of a %s device at %p",
            storage->name, context->device[d]->ops->kind, array->first);
    }
    return HIT_OK;
}

/* The owned box with its ghosts. */
static hit_status grow(const hit_local_array *array, const hit_domain *owned,
                       const char *name, hit_domain *all)
{
    *all = *owned;
    for (int d = 0; d < owned->dims; d++) {
        const hit_sig sig = owned->sig[d];
        const hit_index before = array->before[d];
        const hit_index behind = array->behind[d];

        if (before < 0 || behind < 0 || before > HIT_INDEX_LIMIT ||
            behind > HIT_INDEX_LIMIT) {
            return HIT_FAIL(
                HIT_E_ARG,
                "tile %s: expected 0 ghosts or more in dimension %d but found "
                "%lld before and %lld behind",
                name, d, (long long)before, (long long)behind);
        }
        if (sig.stride != 1 && before + behind > 0) {
            return HIT_FAIL(HIT_E_ARG,
                            "tile %s: expected no ghosts in dimension %d, in which a "
                            "process owns every %lldth element, but found %lld",
                            name, d, (long long)sig.stride, (long long)(before + behind));
        }
        all->sig[d].begin = sig.begin - before;
        all->sig[d].end = sig.end + behind;
    }
    return hit_domain_check_given(all);
}

/* Bytes from one element to the next. @p given 0: nothing lies between them. */
static hit_status set_strides(const hit_local_array *array, const char *name,
                              hit_view *view)
{
    const int last = view->domain.dims - 1;
    const bool dense = last >= 0 && array->stride[last] == 0;
    hit_index least = 1;

    for (int d = last; d >= 0; d--) {
        const hit_index stride = dense ? least : array->stride[d];
        hit_index bytes;

        if (stride < least || (d == last && stride != 1) ||
            (dense && array->stride[d] != 0)) {
            return HIT_FAIL(HIT_E_ARG,
                            "tile %s: expected a stride of %s%lld in dimension %d but "
                            "found %lld",
                            name, d == last ? "" : "at least ", (long long)least, d,
                            (long long)array->stride[d]);
        }
        if (__builtin_mul_overflow(stride, hit_sig_count(view->domain.sig[d]), &least) ||
            __builtin_mul_overflow(least, (hit_index)view->size_bytes, &bytes)) {
            return HIT_FAIL(HIT_E_ARG,
                            "tile %s: memory cannot address an array with a stride of "
                            "%lld in dimension %d",
                            name, (long long)stride, d);
        }
        view->stride_bytes[d] = (ptrdiff_t)stride * (ptrdiff_t)view->size_bytes;
    }
    return HIT_OK;
}

hit_status hit_local_array_view(const hit_local_array *array, const hit_region *owned,
                                const hit_storage *storage, hit_view *view)
{
    hit_view made = {.size_bytes = storage->type.size_bytes};

    if (owned->count == 0) return HIT_OK;
    if (owned->count > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a layout that gives a process one box at most "
                        "but found %d on process %d",
                        storage->name, owned->count, storage->context->rank);
    }
    HIT_TRY(check_address(array, storage));
    HIT_TRY(grow(array, &owned->part[0], storage->name, &made.domain));
    HIT_TRY(set_strides(array, storage->name, &made));
    made.data = array->first;
    for (int d = 0; d < made.domain.dims; d++) {
        made.data -= array->before[d] * made.stride_bytes[d];
    }
    *view = made;
    return HIT_OK;
}

hit_status hit_tile_adopt(hit_layout *layout, hit_type type, const char *name,
                          const hit_local_array *array, hit_tile **tile)
{
    hit_tile_request request = {.call = "hit_tile_adopt",
                                .layout = layout,
                                .type = type,
                                .name = name,
                                .adopts = true,
                                .array = array};

    return hit_tile_request_make(&request, tile);
}
