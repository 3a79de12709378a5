/* SPDX-License-Identifier: MIT
 * Going on: the newest checkpoint whose text and elements have their checksums. One that
 * is damaged is told and left out; one of something else ends the search, since what is
 * older is of something else, too. */
#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- is it of this program? ---- */

static hit_status check_type(const char *path, const hit_checkpoint_array *mine,
                             const hit_checkpoint_array *found)
{
    char expected[32];
    char other[32];

    if (mine->type.kind == found->type.kind &&
        mine->type.size_bytes == found->type.size_bytes) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "%s: %s: expected elements of type %s but found %s", path,
                    mine->name, hit_kind_type_name(mine->type, expected),
                    hit_kind_type_name(found->type, other));
}

static hit_status check_array(const char *path, const hit_checkpoint_array *mine,
                              const hit_checkpoint_array *found)
{
    char expected[128];
    char other[128];

    if (strcmp(mine->name, found->name) != 0 || mine->is_value != found->is_value) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected the %s %s but found the %s %s", path,
                        mine->is_value ? "value" : "tile", mine->name,
                        found->is_value ? "value" : "tile", found->name);
    }
    HIT_TRY(check_type(path, mine, found));
    if (hit_domain_equal(&mine->domain, &found->domain)) return HIT_OK;
    hit_domain_print(&mine->domain, expected, sizeof(expected));
    hit_domain_print(&found->domain, other, sizeof(other));
    return HIT_FAIL(HIT_E_ARG, "%s: %s: expected the domain %s but found %s", path,
                    mine->name, expected, other);
}

static hit_status check_all(const char *path, const hit_manifest *mine,
                            const hit_manifest *found)
{
    if (strcmp(mine->program, found->program) != 0) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected a checkpoint of %s but found one of %s",
                        path, mine->program, found->program);
    }
    for (int k = 0; k < mine->count && k < found->count; k++) {
        HIT_TRY(check_array(path, &mine->array[k], &found->array[k]));
    }
    if (mine->count == found->count) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected %d tiles and values but found %d", path,
                    mine->count, found->count);
}

/* ---- reading one ---- */

/* The text of process 0, on all. @owner *text: free() */
static hit_status share_text(const hit_checkpoint *c, const char *path, char **text)
{
    hit_comm *comm = c->context->comm;
    hit_status status = HIT_OK;

    if (c->context->rank == 0) status = hit_checkpoint_text(path, text);
    return hit_comm_agree(comm, hit_comm_share_text(comm, status, text));
}

static hit_status read_value(const hit_checkpoint *c, const hit_checkpoint_item *item,
                             const hit_stored *stored)
{
    void *value = NULL; /* the program's stays as it is where something fails */
    hit_status status = hit_memory_zeroed(1, item->type.size_bytes, &value);

    if (status == HIT_OK && c->context->rank == 0) {
        status = hit_stored_read_value(item->type, value, stored);
    }
    status = hit_comm_agree(c->context->comm, status);
    if (status == HIT_OK) {
        status = hit_comm_broadcast(c->context->comm, 0, value, item->type.size_bytes);
    }
    if (status == HIT_OK) memcpy(item->value, value, item->type.size_bytes);
    free(value);
    return status;
}

static hit_status read_array(const hit_checkpoint *c, hit_checkpoint_key key,
                             const hit_checkpoint_array *array,
                             const hit_checkpoint_item *item)
{
    char path[HIT_CHECKPOINT_ROOM];
    const hit_stored stored = {.path = path,
                               .name = array->name,
                               .begin_bytes = array->begin_bytes,
                               .blocks = array->blocks,
                               .crc = array->crc};

    hit_checkpoint_path(c->options.path, key, array->file, path);
    return item->tile != NULL ? hit_stored_read(*item->tile, &stored)
                              : read_value(c, item, &stored);
}

static hit_status read_arrays(const hit_checkpoint *c, hit_checkpoint_key key,
                              const char *path, const hit_manifest *found)
{
    hit_manifest mine;
    hit_status status = hit_checkpoint_describe(c, &mine);

    if (status == HIT_OK) status = check_all(path, &mine, found);
    hit_manifest_clear(&mine);
    HIT_TRY(hit_comm_agree(c->context->comm, status));
    for (int k = 0; k < found->count; k++) {
        HIT_TRY(read_array(c, key, &found->array[k], &c->item[k]));
    }
    return HIT_OK;
}

