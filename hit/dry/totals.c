/* SPDX-License-Identifier: MIT
 * What a dry run says at its end: how often each class of launches came, and what all of
 * them add up to. */
#include "hit/base/quote.h"
#include "hit/dry/dry_impl.h"

#include <inttypes.h>

/* As if each launch were alone. */
static hit_stats sum_launches(const hit_seen *seen)
{
    hit_stats all = {0};

    for (int k = 0; k < hit_seen_classes(seen); k++) {
        const hit_seen_class *class = hit_seen_at(seen, k);
        const uint64_t times = class->times;
        const uint64_t chained = class->chained;
        const uint64_t alone = times - class->moved;
        const hit_preview *one = &class->preview;

        all.launches += times;
        all.indices += times * one->indices.sum;
        all.superblocks += alone * one->superblocks.sum;
        all.chained += chained;
        all.messages_sent += (times - chained) * one->messages.sum;
        all.message_bytes_sent += (times - chained) * one->message_bytes.sum;
        all.bytes_in += alone * one->bytes_in.sum;
        all.bytes_out += alone * one->bytes_out.sum;
        if (one->peak_bytes > all.device_peak_bytes) {
            all.device_peak_bytes = one->peak_bytes;
        }
    }
    return all;
}

/* Launches that ran have counted; those of blocks over processes did not run. */
static void take_counted(const hit_dry_counted *counted, const hit_seen *seen, bool alone,
                         hit_stats *all)
{
    all->superblocks = counted->superblocks;
    all->bytes_in = counted->bytes_in;
    all->bytes_out = counted->bytes_out;
    all->messages_sent = counted->messages;
    all->messages_empty = counted->empty;
    all->message_bytes_sent = counted->message_bytes;
    all->chained = counted->chained;
    for (int k = 0; k < hit_seen_classes(seen) && !alone; k++) {
        const hit_seen_class *class = hit_seen_at(seen, k);

        all->chained += class->chained;
        all->superblocks +=
            (class->chained - class->moved) * class->preview.superblocks.sum;
    }
}

hit_stats hit_dry_sum(const hit_context *context)
{
    const hit_dry *dry = context->execution;
    const bool alone = context->size == 1; /* those of blocks have run, too */
    hit_stats all = sum_launches(dry->seen);
    hit_dry_counted counted = {0};
    const bool counts = hit_dry_count_all(&dry->count, context, &counted);

    if (counts) {
        take_counted(&counted, dry->seen, alone, &all);
    } else {
        all.messages_sent -= dry->less.messages;
        all.messages_empty = dry->less.empty;
        all.message_bytes_sent -= dry->less.bytes;
    }
    if (dry->chains != NULL && !(counts && alone)) {
        const hit_dry_blocks blocks = hit_dry_chains_sum(dry->chains);

        all.messages_sent += blocks.messages;
        all.message_bytes_sent += blocks.message_bytes;
        all.superblocks += blocks.superblocks;
        all.bytes_in += blocks.bytes_in;
        all.bytes_out += blocks.bytes_out;
    }
    return all;
}

/* What all launches take, where the file of a machine says the power of its devices; -1:
 * it is not known. Blocks compute somewhat more. */
static double find_joules(hit_dry_style style, const hit_seen *seen, hit_forecast time)
{
    double joules = style.rest_w * time.first_s;

    if (style.rest_w < 0 || time.lacks != 0) return -1;
    for (int k = 0; k < hit_seen_classes(seen); k++) {
        const hit_seen_class *one = hit_seen_at(seen, k);

        joules += (double)one->times * one->preview.kernel_j;
    }
    return joules;
}

