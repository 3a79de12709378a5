/* SPDX-License-Identifier: MIT
 * Launches on the indices for which random inequalities with elements of arguments hold,
 * each beside loops with an if. Tables of these are exact, or have few cells. */
#include "hit/base/context.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel data_around, data_coarse, data_sums, data_solid;

/* What may be asked of index (i, j), with the elements of `mask` and `last`. */
typedef struct question {
    const char *text;
    bool (*holds)(hit_index i, hit_index j, hit_index mask, hit_index last, hit_index b);
} question;

#define QUESTION(name, expression)                                                       \
    static bool name(hit_index i, hit_index j, hit_index mask, hit_index last,           \
                     hit_index b)                                                        \
    {                                                                                    \
        (void)i, (void)j, (void)mask, (void)last, (void)b;                               \
        return expression;                                                               \
    }
QUESTION(is_set, mask > 0)
QUESTION(is_two, mask == 2)
QUESTION(is_less, 0 <= mask && mask < b)
QUESTION(is_both, j <= i + 9 && mask >= b - 2)
QUESTION(is_before, j < last)
QUESTION(is_after, last - 3 <= j && mask != 0 - 1 && mask + 1 > 0)
QUESTION(is_either, mask == 1 || j > last + 2)
QUESTION(is_any, i<4 || mask> 1 || mask < 0)
QUESTION(is_rim, mask > 0 || (i < b + 3 && last > 4) || (j < 2 && mask < 0))
QUESTION(is_along, mask <= j - 3 || i + 2 == mask)

static const question questions[] = {
    {"mask > 0", is_set},
    {"mask == 2", is_two},
    {"0 <= mask < b", is_less},
    {"j <= i + 9 and mask >= b - 2", is_both},
    {"j < last", is_before},
    {"last - 3 <= j, mask + 1 > 0", is_after},
    {"mask == 1 or j > last + 2", is_either},
    {"i < 4 or mask > 1 or mask < 0", is_any},
    {"mask > 0 or i < b + 3 and last > 4 or j < 2 and mask < 0", is_rim},
    {"mask <= j - 3 or i + 2 == mask", is_along}};

static const question *pick_question(scene *s)
{
    return &questions[pick(s, 0, sizeof(questions) / sizeof(questions[0]) - 1)];
}

/* Land in one piece, or anywhere, or none. */
static void set_mask(scene *s, field *f)
{
    const hit_index kind = pick(s, 0, 3);
    const hit_index from = pick(s, 0, f->count);
    const hit_index to = pick(s, 0, f->count);

    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = kind == 0   ? pick(s, -1, 2)
                     : kind == 1 ? 2 * (pick(s, 0, 9) == 0)
                     : kind == 2 ? 2 * (k >= from && k < to)
                                 : pick(s, 0, 20) > 0;
    }
    HIT_MUST(hit_tile_scatter(f->tile, 0, f->want));
}

static void set_last(scene *s, field *f, hit_index most)
{
    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = pick(s, -2, most);
    }
    HIT_MUST(hit_tile_scatter(f->tile, 0, f->want));
}

static void choose_cells(scene *s)
{
    s->hit->launcher->most_cells = pick(s, 0, 1) ? pick(s, 1, 9) : HIT_MOST_CELLS;
}

static field make_plain(scene *s, hit_domain domain)
{
    return make_field(s, domain, HIT_BOUNDARY_NONE, pick_layout(s, domain.dims));
}

