/* SPDX-License-Identifier: MIT
 * Boxes by hash, by outline, and for each pair of processes in the order in which they
 * came. That order is the same for both of them, whatever else they hold: first in, first
 * out is what two processes can do alike without asking which one the other needs. */
#include "hit/base/alloc.h"
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/comm/exchange.h"
#include "hit/data/fence.h"
#include "hit/data/hash.h"
#include "hit/data/nearby.h"

#include <stdlib.h>

enum {
    LEAST = 64,   /* boxes there is room for, and of which half are to be spare */
    GROUP = 1024, /* boxes under one outline: a multiple of HIT_OUTLINES */
    SPARES = 16   /* pieces of memory that are kept for boxes to come */
};

static const char list_name[] = "boxes that are held";

typedef struct pair {
    int from;
    int to;
    int oldest; /* -1: none */
    int newest;
    size_t size_bytes;
    bool grown; /* since the last trim */
    int next_grown;
} pair;

/* Memory of a box that is held no more. */
typedef struct spare {
    void *memory;
    size_t size_bytes;
    int to;         /* whose it is */
    uint64_t event; /* the last task that reads it */
} spare;

struct hit_held {
    size_t most_bytes;
    const uint64_t *over;
    hit_held_memory memory;
    int count;
    int room;
    hit_held_box *box;
    hit_outlines *outlines;
    hit_hull *group; /* around GROUP of them, and maybe what was there before */
    hit_table by_box;
    int pairs;
    int pairs_room;
    pair *pair; /* they stay */
    hit_table by_pair;
    int grown; /* the first of those that have; -1: none has */
    int spares;
    int spares_room; /* for that of all boxes, too */
    size_t spares_bytes;
    spare *spare;
};

hit_status hit_held_create(size_t most_bytes, const uint64_t *over,
                           const hit_held_memory *memory, hit_held **held)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof **held, held));
    (*held)->most_bytes = most_bytes;
    (*held)->over = over;
    if (memory != NULL) (*held)->memory = *memory;
    (*held)->grown = -1;
    return HIT_OK;
}

/* ---- memory, which a dry run only counts ---- */

static char planned_memory;

static void tell(const hit_held *held, int to, int64_t bytes)
{
    if (held->memory.tell != NULL) held->memory.tell(held->memory.of, to, bytes);
}

static hit_status take(const hit_held *held, int to, size_t size_bytes, void **memory)
{
    if (held->memory.planned) {
        *memory = &planned_memory;
    } else {
        HIT_TRY(hit_memory_take(size_bytes, "a box of another process", memory));
    }
    tell(held, to, (int64_t)size_bytes);
    return HIT_OK;
}

static void give(const hit_held *held, int to, size_t size_bytes, void *memory)
{
    if (memory == NULL) return;
    tell(held, to, -(int64_t)size_bytes);
    if (!held->memory.planned) hit_memory_release(&memory);
}

void hit_held_destroy(hit_held **held)
{
    hit_held *closing = *held;

    if (closing == NULL) return;
    for (int k = 0; k < closing->count; k++) {
        const hit_held_box *one = &closing->box[k];

        give(closing, one->to, one->size_bytes, one->memory);
    }
    for (int k = 0; k < closing->spares; k++) {
        const spare *one = &closing->spare[k];

        give(closing, one->to, one->size_bytes, one->memory);
    }
    free(closing->spare);
    free(closing->box);
    free(closing->outlines);
    free(closing->group);
    free(closing->pair);
    hit_table_clear(&closing->by_box);
    hit_table_clear(&closing->by_pair);
    free(closing);
    *held = NULL;
}

static uint64_t hash_pair(int from, int to)
{
    return hit_hash_word((uint64_t)from, (uint64_t)to);
}

static uint64_t hash_box(int from, int to, const hit_domain *box)
{
    return hit_hash_place(hash_pair(from, to), box);
}

int hit_held_find(const hit_held *held, int from, int to, const hit_domain *box)
{
    int k;

    if (held == NULL || held->count == 0) return -1;
    k = hit_table_first(&held->by_box, hash_box(from, to, box));
    for (; k >= 0; k = hit_table_next(&held->by_box, k)) {
        const hit_held_box *one = &held->box[k];

        if (one->from == from && one->to == to && hit_domain_equal(&one->box, box)) break;
    }
    return k;
}

