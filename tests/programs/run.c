/* SPDX-License-Identifier: MIT
 * Running programs. One function is the body of all kernels: it is told by a value what
 * its arguments touch, and does with them what the plain loops do. */
#include "hit/base/context.h"
#include "hit/chain/tuner.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"
#include "tests/programs/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODULUS = 1000003
};

/* What a body is told, as the value of a launch. */
typedef struct task {
    const step *step;
    int64_t number;
    hit_index shift;
    bool wrong;
} task;

/* The elements that box @p b of argument @p k allows at index x. */
static hit_domain box_at(const task *todo, int k, int b, const hit_index x[],
                         const hit_index begin[], const hit_index end[])
{
    const span *box = todo->step->use[k].box[b];
    hit_domain domain = {.dims = todo->step->tile_dims[k]};

    for (int t = 0; t < domain.dims; t++) {
        const hit_index shift =
            (box[t].follows >= 0 ? program_followed(&box[t], x[box[t].follows]) : 0) +
            (box[t].shifts ? todo->shift : 0);

        domain.sig[t] = box[t].all
                            ? hit_sig_make(begin[t], end[t], 1)
                            : hit_sig_make(box[t].from + shift, box[t].to + shift, 1);
    }
    return domain;
}

static int64_t mix(int64_t sum, int64_t value)
{
    return (3 * sum + value) % MODULUS;
}

/* What a launch writes at element y, whose old content is @p old. */
static int64_t result(hit_mode mode, int64_t old, int64_t sum, int dims,
                      const hit_index y[])
{
    if (mode == HIT_MODE_MIN) return old < sum ? old : sum;
    if (mode == HIT_MODE_MAX) return old > sum ? old : sum;
    if (mode != HIT_MODE_OUT) return old + sum;
    for (int t = 0; t < dims; t++) {
        sum += (5 + t) * y[t];
    }
    return sum;
}

/* ---- by the library ---- */

static int64_t *element(const hit_slot *slot, int dims, const hit_index y[])
{
    hit_index offset = 0;

    for (int t = 0; t < dims; t++) {
        offset += hit_index_floor_div(y[t], slot->step[t]) * slot->stride[t];
    }
    return (int64_t *)((uintptr_t)slot->base + (uintptr_t)(offset * 8));
}

static void visit(const hit_run *run, const task *todo, const hit_index x[])
{
    const step *s = todo->step;
    const hit_slot *out = &run->slot[1];
    hit_index y[HIT_MAX_DIMS];
    int64_t sum = 7 + todo->number;
    hit_domain box;

    for (int k = 0; k < s->uses; k++) {
        const hit_slot *slot = &run->slot[k + 1];

        for (int b = k == 0; b < s->use[k].boxes; b++) {
            box = box_at(todo, k, b, x, slot->begin, slot->end);
            for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
                sum = mix(sum, *element(slot, box.dims, y));
            }
        }
    }
    if (todo->wrong && s->uses > 2 && x[0] == 2) sum++;
    box = box_at(todo, 0, 0, x, out->begin, out->end);
    for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
        int64_t *at_y = element(out, box.dims, y);

        *at_y = result(s->use[0].mode, s->use[0].mode == HIT_MODE_OUT ? 0 : *at_y, sum,
                       box.dims, y);
    }
}

static hit_status body(const hit_run *run)
{
    const task *todo = run->slot[0].base;
    hit_domain box = {.dims = todo->step->domain.dims};
    hit_index x[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < box.dims; d++) {
        box.sig[d] = hit_sig_make(run->begin[d], run->end[d], run->stride[d]);
    }
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        visit(run, todo, x);
    }
    return HIT_OK;
}

static hit_kernel_arg value_arg(void)
{
    return (hit_kernel_arg){HIT_MODE_VALUE, HIT_BYTES(task), "todo", NULL};
}

static hit_status body_on_gpu(const hit_run *run)
{
    const hit_kernel_arg value = value_arg();

    return program_on_gpu(run, &value, body);
}

/* A kernel made at run time, with the room that its parts need. */
typedef struct made_kernel {
    task todo;
    hit_kernel kernel;
    hit_kernel_arg arg[MOST_USES + 2];
    char pattern[MOST_USES][200];
} made_kernel;

static void make_kernel(const step *s, bool wrong, made_kernel *m)
{
    static const char *const name[] = {"a", "b", "c"};

    m->todo = (task){.step = s, .wrong = wrong};
    m->arg[0] = value_arg();
    for (int k = 0; k < s->uses; k++) {
        program_pattern(&s->use[k], s->tile_dims[k], m->pattern[k],
                        sizeof(m->pattern[k]));
        m->arg[k + 1] =
            (hit_kernel_arg){s->use[k].mode, HIT_INT64, name[k], m->pattern[k]};
    }
    m->arg[s->uses + 1] = (hit_kernel_arg){HIT_MODE_VALUE, HIT_INT64, "s", NULL};
    m->kernel = (hit_kernel){.name = "random",
                             .dims = s->domain.dims,
                             .args = s->uses + (program_on_gpu != NULL ? 1 : 2),
                             .arg = m->arg,
                             .host = body,
                             .cuda = program_on_gpu != NULL ? body_on_gpu : NULL};
    for (int d = 0; d < s->domain.dims; d++) {
        m->kernel.index[d] = program_index[d];
    }
}

