/* SPDX-License-Identifier: MIT
 * Message plans by enumeration: what each process needs that has to do with the launch
 * (time and temporary memory grow with them), cut with what each of them owns. The same
 * list of elements for three or more processes becomes a broadcast along a binomial tree,
 * which all of them find alone. */
#include "hit/comm/message.h"

#include "hit/base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "a message plan";

/* A growing array of transfers. */
typedef struct transfers {
    int count;
    size_t room;
    hit_transfer *item;
} transfers;

typedef struct maker {
    const hit_message_request *request;
    const hit_everyone *all; /* processes are meant by their places in it */
    int me;
    transfers mine;
    transfers other; /* scratch */
    hit_message_plan *plan;
    struct { /* of the arrays of the plan while it grows */
        size_t receive;
        size_t send;
        size_t transfer;
        size_t target;
    } room;
} maker;

/* Peer number @p k of @p p, from the list, or of all; -1: there are no more. */
static int peer_of(const maker *m, const hit_peers *peers, int p, int k)
{
    size_t at;

    if (peers->first == NULL) return k < m->all->count ? k : -1;
    at = peers->first[p] + (size_t)k;
    return at < peers->first[p + 1] ? peers->rank[at] : -1;
}

static hit_status add_transfer(transfers *list, const hit_transfer *transfer)
{
    HIT_TRY(HIT_ONE_MORE(list->item, list->count, list->room, what));
    list->item[list->count++] = *transfer;
    return HIT_OK;
}

static size_t element_bytes(const hit_message_request *request, int piece)
{
    return request->sizes != NULL ? request->sizes[piece] : request->size_bytes;
}

/* What goes between the users at @p user and the owner @p owner. */
static hit_status find_transfers(const maker *m, int user, int owner, transfers *list)
{
    const hit_needs *need = &m->all->need[user];
    const hit_region *owned = &m->all->owned[owner];
    size_t offset = 0;

    list->count = 0;
    for (int k = 0; k < need->count; k++) {
        const hit_need *one = &need->item[k];

        if (one->image.constant) continue;
        for (int o = -1;
             (o = hit_hulls_next(&m->all->hulls[owner], o + 1, &one->near)) >= 0;) {
            hit_transfer found = {.user_piece = one->piece,
                                  .owner_piece = o,
                                  .domain =
                                      hit_needs_overlap(&one->image, &owned->part[o]),
                                  .remap = one->image.remap,
                                  .size_bytes = element_bytes(m->request, one->piece),
                                  .offset_bytes = offset};

            if (hit_domain_is_empty(&found.domain)) continue;
            offset += (size_t)hit_domain_count(&found.domain) * found.size_bytes;
            HIT_TRY(add_transfer(list, &found));
        }
    }
    return HIT_OK;
}

static bool same_transfers(const transfers *a, const transfers *b)
{
    if (a->count != b->count) return false;
    for (int k = 0; k < a->count; k++) {
        const hit_transfer *x = &a->item[k];
        const hit_transfer *y = &b->item[k];

        if (x->owner_piece != y->owner_piece ||
            !hit_domain_equal(&x->domain, &y->domain) ||
            memcmp(&x->remap, &y->remap, sizeof(hit_remap)) != 0) {
            return false;
        }
    }
    return true;
}

static size_t size_of(const transfers *list)
{
    const hit_transfer *last = &list->item[list->count - 1];

    return last->offset_bytes +
           (size_t)hit_domain_count(&last->domain) * last->size_bytes;
}

static hit_status add_target(maker *m, int to, int tag)
{
    hit_message_plan *plan = m->plan;
    const int rank = hit_everyone_rank(m->all, to);

    HIT_TRY(HIT_ONE_MORE(plan->target, plan->targets, m->room.target, what));
    plan->target[plan->targets++] = (hit_target){rank, tag};
    return HIT_OK;
}

static hit_status keep_transfers(maker *m, const transfers *list)
{
    hit_message_plan *plan = m->plan;

    for (int k = 0; k < list->count; k++) {
        HIT_TRY(HIT_ONE_MORE(plan->transfer, plan->transfers, m->room.transfer, what));
        plan->transfer[plan->transfers++] = list->item[k];
    }
    return HIT_OK;
}

