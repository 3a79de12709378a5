/* SPDX-License-Identifier: MIT
 * Smaller programs that still fail: leave out a step, an argument, a box; take the plain
 * device, layout or boundary. Whatever still fails is kept, until nothing more helps. */
#include "hit/data/sig.h"
#include "tests/programs/program.h"

#include <stdio.h>
#include <string.h>

/* One way of making a program smaller, number @p way; false: there is no such way. */
typedef bool change(program *p, int way);

static bool drop_step(program *p, int way)
{
    if (way >= p->steps) return false;
    memmove(&p->step[way], &p->step[way + 1],
            (size_t)(p->steps - way - 1) * sizeof(p->step[0]));
    p->steps--;
    return true;
}

static bool looks_at(const step *s, int k)
{
    bool looks = false;

    for (int n = 0; n < s->uses * MOST_BOXES * HIT_MAX_DIMS; n++) {
        const use *u = &s->use[n / HIT_MAX_DIMS / MOST_BOXES];

        looks =
            looks || u->box[n / HIT_MAX_DIMS % MOST_BOXES][n % HIT_MAX_DIMS].looks == k;
    }
    for (int n = 0; n < s->bounds; n++) {
        looks = looks || s->bound[n].less == HIT_MAX_DIMS + k ||
                s->bound[n].more == HIT_MAX_DIMS + k;
    }
    return looks;
}

/* Ways are numbered step by step, argument by argument. What others look at stays. */
static bool drop_argument(program *p, int way)
{
    step *s = &p->step[way / MOST_USES];
    const int k = way % MOST_USES;

    if (way / MOST_USES >= p->steps) return false;
    if (s->kind != LAUNCH || k == 0 || k >= s->uses) return true;
    for (int behind = k; behind < s->uses; behind++) {
        if (looks_at(s, behind)) return true;
    }
    memmove(&s->use[k], &s->use[k + 1], (size_t)(s->uses - k - 1) * sizeof(s->use[0]));
    memmove(&s->tile_dims[k], &s->tile_dims[k + 1],
            (size_t)(s->uses - k - 1) * sizeof(s->tile_dims[0]));
    s->uses--;
    return true;
}

/* It takes all of the tile. */
static bool look_nowhere(program *p, int way)
{
    step *s = &p->step[way / MOST_USES];
    use *u = &s->use[way % MOST_USES];

    if (way / MOST_USES >= p->steps) return false;
    for (int n = 0; n < MOST_BOXES * HIT_MAX_DIMS && u->mode == HIT_MODE_IN; n++) {
        span *of = &u->box[n / HIT_MAX_DIMS][n % HIT_MAX_DIMS];

        if (of->looks > 0) *of = (span){.follows = -1, .all = true};
    }
    return true;
}

static bool drop_box(program *p, int way)
{
    step *s = &p->step[way / MOST_USES];
    const int k = way % MOST_USES;

    if (way / MOST_USES >= p->steps) return false;
    if (k < s->uses && s->use[k].boxes > 1 && !looks_at(s, k)) s->use[k].boxes--;
    return true;
}

static bool take_whole_tile(program *p, int way)
{
    if (way / MOST_USES >= p->steps) return false;
    p->step[way / MOST_USES].use[way % MOST_USES].part = (hit_domain){0};
    return true;
}

static bool take_one_index(program *p, int way)
{
    step *s = &p->step[way / HIT_MAX_DIMS];
    const int d = way % HIT_MAX_DIMS;

    if (way / HIT_MAX_DIMS >= p->steps) return false;
    if (s->kind == LAUNCH && d < s->domain.dims) {
        s->domain.sig[d] =
            hit_sig_make(s->domain.sig[d].begin, s->domain.sig[d].begin, 1);
    }
    return true;
}

static bool drop_bound(program *p, int way)
{
    if (way >= p->steps) return false;
    if (p->step[way].bounds > 0) p->step[way].bounds--;
    return true;
}

static bool take_plain_layout(program *p, int way)
{
    if (way >= p->tiles) return false;
    snprintf(p->tile[way].layout, TEXT, "single");
    return true;
}

static bool take_memory_of_the_library(program *p, int way)
{
    if (way >= p->tiles) return false;
    p->tile[way].ghosts = -1;
    return true;
}

static bool run_once(program *p, int way)
{
    if (way >= 1) return false;
    p->repeats = 1;
    return true;
}

static bool run_without_chains(program *p, int way)
{
    if (way >= 1) return false;
    p->chain_steps = 0;
    return true;
}

static bool ask_for_no_chains(program *p, int way)
{
    if (way >= 1) return false;
    p->chain = HIT_CHAIN_OFF;
    return true;
}

static bool take_no_boundary(program *p, int way)
{
    if (way / HIT_MAX_DIMS >= p->tiles) return false;
    p->tile[way / HIT_MAX_DIMS].boundary[way % HIT_MAX_DIMS] = HIT_BOUNDARY_NONE;
    return true;
}

static bool take_one_value(program *p, int way)
{
    if (way >= 1) return false;
    p->counts = false;
    return true;
}

static bool take_usual_cells(program *p, int way)
{
    if (way >= 1) return false;
    p->cells = 0;
    return true;
}

static bool take_plain_device(program *p, int way)
{
    if (way >= 1) return false;
    snprintf(p->devices, TEXT, "host:threads=1");
    return true;
}

program program_shrink(const program *p, program_fails *fails, const void *of)
{
    static change *const changes[] = {
        drop_step,         look_nowhere,      drop_argument,  take_usual_cells,
        drop_box,          drop_bound,        take_one_index, take_whole_tile,
        take_plain_layout, take_plain_device, run_once,       run_without_chains,
        ask_for_no_chains, take_no_boundary,  take_one_value, take_memory_of_the_library};
    const int kinds = sizeof(changes) / sizeof(changes[0]);
    program best = *p;
    bool smaller = true;

    while (smaller) {
        smaller = false;
        for (int k = 0; k < kinds; k++) {
            program tried = best;

            for (int way = 0; changes[k](&tried, way); way++, tried = best) {
                if (memcmp(&tried, &best, sizeof(best)) == 0) continue;
                if (!fails(&tried, of)) continue;
                best = tried;
                smaller = true;
            }
        }
    }
    return best;
}