/* ---- by plain loops ---- */

static void limits(const field *f, const use *u, hit_index begin[], hit_index end[])
{
    const hit_domain *domain = u->part.dims > 0 ? &u->part : &f->domain;

    for (int t = 0; t < domain->dims; t++) {
        begin[t] = domain->sig[t].begin;
        end[t] = domain->sig[t].end;
    }
}

static int64_t sum_at(const task *todo, const field f[], const hit_index x[])
{
    const step *s = todo->step;
    int64_t sum = 7 + todo->number;

    for (int k = 0; k < s->uses; k++) {
        const field *from = &f[s->use[k].tile];
        hit_index begin[HIT_MAX_DIMS] = {0};
        hit_index end[HIT_MAX_DIMS] = {0};
        hit_index y[HIT_MAX_DIMS];

        limits(from, &s->use[k], begin, end);
        for (int b = k == 0; b < s->use[k].boxes; b++) {
            const hit_domain box = box_at(todo, k, b, x, begin, end);

            for (bool go = hit_domain_first(&box, y); go; go = hit_domain_next(&box, y)) {
                sum = mix(sum, want(from, y));
            }
        }
    }
    return sum;
}

/* What a reduction begins with, where an element is touched first. */
static int64_t neutral(hit_mode mode)
{
    if (mode == HIT_MODE_MIN) return INT64_MAX;
    return mode == HIT_MODE_MAX ? INT64_MIN : 0;
}

/* Are the indices within the bounds of the launch? */
static bool is_run(const task *todo, const hit_index x[])
{
    bool all = true;

    for (int k = 0; k < todo->step->bounds; k++) {
        const bound *b = &todo->step->bound[k];
        const hit_index shift = b->shifts ? todo->shift : 0;
        const hit_index less = b->less < 0 ? 0 : x[b->less];
        const hit_index more = b->more < 0 ? 0 : x[b->more];

        if (b->other && all) return true;
        all = (all || b->other) && less <= more + b->apart + shift;
    }
    return all;
}

static void launch_plainly(const task *todo, field f[])
{
    const step *s = todo->step;
    const use *u = &s->use[0];
    field *to = &f[u->tile];
    bool *touched = calloc((size_t)to->count + 1, sizeof(bool));
    hit_index begin[HIT_MAX_DIMS] = {0};
    hit_index end[HIT_MAX_DIMS] = {0};
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index y[HIT_MAX_DIMS];

    limits(to, u, begin, end);
    for (bool go = hit_domain_first(&s->domain, x); go;
         go = hit_domain_next(&s->domain, x)) {
        const int64_t sum = sum_at(todo, f, x);
        const hit_domain box = box_at(todo, 0, 0, x, begin, end);

        if (!is_run(todo, x)) continue;
        for (bool on = hit_domain_first(&box, y); on; on = hit_domain_next(&box, y)) {
            const hit_index place = at(&to->domain, y);
            const bool first = program_reduces(u->mode) && !touched[place];

            touched[place] = true;
            to->want[place] = result(u->mode, first ? neutral(u->mode) : to->want[place],
                                     sum, to->domain.dims, y);
        }
    }
    free(touched);
}

static void copy_plainly(field *from, field *to)
{
    const hit_domain common = hit_domain_intersect(&from->domain, &to->domain);
    hit_index x[HIT_MAX_DIMS] = {0};

    for (bool go = hit_domain_first(&common, x); go; go = hit_domain_next(&common, x)) {
        to->want[at(&to->domain, x)] = from->want[at(&from->domain, x)];
    }
}

/* ---- both ---- */

static bool has_tile_twice(const step *s)
{
    bool twice = false;

    for (int k = 1; k < s->uses; k++) {
        twice = twice || s->use[k].tile == s->use[0].tile;
    }
    return twice;
}

