/* SPDX-License-Identifier: MIT
 * How a piece of the indices goes through the memory of a device. If all it needs fits,
 * it stays there. Else it is streamed: of each argument there are as many buffers as
 * three lanes need, and the shape that moves the fewest bytes is taken. Where not even a
 * single index leaves room for that, superblocks run one at a time, the fewest of them.
 */
#include "hit/base/alloc.h"
#include "hit/plan/plan.h"

enum {
    ENOUGH = 16 /* superblocks */
};

/* Blocks of the superblock planner: the smallest unit of a split. Where memory is so
 * small that one does not fit, smaller ones are tried before the launch is refused. */
static bool halve(hit_index block[], int dims)
{
    int largest = 0;

    for (int d = 1; d < dims; d++) {
        if (block[d] > block[largest]) largest = d;
    }
    if (block[largest] == 1) return false;
    block[largest] -= block[largest] / 2;
    return true;
}

/* Blocks as they are wished for, or smaller ones. */
static hit_status search(const hit_plan_request *wanted, hit_plan *plan)
{
    hit_plan_request request = *wanted;
    hit_status status;

    do {
        status = hit_plan_make(&request, plan);
    } while (status == HIT_E_LIMIT && halve(request.block, request.index.dims));
    return status;
}

/* One is worked on; what is only read or only written needs another one for its lane, and
 * what is both needs two. What a sum is added up in stays where it is. */
static int buffers_for(hit_mode mode, bool sum)
{
    if (mode == HIT_MODE_IN || mode == HIT_MODE_OUT) return 2;
    return sum ? 1 : HIT_STREAM_BUFFERS;
}

/* What comes in first and what goes out last is not hidden behind a kernel: more and
 * smaller superblocks are taken if they move hardly more. */
static void refine(hit_plan_request request, hit_plan *plan)
{
    const uint64_t bytes = plan->bytes_in + plan->bytes_out;
    hit_plan finer;

    if (plan->pieces >= ENOUGH) return;
    request.limit_bytes =
        (size_t)((double)plan->peak_bytes * (double)plan->pieces / ENOUGH);
    if (search(&request, &finer) != HIT_OK) return;
    if (finer.bytes_in + finer.bytes_out <= bytes + bytes / 64) *plan = finer;
}

/* In lanes; false if that does not fit. `arg` are those of the request. */
static bool stream(hit_plan_request request, hit_plan_arg arg[], bool sum,
                   hit_superblocks *made)
{
    size_t bytes = 0;
    size_t padded = 0;

    for (int u = 0; u < request.args; u++) {
        arg[u].buffers = buffers_for(arg[u].mode, sum);
        made->buffers[u] = arg[u].buffers;
    }
    request.reuse = true;
    request.least_bytes = true;
    if (search(&request, &made->plan) != HIT_OK) return false;
    refine(request, &made->plan);
    for (int u = 0; u < request.args; u++) {
        const size_t each = made->plan.arg_bytes[u];

        bytes += (size_t)arg[u].buffers * each;
        padded += (size_t)arg[u].buffers * hit_memory_padded(each);
    }
    /* where needs depend on the position, the largest ones may not be there together */
    if (bytes > request.limit_bytes) return false;
    made->arena_bytes = padded <= request.limit_bytes ? padded : bytes;
    return true;
}

/* One at a time. */
static hit_status squeeze(const hit_plan_request *request, hit_plan_arg arg[],
                          hit_superblocks *made)
{
    size_t roomy;

    for (int u = 0; u < request->args; u++) {
        arg[u].buffers = 1;
        made->buffers[u] = 0;
    }
    HIT_TRY(search(request, &made->plan));
    if (made->plan.pieces <= 1 && made->sum.args == 0) return HIT_OK; /* it stays there */
    roomy = made->plan.peak_bytes + 64 * (size_t)request->args; /* for aligned pieces */
    made->arena_bytes = roomy <= request->limit_bytes ? roomy : made->plan.peak_bytes;
    return HIT_OK;
}

/* With the kernel's sum cut, too; first in lanes. */
static hit_status cut_sum(const hit_kernel *kernel, const hit_plan_request *request,
                          bool lanes, hit_superblocks *made)
{
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_plan_request wider;
    hit_status status = hit_plan_sum_make(kernel, request, &made->sum, arg, &wider);

    if (status == HIT_OK && lanes && !stream(wider, arg, true, made)) {
        status = HIT_E_LIMIT;
    }
    if (status == HIT_OK && !lanes) status = squeeze(&wider, arg, made);
    if (status != HIT_OK) hit_plan_sum_clear(&made->sum);
    return status;
}

/* The largest power of two that divides the size of an element: what its address must be
 * a multiple of. */
static size_t alignment(size_t size_bytes)
{
    return size_bytes & (~size_bytes + 1);
}

/* Arguments of one alignment stay in their order. */
static void sort(const hit_plan_request *request, int order[])
{
    for (int u = 0; u < request->args; u++) {
        const size_t align = alignment(request->arg[u].size_bytes);
        int at = u;

        for (; at > 0 && alignment(request->arg[order[at - 1]].size_bytes) < align;
             at--) {
            order[at] = order[at - 1];
        }
        order[at] = u;
    }
}

hit_status hit_superblocks_choose(const hit_kernel *kernel,
                                  const hit_plan_request *request, hit_plan_arg arg[],
                                  hit_superblocks *made)
{
    hit_status status;

    *made = (hit_superblocks){.arena_bytes = 0};
    sort(request, made->order);
    status = squeeze(request, arg, made);

    if (status == HIT_OK && made->arena_bytes == 0) return HIT_OK;
    if (status != HIT_OK && status != HIT_E_LIMIT) return status;
    if (cut_sum(kernel, request, true, made) == HIT_OK) return HIT_OK;
    if (status == HIT_OK && stream(*request, arg, false, made)) return HIT_OK;
    if (status == HIT_OK) return squeeze(request, arg, made);
    if (cut_sum(kernel, request, false, made) == HIT_OK) return HIT_OK;
    return squeeze(request, arg, made); /* fails, and says why */
}
