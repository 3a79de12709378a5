/* SPDX-License-Identifier: MIT
 * Running programs: the steps, by the library and in arrays. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/chain/tuner.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "tests/programs/body.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults ---- */

program_faults *program_faulty; /* a test program has no context for it */

static void set_faults(bool on)
{
    if (program_faulty != NULL) program_faulty->set(on);
}

static hit_status tell(scene *s, hit_status status)
{
    set_faults(false);
    if (program_faulty == NULL) HIT_MUST(status);
    s->told = s->told || status != HIT_OK;
    return status;
}

/* Makes a call of the program. With faults the scene notes a failure, and goes on. */
#define CALL(s, call) (set_faults(true), tell((s), (call)))

/* ---- kernels ---- */

static hit_kernel_arg value_arg(void)
{
    return (hit_kernel_arg){HIT_MODE_VALUE, HIT_BYTES(task), "todo", NULL};
}

static hit_status body_on_gpu(const hit_run *run)
{
    const hit_kernel_arg value = value_arg();

    return program_on_gpu(run, &value, program_body);
}

/* A kernel made at run time, with the room that its parts need. */
typedef struct made_kernel {
    task todo;
    hit_kernel kernel;
    hit_kernel_arg arg[MOST_USES + 2];
    char pattern[MOST_USES][MOST_PATTERN];
} made_kernel;

static void make_kernel(const step *s, bool wrong, made_kernel *m)
{
    m->todo = (task){.step = s, .wrong = wrong};
    m->arg[0] = value_arg();
    for (int k = 0; k < s->uses; k++) {
        program_pattern(s, k, m->pattern[k], sizeof(m->pattern[k]));
        m->arg[k + 1] =
            (hit_kernel_arg){s->use[k].mode, HIT_INT64, program_name[k], m->pattern[k]};
    }
    m->arg[s->uses + 1] = (hit_kernel_arg){HIT_MODE_VALUE, HIT_INT64, "s", NULL};
    m->kernel =
        (hit_kernel){.name = "random",
                     .dims = s->domain.dims,
                     .args = s->uses + (program_on_gpu != NULL ? 1 : 2),
                     .arg = m->arg,
                     .host = program_faulty != NULL ? program_faulty->body : program_body,
                     .cuda = program_on_gpu != NULL ? body_on_gpu : NULL};
    for (int d = 0; d < s->domain.dims; d++) {
        m->kernel.index[d] = program_index[d];
        m->kernel.order[d] = s->order[d];
    }
    m->kernel.whole_box = s->order[0] != 0; /* as HIT_ORDERED_KERNEL() has it */
    if (s->domain.dims > 0) return;
    m->kernel.dims = 1;
    m->kernel.index[0] = "";
}

/* ---- steps ---- */

static void copy_plainly(field *from, field *to)
{
    const hit_domain common = hit_domain_intersect(&from->domain, &to->domain);
    hit_index x[HIT_MAX_DIMS] = {0};

    for (bool go = hit_domain_first(&common, x); go; go = hit_domain_next(&common, x)) {
        to->want[at(&to->domain, x)] = from->want[at(&from->domain, x)];
    }
}

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
    const bool must_fail = s->looks && program_must_fail(&m->todo, f);
    char where[MOST_PATTERN];
    hit_status status;

    for (int k = 0; k < s->uses; k++) {
        const use *u = &s->use[k];
        hit_tile *whole = f[u->tile].tile;

        if (u->part.dims > 0) HIT_MUST(hit_tile_select(whole, u->part, &part[k]));
        arg[k + 1] = hit_arg_tile(part[k] != NULL ? part[k] : whole);
    }
    arg[s->uses + 1] = HIT_VALUE(m->todo.shift);
    program_where(s, where, sizeof(where));
    arg[m->kernel.args] = HIT_WHERE(where);
    set_faults(true);
    status = hit_launch_args(scene_of->hit, NULL, &m->kernel, s->domain,
                             m->kernel.args + (s->bounds > 0), arg);
    set_faults(false);
    found->launched++;
    for (int k = 0; k < s->uses; k++) {
        hit_tile_destroy(&part[k]);
    }
    if (status == HIT_OK && must_fail) {
        scene_of->good = false;
        snprintf(scene_of->text, sizeof(scene_of->text),
                 "a launch that leads out of a tile, or twice to an element, ran");
    } else if (status == HIT_OK) {
        program_do_plainly(&m->todo, f);
    } else if (program_faulty != NULL && program_faulty->fails) {
        scene_of->told = true;
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
    (void)CALL(scene_of, hit_tile_map(f->tile, 0, HIT_READ, &view));
}

/* A fill that tells of an earlier launch has changed nothing, and is called again: other
 * processes, which are told of nothing, may look at the elements. */
static void fill(scene *scene_of, field *f)
{
    if (CALL(scene_of, hit_tile_fill(f->tile, &(int64_t){FILLED})) != HIT_OK) {
        (void)CALL(scene_of, hit_tile_fill(f->tile, &(int64_t){FILLED}));
    }
    for (hit_index k = 0; k < f->count; k++) {
        f->want[k] = FILLED;
    }
}

static void set_numbers(scene *scene_of, const tile *t, int version, field *f)
{
    program_numbers(t, version, f->want);
    (void)CALL(scene_of, hit_tile_scatter(f->tile, 0, f->want));
}

