/* SPDX-License-Identifier: MIT
 * The sums of a tile of costs: each process adds up what it owns, in doubles, which
 * become whole numbers of one unit on all processes, so that their sum has the same bits
 * on all of them. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/data/sig.h"
#include "layouts/layouts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sums {
    hit_context *context;
    hit_tile *costs;
    const hit_costs_frame *frame;
    hit_domain domain;
    hit_index n;       /**< positions */
    size_t count;      /**< of all strips */
    double *real;      /**< strip by strip, what this process owns */
    int *strip_of;     /**< by position across; NULL: one strip */
    uint64_t *whole;   /**< the same of all processes, in the common unit */
    hit_arrays arrays; /**< these */
} sums;

static hit_status refuse(const hit_index x[], int dims, double cost)
{
    hit_index end[HIT_MAX_DIMS];
    hit_domain element;
    char where[128];

    memcpy(end, x, (size_t)dims * sizeof *end);
    element = hit_domain_box(dims, x, end);
    hit_domain_print(&element, where, sizeof where);
    return HIT_FAIL(HIT_E_ARG, "expected costs >= 0 but found %g at %s", cost, where);
}

/** Where the sum is to which the elements of a row along the last dimension belong. */
static double *place(const sums *s, const hit_index x[])
{
    const hit_costs_frame *f = s->frame;
    const hit_index at = hit_sig_position(s->domain.sig[f->dim], x[f->dim]);
    hit_index across;

    if (s->strip_of == NULL) return &s->real[at];
    across = hit_sig_position(s->domain.sig[f->across], x[f->across]);
    return &s->real[s->strip_of[across] * s->n + at];
}

static hit_status add_view(sums *s, const hit_view *view)
{
    const hit_type type = hit_tile_type(s->costs);

    HIT_FOR_EACH (x, view->domain) {
        const double cost = hit_type_get(type, hit_view_at(view, x));

        if (!(cost >= 0) || isinf(cost)) return refuse(x, view->domain.dims, cost);
        *place(s, x) += cost;
    }
    return HIT_OK;
}

static hit_status add_mine(sums *s)
{
    for (int piece = 0; piece < hit_tile_pieces(s->costs); piece++) {
        hit_view view;

        HIT_TRY(hit_tile_map(s->costs, piece, HIT_READ, &view));
        HIT_TRY(add_view(s, &view));
    }
    return HIT_OK;
}

static hit_status make_room(sums *s)
{
    const hit_costs_frame *f = s->frame;

    HIT_TRY(HIT_TAKE(&s->arrays, s->count, s->real));
    HIT_TRY(HIT_TAKE(&s->arrays, s->count, s->whole));
    if (f->strips == 1) return HIT_OK;
    HIT_TRY(HIT_TAKE(&s->arrays, (size_t)f->first[f->strips], s->strip_of));
    for (int strip = 0; strip < f->strips; strip++) {
        for (hit_index k = f->first[strip]; k < f->first[strip + 1]; k++) {
            s->strip_of[k] = strip;
        }
    }
    return HIT_OK;
}

/* Bits of doubles >= 0 are ordered as the numbers are. */
typedef union bits_of {
    double value;
    uint64_t bits;
} bits_of;

/** The sums of all processes as whole numbers. */
static hit_status share(sums *s)
{
    bits_of most = {.value = 0};
    int exponent;
    int processes;

    for (size_t k = 0; k < s->count; k++) {
        most.value += s->real[k];
    }
    HIT_TRY(hit_comm_max_u64(s->context->comm, &most.bits, 1));
    if (isinf(most.value)) {
        return HIT_FAIL(HIT_E_ARG, "expected costs whose sum is a double but found more");
    }
    if (most.value <= 0 && s->count > 0 && !hit_domain_is_empty(&s->domain)) {
        return HIT_FAIL(HIT_E_ARG, "expected a cost > 0 but all are 0");
    }
    (void)frexp(most.value, &exponent);
    (void)frexp(s->context->size, &processes);
    for (size_t k = 0; k < s->count; k++) { /* a power of 2: whole costs stay exact */
        s->whole[k] = (uint64_t)llround(ldexp(s->real[k], 51 - exponent - processes));
    }
    for (size_t k = 0; k < s->count; k += INT_MAX) {
        const size_t rest = s->count - k;
        const int now = rest < INT_MAX ? (int)rest : INT_MAX;

        HIT_TRY(hit_comm_sum_u64(s->context->comm, s->whole + k, now));
    }
    return HIT_OK;
}

static hit_status add_before(const sums *s, hit_index **sum)
{
    const size_t strips = (size_t)s->frame->strips;
    hit_index *made;

    HIT_TRY(hit_memory_zeroed(s->count + strips, sizeof *made, &made));
    *sum = made;
    for (size_t strip = 0; strip < strips; strip++, made += s->n + 1) {
        for (hit_index k = 0; k < s->n; k++) {
            made[k + 1] = made[k] + (hit_index)s->whole[strip * (size_t)s->n + (size_t)k];
        }
    }
    return HIT_OK;
}

hit_status hit_costs_add_up(hit_context *context, hit_tile *costs,
                            const hit_costs_frame *frame, hit_index **sum)
{
    sums s = {.context = context,
              .costs = costs,
              .frame = frame,
              .domain = hit_tile_domain(costs)};
    hit_status st;

    *sum = NULL;
    s.n = hit_sig_count(s.domain.sig[frame->dim]);
    s.count = (size_t)frame->strips * (size_t)s.n;
    st = make_room(&s);
    if (st == HIT_OK) st = add_mine(&s);
    st = hit_comm_agree(context->comm, st);
    if (st == HIT_OK) st = share(&s);
    if (st == HIT_OK) st = hit_comm_agree(context->comm, add_before(&s, sum));
    hit_arrays_free(&s.arrays);
    return st;
}
