/* SPDX-License-Identifier: MIT
 * Pieces in three lanes: while the launches of a piece run, the next piece's rows come in
 * and those of the one before go out; what both need is copied on the device. A device
 * that runs chains gets the launches of a piece in tiles, others one after the other. */
#include "hit/run/chain_pieces.h"

#include "hit/base/alloc.h"
#include "hit/data/ndcopy.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"

#include <string.h>

enum {
    LIGHT = 4096 /* indices */
};

/* ---- copies ---- */

static int buffer_of(const hit_chain_pieces *p, int s, hit_index piece)
{
    return (int)(piece % p->share->plan.band[s].buffers);
}

/* What piece @p piece has of a storage, in the memory of the device. */
static hit_view device_view(const hit_chain_pieces *p, int s, hit_index piece)
{
    const hit_chain_band *of = &p->share->plan.band[s];
    const hit_domain box = hit_chain_band_at(&p->share->plan, s, piece);

    return hit_view_make(&box, of->size_bytes,
                         p->device->arena + of->offset_bytes +
                             (size_t)buffer_of(p, s, piece) * of->buffer_bytes);
}

static hit_status after(const hit_chain_pieces *p, hit_lane lane, hit_lane of,
                        uint64_t mark)
{
    return hit_device_after(p->device, lane, of, mark);
}

/* Where the host has what lies on a side of the rows of the device. */
static const hit_view *host_view(const hit_chain_pieces *p, int s, hit_chain_side side)
{
    const hit_view *halo = &p->halo[s][side];

    return halo->data != NULL ? halo : p->host[s];
}

static hit_status bring_box(hit_chain_pieces *p, int s, const hit_domain *box,
                            const hit_view *to)
{
    for (int side = 0; side < HIT_CHAIN_SIDES; side++) {
        const hit_view *from = host_view(p, s, (hit_chain_side)side);
        const hit_domain some =
            hit_chain_share_side(p->share, s, *box, (hit_chain_side)side);

        if (hit_domain_is_empty(&some)) continue;
        HIT_TRY(hit_device_copy(p->device, HIT_LANE_IN, HIT_WAY_IN, from, to, &some));
    }
    p->bytes_in += (uint64_t)hit_domain_count(box) * p->share->plan.band[s].size_bytes;
    return HIT_OK;
}

/* Rows that piece @p piece needs and the one before does not have. */
static hit_status bring(hit_chain_pieces *p, hit_index piece)
{
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        const hit_chain_band *of = &p->share->plan.band[s];
        hit_domain box[HIT_CHAIN_BOXES];
        hit_view to;
        int boxes;

        if (!of->used) continue;
        boxes = hit_chain_band_incoming(&p->share->plan, s, piece, box);
        if (boxes == 0) continue;
        to = device_view(p, s, piece);
        HIT_TRY(after(p, HIT_LANE_IN, HIT_LANE_RUN, p->ran[s][buffer_of(p, s, piece)]));
        HIT_TRY(after(p, HIT_LANE_IN, HIT_LANE_OUT, p->sent[s][buffer_of(p, s, piece)]));
        for (int k = 0; k < boxes; k++) {
            HIT_TRY(bring_box(p, s, &box[k], &to));
        }
    }
    p->loaded = hit_device_mark(p->device, HIT_LANE_IN);
    return HIT_OK;
}

/* Rows that it needs and the one before has. */
static hit_status keep(hit_chain_pieces *p, hit_index piece)
{
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        const hit_chain_band *of = &p->share->plan.band[s];
        hit_domain kept;
        hit_view from;
        hit_view to;

        if (!of->used || !of->slides) continue;
        HIT_TRY(after(p, HIT_LANE_RUN, HIT_LANE_OUT, p->sent[s][buffer_of(p, s, piece)]));
        if (piece == 0) continue;
        kept = hit_chain_band_kept(&p->share->plan, s, piece);
        if (hit_domain_is_empty(&kept)) continue;
        from = device_view(p, s, piece - 1);
        to = device_view(p, s, piece);
        HIT_TRY(
            hit_device_copy(p->device, HIT_LANE_RUN, HIT_WAY_WITHIN, &from, &to, &kept));
        p->ran[s][buffer_of(p, s, piece - 1)] = hit_device_mark(p->device, HIT_LANE_RUN);
    }
    return HIT_OK;
}

