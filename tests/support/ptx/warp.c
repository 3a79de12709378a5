/* SPDX-License-Identifier: MIT
 * A warp: 32 threads that carry out one instruction after another in step. Where a branch
 * parts them, the lanes that are further behind in the text go on, until they meet the
 * others. A block is its warps, one after another, or in turns between barriers. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

enum {
    MOST_STEPS = 5 * 1000 * 1000 /* of a warp; then it will never end */
};

/* --- what moves the lanes ------------------------------------------------------------
 */

static void park(ptx_warp *w, uint32_t lanes, int at)
{
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        w->parked_at[__builtin_ctz(rest)] = at;
    }
    w->parked |= lanes;
    if (at < w->meet) w->meet = at;
}

/* Those that are furthest behind go on. */
static void unpark(ptx_warp *w)
{
    uint32_t next = 0;

    w->at = w->meet;
    w->meet = INT_MAX;
    for (uint32_t rest = w->parked; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        if (w->parked_at[l] == w->at) {
            next |= (uint32_t)1 << l;
        } else if (w->parked_at[l] < w->meet) {
            w->meet = w->parked_at[l];
        }
    }
    w->parked &= ~next;
    w->mask = next;
}

/* For these the guard holds. */
static uint32_t guarded(const ptx_warp *w, const ptx_instruction *one)
{
    uint32_t lanes = 0;

    if (one->guard == PTX_NONE) return w->mask;
    for (int l = 0; l < PTX_LANES; l++) {
        lanes |= (uint32_t)(((uint8_t)w->row[one->guard][l] != 0) != one->negated) << l;
    }
    return lanes & w->mask;
}

void ptx_branch(ptx_warp *w, ptx_instruction *one)
{
    const uint32_t taken = guarded(w, one);
    const uint32_t others = w->mask & ~taken;

    if (others == 0) {
        w->at = one->target;
    } else if (taken != 0) {
        park(w, taken, one->target);
        park(w, others, w->at);
        unpark(w);
    }
}

void ptx_return(ptx_warp *w, ptx_instruction *one)
{
    w->mask &= ~guarded(w, one);
}

void ptx_barrier(ptx_warp *w, ptx_instruction *one)
{
    if (one->guard != PTX_NONE || w->parked != 0) {
        ptx_fault(w, __builtin_ctz(w->mask), one, 0,
                  "not all threads are at the barrier");
    }
    w->at_barrier = true;
}

static uint64_t value_at(uint64_t at, int size_bytes, bool is_signed)
{
    const void *from = (const void *)(uintptr_t)at;
    const int unused = 64 - 8 * size_bytes;
    uint64_t value = 0;

    if (size_bytes == 8) {
        memcpy(&value, from, 8);
    } else if (size_bytes == 4) {
        memcpy(&value, from, 4);
    } else {
        memcpy(&value, from, (size_t)size_bytes);
    }
    return is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
}

/* Most loads are of parameters. */
static bool is_param(const ptx_warp *w, const ptx_instruction *one, uint64_t at)
{
    const uint64_t size = (uint64_t)one->bytes * (unsigned)one->count;
    const uint64_t offset = at - (uint64_t)(uintptr_t)w->param;

    return at % size == 0 && offset < w->entry->param_bytes &&
           offset + size <= w->entry->param_bytes;
}

void ptx_load(ptx_warp *w, ptx_instruction *one)
{
    for (uint32_t rest = w->mask; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const uint64_t at = w->row[one->from[0]][l] + (uint64_t)one->offset;
        if (!is_param(w, one, at) && !ptx_may_access(w, l, one, at, false)) continue;
        for (int k = 0; k < one->count; k++) {
            w->row[one->to[k]][l] = value_at(at + (uint64_t)k * (unsigned)one->bytes,
                                             one->bytes, one->is_signed);
        }
    }
}

void ptx_store(ptx_warp *w, ptx_instruction *one)
{
    for (uint32_t rest = w->mask; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const uint64_t at = w->row[one->from[0]][l] + (uint64_t)one->offset;
        if (!ptx_may_access(w, l, one, at, true)) continue;
        for (int k = 0; k < one->count; k++) {
            memcpy((char *)(uintptr_t)at + k * one->bytes, &w->row[one->to[k]][l],
                   (size_t)one->bytes);
        }
    }
}

/* --- a warp and a block --------------------------------------------------------------
 */

static bool moves_lanes(const ptx_instruction *one)
{
    return one->execute == ptx_branch || one->execute == ptx_return ||
           one->execute == ptx_barrier;
}

