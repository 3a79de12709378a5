/* SPDX-License-Identifier: MIT
 * Launches that read where data says, each beside plain loops. Tables of tiles are exact,
 * or have few cells. */
#include "hit/base/context.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"

#include <stdlib.h>

extern const hit_kernel look_pick, look_any, look_rows, look_narrow, look_near,
    look_turned, look_cells, look_sum, look_set;

/* Let the tile have other numbers, from low to high. */
static void set_numbers(scene *s, field *f, hit_index low, hit_index high)
{
    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = pick(s, low, high);
    }
}

static void send(field *f)
{
    HIT_MUST(hit_tile_scatter(f->tile, 0, f->want));
}

/* Near to a line from the first to the last element of @p of, or anywhere in it. */
static void set_places(scene *s, field *f, hit_sig of)
{
    const hit_index wide = pick(s, 0, 2) == 0 ? of.end - of.begin : pick(s, 0, 3);

    for (hit_index k = 0; k < f->count; k++) {
        const hit_index on = of.begin + (of.end - of.begin) * k / f->count;
        const hit_index place = on + pick(s, -wide, wide);

        f->want[k] = place < of.begin ? of.begin : place > of.end ? of.end : place;
    }
    send(f);
}

/* From 0 to at most @p most, rising. */
static void set_firsts(scene *s, field *f, hit_index first, hit_index most)
{
    hit_index next = first;

    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = next;
        next += pick(s, 0, 2) == 0 ? 0 : pick(s, 0, 2 * most / f->count);
        if (next > first + most) next = first + most;
    }
    send(f);
}

static void choose_cells(scene *s)
{
    s->hit->launcher->most_cells = pick(s, 0, 1) ? pick(s, 1, 9) : HIT_MOST_CELLS;
}

static field make_line(scene *s, hit_index begin, hit_index end)
{
    return make_field(s, hit_domain_box(1, &begin, &end), HIT_BOUNDARY_NONE,
                      pick_layout(s, 1));
}

static void try_pick(scene *s)
{
    const hit_domain all = random_box(s, 1, 60);
    field y = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field from = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field x = make_field(s, random_box(s, 1, 60), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    const hit_sig of = x.domain.sig[0];
    hit_index i[HIT_MAX_DIMS];

    choose_cells(s);
    set_places(s, &from, of);
    for (int t = 0; t < 5; t++) {
        const hit_domain box = random_part(s, &all);
        const hit_index by = pick(s, -3, 3);
        const hit_index n = hit_sig_count(of);

        if (t == 2) set_places(s, &from, of);
        if (t == 4) {
            note(s,
                 hit_launch(s->hit, &look_set, box, from.tile, HIT_VALUE(by),
                            HIT_VALUE(of.begin), HIT_VALUE(n)),
                 "set");
        }
        for (bool go = t == 4 && hit_domain_first(&box, i); go;
             go = hit_domain_next(&box, i)) {
            SLOT(&from, i[0]) = of.begin + ((i[0] * by) % n + n) % n;
        }
        note(s, hit_launch(s->hit, &look_pick, box, y.tile, x.tile, from.tile), "pick");
        for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
            SLOT(&y, i[0]) = 3 * SLOT(&x, SLOT(&from, i[0])) - i[0];
        }
    }
    drop_field(s, &x);
    drop_field(s, &from);
    drop_field(s, &y);
}

static void try_rows(scene *s)
{
    const hit_index n = pick(s, 1, 40);
    field y = make_line(s, 0, n - 1);
    field first = make_line(s, 0, n);
    field entry = make_line(s, pick(s, -3, 0), pick(s, 20, 90));
    field column = make_field(s, entry.domain, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field x = make_line(s, pick(s, -3, 3), pick(s, 3, 50));
    const hit_sig of = entry.domain.sig[0];

    choose_cells(s);
    set_firsts(s, &first, of.begin, hit_sig_count(of));
    set_places(s, &column, x.domain.sig[0]);
    for (int t = 0; t < 3; t++) {
        const hit_domain box = random_part(s, &y.domain);
        hit_index i[HIT_MAX_DIMS];

        if (t == 2) set_firsts(s, &first, of.begin, hit_sig_count(of) / 2);
        note(s,
             hit_launch(s->hit, &look_rows, box, y.tile, x.tile, entry.tile, column.tile,
                        first.tile),
             "rows");
        for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
            int64_t sum = 0;

            for (hit_index k = SLOT(&first, i[0]); k < SLOT(&first, i[0] + 1); k++) {
                sum += SLOT(&entry, k) * SLOT(&x, SLOT(&column, k));
            }
            SLOT(&y, i[0]) = sum;
        }
    }
    drop_field(s, &x);
    drop_field(s, &column);
    drop_field(s, &entry);
    drop_field(s, &first);
    drop_field(s, &y);
}

