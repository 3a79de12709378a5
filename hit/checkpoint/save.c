/* SPDX-License-Identifier: MIT
 * Writing: all goes into a folder of another name, is brought to disk, and is given its
 * name then. Older ones go when the new name is on disk, too. */
#include "hit/checkpoint/save.h"

#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- the description ---- */

static void print_layout(const hit_layout *layout, char *text, size_t size)
{
    (void)snprintf(text, size, "%s", layout->ops->name);
    for (int k = 0; k < layout->options.count; k++) {
        hit_text_add(text, size, "%s%s=%s", k == 0 ? ":" : ",", layout->options.key[k],
                     layout->options.value[k]);
    }
}

static hit_status describe_item(const hit_checkpoint *c, const hit_checkpoint_item *item,
                                hit_checkpoint_array *array)
{
    const bool one_file = strcmp(c->options.format, "hdf5") == 0;

    (void)snprintf(array->name, sizeof(array->name), "%s", item->name);
    (void)snprintf(array->file, sizeof(array->file), "%s%s",
                   one_file ? "arrays" : item->name, one_file ? ".h5" : ".npy");
    array->is_value = item->tile == NULL;
    array->type = array->is_value ? item->type : hit_tile_type(*item->tile);
    if (!array->is_value) {
        array->domain = hit_tile_domain(*item->tile);
        print_layout(hit_tile_layout(*item->tile), array->layout, sizeof(array->layout));
    }
    return hit_manifest_size(array);
}

hit_status hit_checkpoint_describe(const hit_checkpoint *c, hit_manifest *manifest)
{
    *manifest = (hit_manifest){.run = c->key.run,
                               .step = c->key.step,
                               .written = (hit_index)time(NULL),
                               .processes = c->context->size};
    (void)snprintf(manifest->program, sizeof(manifest->program), "%s", c->program);
    HIT_TRY(hit_manifest_make((int)c->count, manifest));
    for (size_t k = 0; k < c->count; k++) {
        HIT_TRY(describe_item(c, &c->item[k], &manifest->array[k]));
    }
    return HIT_OK;
}

/* ---- the arrays ---- */

/* Array number @p k into the folder @p draft, by all processes. */
static hit_status write_array(const hit_checkpoint *c, const char *draft,
                              hit_manifest *manifest, int k)
{
    const hit_checkpoint_item *item = &c->item[k];
    hit_checkpoint_array *array = &manifest->array[k];
    char path[HIT_CHECKPOINT_ROOM];
    hit_stored stored = {.path = path,
                         .name = array->name,
                         .add = k > 0 && strcmp(c->options.format, "hdf5") == 0,
                         .blocks = array->blocks,
                         .crc = array->crc};
    hit_status status = HIT_OK;

    (void)hit_text_print(path, sizeof(path), "%s/%s", draft, array->file);
    if (item->tile != NULL) {
        status = hit_stored_write(*item->tile, c->options.format, &stored);
    } else {
        if (c->context->rank == 0) {
            status = hit_stored_write_value(c->context, item->type, item->value,
                                            c->options.format, &stored);
        }
        status = hit_comm_agree(c->context->comm, status);
    }
    array->begin_bytes = stored.begin_bytes;
    return status;
}

/* On process 0, when all arrays are on disk. */
static hit_status finish(const hit_checkpoint *c, const char *draft,
                         const hit_manifest *manifest)
{
    char path[HIT_CHECKPOINT_ROOM];
    char *text = NULL;
    hit_draft file;
    hit_status status;

    (void)hit_text_print(path, sizeof(path), "%s/%s", draft, HIT_CHECKPOINT_JSON);
    HIT_TRY(hit_manifest_print(manifest, &text));
    status = hit_draft_open(path, &file);
    if (status == HIT_OK) {
        (void)fputs(text, file.stream);
        status = hit_draft_close(&file, HIT_OK);
    }
    free(text);
    HIT_TRY(status);
    HIT_TRY(hit_folder_sync(draft));
    hit_checkpoint_path(c->options.path, c->key, NULL, path);
    HIT_TRY(hit_folder_place(path, draft, path));
    return hit_folder_sync(c->options.path);
}

/* ---- all of it ---- */

/* The folder that process 0 makes, told to all. */
static hit_status make_draft(const hit_checkpoint *c, char draft[HIT_CHECKPOINT_ROOM])
{
    hit_comm *comm = c->context->comm;
    char *made = NULL;
    hit_status status = HIT_OK;

    memset(draft, 0, HIT_CHECKPOINT_ROOM);
    if (c->context->rank == 0) status = hit_folder_draft(c->options.path, &made);
    if (made != NULL) (void)snprintf(draft, HIT_CHECKPOINT_ROOM, "%s", made);
    free(made);
    HIT_TRY(hit_comm_agree(comm, status));
    return hit_comm_broadcast(comm, 0, draft, HIT_CHECKPOINT_ROOM);
}

static hit_status write_all(const hit_checkpoint *c, const char *draft,
                            hit_manifest *manifest)
{
    hit_status status = HIT_OK;

    for (int k = 0; k < manifest->count; k++) {
        HIT_TRY(write_array(c, draft, manifest, k));
    }
    if (c->context->rank == 0) status = finish(c, draft, manifest);
    return hit_comm_agree(c->context->comm, status);
}

hit_status hit_checkpoint_save(hit_checkpoint *c)
{
    char draft[HIT_CHECKPOINT_ROOM];
    hit_manifest manifest;
    hit_status status =
        hit_comm_agree(c->context->comm, hit_checkpoint_describe(c, &manifest));

    if (status == HIT_OK) {
        status = make_draft(c, draft);
        if (status == HIT_OK) {
            status = write_all(c, draft, &manifest);
            if (status != HIT_OK && c->context->rank == 0) hit_folder_remove(draft);
        }
    }
    if (status == HIT_OK && c->context->rank == 0) {
        hit_checkpoint_clean(c->options.path, c->key, c->options.keep);
    }
    hit_manifest_clear(&manifest);
    return status;
}