hit_held_box *hit_held_at(const hit_held *held, int number)
{
    return &held->box[number];
}

int hit_held_count(const hit_held *held)
{
    return held == NULL ? 0 : held->count;
}

/* Each box may be the first of its pair. */
static hit_status grow(hit_held *held, int room)
{
    HIT_TRY(hit_memory_resize((size_t)room, sizeof *held->box, list_name, &held->box));
    HIT_TRY(hit_outlines_resize(held->room, room, &held->outlines));
    HIT_TRY(hit_memory_resize((size_t)room / GROUP + 1, sizeof *held->group, list_name,
                              &held->group));
    HIT_TRY(hit_table_reserve(&held->by_box, room, list_name));
    held->room = room;
    return HIT_OK;
}

static hit_status grow_spares(hit_held *held, int room)
{
    HIT_TRY(
        hit_memory_resize((size_t)room, sizeof *held->spare, list_name, &held->spare));
    held->spares_room = room;
    return HIT_OK;
}

static hit_status grow_pairs(hit_held *held, int room)
{
    HIT_TRY(hit_memory_resize((size_t)room, sizeof *held->pair, list_name, &held->pair));
    HIT_TRY(hit_table_reserve(&held->by_pair, room, list_name));
    held->pairs_room = room;
    return HIT_OK;
}

/* Early, so that a failure has no consequences unless it lasts: what one process of a
 * pair knows, the other one must know. */
hit_status hit_held_reserve(hit_held *held, int more)
{
    hit_status status = HIT_OK;

    if (held->room - held->count < more + LEAST / 2) {
        status = grow(held, 2 * held->room + more + LEAST);
        if (held->room - held->count >= more) status = HIT_OK;
    }
    HIT_TRY(status);
    if (held->spares_room - held->spares - held->count < more) {
        HIT_TRY(grow_spares(held, 2 * (held->spares + held->count + more) + LEAST));
    }
    if (held->pairs_room - held->pairs < more + LEAST / 2) {
        status = grow_pairs(held, 2 * held->pairs_room + more + LEAST);
        if (held->pairs_room - held->pairs >= more) status = HIT_OK;
    }
    return status;
}

static int find_pair(hit_held *held, int from, int to)
{
    const uint64_t hash = hash_pair(from, to);
    int k = hit_table_first(&held->by_pair, hash);

    while (k >= 0 && (held->pair[k].from != from || held->pair[k].to != to)) {
        k = hit_table_next(&held->by_pair, k);
    }
    if (k >= 0) return k;
    k = held->pairs++;
    held->pair[k] = (pair){.from = from, .to = to, .oldest = -1, .newest = -1};
    hit_table_put(&held->by_pair, hash, k);
    return k;
}

/* The first box from number @p k on that may have elements in @p box, whose outline and
 * hull these are; -1: none has. */
static int next_near(const hit_held *held, int k, const hit_domain *box,
                     const hit_outline *near, const hit_hull *hull)
{
    while (k < held->count) {
        const int behind = (k / GROUP + 1) * GROUP;
        const int end = behind < held->count ? behind : held->count;
        int found = -1;

        if (hit_hull_meets(&held->group[k / GROUP], hull, box->dims)) {
            found = hit_outlines_next(held->outlines, k, end, near);
        }
        if (found >= 0) return found;
        k = behind;
    }
    return -1;
}

/* Number k has a box. */
static void put_in(hit_held *held, int k)
{
    const hit_held_box *one = &held->box[k];
    hit_hull *group = &held->group[k / GROUP];

    hit_table_put(&held->by_box, hash_box(one->from, one->to, &one->box), k);
    hit_outlines_set(held->outlines, k, &one->box);
    if (k % GROUP == 0 && k == held->count - 1) *group = hit_hull_of_nothing();
    hit_hull_widen(group, &one->box);
}

/* What stands beside box number @p k in its pair, or the ends of that, name it @p as. */
static void link_as(hit_held *held, int k, int before, int behind)
{
    const hit_held_box *one = &held->box[k];
    pair *of = &held->pair[one->pair];

    *(one->before < 0 ? &of->oldest : &held->box[one->before].behind) = behind;
    *(one->behind < 0 ? &of->newest : &held->box[one->behind].before) = before;
}

