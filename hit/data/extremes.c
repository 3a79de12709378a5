/* SPDX-License-Identifier: MIT
 * Extremes of boxes: a pyramid of grids, each of half the cells in every dimension. A box
 * is looked at from the top: a cell that lies in it, or has nothing that is less or
 * greater than what was found, is not looked into. */
#include "hit/data/extremes.h"

#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 64
};

/* Words of which the greater one counts: no number yet is 0 in both. */
typedef struct cell {
    uint64_t greatest;
    uint64_t least;
} cell;

typedef struct grid {
    hit_index count[HIT_MAX_DIMS];
    cell *cell;
} grid;

struct hit_extremes {
    int references;
    hit_domain domain;
    int shift[HIT_MAX_DIMS]; /* the least cells have 2^shift elements along a dimension */
    int levels;              /* 0: it was forgotten */
    grid level[LEVELS];      /* the first one has the least cells, in one block */
    void *memory;            /* with those of all others */
};

static uint64_t code_of(hit_index number)
{
    return (uint64_t)number ^ (uint64_t)1 << 63;
}

static hit_index number_of(uint64_t code)
{
    return (hit_index)(code ^ (uint64_t)1 << 63);
}

static void join(cell *to, const cell *from)
{
    if (from->greatest > to->greatest) to->greatest = from->greatest;
    if (from->least > to->least) to->least = from->least;
}

static hit_index cells_of(const grid *of, int dims)
{
    hit_index count = 1;

    for (int d = 0; d < dims; d++) {
        count *= of->count[d];
    }
    return count;
}

/* Cells of twice the extent along the dimension that has the most of them, until they are
 * few enough. */
static void choose_cells(hit_extremes *made, hit_index most)
{
    grid *least = &made->level[0];
    const hit_domain *domain = &made->domain;

    for (int d = 0; d < domain->dims; d++) {
        least->count[d] = hit_sig_count(domain->sig[d]);
    }
    for (;;) {
        double cells = 1; /* more than 2^63 in several dimensions */
        int longest = 0;

        for (int d = 0; d < domain->dims; d++) {
            cells *= (double)least->count[d];
            if (least->count[d] > least->count[longest]) longest = d;
        }
        if (cells <= (double)most || domain->dims == 0) return;
        if (least->count[longest] == 1) return;
        made->shift[longest]++;
        least->count[longest] = (least->count[longest] + 1) / 2;
    }
}

/* Returns the cells of all levels. */
static hit_index choose_levels(hit_extremes *made)
{
    const int dims = made->domain.dims;
    hit_index all = cells_of(&made->level[0], dims);

    made->levels = 1;
    while (cells_of(&made->level[made->levels - 1], dims) > 1) {
        const grid *below = &made->level[made->levels - 1];
        grid *above = &made->level[made->levels++];

        for (int d = 0; d < dims; d++) {
            above->count[d] = (below->count[d] + 1) / 2;
        }
        all += cells_of(above, dims);
    }
    return all;
}

hit_status hit_extremes_create(const hit_domain *domain, hit_index most,
                               hit_extremes **made_pointer)
{
    hit_extremes *made = NULL;
    cell *next = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->references = 1;
    made->domain = *domain;
    choose_cells(made, most);
    status = hit_memory_zeroed((size_t)choose_levels(made) + 1, sizeof(cell), &next);
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    made->memory = next;
    for (int l = 0; l < made->levels; l++) {
        made->level[l].cell = next;
        next += cells_of(&made->level[l], domain->dims);
    }
    *made_pointer = made;
    return HIT_OK;
}

void hit_extremes_note(hit_extremes *table, const hit_index at[], hit_index number)
{
    const uint64_t code = code_of(number);
    const cell noted = {code, ~code};
    const grid *least = &table->level[0];
    hit_index place = 0;

    for (int d = 0; d < table->domain.dims; d++) {
        const hit_index position = hit_sig_position(table->domain.sig[d], at[d]);

        place = place * least->count[d] + (position >> table->shift[d]);
    }
    join(&least->cell[place], &noted);
}

uint64_t *hit_extremes_words(hit_extremes *table, int *count)
{
    *count = (int)(2 * cells_of(&table->level[0], table->domain.dims));
    return &table->level[0].cell[0].greatest;
}

/* Number @p place of a grid of @p dims dimensions. */
static void coordinates(const grid *of, int dims, hit_index place, hit_index at[])
{
    for (int d = dims - 1; d >= 0; d--) {
        at[d] = place % of->count[d];
        place /= of->count[d];
    }
}