static hit_status read_one(const hit_checkpoint *c, hit_checkpoint_key key)
{
    char path[HIT_CHECKPOINT_ROOM];
    char file[HIT_CHECKPOINT_ROOM];
    char *text = NULL;
    hit_manifest found = {.count = 0};
    hit_status status;

    hit_checkpoint_path(c->options.path, key, NULL, path);
    hit_checkpoint_path(c->options.path, key, HIT_CHECKPOINT_JSON, file);
    status = share_text(c, path, &text);
    if (status == HIT_OK) {
        status = hit_comm_agree(c->context->comm, hit_manifest_read(file, text, &found));
    }
    if (status == HIT_OK && (found.run != key.run || found.step != key.step)) {
        status = HIT_FAIL(HIT_E_IO,
                          "%s: expected run %" PRId64 ", step %" PRId64
                          " but found %" PRId64 ", %" PRId64,
                          path, key.run, key.step, found.run, found.step);
    }
    if (status == HIT_OK) status = read_arrays(c, key, path, &found);
    free(text);
    hit_manifest_clear(&found);
    return status;
}

/* ---- the search ---- */

/* Is it damaged, for all processes? A failure of another kind is the end of the search.
 */
static hit_status ask_damaged(const hit_checkpoint *c, hit_status status, bool *damaged)
{
    uint64_t other = status != HIT_OK && status != HIT_E_IO && status != HIT_E_PEER;

    *damaged = false;
    HIT_TRY(hit_comm_max_u64(c->context->comm, &other, 1));
    *damaged = status != HIT_OK && other == 0;
    return *damaged ? HIT_OK : status;
}

/* What process 0 found in the folder, on all: which run this is, and those of it. */
static hit_status look_around(hit_checkpoint *c, hit_index *ended, int *count,
                              hit_checkpoint_key **key)
{
    hit_status status = hit_checkpoint_lock(c->options.path, &c->lock);

    if (status == HIT_OK) status = hit_checkpoint_ended(c->options.path, ended);
    if (status == HIT_OK) status = hit_checkpoint_list(c->options.path, count, key);
    if (status != HIT_OK) return status;
    c->key.run = *count > 0 && (*key)[0].run > *ended ? (*key)[0].run : *ended + 1;
    for (int k = 0; k < *count; k++) {
        if ((*key)[k].run == c->key.run) continue;
        *count = k; /* of runs before this one */
    }
    return HIT_OK;
}

/* Read the newest that is whole; *found: there is one. */
static hit_status try_all(hit_checkpoint *c, int count, const hit_checkpoint_key key[],
                          bool *found)
{
    char first[512] = "";

    *found = false;
    for (int k = 0; k < count; k++) {
        hit_checkpoint_key at = key != NULL ? key[k] : c->key; /* on process 0 */
        hit_status status;
        bool damaged;

        HIT_TRY(hit_comm_broadcast(c->context->comm, 0, &at, sizeof(at)));
        status = read_one(c, at);
        HIT_TRY(ask_damaged(c, status, &damaged));
        if (!damaged) {
            c->key = at;
            *found = true;
            return HIT_OK;
        }
        if (k == 0) (void)snprintf(first, sizeof(first), "%s", hit_status_text());
        if (c->context->rank == 0) {
            hit_say(hit_context_notes(c->context), "hit: left out: %s\n",
                    hit_status_text());
        }
    }
    if (count == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: expected a whole checkpoint among %d: %s",
                    c->options.path, count, first);
}

static void tell(const hit_checkpoint *c, hit_index ended, bool found)
{
    FILE *notes = hit_context_notes(c->context);

    if (c->context->rank != 0) return;
    if (found) {
        hit_say(notes,
                "hit: goes on after step %" PRId64 ", from %s/checkpoint-%" PRId64
                "-%" PRId64 "\n",
                c->key.step, c->options.path, c->key.run, c->key.step);
    } else if (ended > 0) {
        hit_say(notes, "hit: begins anew: the run before it in %s came to its end\n",
                c->options.path);
    }
}

hit_status hit_checkpoint_load(hit_checkpoint *c)
{
    hit_comm *comm = c->context->comm;
    hit_checkpoint_key *key = NULL;
    hit_index ended = 0;
    int number = 0;
    bool found = false;
    hit_status status = HIT_OK;

    c->key.step = 0;
    if (c->context->rank == 0) status = look_around(c, &ended, &number, &key);
    status = hit_comm_agree(comm, status);
    if (status == HIT_OK) status = hit_comm_broadcast(comm, 0, &number, sizeof(number));
    if (status == HIT_OK) {
        status = hit_comm_broadcast(comm, 0, &c->key, sizeof(c->key));
    }
    if (status == HIT_OK) status = try_all(c, number, key, &found);
    if (status == HIT_OK) {
        tell(c, ended, found);
    } else {
        hit_checkpoint_unlock(&c->lock);
    }
    free(key);
    return status;
}