/* A register has what an earlier kernel left there until something writes it. */
static void check_written(const ptx_warp *w, const ptx_instruction *one)
{
    uint32_t lanes = UINT32_MAX;

    for (int k = 0; k < one->reads; k++) {
        lanes &= w->written[one->from[k]];
    }
    for (int k = 0; k < one->count && one->execute == ptx_store; k++) {
        lanes &= w->written[one->to[k]];
    }
    if ((w->mask & ~lanes) == 0) return;
    ptx_fault(w, __builtin_ctz(w->mask & ~lanes), one, 0,
              "it reads a register that nothing wrote");
}

static void count_divisions(const ptx_warp *w, const ptx_instruction *one)
{
    ptx_divisions *needless = &w->entry->needless;

    for (uint32_t rest = w->mask; rest != 0; rest &= rest - 1) {
        const int l = __builtin_ctz(rest);
        const uint64_t a = w->row[one->from[0]][l];
        const uint64_t b = w->row[one->from[1]][l];
        needless->small += one->divides == 8 && (a | b) >> 32 == 0;
        needless->by_one += (one->divides == 8 ? b : (uint32_t)b) == 1;
    }
}

static void execute(ptx_warp *w, ptx_instruction *one)
{
    check_written(w, one);
    if (one->divides != 0) count_divisions(w, one);
    one->execute(w, one);
    for (int k = 0; k < one->count && one->execute != ptx_store; k++) {
        w->written[one->to[k]] |= w->mask;
    }
}

static void step(ptx_warp *w, ptx_instruction *one)
{
    const uint32_t before = w->mask;

    w->at++;
    one->runs++;
    if (one->guard != PTX_NONE && (w->mask & ~w->written[one->guard]) != 0) {
        ptx_fault(w, __builtin_ctz(w->mask), one, 0,
                  "it depends on a predicate that nothing wrote");
    }
    if (moves_lanes(one)) {
        one->execute(w, one);
        return;
    }
    w->mask = guarded(w, one);
    if (w->mask != 0) execute(w, one);
    w->mask = before;
}

/* To its end, or to a barrier. */
static void run_warp(ptx_warp *w)
{
    ptx_entry *e = w->entry;

    w->at_barrier = false;
    for (long steps = 0; !w->at_barrier; steps++) {
        if (w->mask == 0 && w->parked == 0) return;
        if (w->mask == 0) unpark(w);
        if (w->at >= w->meet) { /* there are lanes that are here, or behind */
            park(w, w->mask, w->at);
            unpark(w);
        }
        if (w->at >= e->count) {
            w->mask = 0;
            continue;
        }
        if (steps == MOST_STEPS) {
            ptx_fault(w, __builtin_ctz(w->mask), &e->code[w->at], 0, "it does not end");
            return;
        }
        step(w, &e->code[w->at]);
    }
}

typedef struct grid {
    ptx_entry *entry;
    ptx_dim3 blocks;
    ptx_dim3 block;
    const char *param;
    uint64_t epoch;
    unsigned threads; /* of a block */
    unsigned warps;   /* of a block */
    ptx_warp *warp;   /* one, or all of a block where it has barriers */
    char *shared;
    char *shared_known;
} grid;

static void fill_row(ptx_warp *w, int row, uint64_t value)
{
    for (int l = 0; l < PTX_LANES; l++) {
        w->row[row][l] = value;
    }
}

/* What is the same for all threads, and for all threads of a lane. */
static void make_warp(const grid *g, ptx_warp *w)
{
    ptx_entry *e = g->entry;
    const unsigned same[] = {g->block.x, g->block.y,  g->block.z,  0,          0,
                             0,          g->blocks.x, g->blocks.y, g->blocks.z};

    memset(w, 0, sizeof(*w));
    w->entry = e;
    w->epoch = g->epoch;
    w->param = g->param;
    w->shared = g->shared;
    w->shared_known = g->shared_known;
    w->row = calloc((size_t)e->rows, sizeof(*w->row));
    w->local = calloc(PTX_LANES, e->local_bytes + 1);
    w->written = calloc((size_t)e->rows, sizeof(*w->written));
    w->local_known = calloc(PTX_LANES, e->local_bytes + 1);
    if (w->row == NULL || w->local == NULL || w->written == NULL ||
        w->local_known == NULL) {
        abort();
    }
    for (int k = 0; k < 9; k++) {
        fill_row(w, PTX_NTID + k, same[k]);
    }
    for (int k = PTX_FIRST_ROW; k < e->rows; k++) {
        const ptx_row *row = &e->row[k];
        uint64_t value = (uint64_t)row->value;
        if (row->origin == PTX_PARAMETER) value += (uint64_t)(uintptr_t)g->param;
        if (row->origin == PTX_BLOCK) value += (uint64_t)(uintptr_t)g->shared;
        fill_row(w, k, value);
        for (int l = 0; row->origin == PTX_DEPOT && l < PTX_LANES; l++) {
            w->row[k][l] += (uint64_t)(uintptr_t)(w->local + (size_t)l * e->local_bytes);
        }
    }
}

