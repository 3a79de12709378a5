/* SPDX-License-Identifier: MIT
 * Copies of data in memories. A task's data are reserved all together or not at all: two
 * tasks that each hold a part of what they need would wait for each other. What goes
 * first is what is valid elsewhere, and then what was used longest ago. */
#include "hit/base/alloc.h"
#include "hit/sched/sched_impl.h"

#include <stdlib.h>

void hit_place_clear(hit_place *place)
{
    free(place->copy);
    free(place->dead);
    free(place->victim);
    *place = (hit_place){0};
}

hit_status hit_place_update(hit_place *place, const hit_graph *graph)
{
    if ((size_t)graph->data > place->room) {
        const size_t room = 2 * (size_t)graph->data;

        HIT_TRY(hit_memory_resize(room * (size_t)place->nodes, sizeof *place->copy,
                                  "copies of data", &place->copy));
        HIT_TRY(
            hit_memory_resize(room, sizeof *place->dead, "copies of data", &place->dead));
        HIT_TRY(hit_memory_resize(room, sizeof *place->victim, "copies of data",
                                  &place->victim));
        place->room = room;
    }
    for (; place->data < graph->data; place->data++) {
        for (int n = 0; n < place->nodes; n++) {
            *hit_place_at(place, place->data, n) = (hit_place_copy){.valid = n == 0,
                                                                    .has_room = n == 0,
                                                                    .bringer = -1,
                                                                    .first_wait = -1,
                                                                    .last_wait = -1};
        }
        place->dead[place->data] = 0;
        place->used[0] += graph->datum[place->data].bytes;
    }
    return HIT_OK;
}

int hit_place_source(const hit_place *place, int datum)
{
    for (int n = 1; n < place->nodes; n++) {
        if (hit_place_at(place, datum, n)->valid) return n;
    }
    return 0;
}

bool hit_place_is_only(const hit_place *place, int datum, int node)
{
    if (!hit_place_at(place, datum, node)->valid || place->dead[datum] > 0) return false;
    for (int n = 0; n < place->nodes; n++) {
        if (n != node && hit_place_at(place, datum, n)->valid) return false;
    }
    return true;
}

int64_t hit_place_footprint(const hit_graph *graph, int task)
{
    int64_t bytes = 0;

    HIT_EACH_ACCESS (access, graph, task) {
        bytes += graph->datum[access->datum].bytes;
    }
    return bytes;
}

static void give_room(hit_place *place, const hit_graph *graph, int datum, int node)
{
    hit_place_copy *copy = hit_place_at(place, datum, node);

    if (!copy->has_room) return;
    copy->has_room = false;
    place->used[node] -= graph->datum[datum].bytes;
}

/** May it go? Its task's own data are pinned meanwhile. */
static bool may_go(const hit_place_copy *copy)
{
    return copy->has_room && copy->pins == 0 && !copy->coming;
}

/** Does copy a go before copy b of a smaller number? */
static bool goes_first(const hit_place *place, int a, int b, int node)
{
    const bool only_a = hit_place_is_only(place, a, node);
    const bool only_b = hit_place_is_only(place, b, node);

    if (only_a != only_b) return only_b;
    return hit_place_at(place, a, node)->staged < hit_place_at(place, b, node)->staged;
}

/** Choose what goes, so that @p bytes more are free. */
static bool find_victims(hit_place *place, const hit_graph *graph, int node,
                         int64_t bytes)
{
    int64_t all = 0;

    place->victims = 0;
    for (int d = 0; d < place->data && all < bytes; d++) {
        if (may_go(hit_place_at(place, d, node))) all += graph->datum[d].bytes;
    }
    if (all < bytes) return false;
    while (bytes > 0) {
        int best = -1;

        for (int d = 0; d < place->data; d++) {
            hit_place_copy *copy = hit_place_at(place, d, node);

            if (!may_go(copy)) continue;
            if (best < 0 || goes_first(place, d, best, node)) best = d;
        }
        bytes -= graph->datum[best].bytes;
        give_room(place, graph, best, node);
        place->victim[place->victims++] = best;
    }
    return true;
}

bool hit_place_reserve(hit_place *place, const hit_graph *graph, int task, int node)
{
    int64_t more = 0;

    HIT_EACH_ACCESS (access, graph, task) {
        hit_place_copy *copy = hit_place_at(place, access->datum, node);

        copy->pins++;
        if (!copy->has_room) more += graph->datum[access->datum].bytes;
    }
    place->victims = 0;
    if (node > 0 && place->used[node] + more > place->limit[node] &&
        !find_victims(place, graph, node,
                      place->used[node] + more - place->limit[node])) {
        HIT_EACH_ACCESS (access, graph, task) {
            hit_place_at(place, access->datum, node)->pins--;
        }
        return false;
    }
    HIT_EACH_ACCESS (access, graph, task) {
        hit_place_copy *copy = hit_place_at(place, access->datum, node);

        if (!access->reads) place->dead[access->datum]++;
        copy->has_room = true;
        copy->staged = ++place->stagings;
    }
    place->used[node] += more;
    return true;
}

static void note_written(hit_place *place, const hit_graph *graph, int datum, int node)
{
    for (int n = 0; n < place->nodes; n++) {
        hit_place_copy *copy = hit_place_at(place, datum, n);

        copy->valid = n == node;
        copy->coming = false; /* an old one that was being written back */
        copy->bringer = -1;
        if (n != node) give_room(place, graph, datum, n);
    }
}

/* What is to be overwritten is not written back: the host has all that is left of it. */
static void note_skipped(hit_place *place, int datum)
{
    hit_place_copy *host = hit_place_at(place, datum, 0);

    if (!host->coming && hit_place_source(place, datum) == 0) host->valid = true;
}

void hit_place_end(hit_place *place, const hit_graph *graph, int task, int node,
                   bool written)
{
    HIT_EACH_ACCESS (access, graph, task) {
        hit_place_at(place, access->datum, node)->pins--;
        if (!access->reads) place->dead[access->datum]--;
        if (!written) {
            note_skipped(place, access->datum);
        } else if (access->writes) {
            note_written(place, graph, access->datum, node);
        }
    }
}

void hit_place_take_back(hit_place *place, const hit_graph *graph, int datum)
{
    for (int n = 1; n < place->nodes; n++) {
        hit_place_at(place, datum, n)->valid = false;
        give_room(place, graph, datum, n);
    }
    hit_place_at(place, datum, 0)->valid = true;
}
