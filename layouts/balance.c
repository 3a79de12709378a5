/* SPDX-License-Identifier: MIT
 * Self-adaptation of an iterative program ([Clarke 2012] section 3, on line): all
 * processes tell their times, process 0 refines the models and decides (integers are
 * computed on one process, never on each from doubles), all move. The distribution is a
 * "weighted" layout whose weights are the shares themselves, which it reproduces exactly.
 */
#include "layouts/balance.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/launch/launch.h"
#include "layouts/partition/dynamic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Until a move has been measured: what memory and messages do on any machine. */
static const double usual_bytes_per_s = 1e9;

struct hit_balance {
    hit_context *context;
    hit_layout **layout;
    int dim;
    hit_index *share;     /* elements along dim, per process */
    double busy_s;        /* of this process, at the last look */
    hit_dynamic *dynamic; /* on process 0 */
    double bytes_per_s;
    hit_balance_info info;
};

/* What process 0 decides. */
typedef struct decision {
    int32_t moves;
    double imbalance;
} decision;

/* The shares of all processes; fails if the layout is not one box each, in order, cut
 * along dim. */
static hit_status read_shares(const hit_layout *layout, int dim, hit_index share[])
{
    const hit_domain domain = hit_layout_domain(layout);
    hit_index next = domain.dims > dim ? domain.sig[dim].begin : 0;
    bool good = dim >= 0 && dim < domain.dims;

    for (int p = 0; p < hit_layout_ranks(layout) && good; p++) {
        hit_region part = {0};
        hit_domain wanted = domain;

        HIT_TRY(hit_layout_part(layout, p, &part));
        share[p] = 0;
        if (part.count > 0) {
            wanted.sig[dim] = part.part[0].sig[dim];
            share[p] = hit_sig_count(wanted.sig[dim]);
            good = part.count == 1 && hit_domain_equal(&part.part[0], &wanted) &&
                   wanted.sig[dim].begin == next;
            next = wanted.sig[dim].end + domain.sig[dim].stride;
        }
        hit_region_clear(&part);
    }
    if (good) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "layout %s: expected one box per process, in order, cut along dimension %d "
        "only; \"block:dims=%d\" is one",
        hit_layout_name(layout), dim, dim);
}

static hit_status prepare(hit_balance *made)
{
    const hit_domain domain = hit_layout_domain(*made->layout);

    HIT_TRY(
        hit_memory_zeroed((size_t)made->context->size, sizeof(hit_index), &made->share));
    HIT_TRY(read_shares(*made->layout, made->dim, made->share));
    if (made->context->rank != 0) return HIT_OK;
    return hit_dynamic_create(hit_sig_count(domain.sig[made->dim]), made->context->size,
                              NULL, &made->dynamic);
}

hit_status hit_balance_create(hit_context *context, hit_layout **layout, int dim,
                              hit_balance **balance)
{
    hit_balance *made;
    hit_stats stats;
    hit_status status;

    if (context == NULL || layout == NULL || *layout == NULL || balance == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context and a layout but found NULL");
    }
    made = calloc(1, sizeof(hit_balance));
    if (made == NULL) {
        status = HIT_FAIL(HIT_E_NOMEM, "no memory for a balance");
    } else {
        *made = (hit_balance){.context = context,
                              .layout = layout,
                              .dim = dim,
                              .bytes_per_s = usual_bytes_per_s};
        status = prepare(made);
    }
    status = hit_comm_agree(context->comm, status);
    if (status != HIT_OK) {
        hit_balance_destroy(&made);
        return status;
    }
    hit_context_stats(context, &stats);
    made->busy_s = stats.busy_s; /* NOLINT(clang-analyzer-core.NullDereference): agreed */
    *balance = made;
    return HIT_OK;
}

void hit_balance_destroy(hit_balance **balance)
{
    if (balance == NULL || *balance == NULL) return;
    hit_dynamic_destroy(&(*balance)->dynamic);
    free((*balance)->share);
    free(*balance);
    *balance = NULL;
}

/* The seconds per step of every process, everywhere, since the last look. */
static hit_status gather_times(hit_balance *b, int steps, double seconds[])
{
    const int size = b->context->size;
    uint64_t *ns = NULL;
    hit_stats stats;
    hit_status status;

    HIT_TRY(hit_memory_zeroed((size_t)size, sizeof(uint64_t), &ns));
    status = hit_wait(b->context);
    hit_context_stats(b->context, &stats);
    ns[b->context->rank] = (uint64_t)(1e9 * (stats.busy_s - b->busy_s) / steps);
    b->busy_s = stats.busy_s;
    status = hit_comm_agree(b->context->comm, status);
    if (status == HIT_OK) status = hit_comm_sum_u64(b->context->comm, ns, size);
    for (int p = 0; p < size; p++) {
        seconds[p] = 1e-9 * (double)ns[p];
    }
    free(ns);
    return status;
}

