/* SPDX-License-Identifier: MIT
 * Reading and writing in rounds. A round is a stretch of the array in row-major order
 * that is also a box; its elements are copied between the tile and a staging tile of
 * which every process owns a stretch, and that is what it reads or writes. So any layout,
 * with strides and any number of pieces, costs the same messages as hit_tile_copy(), and
 * files see long contiguous accesses only. The staging tile lies in memory of who writes
 * the stretch, or reads it: nothing is copied twice.
 *
 * Where units are files of their own, those that lie in a piece of one process are
 * written by it before, without messages and rounds; what remains goes in rounds. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/data/disk.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/data/marks.h"
#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "hit/data/sig.h"
#include "hit/io/io_impl.h"
#include "hit/tile/tile_impl.h"
#include "hit/tile/tile_move.h"
#include "hit/topo/layout_impl.h"

#include <math.h>
#include <stdio.h>

/* Rounds: one unit in every dimension before cut, some at a time of it, all after. */
typedef struct rounds {
    int cut;
    hit_index size[HIT_MAX_DIMS]; /**< elements of a round */
    hit_index at[HIT_MAX_DIMS];   /**< where the round begins */
} rounds;

static hit_index unit_of(const hit_file_transfer *t, int dim)
{
    return t->array.unit[dim] > 0 ? t->array.unit[dim] : 1;
}

static rounds plan_rounds(const hit_file_transfer *t)
{
    const hit_array *array = &t->array;
    const double buffer = (double)t->buffer_bytes;
    double bytes = (double)array->type.size_bytes; /* of one unit of the cut dimension */
    double units;
    rounds r = {0};

    if (array->dims == 0) return r;
    for (int d = 0; d < array->dims; d++) {
        r.size[d] = unit_of(t, d);
        bytes *= (double)r.size[d];
    }
    for (r.cut = array->dims - 1; r.cut > 0; r.cut--) {
        units = (double)hit_index_ceil_div(array->extent[r.cut], r.size[r.cut]);
        if (bytes * units > buffer) break;
        bytes *= units;
        r.size[r.cut] = array->extent[r.cut];
    }
    units = buffer / bytes;
    units = (units < 1 ? 1 : floor(units)) * t->context->size;
    if (units > (double)array->extent[r.cut]) units = (double)array->extent[r.cut];
    r.size[r.cut] *= (hit_index)units;
    return r;
}

static hit_domain round_domain(const hit_file_transfer *t, const rounds *r)
{
    hit_domain domain = t->tile->domain;

    for (int d = 0; d < domain.dims; d++) {
        domain.sig[d] = hit_sig_slice(domain.sig[d], r->at[d], r->at[d] + r->size[d] - 1);
    }
    return domain;
}

static bool next_round(const hit_file_transfer *t, rounds *r)
{
    for (int d = r->cut; d >= 0; d--) {
        r->at[d] += r->size[d];
        if (r->at[d] < t->array.extent[d]) return true;
        r->at[d] = 0;
    }
    return false;
}

/* What this process has of a round: elements that lie in one piece in the file, too. */
typedef struct stretch {
    hit_index start[HIT_MAX_DIMS];
    hit_index count[HIT_MAX_DIMS];
    void *data;
} stretch;

/* A layout of the round that gives each process a stretch of whole units. */
static hit_status make_layout(const hit_file_transfer *t, const hit_domain *domain,
                              int cut, hit_layout **layout)
{
    char text[96] = "single";

    if (domain->dims > 0) {
        const hit_index unit = unit_of(t, cut);
        const hit_index units = hit_index_ceil_div(hit_sig_count(domain->sig[cut]), unit);
        const hit_index block = unit * hit_index_ceil_div(units, t->context->size);

        (void)snprintf(text, sizeof(text),
                       "blockcyclic:block=%lld,grid=", (long long)block);
        for (int d = 0; d < domain->dims; d++) {
            hit_text_add(text, sizeof(text), "%s%d", d > 0 ? "x" : "",
                         d == cut ? t->context->size : 1);
        }
    }
    return hit_layout_create(t->context, *domain, text, layout);
}

/* Memory for a stretch: of who writes it, or what the round before had. */
static hit_status take_memory(hit_file_transfer *t, size_t bytes, stretch *s)
{
    const hit_sink *sink = t->array.sink;

    if (sink != NULL) {
        const hit_stretch wanted = hit_flat_stretch(&t->array, s->start, s->count);

        return sink->take(sink->of, &wanted, &s->data);
    }
    if (bytes > t->staging_bytes) {
        hit_memory_release(&t->staging);
        t->staging_bytes = 0;
        HIT_TRY(hit_memory_take(bytes, "staging of a file", &t->staging));
        t->staging_bytes = bytes;
    }
    s->data = t->staging;
    return HIT_OK;
}