/* Does @p user get all that it needs by @p list, one box? */
static bool is_one_box(const maker *m, const transfers *list, int user)
{
    const hit_needs *need = &m->all->need[user];
    const hit_transfer *only = &list->item[0];

    if (m->request->direction != HIT_GATHER || need->count != 1 || list->count != 1) {
        return false;
    }
    return hit_remap_is_identity(&only->remap, only->domain.dims) &&
           hit_domain_equal(&only->domain, &need->item[0].image.domain);
}

/* Append m->mine as a message without targets yet to the receives or the sends. */
static hit_status add_message(maker *m, int from, int tag)
{
    hit_message_plan *plan = m->plan;
    const hit_message message = {.from = hit_everyone_rank(m->all, from),
                                 .tag = tag,
                                 .size_bytes = size_of(&m->mine),
                                 .first = plan->transfers,
                                 .count = m->mine.count,
                                 .first_target = plan->targets};

    HIT_TRY(keep_transfers(m, &m->mine));
    if (from == m->me) {
        HIT_TRY(HIT_ONE_MORE(plan->send, plan->sends, m->room.send, what));
        plan->send[plan->sends++] = message;
    } else {
        HIT_TRY(HIT_ONE_MORE(plan->receive, plan->receives, m->room.receive, what));
        plan->receive[plan->receives++] = message;
        plan->bytes_received += message.size_bytes;
    }
    return HIT_OK;
}

/* The processes that get the same list from @p owner as @p user does, which is in
 * m->mine: in member[1..], ascending; member[0] is the owner. None where messages
 * are direct: each gets one of its own. */
static hit_status find_members(maker *m, int owner, int user, int *members, int *member)
{
    const hit_peers *users = &m->all->users;

    *members = 1;
    member[0] = owner; /* NOLINT(clang-analyzer-core.NullDereference): room for all */
    for (int k = 0, p; !m->request->direct && (p = peer_of(m, users, owner, k)) >= 0;
         k++) {
        if (p == owner || m->all->need[p].count == 0) continue;
        if (m->all->like[p] != m->all->like[user]) {
            HIT_TRY(find_transfers(m, p, owner, &m->other));
            if (!same_transfers(&m->other, &m->mine)) continue;
        }
        member[(*members)++] = p;
    }
    return HIT_OK;
}

static int tag_of(const maker *m, const int *member)
{
    return 1 + hit_everyone_rank(m->all, member[0]);
}

/* Binomial tree over positions 0..n-1: the parent of i clears its lowest bit. */
static hit_status add_children(maker *m, hit_message *message, const int *member,
                               int members, int self)
{
    const int low = self == 0 ? members : (self & -self);
    int bit = 1;

    while (bit < low && bit < members) {
        bit *= 2;
    }
    for (; bit >= 1; bit /= 2) {
        const int child = self + bit;

        if (bit >= low || child >= members) continue;
        HIT_TRY(add_target(m, member[child], tag_of(m, member)));
        message->targets++;
        m->plan->bytes_sent += message->size_bytes;
    }
    return HIT_OK;
}

/* Give or take the list m->mine, which @p owner gives to member[1..]: this process is
 * member[self]. */
static hit_status add_broadcast(maker *m, const int *member, int members, int self)
{
    hit_message_plan *plan = m->plan;
    const int parent = self & (self - 1);

    HIT_TRY(add_message(m, self == 0 ? m->me : member[parent], tag_of(m, member)));
    return add_children(
        m, self == 0 ? &plan->send[plan->sends - 1] : &plan->receive[plan->receives - 1],
        member, members, self);
}

static hit_status add_send(maker *m, int to)
{
    hit_message_plan *plan = m->plan;

    HIT_TRY(add_message(m, m->me, 0));
    HIT_TRY(add_target(m, to, 0));
    plan->send[plan->sends - 1].targets = 1;
    plan->send[plan->sends - 1].one_box = is_one_box(m, &m->mine, to);
    plan->bytes_sent += plan->send[plan->sends - 1].size_bytes;
    return HIT_OK;
}

static int position_of(const int *member, int members, int p)
{
    for (int k = 0; k < members; k++) {
        if (member[k] == p) return k;
    }
    return -1;
}

/* What this process, as an owner, gives to the users at all others; a broadcast is made
 * once, with its first receiver. */
