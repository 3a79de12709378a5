/* SPDX-License-Identifier: MIT
 * One function is the body of all kernels: it is told by a value what its arguments
 * touch. Plain loops over whole arrays ask the same functions, which read where they are
 * told to. */
#include "tests/programs/body.h"

#include "hit/data/sig.h"

#include <stdlib.h>

enum {
    MODULUS = 1000003
};

/* A launch, and where its arguments lie: in slots, or, if that is NULL, in arrays. */
typedef struct place {
    const task *todo;
    const hit_slot *slot;
    const field *f;
} place;

static int64_t *element(const hit_slot *slot, int dims, const hit_index y[])
{
    hit_index offset = 0;

    for (int t = 0; t < dims; t++) {
        offset += hit_index_floor_div(y[t], slot->step[t]) * slot->stride[t];
    }
    return (int64_t *)((uintptr_t)slot->base + (uintptr_t)(offset * 8));
}

static int64_t read(const place *in, int k, const hit_index y[])
{
    const step *s = in->todo->step;

    if (in->slot == NULL) return want(&in->f[s->use[k].tile], y);
    return *element(&in->slot[k], s->tile_dims[k], y);
}

/* Of dimension t of argument k. */
static hit_sig limits(const place *in, int k, int t)
{
    const use *u = &in->todo->step->use[k];

    if (in->slot != NULL) {
        return hit_sig_make(in->slot[k].begin[t], in->slot[k].end[t], 1);
    }
    return u->part.dims > 0 ? u->part.sig[t] : in->f[u->tile].domain.sig[t];
}

/* ---- what an index touches ---- */

static hit_domain box_at(const place *in, int k, int b, const hit_index x[]);

/* The least and the greatest of the elements that index x touches of argument @p k, by
 * its box @p b, or by all of them if that is -1. False: none. */
static bool find_numbers(const place *in, int k, int b, const hit_index x[],
                         hit_index found[2])
{
    const step *s = in->todo->step;
    hit_index y[HIT_MAX_DIMS] = {0};

    found[0] = INT64_MAX;
    found[1] = INT64_MIN;
    for (int n = 0; n < s->use[k].boxes; n++) {
        if (b >= 0 && n != b) continue;
        const hit_domain box = box_at(in, k, n, x);

        for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
            const int64_t number = read(in, k, y);

            if (number < found[0]) found[0] = number;
            if (number > found[1]) found[1] = number;
        }
    }
    return found[0] <= found[1];
}

/* The range of a span that stands in data. */
static hit_sig look_up(const place *in, const span *of, const hit_index x[])
{
    const hit_index shift = of->shifts ? in->todo->shift : 0;
    hit_index low[2];
    hit_index high[2];

    if (!find_numbers(in, of->looks, of->ends ? 0 : -1, x, low) ||
        !find_numbers(in, of->looks, of->ends ? 1 : -1, x, high)) {
        return (hit_sig){0, -1, 1};
    }
    return (hit_sig){low[0] + of->from + shift, high[1] + of->to + shift, 1};
}

/* The elements that box @p b of argument @p k allows at index x. */
static hit_domain box_at(const place *in, int k, int b, const hit_index x[])
{
    const span *box = in->todo->step->use[k].box[b];
    hit_domain domain = {.dims = in->todo->step->tile_dims[k]};

    for (int t = 0; t < domain.dims; t++) {
        const hit_index shift =
            (box[t].follows >= 0 ? program_followed(&box[t], x[box[t].follows]) : 0) +
            (box[t].shifts ? in->todo->shift : 0);

        if (box[t].looks > 0) {
            domain.sig[t] = look_up(in, &box[t], x);
        } else {
            domain.sig[t] = box[t].all
                                ? limits(in, k, t)
                                : hit_sig_make(box[t].from + shift, box[t].to + shift, 1);
        }
    }
    return domain;
}

/* What a minimum of nothing is may be among them. */
static int64_t mix(int64_t sum, int64_t value)
{
    return (int64_t)(3 * (uint64_t)sum + (uint64_t)value) % MODULUS;
}

static int64_t sum_at(const place *in, const hit_index x[])
{
    const step *s = in->todo->step;
    int64_t sum = 7 + in->todo->number;
    hit_index y[HIT_MAX_DIMS] = {0};

    for (int k = 0; k < s->uses; k++) {
        for (int b = k == 0; b < s->use[k].boxes; b++) {
            const hit_domain box = box_at(in, k, b, x);

            for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
                sum = mix(sum, read(in, k, y));
            }
        }
    }
    return sum;
}

/* What a launch writes at element y, whose old content is @p old. */
static int64_t result(const use *u, int64_t old, int64_t sum, int dims,
                      const hit_index y[])
{
    if (u->mode == HIT_MODE_MIN) return old < sum ? old : sum;
    if (u->mode == HIT_MODE_MAX) return old > sum ? old : sum;
    if (u->mode != HIT_MODE_OUT) {
        sum += old;
    } else {
        for (int t = 0; t < dims; t++) {
            sum += (5 + t) * y[t];
        }
    }
    return program_number(&u->numbers, sum);
}

/* The index of a box that comes where x is in ascending order. */
static void turn(const step *s, const hit_domain *box, const hit_index x[],
                 hit_index turned[])
{
    for (int d = 0; d < box->dims; d++) {
        const hit_sig sig = box->sig[d];

        turned[d] = s->order[d] < 0 ? sig.begin + sig.end - x[d] : x[d];
    }
}

/* ---- by the library ---- */