void hit_extremes_finish(hit_extremes *table)
{
    const int dims = table->domain.dims;

    for (int l = 1; l < table->levels; l++) {
        const grid *below = &table->level[l - 1];
        const grid *above = &table->level[l];
        const hit_index cells = cells_of(below, dims);

        for (hit_index k = 0; k < cells; k++) {
            hit_index at[HIT_MAX_DIMS];
            hit_index place = 0;

            coordinates(below, dims, k, at);
            for (int d = 0; d < dims; d++) {
                place = place * above->count[d] + at[d] / 2;
            }
            join(&above->cell[place], &below->cell[k]);
        }
    }
}

/* What is looked for: the least cells from first to last, both inclusive. */
typedef struct search {
    const hit_extremes *table;
    hit_index first[HIT_MAX_DIMS];
    hit_index last[HIT_MAX_DIMS];
    cell found;
} search;

/* Does the cell @p at of a level lie in what is looked for? *apart: it has none of it. */
static bool is_inside(const search *s, int level, const hit_index at[], bool *apart)
{
    bool inside = true;

    *apart = false;
    for (int d = 0; d < s->table->domain.dims; d++) {
        const hit_index begin = at[d] << level;
        const hit_index end = begin + ((hit_index)1 << level) - 1;
        const hit_index most = s->table->level[0].count[d] - 1;

        *apart = *apart || begin > s->last[d] || end < s->first[d];
        inside = inside && begin >= s->first[d] && hit_smaller(end, most) <= s->last[d];
    }
    return inside;
}

/* Each call goes one level down. */
static void look(search *s, int level, const hit_index at[])
{
    const int dims = s->table->domain.dims;
    const grid *of = &s->table->level[level];
    hit_index place = 0;
    bool apart;
    const bool inside = is_inside(s, level, at, &apart);

    for (int d = 0; d < dims; d++) {
        place = place * of->count[d] + at[d];
    }
    if (apart || (of->cell[place].greatest <= s->found.greatest &&
                  of->cell[place].least <= s->found.least)) {
        return;
    }
    if (inside || level == 0) {
        join(&s->found, &of->cell[place]);
        return;
    }
    for (unsigned child = 0; child < 1u << dims; child++) {
        hit_index below[HIT_MAX_DIMS] = {0};
        bool there = true;

        for (int d = 0; d < dims; d++) {
            below[d] = 2 * at[d] + (child >> d & 1u);
            there = there && below[d] < s->table->level[level - 1].count[d];
        }
        if (there) look(s, level - 1, below);
    }
}

/* The least cells in which the elements of @p box lie; false: it has none. */
static bool find_cells(const hit_extremes *table, const hit_domain *box, search *s)
{
    const hit_domain common = hit_domain_intersect(box, &table->domain);

    *s = (search){.table = table};
    for (int d = 0; d < common.dims; d++) {
        const hit_sig sig = table->domain.sig[d];

        s->first[d] = hit_sig_position(sig, common.sig[d].begin) >> table->shift[d];
        s->last[d] = hit_sig_position(sig, common.sig[d].end) >> table->shift[d];
    }
    return !hit_domain_is_empty(&common);
}

bool hit_extremes_find(const hit_extremes *table, const hit_domain *box, hit_index *least,
                       hit_index *greatest)
{
    const hit_index top[HIT_MAX_DIMS] = {0};
    search s;

    if (!find_cells(table, box, &s)) return false;
    *least = INT64_MIN;
    *greatest = INT64_MAX;
    if (table->levels == 0) return true;
    look(&s, table->levels - 1, top);
    *least = number_of(~s.found.least);
    *greatest = number_of(s.found.greatest);
    return s.found.greatest != 0 || s.found.least != 0;
}

bool hit_extremes_divides(const hit_extremes *table, const hit_domain *box)
{
    search s;

    if (table->levels == 0 || !find_cells(table, box, &s)) return false;
    return memcmp(s.first, s.last, sizeof s.first) != 0;
}

hit_extremes *hit_extremes_share(hit_extremes *table)
{
    if (table != NULL) table->references++;
    return table;
}

void hit_extremes_forget(hit_extremes *table)
{
    if (table == NULL) return;
    free(table->memory);
    table->memory = NULL;
    table->levels = 0;
}

bool hit_extremes_is_there(const hit_extremes *table)
{
    return table->levels > 0;
}

void hit_extremes_release(hit_extremes **table_pointer)
{
    hit_extremes *table = *table_pointer;

    *table_pointer = NULL;
    if (table == NULL || --table->references > 0) return;
    hit_extremes_forget(table);
    free(table);
}
