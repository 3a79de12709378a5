/* SPDX-License-Identifier: MIT
 * Lists by hash; one that grows makes all of its lists again. */
#include "hit/base/containers.h"

#include <string.h>

enum {
    LEAST = 8,
    ABSENT = -2
};

static int *list_of(const hit_table *table, uint32_t hash)
{
    return &table->first[hash & table->mask];
}

static void link_in(hit_table *table, int number)
{
    int *list = list_of(table, table->item[number].hash);

    table->item[number].next = *list;
    *list = number;
}

hit_status hit_table_reserve(hit_table *table, int count, const char *what)
{
    const int before = table->room;
    int room = before > 0 ? before : LEAST;

    if (count <= before) return HIT_OK;
    while (room < count) {
        room *= 2;
    }
    HIT_TRY(hit_memory_resize((size_t)room, sizeof(*table->item), what, &table->item));
    /* the last one: where there are lists, they are set below */
    HIT_TRY(hit_memory_resize((size_t)room, sizeof(*table->first), what, &table->first));
    table->room = room;
    table->mask = (uint32_t)room - 1;
    memset(table->first, -1, (size_t)room * sizeof(*table->first));
    for (int k = 0; k < room; k++) {
        if (k >= before) table->item[k].next = ABSENT;
        if (table->item[k].next != ABSENT) link_in(table, k);
    }
    return HIT_OK;
}

void hit_table_empty(hit_table *table)
{
    for (int k = 0; k < table->room; k++) {
        table->first[k] = -1;
        table->item[k].next = ABSENT;
    }
}

void hit_table_clear(hit_table *table)
{
    free(table->first);
    free(table->item);
    *table = (hit_table){0};
}

void hit_table_put(hit_table *table, uint64_t hash, int number)
{
    table->item[number].hash = (uint32_t)hash;
    link_in(table, number);
}

void hit_table_drop(hit_table *table, int number)
{
    int *at = list_of(table, table->item[number].hash);

    while (*at != number) {
        at = &table->item[*at].next;
    }
    *at = table->item[number].next;
    table->item[number].next = ABSENT;
}
