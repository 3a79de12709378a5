/* SPDX-License-Identifier: MIT
 * Strided copies as loops over runs of contiguous bytes. Making one does all index
 * arithmetic: it asks for the positions of the first two elements per dimension, so that
 * strided views, mirrored and repeated sources need no case of their own, and merges what
 * is contiguous. Running one knows bytes only; the last two loops are compiled once per
 * usual run length, which is what makes columns fast. */
#include "hit/data/ndcopy.h"

#include "hit/base/alloc.h"

#include <string.h>

hit_remap hit_remap_identity(void)
{
    hit_remap remap = {.sign = {0}};
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        remap.sign[d] = 1;
    }
    return remap;
}

hit_domain hit_remap_apply(const hit_remap *remap, const hit_domain *domain)
{
    if (hit_domain_is_empty(domain)) return hit_domain_empty(domain->dims);

    hit_domain image = {.dims = domain->dims};
    for (int d = 0; d < domain->dims; d++) {
        hit_index offset = remap->offset[d];
        if (remap->sign[d] == 0) {
            image.sig[d] = hit_sig_make(offset, offset, 1);
        } else if (remap->sign[d] > 0) {
            image.sig[d] = hit_sig_shift(domain->sig[d], offset);
        } else { /* y = offset - x is its own inverse */
            image.sig[d] = hit_sig_preimage(domain->sig[d], -1, offset);
        }
    }
    return image;
}

hit_view hit_view_make(const hit_domain *domain, size_t size_bytes, void *data)
{
    hit_view view = {.domain = *domain, .data = data, .size_bytes = size_bytes};
    size_t stride = size_bytes;

    for (int d = domain->dims; d-- > 0;) {
        view.stride_bytes[d] = (ptrdiff_t)stride;
        stride *= (size_t)hit_sig_count(domain->sig[d]);
    }
    return view;
}

/* Bytes from the start of a view to element x of dimension d. */
static ptrdiff_t place(const hit_view *view, int d, hit_index x)
{
    return hit_sig_position(view->domain.sig[d], x) * view->stride_bytes[d];
}

hit_view hit_view_select(const hit_view *view, const hit_domain *domain)
{
    hit_view part = *view;

    part.domain = *domain;
    if (hit_domain_is_empty(domain)) return part;
    for (int d = 0; d < domain->dims; d++) {
        hit_sig sig = domain->sig[d];
        ptrdiff_t first = place(view, d, sig.begin);
        part.data += first;
        if (sig.begin == sig.end) continue;
        part.stride_bytes[d] = place(view, d, hit_sig_at(sig, 1)) - first;
    }
    return part;
}

/* Put a loop around those of copy, or make the run or the outermost loop longer instead.
 * The loops are kept innermost first while a copy is made. */
static void wrap(hit_ndcopy *copy, hit_index count, ptrdiff_t from_stride,
                 ptrdiff_t to_stride)
{
    int outer = copy->dims - 1;
    ptrdiff_t run = (ptrdiff_t)copy->run_bytes;

    if (from_stride == run && to_stride == run) {
        copy->run_bytes *= (size_t)count;
    } else if (outer >= 0 &&
               from_stride == copy->from_stride[outer] * copy->count[outer] &&
               to_stride == copy->to_stride[outer] * copy->count[outer]) {
        copy->count[outer] *= count;
    } else {
        copy->count[copy->dims] = count;
        copy->from_stride[copy->dims] = from_stride;
        copy->to_stride[copy->dims] = to_stride;
        copy->dims++;
    }
}

static void reverse(hit_ndcopy *copy)
{
    for (int i = 0, j = copy->dims - 1; i < j; i++, j--) {
        hit_index count = copy->count[i];
        ptrdiff_t from_stride = copy->from_stride[i];
        ptrdiff_t to_stride = copy->to_stride[i];
        copy->count[i] = copy->count[j];
        copy->from_stride[i] = copy->from_stride[j];
        copy->to_stride[i] = copy->to_stride[j];
        copy->count[j] = count;
        copy->from_stride[j] = from_stride;
        copy->to_stride[j] = to_stride;
    }
}

