/* SPDX-License-Identifier: MIT
 * Boxes that meet, by a sweep: boxes are sorted by where they begin in one dimension, so
 * that each meets only those between two places of that order. */
#include "hit/base/alloc.h"
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/comm/message.h"

#include <stdlib.h>

enum {
    MOST_PEERS = 256 /* of a rank, on average; more are all of them, nearly */
};

/* A hull in the order of beginnings. */
typedef struct mark {
    hit_index begin;
    hit_index reach; /* the last end of this one and all before it: it never falls */
    int rank;
} mark;

static int by_begin(const void *a, const void *b)
{
    const mark *x = a;
    const mark *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void sort(const hit_hull hulls[], int ranks, int dim, mark order[])
{
    for (int r = 0; r < ranks; r++) {
        order[r] = (mark){hulls[r].begin[dim], hulls[r].end[dim], r};
    }
    qsort(order, (size_t)ranks, sizeof *order, by_begin);
    for (int k = 1; k < ranks; k++) {
        if (order[k].reach < order[k - 1].reach) order[k].reach = order[k - 1].reach;
    }
}

typedef struct sweep {
    const hit_hull *one;
    const hit_hull *other;
    int ranks;
    int dims;
    int along;   /* a dimension */
    mark *order; /* of the others along it */
} sweep;

/* Where those in the order are that @p r can meet: from *from to before the result. */
static int find_places(const sweep *s, int r, int *from)
{
    const hit_hull *hull = &s->one[r];
    int low = 0;
    int high = s->ranks;

    HIT_BISECT(k, low, high, s->order[k].reach >= hull->begin[s->along]);
    *from = low;
    low = 0;
    high = s->ranks;
    HIT_BISECT(k, low, high, s->order[k].begin > hull->end[s->along]);
    return low;
}

static void turn(sweep *s, int along)
{
    s->along = along;
    sort(s->other, s->ranks, along, s->order);
}

/* Sweep along the dimension that keeps most boxes apart. */
static void choose_dimension(sweep *s)
{
    int64_t least = INT64_MAX;
    int best = 0;

    for (int d = 0; d < s->dims; d++) {
        int64_t pairs = 0;

        turn(s, d);
        for (int r = 0; r < s->ranks; r++) {
            int from;
            const int behind = find_places(s, r, &from);

            if (behind > from) pairs += behind - from;
        }
        if (pairs < least) {
            least = pairs;
            best = d;
        }
    }
    if (s->along != best) turn(s, best);
}

/* For each of one those that it meets, in the order of the sweep. *many: they are too
 * many to be worth a list. */
static hit_status find(const sweep *s, hit_peers *found, bool *many)
{
    const size_t most = (size_t)MOST_PEERS * (size_t)s->ranks;
    size_t room = 0;
    size_t count = 0;

    for (int r = 0; r < s->ranks; r++) {
        int from;
        const int behind = find_places(s, r, &from);

        for (int k = from; k < behind; k++) {
            const int rank = s->order[k].rank;

            if (!hit_hull_meets(&s->one[r], &s->other[rank], s->dims)) continue;
            *many = count == most;
            if (*many) return HIT_OK;
            HIT_TRY(HIT_ONE_MORE(found->rank, count, room, "a message plan"));
            found->rank[count++] = rank;
        }
        found->first[r + 1] = count;
    }
    return HIT_OK;
}

/* By whom each is met, from whom each meets: ascending, whatever the order in @p of. */
static hit_status transpose(const hit_peers *of, int ranks, hit_peers *to)
{
    const size_t count = of->first[ranks];

    /* one more, so that the places where lists grow become those where they begin */
    HIT_TRY(hit_memory_zeroed((size_t)ranks + 2, sizeof(size_t), &to->first));
    HIT_TRY(hit_memory_zeroed(count + 1, sizeof(int), &to->rank));
    for (size_t k = 0; k < count; k++) {
        to->first[of->rank[k] + 2]++;
    }
    for (int r = 0; r < ranks; r++) {
        to->first[r + 2] += to->first[r + 1];
    }
    for (int r = 0; r < ranks; r++) {
        for (size_t k = of->first[r]; k < of->first[r + 1]; k++) {
            to->rank[to->first[of->rank[k] + 1]++] = r;
        }
    }
    return HIT_OK;
}

hit_status hit_peers_find(const hit_hull one[], const hit_hull other[], int ranks,
                          int dims, hit_peers *of_one, hit_peers *of_other)
{
    sweep s = {one, other, ranks, dims, 0, NULL};
    hit_peers found = {NULL, NULL};
    bool many = false;
    hit_status status;

    *of_one = (hit_peers){NULL, NULL};
    *of_other = (hit_peers){NULL, NULL};
    if (dims == 0) return HIT_OK; /* one element, which all meet in */
    HIT_TRY(hit_memory_zeroed((size_t)ranks, sizeof(mark), &s.order));
    HIT_TRY_GOTO(
        status, hit_memory_zeroed((size_t)ranks + 1, sizeof(size_t), &found.first), done);
    choose_dimension(&s);
    HIT_TRY_GOTO(status, find(&s, &found, &many), done);
    if (many) goto done;
    HIT_TRY_GOTO(status, transpose(&found, ranks, of_other), done);
    status = transpose(of_other, ranks, of_one);
done:
    free(s.order);
    hit_peers_clear(&found);
    return status;
}

void hit_peers_clear(hit_peers *peers)
{
    free(peers->first);
    free(peers->rank);
    *peers = (hit_peers){NULL, NULL};
}
