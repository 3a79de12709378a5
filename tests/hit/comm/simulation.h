/* SPDX-License-Identifier: MIT
 * The message plans of all ranks, carried out without any process: what is sent is
 * compared with what is received, and what arrives with what the pattern touches. */
#ifndef TESTS_HIT_COMM_SIMULATION_H
#define TESTS_HIT_COMM_SIMULATION_H

#include "hit/comm/message.h"
#include "tests/hit/comm/message_case.h"
#include "tests/support/message_print.h"

#include <stdlib.h>
#include <string.h>

enum {
    ELEMENT_BYTES = 24,
    CONSTANT = -7,
    NOTHING = -9,
    MOST_ELEMENTS = 200000
};

/* One rank: its pieces, what it owns, its plan. box[k] holds what piece k of the indices
 * touches, as it is allocated; value[k] is the array over it: the place in the tile of
 * what was delivered (a gather), or how often the element was brought home (a return). */
typedef struct side {
    hit_region index;
    hit_region owned;
    hit_domain *box;
    int64_t **value;
    hit_message_plan plan;
} side;

typedef struct simulation {
    const message_case *c;
    hit_direction direction;
    side *side;
    const char *wrong; /* NULL: nothing so far */
} simulation;

static inline void complain(simulation *s, bool right, const char *claim)
{
    if (!right && s->wrong == NULL) s->wrong = claim;
}

/* One element of a transfer: x at the user, and home at the owner. */
typedef struct element {
    hit_index x[HIT_MAX_DIMS];
    hit_index home[HIT_MAX_DIMS];
} element;

/* Start with done = false; false after the last element. */
static inline bool next_element(const hit_transfer *t, bool started, element *e)
{
    if (!(started ? hit_domain_next(&t->domain, e->x)
                  : hit_domain_first(&t->domain, e->x))) {
        return false;
    }
    for (int d = 0; d < t->domain.dims; d++) {
        e->home[d] = t->remap.sign[d] * e->x[d] + t->remap.offset[d];
    }
    return true;
}

/* Names of the elements of a message in their order: equal for the same elements of the
 * same tile, and in a return also of the same user's piece. */
static inline int64_t *names_of(simulation *s, int rank, const hit_message *m)
{
    const hit_message_plan *plan = &s->side[rank].plan;
    const size_t count = m->size_bytes / ELEMENT_BYTES;
    int64_t *name = calloc(count + 1, sizeof(int64_t));
    size_t done = 0;
    element e;

    complain(s, m->size_bytes % ELEMENT_BYTES == 0, "sizes are whole elements");
    complain(s, m->count > 0 && m->size_bytes > 0, "no message is empty");
    for (int k = m->first; k < m->first + m->count; k++) {
        const hit_transfer *t = &plan->transfer[k];
        const int64_t piece = s->direction == HIT_RETURN ? t->user_piece : 0;

        complain(s, !t->constant, "constants are not sent");
        complain(s, t->offset_bytes == done * ELEMENT_BYTES,
                 "transfers follow each other in a message");
        for (bool go = next_element(t, false, &e); go && done < count;
             go = next_element(t, true, &e)) {
            complain(s, hit_domain_has(&s->c->tile, e.home), "sources are in the tile");
            name[done++] = piece * MOST_ELEMENTS + place_of(&s->c->tile, e.home);
        }
    }
    complain(s, done == count, "a message has the size of its transfers");
    return name;
}

/* The buffer at @p from that goes to @p to with @p tag; complains unless it is one. */
static inline const hit_message *find_sender(simulation *s, int from, int to, int tag)
{
    const hit_message_plan *plan = &s->side[from].plan;
    const hit_message *found = NULL;
    int matches = 0;

    for (int m = 0; m < plan->sends + plan->receives; m++) {
        const hit_message *message =
            m < plan->sends ? &plan->send[m] : &plan->receive[m - plan->sends];

        for (int k = 0; k < message->targets; k++) {
            const hit_target *target = &plan->target[message->first_target + k];

            if (target->rank != to || target->tag != tag) continue;
            found = message;
            matches++;
        }
    }
    complain(s, matches == 1, "each receive has one send of its peer and tag");
    return found;
}

