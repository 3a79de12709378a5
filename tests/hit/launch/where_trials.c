/* SPDX-License-Identifier: MIT
 * Launches on the indices for which random inequalities hold, each beside loops with an
 * if. */
#include "hit/data/sig.h"
#include "tests/hit/launch/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel where_line, where_around, where_turned, where_rank, where_solid,
    where_sums, where_forward, where_backward, where_sweep, where_sweep_down;

/* ---- inequalities ---- */

/* left . x + low <= right . x + high + b * of, of which the text has b by name */
typedef struct inequality {
    hit_index left[3];
    hit_index right[3];
    hit_index low;
    hit_index high;
    hit_index b; /* times the value */
    bool strict;
    bool other; /* another alternative begins with it */
} inequality;

typedef struct part {
    int count;
    inequality of[4];
    hit_index b;
    char text[440];
} part;

static void print_sum(char *text, const hit_index coef[], hit_index offset)
{
    sprintf(text + strlen(text), "%lld", (long long)offset);
    for (int d = 0; d < 3; d++) {
        if (coef[d] == 0) continue;
        sprintf(text + strlen(text), " %c %lld*%c", coef[d] < 0 ? '-' : '+',
                (long long)llabs(coef[d]), "ijk"[d]);
    }
}

static void print_inequality(const inequality *of, char *text)
{
    print_sum(text, of->left, of->low);
    strcat(text, of->strict ? " < " : " <= ");
    print_sum(text, of->right, of->high);
    if (of->b != 0) strcat(text, of->b < 0 ? " - b" : " + b");
}

/* Mostly of two indices, as triangles and bands are. */
static part pick_part(scene *s, int dims, hit_index most, bool value)
{
    part p = {.count = (int)pick(s, 1, 4), .b = pick(s, -2, 3)};
    const bool several = pick(s, 0, 1);

    for (int k = 0; k < p.count; k++) {
        inequality *of = &p.of[k];
        const hit_index far = pick(s, 0, 7) == 0 ? most : most / 2;

        of->left[pick(s, 0, dims - 1)] = 1;
        of->right[pick(s, 0, dims - 1)] += pick(s, 0, 3) == 0 ? pick(s, -2, 3) : 1;
        if (pick(s, 0, 5) == 0) of->left[pick(s, 0, dims - 1)] -= pick(s, 1, 3);
        of->low = pick(s, -far / 2, 2);
        of->high = pick(s, -2, far);
        of->b = value ? pick(s, -1, 1) : 0;
        of->strict = pick(s, 0, 1);
        of->other = k > 0 && several && pick(s, 0, 2) > 0;
        if (k > 0) strcat(p.text, of->other ? " or " : pick(s, 0, 1) ? " and " : ", ");
        print_inequality(of, p.text);
    }
    return p;
}

static bool holds(const part *p, const hit_index x[], int dims)
{
    bool all = true;

    for (int k = 0; k < p->count; k++) {
        const inequality *of = &p->of[k];
        hit_index left = of->low + of->strict;
        hit_index right = of->high + of->b * p->b;

        for (int d = 0; d < dims; d++) {
            left += of->left[d] * x[d];
            right += of->right[d] * x[d];
        }
        if (of->other && all) return true;
        all = (all || of->other) && left <= right;
    }
    return all;
}

/* ---- launches ---- */

/* On a layout of its own now and then. */
static hit_layout *pick_split(scene *s, const hit_domain *domain)
{
    hit_layout *split = NULL;

    if (pick(s, 0, 2) == 0) {
        HIT_MUST(
            hit_layout_create(s->hit, *domain, pick_layout(s, domain->dims), &split));
    }
    return split;
}