/* Tiles in arrays of the test stay there. */
static void relayout(scene *scene_of, const step *s, field *f)
{
    hit_layout *layout = NULL;
    hit_status status;

    HIT_MUST(hit_layout_create(scene_of->hit, f->domain, s->layout, &layout));
    set_faults(true);
    status = hit_tile_relayout(f->tile, layout);
    set_faults(false);
    if (program_faulty != NULL) {
        scene_of->told = scene_of->told || (status != HIT_OK && !f->adopted);
    } else if (status != (f->adopted ? HIT_E_ARG : HIT_OK)) {
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
        (void)CALL(scene_of, hit_tile_copy(f[s->use[1].tile].tile, to->tile));
        copy_plainly(&f[s->use[1].tile], to);
    } else if (s->kind == SWAP) {
        swap(to, &f[s->use[1].tile]);
    } else if (s->kind == LOOK) {
        look(scene_of, to);
    } else if (s->kind == FILL) {
        fill(scene_of, to);
    } else if (s->kind == NUMBERS) {
        set_numbers(scene_of, &p->tile[s->use[0].tile], s->version, to);
    } else if (s->kind == BOUNDARY) {
        to->constant = s->constant;
        set_boundaries(to, s->boundary);
    } else {
        relayout(scene_of, s, to);
    }
}

static field make_tile(scene *s, const tile *t)
{
    field f = t->ghosts >= 0 ? adopt_field(s, t->domain, t->layout, t->ghosts)
                             : make_field(s, t->domain, HIT_BOUNDARY_NONE, t->layout);

    set_boundaries(&f, t->boundary);
    if (t->numbers.stride > 0) set_numbers(s, t, 0, &f);
    return f;
}

static bool on_any(const scene *s, bool here)
{
    uint64_t any = here;

    HIT_MUST(hit_comm_max_u64(s->hit->comm, &any, 1));
    return any != 0;
}

/* With faults: what a process that was told of none looks at of its own is right. */
static void check_own_elements(scene *s, const field *f)
{
    for (int piece = 0; piece < hit_tile_pieces(f->tile) && !s->told; piece++) {
        hit_view view;
        hit_index x[HIT_MAX_DIMS];

        if (CALL(s, hit_tile_map(f->tile, piece, HIT_READ, &view)) != HIT_OK) return;
        for (bool go = hit_domain_first(&view.domain, x); go && s->good;
             go = hit_domain_next(&view.domain, x)) {
            const int64_t found = *(const int64_t *)hit_view_at(&view, x);
            const int64_t expected = want(f, x);

            if (found == expected) continue;
            s->good = false;
            snprintf(s->text, sizeof(s->text),
                     "process %d, which was told of nothing, has %lld, expected %lld",
                     hit_rank(s->hit), (long long)found, (long long)expected);
        }
    }
}

/* Each process has right elements or was told; of that the others need not know. Where
 * one was told, only what processes have themselves counts: others do not know what it
 * did not do. */
static bool judge(scene *s, const field f[], int tiles)
{
    bool own;

    for (int k = 0; k < tiles; k++) {
        check_own_elements(s, &f[k]);
    }
    own = !on_any(s, !s->good);
    return own;
}

/* What the library prints goes to @p out, if that is not NULL. */
static outcome run(const program *p, bool wrong, FILE *out)
{
    scene s = {.good = true, .random = {p->seed}};
    made_kernel *made = calloc(MOST_STEPS, sizeof(made_kernel));
    field f[MOST_TILES];
    outcome found = {.good = true};
    bool own;
    hit_choice choice = {.steps = p->chain_steps, .lines = p->chain_lines};

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        choice.width[d] = p->chain_width;
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = p->devices, .out = out},
                           &s.hit));
    if (program_faulty != NULL) program_faulty->opened(s.hit);
    for (int k = 0; k < p->tiles; k++) {
        f[k] = make_tile(&s, &p->tile[k]);
    }
    if (p->cells > 0) s.hit->launcher->most_cells = p->cells;
    if (p->chain != HIT_CHAIN_OFF) HIT_MUST(hit_chain(s.hit, p->chain));
    if (p->chain_steps > 0) s.hit->launcher->chain_choice = &choice;
    for (int k = 0; k < p->steps * p->repeats; k++) {
        const int at = k % p->steps;

        if (k < p->steps) make_kernel(&p->step[at], wrong, &made[at]);
        made[at].todo.shift = p->shifts ? k / p->steps % (MOST_SHIFT + 1) : 0;
        run_step(&s, p, &p->step[at], &made[at], f, &found);
    }
    (void)CALL(&s, hit_wait(s.hit));
    found.placed = out == NULL && s.hit->execution != NULL;
    HIT_MUST(hit_context_stats_all(s.hit, &found.counted));
    found.chained = (int)found.counted.chained / hit_size(s.hit);
    own = program_faulty == NULL || judge(&s, f, p->tiles);
    for (int k = 0; k < p->tiles; k++) {
        drop_field(&s, &f[k]);
    }
    found.told = program_faulty != NULL && on_any(&s, s.told);
    found.good = agree_in_scene(&s) || found.told;
    found.good = found.good && own;
    snprintf(found.text, sizeof(found.text), "%s", s.text);
    hit_close(&s.hit);
    free(made);
    return found;
}

outcome program_run(const program *p, bool wrong)
{
    return run(p, wrong, NULL);
}

outcome program_foretell(const program *p)
{
    FILE *const nowhere = fopen("/dev/null", "w");
    outcome found;

    setenv("HIT_PLAN", "json", 1);
    found = run(p, false, nowhere);
    setenv("HIT_PLAN", "0", 1);
    if (nowhere != NULL) (void)fclose(nowhere);
    return found;
}