/* Results that no later piece changes. */
static hit_status send(hit_chain_pieces *p, hit_index piece)
{
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        const hit_chain_band *of = &p->share->plan.band[s];
        hit_domain box[HIT_CHAIN_BOXES];
        hit_view from;
        int boxes;

        if (!of->used) continue;
        boxes = hit_chain_band_outgoing(&p->share->plan, s, piece, box);
        if (boxes == 0) continue;
        from = device_view(p, s, piece);
        HIT_TRY(after(p, HIT_LANE_OUT, HIT_LANE_RUN, p->ran[s][buffer_of(p, s, piece)]));
        for (int k = 0; k < boxes; k++) {
            HIT_TRY(hit_device_copy(p->device, HIT_LANE_OUT, HIT_WAY_OUT, &from,
                                    p->host[s], &box[k]));
            p->bytes_out += (uint64_t)hit_domain_count(&box[k]) * of->size_bytes;
        }
        p->sent[s][buffer_of(p, s, piece)] = hit_device_mark(p->device, HIT_LANE_OUT);
    }
    return HIT_OK;
}

/* ---- rows of other devices ---- */

static size_t halo_bytes(const hit_chain_pieces *p, const hit_domain *halo, int s)
{
    const size_t elements = (size_t)hit_domain_count(halo);

    return hit_memory_padded(elements * p->share->plan.band[s].size_bytes);
}

static hit_status reserve_halos(hit_chain_pieces *p, size_t bytes)
{
    const char *what = "rows of other devices";

    if (p->halos != NULL && bytes <= p->halos_bytes) return HIT_OK;
    hit_chain_pieces_drop_halos(p);
    HIT_TRY(hit_chain_pieces_counts(p) ? hit_memory_reserve(bytes, what, &p->halos)
                                       : hit_memory_take(bytes, what, &p->halos));
    p->halos_bytes = bytes;
    return HIT_OK;
}

/* They are copied while nothing runs. */
hit_status hit_chain_pieces_keep_halos(hit_chain_pieces *p, const hit_chain_cut *cut)
{
    hit_domain halo[HIT_CHAIN_STORAGES][HIT_CHAIN_SIDES];
    size_t bytes = 0;

    memset(p->halo, 0, sizeof(p->halo));
    for (int s = 0; s < p->chains->storages; s++) {
        for (int side = 0; side < HIT_CHAIN_SIDES; side++) {
            halo[s][side] = hit_chain_cut_halo(cut, p->share, s, (hit_chain_side)side);
            bytes += halo_bytes(p, &halo[s][side], s);
        }
    }
    if (bytes == 0) return HIT_OK;
    HIT_TRY(reserve_halos(p, bytes));
    bytes = 0;
    for (int s = 0; s < p->chains->storages; s++) {
        for (int side = 0; side < HIT_CHAIN_SIDES; side++) {
            const hit_domain *box = &halo[s][side];

            if (hit_domain_is_empty(box)) continue;
            p->halo[s][side] = hit_view_make(box, p->share->plan.band[s].size_bytes,
                                             (char *)p->halos + bytes);
            bytes += halo_bytes(p, box, s);
            if (hit_chain_pieces_counts(p)) continue;
            hit_view_copy(p->host[s], &p->halo[s][side], box, NULL);
        }
    }
    return HIT_OK;
}

/* ---- the launches of a piece ---- */

/* As hit/run/live.c has it, in indices: to wake a thread takes longer. */
static bool is_light(const hit_run *run, int dims)
{
    hit_index indices = 1;

    for (int d = 0; d < dims && indices <= LIGHT; d++) {
        indices *= run->end[d] - run->begin[d] + 1;
    }
    return indices <= LIGHT;
}