/* Let it be warp `number` of block `b`, at its start. */
static void place(const grid *g, ptx_warp *w, uint64_t b, unsigned number)
{
    const unsigned first = number * PTX_LANES;
    const unsigned lanes = g->threads - first;

    w->first_thread = b * g->threads + first;
    w->mask = lanes >= PTX_LANES ? UINT32_MAX : ((uint32_t)1 << lanes) - 1;
    w->parked = 0;
    w->meet = INT_MAX;
    w->at = 0;
    for (int k = 0; k < g->entry->rows; k++) {
        w->written[k] = g->entry->row[k].origin == PTX_REGISTER ? 0 : UINT32_MAX;
    }
    memset(w->local_known, 0, PTX_LANES * g->entry->local_bytes);
    fill_row(w, PTX_CTAID, b % g->blocks.x);
    fill_row(w, PTX_CTAID + 1, b / g->blocks.x % g->blocks.y);
    fill_row(w, PTX_CTAID + 2, b / g->blocks.x / g->blocks.y);
    for (unsigned l = 0; l < PTX_LANES; l++) {
        w->row[PTX_TID][l] = (first + l) % g->block.x;
        w->row[PTX_TID + 1][l] = (first + l) / g->block.x % g->block.y;
        w->row[PTX_TID + 2][l] = (first + l) / g->block.x / g->block.y;
    }
}

/* All warps of a block in turns, each from one barrier to the next. */
static void run_block(const grid *g, uint64_t b)
{
    bool ended = false;

    memset(g->shared_known, 0, g->entry->shared_bytes);
    for (unsigned k = 0; k < g->warps; k++) {
        place(g, &g->warp[k], b, k);
    }
    while (!ended) {
        ended = true;
        for (unsigned k = 0; k < g->warps; k++) {
            run_warp(&g->warp[k]);
            ended = ended && !g->warp[k].at_barrier;
        }
    }
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

static void run_warps(const grid *g, int order)
{
    const uint64_t blocks = (uint64_t)g->blocks.x * g->blocks.y * g->blocks.z;
    const uint64_t all = g->entry->has_barrier ? blocks : blocks * g->warps;
    uint64_t leap = all / 3 * 2 + 1;
    uint64_t at = all / 2;

    while (common_divisor(leap, all) != 1) {
        leap++;
    }
    for (uint64_t k = 0; k < all; k++, at = (at + leap) % all) {
        const uint64_t n = order == 0 ? k : order == 1 ? all - 1 - k : at;
        if (g->entry->has_barrier) {
            run_block(g, n);
        } else {
            memset(g->shared_known, 0, g->entry->shared_bytes);
            place(g, g->warp, n / g->warps, (unsigned)(n % g->warps));
            run_warp(g->warp);
        }
    }
}

void ptx_grid_run(ptx_entry *entry, ptx_dim3 blocks, ptx_dim3 block, const char *param,
                  int order)
{
    static uint64_t epochs;
    grid g = {.entry = entry, .blocks = blocks, .block = block, .param = param};
    unsigned warps;

    g.epoch = ++epochs;
    g.threads = block.x * block.y * block.z;
    g.warps = (g.threads + PTX_LANES - 1) / PTX_LANES;
    warps = entry->has_barrier ? g.warps : 1;
    g.warp = calloc(warps, sizeof(*g.warp));
    g.shared = calloc(1, entry->shared_bytes + 1);
    g.shared_known = calloc(1, entry->shared_bytes + 1);
    if (g.warp == NULL || g.shared == NULL || g.shared_known == NULL) abort();
    for (unsigned k = 0; k < warps; k++) {
        make_warp(&g, &g.warp[k]);
    }
    entry->launches++;
    entry->threads += (uint64_t)blocks.x * blocks.y * blocks.z * g.threads;
    run_warps(&g, order);
    for (unsigned k = 0; k < warps; k++) {
        free(g.warp[k].row);
        free(g.warp[k].local);
        free(g.warp[k].local_known);
        free(g.warp[k].written);
    }
    free(g.warp);
    free(g.shared);
    free(g.shared_known);
}
