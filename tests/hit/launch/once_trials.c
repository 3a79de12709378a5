/* SPDX-License-Identifier: MIT
 * Launches of kernels of no index, each beside plain C. */
#include "hit/data/sig.h"
#include "tests/hit/launch/scene.h"

extern const hit_kernel once_step, once_turn, once_sum, once_pick, once_box;

static field make_line(scene *s, hit_index begin, hit_index end)
{
    return make_field(s, hit_domain_box(1, &begin, &end), HIT_BOUNDARY_NONE,
                      pick_layout(s, 1));
}

static void step(scene *s, const field *sum, const field *path, hit_index k)
{
    hit_layout *by[] = {NULL, hit_tile_layout(sum->tile), NULL};

    note(s,
         hit_launch_on(s->hit, by[pick(s, 0, 2)], &once_step, hit_domain_scalar(),
                       sum->tile, path->tile, HIT_VALUE(k)),
         "step");
    sum->want[0] += k;
    SLOT(path, k) += sum->want[0];
    SLOT(path, k + 1) -= sum->want[0];
}

static void try_step(scene *s)
{
    const hit_index n = pick(s, 2, 40);
    field sum = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE,
                           pick(s, 0, 1) ? "block" : "single");
    field path = make_line(s, -1, n);

    for (hit_index k = -1; k < n; k++) {
        step(s, &sum, &path, k);
    }
    drop_field(s, &path);
    drop_field(s, &sum);
}

static void try_turn(scene *s)
{
    const hit_index n = pick(s, 1, 60);
    field x = make_line(s, -3, n);
    field y = make_line(s, -3, n);

    for (int t = 0; t < 3; t++) {
        field *from = t % 2 == 0 ? &x : &y;
        field *to = t % 2 == 0 ? &y : &x;

        note(s, hit_launch(s->hit, &once_turn, hit_domain_scalar(), to->tile, from->tile),
             "turn");
        for (hit_index i = -3; i <= n; i++) {
            SLOT(to, i) = SLOT(from, n - 3 - i) - i;
        }
    }
    drop_field(s, &y);
    drop_field(s, &x);
}

static void try_sum(scene *s)
{
    const hit_index n = pick(s, 1, 20);
    const hit_index m = pick(s, 1, 9);
    field x = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    const hit_index first = pick(s, 0, n - 1);
    const int last = (int)pick(s, first, n - 1);
    field total = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    int64_t found = 0;
    int64_t most = INT64_MIN;

    note(s,
         hit_launch(s->hit, &once_sum, hit_domain_scalar(), total.tile,
                    HIT_RESULT(&found), x.tile, HIT_VALUE(first), HIT_VALUE(last)),
         "sum");
    total.want[0] = 0;
    for (hit_index i = first; i <= last; i++) {
        for (hit_index j = 0; j < m; j++) {
            total.want[0] += (i + 1) * SLOT(&x, i, j);
            if (SLOT(&x, i, j) > most) most = SLOT(&x, i, j);
        }
    }
    if (found != most && s->good) note(s, HIT_E_CHECK, "another maximum");
    drop_field(s, &total);
    drop_field(s, &x);
}

static void try_pick(scene *s)
{
    const hit_index n = pick(s, 1, 30);
    field y = make_line(s, 0, n - 1);
    field x = make_line(s, -2, 40);
    field from = make_line(s, 0, n - 1);

    for (hit_index i = 0; i < n; i++) {
        SLOT(&from, i) = pick(s, -2, 40);
    }
    HIT_MUST(hit_tile_scatter(from.tile, 0, from.want));
    for (int t = 0; t < 4; t++) {
        const hit_index k = pick(s, 0, n - 1);

        note(s,
             hit_launch(s->hit, &once_pick, hit_domain_scalar(), y.tile, x.tile,
                        from.tile, HIT_VALUE(k)),
             "pick");
        SLOT(&y, k) = 2 * SLOT(&x, SLOT(&from, k)) - SLOT(&y, k);
        note(s,
             hit_launch(s->hit, &once_pick, hit_domain_scalar(), y.tile, x.tile,
                        from.tile, HIT_VALUE(k), HIT_WHERE("at > k or k < 3")),
             "pick, if");
        if (SLOT(&from, k) > k || k < 3) {
            SLOT(&y, k) = 2 * SLOT(&x, SLOT(&from, k)) - SLOT(&y, k);
        }
        note(s, hit_launch(s->hit, &once_box, hit_domain_scalar(), y.tile, HIT_VALUE(k)),
             "box");
        SLOT(&y, k) = -SLOT(&y, k);
    }
    drop_field(s, &from);
    drop_field(s, &x);
    drop_field(s, &y);
}

const trial trials[] = {
    {"step", try_step}, {"turn", try_turn}, {"sum", try_sum}, {"pick", try_pick}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);
