/* SPDX-License-Identifier: MIT
 * Self-adaptation of an iterative program ([Clarke 2012] section 3, on line): all
 * processes tell their times, process 0 refines the models and decides (integers are
 * computed on one process, never on each from doubles), all move. What it decides is the
 * text of a layout: "weighted" with the shares, or "fpm2d" with the rectangles. */
#include "layouts/balance.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/launch/launch.h"
#include "hit/launch/stats.h"
#include "hit/tile/tile_move.h"
#include "hit/topo/layout_impl.h"
#include "layouts/layouts.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Until a move has been measured: what memory and messages do on any machine. */
static const double usual_bytes_per_s = 1e9;

struct hit_balance {
    hit_context *context;
    hit_layout **layout;
    int dim;              /* that is cut; or HIT_PARTS_PLANE */
    hit_index *share;     /* elements along dim, or of the plane, per process */
    uint64_t *ns;         /* that a step took since the last look, per process; */
    double *seconds;      /* the same */
    double busy_s;        /* of this process, at the last look */
    hit_dynamic *dynamic; /* on process 0, as the rest */
    double bytes_per_s;
    double moved_part; /* of all elements, by the last decision */
    hit_balance_info info;
    hit_arrays arrays;
};

/* What process 0 decides. */
typedef struct decision {
    uint64_t text_bytes; /* of the next layout, with its end; 0: none */
    double imbalance;
} decision;

static hit_status prepare(hit_balance *made)
{
    const hit_domain domain = hit_layout_domain(*made->layout);
    const int size = made->context->size;
    const size_t count = (size_t)size;
    hit_arrays *arrays = &made->arrays;
    hit_plane plane = {.parts = size};

    HIT_TRY(HIT_TAKE(arrays, count, made->share));
    HIT_TRY(HIT_TAKE(arrays, count, made->ns));
    HIT_TRY(HIT_TAKE(arrays, count, made->seconds));
    HIT_TRY(hit_parts_read(*made->layout, &made->dim, made->share));
    if (made->context->rank != 0) return HIT_OK;
    if (made->dim >= 0) {
        return hit_dynamic_create(hit_sig_count(domain.sig[made->dim]), size, NULL,
                                  &made->dynamic);
    }
    plane.rows = hit_sig_count(domain.sig[0]);
    plane.columns = hit_sig_count(domain.sig[1]);
    return hit_dynamic_create_plane(&plane, NULL, &made->dynamic);
}

hit_status hit_balance_create(hit_context *context, hit_layout **layout, int dim,
                              hit_balance **balance)
{
    hit_balance *made = NULL;
    hit_stats stats;
    hit_status status;

    if (context == NULL || layout == NULL || *layout == NULL || balance == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context and a layout but found NULL");
    }
    status = hit_memory_zeroed(1, sizeof(hit_balance), &made);
    if (status == HIT_OK) {
        *made = (hit_balance){.context = context,
                              .layout = layout,
                              .dim = dim >= 0 ? dim : HIT_PARTS_ANY,
                              .bytes_per_s = usual_bytes_per_s};
        status = prepare(made);
    }
    status = hit_comm_agree(context->comm, status);
    if (status != HIT_OK) {
        hit_balance_destroy(&made);
        return status;
    }
    hit_context_stats(context, &stats);
    made->busy_s = stats.busy_s;
    *balance = made;
    return HIT_OK;
}

void hit_balance_destroy(hit_balance **balance)
{
    if (balance == NULL || *balance == NULL) return;
    hit_dynamic_destroy(&(*balance)->dynamic);
    hit_arrays_free(&(*balance)->arrays);
    free(*balance);
    *balance = NULL;
}

/* The seconds per step of every process, everywhere, since the last look. */
static hit_status gather_times(hit_balance *b, int steps)
{
    const int size = b->context->size;
    hit_stats stats;
    hit_status status = hit_wait(b->context);

    hit_context_stats(b->context, &stats);
    memset(b->ns, 0, (size_t)size * sizeof(uint64_t));
    b->ns[b->context->rank] = (uint64_t)(1e9 * (stats.busy_s - b->busy_s) / steps);
    b->busy_s = stats.busy_s;
    status = hit_comm_agree(b->context->comm, status);
    if (status == HIT_OK) status = hit_comm_sum_u64(b->context->comm, b->ns, size);
    for (int p = 0; p < size; p++) {
        b->seconds[p] = 1e-9 * (double)b->ns[p];
    }
    return status;
}

static double imbalance_of(const hit_balance *b)
{
    const double *seconds = b->seconds;
    double least = INFINITY;
    double most = 0;

    for (int p = 0; p < b->context->size; p++) {
        if (b->share[p] == 0) continue;
        least = fmin(least, seconds[p]);
        most = fmax(most, seconds[p]);
    }
    return most > 0 ? (most - least) / most : 0;
}

static double tile_bytes(int tiles, hit_tile *const tile[])
{
    double bytes = 0;

    for (int k = 0; k < tiles; k++) {
        const hit_domain domain = hit_tile_domain(tile[k]);

        bytes +=
            (double)hit_domain_count(&domain) * (double)hit_tile_type(tile[k]).size_bytes;
    }
    return bytes;
}

/* ---- on process 0 ---- */

/* The part of all elements that the layout would give to another process. */
static hit_status find_moved(hit_balance *b, const char *text)
{
    hit_layout *next;
    hit_status st;

    HIT_TRY(hit_layout_plan_text(NULL, hit_layout_domain(*b->layout), b->context->size,
                                 text, &next));
    st = hit_parts_moved(*b->layout, next, &b->moved_part);
    hit_layout_destroy(&next);
    return st;
}