static void visit(const place *in, const hit_index x[])
{
    const step *s = in->todo->step;
    const use *u = &s->use[0];
    const hit_domain box = box_at(in, 0, 0, x);
    hit_index y[HIT_MAX_DIMS] = {0};
    int64_t sum = sum_at(in, x);

    if (in->todo->wrong && s->uses > 2 && x[0] == 2) sum++;
    for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
        int64_t *at_y = element(&in->slot[0], box.dims, y);

        *at_y = result(u, u->mode == HIT_MODE_OUT ? 0 : *at_y, sum, box.dims, y);
    }
}

hit_status program_body(const hit_run *run)
{
    const place in = {.todo = run->slot[0].base, .slot = &run->slot[1]};
    hit_domain box = {.dims = in.todo->step->domain.dims};
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index turned[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < box.dims; d++) {
        box.sig[d] = hit_sig_make(run->begin[d], run->end[d], run->stride[d]);
    }
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        turn(in.todo->step, &box, x, turned);
        visit(&in, turned);
    }
    return HIT_OK;
}

/* ---- by plain loops ---- */

/* A side of an inequality. */
static hit_index side(const place *in, int of, const hit_index x[])
{
    hit_index found[2] = {0, 0};

    if (of < HIT_MAX_DIMS) return of < 0 ? 0 : x[of];
    (void)find_numbers(in, of - HIT_MAX_DIMS, -1, x, found);
    return found[0];
}

/* Does a bound hold? @p anyhow: it does where it stands in data. */
static bool holds(const place *in, const bound *b, const hit_index x[], bool anyhow)
{
    const hit_index apart = b->apart + (b->shifts ? in->todo->shift : 0);

    if (anyhow && (b->less >= HIT_MAX_DIMS || b->more >= HIT_MAX_DIMS)) return true;
    return side(in, b->less, x) <= side(in, b->more, x) + apart;
}

/* Is the index within the bounds of the launch? */
static bool may_run(const place *in, const hit_index x[], bool anyhow)
{
    bool all = true;

    for (int k = 0; k < in->todo->step->bounds; k++) {
        const bound *b = &in->todo->step->bound[k];

        if (b->other && all) return true;
        all = (all || b->other) && holds(in, b, x, anyhow);
    }
    return all;
}

static bool is_run(const place *in, const hit_index x[])
{
    return may_run(in, x, false);
}

/* Does a range of argument @p k that stands in data leave its tile? */
static bool leads_out(const place *in, int k, const hit_index x[])
{
    const use *u = &in->todo->step->use[k];

    for (int b = 0; b < u->boxes; b++) {
        for (int t = 0; t < in->todo->step->tile_dims[k]; t++) {
            const span *of = &u->box[b][t];

            if (of->looks == 0) continue;
            if (!hit_sig_inside(look_up(in, of, x), limits(in, k, t))) return true;
        }
    }
    return false;
}

bool program_must_fail(const task *todo, const field f[])
{
    const step *s = todo->step;
    const place in = {.todo = todo, .f = f};
    const field *to = &f[s->use[0].tile];
    bool *touched = calloc((size_t)to->count + 1, sizeof(bool));
    bool must = false;
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index y[HIT_MAX_DIMS] = {0};

    for (bool go = hit_domain_first(&s->domain, x); go && !must;
         go = hit_domain_next(&s->domain, x)) {
        if (!is_run(&in, x)) continue;
        for (int k = s->uses; k-- > 0 && !must;) { /* sources come last */
            must = leads_out(&in, k, x);
        }
        if (must || !program_is_scatter(s)) continue;
        const hit_domain box = box_at(&in, 0, 0, x);

        for (bool on = hit_domain_first(&box, y); on; on = hit_domain_next(&box, y)) {
            must = must || touched[at(&to->domain, y)];
            touched[at(&to->domain, y)] = true;
        }
    }
    free(touched);
    return must;
}

/* What a reduction begins with, where an element is touched first. */
static int64_t neutral(hit_mode mode)
{
    if (mode == HIT_MODE_MIN) return INT64_MAX;
    return mode == HIT_MODE_MAX ? INT64_MIN : 0;
}

void program_do_plainly(const task *todo, field f[])
{
    const step *s = todo->step;
    const use *u = &s->use[0];
    const place in = {.todo = todo, .f = f};
    field *to = &f[u->tile];
    bool *touched = calloc((size_t)to->count + 1, sizeof(bool));
    hit_index ascending[HIT_MAX_DIMS] = {0};
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index y[HIT_MAX_DIMS] = {0};

    for (bool go = hit_domain_first(&s->domain, ascending); go;
         go = hit_domain_next(&s->domain, ascending)) {
        turn(s, &s->domain, ascending, x);
        if (program_reduces(u->mode) && s->tile_dims[0] == 0 && !touched[0] &&
            may_run(&in, x, true)) { /* of nothing, if data says so */
            to->want[0] = neutral(u->mode);
            touched[0] = true;
        }
        if (!is_run(&in, x)) continue;
        const int64_t sum = sum_at(&in, x);
        const hit_domain box = box_at(&in, 0, 0, x);

        for (bool on = hit_domain_first(&box, y); on; on = hit_domain_next(&box, y)) {
            const hit_index here = at(&to->domain, y);
            const bool first = program_reduces(u->mode) && !touched[here];

            touched[here] = true;
            to->want[here] = result(u, first ? neutral(u->mode) : to->want[here], sum,
                                    to->domain.dims, y);
        }
    }
    free(touched);
}
