/* SPDX-License-Identifier: MIT
 * Arrays of the program as the memory of a tile: what they may be, and where their
 * elements lie. What happens where one is too small: storage.c. */
#include "hit/tile/adopt.h"

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/device/device.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>
#include <string.h>

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

/* A box with its ghosts. */
static hit_status grow(const hit_local_array *array, const hit_region *owned, int k,
                       const char *name, hit_domain *all)
{
    *all = owned->part[k];
    for (int d = 0; d < all->dims; d++) {
        const hit_sig sig = all->sig[d];
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
        if (owned->count > 1 && before + behind > 0) {
            return HIT_FAIL(
                HIT_E_ARG,
                "tile %s: expected no ghosts around the %d boxes of a process, "
                "which lie side by side, but found %lld in dimension %d",
                name, owned->count, (long long)(before + behind), d);
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

/* ---- several boxes ---- */

/* What a process owns along a dimension, and where it lies in the array: side by side. */
typedef struct axis {
    int count;
    hit_sig *sig;  /* sorted */
    hit_index *at; /* of the first element of each, and behind the last one */
} axis;

typedef struct axes {
    int dims;
    axis along[HIT_MAX_DIMS];
} axes;

static int compare_begins(const void *a, const void *b)
{
    const hit_sig *x = a;
    const hit_sig *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

static hit_status find_axis(const hit_region *owned, int d, axis *made)
{
    const size_t count = (size_t)owned->count;

    HIT_TRY(hit_memory_zeroed(count, sizeof(*made->sig), &made->sig));
    HIT_TRY(hit_memory_zeroed(count + 1, sizeof(*made->at), &made->at));
    for (size_t k = 0; k < count; k++) {
        made->sig[k] = owned->part[k].sig[d];
    }
    qsort(made->sig, count, sizeof(*made->sig), compare_begins);
    for (size_t k = 0; k < count; k++) {
        const hit_sig sig = made->sig[k];
        const int last = made->count - 1;

        if (last >= 0 && made->sig[last].begin == sig.begin) continue;
        made->sig[made->count] = sig;
        made->at[made->count + 1] = made->at[made->count] + hit_sig_count(sig);
        made->count++;
    }
    return HIT_OK;
}

/* Where the box begins along the dimension; -1: it ends elsewhere than those beside it.
 */
static hit_index place_of(const axis *a, hit_sig sig)
{
    const hit_sig *found =
        bsearch(&sig, a->sig, (size_t)a->count, sizeof(sig), compare_begins);

    return found != NULL && found->end == sig.end ? a->at[found - a->sig] : -1;
}

/* Are they all that a list of rows and a list of columns have in common? */
static hit_status check_boxes(const hit_region *owned, const axes *all,
                              const hit_storage *storage)
{
    hit_index boxes = 1;
    bool good = true;

    for (int d = 0; d < all->dims && boxes <= owned->count; d++) {
        boxes *= all->along[d].count;
    }
    for (int k = 0; k < owned->count && good; k++) {
        for (int d = 0; d < all->dims; d++) {
            good = good && place_of(&all->along[d], owned->part[k].sig[d]) >= 0;
        }
    }
    if (good && boxes == owned->count) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "tile %s: expected a layout whose boxes on a process lie in rows and "
                    "columns, as those of blockcyclic, but found %d others on process %d",
                    storage->name, owned->count, storage->context->rank);
}

/* ---- views ---- */

/* Bytes from one element to the next; of @p extent elements along each dimension. @p
 * given 0: nothing lies between them. */
static hit_status set_strides(const hit_local_array *array, const char *name,
                              const hit_index extent[], hit_view *view)
{
    const int last = view->domain.dims - 1;
    bool dense = true;
    hit_index least = 1;

    for (int d = 0; d <= last; d++) {
        dense = dense && array->stride[d] == 0;
    }
    for (int d = last; d >= 0; d--) {
        const hit_index stride = dense ? least : array->stride[d];
        hit_index bytes;

        if (stride < least || (d == last && stride != 1)) {
            return HIT_FAIL(HIT_E_ARG,
                            "tile %s: expected a stride of %s%lld in dimension %d but "
                            "found %lld",
                            name, d == last ? "" : "at least ", (long long)least, d,
                            (long long)array->stride[d]);
        }
        if (__builtin_mul_overflow(stride, extent[d], &least) ||
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

static hit_status set_views(const hit_local_array *array, const hit_region *owned,
                            const axes *all, const char *name, hit_view view[])
{
    for (int k = 0; k < owned->count; k++) {
        hit_view *made = &view[k];
        hit_index extent[HIT_MAX_DIMS] = {0};

        HIT_TRY(grow(array, owned, k, name, &made->domain));
        for (int d = 0; d < all->dims; d++) {
            const axis *a = &all->along[d];

            extent[d] = a->at[a->count] + array->before[d] + array->behind[d];
        }
        HIT_TRY(set_strides(array, name, extent, made));
        made->data = array->first;
        for (int d = 0; d < all->dims; d++) {
            const hit_index at = place_of(&all->along[d], owned->part[k].sig[d]);

            made->data += (at - array->before[d]) * made->stride_bytes[d];
        }
    }
    return HIT_OK;
}

hit_status hit_local_array_views(const hit_local_array *array, const hit_region *owned,
                                 const hit_storage *storage, hit_view view[])
{
    axes all = {.dims = owned->count > 0 ? owned->part[0].dims : 0};
    hit_status status = HIT_OK;

    if (owned->count == 0) return HIT_OK;
    HIT_TRY(check_address(array, storage));
    for (int k = 0; k < owned->count; k++) {
        view[k] = (hit_view){.size_bytes = storage->type.size_bytes};
    }
    for (int d = 0; d < all.dims && status == HIT_OK; d++) {
        status = find_axis(owned, d, &all.along[d]);
    }
    if (status == HIT_OK) status = check_boxes(owned, &all, storage);
    if (status == HIT_OK) status = set_views(array, owned, &all, storage->name, view);
    for (int d = 0; d < all.dims; d++) {
        free(all.along[d].sig);
        free(all.along[d].at);
    }
    if (status != HIT_OK) memset(view, 0, (size_t)owned->count * sizeof(*view));
    return status;
}
