/* SPDX-License-Identifier: MIT
 * Launches that write where data says, each beside plain loops. Tables of tiles are
 * exact, or have few cells. */
#include "hit/base/context.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"

#include <stdlib.h>

extern const hit_kernel scatter_put, scatter_rows, scatter_columns, scatter_dense,
    scatter_both, scatter_grow;

enum {
    MOST = 200
};

/* Numbers from low to high in @p to, each once, near to their order or in any. */
static void shuffle(scene *s, hit_index low, hit_index high, hit_index to[])
{
    const hit_index count = high - low + 1;
    const hit_index far = pick(s, 0, 1) ? count : pick(s, 1, 4);

    for (hit_index k = 0; k < count; k++) {
        to[k] = low + k;
    }
    for (hit_index k = 0; k < count; k++) {
        const hit_index other = k + pick(s, 0, far) < count ? k + pick(s, 0, far) : k;
        const hit_index swapped = to[k];

        if (other >= count) continue;
        to[k] = to[other];
        to[other] = swapped;
    }
}

static field make_line(scene *s, hit_index begin, hit_index end)
{
    return make_field(s, hit_domain_box(1, &begin, &end), HIT_BOUNDARY_NONE,
                      pick_layout(s, 1));
}

static void choose_cells(scene *s)
{
    s->hit->launcher->most_cells = pick(s, 0, 1) ? pick(s, 1, 9) : HIT_MOST_CELLS;
}

/* Some of the numbers low..high. */
static void set_places(scene *s, field *f, hit_index low, hit_index high)
{
    hit_index number[MOST];

    shuffle(s, low, high, number);
    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = number[k];
    }
    HIT_MUST(hit_tile_scatter(f->tile, 0, f->want));
}

/* Devices have what was written last. */
static void grow(scene *s, field *f)
{
    note(s, hit_launch(s->hit, &scatter_grow, f->domain, f->tile), "grow");
    for (hit_index i = f->domain.sig[0].begin; i <= f->domain.sig[0].end; i++) {
        SLOT(f, i) = SLOT(f, i) % 1000 + i;
    }
}

static void try_put(scene *s)
{
    const hit_index n = pick(s, 1, 90);
    const hit_index more = pick(s, 0, 40);
    const hit_index d = pick(s, -3, 3);
    field x = make_line(s, 0, n - 1);
    field y = make_line(s, -5, n + more);
    field place = make_line(s, 0, n - 1);
    hit_index i[HIT_MAX_DIMS];

    choose_cells(s);
    for (int t = 0; t < 5; t++) {
        const hit_domain box = random_part(s, &x.domain);

        if (t % 2 == 0) set_places(s, &place, -5 - d, n + more - d);
        if (pick(s, 0, 1)) grow(s, &y);
        note(s,
             hit_launch(s->hit, &scatter_put, box, y.tile, x.tile, place.tile,
                        HIT_VALUE(d)),
             "put");
        for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
            SLOT(&y, SLOT(&place, i[0]) + d) = 3 * SLOT(&x, i[0]) + i[0];
        }
    }
    drop_field(s, &place);
    drop_field(s, &y);
    drop_field(s, &x);
}

/* Of a part of the indices. */
static void try_where(scene *s)
{
    const hit_index n = pick(s, 1, 90);
    const hit_index zero = 0;
    field x = make_line(s, 0, n - 1);
    field y = make_line(s, 0, n + 9);
    field place = make_line(s, 0, n - 1);

    choose_cells(s);
    for (int t = 0; t < 3; t++) {
        if (t != 1) set_places(s, &place, 0, n + 9);
        note(s,
             hit_launch(s->hit, &scatter_put, x.domain, y.tile, x.tile, place.tile,
                        HIT_VALUE(zero), HIT_WHERE("i < 20 or 30 <= i < 60 + d")),
             "where");
        for (hit_index i = 0; i < n; i++) {
            if (i < 20 || (30 <= i && i < 60)) {
                SLOT(&y, SLOT(&place, i)) = 3 * SLOT(&x, i) + i;
            }
        }
    }
    drop_field(s, &place);
    drop_field(s, &y);
    drop_field(s, &x);
}

static field make_narrow(scene *s, hit_type type, hit_index begin, hit_index end,
                         const hit_index number[])
{
    field made = {.domain = hit_domain_box(1, &begin, &end)};
    char bytes[MOST * sizeof(int32_t)];

    made.count = hit_domain_count(&made.domain);
    made.want = calloc((size_t)made.count + 1, sizeof(*made.want));
    for (hit_index k = 0; k < made.count; k++) {
        made.want[k] = number[k];
        if (type.kind == HIT_KIND_INT32) ((int32_t *)bytes)[k] = (int32_t)number[k];
        if (type.kind == HIT_KIND_UINT16) ((uint16_t *)bytes)[k] = (uint16_t)number[k];
    }
    HIT_MUST(
        hit_tile_make(s->hit, made.domain, pick_layout(s, 1), type, "n", &made.tile));
    HIT_MUST(hit_tile_scatter(made.tile, 0, bytes));
    return made;
}

