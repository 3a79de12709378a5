/* SPDX-License-Identifier: MIT
 * One trial per kind of access pattern: a launch, and the same by plain loops over whole
 * arrays. */
#include "hit/data/sig.h"
#include "tests/hit/launch/scene.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel line, star, corners, four, rows, transpose, twice, evens, shifted,
    product, totals, many, diagonal, ahead, front, eliminate, behind, ends;

static void try_line(scene *s)
{
    const hit_domain box = random_box(s, 1, 40);
    const char *layout = pick_layout(s, 1);
    field now = make_field(s, box, pick_boundary(s), layout);
    field next = make_field(s, box, HIT_BOUNDARY_NONE, pick(s, 0, 1) ? layout : "block");

    for (int step = 0; step < 3; step++) {
        HIT_MUST(hit_launch(s->hit, &line, box, next.tile, now.tile));
        for (hit_index i = box.sig[0].begin; i <= box.sig[0].end; i++) {
            SLOT(&next, i) =
                3 * WANT(&now, i - 3) + WANT(&now, i) - 5 * WANT(&now, i + 2) + i;
        }
    }
    drop_field(s, &now);
    drop_field(s, &next);
}

static void step_star(const field *now, field *next, const hit_domain *box, int64_t c)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        const hit_index i = x[0];
        const hit_index j = x[1];

        SLOT(next, i, j) = c * WANT(now, i - 2, j) + 2 * WANT(now, i + 1, j) +
                           3 * WANT(now, i, j - 1) - WANT(now, i, j + 3) + 10 * i - j;
    }
}

/* Several steps with swapped tiles: halos must be seen anew after every write, and kept
 * otherwise. */
static void try_star(scene *s)
{
    const hit_domain box = random_box(s, 2, 14);
    const char *layout = pick_layout(s, 2);
    field a = make_field(s, box, pick_boundary(s), layout);
    field b = make_field(s, box, a.boundary[0], layout);

    for (int step = 0; step < 4; step++) {
        HIT_MUST(hit_launch(s->hit, &star, box, b.tile, a.tile, HIT_VALUE((int64_t){3})));
        step_star(&a, &b, &box, 3);
        if (pick(s, 0, 2) > 0) {
            const field kept = a;

            a = b;
            b = kept;
        }
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_corners(scene *s)
{
    const hit_domain box = random_box(s, 3, 7);
    field now = make_field(s, box, pick_boundary(s), pick_layout(s, 3));
    field next = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 3));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &corners, box, next.tile, now.tile));
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        const hit_index i = x[0];
        const hit_index j = x[1];
        const hit_index k = x[2];

        SLOT(&next, i, j, k) =
            WANT(&now, i - 1, j - 1, k - 2) + 2 * WANT(&now, i + 1, j + 1, k) +
            3 * WANT(&now, i, j, k - 1) + 4 * WANT(&now, i - 1, j + 1, k);
    }
    drop_field(s, &now);
    drop_field(s, &next);
}