static hit_status find_stretch(hit_file_transfer *t, const hit_layout *layout, stretch *s)
{
    hit_region owned = {0}; /* one box, or nothing */
    size_t bytes = 0;

    HIT_TRY(hit_layout_part(layout, t->context->rank, &owned));
    if (owned.count > 0) {
        const hit_domain *box = &owned.part[0];

        bytes = (size_t)hit_domain_count(box) * t->array.type.size_bytes;
        for (int d = 0; d < box->dims; d++) {
            s->start[d] = hit_sig_position(t->tile->domain.sig[d], box->sig[d].begin);
            s->count[d] = hit_sig_count(box->sig[d]);
        }
    } else if (t->array.dims == 0) {
        s->count[0] = -1; /* a scalar that another process has */
    }
    hit_region_clear(&owned);
    return bytes > 0 ? take_memory(t, bytes, s) : HIT_OK;
}

/* Between the tile and the stretches of all processes. */
static hit_status copy_round(const hit_file_transfer *t, hit_layout *layout,
                             const stretch *s)
{
    const hit_local_array array = {.first = s->data};
    hit_tile *part = NULL;
    hit_tile *staging = NULL;
    hit_status status;

    HIT_TRY(hit_tile_adopt(layout, t->array.type, "staging of a file", &array, &staging));
    status = hit_comm_agree(t->context->comm,
                            hit_tile_select(t->tile, hit_layout_domain(layout), &part));
    if (status == HIT_OK) {
        status = t->writes ? hit_tile_copy(part, staging) : hit_tile_copy(staging, part);
    }
    hit_tile_destroy(&part);
    hit_tile_destroy(&staging);
    return status;
}

static hit_status move_round(hit_file_transfer *t, const rounds *r)
{
    const hit_domain domain = round_domain(t, r);
    const hit_format *format = t->array.format;
    hit_comm *comm = t->context->comm;
    stretch s = {.data = NULL};
    hit_layout *layout = NULL;
    hit_status status;

    HIT_TRY(make_layout(t, &domain, r->cut, &layout));
    status = find_stretch(t, layout, &s);
    if (status == HIT_OK && !t->writes) {
        status = format->read(&t->array, s.start, s.count, s.data);
    }
    status = hit_comm_agree(comm, status);
    if (status == HIT_OK) status = copy_round(t, layout, &s);
    if (status == HIT_OK && t->writes) {
        status = hit_comm_agree(comm, format->write(&t->array, s.start, s.count, s.data));
    }
    hit_layout_destroy(&layout);
    return status;
}

static hit_status move_rounds(hit_file_transfer *t)
{
    rounds r = plan_rounds(t);

    do {
        HIT_TRY(move_round(t, &r));
    } while (next_round(t, &r));
    return HIT_OK;
}

/* ---- units that one process has ---- */

/* Which units are written. */
typedef struct written {
    hit_domain units; /* by their numbers along each dimension */
    hit_marks *marks; /* among them */
} written;

/* Where unit @p at is in the array; returns its elements. */
static hit_domain unit_domain(const hit_file_transfer *t, const hit_index at[],
                              stretch *s)
{
    hit_domain domain = t->tile->domain;

    for (int d = 0; d < domain.dims; d++) {
        const hit_index unit = unit_of(t, d);
        const hit_index end = hit_smaller((at[d] + 1) * unit, t->array.extent[d]);

        s->start[d] = at[d] * unit;
        s->count[d] = end - s->start[d];
        domain.sig[d] = hit_sig_slice(domain.sig[d], s->start[d], end - 1);
    }
    return domain;
}

/* The units that begin in a piece, all that may be in it. */
static hit_domain units_in(const hit_file_transfer *t, const hit_domain *piece)
{
    hit_domain units = {.dims = piece->dims};

    for (int d = 0; d < piece->dims; d++) {
        const hit_sig all = t->tile->domain.sig[d];
        const hit_index unit = unit_of(t, d);
        const hit_index first = hit_sig_position(all, piece->sig[d].begin);
        const hit_index last = hit_sig_position(all, piece->sig[d].end);

        units.sig[d] = hit_sig_make(hit_index_ceil_div(first, unit), last / unit, 1);
    }
    return units;
}

/* From where it lies in the piece, if it is dense there. */
static hit_status write_unit(hit_file_transfer *t, const hit_view *piece,
                             const hit_domain *domain, stretch *s)
{
    const size_t size = t->array.type.size_bytes;
    const size_t bytes = (size_t)hit_domain_count(domain) * size;
    hit_view to = hit_view_make(domain, size, NULL);
    const hit_ndcopy copy = hit_ndcopy_make(piece, &to, domain, NULL);

    s->data = piece->data + copy.from_offset;
    if (copy.dims > 0 || copy.run_bytes != bytes) {
        HIT_TRY(take_memory(t, bytes, s));
        to.data = s->data;
        hit_tile_copy_on_host(t->context, piece, &to, domain);
        HIT_TRY(hit_disk_told(t->context->disk));
    }
    return t->array.format->write(&t->array, s->start, s->count, s->data);
}

