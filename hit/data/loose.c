/* SPDX-License-Identifier: MIT
 * Lists of events in one pool. Of a datum that is only read, again and again, a list
 * would grow with the program: when it has doubled, what is over goes. */
#include "hit/data/fence.h"

enum {
    TRIM = 16 /* events of a list, at least, before those that are over go */
};

static hit_loose_link *link_at(const hit_pool *pool, int k)
{
    return hit_pool_at(pool, k);
}

static void push(hit_pool *pool, hit_loose_list *list, uint64_t event)
{
    const int k = hit_pool_take(pool);

    *link_at(pool, k) = (hit_loose_link){list->first, event};
    list->first = k;
    list->count++;
}

void hit_loose_add(hit_pool *pool, hit_loose_list *list, uint64_t event, uint64_t over)
{
    push(pool, list, event);
    if (list->count > list->trims) hit_loose_drop(pool, list, over);
}

void hit_loose_copy(hit_pool *pool, const hit_loose_list *from, hit_loose_list *list)
{
    for (int k = from->first; k >= 0; k = link_at(pool, k)->next) {
        push(pool, list, link_at(pool, k)->event);
    }
}

void hit_loose_drop(hit_pool *pool, hit_loose_list *list, uint64_t over)
{
    int *at = &list->first;

    while (*at >= 0) {
        const int k = *at;
        hit_loose_link *link = link_at(pool, k);

        if (link->event > over) {
            at = &link->next;
            continue;
        }
        *at = link->next;
        hit_pool_give(pool, k);
        list->count--;
    }
    list->trims = 2 * list->count + TRIM;
}

void hit_loose_move(hit_pool *pool, hit_loose_list *from, hit_loose_list *list)
{
    int *end = &from->first;

    while (*end >= 0) {
        end = &link_at(pool, *end)->next;
    }
    *end = list->first;
    list->first = from->first;
    list->count += from->count;
    *from = (hit_loose_list){.first = -1};
}

hit_status hit_loose_visit(const hit_pool *pool, const hit_loose_list *list,
                           uint64_t over, hit_loose_visitor *visit, void *of)
{
    for (int k = list->first; k >= 0; k = link_at(pool, k)->next) {
        const hit_loose_link *link = link_at(pool, k);

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

uint64_t hit_loose_last(const hit_pool *pool, const hit_loose_list *list, uint64_t over)
{
    uint64_t greatest = 0;

    (void)hit_loose_visit(pool, list, over, note_greatest, &greatest);
    return greatest;
}
