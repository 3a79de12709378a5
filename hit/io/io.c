/* SPDX-License-Identifier: MIT
 * Reading and writing in rounds. A round is a stretch of the array in row-major order
 * that is also a box; its elements are copied between the tile and a staging tile of
 * which every process owns a stretch, and that is what it reads or writes. So any layout,
 * with strides and any number of pieces, costs the same messages as hit_tile_copy(), and
 * files see long contiguous accesses only. */
#define _POSIX_C_SOURCE 200809L /* access */
#include "hit/io/io.h"

#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/data/sig.h"
#include "hit/io/format.h"
#include "hit/io/options.h"
#include "hit/tile/tile_call.h"
#include "hit/tile/tile_impl.h"
#include "hit/tile/tile_move.h"
#include "hit/topo/layout_impl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct transfer {
    hit_tile *tile;
    hit_context *context;
    hit_array array;
    hit_io_options options;
    bool writes;
} transfer;

/* Rounds: one unit in every dimension before cut, some at a time of it, all after. */
typedef struct rounds {
    int cut;
    hit_index size[HIT_MAX_DIMS]; /**< elements of a round */
    hit_index at[HIT_MAX_DIMS];   /**< where the round begins */
} rounds;

static hit_index unit_of(const transfer *t, int dim)
{
    return t->array.unit[dim] > 0 ? t->array.unit[dim] : 1;
}

static rounds plan_rounds(const transfer *t)
{
    const hit_array *array = &t->array;
    const double buffer = (double)t->options.buffer_bytes;
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

static hit_domain round_domain(const transfer *t, const rounds *r)
{
    hit_domain domain = t->tile->domain;

    for (int d = 0; d < domain.dims; d++) {
        domain.sig[d] = hit_sig_slice(domain.sig[d], r->at[d], r->at[d] + r->size[d] - 1);
    }
    return domain;
}

static bool next_round(const transfer *t, rounds *r)
{
    for (int d = r->cut; d >= 0; d--) {
        r->at[d] += r->size[d];
        if (r->at[d] < t->array.extent[d]) return true;
        r->at[d] = 0;
    }
    return false;
}

/* A tile over the round, of which each process owns a stretch of whole units. */
static hit_status make_staging(const transfer *t, const hit_domain *domain, int cut,
                               hit_tile **staging)
{
    hit_layout *layout = NULL;
    hit_status status;
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
    HIT_TRY(hit_layout_create(t->context, *domain, text, &layout));
    status = hit_tile_create(layout, t->array.type, "staging of a file", staging);
    hit_layout_destroy(&layout);
    return status;
}

/* Between this process's stretch and the file. */
static hit_status move_stretch(transfer *t, hit_tile *staging)
{
    hit_index start[HIT_MAX_DIMS] = {0};
    hit_index count[HIT_MAX_DIMS] = {0};
    hit_view view = {0};

    if (hit_tile_pieces(staging) > 0) {
        HIT_TRY(hit_tile_map(staging, 0, t->writes ? HIT_READ : HIT_WRITE, &view));
        for (int d = 0; d < view.domain.dims; d++) {
            start[d] = hit_sig_position(t->tile->domain.sig[d], view.domain.sig[d].begin);
            count[d] = hit_sig_count(view.domain.sig[d]);
        }
    } else if (t->array.dims == 0) {
        count[0] = -1; /* a scalar that another process has */
    }
    if (t->writes) return t->array.format->write(&t->array, start, count, view.data);
    return t->array.format->read(&t->array, start, count, view.data);
}

static hit_status move_round(transfer *t, const rounds *r)
{
    const hit_domain domain = round_domain(t, r);
    hit_tile *part = NULL;
    hit_tile *staging = NULL;
    hit_status status;

    HIT_TRY(make_staging(t, &domain, r->cut, &staging));
    status = hit_comm_agree(t->context->comm, hit_tile_select(t->tile, domain, &part));
    if (status == HIT_OK && t->writes) status = hit_tile_copy(part, staging);
    if (status == HIT_OK) {
        status = hit_comm_agree(t->context->comm, move_stretch(t, staging));
    }
    if (status == HIT_OK && !t->writes) status = hit_tile_copy(staging, part);
    hit_tile_destroy(&part);
    hit_tile_destroy(&staging);
    return status;
}

static hit_status move_all(transfer *t)
{
    rounds r = plan_rounds(t);

    if (hit_domain_is_empty(&t->tile->domain)) return HIT_OK;
    do {
        HIT_TRY(move_round(t, &r));
    } while (next_round(t, &r));
    return HIT_OK;
}

/* Where one dimension has a name all have one. */
static void name_dims(transfer *t)
{
    static const char *const usual[HIT_MAX_DIMS] = {"dim_0", "dim_1", "dim_2", "dim_3"};
    hit_axis *axis = t->array.axis;
    bool named = false;

    for (int d = 0; d < t->array.dims; d++) {
        axis[d] = hit_tile_axis(t->tile, d);
        named = named || axis[d].name != NULL;
    }
    for (int d = 0; d < t->array.dims && named; d++) {
        if (axis[d].name == NULL) axis[d].name = usual[d];
    }
}

static hit_status prepare(transfer *t, const char *path, const char *options)
{
    const hit_domain domain = t->tile->domain;
    hit_array *array = &t->array;

    HIT_TRY(hit_io_options_read(t->context, path, options, t->writes, &t->options));
    *array = (hit_array){.comm = t->context->comm,
                         .format = t->options.format,
                         .path = path,
                         .opened = path,
                         .dataset = t->options.dataset,
                         .add = t->options.add || t->options.timed,
                         .compress = t->options.compress,
                         .timed = t->options.timed,
                         .time = t->options.time,
                         .has_step = t->options.has_step,
                         .step = t->options.step,
                         .type = hit_tile_type(t->tile),
                         .dims = domain.dims};
    if (t->options.dataset[0] == '\0') array->dataset = hit_tile_name(t->tile);
    for (int d = 0; d < domain.dims; d++) {
        array->extent[d] = hit_sig_count(domain.sig[d]);
    }
    memcpy(array->chunks, t->options.chunks, sizeof(array->chunks));
    memcpy(array->shards, t->options.shards, sizeof(array->shards));
    name_dims(t);
    if (t->options.sizes == 0 || t->options.sizes == domain.dims) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected chunks= of %d sizes but found %d", path,
                    domain.dims, t->options.sizes);
}

