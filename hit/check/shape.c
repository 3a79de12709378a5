/* SPDX-License-Identifier: MIT
 * Sets of elements as boxes: the first element that no box covers yet grows in every
 * order of the dimensions, and the box that covers most is kept. Runs with gaps count as
 * boxes with a stride from three elements on; two are two points. */
#include "hit/base/memory.h"
#include "hit/check/check_impl.h"
#include "hit/data/hash.h"

#include <string.h>

typedef struct points {
    int dims;
    int count;
    const hit_domain *tile;
    hit_touched *list; /* sorted */
    bool *covered;
} points;

static int compare(const void *a, const void *b)
{
    const hit_touched *x = a;
    const hit_touched *y = b;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (x->at[d] != y->at[d]) return x->at[d] < y->at[d] ? -1 : 1;
    }
    return 0;
}

static int find(const points *p, const hit_index at[])
{
    hit_touched key = {.cell = 0};
    const hit_touched *found;

    memcpy(key.at, at, (size_t)p->dims * sizeof(at[0]));
    found = bsearch(&key, p->list, (size_t)p->count, sizeof(key), compare);
    return found == NULL ? -1 : (int)(found - p->list);
}

/* Are all elements of @p box there, with coordinate @p c in dimension @p d? */
static bool has_face(const points *p, const hit_domain *box, int d, hit_index c)
{
    hit_domain face = *box;

    face.sig[d] = hit_sig_make(c, c, 1);
    HIT_FOR_EACH (at, face) {
        if (find(p, at) < 0) return false;
    }
    return true;
}

/* The distance from @p seed to the next element along dimension @p d; 0: there is none.
 */
static hit_index gap(const points *p, const hit_index seed[], int d)
{
    hit_index best = 0;

    for (int k = 0; k < p->count; k++) {
        const hit_index *at = p->list[k].at;
        bool same = at[d] != seed[d];

        for (int e = 0; e < p->dims && same; e++) {
            same = e == d || at[e] == seed[e];
        }
        if (!same) continue;
        const hit_index away = at[d] > seed[d] ? at[d] - seed[d] : seed[d] - at[d];
        if (best == 0 || away < best) best = away;
    }
    return best;
}

static void grow(const points *p, const hit_index seed[], int d, hit_domain *box)
{
    const hit_index unit = p->tile->sig[d].stride;
    hit_index step = unit;
    hit_index first = seed[d];
    hit_index last = seed[d];

    if (!has_face(p, box, d, seed[d] + unit) && !has_face(p, box, d, seed[d] - unit)) {
        step = gap(p, seed, d);
        if (step == 0) return;
    }
    while (has_face(p, box, d, last + step)) {
        last += step;
    }
    while (has_face(p, box, d, first - step)) {
        first -= step;
    }
    if (step > unit && last - first < 2 * step) return;
    box->sig[d] = hit_sig_make(first, last, step);
}

static int newly_covered(const points *p, const hit_domain *box)
{
    int fresh = 0;

    HIT_FOR_EACH (at, *box) {
        fresh += !p->covered[find(p, at)];
    }
    return fresh;
}

static hit_domain best_box(const points *p, const hit_index seed[])
{
    int order[HIT_MAX_DIMS] = {0, 1, 2, 3};
    hit_domain best = hit_domain_box(p->dims, seed, seed);
    int most = 0;

    do {
        hit_domain box = hit_domain_box(p->dims, seed, seed);
        int fresh;

        for (int k = 0; k < p->dims; k++) {
            grow(p, seed, order[k], &box);
        }
        fresh = newly_covered(p, &box);
        if (fresh > most) {
            most = fresh;
            best = box;
        }
    } while (hit_order_next(order, p->dims));
    return best;
}

static void cover(const points *p, const hit_domain *box)
{
    HIT_FOR_EACH (at, *box) {
        p->covered[find(p, at)] = true;
    }
}

static void fill(const points *p, hit_check_shape *shape)
{
    for (int k = 0; k < p->count; k++) {
        if (p->covered[k]) continue;
        if (shape->count == HIT_SHAPE_MAX) {
            shape->count = -1;
            return;
        }
        shape->box[shape->count] = best_box(p, p->list[k].at);
        cover(p, &shape->box[shape->count]);
        shape->count++;
    }
}

static hit_domain hull_of(const points *p)
{
    hit_domain hull = {.dims = p->dims};

    for (int d = 0; d < p->dims; d++) {
        hit_index first = p->list[0].at[d];
        hit_index last = first;

        for (int k = 1; k < p->count; k++) {
            const hit_index x = p->list[k].at[d];

            first = x < first ? x : first;
            last = x > last ? x : last;
        }
        hull.sig[d] = hit_sig_make(first, last, p->tile->sig[d].stride);
    }
    return hull;
}

hit_status hit_check_shape_make(const hit_record *record, const hit_domain *tile,
                                hit_check_shape *shape)
{
    points p = {.dims = tile->dims, .count = record->count, .tile = tile};
    void *memory = NULL;

    shape->count = 0;
    shape->elements = record->count;
    shape->hull = hit_domain_empty(tile->dims);
    if (record->count == 0) return HIT_OK;
    HIT_TRY(
        hit_memory_zeroed((size_t)p.count, sizeof(hit_touched) + sizeof(bool), &memory));
    p.list = memory;
    p.covered = (bool *)(p.list + p.count);
    memcpy(p.list, record->list, sizeof(hit_touched) * (size_t)p.count);
    qsort(p.list, (size_t)p.count, sizeof(hit_touched), compare);
    shape->hull = hull_of(&p);
    fill(&p, shape);
    free(memory);
    return HIT_OK;
}