/* Neighbours, of a part of the tile that holds them, on some of the indices. */
static void try_near(scene *s)
{
    const hit_index n = pick(s, 1, 30);
    const hit_index w = pick(s, 1, 4);
    field y = make_line(s, 0, n - 1);
    field near = make_field(s, hit_domain_of(n, w), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_line(s, -2, 40);
    const hit_domain half = hit_box_of(0, n - 1, 0, w / 2);
    hit_tile *few = NULL;

    choose_cells(s);
    set_places(s, &near, hit_sig_make(0, 38, 1));
    HIT_MUST(hit_tile_select(near.tile, hit_domain_intersect(&half, &near.domain), &few));
    for (int t = 0; t < 4; t++) {
        const hit_index d = pick(s, -2, 2);
        const bool whole = t % 2 == 0;
        const hit_domain box = hit_domain_of(n);

        note(s,
             hit_launch(s->hit, &look_near, box, y.tile, x.tile, whole ? near.tile : few,
                        HIT_VALUE(d), HIT_WHERE("2 <= i + d")),
             "near");
        for (hit_index i = 2 - d > 0 ? 2 - d : 0; i < n; i++) {
            const hit_index last = whole ? w - 1 : w / 2 < w ? w / 2 : w - 1;

            for (hit_index k = 0; k <= last; k++) {
                SLOT(&y, i) += (k + 1) * SLOT(&x, SLOT(&near, i, k) + d);
            }
        }
    }
    hit_tile_destroy(&few);
    drop_field(s, &x);
    drop_field(s, &near);
    drop_field(s, &y);
}

static void try_turned(scene *s)
{
    const hit_index n = pick(s, 1, 12);
    const hit_index m = pick(s, 1, 12);
    field y = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_field(s, hit_domain_of(15, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field row = make_line(s, 0, n - 1);

    choose_cells(s);
    for (int t = 0; t < 2; t++) {
        const hit_domain box = random_part(s, &y.domain);
        hit_index i[HIT_MAX_DIMS];

        set_places(s, &row, hit_sig_make(0, 14, 1));
        note(s, hit_launch(s->hit, &look_turned, box, y.tile, x.tile, row.tile),
             "turned");
        for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
            SLOT(&y, i[0], i[1]) = 2 * SLOT(&x, SLOT(&row, i[0]), i[1]) -
                                   SLOT(&x, SLOT(&row, i[0]), i[1] / 2);
        }
    }
    drop_field(s, &row);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_cells(scene *s)
{
    const hit_index n = pick(s, 1, 30);
    field y = make_line(s, 0, n - 1);
    field start = make_line(s, -1, n + 1);
    field p = make_line(s, 0, pick(s, 5, 80));

    choose_cells(s);
    for (int t = 0; t < 2; t++) {
        set_firsts(s, &start, 0, p.count);
        note(s, hit_launch(s->hit, &look_cells, y.domain, y.tile, p.tile, start.tile),
             "cells");
        for (hit_index i = 0; i < n; i++) {
            int64_t sum = 0;

            for (hit_index k = SLOT(&start, i - 1); k < SLOT(&start, i + 2); k++) {
                sum = (3 * sum + SLOT(&p, k)) % 1000003;
            }
            SLOT(&y, i) = sum;
        }
    }
    drop_field(s, &p);
    drop_field(s, &start);
    drop_field(s, &y);
}

static void try_sum(scene *s)
{
    const hit_index n = pick(s, 1, 40);
    field x = make_line(s, 0, n - 1);
    field last = make_line(s, 0, n - 1);
    const hit_domain box = random_part(s, &x.domain);
    hit_index i[HIT_MAX_DIMS];
    int64_t found = 0;
    int64_t sum = 0;

    choose_cells(s);
    set_numbers(s, &last, -1, n - 1);
    send(&last);
    note(s, hit_launch(s->hit, &look_sum, box, HIT_RESULT(&found), x.tile, last.tile),
         "sum");
    for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
        for (hit_index k = i[0]; k <= SLOT(&last, i[0]); k++) {
            sum += (k + 1) * SLOT(&x, k);
        }
    }
    if (found != sum && s->good) note(s, HIT_E_CHECK, "another sum");
    drop_field(s, &last);
    drop_field(s, &x);
}

const trial trials[] = {{"pick", try_pick},     {"rows", try_rows},   {"near", try_near},
                        {"turned", try_turned}, {"cells", try_cells}, {"sum", try_sum}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);
