/* SPDX-License-Identifier: MIT
 * The report at the end of an example: what happened on all processes together, as a
 * table or as one JSON object. */
#include "hit/base/json.h"
#include "hit/dry/dry_run.h"
#include "hit/plugin.h"
#include "layouts/balance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examples/common.h"

/** Elements of the smallest and the largest part of a layout. */
static void measure_parts(const hit_layout *layout, hit_index *least, hit_index *most)
{
    for (int rank = 0; rank < hit_layout_ranks(layout); rank++) {
        hit_region part = {0};
        hit_index count;

        HIT_MUST(hit_layout_part(layout, rank, &part));
        count = hit_region_count(&part);
        if (rank == 0 || count < *least) *least = count;
        if (rank == 0 || count > *most) *most = count;
        hit_region_clear(&part);
    }
}

double example_differs(const void *found, const void *expected, hit_index count,
                       size_t size_bytes)
{
    double most = 0;

    for (hit_index i = 0; i < count; i++) {
        double x =
            size_bytes == 4 ? ((const float *)found)[i] : ((const double *)found)[i];
        double y = size_bytes == 4 ? ((const float *)expected)[i]
                                   : ((const double *)expected)[i];

        if (!(fabs(x - y) <= most)) most = isnan(x - y) ? INFINITY : fabs(x - y);
    }
    if (most > 0) return most;
    return memcmp(found, expected, (size_t)count * size_bytes) == 0 ? 0 : INFINITY;
}

static void print_bytes(const char *label, uint64_t first, const char *between,
                        uint64_t second)
{
    char a[32];
    char b[32];

    hit_memory_print(first, a, sizeof a);
    hit_memory_print(second, b, sizeof b);
    printf("  %-18s %s%s%s\n", label, a, between, b);
}

/* The time and the memory of a dry run are not those of the program, but for the time of
 * a simulated machine. */
static bool has_time(const example *e)
{
    char device[256];

    hit_context_device(e->hit, device, sizeof(device));
    if (!hit_is_dry_run(e->hit)) return true;
    return hit_size(e->hit) == 1 && strncmp(device, "simulated ", 10) == 0;
}

static void print_time(const example *e)
{
    if (e->operations > 0) {
        printf("  %-18s %.3f s, %.2f GFLOP/s\n", "time", e->time_s,
               1e-9 * e->operations / e->time_s);
    } else {
        printf("  %-18s %.3f s, %.1f million cells/s\n", "time", e->time_s,
               1e-6 * e->cells / e->time_s);
    }
}

static void print_table(const example *e, const hit_layout *layout, const hit_stats *sum)
{
    hit_index least = 0;
    hit_index most = 0;
    char text[256];

    measure_parts(layout, &least, &most);
    hit_context_device(e->hit, text, sizeof text);
    printf("  %-18s %d, parts of %" PRId64 " to %" PRId64 " cells (%s)\n", "processes",
           hit_size(e->hit), least, most, e->layout);
    printf("  %-18s %s\n", "device", text);
    printf("  %-18s %" PRIu64 " in %" PRIu64 " launches\n", "superblocks",
           sum->superblocks, sum->launches);
    print_bytes("moved in, out", sum->bytes_in, ", ", sum->bytes_out);
    hit_memory_print(sum->message_bytes_sent, text, sizeof text);
    printf("  %-18s %" PRIu64 ", %s", "messages", sum->messages_sent, text);
    if (sum->messages_empty > 0) {
        printf(", %" PRIu64 " of them empty", sum->messages_empty);
    }
    printf("\n");
    if (has_time(e)) print_time(e);
    if (strncmp(e->layout, "block", 5) != 0) {
        printf("  %-18s %.3f s\n", "to find the layout", e->balance_s);
    }
    if (sum->device_limit_bytes > 0) {
        print_bytes("device memory", sum->device_peak_bytes, " of ",
                    sum->device_limit_bytes);
    }
    if (!hit_is_dry_run(e->hit)) {
        hit_memory_print(sum->resident_peak_bytes, text, sizeof text);
        printf("  %-18s %s\n", "resident memory", text);
    }
    if (e->check && e->bound == 0) {
        printf("  %-18s %s\n", "check",
               e->error == 0 ? "equal, bit by bit" : "NOT EQUAL");
    } else if (e->check) {
        printf("  %-18s %.3g of the bound\n", "check", e->error / e->bound);
    }
}

static void print_json(const example *e, const hit_stats *sum)
{
    hit_json line = {.file = stdout};
    int dims = 1;

    while (dims < 3 && e->size[dims] > 0) {
        dims++;
    }
    hit_json_object(&line, NULL);
    hit_json_text(&line, "example", e->name);
    hit_json_whole(&line, "processes", hit_size(e->hit));
    hit_json_indices(&line, "size", dims, e->size);
    hit_json_whole(&line, "steps", e->steps);
    hit_json_text(&line, "layout", e->layout);
    hit_json_count(&line, "launches", sum->launches);
    hit_json_count(&line, "superblocks", sum->superblocks);
    hit_json_count(&line, "bytes_in", sum->bytes_in);
    hit_json_count(&line, "bytes_out", sum->bytes_out);
    hit_json_count(&line, "messages", sum->messages_sent);
    hit_json_count(&line, "messages_empty", sum->messages_empty);
    hit_json_count(&line, "message_bytes", sum->message_bytes_sent);
    hit_json_count(&line, "device_peak_bytes", sum->device_peak_bytes);
    hit_json_count(&line, "device_limit_bytes", sum->device_limit_bytes);
    hit_json_count(&line, "resident_peak_bytes", sum->resident_peak_bytes);
    hit_json_count(&line, "host_peak_bytes", sum->host_peak_bytes);
    hit_json_real(&line, "balance_s", "%.6f", e->balance_s);
    if (has_time(e)) {
        hit_json_real(&line, "time_s", "%.6f", e->time_s);
        hit_json_real(&line, "cells_per_s", "%.6g", e->cells / e->time_s);
    }
    if (e->operations > 0) {
        hit_json_whole(&line, "tasks", e->tasks);
        hit_json_count(&line, "moved_bytes", e->moved_bytes);
    }
    if (e->operations > 0 && has_time(e)) {
        hit_json_real(&line, "makespan_ms", "%.6f", 1e3 * e->time_s);
        hit_json_real(&line, "gflops", "%.6g", 1e-9 * e->operations / e->time_s);
    }
    if (e->area_s > 0) {
        hit_json_real(&line, "critical_ms", "%.6f", 1e3 * e->critical_s);
        hit_json_real(&line, "area_ms", "%.6f", 1e3 * e->area_s);
    }
    if (e->check) {
        /* JSON knows no infinity */
        hit_json_real(&line, "error", "%.6g", isfinite(e->error) ? e->error : 1e308);
        hit_json_real(&line, "bound", "%.6g", e->bound);
        hit_json_truth(&line, "ok", e->error <= e->bound);
    }
    hit_json_end_line(&line);
}

int example_end(example *e, hit_layout **layout)
{
    hit_stats sum;
    int code = 0;

    hit_balance_destroy(&e->balance);
    HIT_MUST(hit_context_stats_all(e->hit, &sum));
    if (hit_rank(e->hit) == 0) {
        print_table(e, *layout, &sum);
        if (e->json) print_json(e, &sum);
        if (e->check && !(e->error <= e->bound)) code = 1;
        if (fflush(stdout) != 0 || ferror(stdout)) {
            perror("standard output");
            code = 1;
        }
    }
    hit_layout_destroy(layout);
    hit_close(&e->hit);
    hit_close(&e->probe);
    return code;
}
