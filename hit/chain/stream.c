/* SPDX-License-Identifier: MIT
 * The skewed stream of a chain. Piece [a, b) of positions runs, of launch l, the
 * positions [a - shift, b - shift), so that it depends on earlier pieces only, and
 * touches of a storage the rows from a + low to b - 1 + high, where low and high are the
 * least and the largest of what the launches' accesses say. Both ends of this band
 * ascend: a row comes in when the upper one passes it, and goes out behind the lower one.
 *
 * @paper [Wonnacott2000] skewing of time steps; differs: the memory is a device's, pieces
 * follow each other, and rows and distances are those of the patterns */
#include "hit/base/alloc.h"
#include "hit/base/containers.h"
#include "hit/chain/spread.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"

#include <string.h>

static const hit_index far = (hit_index)1 << 60;

/* The smallest box of strides 1 that holds both; an empty one does not count. */
static hit_domain hull(const hit_domain *a, const hit_domain *b)
{
    hit_domain made = *a;

    if (hit_domain_is_empty(a)) return *b;
    if (hit_domain_is_empty(b)) return *a;
    for (int d = 0; d < made.dims; d++) {
        made.sig[d] = hit_sig_make(hit_smaller(a->sig[d].begin, b->sig[d].begin),
                                   hit_larger(a->sig[d].end, b->sig[d].end), 1);
    }
    return made;
}

/* The boxes of @p box that are not in @p hole; returns their number. */
static int minus(const hit_domain *box, const hit_domain *hole, hit_domain left[])
{
    hit_rest rest = hit_rest_of(box, hole);
    int count = 0;

    if (box->dims == 0) left[count++] = *box; /* it never counts as empty */
    while (hit_rest_next(&rest, &left[count])) {
        count++;
    }
    return count;
}

/* ---- bands ---- */

/* One use of launch number @p l. */
static void add_use(const hit_chain_stream_request *r, int l, const hit_chain_use *use,
                    bool first, hit_chain_band *band)
{
    const hit_chain_place *place = &r->chain->place[l];
    const hit_chain_axes *axes = &r->chain->of[use->storage];
    const hit_domain none = hit_domain_empty(use->cover.dims);
    hit_index low = 0;
    hit_index high = 0;

    if (!band->used) {
        *band = (hit_chain_band){.used = true,
                                 .slides = true,
                                 .rows_dim = axes->since > 0 ? axes->dim[0] : 0,
                                 .box = none,
                                 .fresh = none,
                                 .result = none,
                                 .dead = none,
                                 .low = far,
                                 .high = -far,
                                 .size_bytes = use->size_bytes};
    }
    band->box = hull(&band->box, &use->cover);
    if (first && use->overwrites) band->fresh = use->cover;
    if (use->writes) band->result = hull(&band->result, &use->cover);
    if (axes->since == 0 || !hit_chain_reach(place, use, 0, axes->dim[0], &low, &high)) {
        band->slides = false;
        return;
    }
    low -= place->shift[0];
    high -= place->shift[0];
    if (low < band->low) band->low = low;
    if (high > band->high) band->high = high;
}

/* Within a launch it does not matter which use comes first: what one of them writes
 * without reading it, no other one touches. */
static void set_bands(const hit_chain_stream_request *r, hit_chain_band band[])
{
    memset(band, 0, HIT_CHAIN_STORAGES * sizeof(*band));
    for (int l = r->first; l < r->first + r->launches; l++) {
        const hit_chain_launch *launch = r->launch[l];
        uint32_t before = 0;

        for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
            before |= (uint32_t)band[s].used << s;
        }
        for (int u = 0; u < launch->uses; u++) {
            const hit_chain_use *use = &launch->use[u];

            if (hit_domain_is_empty(&use->cover)) continue;
            add_use(r, l, use, (before >> use->storage & 1u) == 0, &band[use->storage]);
        }
    }
}

/* Where it does not slide, nothing is cut. */
static void set_own(const hit_chain_stream_request *r, hit_chain_band band[])
{
    for (int s = 0; s < HIT_CHAIN_STORAGES && r->own != NULL; s++) {
        hit_chain_band *of = &band[s];
        hit_sig *rows = of->result.sig + of->rows_dim;

        if (!of->used || of->result.dims == 0) continue;
        *rows = hit_sig_intersect(*rows, *r->own);
    }
}

static void set_dead(const hit_chain_stream_request *r, hit_chain_band band[])
{
    for (int s = 0; s < HIT_CHAIN_STORAGES && r->dead != NULL; s++) {
        hit_chain_band *of = &band[s];

        if (!of->used || r->dead[s].dims != of->result.dims) continue;
        of->dead = hit_domain_intersect(&of->result, &r->dead[s]);
    }
}

void hit_chain_stream_fresh(const hit_chain_stream_request *request, hit_domain fresh[])
{
    hit_chain_band band[HIT_CHAIN_STORAGES];

    set_bands(request, band);
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        fresh[s] = band[s].used ? band[s].fresh : hit_domain_empty(1);
    }
}

