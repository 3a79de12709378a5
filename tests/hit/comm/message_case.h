/* SPDX-License-Identifier: MIT
 * Random cases for splits and message plans: a tile, its layout, a pattern, and indices
 * that are split by it or by another layout. */
#ifndef TESTS_HIT_COMM_MESSAGE_CASE_H
#define TESTS_HIT_COMM_MESSAGE_CASE_H

#include "hit/comm/message.h"
#include "hit/data/extremes.h"
#include "hit/topo/layout_plugin.h"
#include "patterns/transform.h"
#include "tests/patterns/random_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LOOKED = 4000
};

typedef struct message_case {
    int ranks;
    hit_domain tile;
    hit_domain index;
    hit_boundary boundary[HIT_MAX_DIMS];
    hit_pattern pattern;
    hit_domain numbers;  /* where ends of it stand in data: of that tile */
    hit_extremes *table; /* NULL: they do not */
    hit_index number[MOST_LOOKED];
    hit_layout *layout; /* of the tile */
    hit_layout *other;  /* over the indices; splits if the pattern cannot */
    hit_split split;
    bool by_pattern;
    char text[600];
} message_case;

/* What an expression touches at index x, by definition. */
static inline hit_domain touched_at(const hit_access *access, const hit_domain *tile,
                                    const hit_index x[])
{
    hit_domain touched = {.dims = tile->dims};

    for (int t = 0; t < tile->dims; t++) {
        const hit_range *range = &access->range[t];

        touched.sig[t] = hit_sig_make(affine_at(&range->begin, tile->sig[t].begin, x),
                                      affine_at(&range->end, tile->sig[t].end, x),
                                      range->stride * tile->sig[t].stride);
    }
    return touched;
}

/* The row-major place of x in the domain. */
static inline int64_t place_of(const hit_domain *domain, const hit_index x[])
{
    int64_t place = 0;

    for (int d = 0; d < domain->dims; d++) {
        place = place * hit_sig_count(domain->sig[d]) +
                hit_sig_position(domain->sig[d], x[d]);
    }
    return place;
}

/* The least or the greatest of the numbers that index x finds. */
static inline hit_index looked_up(const message_case *c, const hit_lookup *lookup,
                                  const hit_index x[], bool greatest)
{
    const hit_domain at = touched_at(&lookup->at->access[0], &c->numbers, x);
    hit_index found = 0;
    bool first = true;
    hit_index y[HIT_MAX_DIMS];

    ck_assert(hit_domain_inside(&at, &c->numbers));
    for (bool go = hit_domain_first(&at, y); go; go = hit_domain_next(&at, y)) {
        const hit_index number = c->number[place_of(&c->numbers, y)];

        if (first || (greatest ? number > found : number < found)) found = number;
        first = false;
    }
    return found + lookup->offset;
}

/* What expression @p k touches at index x, by definition. */
static inline hit_domain touched_by(const message_case *c, int k, const hit_index x[])
{
    const hit_access *access = &c->pattern.access[k];
    hit_domain touched = touched_at(access, &c->tile, x);

    for (int t = 0; t < c->tile.dims; t++) {
        const hit_range *range = &access->range[t];
        hit_sig *sig = &touched.sig[t];

        if (range->low == NULL) continue;
        sig->begin = looked_up(c, range->low, x, false);
        sig->end = looked_up(c, range->high, x, true);
    }
    return touched;
}

/* A box of the tile's dimensions around all that is touched; where everything is fixed
 * to the tile's limits it is small. */
static inline hit_domain touched_hull(const hit_pattern *pattern, const hit_domain *index)
{
    const hit_index zero[HIT_MAX_DIMS] = {0};
    const hit_domain start = hit_domain_box(pattern->tile_dims, zero, zero);
    hit_domain hull = hit_domain_empty(pattern->tile_dims);
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(index, x); go; go = hit_domain_next(index, x)) {
        for (int k = 0; k < pattern->count; k++) {
            const hit_domain at = touched_at(&pattern->access[k], &start, x);

            hull = hit_domain_cover(&hull, &at);
        }
    }
    hull = hit_domain_cover(&hull, &start);
    for (int t = 0; t < hull.dims; t++) {
        hull.sig[t].stride = 1;
    }
    return hull;
}

/* Every number of the case times @p factor: the same case on a coarser grid. */
static inline void stretch(message_case *c, hit_index factor)
{
    hit_domain *domain[2] = {&c->tile, &c->index};

    for (int k = 0; k < c->pattern.count; k++) { /* a quotient is another one then */
        if (is_folded(&c->pattern.access[k], c->tile.dims)) return;
    }
    for (int k = 0; k < 2; k++) {
        for (int d = 0; d < domain[k]->dims; d++) {
            const hit_sig sig = domain[k]->sig[d];

            domain[k]->sig[d] =
                hit_sig_make(sig.begin * factor, sig.end * factor, sig.stride * factor);
        }
    }
    for (int k = 0; k < c->pattern.count; k++) {
        for (int t = 0; t < c->tile.dims; t++) {
            c->pattern.access[k].range[t].begin.offset *= factor;
            c->pattern.access[k].range[t].end.offset *= factor;
        }
    }
}