static void try_around(scene *s)
{
    const hit_index n = pick(s, 3, 30);
    const hit_index m = pick(s, 0, 9) > 0 ? pick(s, 3, 40) : 2500;
    const hit_domain all = hit_domain_of(n, m);
    const hit_domain inner = hit_domain_grow(all, -1);
    field x = make_plain(s, all);
    field y = make_plain(s, all);
    field mask = make_plain(s, all);
    field last = make_plain(s, hit_domain_of(n));

    choose_cells(s);
    set_mask(s, &mask);
    set_last(s, &last, m);
    for (int t = 0; t < 4; t++) {
        const question *q = pick_question(s);
        const hit_domain box = pick(s, 0, 1) ? inner : random_part(s, &inner);
        const hit_index b = pick(s, -1, 3);
        const field kept = x;
        hit_index of[HIT_MAX_DIMS];

        if (t == 2) set_mask(s, &mask);
        note(s,
             hit_launch(s->hit, &data_around, box, y.tile, x.tile, mask.tile, last.tile,
                        HIT_VALUE(b), HIT_WHERE(q->text)),
             q->text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            const hit_index i = of[0];
            const hit_index j = of[1];

            if (!q->holds(i, j, SLOT(&mask, i, j), SLOT(&last, i), b)) continue;
            SLOT(&y, i, j) = SLOT(&x, i, j) + 2 * SLOT(&x, i - 1, j) -
                             3 * SLOT(&x, i + 1, j) + 5 * SLOT(&x, i, j - 1) -
                             7 * SLOT(&x, i, j + 1) + i - j + b;
        }
        x = y;
        y = kept;
    }
    drop_field(s, &last);
    drop_field(s, &mask);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_coarse(scene *s)
{
    const hit_index n = pick(s, 1, 20);
    const hit_index m = pick(s, 1, 20);
    const int32_t shift = (int32_t)pick(s, 0, 3);
    const hit_domain all = hit_domain_of(n, m);
    field x = make_plain(s, all);
    field y = make_plain(s, hit_domain_of(m, n));
    field mask = make_plain(s, hit_domain_of((m + 1) / 2, 3));
    field last = make_plain(s, hit_domain_of(m + 3));

    choose_cells(s);
    set_mask(s, &mask);
    set_last(s, &last, m);
    for (int t = 0; t < 3; t++) {
        const question *q = pick_question(s);
        const hit_domain box = random_part(s, &all);
        const hit_index b = pick(s, -1, 3);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch(s->hit, &data_coarse, box, y.tile, x.tile, mask.tile, last.tile,
                        HIT_VALUE(b), HIT_VALUE(shift), HIT_WHERE(q->text)),
             q->text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            const hit_index i = of[0];
            const hit_index j = of[1];
            int64_t sum = b + shift;

            if (!q->holds(i, j, SLOT(&mask, j / 2, i % 3), SLOT(&last, j + shift), b)) {
                continue;
            }
            for (hit_index k = 0; k <= j; k++) {
                sum += (k + 1) * SLOT(&x, i, k);
            }
            SLOT(&y, j, i) = 2 * SLOT(&y, j, i) + sum;
        }
    }
    drop_field(s, &last);
    drop_field(s, &mask);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_solid(scene *s)
{
    const hit_index n = pick(s, 1, 9);
    const hit_index m = pick(s, 1, 9);
    const hit_index l = pick(s, 1, 9);
    field x = make_plain(s, hit_domain_of(l, m, n));
    field y = make_plain(s, hit_domain_of(n, m, l));
    field mask = make_plain(s, hit_domain_of(l, n, m));
    field last = make_plain(s, hit_domain_of(m));

    choose_cells(s);
    set_mask(s, &mask);
    set_last(s, &last, 9);
    for (int t = 0; t < 3; t++) {
        const question *q = pick_question(s);
        const hit_domain box = random_part(s, &y.domain);
        const hit_index b = pick(s, -1, 3);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch(s->hit, &data_solid, box, y.tile, x.tile, mask.tile, last.tile,
                        HIT_VALUE(b), HIT_WHERE(q->text)),
             q->text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            const hit_index i = of[0];
            const hit_index j = of[1];
            const hit_index k = of[2];

            if (!q->holds(i, j, SLOT(&mask, k, i, j), SLOT(&last, j), b)) continue;
            SLOT(&y, i, j, k) = 2 * SLOT(&x, k, j, i) + i - 2 * j + 3 * k + b;
        }
    }
    drop_field(s, &last);
    drop_field(s, &mask);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_sums(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 1, 24), pick(s, 1, 24));
    field x = make_plain(s, all);
    field mask = make_plain(s, all);
    field last = make_plain(s, hit_domain_box(1, &all.sig[0].begin, &all.sig[0].end));
    field total = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");

    choose_cells(s);
    set_mask(s, &mask);
    set_last(s, &last, 24);
    for (int t = 0; t < 3; t++) {
        const question *q = pick_question(s);
        const hit_domain box = random_part(s, &all);
        const hit_index b = pick(s, -1, 3);
        int64_t found = 0;
        int64_t sum = 0;
        int64_t most = INT64_MIN;
        hit_index of[HIT_MAX_DIMS];

        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            const int64_t here = SLOT(&x, of[0], of[1]);

            if (!q->holds(of[0], of[1], SLOT(&mask, of[0], of[1]), SLOT(&last, of[0]),
                          b)) {
                continue;
            }
            sum += here + b;
            if (here > most) most = here;
        }
        note(s,
             hit_launch(s->hit, &data_sums, box, total.tile, HIT_RESULT(&found), x.tile,
                        mask.tile, last.tile, HIT_VALUE(b), HIT_WHERE(q->text)),
             q->text);
        total.want[0] = sum; /* 0 where nothing is left */
        if (!s->good || found == most) continue;
        s->good = false;
        snprintf(s->text, sizeof(s->text), "%s: maximum %lld, expected %lld", q->text,
                 (long long)found, (long long)most);
    }
    drop_field(s, &total);
    drop_field(s, &last);
    drop_field(s, &mask);
    drop_field(s, &x);
}

const trial trials[] = {{"around", try_around},
                        {"coarse", try_coarse},
                        {"solid", try_solid},
                        {"sums", try_sums}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);