static bool is_written(const hit_chain_band *band)
{
    return !hit_domain_is_empty(&band->result);
}

static uint64_t count(const hit_domain *domain)
{
    return (uint64_t)hit_domain_count(domain);
}

static void set_bytes(hit_chain_stream *made)
{
    made->bytes_in = made->bytes_out = 0;
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        const hit_chain_band *of = &made->band[s];
        hit_domain fresh;

        if (!of->used) continue;
        fresh = hit_domain_intersect(&of->box, &of->fresh);
        made->bytes_in += (count(&of->box) - count(&fresh)) * of->size_bytes;
        if (!is_written(of)) continue;
        made->bytes_out += (count(&of->result) - count(&of->dead)) * of->size_bytes;
    }
}

/* ---- heights ---- */

static hit_index rows_of(const hit_chain_band *of)
{
    return of->box.dims > 0 ? hit_sig_count(of->box.sig[of->rows_dim]) : 1;
}

/* All but the last of the rows of a band may be needed by the next piece. */
static hit_index kept_rows(const hit_chain_band *of)
{
    const hit_index kept = of->slides ? of->high - of->low : 0;

    return kept < rows_of(of) ? kept : rows_of(of);
}

static size_t row_bytes(const hit_chain_band *of)
{
    return (size_t)(hit_domain_count(&of->box) / rows_of(of)) * of->size_bytes;
}

/* Set what depends on the height, with @p most buffers of what is written. */
static void set_height(hit_chain_stream *made, hit_index height, int most)
{
    size_t offset = 0;

    made->height = height;
    made->pieces = hit_index_ceil_div(made->end - made->begin, height);
    made->bytes_kept = 0;
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        hit_chain_band *of = &made->band[s];

        if (!of->used) continue;
        of->rows = rows_of(of);
        of->buffers = 1;
        if (of->slides) {
            if (height + kept_rows(of) < of->rows) of->rows = height + kept_rows(of);
            of->buffers = is_written(of) ? most : 2;
            made->bytes_kept +=
                (uint64_t)(made->pieces - 1) * (uint64_t)kept_rows(of) * row_bytes(of);
        }
        of->buffer_bytes = hit_memory_padded((size_t)of->rows * row_bytes(of));
        of->offset_bytes = offset;
        offset += (size_t)of->buffers * of->buffer_bytes;
    }
    made->memory_bytes = offset;
}

/* Copies of the first and the last piece have nothing beside them, and rows are copied
 * between pieces: the sum is least where the height is the root of both together. */
static hit_index best_height(const hit_chain_stream *made)
{
    const hit_index all = made->end - made->begin;
    hit_index kept = 1;
    hit_index low = 1;
    hit_index high = all > 1 ? all : 1;

    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        const hit_chain_band *of = &made->band[s];

        if (of->used && kept_rows(of) > kept) kept = kept_rows(of);
    }
    HIT_BISECT(k, low, high, (double)k * (double)k >= (double)all * (double)kept);
    return low;
}