/* Any layout of the library with random options, over @p domain. */
static inline hit_layout *random_layout(hit_random *random, hit_domain domain, int ranks)
{
    hit_layout *layout = NULL;

    while (layout == NULL) {
        const int pick = (int)hit_random_index(random, 0, hit_layout_table_count - 1);
        const hit_layout_ops *ops = hit_layout_table[pick];
        const int number = (int)hit_random_index(random, 0, 8);
        char options[80] = "";

        if (strcmp(ops->name, "cyclic") == 0) {
            snprintf(options, sizeof(options), "dim=%d", number % 3);
        } else if (strcmp(ops->name, "blockcyclic") == 0) {
            snprintf(options, sizeof(options), "block=%d", 1 + number % 4);
        } else if (strcmp(ops->name, "single") == 0) {
            snprintf(options, sizeof(options), "root=%d", number % ranks);
        } else if (strcmp(ops->name, "weighted") == 0) {
            strcpy(options, "weights=2");
            for (int r = 1; r < ranks; r++) {
                snprintf(options + strlen(options), 8, ",%d", (number * r) % 4);
            }
        }
        (void)hit_layout_plan(ops, domain, ranks, options, &layout);
    }
    return layout;
}

static inline hit_pattern simple_pattern(hit_random *random, int index_dims,
                                         int tile_dims)
{
    const hit_index wide = hit_random_index(random, 0, 2);
    const int first = (int)hit_random_index(random, 0, index_dims - 1);
    hit_access access = {0};
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_init(index_dims, tile_dims, &pattern), HIT_OK);
    for (int t = 0; t < tile_dims; t++) {
        const int d = (first + t) % index_dims;

        access.range[t] = hit_range_follow(d, hit_random_index(random, -wide, 0),
                                           hit_random_index(random, 0, wide));
        if (hit_random_index(random, 0, 5) == 0) access.range[t] = hit_range_all();
        if (hit_random_index(random, 0, 5) == 0) {
            random_fold(random, 4, &access.range[t].begin);
            access.range[t].end = access.range[t].begin;
            continue;
        }
        if (hit_random_index(random, 0, 5) == 0) { /* "[2*i:2*i+1]" */
            access.range[t].begin.coef[d] = 2;
            access.range[t].end.coef[d] = 2;
        }
    }
    ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    return pattern;
}

/* The tile around what is touched, or with a boundary where it is smaller than that. */
static inline void choose_tile(hit_random *random, message_case *c)
{
    const bool bounded = hit_random_index(random, 0, 2) == 0;

    c->tile = touched_hull(&c->pattern, &c->index);
    for (int t = 0; t < c->tile.dims; t++) {
        const hit_index margin = hit_random_index(random, bounded ? -2 : 0, 2);
        const hit_sig grown = hit_sig_grow(c->tile.sig[t], margin);

        if (!hit_sig_is_empty(grown)) c->tile.sig[t] = grown;
        if (!bounded) continue;
        c->boundary[t] = (hit_boundary)hit_random_index(random, HIT_BOUNDARY_CONSTANT,
                                                        HIT_BOUNDARY_MIRROR);
    }
    if (!bounded && hit_random_index(random, 0, 3) == 0) {
        stretch(c, hit_random_index(random, 2, 3));
    }
}

/* Any element of the numbers, or some, that an index finds. */
static inline hit_lookup *random_lookup(hit_random *random, hit_index apart,
                                        message_case *c)
{
    const bool one = hit_random_index(random, 0, 1);
    hit_lookup *lookup = calloc(1, sizeof(*lookup));
    hit_access access = {0};

    *lookup = (hit_lookup){.name = "n",
                           .at = calloc(1, sizeof(*lookup->at)),
                           .offset = hit_random_index(random, -apart, apart),
                           .next = c->pattern.lookups};
    ck_assert_int_eq(hit_pattern_init(c->index.dims, c->numbers.dims, lookup->at),
                     HIT_OK);
    for (int t = 0; t < c->numbers.dims; t++) {
        const int d = (int)hit_random_index(random, 0, c->index.dims - 1);
        const hit_index from = hit_random_index(random, -1, 1);
        const hit_index wide = one ? 0 : hit_random_index(random, 0, 1);

        access.range[t] = hit_range_follow(d, from, from + wide);
    }
    ck_assert_int_eq(hit_pattern_add(lookup->at, &access), HIT_OK);
    c->pattern.lookups = lookup;
    return lookup;
}

