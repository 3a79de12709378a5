/* SPDX-License-Identifier: MIT
 * Random chains whose launches compute with numbers, so that a wrong order shows. */
#include "tests/hit/chain/chain_case.h"

#include "patterns/transform.h"

#include <string.h>

/* With a dimension @p cell more: all elements of it, or one. */
static void add_cell(hit_random *random, int dims, int cell, hit_access *access)
{
    const hit_index one = hit_random_index(random, 0, CASE_CELL - 1);
    hit_range *range = &access->range[cell];

    memmove(range + 1, range, (size_t)(dims - cell) * sizeof(*range));
    *range = hit_random_index(random, 0, 2) == 0 ? hit_range_fixed(one, one)
                                                 : hit_range_fixed(0, CASE_CELL - 1);
    if (hit_random_index(random, 0, 1) == 0 && range->end.offset > 0) {
        range->begin.infinite = range->end.infinite = range->begin.offset == 0;
    }
}

static hit_pattern random_pattern(hit_random *random, int axes, int cell, bool point)
{
    const int count = point ? 1 : (int)hit_random_index(random, 1, 3);
    hit_pattern made;

    (void)hit_pattern_init(axes, axes + (cell >= 0), &made);
    for (int k = 0; k < count; k++) {
        hit_access access = {0};

        for (int d = 0; d < axes; d++) {
            const hit_index from = hit_random_index(random, -2, 2);
            const hit_index to = point ? from : from + hit_random_index(random, 0, 2);

            access.range[d] = hit_range_follow(d, from, to);
        }
        if (cell >= 0) add_cell(random, axes, cell, &access);
        (void)hit_pattern_add(&made, &access);
    }
    return made;
}

/* What row 0 gives to a row at a border: the first axis is fixed. */
static hit_pattern row_pattern(hit_random *random, int axes, int cell, hit_index row)
{
    hit_pattern made;
    hit_access access = {0};

    (void)hit_pattern_init(axes - 1, axes + (cell >= 0), &made);
    access.range[0] = hit_range_fixed(row, row);
    for (int d = 1; d < axes; d++) {
        access.range[d] = hit_range_follow(d - 1, 0, 0);
    }
    if (cell >= 0) add_cell(random, axes, cell, &access);
    (void)hit_pattern_add(&made, &access);
    return made;
}

/* The indices whose accesses stay in the tile. */
static hit_domain inner(const chain_case *c, bool strides, hit_random *random)
{
    const hit_domain all = hit_domain_grow(c->axis, -4);
    hit_domain some = all;

    if (hit_random_index(random, 0, 2) > 0) return all;
    for (int d = 0; d < all.dims; d++) {
        const hit_sig sig = all.sig[d];
        const hit_index begin = hit_random_index(random, sig.begin, sig.end);

        some.sig[d] = hit_sig_make(begin, hit_random_index(random, begin, sig.end),
                                   strides ? hit_random_index(random, 1, 3) : 1);
    }
    return some;
}

/* A launch whose indices write what other indices of it read has no order. */
static int storage_of(hit_random *random, const hit_chain_launch *launch, int u, bool row)
{
    const int any = (int)hit_random_index(random, 0, CASE_STORAGES - 1);

    if (u == 0 || row || any != launch->use[0].storage) return any;
    return (any + 1) % CASE_STORAGES;
}

static void make_launch(hit_random *random, bool strides, chain_case *c, int l)
{
    hit_chain_launch *launch = &c->launch[l];
    const bool row = c->axes > 1 && hit_random_index(random, 0, 7) == 0;

    memset(launch, 0, sizeof(*launch));
    launch->kernel = "random";
    launch->domain = inner(c, strides, random);
    launch->uses = (int)hit_random_index(random, 1, 3);
    if (row) {
        launch->uses = 2;
        launch->domain.dims--;
        memmove(&launch->domain.sig[0], &c->axis.sig[1],
                (size_t)launch->domain.dims * sizeof(hit_sig));
    }
    for (int u = 0; u < launch->uses; u++) {
        hit_chain_use *use = &launch->use[u];

        const int storage = storage_of(random, launch, u, row);
        const int cell = c->cell[storage];

        c->pattern[l][u] =
            row ? row_pattern(random, c->axes, cell, hit_random_index(random, 0, 3))
                : random_pattern(random, c->axes, cell, u == 0);
        use->name = "tile";
        use->storage = storage;
        use->writes = u == 0;
        use->overwrites = u == 0 && !row && hit_random_index(random, 0, 1) == 0;
        use->pattern = &c->pattern[l][u];
        use->tile = c->tile[storage];
        use->cover = hit_pattern_cover(use->pattern, &use->tile, &launch->domain);
        use->size_bytes = 4;
    }
}