int hit_held_add(hit_held *held, int from, int to, const hit_domain *box,
                 size_t size_bytes)
{
    const int number = held->count++;
    const int p = find_pair(held, from, to);
    pair *of = &held->pair[p];

    held->box[number] = (hit_held_box){.from = from,
                                       .to = to,
                                       .box = *box,
                                       .size_bytes = size_bytes,
                                       .pair = p,
                                       .before = of->newest,
                                       .behind = -1};
    link_as(held, number, number, number);
    put_in(held, number);
    of->size_bytes += size_bytes;
    if (!of->grown) {
        of->next_grown = held->grown;
        held->grown = p;
    }
    of->grown = true;
    return number;
}

/* ---- memory that is not used any more, unless tasks still read it ---- */

static bool is_read(const hit_held *held, uint64_t event)
{
    return event > 0 && event > *held->over;
}

static void *take_spare(hit_held *held, int k)
{
    void *memory = held->spare[k].memory;

    held->spares_bytes -= held->spare[k].size_bytes;
    held->spare[k] = held->spare[--held->spares];
    return memory;
}

hit_status hit_held_take_memory(hit_held *held, int number)
{
    hit_held_box *one = &held->box[number];

    if (one->memory != NULL) return HIT_OK;
    for (int k = 0; k < held->spares; k++) {
        if (held->spare[k].size_bytes != one->size_bytes) continue;
        if (held->memory.planned && held->spare[k].to != one->to) continue;
        if (is_read(held, held->spare[k].event)) continue;
        one->memory = take_spare(held, k);
        return HIT_OK;
    }
    return take(held, one->to, one->size_bytes, &one->memory);
}

static void release_spares(hit_held *held, int to)
{
    int left = 0;

    for (int k = 0; k < held->spares; k++) {
        left += held->spare[k].to == to;
    }
    for (int k = held->spares - 1; k >= 0 && left >= SPARES; k--) {
        const size_t size_bytes = held->spare[k].size_bytes;

        if (held->spare[k].to != to || is_read(held, held->spare[k].event)) continue;
        give(held, to, size_bytes, take_spare(held, k));
        left--;
    }
}

bool hit_held_is_behind(hit_held *held)
{
    if (held->spares > 0) release_spares(held, held->spare[0].to);
    return held->spares >= SPARES && held->spares_bytes > held->most_bytes;
}

static void spare_memory(hit_held *held, const hit_held_box *one)
{
    if (one->memory == NULL) return;
    release_spares(held, one->to);
    held->spare[held->spares++] =
        (spare){one->memory, one->size_bytes, one->to, one->event};
    held->spares_bytes += one->size_bytes;
}

void hit_held_remove(hit_held *held, int number)
{
    hit_held_box *one = &held->box[number];
    const int last = held->count - 1;

    spare_memory(held, one);
    held->pair[one->pair].size_bytes -= one->size_bytes;
    link_as(held, number, one->before, one->behind);
    hit_table_drop(&held->by_box, number);
    if (number != last) { /* the last one gets its number */
        link_as(held, last, number, number);
        hit_table_drop(&held->by_box, last);
        *one = held->box[last];
        put_in(held, number);
    }
    held->count--;
}

void hit_held_written(hit_held *held, const hit_domain *box)
{
    hit_outline near;
    hit_hull hull;
    int k = 0;

    if (held == NULL || held->count == 0 || hit_domain_is_empty(box)) return;
    near = hit_outline_of(box);
    hull = hit_hull_of(box);
    while ((k = next_near(held, k, box, &near, &hull)) >= 0) {
        const hit_domain common = hit_domain_intersect(&held->box[k].box, box);

        if (hit_domain_is_empty(&common)) {
            k++;
        } else {
            hit_held_remove(held, k);
        }
    }
}

void hit_held_clear(hit_held *held)
{
    while (hit_held_count(held) > 0) {
        hit_held_remove(held, held->count - 1);
    }
}

void hit_held_trim(hit_held *held)
{
    if (held == NULL) return;
    for (int p = held->grown; p >= 0; p = held->pair[p].next_grown) {
        pair *of = &held->pair[p];

        while (of->size_bytes > held->most_bytes && of->oldest != of->newest) {
            hit_held_remove(held, of->oldest);
        }
        of->grown = false;
    }
    held->grown = -1;
}
