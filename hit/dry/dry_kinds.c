/* SPDX-License-Identifier: MIT
 * Blocks as text and as JSON: each kind when it comes first, then how often it came. */
#include "hit/base/alloc.h"
#include "hit/base/quote.h"
#include "hit/dry/dry_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool same(const hit_dry_kind *a, const hit_dry_kind *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && a->launches == b->launches &&
           a->messages.sum == b->messages.sum &&
           a->message_bytes.sum == b->message_bytes.sum &&
           a->messages.most == b->messages.most &&
           a->message_bytes.most == b->message_bytes.most &&
           a->moved.bytes_in.sum == b->moved.bytes_in.sum &&
           a->moved.bytes_out.sum == b->moved.bytes_out.sum &&
           strcmp(a->moved.how, b->moved.how) == 0;
}

static void print_moved(FILE *out, const hit_dry_moved *moved)
{
    if (moved->how[0] != '\0') hit_say(out, "  %-14s %s\n", "how", moved->how);
    if (moved->superblocks.sum == 0) return;
    hit_dry_print_figure(out, "superblocks", "", moved->superblocks);
    hit_dry_print_figure(out, "moved in", " B", moved->bytes_in);
    hit_dry_print_figure(out, "moved out", " B", moved->bytes_out);
}

/* The tiles of a process alone, in place, are searched for by time. */
static bool has_time(const hit_dry_kinds *kinds)
{
    return kinds->staged || !kinds->alone;
}

static void print_text(const hit_dry_kinds *kinds, int number, const hit_dry_kind *made)
{
    FILE *const out = kinds->style.out;

    hit_say(out, "chain %d: %d launches from %s on", number, made->launches,
            made->kernel);
    if (!kinds->alone) hit_say(out, ", %.2f of the work", made->work);
    hit_say(out, "\n");
    if (made->depth[0] != '\0') hit_say(out, "  %-14s %s\n", "depth", made->depth);
    if (!kinds->alone) {
        hit_dry_print_figure(out, "messages", "", made->messages);
        hit_dry_print_figure(out, "message bytes", " B", made->message_bytes);
    }
    print_moved(out, &made->moved);
    if (has_time(kinds)) hit_dry_print_time(kinds->style, made->time);
}

static void print_json(const hit_dry_kinds *kinds, int number, const hit_dry_kind *made)
{
    const hit_dry_moved *moved = &made->moved;
    hit_json line = {.file = kinds->style.out};

    hit_json_object(&line, NULL);
    hit_json_whole(&line, "chain", number);
    hit_json_text(&line, "kernel", made->kernel);
    hit_json_whole(&line, "launches", made->launches);
    hit_json_real(&line, "work", "%.3f", made->work);
    if (moved->how[0] != '\0') hit_json_text(&line, "how", moved->how);
    if (kinds->alone || kinds->staged) {
        hit_dry_json_figure(&line, "bytes_in", moved->bytes_in);
        hit_dry_json_figure(&line, "bytes_out", moved->bytes_out);
    }
    if (!kinds->alone) {
        hit_json_text(&line, "depth", made->depth);
        hit_dry_json_figure(&line, "messages", made->messages);
        hit_dry_json_figure(&line, "message_bytes", made->message_bytes);
    }
    if (has_time(kinds)) hit_dry_json_time(&line, made->time);
    hit_json_end_line(&line);
}

hit_status hit_dry_kinds_count(hit_dry_kinds *kinds, const hit_dry_kind *made)
{
    const hit_dry_style *style = &kinds->style;
    int k = 0;

    while (k < kinds->count && !same(&kinds->of[k], made)) {
        k++;
    }
    if (k == kinds->count) {
        HIT_TRY(hit_memory_resize((size_t)k + 1, sizeof(hit_dry_kind), "a dry run",
                                  &kinds->of));
        kinds->of[kinds->count++] = *made;
        if (!style->silent && style->json) print_json(kinds, k + 1, made);
        if (!style->silent && !style->json) print_text(kinds, k + 1, made);
    }
    kinds->of[k].times++;
    return HIT_OK;
}

void hit_dry_kinds_print_times(const hit_dry_kinds *kinds)
{
    for (int k = 0; k < kinds->count; k++) {
        const uint64_t times = kinds->of[k].times;

        if (kinds->style.json) {
            hit_json line = {.file = kinds->style.out};

            hit_json_object(&line, NULL);
            hit_json_whole(&line, "chain", k + 1);
            hit_json_count(&line, "times", times);
            hit_json_end_line(&line);
        } else if (times > 1) {
            hit_say(kinds->style.out, "chain %d: %" PRIu64 " times\n", k + 1, times);
        }
    }
}

void hit_dry_kinds_clear(hit_dry_kinds *kinds)
{
    free(kinds->of);
    kinds->of = NULL;
    kinds->count = 0;
}