static hit_status gather_sends(maker *m, int *member)
{
    const int me = m->me;
    int given = -1; /* whose needs the last broadcast serves */

    for (int k = 0, p; (p = peer_of(m, &m->all->users, me, k)) >= 0; k++) {
        int members = 0;

        if (p == me || m->all->owned[me].count == 0 || m->all->like[p] == given) continue;
        HIT_TRY(find_transfers(m, p, me, &m->mine));
        if (m->mine.count == 0) continue;
        HIT_TRY(find_members(m, me, p, &members, member));
        if (members < 4) {
            HIT_TRY(add_send(m, p));
        } else if (member[1] == p) {
            HIT_TRY(add_broadcast(m, member, members, 0));
            given = m->all->like[p];
        }
    }
    return HIT_OK;
}

static hit_status gather_receives(maker *m, int *member)
{
    const int me = m->me;

    for (int k = 0, q; (q = peer_of(m, &m->all->owners, me, k)) >= 0; k++) {
        int members = 0;

        if (q == me || m->all->need[me].count == 0) continue;
        HIT_TRY(find_transfers(m, me, q, &m->mine));
        if (m->mine.count == 0) continue;
        HIT_TRY(find_members(m, q, me, &members, member));
        if (members < 4) {
            HIT_TRY(add_message(m, q, 0));
            m->plan->receive[m->plan->receives - 1].one_box = is_one_box(m, &m->mine, me);
        } else {
            HIT_TRY(add_broadcast(m, member, members, position_of(member, members, me)));
        }
    }
    return HIT_OK;
}

/* Back to the owners: this process sends to every owner and receives from every user. */
static hit_status return_messages(maker *m)
{
    const int me = m->me;

    for (int k = 0, q; (q = peer_of(m, &m->all->users, me, k)) >= 0; k++) {
        if (q == me) continue;
        HIT_TRY(find_transfers(m, q, me, &m->mine));
        if (m->mine.count > 0) HIT_TRY(add_message(m, q, 0));
    }
    for (int k = 0, q; (q = peer_of(m, &m->all->owners, me, k)) >= 0; k++) {
        if (q == me) continue;
        HIT_TRY(find_transfers(m, me, q, &m->mine));
        if (m->mine.count > 0) HIT_TRY(add_send(m, q));
    }
    return HIT_OK;
}

static hit_status local_transfers(maker *m)
{
    const hit_needs *need = &m->all->need[m->me];

    HIT_TRY(find_transfers(m, m->me, m->me, &m->mine));
    for (int k = 0; k < need->count; k++) {
        hit_transfer filled = {.user_piece = need->item[k].piece,
                               .domain = need->item[k].image.domain,
                               .remap = hit_remap_identity(),
                               .constant = true};

        if (need->item[k].image.constant) HIT_TRY(add_transfer(&m->mine, &filled));
    }
    HIT_TRY(keep_transfers(m, &m->mine));
    m->plan->locals = m->plan->transfers;
    return HIT_OK;
}

static hit_status make(maker *m)
{
    const hit_message_request *request = m->request;
    int *member = NULL;
    hit_status status;

    HIT_TRY(local_transfers(m));
    if (request->direction == HIT_RETURN) return return_messages(m);
    HIT_TRY(hit_memory_resize((size_t)m->all->count + 1, sizeof(int), what, &member));
    status = gather_sends(m, member);
    if (status == HIT_OK) status = gather_receives(m, member);
    free(member);
    return status;
}

hit_status hit_message_plan_make(const hit_message_request *request,
                                 hit_message_plan *plan)
{
    hit_message_plan made = {.direction = request->direction};
    hit_everyone found = {0};
    maker m = {.request = request, .all = request->everyone, .plan = &made};
    hit_status status = HIT_OK;

    if (m.all == NULL) {
        status = hit_everyone_find(request, &found);
        m.all = &found;
    }
    if (status == HIT_OK) {
        m.me = hit_everyone_place(m.all, request->rank);
        if (m.me >= 0) status = make(&m);
    }
    hit_everyone_clear(&found);
    free(m.mine.item);
    free(m.other.item);
    if (status != HIT_OK) hit_message_plan_clear(&made);
    *plan = made;
    return status;
}

void hit_message_plan_clear(hit_message_plan *plan)
{
    free(plan->receive);
    free(plan->send);
    free(plan->transfer);
    free(plan->target);
    *plan = (hit_message_plan){0};
}

size_t hit_message_plan_bytes(const hit_message_plan *plan)
{
    return (size_t)plan->transfers * sizeof(hit_transfer) +
           (size_t)plan->targets * sizeof(hit_target) +
           ((size_t)plan->sends + (size_t)plan->receives) * sizeof(hit_message);
}
