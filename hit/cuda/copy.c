/* SPDX-License-Identifier: MIT
 * Copies between host and GPU. They are left to the copy engine, which can stride, or
 * packed on the host into pinned memory, sent in one piece, and, where the elements do
 * not lie side by side on the GPU either, put in place by a grid that reads the pinned
 * memory itself. Which way is the faster one, hit_link_packs() says: the first costs time
 * per run of contiguous bytes, the second per byte.
 *
 * Copies from and to memory that is not pinned are always packed. CUDA lets a driver read
 * such memory when the copy is asked for; what is still on its way there in another lane
 * would be missed. Packing reads when the stream comes there. */
#include "hit/cuda/cuda_impl.h"

/* A copy on its way: one of the two pointers is on the device. */
typedef struct transfer {
    hit_cuda_lane *lane;
    const char *from;
    char *to;
    enum cudaMemcpyKind kind;
} transfer;

/* ---- by the copy engine ---- */

static bool fits_pitch(const hit_ndcopy *copy, int d)
{
    const ptrdiff_t most = 0x7fffffff; /* cudaDevAttrMaxPitch of every GPU so far */
    ptrdiff_t run = (ptrdiff_t)copy->run_bytes;

    return copy->from_stride[d] >= run && copy->from_stride[d] <= most &&
           copy->to_stride[d] >= run && copy->to_stride[d] <= most;
}

static hit_status copy_rows(const transfer *move, const hit_ndcopy *copy, int d,
                            ptrdiff_t from_offset, ptrdiff_t to_offset)
{
    const char *from = move->from + from_offset;
    char *to = move->to + to_offset;
    cudaError_t error = cudaSuccess;

    if (d == copy->dims) {
        error =
            cudaMemcpyAsync(to, from, copy->run_bytes, move->kind, move->lane->stream);
    } else {
        error = cudaMemcpy2DAsync(to, (size_t)copy->to_stride[d], from,
                                  (size_t)copy->from_stride[d], copy->run_bytes,
                                  (size_t)copy->count[d], move->kind, move->lane->stream);
    }
    return hit_cuda_check(error, "copy between host and GPU");
}

/* The loops outside of what the copy engine does at once. */
static hit_status copy_engine(const transfer *move, const hit_ndcopy *copy)
{
    int outer =
        copy->dims > 0 && fits_pitch(copy, copy->dims - 1) ? copy->dims - 1 : copy->dims;
    hit_index at[HIT_MAX_DIMS] = {0};
    ptrdiff_t from = copy->from_offset;
    ptrdiff_t to = copy->to_offset;

    do {
        HIT_TRY(copy_rows(move, copy, outer, from, to));
    } while (hit_ndcopy_next(copy, outer, at, &from, &to));
    return HIT_OK;
}

/* ---- packed ---- */

/* The loop to cut so that the pieces fit a slot of the ring; loops outside of it are done
 * one index at a time. */
static int loop_to_cut(const hit_ndcopy *copy, hit_index *each)
{
    size_t inner = copy->run_bytes;
    int d = copy->dims - 1;

    while (d > 0 && inner * (size_t)copy->count[d] <= HIT_CUDA_RING_BYTES) {
        inner *= (size_t)copy->count[d--];
    }
    *each = (hit_index)(HIT_CUDA_RING_BYTES / inner);
    return d;
}

/* Indices first.. (at most `each`) of loop d, at index `outer` of the loops outside. */
static hit_ndcopy piece_of(const hit_ndcopy *copy, int d, hit_index outer,
                           hit_index first, hit_index each)
{
    hit_ndcopy piece = *copy;
    hit_index rest = copy->count[d] - first;

    piece.dims = copy->dims - d;
    for (int k = d; k < copy->dims; k++) {
        piece.count[k - d] = copy->count[k];
        piece.from_stride[k - d] = copy->from_stride[k];
        piece.to_stride[k - d] = copy->to_stride[k];
    }
    piece.count[0] = rest < each ? rest : each;
    piece.from_offset += first * copy->from_stride[d];
    piece.to_offset += first * copy->to_stride[d];
    for (int k = d - 1; k >= 0; k--) {
        hit_index at = outer % copy->count[k];
        outer /= copy->count[k];
        piece.from_offset += at * copy->from_stride[k];
        piece.to_offset += at * copy->to_stride[k];
    }
    return piece;
}

/* The piece as far as a slot: it lies there as a dense array, from its beginning on. */
static hit_ndcopy half_of(const hit_ndcopy *piece, bool into_slot)
{
    hit_ndcopy half = *piece;
    ptrdiff_t *stride = into_slot ? half.to_stride : half.from_stride;
    ptrdiff_t next = (ptrdiff_t)piece->run_bytes;

    *(into_slot ? &half.to_offset : &half.from_offset) = 0;
    for (int d = piece->dims - 1; d >= 0; d--) {
        stride[d] = next;
        next *= piece->count[d];
    }
    return half;
}

/* What the host does when the stream has come there. */
static void pack(void *argument)
{
    const hit_cuda_slot *slot = argument;

    hit_ndcopy_run(&slot->copy, slot->from, slot->to);
}

static hit_status start_packing(const transfer *move, hit_cuda_slot *slot)
{
    return hit_cuda_check(cudaLaunchHostFunc(move->lane->stream, pack, slot),
                          "cudaLaunchHostFunc");
}

/* Between a slot, which is dense, and the GPU's memory: in one run if that is, too. */
static hit_status cross(const transfer *move, hit_ndcopy half, const char *from, char *to)
{
    bool dense = true;

    for (int d = 0; d < half.dims; d++) {
        dense = dense && (half.count[d] == 1 || half.from_stride[d] == half.to_stride[d]);
    }
    if (!dense) return hit_cuda_move(move->lane->stream, &half, from, to);
    return hit_cuda_check(cudaMemcpyAsync(to + half.to_offset, from + half.from_offset,
                                          hit_ndcopy_bytes(&half), move->kind,
                                          move->lane->stream),
                          "copy between host and GPU");
}