static void launch(scene *scene_of, const step *s, made_kernel *m, field f[],
                   outcome *found)
{
    hit_arg arg[MOST_USES + 3] = {HIT_VALUE(m->todo)};
    hit_tile *part[MOST_USES] = {NULL};
    char where[2 * TEXT];
    hit_status status;

    for (int k = 0; k < s->uses; k++) {
        const use *u = &s->use[k];
        hit_tile *whole = f[u->tile].tile;

        if (u->part.dims > 0) HIT_MUST(hit_tile_select(whole, u->part, &part[k]));
        arg[k + 1] = hit_arg_tile(part[k] != NULL ? part[k] : whole);
    }
    arg[s->uses + 1] = HIT_VALUE(m->todo.shift);
    program_where(s, where, sizeof(where));
    arg[s->uses + 2] = HIT_WHERE(where);
    status = hit_launch_args(scene_of->hit, NULL, &m->kernel, s->domain,
                             m->kernel.args + (s->bounds > 0), arg);
    found->launched++;
    for (int k = 0; k < s->uses; k++) {
        hit_tile_destroy(&part[k]);
    }
    if (status == HIT_OK) {
        launch_plainly(&m->todo, f);
    } else if (status == HIT_E_PATTERN || status == HIT_E_LIMIT || status == HIT_E_PEER ||
               (status == HIT_E_ARG && has_tile_twice(s))) {
        found->refused++;
    } else {
        scene_of->good = false;
        snprintf(scene_of->text, sizeof(scene_of->text), "%s", hit_status_text());
    }
}

/* On process 0 only: looks are not collective. */
static void look(scene *scene_of, const field *f)
{
    hit_view view;

    if (hit_rank(scene_of->hit) > 0 || hit_tile_pieces(f->tile) == 0) return;
    HIT_MUST(hit_tile_map(f->tile, 0, HIT_READ, &view));
}

static void fill(field *f)
{
    HIT_MUST(hit_tile_fill(f->tile, &(int64_t){FILLED}));
    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = FILLED;
    }
}

/* Tiles in arrays of the test stay there. */
static void relayout(scene *scene_of, const step *s, field *f)
{
    hit_layout *layout = NULL;
    hit_status status;

    HIT_MUST(hit_layout_create(scene_of->hit, f->domain, s->layout, &layout));
    status = hit_tile_relayout(f->tile, layout);
    if (status != (f->adopted ? HIT_E_ARG : HIT_OK)) {
        scene_of->good = false;
        snprintf(scene_of->text, sizeof(scene_of->text), "hit_tile_relayout(): %s",
                 hit_status_text());
    }
    hit_layout_destroy(&layout);
}

static void swap(field *a, field *b)
{
    const field kept = *a;

    *a = *b;
    *b = kept;
}

static void run_step(scene *scene_of, const program *p, const step *s, made_kernel *m,
                     field f[], outcome *found)
{
    field *to = &f[s->use[0].tile];

    if (s->kind == LAUNCH) {
        m->todo.number = p->counts ? found->launched : 0;
        launch(scene_of, s, m, f, found);
    } else if (s->kind == COPY) {
        HIT_MUST(hit_tile_copy(f[s->use[1].tile].tile, to->tile));
        copy_plainly(&f[s->use[1].tile], to);
    } else if (s->kind == SWAP) {
        swap(to, &f[s->use[1].tile]);
    } else if (s->kind == LOOK) {
        look(scene_of, to);
    } else if (s->kind == FILL) {
        fill(to);
    } else if (s->kind == BOUNDARY) {
        to->constant = s->constant;
        set_boundaries(to, s->boundary);
    } else {
        relayout(scene_of, s, to);
    }
}

static field make_tile(scene *s, const tile *t)
{
    if (t->ghosts >= 0) return adopt_field(s, t->domain, t->layout, t->ghosts);
    return make_field(s, t->domain, HIT_BOUNDARY_NONE, t->layout);
}

outcome program_run(const program *p, bool wrong)
{
    scene s = {.good = true, .random = {p->seed}};
    made_kernel *made = calloc(MOST_STEPS, sizeof(made_kernel));
    field f[MOST_TILES];
    outcome found = {.good = true};
    hit_choice choice = {.steps = p->chain_steps, .lines = p->chain_lines};
    hit_stats stats;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        choice.width[d] = p->chain_width;
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = p->devices}, &s.hit));
    for (int k = 0; k < p->tiles; k++) {
        f[k] = make_tile(&s, &p->tile[k]);
        set_boundaries(&f[k], p->tile[k].boundary);
    }
    if (p->chain != HIT_CHAIN_OFF) HIT_MUST(hit_chain(s.hit, p->chain));
    if (p->chain_steps > 0) s.hit->launcher->chain_choice = &choice;
    for (int k = 0; k < p->steps * p->repeats; k++) {
        const int at = k % p->steps;

        if (k < p->steps) make_kernel(&p->step[at], wrong, &made[at]);
        made[at].todo.shift = p->shifts ? k / p->steps % (MOST_SHIFT + 1) : 0;
        run_step(&s, p, &p->step[at], &made[at], f, &found);
    }
    hit_context_stats(s.hit, &stats);
    found.chained = (int)stats.chained;
    for (int k = 0; k < p->tiles; k++) {
        drop_field(&s, &f[k]);
    }
    found.good = agree_in_scene(&s);
    snprintf(found.text, sizeof(found.text), "%s", s.text);
    hit_close(&s.hit);
    free(made);
    return found;
}