/* Follow a receive back to the process that packs it: the owner or the user. */
static inline int root_of(simulation *s, int rank, const hit_message *m)
{
    for (int steps = 0; steps <= s->c->ranks && m != NULL; steps++) {
        const hit_message_plan *plan = &s->side[rank].plan;

        if (m >= plan->send && m < plan->send + plan->sends) return rank;
        const hit_message *sender = find_sender(s, m->from, rank, m->tag);
        rank = m->from;
        m = sender;
    }
    complain(s, false, "each message starts at a process that packs it");
    return -1;
}

/* Note the elements of a transfer between a user and an owner. */
static inline void deliver(simulation *s, int user, int owner, const hit_transfer *t)
{
    const bool gather = s->direction == HIT_GATHER;
    const side *u = &s->side[user];
    const side *o = &s->side[owner];
    element e;

    complain(s, t->user_piece >= 0 && t->user_piece < u->index.count, "piece of a user");
    complain(s, t->constant || t->owner_piece < o->owned.count, "piece of an owner");
    for (bool go = next_element(t, false, &e); go && s->wrong == NULL;
         go = next_element(t, true, &e)) {
        const hit_domain *box = &u->box[t->user_piece];
        int64_t *slot;

        if (!hit_domain_has(box, e.x)) {
            complain(s, false, "what arrives is in the memory of the piece");
            return;
        }
        slot = &u->value[t->user_piece][place_of(box, e.x)];
        if (!t->constant) {
            complain(s, hit_domain_has(&o->owned.part[t->owner_piece], e.home),
                     "the owner owns what it gives or gets");
        }
        complain(s, *slot == NOTHING, "nothing is delivered twice");
        *slot = t->constant ? CONSTANT : gather ? place_of(&s->c->tile, e.home) : 1;
    }
}

static inline void deliver_receive(simulation *s, int rank, const hit_message *m)
{
    const hit_message_plan *plan = &s->side[rank].plan;
    const hit_message *sender = find_sender(s, m->from, rank, m->tag);
    int64_t *here;
    int64_t *there;
    int root;

    complain(s, m->from != rank, "no process sends to itself");
    if (sender == NULL) return;
    complain(s, sender->size_bytes == m->size_bytes, "sent and received sizes agree");
    if (s->wrong != NULL) return;
    here = names_of(s, rank, m);
    there = names_of(s, m->from, sender);
    complain(s, memcmp(here, there, m->size_bytes / ELEMENT_BYTES * sizeof(int64_t)) == 0,
             "sent and received elements agree");
    free(here);
    free(there);
    root = root_of(s, rank, m);
    for (int k = m->first; k < m->first + m->count && s->wrong == NULL; k++) {
        const hit_transfer *t = &plan->transfer[k];

        if (s->direction == HIT_GATHER) deliver(s, rank, root, t);
        if (s->direction == HIT_RETURN) deliver(s, root, rank, t);
    }
}

/* The plan is the same where it is known before who exchanges something with whom. */
static inline void check_with_peers(simulation *s, const hit_message_request *asked,
                                    const hit_message_plan *plan)
{
    static char text[2][1 << 16];
    hit_message_request request = *asked;
    hit_everyone everyone = {0};
    hit_message_plan other;

    HIT_MUST(hit_everyone_find(&request, &everyone));
    HIT_MUST(hit_everyone_meet(&request, &everyone));
    request.everyone = &everyone;
    HIT_MUST(hit_message_plan_make(&request, &other));
    hit_message_plan_print(plan, text[0], sizeof(text[0]));
    hit_message_plan_print(&other, text[1], sizeof(text[1]));
    complain(s, strcmp(text[0], text[1]) == 0, "lists of peers change no plan");
    hit_message_plan_clear(&other);
    hit_everyone_clear(&everyone);
}