/* Let the run of a launch be on its positions in the piece, and its slots point to the
 * memory of the device. */
static void set_run(hit_chain_pieces *p, int l, hit_index piece)
{
    const hit_chain_record *one = &p->chains->record[l];
    const int index = p->share->plan.chain->place[l].index[0];
    hit_run *run = &p->run[l];

    p->active[l] =
        hit_chain_stream_positions(&p->share->plan, l, piece, &p->begin[l], &p->end[l]);
    if (!p->active[l]) return;
    if (index >= 0) {
        run->begin[index] = p->begin[l];
        run->end[index] = p->end[l];
    }
    run->light = is_light(run, one->kernel->dims);
    p->light = p->light && run->light;
    run->dense = one->run->dense;
    run->elements = 0;
    for (int u = 0; u < one->launch->uses; u++) {
        const hit_chain_use *use = &one->launch->use[u];
        hit_view view;

        if (hit_domain_is_empty(&use->cover)) continue; /* nothing reads it */
        view = device_view(p, use->storage, piece);
        hit_run_set_slot(run, use->arg, &view, &use->tile, true);
    }
}

/* Threads get chunks of the axis that has the most room for them: what is between two
 * chunks takes the time of one thread. */
static void set_chunks(hit_tiling *tiling, int threads)
{
    unsigned cut = 0;

    for (int left = threads; left > 1;) {
        hit_index most = 1;
        int axis = -1;

        for (int c = 0; c < tiling->chain->axes; c++) {
            const hit_index extent = tiling->end[c] - tiling->begin[c] + 1;
            const hit_index room = extent / hit_tiling_least_chunk(tiling, c);

            if ((cut >> c & 1u) != 0 || room <= most) continue;
            most = room;
            axis = c;
        }
        if (axis < 0) return;
        cut |= 1u << axis;
        tiling->chunks[axis] = most < left ? (int)most : left;
        left = (left + tiling->chunks[axis] - 1) / tiling->chunks[axis];
    }
}

static hit_status run_one(const hit_chain_pieces *p, int l)
{
    if (p->launch != NULL) return p->launch(p->caller, l);
    return hit_device_run(p->device, p->chains->record[l].kernel, &p->run[l], NULL);
}

static hit_status run_plain(const hit_chain_pieces *p, int first, int launches)
{
    for (int l = first; l < first + launches; l++) {
        if (p->active[l]) HIT_TRY(run_one(p, l));
    }
    return HIT_OK;
}

static hit_status run_tiled(hit_chain_pieces *p, int first, int launches)
{
    hit_tiling tiling;
    int count = 0;

    for (int l = first; l < first + launches; l++) {
        hit_chain_place *place = &p->part.place[count];

        if (!p->active[l]) continue;
        *place = p->share->plan.chain->place[l];
        place->begin[0] = p->begin[l];
        place->end[0] = p->end[l];
        p->work.kernel[count] = p->chains->record[l].kernel;
        p->work.run[count++] = &p->run[l];
    }
    if (count < 2 || (p->light && p->chains->launcher->chain_choice == NULL)) {
        return run_plain(p, first, launches);
    }
    p->part.axes = p->share->plan.chain->axes;
    p->part.line = p->share->plan.chain->line;
    p->part.launches = count;
    tiling = hit_choice_tiling(&p->choice, &p->part, count, 1);
    set_chunks(&tiling, p->device->threads);
    p->work.tiling = &tiling;
    return hit_chain_run_work_on(p->chains, p->number, &p->work);
}

static hit_status run_launches(hit_chain_pieces *p)
{
    const int end = p->share->plan.first + p->share->plan.launches;

    if (p->choice.plain) {
        return run_plain(p, p->share->plan.first, p->share->plan.launches);
    }
    for (int l = p->share->plan.first; l < end; l += p->together) {
        const int launches = end - l < p->together ? end - l : p->together;

        HIT_TRY(run_tiled(p, l, launches));
    }
    return HIT_OK;
}

