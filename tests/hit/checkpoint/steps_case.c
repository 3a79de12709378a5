/* SPDX-License-Identifier: MIT
 * Step t makes of the element at (i, j) three times itself, and i + 7 j + t; what it
 * reads and what it writes are exchanged, as a stencil does. */
#include "tests/hit/checkpoint/steps_case.h"

#include <string.h>

static uint64_t after_step(uint64_t value, const hit_index x[], hit_index t)
{
    return 3 * value + (uint64_t)(x[0] + 7 * x[1] + t);
}

static uint64_t after_all(const hit_index x[], hit_index count)
{
    uint64_t value = 0;

    for (hit_index t = 0; t < count; t++) {
        value = after_step(value, x, t);
    }
    return value;
}

static hit_tile *make(hit_context *hit, const char *layout, const char *name)
{
    hit_tile *tile;

    HIT_MUST(
        hit_tile_make(hit, hit_box_of(-3, 33, 5, 45), layout, HIT_INT64, name, &tile));
    return tile;
}

void steps_begin(steps *s, hit_context *hit, const char *layout)
{
    *s = (steps){.hit = hit, .first = -1, .share = 1, .seed = {"ab"}};
    s->now = make(hit, layout, "one");
    s->next = make(hit, layout, "other");
    HIT_MUST(hit_checkpoint_tile(hit, "now", &s->now));
    HIT_MUST(hit_checkpoint_tile(hit, "next", &s->next));
    HIT_MUST(hit_checkpoint_value(hit, "t", HIT_INT64, &s->t));
    HIT_MUST(hit_checkpoint_value(hit, "share", HIT_DOUBLE, &s->share));
    HIT_MUST(hit_checkpoint_value(hit, "seed", HIT_BYTES(steps_seed), &s->seed));
}

void steps_end(steps *s)
{
    hit_tile_destroy(&s->now);
    hit_tile_destroy(&s->next);
}

static void advance(steps *s)
{
    for (int piece = 0; piece < hit_tile_pieces(s->now); piece++) {
        hit_index x[HIT_MAX_DIMS];
        hit_view from;
        hit_view to;

        HIT_MUST(hit_tile_map(s->now, piece, HIT_READ, &from));
        HIT_MUST(hit_tile_map(s->next, piece, HIT_WRITE, &to));
        for (bool more = hit_domain_first(&to.domain, x); more;
             more = hit_domain_next(&to.domain, x)) {
            *(uint64_t *)hit_view_at(&to, x) =
                after_step(*(const uint64_t *)hit_view_at(&from, x), x, s->t);
        }
    }
    hit_tile_swap(&s->now, &s->next);
    s->share /= 2;
    s->seed.letter[0] = (char)('a' + s->t % 20);
}

hit_status steps_do(steps *s, hit_index until)
{
    for (; s->t < until; s->t++) {
        HIT_TRY(hit_checkpoint_step(s->hit));
        if (s->first < 0) {
            s->first = s->t;
            s->went_on = steps_right(s);
        }
        advance(s);
    }
    return HIT_OK;
}

static bool values_right(const steps *s)
{
    double share = 1;

    for (hit_index t = 0; t < s->t; t++) {
        share /= 2;
    }
    return share == s->share && s->seed.letter[1] == 'b' &&
           (s->t == 0 || s->seed.letter[0] == (char)('a' + (s->t - 1) % 20));
}

bool steps_right(const steps *s)
{
    for (int piece = 0; piece < hit_tile_pieces(s->now); piece++) {
        hit_index x[HIT_MAX_DIMS];
        hit_view now;
        hit_view next;

        HIT_MUST(hit_tile_map(s->now, piece, HIT_READ, &now));
        HIT_MUST(hit_tile_map(s->next, piece, HIT_READ, &next));
        for (bool more = hit_domain_first(&now.domain, x); more;
             more = hit_domain_next(&now.domain, x)) {
            if (*(uint64_t *)hit_view_at(&now, x) != after_all(x, s->t)) return false;
            if (s->t == 0) continue;
            if (*(uint64_t *)hit_view_at(&next, x) != after_all(x, s->t - 1)) {
                return false;
            }
        }
    }
    return values_right(s);
}