static void try_line(scene *s)
{
    const hit_index n = pick(s, 1, 40);
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int t = 0; t < 3; t++) {
        const part p = pick_part(s, 1, n, true);
        const hit_domain box = random_part(s, &y.domain);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch(s->hit, &where_line, box, y.tile, x.tile, HIT_VALUE(p.b),
                        HIT_WHERE(p.text)),
             p.text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            if (holds(&p, of, 1)) SLOT(&y, of[0]) = 3 * SLOT(&x, of[0]) - of[0] + p.b;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

/* Again and again, from one buffer, with other numbers: what is known of a launch is not
 * taken for another one. */
static void try_again(scene *s)
{
    const hit_index n = pick(s, 1, 40);
    const hit_domain all = hit_domain_of(n);
    field x = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    part p[2] = {pick_part(s, 1, n, true), pick_part(s, 1, n, true)};
    char text[sizeof(p[0].text)];

    for (int t = 0; t < 12; t++) {
        part *one = &p[pick(s, 0, 3) == 0];
        const hit_domain box = pick(s, 0, 3) > 0 ? all : random_part(s, &all);
        hit_index of[HIT_MAX_DIMS];

        strcpy(text, one->text);
        if (pick(s, 0, 3) == 0) one->b = pick(s, -2, 3);
        note(s,
             hit_launch(s->hit, &where_line, box, y.tile, x.tile, HIT_VALUE(one->b),
                        HIT_WHERE(text)),
             text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            if (!holds(one, of, 1)) continue;
            SLOT(&y, of[0]) = 3 * SLOT(&x, of[0]) - of[0] + one->b;
        }
        if (pick(s, 0, 3) == 0) {
            const field kept = x;

            x = y;
            y = kept;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_around(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 3, 24), pick(s, 3, 24));
    const hit_boundary boundary = pick(s, 0, 1) ? HIT_BOUNDARY_NONE : pick_boundary(s);
    const hit_domain inner =
        boundary == HIT_BOUNDARY_NONE ? hit_domain_grow(all, -1) : all;
    field x = make_field(s, all, boundary, pick_layout(s, 2));
    field y = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_layout *split = pick_split(s, &all);

    for (int t = 0; t < 4; t++) {
        const part p = pick_part(s, 2, 24, true);
        const hit_domain box = pick(s, 0, 1) ? inner : random_part(s, &inner);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch_on(s->hit, split, &where_around, box, y.tile, x.tile,
                           HIT_VALUE(p.b), HIT_WHERE(p.text)),
             p.text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            const hit_index i = of[0];
            const hit_index j = of[1];

            if (!holds(&p, of, 2)) continue;
            SLOT(&y, i, j) = WANT(&x, i, j) + 2 * WANT(&x, i - 1, j) -
                             3 * WANT(&x, i + 1, j) + 5 * WANT(&x, i, j - 1) -
                             7 * WANT(&x, i, j + 1) + i - j + p.b;
        }
        if (boundary == HIT_BOUNDARY_NONE) {
            const field kept = x;

            x = y;
            y = kept;
        }
    }
    hit_layout_destroy(&split);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_turned(scene *s)
{
    const hit_index n = pick(s, 1, 20);
    const hit_index m = pick(s, 1, 20);
    const hit_domain all = hit_domain_of(n, m);
    field x = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field y = make_field(s, hit_domain_of(m, n), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_layout *split = pick_split(s, &all);

    for (int t = 0; t < 3; t++) {
        const part p = pick_part(s, 2, 20, true);
        const hit_domain box = random_part(s, &all);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch_on(s->hit, split, &where_turned, box, y.tile, x.tile,
                           HIT_VALUE(p.b), HIT_WHERE(p.text)),
             p.text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            int64_t sum = p.b;

            if (!holds(&p, of, 2)) continue;
            for (hit_index k = 0; k <= of[1]; k++) {
                sum += (k + 1) * SLOT(&x, of[0], k);
            }
            SLOT(&y, of[1], of[0]) = 2 * SLOT(&y, of[1], of[0]) + sum;
        }
    }
    hit_layout_destroy(&split);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_rank(scene *s)
{
    const hit_index n = pick(s, 1, 24);
    const hit_index m = pick(s, 1, 6);
    field c = make_field(s, hit_domain_of(n, n), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field a = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (int t = 0; t < 2; t++) { /* the second time it has a plan */
        note(s,
             hit_launch(s->hit, &where_rank, c.domain, c.tile, a.tile, a.tile,
                        HIT_WHERE("j <= i")),
             "rank");
        for (hit_index i = 0; i < n; i++) {
            for (hit_index j = 0; j <= i; j++) {
                for (hit_index k = 0; k < m; k++) {
                    SLOT(&c, i, j) += SLOT(&a, i, k) * SLOT(&a, j, k);
                }
            }
        }
    }
    drop_field(s, &c);
    drop_field(s, &a);
}

static void try_solid(scene *s)
{
    const hit_index n = pick(s, 1, 9);
    const hit_index m = pick(s, 1, 9);
    const hit_index l = pick(s, 1, 9);
    field x = make_field(s, hit_domain_of(l, m, n), HIT_BOUNDARY_NONE, pick_layout(s, 3));
    field y = make_field(s, hit_domain_of(n, m, l), HIT_BOUNDARY_NONE, pick_layout(s, 3));

    for (int t = 0; t < 3; t++) {
        const part p = pick_part(s, 3, 9, true);
        const hit_domain box = random_part(s, &y.domain);
        hit_index of[HIT_MAX_DIMS];

        note(s,
             hit_launch(s->hit, &where_solid, box, y.tile, x.tile, HIT_VALUE(p.b),
                        HIT_WHERE(p.text)),
             p.text);
        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            if (!holds(&p, of, 3)) continue;
            SLOT(&y, of[0], of[1], of[2]) =
                2 * SLOT(&x, of[2], of[1], of[0]) + of[0] - 2 * of[1] + 3 * of[2] + p.b;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_sums(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 1, 24), pick(s, 1, 24));
    field x = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (int t = 0; t < 3; t++) {
        const part p = pick_part(s, 2, 24, true);
        const hit_domain box = random_part(s, &all);
        int64_t found[2] = {0, 0};
        int64_t sum = 0;
        int64_t most = INT64_MIN;
        hit_index of[HIT_MAX_DIMS];

        for (bool go = hit_domain_first(&box, of); go; go = hit_domain_next(&box, of)) {
            if (!holds(&p, of, 2)) continue;
            sum += SLOT(&x, of[0], of[1]) + p.b;
            if (SLOT(&x, of[0], of[1]) > most) most = SLOT(&x, of[0], of[1]);
        }
        note(s,
             hit_launch(s->hit, &where_sums, box, HIT_RESULT(&found[0]),
                        HIT_RESULT(&found[1]), x.tile, HIT_VALUE(p.b), HIT_WHERE(p.text)),
             p.text);
        if (most == INT64_MIN || (found[0] == sum && found[1] == most) || !s->good) {
            continue;
        }
        s->good = false;
        snprintf(s->text, sizeof(s->text), "%s: sum %lld, expected %lld", p.text,
                 (long long)found[0], (long long)sum);
    }
    drop_field(s, &x);
}

static void try_solve(scene *s)
{
    const hit_index n = pick(s, 1, 24);
    const bool up = pick(s, 0, 1);
    field y = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field l = make_field(s, hit_domain_of(n, n), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    const hit_index b = pick(s, 0, 2);

    note(s,
         hit_launch(s->hit, up ? &where_forward : &where_backward, l.domain, y.tile,
                    l.tile, HIT_VALUE(b), HIT_WHERE(up ? "j < i" : "j > i")),
         "solve");
    for (hit_index k = 0; k < n; k++) {
        const hit_index i = up ? k : n - 1 - k;

        for (hit_index j = up ? 0 : i + 1; up ? j < i : j < n; j++) {
            SLOT(&y, i) = (SLOT(&y, i) - SLOT(&l, i, j) * SLOT(&y, j) + b) % 10007;
        }
    }
    drop_field(s, &y);
    drop_field(s, &l);
}

static void try_sweep(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 3, 20), pick(s, 3, 20));
    const hit_domain inner = hit_domain_grow(all, -1);
    const bool up = pick(s, 0, 1);
    field u = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (int t = 0; t < 2; t++) {
        const part p = pick_part(s, 2, 20, true);
        const hit_domain box = random_part(s, &inner);
        const hit_sig row = box.sig[0];
        const hit_sig along = box.sig[1];

        note(s,
             hit_launch(s->hit, up ? &where_sweep : &where_sweep_down, box, u.tile,
                        HIT_VALUE(p.b), HIT_WHERE(p.text)),
             p.text);
        for (hit_index i = row.begin; i <= row.end; i += row.stride) {
            for (hit_index k = 0; k < hit_sig_count(along); k++) {
                const hit_index j =
                    up ? along.begin + k * along.stride : along.end - k * along.stride;
                const hit_index of[3] = {i, j, 0};

                if (!holds(&p, of, 2)) continue;
                SLOT(&u, i, j) = (SLOT(&u, i - 1, j) + 2 * SLOT(&u, i + 1, j) +
                                  3 * SLOT(&u, i, j - 1) + 5 * SLOT(&u, i, j + 1) + p.b) %
                                 10007;
            }
        }
    }
    drop_field(s, &u);
}

const trial trials[] = {
    {"line", try_line},     {"again", try_again}, {"around", try_around},
    {"turned", try_turned}, {"rank", try_rank},   {"solid", try_solid},
    {"sums", try_sums},     {"solve", try_solve}, {"sweep", try_sweep}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);