/* The best distribution by what is known, as a layout. @owner *text: free() */
static hit_status propose(hit_balance *b, char **text, double *seconds)
{
    const int parts = b->context->size;
    hit_growing layout = {.text = NULL};
    hit_arrays arrays = {NULL};
    hit_index *share;
    hit_rect *rect;
    hit_status st = HIT_TAKE(&arrays, (size_t)parts, share);

    if (st == HIT_OK) st = HIT_TAKE(&arrays, (size_t)parts, rect);
    if (st == HIT_OK) st = hit_dynamic_propose(b->dynamic, share, seconds);
    if (st == HIT_OK && b->dim >= 0) {
        hit_growing_add(&layout, "weighted:");
        hit_slices_write(b->dim, parts, share, &layout);
    } else if (st == HIT_OK) {
        hit_growing_add(&layout, "fpm2d:");
        hit_dynamic_proposed(b->dynamic, rect);
        hit_columns_write((const int[]){0, 1}, parts, rect, &layout);
    }
    hit_arrays_free(&arrays);
    return st == HIT_OK ? hit_growing_end(&layout, text) : st;
}

/* Learn, and find a distribution that pays: *text is NULL where there is none. */
static hit_status decide(hit_balance *b, double steps_left, double bytes, char **text)
{
    double now_s = 0;
    double then_s = 0;

    HIT_TRY(hit_dynamic_observe(b->dynamic, b->share, b->seconds));
    HIT_TRY(hit_dynamic_predict(b->dynamic, b->share, &now_s));
    HIT_TRY(propose(b, text, &then_s));
    HIT_TRY(find_moved(b, *text));
    if (hit_dynamic_pays(b->dynamic, now_s, then_s,
                         bytes * b->moved_part / b->bytes_per_s, steps_left)) {
        return HIT_OK;
    }
    free(*text);
    *text = NULL;
    return HIT_OK;
}

/* ---- on all processes ---- */

static hit_status move(hit_balance *b, const char *text, int tiles,
                       hit_tile *const tile[])
{
    const double start = hit_clock_now(&b->context->clock);
    hit_layout *made = NULL;
    hit_status status =
        hit_layout_create(b->context, hit_layout_domain(*b->layout), text, &made);

    for (int k = 0; k < tiles && status == HIT_OK; k++) {
        status = hit_tile_relayout(tile[k], made);
    }
    if (status != HIT_OK) {
        hit_layout_destroy(&made);
        return status;
    }
    b->info.moves++;
    b->info.moving_s += hit_clock_now(&b->context->clock) - start;
    if (hit_clock_now(&b->context->clock) > start && b->moved_part > 0) {
        b->bytes_per_s = tile_bytes(tiles, tile) * b->moved_part /
                         (hit_clock_now(&b->context->clock) - start);
    }
    hit_layout_destroy(b->layout);
    *b->layout = made;
    return hit_comm_agree(b->context->comm, hit_parts_read(made, &b->dim, b->share));
}

static hit_status check_tiles(const hit_balance *b, int steps, int tiles,
                              hit_tile *const tile[])
{
    if (steps < 1) {
        return HIT_FAIL(HIT_E_ARG, "expected at least 1 step but found %d", steps);
    }
    for (int k = 0; k < tiles; k++) {
        if (tile[k] != NULL &&
            hit_layout_key(hit_tile_layout(tile[k])) == hit_layout_key(*b->layout)) {
            continue;
        }
        return HIT_FAIL(HIT_E_ARG,
                        "expected tiles over the layout that is balanced, but "
                        "number %d is not",
                        k);
    }
    return HIT_OK;
}

/* Look and decide; the decision and *text are the same everywhere afterwards, NULL if
 * nothing is to be moved. @owner *text: free() */
static hit_status look(hit_balance *b, int steps, double steps_left, double bytes,
                       char **text)
{
    struct hit_comm *comm = b->context->comm;
    decision found = {0};
    hit_status status = gather_times(b, steps);

    if (status == HIT_OK && b->context->rank == 0) {
        found.imbalance = imbalance_of(b);
        status = decide(b, steps_left, bytes, text);
        if (status == HIT_OK && *text != NULL) found.text_bytes = strlen(*text) + 1;
    }
    HIT_TRY(hit_comm_agree(comm, status));
    HIT_TRY(hit_comm_broadcast(comm, 0, &found, sizeof(found)));
    b->info.looks++;
    b->info.imbalance = found.imbalance;
    if (found.text_bytes == 0) return HIT_OK;
    if (b->context->rank != 0) {
        status = hit_memory_zeroed((size_t)found.text_bytes, 1, text);
    }
    HIT_TRY(hit_comm_agree(comm, status));
    return hit_comm_broadcast(comm, 0, *text, (size_t)found.text_bytes);
}

hit_status hit_balance_step(hit_balance *balance, int steps, double steps_left, int tiles,
                            hit_tile *const tile[], bool *moved)
{
    hit_balance *b = balance;
    char *text = NULL;
    hit_status status;

    if (balance == NULL || moved == NULL || (tile == NULL && tiles > 0)) {
        return HIT_FAIL(HIT_E_ARG, "expected a balance and tiles but found NULL");
    }
    *moved = false;
    status = hit_comm_agree(b->context->comm, check_tiles(b, steps, tiles, tile));
    if (status == HIT_OK) {
        status = look(b, steps, steps_left, tile_bytes(tiles, tile), &text);
    }
    if (status == HIT_OK && text != NULL) {
        status = move(b, text, tiles, tile);
        *moved = status == HIT_OK;
    }
    free(text);
    return status;
}

void hit_balance_get_info(const hit_balance *balance, hit_balance_info *info)
{
    *info = balance->info;
}
