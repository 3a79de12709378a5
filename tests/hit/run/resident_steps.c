/* SPDX-License-Identifier: MIT
 * Launches and loops. */
#include "tests/hit/run/resident_steps.h"

extern const hit_kernel blend, bump, multiply;

void step_blend(scene *s, const hit_domain *box, field *to, const field *from)
{
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &blend, *box, to->tile, from->tile));
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        SLOT(to, x[0], x[1]) =
            (3 * WANT(from, x[0] - 1, x[1]) + WANT(from, x[0] + 1, x[1]) +
             5 * WANT(from, x[0], x[1] - 2) + WANT(from, x[0], x[1] + 1) + x[0] - x[1]) %
            1009;
    }
}

void step_bump(scene *s, const hit_domain *box, field *c)
{
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &bump, *box, c->tile, HIT_VALUE((int64_t)7)));
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        SLOT(c, x[0], x[1]) = (SLOT(c, x[0], x[1]) * 7 + x[0] + 2 * x[1]) % 1009;
    }
}

void step_multiply(scene *s, const hit_domain *box, field *c, const field *a,
                   const field *b)
{
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &multiply, *box, c->tile, a->tile, b->tile));
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        int64_t sum = 3 * SLOT(c, x[0], x[1]);

        for (hit_index k = c->domain.sig[0].begin; k <= c->domain.sig[0].end; k++) {
            sum += SLOT(a, x[0], k) * SLOT(b, k, x[1]);
        }
        SLOT(c, x[0], x[1]) = sum;
    }
}