static inline hit_status plan_side(simulation *s, int rank)
{
    const message_case *c = s->c;
    side *mine = &s->side[rank];
    const hit_message_request request = {.rank = rank,
                                         .ranks = c->ranks,
                                         .split = &c->split,
                                         .layout = c->layout,
                                         .tile = c->tile,
                                         .boundary = c->boundary,
                                         .pattern = &c->pattern,
                                         .size_bytes = ELEMENT_BYTES,
                                         .direction = s->direction};

    HIT_TRY(hit_split_part(&c->split, rank, &mine->index));
    HIT_TRY(hit_layout_part(c->layout, rank, &mine->owned));
    hit_region_clip(&mine->owned, &c->tile);
    mine->box = calloc((size_t)mine->index.count + 1, sizeof(hit_domain));
    mine->value = calloc((size_t)mine->index.count + 1, sizeof(int64_t *));
    for (int k = 0; k < mine->index.count; k++) {
        hit_index count;

        mine->box[k] = hit_pattern_cover(&c->pattern, &c->tile, &mine->index.part[k]);
        count = hit_domain_count(&mine->box[k]);
        mine->value[k] = calloc((size_t)count + 1, sizeof(int64_t));
        for (hit_index e = 0; e < count; e++) {
            mine->value[k][e] = NOTHING;
        }
    }
    HIT_TRY(hit_message_plan_make(&request, &mine->plan));
    check_with_peers(s, &request, &mine->plan);
    return HIT_OK;
}

static inline void check_totals(simulation *s, int rank)
{
    const hit_message_plan *plan = &s->side[rank].plan;
    uint64_t sent = 0;
    uint64_t received = 0;
    int targets = 0;

    for (int m = 0; m < plan->sends; m++) {
        sent += plan->send[m].size_bytes * (uint64_t)plan->send[m].targets;
        targets += plan->send[m].targets;
        complain(s, plan->send[m].targets > 0, "what is packed goes to somebody");
    }
    for (int m = 0; m < plan->receives; m++) {
        received += plan->receive[m].size_bytes;
        sent += plan->receive[m].size_bytes * (uint64_t)plan->receive[m].targets;
        targets += plan->receive[m].targets;
    }
    for (int k = 0; k < plan->targets; k++) {
        complain(s, plan->target[k].rank != rank, "no process sends to itself");
    }
    complain(s, sent == plan->bytes_sent && received == plan->bytes_received,
             "bytes are counted");
    complain(s, targets == plan->targets, "targets are counted");
}

/* Plan all ranks. The status is that of the planner: the same on all. */
static inline hit_status simulation_plan(simulation *s, const message_case *c,
                                         hit_direction direction)
{
    hit_status first = HIT_OK;

    *s = (simulation){.c = c, .direction = direction};
    s->side = calloc((size_t)c->ranks, sizeof(side));
    for (int r = 0; r < c->ranks; r++) {
        const hit_status status = plan_side(s, r);

        if (r == 0) first = status;
        complain(s, status == first, "all processes can plan, or none");
    }
    return first;
}

/* Carry all messages out. */
static inline void simulation_run(simulation *s)
{
    int receives = 0;
    int targets = 0;

    for (int r = 0; r < s->c->ranks && s->wrong == NULL; r++) {
        const hit_message_plan *plan = &s->side[r].plan;

        check_totals(s, r);
        receives += plan->receives;
        targets += plan->targets;
        for (int k = 0; k < plan->locals; k++) {
            deliver(s, r, r, &plan->transfer[k]);
        }
        for (int m = 0; m < plan->receives && s->wrong == NULL; m++) {
            deliver_receive(s, r, &plan->receive[m]);
        }
    }
    complain(s, s->wrong != NULL || receives == targets, "each send has a receive");
}

static inline void simulation_drop(simulation *s)
{
    for (int r = 0; r < s->c->ranks; r++) {
        side *mine = &s->side[r];

        for (int k = 0; k < mine->index.count; k++) {
            free(mine->value[k]);
        }
        free(mine->value);
        free(mine->box);
        hit_region_clear(&mine->index);
        hit_region_clear(&mine->owned);
        hit_message_plan_clear(&mine->plan);
    }
    free(s->side);
}

#endif