static void print_sum_json(hit_dry_style style, const hit_stats *all,
                           const hit_dry_memory *memory, hit_forecast time, double joules)
{
    hit_json line = {.file = style.out};

    hit_json_object(&line, NULL);
    hit_json_count(&line, "launches", all->launches);
    hit_json_count(&line, "superblocks", all->superblocks);
    hit_json_count(&line, "messages", all->messages_sent);
    hit_json_count(&line, "messages_empty", all->messages_empty);
    hit_json_count(&line, "message_bytes", all->message_bytes_sent);
    hit_json_count(&line, "bytes_in", all->bytes_in);
    hit_json_count(&line, "bytes_out", all->bytes_out);
    hit_json_count(&line, "tiles_bytes", memory->most.tiles);
    hit_json_count(&line, "scratch_bytes", memory->most.scratch);
    hit_json_count(&line, "held_bytes", memory->most.held);
    hit_json_count(&line, "staged_bytes", memory->most.staged);
    hit_json_count(&line, "beside_bytes", memory->beside_bytes);
    if (memory->moves) hit_json_count(&line, "device_bytes", all->device_peak_bytes);
    hit_dry_json_time(&line, time);
    if (joules >= 0) hit_json_real(&line, "predicted_j", "%.9g", joules);
    hit_json_end_line(&line);
}

static void print_sum(const hit_dry *dry, const hit_stats *all, hit_forecast time,
                      const hit_dry_memory *memory)
{
    const hit_dry_style style = dry->style;
    const hit_seen *seen = dry->seen;
    double joules;

    for (int k = 0; k < hit_seen_classes(seen); k++) {
        const hit_seen_class *one = hit_seen_at(seen, k);

        if (one->times == one->timed) continue;
        time = hit_dry_add_times(time, one->preview.time, one->times - one->timed);
    }
    if (dry->chains != NULL) {
        time = hit_forecast_add(time, hit_dry_chains_sum(dry->chains).time);
    }
    joules = find_joules(style, seen, time);
    if (style.json) {
        print_sum_json(style, all, memory, time, joules);
        return;
    }
    hit_say(style.out,
            "in all: %" PRIu64 " launches, %" PRIu64 " superblocks, %" PRIu64
            " messages of %" PRIu64 " B, moved in %" PRIu64 " B, out %" PRIu64 " B\n",
            all->launches, all->superblocks, all->messages_sent, all->message_bytes_sent,
            all->bytes_in, all->bytes_out);
    if (memory->moves && !dry->count.runs) {
        hit_say(style.out,
                "moved in and out: as if devices held nothing before each launch\n");
    }
    hit_dry_memory_print(style.out, seen, all->device_peak_bytes, memory);
    hit_dry_print_total(style.out, time);
    if (joules >= 0) hit_say(style.out, "predicted energy in all: %.3g J\n", joules);
}

static void print_times(hit_dry_style style, const hit_seen *seen, int number)
{
    const hit_seen_class *one = hit_seen_at(seen, number);

    if (style.json) {
        hit_json line = {.file = style.out};

        hit_json_object(&line, NULL);
        hit_json_whole(&line, "launch", number + 1);
        hit_json_count(&line, "times", one->times);
        hit_json_count(&line, "places", one->places);
        hit_json_count(&line, "chained", one->chained);
        hit_json_end_line(&line);
        return;
    }
    if (one->times == 1) return;
    hit_say(style.out, "launch %d: %" PRIu64 " times", number + 1, one->times);
    if (one->places > 1) hit_say(style.out, ", at %" PRIu64 " places", one->places);
    if (one->chained > 0) {
        hit_say(style.out, ", %" PRIu64 " of them in chains", one->chained);
    }
    hit_say(style.out, "\n");
}

void hit_dry_print_totals(const hit_dry *dry, const hit_stats *all, hit_forecast narrow,
                          const hit_dry_memory *memory)
{
    const int classes = hit_seen_classes(dry->seen);

    for (int k = 0; k < classes; k++) {
        print_times(dry->style, dry->seen, k);
    }
    if (classes > 0 && dry->chains != NULL) hit_dry_chains_print_times(dry->chains);
    if (classes > 0) print_sum(dry, all, narrow, memory);
}