hit_ndcopy hit_ndcopy_make(const hit_view *from, const hit_view *to,
                           const hit_domain *domain, const hit_remap *remap)
{
    hit_ndcopy copy = {.dims = 0};

    if (hit_domain_is_empty(domain)) return copy;
    copy.run_bytes = to->size_bytes;
    for (int d = domain->dims; d-- > 0;) {
        hit_sig sig = domain->sig[d];
        int sign = remap == NULL ? 1 : remap->sign[d];
        hit_index image = sign * sig.begin + (remap == NULL ? 0 : remap->offset[d]);
        ptrdiff_t from_first = place(from, d, image);
        ptrdiff_t to_first = place(to, d, sig.begin);

        copy.from_offset += from_first;
        copy.to_offset += to_first;
        if (sig.begin == sig.end) continue;
        image += sign * sig.stride;
        wrap(&copy, hit_sig_count(sig), place(from, d, image) - from_first,
             place(to, d, hit_sig_at(sig, 1)) - to_first);
    }
    reverse(&copy);
    return copy;
}

/* Two nested loops. Inlined with a constant run, so that a short memcpy becomes one or
 * two moves. */
static inline __attribute__((always_inline)) void
copy_plane(const hit_index count[2], const ptrdiff_t stride[4], const char *restrict from,
           char *restrict to, size_t run)
{
    for (hit_index i = 0; i < count[0]; i++) {
        const char *source = from + i * stride[0];
        char *target = to + i * stride[1];
        for (hit_index j = 0; j < count[1]; j++) {
            memcpy(target + j * stride[3], source + j * stride[2], run);
        }
    }
}

enum {
    LINE_BYTES = 64,
    AHEAD = 64,           /* elements: some hundred nanoseconds of loads */
    CACHE_BYTES = 2 << 20 /* what the cache of a core may hold needs no help */
};

/* Each element has a cache line of its own, in the source or else in the target, and they
 * come from memory: they are asked for early, since a core can have more lines under way
 * than this loop has loads. Inlined with constants, too. */
static inline __attribute__((always_inline)) void
copy_far(const hit_index count[2], const ptrdiff_t stride[4], const char *restrict from,
         char *restrict to, size_t run, bool far_from)
{
    for (hit_index i = 0; i < count[0]; i++) {
        const char *source = from + i * stride[0];
        char *target = to + i * stride[1];
        const hit_index near = count[1] - AHEAD;

        for (hit_index j = 0; j < near; j++) {
            if (far_from) {
                __builtin_prefetch(source + (j + AHEAD) * stride[2], 0);
            } else {
                __builtin_prefetch(target + (j + AHEAD) * stride[3], 1);
            }
            memcpy(target + j * stride[3], source + j * stride[2], run);
        }
        for (hit_index j = near; j < count[1]; j++) {
            memcpy(target + j * stride[3], source + j * stride[2], run);
        }
    }
}

/* Do the elements of an inner loop lie far apart, in more than a cache? */
static bool is_far(hit_index count, ptrdiff_t stride)
{
    const ptrdiff_t step = stride < 0 ? -stride : stride;

    return count > AHEAD && step >= LINE_BYTES && step > CACHE_BYTES / count;
}

/* Elements of 4 or 8 bytes that are far apart; false: they are not. */
static bool copy_far_elements(const hit_index count[2], const ptrdiff_t stride[4],
                              const char *from, char *to, size_t run)
{
    const bool far_from = is_far(count[1], stride[2]);
    const bool far_to = is_far(count[1], stride[3]);
    const bool far = (far_from || far_to) && (run == 4 || run == 8);

    if (!far) return false;
    if (run == 4 && far_from) copy_far(count, stride, from, to, 4, true);
    if (run == 8 && far_from) copy_far(count, stride, from, to, 8, true);
    if (run == 4 && !far_from) copy_far(count, stride, from, to, 4, false);
    if (run == 8 && !far_from) copy_far(count, stride, from, to, 8, false);
    return true;
}