static hit_status write_of_piece(hit_file_transfer *t, int piece, written *w)
{
    hit_domain units;
    hit_view view;

    HIT_TRY(hit_tile_map(t->tile, piece, HIT_READ, &view));
    units = units_in(t, &view.domain);
    HIT_FOR_EACH (at, units) {
        stretch s = {.data = NULL};
        const hit_domain domain = unit_domain(t, at, &s);

        if (!hit_domain_inside(&domain, &view.domain)) continue;
        HIT_TRY(write_unit(t, &view, &domain, &s));
        hit_marks_add(w->marks, at);
    }
    return HIT_OK;
}

/* Afterwards all know what is written. */
static hit_status write_own(hit_file_transfer *t, written *w, bool *any)
{
    hit_comm *comm = t->context->comm;
    hit_status status = hit_marks_create(&w->units, &w->marks);
    uint64_t *words;
    int count;

    for (int k = 0; k < hit_tile_pieces(t->tile) && status == HIT_OK; k++) {
        status = write_of_piece(t, k, w);
    }
    HIT_TRY(hit_comm_agree(comm, status));
    words = hit_marks_words(w->marks, &count);
    HIT_TRY(hit_comm_sum_u64(comm, words, count)); /* each by one process */
    *any = hit_marks_count(w->marks) > 0;
    return HIT_OK;
}

/* In rounds of units that are neighbours in the last dimension. */
static hit_status write_rest(hit_file_transfer *t, const written *w)
{
    const int last = w->units.dims - 1;
    const hit_index unit = unit_of(t, last);
    rounds r = {.cut = last};
    double bytes = (double)t->array.type.size_bytes; /* of a unit */
    hit_index most;                                  /* units of a round */

    for (int d = 0; d <= last; d++) {
        r.size[d] = unit_of(t, d);
        bytes *= (double)r.size[d];
    }
    most = hit_larger((hit_index)((double)t->buffer_bytes / bytes), 1) * t->context->size;
    HIT_FOR_EACH (at, w->units) {
        hit_index count = 0;

        for (int d = 0; d <= last; d++) {
            r.at[d] = at[d] * unit_of(t, d);
        }
        while (count < most && at[last] <= w->units.sig[last].end &&
               !hit_marks_have(w->marks, at)) {
            at[last]++;
            count++;
        }
        if (count == 0) continue;
        at[last]--;
        r.size[last] = count * unit;
        HIT_TRY(move_round(t, &r));
    }
    return HIT_OK;
}

/* Few enough that all processes have a list of them. */
static bool set_units(const hit_file_transfer *t, written *w)
{
    enum {
        MOST = 1 << 20
    };
    double count = 1;

    if (!t->writes || !t->array.format->chunked || t->array.dims == 0) return false;
    *w = (written){.units.dims = t->array.dims};
    for (int d = 0; d < t->array.dims; d++) {
        const hit_index units = hit_index_ceil_div(t->array.extent[d], unit_of(t, d));

        if (t->array.unit[d] < 1) return false; /* an element is no file */
        w->units.sig[d] = hit_sig_make(0, units - 1, 1);
        count *= (double)units;
    }
    return count <= MOST;
}

static hit_status move_all(hit_file_transfer *t)
{
    bool any = false;
    written w;
    hit_status status;

    if (hit_domain_is_empty(&t->tile->domain)) return HIT_OK;
    if (!set_units(t, &w)) return move_rounds(t);
    status = write_own(t, &w, &any);
    if (status == HIT_OK) status = any ? write_rest(t, &w) : move_rounds(t);
    hit_marks_release(&w.marks);
    return status;
}

void hit_file_transfer_shape(hit_file_transfer *t)
{
    const hit_domain *domain = &t->tile->domain;

    t->array.type = hit_tile_type(t->tile);
    t->array.dims = domain->dims;
    for (int d = 0; d < domain->dims; d++) {
        t->array.extent[d] = hit_sig_count(domain->sig[d]);
    }
}

hit_status hit_file_transfer_carry_out(hit_file_transfer *t)
{
    const hit_format *format = t->array.format;
    hit_comm *comm = t->context->comm;
    hit_status status = t->writes ? format->create(&t->array) : format->open(&t->array);
    hit_status closed;

    status = hit_comm_agree(comm, status);
    if (status == HIT_OK && t->begin_bytes != NULL) {
        hit_flat_keep_place(&t->array, t->writes, t->begin_bytes);
    }
    if (status == HIT_OK) status = move_all(t);
    hit_memory_release(&t->staging);
    if (status == HIT_OK && t->writes && format->commit != NULL) {
        status = hit_comm_agree(comm, format->commit(&t->array));
    }
    if (status != HIT_OK) {
        (void)format->close(&t->array); /* the first failure is the one to tell */
        return status;
    }
    closed = format->close(&t->array);
    return hit_comm_agree(comm, closed);
}
