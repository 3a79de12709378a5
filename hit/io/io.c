/* SPDX-License-Identifier: MIT
 * What programs call to read and write tiles: options, and drafts of files that are
 * replaced. */
#define _POSIX_C_SOURCE 200809L /* access */
#include "hit/io/io.h"

#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"
#include "hit/tile/tile_impl.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Where one dimension has a name all have one. */
static void name_dims(hit_file_transfer *t)
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

/* Set what options call the dataset, or else the tile. */
static hit_status name_dataset(hit_file_transfer *t)
{
    const char *name = hit_tile_name(t->tile);

    t->array.dataset = t->dataset;
    if (t->dataset[0] != '\0' ||
        (size_t)snprintf(t->dataset, sizeof(t->dataset), "%s", name) <
            sizeof(t->dataset) ||
        !t->array.format->named) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected dataset=, or a tile whose name has less than %zu "
                    "characters, but found \"%.20s...\"",
                    t->array.path, sizeof(t->dataset), name);
}

static hit_status prepare(hit_file_transfer *t, const char *path, const char *text)
{
    if (path == NULL) return HIT_FAIL(HIT_E_ARG, "expected a path but found NULL");
    t->array = (hit_array){.comm = t->context->comm, .path = path, .opened = path};
    hit_file_transfer_shape(t);
    HIT_TRY(hit_io_options_read(text, t));
    t->array.add = t->array.add || t->array.timed;
    name_dims(t);
    return name_dataset(t);
}

static hit_status begin(hit_file_transfer *t, const char *path, const char *options)
{
    hit_status prepared;
    hit_status agreed;

    HIT_TRY(hit_tile_check_called(t->tile));
    t->context = hit_tile_layout(t->tile)->context;
    prepared = prepare(t, path, options);
    agreed = hit_tile_agree(
        &(hit_tile_call){.name = t->writes ? "hit_tile_write" : "hit_tile_read",
                         .tile = t->tile,
                         .path = path,
                         .options = options},
        prepared);
    return prepared != HIT_OK ? prepared : agreed; /* here, for analysers */
}

/* In a dry run: launches behind it find the tile looked at, or written. */
static hit_status plan_transfer(const hit_file_transfer *t)
{
    HIT_TRY(hit_tile_touch(t->tile, &t->tile->domain, t->writes ? HIT_READ : HIT_WRITE));
    if (!t->writes) hit_storage_written(t->tile->storage);
    return HIT_OK;
}

hit_status hit_tile_read(hit_tile *tile, const char *path, const char *options)
{
    hit_file_transfer t = {.tile = tile};
    hit_status status = HIT_OK;

    HIT_TRY(begin(&t, path, options));
    if (hit_comm_is_planned(t.context->comm)) return plan_transfer(&t);
    if (t.context->rank == 0 && !t.array.format->chunked) {
        status = hit_io_check_readable(path);
    }
    HIT_TRY(hit_comm_agree(t.context->comm, status));
    return hit_file_transfer_carry_out(&t);
}

/* On process 0; where something is added to a file, the draft begins as a copy of it. */
static hit_status open_draft(const hit_file_transfer *t, const char *path,
                             hit_draft *draft)
{
    hit_status status;

    if (t->context->rank != 0) return HIT_OK;
    HIT_TRY(hit_draft_open(path, draft));
    status = t->array.add ? hit_draft_copy(draft) : HIT_OK;
    return status == HIT_OK ? HIT_OK : hit_draft_close(draft, status);
}

static hit_status write_draft(hit_file_transfer *t, const char *path)
{
    hit_comm *comm = t->context->comm;
    hit_draft draft = {0};
    char *opened; /* all processes open the draft that process 0 has made */
    hit_status status;

    HIT_TRY(hit_comm_agree(comm, open_draft(t, path, &draft)));
    opened = draft.path;
    status = hit_comm_agree(comm, hit_comm_share_text(comm, HIT_OK, &opened));
    if (status == HIT_OK) {
        t->array.opened = opened;
        status = hit_file_transfer_carry_out(t);
    }
    if (t->context->rank == 0) {
        status = hit_draft_close(&draft, status);
    } else {
        free(opened);
    }
    return hit_comm_agree(comm, status);
}

hit_status hit_tile_write(hit_tile *tile, const char *path, const char *options)
{
    hit_file_transfer t = {.tile = tile, .writes = true};
    uint64_t exists = 0;

    HIT_TRY(begin(&t, path, options));
    if (hit_comm_is_planned(t.context->comm)) return plan_transfer(&t);
    /* what is chunked has drafts of its own */
    if (t.array.format->chunked) return hit_file_transfer_carry_out(&t);
    if (t.array.add && t.context->rank == 0) {
        /* one that cannot be looked at is not replaced */
        exists = access(path, F_OK) == 0 || errno != ENOENT;
    }
    HIT_TRY(hit_comm_broadcast(t.context->comm, 0, &exists, sizeof(exists)));
    t.array.add = exists != 0;
    return write_draft(&t, path);
}
