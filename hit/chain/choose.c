/* SPDX-License-Identifier: MIT
 * Sizes of tiles. A tile sweeps along the first axis; what it touches on the way of all
 * steps, its working set, should stay in the cache of a core. Then the tiles move through
 * the memory once for all steps, and a little more: at the sides of a tile, which are
 * skewed, elements are loaded twice. The model says where to look; what is best on a
 * machine is found by trying its neighbours, since results do not depend on it. */
#include "hit/chain/tuner.h"
#include "hit/data/hash.h"

#include <stddef.h>
#include <string.h>

static const hit_index least_row = 512; /* elements: shorter rows lose in their loops */
static const hit_index box_elements = 1 << 14; /* fewer show the time of a call */

hit_choose_request hit_choose_request_of(const hit_skew *chain, int launches, int period)
{
    const hit_tiling all = hit_tiling_make(chain, launches);
    const int last = launches - 1;
    const int before = launches > period ? last - period : 0;
    const hit_chain_place *to = &chain->place[last];
    const hit_chain_place *from = &chain->place[before];
    hit_choose_request made = {.axes = chain->axes, .line = chain->line};

    for (int c = 0; c < chain->axes; c++) {
        made.extent[c] = all.end[c] - all.begin[c] + 1;
        made.shift[c] = hit_larger(to->shift[c] - from->shift[c], 0);
        made.growth[c] = hit_larger(to->growth[c] - from->growth[c], 0);
    }
    made.line_shift = hit_larger(to->line_shift - from->line_shift, 0);
    return made;
}

/* ---- the model ---- */

/* The axis whose width is chosen; the first axis is swept. */
static int side_axis(const hit_choose_request *r)
{
    return r->axes > 1 ? 1 : 0;
}

static hit_index shift_of(const hit_choose_request *r, const hit_choice *choice, int axis)
{
    return choice->lines && axis == r->axes - 1 ? r->line_shift : r->shift[axis];
}

static double working_bytes(const hit_choose_request *r, const hit_choice *choice)
{
    double bytes = (double)r->position_bytes;

    for (int c = 0; c < r->axes; c++) {
        const hit_index width = choice->width[c] > 0 ? choice->width[c] : r->extent[c];
        const hit_index skew = shift_of(r, choice, c) * (choice->steps + 1);
        const hit_index all = choice->width[c] > 0 ? width + skew : width;

        bytes *= (double)(all < r->extent[c] ? all : r->extent[c]);
    }
    return bytes;
}

/* Beside a step alone, whose cost is 1: what crosses the memory. */
static double cost(const hit_choose_request *r, const hit_choice *choice)
{
    const int side = side_axis(r);
    const int last = r->axes - 1;
    const double room = 0.75 * (double)r->cache_bytes;
    const double working = working_bytes(r, choice);
    const hit_index row = choice->width[last] > 0 ? choice->width[last] : r->extent[last];
    double sum = 1.0 / choice->steps;

    if (choice->width[side] > 0) {
        sum += (double)shift_of(r, choice, side) / (double)choice->width[side];
    }
    if (working > room) sum += working / room - 1;
    return sum + 32.0 / (double)row;
}

/* Do all threads have a chunk? */
static bool has_chunks(const hit_choose_request *r, int steps)
{
    hit_index chunks = 1;

    for (int c = 0; c < r->axes; c++) {
        const hit_index least = hit_larger((r->shift[c] + r->growth[c]) * steps, 1);

        chunks *= hit_larger(r->extent[c] / least, 1);
    }
    return chunks >= r->threads;
}

/* The width of a box along the first axis; 0: all of it. In a plane a few rows, but more
 * of short ones, since each box is a call. */
static hit_index first_width(const hit_choose_request *r, hit_index side)
{
    hit_index row;
    hit_index rows = 8;

    if (r->axes == 1) return 0;
    if (r->axes > 2) return r->axes == 3 ? 8 : 1;
    row = side < r->extent[1] ? side : r->extent[1];
    while (rows < 64 && rows * row < box_elements) {
        rows *= 2;
    }
    return rows;
}

static void set_widths(const hit_choose_request *r, hit_index side, hit_choice *choice)
{
    const int last = r->axes - 1;

    memset(choice->width, 0, sizeof(choice->width));
    choice->width[0] = first_width(r, side);
    if (side < r->extent[side_axis(r)]) choice->width[side_axis(r)] = side;
    if (last > 1 && r->extent[last] >= 3 * least_row) choice->width[last] = least_row;
}