static void drop_narrow(field *f)
{
    hit_tile_destroy(&f->tile);
    free(f->want);
}

static void try_rows(scene *s)
{
    const hit_index n = pick(s, 1, 14);
    const hit_index m = pick(s, 1, 12);
    field x = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field y =
        make_field(s, hit_domain_of(n + 3, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index number[MOST];
    hit_index i[HIT_MAX_DIMS];
    field row;

    choose_cells(s);
    shuffle(s, 0, n + 2, number);
    row = make_narrow(s, HIT_INT32, 0, n - 1, number);
    for (int t = 0; t < 3; t++) {
        const hit_domain box = random_part(s, &x.domain);

        note(s, hit_launch(s->hit, &scatter_rows, box, y.tile, x.tile, row.tile), "rows");
        for (bool go = hit_domain_first(&box, i); go; go = hit_domain_next(&box, i)) {
            SLOT(&y, SLOT(&row, i[0]), i[1]) = SLOT(&x, i[0], i[1]) - i[1];
        }
    }
    drop_narrow(&row);
    drop_field(s, &y);
    drop_field(s, &x);
}

static void try_columns(scene *s)
{
    const hit_index n = pick(s, 1, 14);
    const hit_index m = pick(s, 1, 12);
    field x = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field y =
        make_field(s, hit_domain_of(m, n + 3), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index number[MOST];
    field column;

    choose_cells(s);
    shuffle(s, 0, n + 2, number);
    column = make_narrow(s, HIT_UINT16, 1, n, number);
    note(s,
         hit_launch(s->hit, &scatter_columns, hit_domain_of(n), y.tile, x.tile,
                    column.tile),
         "columns");
    for (hit_index i = 0; i < n; i++) {
        for (hit_index k = 0; k < m; k++) {
            SLOT(&y, k, SLOT(&column, i + 1)) = 2 * SLOT(&x, i, k) - i;
        }
    }
    drop_narrow(&column);
    drop_field(s, &y);
    drop_field(s, &x);
}

static void try_dense(scene *s)
{
    const hit_index n = pick(s, 1, 12);
    const hit_index w = pick(s, 1, 5);
    const hit_index m = w + pick(s, 0, 9);
    field a = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field entry =
        make_field(s, hit_domain_of(n, w), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field column =
        make_field(s, hit_domain_of(n, w), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index number[MOST];

    choose_cells(s);
    for (hit_index i = 0; i < n; i++) {
        shuffle(s, 0, m - 1, number);
        for (hit_index k = 0; k < w; k++) {
            SLOT(&column, i, k) = number[k];
        }
    }
    HIT_MUST(hit_tile_scatter(column.tile, 0, column.want));
    note(
        s,
        hit_launch(s->hit, &scatter_dense, entry.domain, a.tile, entry.tile, column.tile),
        "dense");
    for (hit_index i = 0; i < n; i++) {
        for (hit_index k = 0; k < w; k++) {
            SLOT(&a, i, SLOT(&column, i, k)) = SLOT(&entry, i, k);
        }
    }
    drop_field(s, &column);
    drop_field(s, &entry);
    drop_field(s, &a);
}

static void try_both(scene *s)
{
    const hit_index n = pick(s, 1, 80);
    field x = make_line(s, 0, n - 1);
    field y = make_line(s, 0, n - 1);
    field to = make_line(s, 0, n - 1);
    field from = make_line(s, 0, n - 1);

    choose_cells(s);
    set_places(s, &to, 0, n - 1);
    set_places(s, &from, 0, n - 1);
    for (int t = 0; t < 4; t++) {
        field *target = t % 2 == 0 ? &y : &x;
        field *source = t % 2 == 0 ? &x : &y;

        note(s,
             hit_launch(s->hit, &scatter_both, x.domain, target->tile, source->tile,
                        to.tile, from.tile),
             "both");
        for (hit_index i = 0; i < n; i++) {
            SLOT(target, SLOT(&to, i)) = SLOT(source, SLOT(&from, i)) + SLOT(&to, i);
        }
    }
    drop_field(s, &from);
    drop_field(s, &to);
    drop_field(s, &y);
    drop_field(s, &x);
}

const trial trials[] = {{"put", try_put},     {"where", try_where},
                        {"rows", try_rows},   {"columns", try_columns},
                        {"dense", try_dense}, {"both", try_both}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);