static hit_status run_piece(hit_chain_pieces *p, hit_index piece)
{
    uint64_t done;

    p->light = true;
    for (int l = p->share->plan.first; l < p->share->plan.first + p->share->plan.launches;
         l++) {
        set_run(p, l, piece);
    }
    HIT_TRY(run_launches(p));
    done = hit_device_mark(p->device, HIT_LANE_RUN);
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        if (p->share->plan.band[s].used) p->ran[s][buffer_of(p, s, piece)] = done;
    }
    return HIT_OK;
}

/* ---- all pieces ---- */

/* The tiles of a piece: as the model says for its height. */
static void choose_tiles(hit_chain_pieces *p, int count)
{
    const hit_chains *chains = p->chains;
    const int period =
        chains->period > 0 && 2 * chains->period <= count ? chains->period : 1;
    hit_choice choice[HIT_CHOICES];
    hit_choose_request request;

    p->choice = (hit_choice){.plain = true};
    if (p->device->processor->run_chain == NULL || p->share->plan.launches < 2) return;
    if (chains->launcher->chain_choice != NULL) {
        p->choice = *chains->launcher->chain_choice;
        p->together = p->choice.plain ? p->share->plan.launches : p->choice.steps;
        return;
    }
    request = hit_chain_block_request(chains, count, period);
    request.extent[0] = p->share->plan.height;
    request.threads = p->device->threads;
    request.most_steps = p->share->plan.launches / period;
    if (hit_choose(&request, choice) > 0) p->choice = choice[0];
    p->together = p->choice.steps * period;
}

/* With the marks of now: nothing of what came before is left to do. */
hit_status hit_chain_pieces_begin(hit_chain_pieces *p, int count)
{
    choose_tiles(p, count);
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        for (int k = 0; k < HIT_CHAIN_BUFFERS; k++) {
            p->ran[s][k] = hit_device_mark(p->device, HIT_LANE_RUN);
            p->sent[s][k] = hit_device_mark(p->device, HIT_LANE_OUT);
        }
    }
    p->bytes_in = p->bytes_out = 0;
    p->done = 0;
    for (int l = p->share->plan.first; l < p->share->plan.first + p->share->plan.launches;
         l++) {
        const hit_chain_record *one = &p->chains->record[l];

        hit_run_copy(&p->run[l], one->run, one->kernel->args);
    }
    return bring(p, 0);
}

/* As a stream of superblocks (hit/stream/stream.c): a host runs kernels itself, so that
 * copies are asked for before; another device is given the piece first. */
hit_status hit_chain_pieces_next(hit_chain_pieces *p)
{
    const bool async = hit_device_async(p->device);
    const hit_index k = p->done;
    const bool last = k + 1 == p->share->plan.pieces;
    const uint64_t loaded = p->loaded;

    HIT_TRY(keep(p, k));
    if (!async && !last) HIT_TRY(bring(p, k + 1));
    HIT_TRY(after(p, HIT_LANE_RUN, HIT_LANE_IN, loaded));
    HIT_TRY(run_piece(p, k));
    if (async && k > 0) HIT_TRY(send(p, k - 1));
    if (!async || last) HIT_TRY(send(p, k));
    if (async && !last) HIT_TRY(bring(p, k + 1));
    p->done++;
    return HIT_OK;
}

hit_status hit_chain_pieces_flush(hit_chain_pieces *p)
{
    const bool waits = hit_device_async(p->device) && p->done < p->share->plan.pieces;

    return waits && p->done > 0 ? send(p, p->done - 1) : HIT_OK;
}

hit_status hit_chain_pieces_run(hit_chain_pieces *p, int count)
{
    HIT_TRY(hit_chain_pieces_begin(p, count));
    while (p->done < p->share->plan.pieces) {
        HIT_TRY(hit_chain_pieces_next(p));
    }
    return HIT_OK;
}