/* The best width for so many steps, if it is better than what was found so far. */
static void try_steps(const hit_choose_request *r, int steps, hit_choice *best)
{
    static const hit_index near[] = {16, 24, 32, 48, 64, 96, 128, 256, 1024, 1 << 30};
    static const hit_index rows[] = {512,   1024,  2048,  4096,   8192,
                                     16384, 32768, 65536, 131072, 1 << 30};
    const hit_index *side = r->axes > 2 ? near : rows;

    if (steps > r->most_steps || !has_chunks(r, steps)) return;
    for (size_t w = 0; w < sizeof(rows) / sizeof(rows[0]); w++) {
        hit_choice one = {.steps = steps};

        set_widths(r, side[w], &one);
        if (best->steps == 0 || cost(r, &one) < cost(r, best)) *best = one;
    }
}

static hit_choice model_answer(const hit_choose_request *r)
{
    static const int steps[] = {2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32};
    hit_choice best = {.steps = 0};

    if (r->only_steps > 0) {
        try_steps(r, r->only_steps, &best);
        return best;
    }
    for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
        try_steps(r, steps[k], &best);
    }
    return best;
}

/* ---- what is tried ---- */

bool hit_choice_equal(const hit_choice *a, const hit_choice *b)
{
    return a->steps == b->steps && a->plain == b->plain && a->lines == b->lines &&
           memcmp(a->width, b->width, sizeof(a->width)) == 0;
}

static void add(const hit_choose_request *r, hit_choice one, hit_choice choice[],
                int *count)
{
    const int side = side_axis(r);

    if (one.steps > r->most_steps) one.steps = r->most_steps;
    if (r->only_steps > 0) one.steps = r->only_steps;
    if ((one.steps < 2 && r->only_steps == 0) || !has_chunks(r, one.steps)) return;
    if (one.width[side] >= r->extent[side]) one.width[side] = 0;
    if (one.width[r->axes - 1] == 0) one.lines = false; /* there is one tile */
    for (int k = 0; k < *count; k++) {
        if (hit_choice_equal(&choice[k], &one)) return;
    }
    choice[(*count)++] = one;
}

static hit_choice plain_choice(const hit_choose_request *r)
{
    const int steps = r->only_steps > 0 ? r->only_steps : 2;

    return (hit_choice){.steps = steps < r->most_steps ? steps : r->most_steps,
                        .plain = true};
}

/* What lies around the model's answer. */
static void add_near(const hit_choose_request *r, const hit_choice *best,
                     hit_choice choice[], int *count)
{
    static const struct {
        int steps; /* in halves of the answer's, both */
        int width;
        bool lines;
    } near[] = {{4, 2, false}, {2, 4, false}, {1, 4, false},
                {2, 2, true},  {2, 1, false}, {1, 2, false}};
    const int side = side_axis(r);

    for (size_t k = 0; k < sizeof(near) / sizeof(near[0]); k++) {
        hit_choice one = *best;

        one.steps = best->steps * near[k].steps / 2;
        one.width[side] = best->width[side] * near[k].width / 2;
        one.lines = near[k].lines;
        add(r, one, choice, count);
    }
}

/* The known choice, or, as it may be too wide for so few steps, one after the other. */
static int choose_known(const hit_choose_request *r, hit_choice choice[])
{
    int count = 0;

    if (!r->known->plain) {
        choice[count] = *r->known;
        choice[count++].steps = r->only_steps;
    }
    choice[count++] = plain_choice(r);
    return count;
}

int hit_choose(const hit_choose_request *request, hit_choice choice[])
{
    if (request->known != NULL) return choose_known(request, choice);

    const hit_choice best = model_answer(request);
    hit_choose_request larger = *request;
    hit_choice wide;
    int count = 0;

    larger.cache_bytes *= 4; /* that of all cores together helps */
    wide = model_answer(&larger);
    if (best.steps > 0) choice[count++] = best;
    choice[count++] = plain_choice(request);
    if (wide.steps > 0) {
        add(request, wide, choice, &count);
        wide.steps = 3 * wide.steps / 2;
        add(request, wide, choice, &count);
    }
    if (best.steps > 0) add_near(request, &best, choice, &count);
    return count;
}

/* ---- tilings ---- */

hit_tiling hit_choice_tiling(const hit_choice *choice, const hit_skew *chain,
                             int launches, int threads)
{
    hit_tiling made = hit_tiling_make(chain, launches);

    made.lines = choice->lines;
    memcpy(made.width, choice->width, sizeof(made.width));
    hit_tiling_share(&made, threads);
    return made;
}
