/* SPDX-License-Identifier: MIT
 * Writing: all goes into a folder of another name, is brought to disk, and is given its
 * name then. Older ones go when the new name is on disk, too. Processes exchange elements
 * when it begins, and agree when it ends; a thread of each writes between the two. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"
#include "hit/topo/layout_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    SMALL = 64 << 20, /* bytes of a process that are soon written: without memory= it
                         waits for them */
    SHARE = 4         /* of the machine's memory: a quarter */
};

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

/* Array number @p k into the folder of the draft, by all processes. */
static hit_status write_array(const hit_checkpoint *c, int k)
{
    hit_checkpoint_saving *s = c->saving;
    const hit_checkpoint_item *item = &c->item[k];
    hit_checkpoint_array *array = &s->manifest.array[k];
    hit_stored *stored = &s->stored[k];
    char path[HIT_CHECKPOINT_ROOM];
    hit_status status = HIT_OK;

    (void)hit_text_print(path, sizeof(path), "%s/%s", s->draft, array->file);
    *stored = (hit_stored){.path = path,
                           .name = array->name,
                           .add = k > 0 && strcmp(c->options.format, "hdf5") == 0,
                           .blocks = array->blocks,
                           .crc = array->crc};
    if (item->tile != NULL) {
        status = hit_stored_write(*item->tile, c->options.format, s->writer, stored);
    } else {
        if (c->context->rank == 0) {
            status = hit_stored_write_value(c->context, item->type, item->value,
                                            c->options.format, s->writer, stored);
        }
        status = hit_comm_agree(c->context->comm, status);
    }
    stored->path = NULL; /* files know theirs */
    array->begin_bytes = stored->begin_bytes;
    return status;
}

/* The folder that process 0 makes, told to all. */
static hit_status make_draft(const hit_checkpoint *c, char draft[HIT_CHECKPOINT_ROOM])
{
    hit_comm *comm = c->context->comm;
    char *made = NULL;
    hit_status status = HIT_OK;

    if (c->context->rank == 0) status = hit_folder_draft(c->options.path, &made);
    if (made != NULL) (void)snprintf(draft, HIT_CHECKPOINT_ROOM, "%s", made);
    free(made);
    HIT_TRY(hit_comm_agree(comm, status));
    return hit_comm_broadcast(comm, 0, draft, HIT_CHECKPOINT_ROOM);
}

/* ---- how much memory ---- */

static uint64_t bytes_of_all(const hit_manifest *manifest)
{
    uint64_t bytes = 0;

    for (int k = 0; k < manifest->count; k++) {
        bytes += hit_manifest_bytes(&manifest->array[k]);
    }
    return bytes;
}

/* What is not said: a share of the machine's. */
static size_t share_of_memory(const hit_comm *comm)
{
    int rank;
    int size;
    size_t share;

    hit_comm_beside(comm, &rank, &size);
    share = hit_memory_machine_bytes() / SHARE / (size_t)size;
    return share > HIT_TRANSFER_BUFFER ? share : HIT_TRANSFER_BUFFER;
}

/* The same on all processes. */
static bool is_behind(const hit_checkpoint *c, const hit_manifest *manifest, bool urgent)
{
    if (urgent) return false;
    if (c->options.has_memory) return c->options.memory_bytes > 0;
    return bytes_of_all(manifest) / (uint64_t)c->context->size >= SMALL;
}

static hit_status open_writer(const hit_checkpoint *c, bool urgent)
{
    hit_checkpoint_saving *s = c->saving;
    size_t room = 0;

    s->behind = is_behind(c, &s->manifest, urgent);
    if (s->behind) {
        room = c->options.has_memory ? c->options.memory_bytes
                                     : share_of_memory(c->context->comm);
    }
    return hit_writer_open(room, &s->writer);
}

static void tell_waited(const hit_checkpoint *c, uint64_t waited)
{
    char bytes[32];

    if (waited == 0 || c->context->rank != 0) return;
    hit_memory_print(waited, bytes, sizeof(bytes));
    hit_say(hit_context_notes(c->context),
            "hit: %s of the checkpoint of step %" PRId64
            " waited for the disk: more memory= lets the program go on earlier\n",
            bytes, c->saving->manifest.step);
}