hit_domain chain_case_box(const chain_case *c, int storage, hit_domain box)
{
    const int cell = c->cell[storage];

    if (cell < 0) return box;
    memmove(&box.sig[cell + 1], &box.sig[cell],
            (size_t)(c->axes - cell) * sizeof(box.sig[0]));
    box.sig[cell] = hit_sig_make(0, CASE_CELL - 1, 1);
    box.dims++;
    return box;
}

/* One in three storages has a dimension more than the axes. */
static void make_tiles(hit_random *random, chain_case *c)
{
    for (int s = 0; s < CASE_STORAGES; s++) {
        const bool more = hit_random_index(random, 0, 2) == 0;

        c->cell[s] = more ? (int)hit_random_index(random, 0, c->axes) : -1;
        c->tile[s] = chain_case_box(c, s, c->axis);
    }
}

void chain_case_make(hit_random *random, bool strides, chain_case *c)
{
    static const hit_index usual[] = {0, 200, 26, 13};
    const hit_index most[] = {0, 300, 32, 16};
    const int launches = (int)hit_random_index(random, 2, CASE_LAUNCHES);
    char why[200];

    memset(c, 0, sizeof(*c));
    c->axes = (int)hit_random_index(random, 4, 12) / 4 > 2
                  ? 3
                  : (int)hit_random_index(random, 1, 2);
    c->chain.line = hit_random_index(random, 1, 4);
    c->axis.dims = c->axes;
    for (int d = 0; d < c->axes; d++) {
        c->axis.sig[d] = hit_sig_make(
            0, hit_random_index(random, usual[c->axes], most[c->axes]) - 1, 1);
    }
    make_tiles(random, c);
    for (int l = 0; l < launches; l++) {
        make_launch(random, strides, c, c->launches);
        c->list[c->launches] = &c->launch[c->launches];
        if (hit_skew_join(&c->chain, c->list, why, sizeof(why))) {
            c->launches++;
            continue;
        }
        for (int u = 0; u < c->launch[c->launches].uses; u++) {
            hit_pattern_clear(&c->pattern[c->launches][u]);
        }
    }
}

void chain_case_clear(chain_case *c)
{
    for (int l = 0; l < c->launches; l++) {
        for (int u = 0; u < c->launch[l].uses; u++) {
            hit_pattern_clear(&c->pattern[l][u]);
        }
    }
}

static void limit(hit_random *random, hit_tiling *tiling, int axis)
{
    const hit_index last = tiling->end[axis];
    const hit_index from = hit_random_index(random, tiling->begin[axis] - 2, last);

    hit_tiling_limit(tiling, axis, from, hit_random_index(random, from + 1, last + 3));
}

/* Of the chunks of the tiling that is made next. */
static const double *random_speeds(hit_random *random)
{
    static double speed[4];

    for (int k = 0; k < 4; k++) {
        speed[k] = (double)hit_random_index(random, 1, 9);
    }
    return speed;
}

hit_tiling chain_case_tiling(hit_random *random, const chain_case *c)
{
    hit_tiling made = hit_tiling_make(&c->chain, c->launches);

    made.lines = hit_random_index(random, 0, 1) == 1;
    made.origin = hit_random_index(random, 0, 3);
    for (int d = 0; d < c->chain.axes; d++) {
        const hit_index least = hit_tiling_least_chunk(&made, d);
        hit_index most;

        if (hit_random_index(random, 0, 3) == 0) limit(random, &made, d);
        most = (made.end[d] - made.begin[d] + 1) / least;
        made.width[d] = hit_random_index(random, 0, 12);
        made.chunks[d] = (int)hit_random_index(random, 1,
                                               most < 1   ? 1
                                               : most > 4 ? 4
                                                          : most);
    }
    if (hit_random_index(random, 0, 1) == 0) made.speed = random_speeds(random);
    return made;
}

hit_index chain_case_element(const chain_case *c, int storage, const hit_index at[])
{
    const hit_domain *tile = &c->tile[storage];
    hit_index number = 0;

    for (int d = 0; d < tile->dims; d++) {
        number = number * hit_sig_count(tile->sig[d]) + at[d];
    }
    return number;
}

static void visit(const chain_case *c, const hit_chain_use *use, const hit_domain *one,
                  chain_memory *memory, bool write, uint64_t *value)
{
    for (int k = 0; k < use->pattern->count; k++) {
        const hit_domain box =
            hit_access_apply(&use->pattern->access[k], &use->tile, one);
        hit_index at[HIT_MAX_DIMS];

        for (bool more = hit_domain_first(&box, at); more;
             more = hit_domain_next(&box, at)) {
            uint64_t *element =
                &memory->element[use->storage][chain_case_element(c, use->storage, at)];

            if (write) {
                *element = (use->overwrites ? 0 : *element * 3) + *value;
            } else {
                *value = (*value ^ *element) * UINT64_C(0x9E3779B97F4A7C15) + 1;
            }
        }
    }
}