/* With a length that is a constant the compiler unrolls the copy of a run. */
#define RUN_OF(bytes)                                                                    \
    case bytes:                                                                          \
        copy_plane(count, stride, from, to, bytes);                                      \
        break;

static void copy_runs(const hit_index count[2], const ptrdiff_t stride[4],
                      const char *from, char *to, size_t run)
{
    if (copy_far_elements(count, stride, from, to, run)) return;
    switch (run) {
        RUN_OF(1)
        RUN_OF(2)
        RUN_OF(4)
        RUN_OF(8)
        RUN_OF(12)
        RUN_OF(16)
        RUN_OF(24)
        RUN_OF(32)
    default:
        copy_plane(count, stride, from, to, run);
        break;
    }
}

void hit_ndcopy_run(const hit_ndcopy *copy, const void *from, void *to)
{
    /* loops 0..outer-1 are counted here, up to two more are done by copy_runs() */
    int outer = copy->dims > 2 ? copy->dims - 2 : 0;
    hit_index at[HIT_MAX_DIMS] = {0};
    hit_index count[2] = {1, 1};
    ptrdiff_t stride[4] = {0};

    if (copy->run_bytes == 0) return;
    for (int d = outer; d < copy->dims; d++) {
        ptrdiff_t loop = d - copy->dims + 2;
        count[loop] = copy->count[d];
        stride[2 * loop] = copy->from_stride[d];
        stride[2 * loop + 1] = copy->to_stride[d];
    }
    ptrdiff_t source = copy->from_offset;
    ptrdiff_t target = copy->to_offset;
    do {
        copy_runs(count, stride, (const char *)from + source, (char *)to + target,
                  copy->run_bytes);
    } while (hit_ndcopy_next(copy, outer, at, &source, &target));
}

size_t hit_ndcopy_bytes(const hit_ndcopy *copy)
{
    size_t bytes = copy->run_bytes;

    for (int d = 0; d < copy->dims; d++) {
        bytes *= (size_t)copy->count[d];
    }
    return bytes;
}

/* Elements that do not lie side by side. */
static void fill_one_by_one(const hit_view *view, const hit_domain *domain,
                            const void *element)
{
    hit_view everywhere = hit_view_make(domain, view->size_bytes, NULL);
    hit_ndcopy copy;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        everywhere.stride_bytes[d] = 0; /* one element stands for all */
    }
    copy = hit_ndcopy_make(&everywhere, view, domain, NULL);
    hit_ndcopy_run(&copy, element, view->data);
}

void hit_view_fill(const hit_view *view, const hit_domain *domain, const void *element)
{
    const hit_ndcopy runs = hit_ndcopy_make(view, view, domain, NULL);
    const size_t count = runs.run_bytes / view->size_bytes;
    hit_index at[HIT_MAX_DIMS] = {0};
    ptrdiff_t source = 0;
    ptrdiff_t target = runs.to_offset;

    if (count == 1 && runs.dims > 0) {
        fill_one_by_one(view, domain, element);
        return;
    }
    if (count == 0) return;
    do {
        hit_memory_repeat(view->data + target, count, element, view->size_bytes);
    } while (hit_ndcopy_next(&runs, runs.dims, at, &source, &target));
}

void hit_view_copy(const hit_view *from, const hit_view *to, const hit_domain *domain,
                   const hit_remap *remap)
{
    const hit_ndcopy copy = hit_ndcopy_make(from, to, domain, remap);

    hit_ndcopy_run(&copy, from->data, to->data);
}

bool hit_view_is_full(const hit_view *view, const hit_domain *domain, const void *element)
{
    const hit_ndcopy runs = hit_ndcopy_make(view, view, domain, NULL);
    hit_index at[HIT_MAX_DIMS] = {0};
    ptrdiff_t source = 0;
    ptrdiff_t target = runs.to_offset;

    do {
        const char *run = view->data + target;

        for (size_t k = 0; k < runs.run_bytes; k += view->size_bytes) {
            if (memcmp(run + k, element, view->size_bytes) != 0) return false;
        }
    } while (hit_ndcopy_next(&runs, runs.dims, at, &source, &target));
    return true;
}