/* ---- the beginning ---- */

static hit_status begin(hit_checkpoint *c, bool urgent)
{
    hit_checkpoint_saving *s = c->saving;
    hit_comm *comm = c->context->comm;
    hit_status status = hit_checkpoint_describe(c, &s->manifest);

    if (status == HIT_OK) {
        status = hit_memory_zeroed(c->count, sizeof(hit_stored), &s->stored);
    }
    if (status == HIT_OK) status = open_writer(c, urgent);
    HIT_TRY(hit_comm_agree(comm, status));
    HIT_TRY(make_draft(c, s->draft));
    for (int k = 0; k < s->manifest.count; k++) {
        HIT_TRY(write_array(c, k));
    }
    tell_waited(c, hit_writer_end(s->writer));
    return HIT_OK;
}

hit_status hit_checkpoint_save(hit_checkpoint *c, bool urgent)
{
    hit_status status =
        hit_comm_agree(c->context->comm,
                       hit_memory_zeroed(1, sizeof(hit_checkpoint_saving), &c->saving));

    if (status == HIT_OK) status = begin(c, urgent);
    if (status != HIT_OK) hit_checkpoint_abandon(c);
    return status;
}

/* ---- the end ---- */

bool hit_checkpoint_is_written(const hit_checkpoint *c)
{
    return hit_writer_is_idle(c->saving->writer);
}

/* On process 0, when all arrays are on disk. */
static hit_status place(const hit_checkpoint *c, hit_checkpoint_key key)
{
    const hit_checkpoint_saving *s = c->saving;
    char path[HIT_CHECKPOINT_ROOM];
    char *text = NULL;
    hit_draft file;
    hit_status status;

    (void)hit_text_print(path, sizeof(path), "%s/%s", s->draft, HIT_CHECKPOINT_JSON);
    HIT_TRY(hit_manifest_print(&s->manifest, &text));
    status = hit_draft_open(path, &file);
    if (status == HIT_OK) {
        (void)fputs(text, file.stream);
        status = hit_draft_close(&file, HIT_OK);
    }
    free(text);
    HIT_TRY(status);
    HIT_TRY(hit_folder_sync(s->draft));
    hit_checkpoint_path(c->options.path, key, NULL, path);
    HIT_TRY(hit_folder_place(path, s->draft, path));
    return hit_folder_sync(c->options.path);
}

static hit_status make_whole(const hit_checkpoint *c, hit_checkpoint_key key)
{
    const hit_checkpoint_saving *s = c->saving;
    hit_comm *comm = c->context->comm;
    hit_status status = hit_comm_agree(comm, hit_writer_wait(s->writer));

    for (int k = 0; status == HIT_OK && k < s->manifest.count; k++) {
        if (!s->manifest.array[k].is_value) {
            status = hit_stored_join(comm, &s->stored[k]);
        }
    }
    HIT_TRY(status);
    if (c->context->rank == 0) status = place(c, key);
    return hit_comm_agree(comm, status);
}

hit_status hit_checkpoint_finish(hit_checkpoint *c)
{
    const hit_checkpoint_key key = {c->saving->manifest.run, c->saving->manifest.step};
    const hit_status status = make_whole(c, key);

    if (status == HIT_OK && c->context->rank == 0) {
        c->saving->draft[0] = '\0'; /* it has its name */
        hit_checkpoint_clean(c->options.path, key, c->options.keep);
    }
    hit_checkpoint_abandon(c);
    return status;
}

void hit_checkpoint_abandon(hit_checkpoint *c)
{
    hit_checkpoint_saving *s = c->saving;

    c->saving = NULL;
    if (s == NULL) return;
    hit_writer_close(&s->writer);
    if (c->context->rank == 0 && s->draft[0] != '\0') hit_folder_remove(s->draft);
    hit_manifest_clear(&s->manifest);
    free(s->stored);
    free(s);
}
