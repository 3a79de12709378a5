/* SPDX-License-Identifier: MIT
 * Blocks of memory in a row: one is used again when the last task in it is over. A task
 * takes what its arguments need: the table of slots is long, and a window full of whole
 * ones takes 13 MiB. */
#include "hit/tile/descriptions.h"

#include "hit/base/alloc.h"

#include <stdalign.h>
#include <stddef.h>

enum {
    LINE = 64,
    BLOCK = 1 << 16 /* bytes: some 80 tasks of three arguments */
};

typedef struct hit_descriptions_block {
    struct hit_descriptions_block *next; /* that was begun later */
    uint64_t number;                     /* the last task in it */
    size_t begin;                        /* where that begins */
    size_t used;
    size_t room;
    alignas(LINE) char byte[];
} block;

void hit_descriptions_clear(hit_descriptions *all)
{
    while (all->first != NULL) {
        void *memory = all->first;

        all->first = all->first->next;
        hit_memory_release(&memory);
    }
    all->last = NULL;
}

static block *make(size_t room)
{
    void *memory = NULL;
    block *made;

    if (hit_memory_take(sizeof(*made) + room, "what tasks do", &memory) != HIT_OK) {
        return NULL;
    }
    made = memory;
    *made = (block){.room = room};
    return made;
}

/* The oldest is free first; NULL: it is not. */
static block *take_off(hit_descriptions *all, uint64_t over)
{
    block *oldest = all->first;

    if (oldest == NULL || oldest->number > over) return NULL;
    all->first = oldest->next;
    if (all->last == oldest) all->last = NULL;
    oldest->next = NULL;
    oldest->used = 0;
    return oldest;
}

/* What is free and too small goes. */
static block *find(hit_descriptions *all, uint64_t over, size_t size_bytes)
{
    block *found = take_off(all, over);

    while (found != NULL && found->room < size_bytes) {
        void *memory = found;

        hit_memory_release(&memory);
        found = take_off(all, over);
    }
    return found != NULL ? found : make(size_bytes > BLOCK ? size_bytes : BLOCK);
}

static void append(hit_descriptions *all, block *last)
{
    if (all->last != NULL) {
        all->last->next = last;
    } else {
        all->first = last;
    }
    all->last = last;
}

static char *take(hit_descriptions *all, uint64_t number, uint64_t over,
                  size_t size_bytes)
{
    block *last = all->last;

    size_bytes = (size_bytes + LINE - 1) & ~(size_t)(LINE - 1);
    if (last != NULL && last->number == number) last->used = last->begin;
    if (last == NULL || last->room - last->used < size_bytes) {
        last = find(all, over, size_bytes);
        if (last == NULL) return NULL;
        append(all, last);
    }
    last->number = number;
    last->begin = last->used;
    last->used += size_bytes;
    return last->byte + last->begin;
}

hit_task *hit_descriptions_take(hit_descriptions *all, uint64_t number, uint64_t over,
                                const hit_task_room *room)
{
    const size_t run_bytes =
        offsetof(hit_run, slot) + (size_t)room->slots * sizeof(hit_slot);
    const size_t write_bytes = (size_t)room->writes * sizeof(hit_task_write);
    char *memory = take(all, number, over,
                        sizeof(hit_task) + run_bytes + write_bytes + room->values_bytes);
    hit_task *task = (hit_task *)(void *)memory;

    if (task == NULL) return NULL;
    memory += sizeof(*task);
    *task = (hit_task){.run = (hit_run *)(void *)memory,
                       .write = (hit_task_write *)(void *)(memory + run_bytes),
                       .value = memory + run_bytes + write_bytes,
                       .values_bytes = room->values_bytes};
    all->task[number % HIT_TASKS_WINDOW] = task;
    return task;
}