static hit_status send_piece(const transfer *move, const hit_ndcopy *piece,
                             hit_cuda_slot *slot)
{
    slot->copy = half_of(piece, true);
    slot->from = move->from;
    slot->to = slot->memory;
    HIT_TRY(start_packing(move, slot));
    return cross(move, half_of(piece, false), slot->memory, move->to);
}

static hit_status fetch_piece(const transfer *move, const hit_ndcopy *piece,
                              hit_cuda_slot *slot)
{
    slot->copy = half_of(piece, false);
    slot->from = slot->memory;
    slot->to = move->to;
    HIT_TRY(cross(move, half_of(piece, true), move->from, slot->memory));
    return start_packing(move, slot);
}

static hit_status copy_piece(const transfer *move, const hit_ndcopy *piece)
{
    hit_cuda_lane *lane = move->lane;
    hit_cuda_slot *slot = &lane->slot[lane->next];
    const bool out = move->kind == cudaMemcpyDeviceToHost;

    lane->next = (lane->next + 1) % HIT_CUDA_RING;
    HIT_TRY(
        hit_cuda_check(cudaEventSynchronize(slot->idle), "waiting for pinned memory"));
    HIT_TRY(out ? fetch_piece(move, piece, slot) : send_piece(move, piece, slot));
    return hit_cuda_check(cudaEventRecord(slot->idle, lane->stream), "cudaEventRecord");
}

static hit_status copy_runs(const transfer *move, const hit_ndcopy *copy)
{
    hit_index each = 1;
    hit_index outer_count = 1;
    int d = loop_to_cut(copy, &each);

    for (int k = 0; k < d; k++) {
        outer_count *= copy->count[k];
    }
    for (hit_index outer = 0; outer < outer_count; outer++) {
        for (hit_index first = 0; first < copy->count[d]; first += each) {
            hit_ndcopy piece = piece_of(copy, d, outer, first, each);
            HIT_TRY(copy_piece(move, &piece));
        }
    }
    return HIT_OK;
}

/* Runs that are longer than a slot are cut. */
static hit_status copy_packed(const transfer *move, const hit_ndcopy *copy)
{
    hit_ndcopy some = *copy;

    if (copy->dims == 0) {
        some.dims = 1;
        some.count[0] = 1;
        some.from_stride[0] = some.to_stride[0] = 0;
    }
    for (size_t at = 0; at < copy->run_bytes; at += HIT_CUDA_RING_BYTES) {
        const size_t rest = copy->run_bytes - at;

        some.run_bytes = rest < HIT_CUDA_RING_BYTES ? rest : HIT_CUDA_RING_BYTES;
        some.from_offset = copy->from_offset + (ptrdiff_t)at;
        some.to_offset = copy->to_offset + (ptrdiff_t)at;
        HIT_TRY(copy_runs(move, &some));
    }
    return HIT_OK;
}

/* ---- which way ---- */

/* The host's bytes lie in one allocation, of which all is pinned, or nothing but perhaps
 * a page at an end that it shares with others. */
static bool host_is_pinned(const transfer *move, const hit_ndcopy *copy)
{
    const bool out = move->kind == cudaMemcpyDeviceToHost;
    const ptrdiff_t *stride = out ? copy->to_stride : copy->from_stride;
    const char *first = out ? move->to + copy->to_offset : move->from + copy->from_offset;
    const char *last = first + copy->run_bytes - 1;

    for (int d = 0; d < copy->dims; d++) {
        last += (copy->count[d] - 1) * stride[d];
    }
    return hit_cuda_has(first, cudaMemoryTypeHost) &&
           hit_cuda_has(last, cudaMemoryTypeHost);
}

static bool packs(const hit_cuda *self, hit_way way, const hit_ndcopy *copy)
{
    const size_t bytes = hit_ndcopy_bytes(copy);
    const size_t runs = bytes / copy->run_bytes;

    return hit_link_packs(&self->links, way == HIT_WAY_IN ? HIT_LINK_IN : HIT_LINK_OUT,
                          (double)runs, (double)bytes);
}

static hit_status start_copy(hit_cuda *self, const transfer *move, hit_way way,
                             const hit_ndcopy *copy)
{
    const size_t bytes = hit_ndcopy_bytes(copy);

    if (way == HIT_WAY_WITHIN) {
        return hit_cuda_move(move->lane->stream, copy, move->from, move->to);
    }
    if (!host_is_pinned(move, copy)) {
        self->unpinned_bytes += bytes;
        if (hit_trace_on(self->trace)) self->trace->unpinned_bytes += bytes;
        return copy_packed(move, copy);
    }
    return packs(self, way, copy) ? copy_packed(move, copy) : copy_engine(move, copy);
}

hit_status hit_cuda_copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                         const hit_view *to, const hit_domain *domain)
{
    hit_cuda *self = state;
    const hit_ndcopy copy = hit_ndcopy_make(from, to, domain, NULL);
    const transfer move = {.lane = &self->lane[lane],
                           .from = from->data,
                           .to = to->data,
                           .kind = way == HIT_WAY_IN ? cudaMemcpyHostToDevice
                                                     : cudaMemcpyDeviceToHost};
    hit_cuda_span *span;
    hit_status status;

    if (copy.run_bytes == 0) return HIT_OK;
    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    span = hit_cuda_span_begin(self, lane, hit_way_trace(way));
    status = start_copy(self, &move, way, &copy);
    hit_cuda_span_end(self, span, "copy", hit_ndcopy_bytes(&copy));
    return status;
}
