/* SPDX-License-Identifier: MIT
 * Lists of events in one pool. Of a datum that is only read, again and again, a list
 * would grow with the program: when it has doubled, what is over goes. */
#include "hit/data/loose.h"

#include "hit/base/alloc.h"

#include <stdlib.h>

enum {
    SPARE = 8, /* links that are allocated together, at least */
    TRIM = 16  /* events of a list, at least, before those that are over go */
};

void hit_loose_clear(hit_loose_pool *pool)
{
    free(pool->link);
    *pool = (hit_loose_pool){.first_free = -1};
}

hit_status hit_loose_reserve(hit_loose_pool *pool, int more)
{
    int count = pool->count;

    if (pool->free >= more) return HIT_OK;
    more -= pool->free;
    count += more > count + SPARE ? more : count + SPARE;
    HIT_TRY(hit_memory_resize((size_t)count, sizeof(hit_loose_link), "a dependency log",
                              &pool->link));
    for (int k = pool->count; k < count; k++) {
        pool->link[k].next = pool->first_free;
        pool->first_free = k;
    }
    pool->free += count - pool->count;
    pool->count = count;
    return HIT_OK;
}

static void push(hit_loose_pool *pool, hit_loose_list *list, uint64_t event)
{
    const int k = pool->first_free;

    pool->first_free = pool->link[k].next;
    pool->free--;
    pool->link[k] = (hit_loose_link){event, list->first};
    list->first = k;
    list->count++;
}

void hit_loose_add(hit_loose_pool *pool, hit_loose_list *list, uint64_t event,
                   uint64_t over)
{
    push(pool, list, event);
    if (list->count > list->trims) hit_loose_drop(pool, list, over);
}

void hit_loose_copy(hit_loose_pool *pool, const hit_loose_list *from,
                    hit_loose_list *list)
{
    for (int k = from->first; k >= 0; k = pool->link[k].next) {
        push(pool, list, pool->link[k].event);
    }
}

void hit_loose_drop(hit_loose_pool *pool, hit_loose_list *list, uint64_t over)
{
    int *at = &list->first;

    while (*at >= 0) {
        const int k = *at;

        if (pool->link[k].event > over) {
            at = &pool->link[k].next;
            continue;
        }
        *at = pool->link[k].next;
        pool->link[k].next = pool->first_free;
        pool->first_free = k;
        pool->free++;
        list->count--;
    }
    list->trims = 2 * list->count + TRIM;
}

void hit_loose_move(hit_loose_pool *pool, hit_loose_list *from, hit_loose_list *list)
{
    int *end = &from->first;

    while (*end >= 0) {
        end = &pool->link[*end].next;
    }
    *end = list->first;
    list->first = from->first;
    list->count += from->count;
    *from = (hit_loose_list){.first = -1};
}

hit_status hit_loose_visit(const hit_loose_pool *pool, const hit_loose_list *list,
                           uint64_t over, hit_loose_visitor *visit, void *of)
{
    for (int k = list->first; k >= 0; k = pool->link[k].next) {
        const hit_loose_link *link = &pool->link[k];

        if (link->event <= over) continue;
        HIT_TRY(visit(of, link->event));
    }
    return HIT_OK;
}

static hit_status note_greatest(void *of, uint64_t event)
{
    uint64_t *greatest = of;

    if (event > *greatest) *greatest = event;
    return HIT_OK;
}

uint64_t hit_loose_last(const hit_loose_pool *pool, const hit_loose_list *list,
                        uint64_t over)
{
    uint64_t greatest = 0;

    (void)hit_loose_visit(pool, list, over, note_greatest, &greatest);
    return greatest;
}