static double imbalance_of(const hit_balance *b, const double seconds[])
{
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

/* The part of all elements that change their owner. */
static double moved_part(const hit_balance *b, const hit_index share[])
{
    hit_index old_end = 0;
    hit_index new_end = 0;
    double total = 0;
    double stay = 0;

    for (int p = 0; p < b->context->size; p++) {
        const hit_index old_begin = old_end;
        const hit_index new_begin = new_end;

        old_end += b->share[p];
        new_end += share[p];
        total += (double)share[p];
        stay += fmax(0.0, fmin((double)old_end, (double)new_end) -
                              fmax((double)old_begin, (double)new_begin));
    }
    return total > 0 ? 1 - stay / total : 0;
}

/* On process 0: learn, and find a distribution that pays. */
static hit_status decide(hit_balance *b, const double seconds[], double steps_left,
                         double bytes, hit_index share[], decision *found)
{
    double now_s = 0;
    double then_s = 0;

    found->imbalance = imbalance_of(b, seconds);
    HIT_TRY(hit_dynamic_observe(b->dynamic, b->share, seconds));
    HIT_TRY(hit_dynamic_predict(b->dynamic, b->share, &now_s));
    HIT_TRY(hit_dynamic_propose(b->dynamic, share, &then_s));
    found->moves =
        hit_dynamic_pays(b->dynamic, now_s, then_s,
                         bytes * moved_part(b, share) / b->bytes_per_s, steps_left);
    return HIT_OK;
}

/* "weighted:weights=...,dim=K" for the shares. @owner the caller: free() */
static hit_status layout_text(const hit_balance *b, const hit_index share[], char **text)
{
    const size_t room = 64 + 24 * (size_t)b->context->size;
    size_t used = 0;

    *text = malloc(room);
    if (*text == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for the text of a layout");
    used += (size_t)snprintf(*text, room, "weighted:dim=%d,weights=", b->dim);
    for (int p = 0; p < b->context->size; p++) {
        used += (size_t)snprintf(*text + used, room - used, "%s%lld", p > 0 ? "," : "",
                                 (long long)share[p]);
    }
    return HIT_OK;
}

static hit_status move(hit_balance *b, const hit_index share[], int tiles,
                       hit_tile *const tile[])
{
    const double start = hit_time(b->context);
    hit_layout *made = NULL;
    char *text = NULL;
    hit_status status = layout_text(b, share, &text);

    if (status == HIT_OK) {
        status =
            hit_layout_create(b->context, hit_layout_domain(*b->layout), text, &made);
    }
    free(text);
    status = hit_comm_agree(b->context->comm, status);
    for (int k = 0; k < tiles && status == HIT_OK; k++) {
        status = hit_tile_relayout(tile[k], made);
    }
    if (status != HIT_OK) {
        hit_layout_destroy(&made);
        return status;
    }
    b->info.moves++;
    b->info.moving_s += hit_time(b->context) - start;
    if (hit_time(b->context) > start) {
        b->bytes_per_s = tile_bytes(tiles, tile) * moved_part(b, share) /
                         (hit_time(b->context) - start);
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): it is there on success */
    memcpy(b->share, share, sizeof(hit_index) * (size_t)b->context->size);
    hit_layout_destroy(b->layout);
    *b->layout = made;
    return HIT_OK;
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

/* Look and decide; the decision and the shares are the same everywhere afterwards. */
static hit_status look(hit_balance *b, int steps, double steps_left, double bytes,
                       hit_index share[], decision *found)
{
    const size_t size = (size_t)b->context->size;
    double *seconds = NULL;
    hit_status status = hit_memory_zeroed(size, sizeof(double), &seconds);

    status = hit_comm_agree(b->context->comm, status);
    if (status == HIT_OK) status = gather_times(b, steps, seconds);
    if (status == HIT_OK && b->context->rank == 0) {
        status = decide(b, seconds, steps_left, bytes, share, found);
    }
    free(seconds);
    HIT_TRY(hit_comm_agree(b->context->comm, status));
    HIT_TRY(hit_comm_broadcast(b->context->comm, 0, found, sizeof(*found)));
    return hit_comm_broadcast(b->context->comm, 0, share, size * sizeof(hit_index));
}

hit_status hit_balance_step(hit_balance *balance, int steps, double steps_left, int tiles,
                            hit_tile *const tile[], bool *moved)
{
    hit_balance *b = balance;
    hit_index *share = NULL;
    decision found = {0};
    hit_status status;

    if (balance == NULL || moved == NULL || (tile == NULL && tiles > 0)) {
        return HIT_FAIL(HIT_E_ARG, "expected a balance and tiles but found NULL");
    }
    *moved = false;
    status = check_tiles(b, steps, tiles, tile);
    if (status == HIT_OK) {
        status = hit_memory_zeroed((size_t)b->context->size, sizeof(hit_index), &share);
    }
    status = hit_comm_agree(b->context->comm, status);
    if (status == HIT_OK) {
        status = look(b, steps, steps_left, tile_bytes(tiles, tile), share, &found);
    }
    if (status == HIT_OK) {
        b->info.looks++;
        b->info.imbalance = found.imbalance;
        if (found.moves) status = move(b, share, tiles, tile);
        *moved = found.moves && status == HIT_OK;
    }
    free(share);
    return status;
}

void hit_balance_get_info(const hit_balance *balance, hit_balance_info *info)
{
    *info = balance->info;
}