/* On a strided part of the domain. */
static void try_four(scene *s)
{
    const hit_domain box = random_box(s, 4, 5);
    hit_domain part = box;
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 4));
    field b = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 4));
    hit_index x[HIT_MAX_DIMS];

    for (int d = 0; d < 4; d++) {
        part.sig[d] =
            hit_sig_make(box.sig[d].begin, box.sig[d].end, d % 2 ? pick(s, 1, 3) : 1);
    }
    HIT_MUST(hit_launch(s->hit, &four, part, a.tile, b.tile));
    for (bool go = hit_domain_first(&part, x); go; go = hit_domain_next(&part, x)) {
        SLOT(&a, x[0], x[1], x[2], x[3]) +=
            2 * SLOT(&b, x[0], x[1], x[2], x[3]) + x[0] - x[3];
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_rows(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain row = {1, {box.sig[0]}};
    const hit_domain column = {1, {box.sig[1]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_field(s, column, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, row, HIT_BOUNDARY_NONE, pick_layout(s, 1));

    HIT_MUST(hit_launch(s->hit, &rows, row, y.tile, a.tile, x.tile));
    for (hit_index i = row.sig[0].begin; i <= row.sig[0].end; i++) {
        SLOT(&y, i) = 0;
        for (hit_index j = column.sig[0].begin; j <= column.sig[0].end; j++) {
            SLOT(&y, i) += SLOT(&a, i, j) * SLOT(&x, j);
        }
    }
    drop_field(s, &a);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_transpose(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain turned = {2, {box.sig[1], box.sig[0]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, turned, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &transpose, box, b.tile, a.tile));
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        SLOT(&b, x[1], x[0]) = SLOT(&a, x[0], x[1]);
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

/* Coefficients other than 1, with an explicit layout, so that writes land at other
 * processes too. */
static void try_twice(scene *s)
{
    const hit_domain small = hit_domain_of(pick(s, 1, 20));
    const hit_domain large = hit_domain_of(2 * hit_domain_count(&small));
    field a = make_field(s, small, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field b = make_field(s, large, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(s->hit, small, pick_layout(s, 1), &layout));
    HIT_MUST(hit_launch_on(s->hit, layout, &twice, small, b.tile, a.tile));
    for (hit_index i = 0; i <= small.sig[0].end; i++) {
        SLOT(&b, 2 * i) = SLOT(&a, i);
        SLOT(&b, 2 * i + 1) = -SLOT(&a, i);
    }
    HIT_MUST(hit_launch(s->hit, &evens, small, b.tile, a.tile));
    for (hit_index i = 0; i <= small.sig[0].end; i++) {
        SLOT(&b, 2 * i) = SLOT(&a, i) + 1;
    }
    hit_layout_destroy(&layout);
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_shifted(scene *s)
{
    const hit_domain box = hit_domain_of(pick(s, 2, 12), pick(s, 2, 12));
    hit_domain part = box;
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_layout *layout = NULL;
    hit_index x[HIT_MAX_DIMS];

    part.sig[0].end--;
    part.sig[1] = hit_sig_make(1, box.sig[1].end, 1);
    HIT_MUST(hit_layout_create(s->hit, box, pick_layout(s, 2), &layout));
    HIT_MUST(hit_launch_on(s->hit, pick(s, 0, 1) ? layout : NULL, &shifted, part, b.tile,
                           a.tile));
    for (bool go = hit_domain_first(&part, x); go; go = hit_domain_next(&part, x)) {
        SLOT(&b, x[0] + 1, x[1]) = SLOT(&a, x[0], x[1] - 1);
    }
    hit_layout_destroy(&layout);
    drop_field(s, &a);
    drop_field(s, &b);
}

/* SUMMA: a loop over panels of columns of a and rows of b, which are selections. */
static void try_product(scene *s)
{
    const hit_index k_size = pick(s, 1, 12);
    const hit_domain box = hit_domain_of(pick(s, 1, 12), pick(s, 1, 12));
    const hit_domain left = hit_domain_of(hit_sig_count(box.sig[0]), k_size);
    const hit_domain right = hit_domain_of(k_size, hit_sig_count(box.sig[1]));
    const hit_index panel = pick(s, 1, 5);
    field a = make_field(s, left, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, right, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field c = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    for (hit_index k = 0; k < k_size; k += panel) {
        hit_domain columns = left;
        hit_domain lines = right;
        hit_tile *a_panel = NULL;
        hit_tile *b_panel = NULL;

        columns.sig[1] = hit_sig_slice(left.sig[1], k, k + panel - 1);
        lines.sig[0] = hit_sig_slice(right.sig[0], k, k + panel - 1);
        HIT_MUST(hit_tile_select(a.tile, columns, &a_panel));
        HIT_MUST(hit_tile_select(b.tile, lines, &b_panel));
        HIT_MUST(hit_launch(s->hit, &product, box, c.tile, a_panel, b_panel));
        hit_tile_destroy(&a_panel);
        hit_tile_destroy(&b_panel);
    }
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        for (hit_index k = 0; k < k_size; k++) {
            SLOT(&c, x[0], x[1]) += SLOT(&a, x[0], k) * SLOT(&b, k, x[1]);
        }
    }
    drop_field(s, &a);
    drop_field(s, &b);
    drop_field(s, &c);
}

static void want_totals(const field *a, field *total, field *column, field *most,
                        field *least)
{
    hit_index x[HIT_MAX_DIMS];

    *total->want = 0;
    *least->want = INT64_MAX;
    for (hit_index k = 0; k < column->count; k++) {
        column->want[k] = 0;
    }
    for (hit_index k = 0; k < most->count; k++) {
        most->want[k] = INT64_MIN;
    }
    for (bool go = hit_domain_first(&a->domain, x); go;
         go = hit_domain_next(&a->domain, x)) {
        const int64_t value = SLOT(a, x[0], x[1]);

        *total->want += value;
        SLOT(column, x[1]) += value;
        if (value > SLOT(most, x[0])) SLOT(most, x[0]) = value;
        if (value < *least->want) *least->want = value;
    }
}

static void try_totals(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain row = {1, {box.sig[0]}};
    const hit_domain line_ = {1, {box.sig[1]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field total =
        make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, pick_layout(s, 0));
    field least = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    field column = make_field(s, line_, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field most = make_field(s, row, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    int64_t value = 0;

    HIT_MUST(hit_launch(s->hit, &totals, box, total.tile, column.tile, most.tile,
                        least.tile, a.tile));
    want_totals(&a, &total, &column, &most, &least);
    HIT_MUST(hit_tile_get(total.tile, NULL, &value));
    if (value != *total.want) {
        s->good = false;
        snprintf(s->text + strlen(s->text), 60, ": hit_tile_get() gives %lld",
                 (long long)value);
    }
    drop_field(s, &a);
    drop_field(s, &total);
    drop_field(s, &least);
    drop_field(s, &column);
    drop_field(s, &most);
}

static void try_many(scene *s)
{
    const hit_domain box = random_box(s, 1, 30);
    field f[8];

    for (int k = 0; k < 8; k++) {
        f[k] = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    }
    HIT_MUST(hit_launch(s->hit, &many, box, f[0].tile, f[1].tile, f[2].tile, f[3].tile,
                        f[4].tile, f[5].tile, f[6].tile, f[7].tile,
                        HIT_VALUE((int64_t){2}), HIT_VALUE((int64_t){3}),
                        HIT_VALUE((int64_t){5}), HIT_VALUE((int64_t){7})));
    for (hit_index k = 0; k < f[0].count; k++) {
        f[0].want[k] = f[1].want[k] + 2 * f[2].want[k] + 3 * f[3].want[k] +
                       5 * f[4].want[k] + 7 * f[5].want[k] + f[6].want[k] * f[7].want[k];
    }
    for (int k = 0; k < 8; k++) {
        drop_field(s, &f[k]);
    }
}

/* From any layout to any other, also of a part. */
static void try_copy(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain other = random_box(s, 2, 12);
    const hit_domain common = hit_domain_intersect(&box, &other);
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, other, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_copy(a.tile, b.tile));
    for (bool go = hit_domain_first(&common, x); go; go = hit_domain_next(&common, x)) {
        SLOT(&b, x[0], x[1]) = SLOT(&a, x[0], x[1]);
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

/* A tile that is distributed anew in the middle of a run keeps its values, boundary and
 * halos. */
static void try_relayout(scene *s)
{
    const hit_domain box = random_box(s, 2, 14);
    const char *layout = pick_layout(s, 2);
    field a = make_field(s, box, pick_boundary(s), layout);
    field b = make_field(s, box, a.boundary[0], layout);

    for (int step = 0; step < 4; step++) {
        hit_layout *next = NULL;
        const field kept = a;

        HIT_MUST(hit_launch(s->hit, &star, box, b.tile, a.tile, HIT_VALUE((int64_t){2})));
        step_star(&a, &b, &box, 2);
        HIT_MUST(hit_layout_create(s->hit, box, pick_layout(s, 2), &next));
        if (step % 2 == 0) HIT_MUST(hit_tile_relayout(a.tile, next));
        HIT_MUST(hit_tile_relayout(b.tile, next));
        hit_layout_destroy(&next);
        a = b;
        b = kept;
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

/* Elements that are no union of boxes; values with the names that macros might use. */
static void try_diagonal(scene *s)
{
    const hit_index n = pick(s, 1, 14);
    const hit_domain box = hit_domain_of(n, n);
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));

    HIT_MUST(hit_launch(s->hit, &diagonal, hit_domain_of(n), a.tile,
                        HIT_VALUE((int64_t)1), HIT_VALUE((int64_t)2),
                        HIT_VALUE((int64_t)3), HIT_VALUE((int64_t)4)));
    for (hit_index i = 0; i < n; i++) {
        SLOT(&a, i, i) += 4321;
    }
    drop_field(s, &a);
}

/* The anchor "[i+1, j]" leaves the tile: the indices are split all the same. */
static void try_ahead(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    field a = make_field(s, box, pick_boundary(s), pick_layout(s, 2));
    field total = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &ahead, box, total.tile, a.tile));
    *total.want = 0;
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        *total.want += (3 * x[0] + x[1]) * WANT(&a, x[0] + 1, x[1]);
    }
    drop_field(s, &a);
    drop_field(s, &total);
}

/* Results beside elements that stay. */
static void try_ends(scene *s)
{
    field to =
        make_field(s, hit_domain_of(pick(s, 7, 9)), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field from = make_field(s, hit_domain_of(30), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field top = make_field(s, hit_domain_of(3), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int step = 0; step < 4; step++) {
        const hit_domain box = random_part(s, &from.domain);
        const hit_index k = pick(s, 3, 6);

        HIT_MUST(
            hit_launch(s->hit, &ends, box, to.tile, top.tile, from.tile, HIT_VALUE(k)));
        SLOT(&to, 3) = SLOT(&to, 4) = SLOT(&to, k) = SLOT(&to, 6) = 0;
        SLOT(&top, 1) = INT64_MIN;
        for (hit_index i = box.sig[0].begin; i <= box.sig[0].end;
             i += box.sig[0].stride) {
            SLOT(&to, 3) += SLOT(&from, i);
            SLOT(&to, k) += 7;
            if (SLOT(&from, i) > SLOT(&top, 1)) SLOT(&top, 1) = SLOT(&from, i);
        }
    }
    drop_field(s, &to);
    drop_field(s, &from);
    drop_field(s, &top);
}

static hit_index last_of(const field *f, int dim)
{
    return f->domain.sig[dim].end;
}

/* Each row from the two before it, all rows of one tile. */
static void try_front(scene *s)
{
    field a = make_field(s, random_box(s, 2, 16), pick_boundary(s), pick_layout(s, 2));
    const hit_index first = a.domain.sig[1].begin + 1;
    const hit_index stride = pick(s, 1, 2);

    for (hit_index d = a.domain.sig[0].begin + 2; d <= last_of(&a, 0); d++) {
        hit_domain box = a.domain;

        box.sig[0] = hit_sig_make(d, d, 1);
        box.sig[1] = hit_sig_make(first, last_of(&a, 1) - 1, stride);
        HIT_MUST(hit_launch(s->hit, &front, box, a.tile, a.tile, a.tile));
        for (hit_index i = first; i < last_of(&a, 1); i += stride) {
            SLOT(&a, d, i) = SLOT(&a, d - 1, i - 1) + 2 * SLOT(&a, d - 1, i + 1) -
                             SLOT(&a, d - 2, i) + i;
        }
    }
    drop_field(s, &a);
}

static void eliminate_plain(field *a, const hit_domain *box)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        SLOT(a, x[1], x[2]) =
            (SLOT(a, x[1], x[2]) - SLOT(a, x[1], x[0]) * SLOT(a, x[0], x[2])) % 1000;
    }
}

/* A tile that is written, its column and its row. */
static void try_eliminate(scene *s)
{
    const hit_index n = pick(s, 1, 12);
    field a = make_field(s, hit_domain_of(n, n), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (hit_index k = 0; k < n; k++) {
        const hit_sig rest = hit_sig_make(k + 1, n - 1, 1);
        const hit_domain box = {3, {hit_sig_make(k, k, 1), rest, rest}};

        HIT_MUST(hit_launch(s->hit, &eliminate, box, a.tile, a.tile, a.tile));
        eliminate_plain(&a, &box);
    }
    drop_field(s, &a);
}

/* One tile, or two of the same shape on more indices, in turn. */
static void try_behind(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 6, 40));
    const char *layout = pick_layout(s, 1);
    field a = make_field(s, all, HIT_BOUNDARY_NONE, layout);
    field b = make_field(s, all, HIT_BOUNDARY_NONE, layout);

    for (int step = 0; step < 8; step++) {
        const field *from = pick(s, 0, 1) ? &a : &b;
        const hit_index first = pick(s, 5, last_of(&a, 0));
        const hit_index most = from == &a ? 5 : 12;
        hit_index last = first + pick(s, 0, most - 1);

        if (last > last_of(&a, 0)) last = last_of(&a, 0);
        HIT_MUST(hit_launch(s->hit, &behind, hit_domain_box(1, &first, &last), a.tile,
                            from->tile));
        for (hit_index i = first; i <= last; i++) {
            SLOT(&a, i) = 2 * SLOT(from, i - 5) + 1;
        }
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

const trial trials[] = {
    {"line", try_line},           {"star", try_star},
    {"corners", try_corners},     {"four", try_four},
    {"rows", try_rows},           {"transpose", try_transpose},
    {"twice", try_twice},         {"shifted", try_shifted},
    {"product", try_product},     {"totals", try_totals},
    {"many", try_many},           {"copy", try_copy},
    {"relayout", try_relayout},   {"diagonal", try_diagonal},
    {"ahead", try_ahead},         {"front", try_front},
    {"eliminate", try_eliminate}, {"behind", try_behind},
    {"ends", try_ends},
};

const int trial_count = sizeof(trials) / sizeof(trials[0]);