/* The largest height up to the best one that fits; false: there is none. */
static bool fit(hit_chain_stream *made, int most, size_t limit_bytes)
{
    hit_index low = 1;
    hit_index high = best_height(made);

    while (low < high) {
        const hit_index middle = low + (high - low + 1) / 2;

        set_height(made, middle, most);
        if (made->memory_bytes <= limit_bytes) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    set_height(made, low, most);
    return made->memory_bytes <= limit_bytes;
}

/* What takes time beside the kernels. Where copies run beside each other elements go in
 * and out side by side with three buffers, and take turns with two; and the memory of a
 * GPU is many times as fast as its link. Else all are copies of one processor. */
static double cost_of(const hit_chain_stream *made, int most, bool async)
{
    const double in = (double)made->bytes_in;
    const double out = (double)made->bytes_out;
    const double kept = (double)made->bytes_kept;
    const double larger = in > out ? in : out;

    if (!async) return in + out + kept;
    return (most < HIT_CHAIN_BUFFERS ? in + out : larger) + kept / 16;
}

bool hit_chain_stream_is_less(const hit_chain_stream_request *request, uint64_t bytes)
{
    const hit_chain_stream_request *r = request;
    uint64_t alone_bytes = 0;

    if (r->alone_bytes == NULL || r->launches == 1) return true;
    for (int l = r->first; l < r->first + r->launches; l++) {
        alone_bytes += r->alone_bytes[l];
    }
    return bytes <= alone_bytes;
}

/* The positions of all launches, shifted. */
static void set_extent(hit_chain_stream *made)
{
    made->begin = far;
    made->end = -far;
    for (int l = made->first; l < made->first + made->launches; l++) {
        const hit_chain_place *place = &made->chain->place[l];

        if (place->end[0] < place->begin[0]) continue;
        made->begin = hit_smaller(made->begin, place->begin[0] + place->shift[0]);
        made->end = hit_larger(made->end, place->end[0] + place->shift[0] + 1);
    }
}

bool hit_chain_stream_fit(const hit_chain_stream_request *request, hit_chain_stream *made)
{
    const hit_chain_stream_request *r = request;
    hit_index height;
    bool fits;

    made->chain = r->chain;
    made->first = r->first;
    made->launches = r->launches;
    set_extent(made);
    set_bands(r, made->band);
    set_own(r, made->band);
    set_dead(r, made->band);
    set_bytes(made);
    fits = fit(made, 2, r->limit_bytes);
    height = made->height;
    made->cost = cost_of(made, 2, r->async);
    if (r->async && fit(made, HIT_CHAIN_BUFFERS, r->limit_bytes) &&
        cost_of(made, HIT_CHAIN_BUFFERS, r->async) <= made->cost) {
        made->cost = cost_of(made, HIT_CHAIN_BUFFERS, r->async);
    } else {
        set_height(made, height, 2);
    }
    return fits;
}

bool hit_chain_stream_plan(const hit_chain_stream_request *request,
                           hit_chain_stream *made)
{
    return hit_chain_stream_fit(request, made) &&
           hit_chain_stream_is_less(request, made->bytes_in + made->bytes_out);
}

/* ---- pieces ---- */

static hit_index piece_begin(const hit_chain_stream *stream, hit_index piece)
{
    const hit_index begin = stream->begin + piece * stream->height;

    return begin < stream->end ? begin : stream->end;
}

bool hit_chain_stream_positions(const hit_chain_stream *stream, int launch,
                                hit_index piece, hit_index *begin, hit_index *end)
{
    const hit_chain_place *place = &stream->chain->place[launch];

    *begin = piece_begin(stream, piece) - place->shift[0];
    *end = piece_begin(stream, piece + 1) - 1 - place->shift[0];
    if (*begin < place->begin[0]) *begin = place->begin[0];
    if (*end > place->end[0]) *end = place->end[0];
    return *begin <= *end;
}

/* The rows @p from to @p to of a box of the band, as far as it has them. */
static hit_domain rows(const hit_chain_band *of, hit_domain box, hit_index from,
                       hit_index to)
{
    hit_sig *some = &box.sig[of->rows_dim];

    *some = hit_sig_intersect(*some, hit_sig_make(from, to, 1));
    return hit_sig_is_empty(*some) ? hit_domain_empty(box.dims) : box;
}

/* The first row of piece @p piece, and the last one. */
static hit_index low_row(const hit_chain_stream *stream, const hit_chain_band *of,
                         hit_index piece)
{
    return piece < stream->pieces ? piece_begin(stream, piece) + of->low : far;
}

static hit_index high_row(const hit_chain_stream *stream, const hit_chain_band *of,
                          hit_index piece)
{
    return piece >= 0 ? piece_begin(stream, piece + 1) - 1 + of->high : -far;
}

hit_domain hit_chain_band_at(const hit_chain_stream *stream, int storage, hit_index piece)
{
    const hit_chain_band *of = &stream->band[storage];

    if (!of->slides) return of->box;
    return rows(of, of->box, low_row(stream, of, piece), high_row(stream, of, piece));
}

hit_domain hit_chain_band_kept(const hit_chain_stream *stream, int storage,
                               hit_index piece)
{
    const hit_chain_band *of = &stream->band[storage];

    if (!of->slides) return hit_domain_empty(of->box.dims);
    return rows(of, of->box, low_row(stream, of, piece), high_row(stream, of, piece - 1));
}

int hit_chain_band_incoming(const hit_chain_stream *stream, int storage, hit_index piece,
                            hit_domain box[])
{
    const hit_chain_band *of = &stream->band[storage];
    hit_domain some = of->box;

    if (!of->slides && piece > 0) return 0;
    if (of->slides) {
        some = rows(of, some, high_row(stream, of, piece - 1) + 1,
                    high_row(stream, of, piece));
    }
    return minus(&some, &of->fresh, box);
}

int hit_chain_band_outgoing(const hit_chain_stream *stream, int storage, hit_index piece,
                            hit_domain box[])
{
    const hit_chain_band *of = &stream->band[storage];
    hit_domain some = of->result;

    if (!is_written(of) || (!of->slides && piece < stream->pieces - 1)) return 0;
    if (of->slides) {
        some = rows(of, some, low_row(stream, of, piece),
                    low_row(stream, of, piece + 1) - 1);
    }
    return minus(&some, &of->dead, box);
}

bool hit_chain_stream_has_room(const hit_chain_launch *launch, size_t limit_bytes)
{
    hit_skew chain = {.launches = 0, .axes = 0, .line = 1};
    const hit_chain_stream_request request = {.chain = &chain,
                                              .launch = &launch,
                                              .launches = 1,
                                              .limit_bytes = limit_bytes,
                                              .async = false};
    hit_chain_stream alone;
    char why[300];

    return hit_skew_join(&chain, request.launch, why, sizeof(why)) &&
           hit_chain_stream_plan(&request, &alone);
}