/* Create or open, move, close. */
static hit_status carry_out(transfer *t)
{
    const hit_format *format = t->array.format;
    hit_comm *comm = t->context->comm;
    hit_status status = t->writes ? format->create(&t->array) : format->open(&t->array);
    hit_status closed;

    status = hit_comm_agree(comm, status);
    if (status == HIT_OK) status = move_all(t);
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

static hit_status begin(transfer *t, const char *path, const char *options)
{
    if (t->tile == NULL || path == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a tile and a path but found NULL");
    }
    HIT_TRY(hit_tile_check_open(t->tile));
    t->context = hit_tile_layout(t->tile)->context;
    return hit_tile_agree(
        &(hit_tile_call){.name = t->writes ? "hit_tile_write" : "hit_tile_read",
                         .tile = t->tile,
                         .path = path,
                         .options = options},
        prepare(t, path, options));
}

hit_status hit_tile_read(hit_tile *tile, const char *path, const char *options)
{
    transfer t = {.tile = tile};
    hit_status status = HIT_OK;

    HIT_TRY(begin(&t, path, options));
    if (hit_comm_is_planned(t.context->comm)) return HIT_OK;
    if (t.context->rank == 0 && !t.array.format->chunked) {
        status = hit_io_check_readable(path);
    }
    HIT_TRY(hit_comm_agree(t.context->comm, status));
    return carry_out(&t);
}

/* All processes open the draft that process 0 has made. @owner *opened: free() */
static hit_status share_draft(hit_comm *comm, const hit_draft *draft, char **opened)
{
    uint64_t size = draft->path != NULL ? strlen(draft->path) + 1 : 0;

    HIT_TRY(hit_comm_broadcast(comm, 0, &size, sizeof(size)));
    HIT_TRY(hit_comm_agree(comm, hit_memory_zeroed(size, 1, opened)));
    if (draft->path != NULL) memcpy(*opened, draft->path, size);
    return hit_comm_broadcast(comm, 0, *opened, size);
}

/* On process 0; where something is added to a file, the draft begins as a copy of it. */
static hit_status open_draft(const transfer *t, const char *path, hit_draft *draft)
{
    hit_status status;

    if (t->context->rank != 0) return HIT_OK;
    HIT_TRY(hit_draft_open(path, draft));
    status = t->array.add ? hit_draft_copy(draft) : HIT_OK;
    return status == HIT_OK ? HIT_OK : hit_draft_close(draft, status);
}

static hit_status write_draft(transfer *t, const char *path)
{
    hit_comm *comm = t->context->comm;
    hit_draft draft = {0};
    char *opened = NULL;
    hit_status status;

    HIT_TRY(hit_comm_agree(comm, open_draft(t, path, &draft)));
    status = share_draft(comm, &draft, &opened);
    if (status == HIT_OK) {
        t->array.opened = opened;
        status = carry_out(t);
    }
    if (t->context->rank == 0) status = hit_draft_close(&draft, status);
    free(opened);
    return hit_comm_agree(comm, status);
}

hit_status hit_tile_write(hit_tile *tile, const char *path, const char *options)
{
    transfer t = {.tile = tile, .writes = true};
    uint64_t exists = 0;

    HIT_TRY(begin(&t, path, options));
    if (hit_comm_is_planned(t.context->comm)) return HIT_OK;
    if (t.array.format->chunked) return carry_out(&t); /* it has drafts of its own */
    if (t.array.add && t.context->rank == 0) {
        /* one that cannot be looked at is not replaced */
        exists = access(path, F_OK) == 0 || errno != ENOENT;
    }
    HIT_TRY(hit_comm_broadcast(t.context->comm, 0, &exists, sizeof(exists)));
    t.array.add = exists != 0;
    return write_draft(&t, path);
}