/* Most writes depend on what was there, so that their order shows, too. */
static void run_index(const chain_case *c, int l, const hit_index x[],
                      chain_memory *memory)
{
    const hit_chain_launch *launch = &c->launch[l];
    const hit_domain one = hit_domain_box(launch->domain.dims, x, x);
    uint64_t value = (uint64_t)l + 1;

    for (int u = 0; u < launch->uses; u++) {
        if (launch->use[u].overwrites) continue;
        visit(c, &launch->use[u], &one, memory, false, &value);
    }
    visit(c, &launch->use[0], &one, memory, true, &value);
}

hit_index chain_case_run_box(const chain_case *c, int l, const hit_domain *box,
                             chain_memory *memory)
{
    hit_index x[HIT_MAX_DIMS];
    hit_index count = 0;

    for (bool more = hit_domain_first(box, x); more; more = hit_domain_next(box, x)) {
        run_index(c, l, x, memory);
        count++;
    }
    return count;
}

void chain_case_run(const chain_case *c, chain_memory *memory)
{
    for (int l = 0; l < c->launches; l++) {
        chain_case_run_box(c, l, &c->launch[l].domain, memory);
    }
}

static hit_index run_positions(const chain_case *c, int l, const hit_domain *positions,
                               chain_memory *memory)
{
    const hit_chain_place *place = &c->chain.place[l];
    hit_domain box = c->launch[l].domain;

    for (int d = 0; d < c->chain.axes; d++) {
        if (place->index[d] < 0) continue;
        box.sig[place->index[d]] =
            hit_sig_intersect(box.sig[place->index[d]], positions->sig[d]);
    }
    return chain_case_run_box(c, l, &box, memory);
}

static hit_index run_item(const chain_case *c, const hit_tiling *tiling, int phase,
                          int item, chain_memory *memory)
{
    hit_index count = 0;
    hit_tiling_walk walk;
    hit_domain box;

    hit_tiling_start(tiling, phase, item, &walk);
    while (hit_tiling_next(&walk, &box)) {
        count += run_positions(c, walk.launch, &box, memory);
    }
    return count;
}

hit_index chain_case_run_tiled(const chain_case *c, const hit_tiling *tiling,
                               bool backwards, chain_memory *memory)
{
    hit_index count = 0;

    for (int phase = 0; phase < hit_tiling_phases(tiling); phase++) {
        const int items = hit_tiling_items(tiling, phase);

        for (int k = 0; k < items; k++) {
            count += run_item(c, tiling, phase, backwards ? items - 1 - k : k, memory);
        }
    }
    for (int l = 0; l < tiling->launches; l++) { /* what is beyond the limits */
        const hit_domain all = hit_tiling_positions(tiling, l);
        const hit_domain inside = hit_tiling_inside(tiling, l);
        hit_rest rest = hit_rest_of(&all, &inside);
        hit_domain box[2 * HIT_MAX_DIMS + 1];
        int boxes = 0;

        while (hit_rest_next(&rest, &box[boxes])) {
            boxes++;
        }
        for (int k = 0; k < boxes; k++) {
            count += run_positions(c, l, &box[backwards ? boxes - 1 - k : k], memory);
        }
    }
    return count;
}

void chain_case_fill(chain_memory *memory)
{
    for (int s = 0; s < CASE_STORAGES; s++) {
        for (int k = 0; k < CASE_ELEMENTS; k++) {
            memory->element[s][k] = (uint64_t)(s * CASE_ELEMENTS + k) * 77 + 5;
        }
    }
}

hit_chain_stream_request chain_case_request(hit_random *random, const chain_case *c,
                                            hit_index least_bytes, int times,
                                            hit_domain dead[])
{
    hit_chain_stream_request made = {
        .chain = &c->chain, .launch = c->list, .async = c->launches % 2 == 0};

    made.first = (int)hit_random_index(random, 0, 1) == 0
                     ? 0
                     : (int)hit_random_index(random, 0, c->launches - 1);
    made.launches = (int)hit_random_index(random, 1, c->launches - made.first);
    made.limit_bytes = (size_t)hit_random_index(random, least_bytes, 40000);
    for (int s = 0; s < CASE_STORAGES; s++) {
        dead[s] = chain_case_box(
            c, s, hit_domain_grow(c->axis, -hit_random_index(random, 0, 6)));
    }
    if (hit_random_index(random, 0, times - 1) == 0) made.dead = dead;
    return made;
}