/* Let a range of some expressions stand in data, whose numbers lead into the tile. Drawn
 * by itself, so that other cases are what they were. */
static inline void look_up(uint64_t seed, message_case *c)
{
    hit_random random = {seed * 7919 + 1};
    const int t = (int)hit_random_index(&random, 0, c->tile.dims);
    const bool near = hit_random_index(&random, 0, 1);
    hit_index apart;
    hit_sig into;

    if (hit_random_index(&random, 0, 1) > 0 || t >= c->tile.dims) return;
    if (c->tile.sig[t].stride != 1 || hit_domain_is_empty(&c->index)) return;
    apart = hit_sig_count(c->tile.sig[t]) > 4 ? 2 : 0;
    into = hit_sig_grow(c->tile.sig[t], -apart);
    c->numbers = hit_random_index(&random, 0, 1) ? hit_box_of(-12, 36)
                                                 : hit_box_of(-12, 36, -12, 36);
    ck_assert_int_eq(hit_extremes_create(&c->numbers, near ? 4000 : 9, &c->table),
                     HIT_OK);
    HIT_FOR_EACH (y, c->numbers) {
        const hit_index on = near ? y[0] : hit_random_index(&random, -99, 99);
        const hit_index number = on < into.begin ? into.begin
                                 : on > into.end ? into.end
                                                 : on;

        c->number[place_of(&c->numbers, y)] = number;
        hit_extremes_note(c->table, y, number);
    }
    hit_extremes_finish(c->table);
    for (int k = 0; k < c->pattern.count; k++) {
        hit_range *range = &c->pattern.access[k].range[t];

        if (k > 0 && hit_random_index(&random, 0, 1)) continue;
        *range = hit_range_all();
        range->low = range->high = random_lookup(&random, apart, c);
        if (hit_random_index(&random, 0, 2) == 0) {
            range->high = random_lookup(&random, apart, c);
        }
        c->pattern.access[k].looks_up = true;
    }
    for (hit_lookup *l = c->pattern.lookups; l != NULL; l = l->next) {
        l->values = c->table;
        l->limits = c->numbers;
    }
}

static inline void describe(message_case *c, uint64_t seed)
{
    static const char *const names[] = {"i", "j", "k", "l"};
    char pattern[200];
    char tile[80];
    char index[80];

    hit_pattern_print(&c->pattern, names, pattern, sizeof(pattern));
    hit_domain_print(&c->tile, tile, sizeof(tile));
    hit_domain_print(&c->index, index, sizeof(index));
    snprintf(c->text, sizeof(c->text),
             "seed %llu: \"%s\" at %s of tile %s, layout %s, %d ranks, split by %s, "
             "boundaries %d %d %d",
             (unsigned long long)seed, pattern, index, tile, hit_layout_name(c->layout),
             c->ranks, c->by_pattern ? "the tile" : hit_layout_name(c->other),
             (int)c->boundary[0], (int)c->boundary[1], (int)c->boundary[2]);
}

static inline message_case make_case(uint64_t seed)
{
    static const hit_index most[] = {14, 7, 4};
    hit_random random = {seed};
    message_case c = {.ranks = (int)hit_random_index(&random, 1, 9)};
    const int dims = (int)hit_random_index(&random, 1, 3);
    const int tile_dims = (int)hit_random_index(&random, dims == 1 ? 0 : 1, 3);
    hit_domain around;

    c.pattern = hit_random_index(&random, 0, 1) == 0
                    ? simple_pattern(&random, dims, tile_dims)
                    : random_pattern(&random, dims, tile_dims, 2);
    c.index = hit_random_domain(&random, dims, -3, most[dims - 1] - 4, 3);
    choose_tile(&random, &c);
    look_up(seed, &c);
    around = c.tile;
    if (c.boundary[0] == HIT_BOUNDARY_NONE && hit_random_index(&random, 0, 1) == 0) {
        around = hit_domain_grow(around, hit_random_index(&random, 0, 3)); /* selected */
    }
    c.layout = random_layout(&random, around, c.ranks);
    around = hit_domain_grow(c.index, hit_random_index(&random, 0, 2));
    c.other = random_layout(&random, around, c.ranks);
    c.by_pattern =
        hit_random_index(&random, 0, 1) == 0 &&
        hit_split_by_pattern(c.layout, &c.tile, &c.pattern, &c.index, &c.split) == HIT_OK;
    if (!c.by_pattern) {
        ck_assert_int_eq(hit_split_by_layout(c.other, &c.index, &c.split), HIT_OK);
    }
    describe(&c, seed);
    return c;
}

static inline void drop_case(message_case *c)
{
    hit_pattern_clear(&c->pattern);
    hit_extremes_release(&c->table);
    hit_layout_destroy(&c->layout);
    hit_layout_destroy(&c->other);
}

#endif
