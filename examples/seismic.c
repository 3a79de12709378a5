/* SPDX-License-Identifier: MIT
 * A seismic shot in a section of the Marmousi model: waves leave a source near the
 * surface, receivers at depth 0 write down what comes back. Indices are (x, depth); the
 * absorbing border around the section has those below 0 and beyond. */
#include "hit/checkpoint/checkpoint.h"
#include "hit/dry/dry_run.h"
#include "hit/hit.h"
#include "hit/io/png.h"
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "examples/common.h"
#include "examples/section.h"
#include "examples/segy.h"

extern const hit_kernel record; /* seismic.k.c */

typedef struct seismic {
    example e;
    section s;
    const char *prefix; /**< of the pictures */
    hit_index every;    /**< steps between two samples of the traces */
    hit_tile *older, *now, *courant2, *damping, *traces;
} seismic;

static void step(seismic *run, hit_index t)
{
    const section *s = &run->s;
    const hit_index sample = t / run->every;
    hit_domain inner = hit_domain_grow(hit_tile_domain(run->now), -4);
    hit_wave_shot shot = s->source;

    HIT_MUST(hit_launch(run->e.hit, &wave_float, inner, run->older, run->now,
                        run->courant2, run->damping));
    shot.sample = section_sample(s, t);
    HIT_MUST(hit_launch(run->e.hit, &wave_source_float, s->source_box, run->older,
                        HIT_VALUE(shot)));
    hit_tile_swap(&run->older, &run->now);
    if ((t + 1) % run->every == 0) {
        HIT_MUST(hit_launch(run->e.hit, &record,
                            hit_box_of(sample, sample, 0, s->size[0] - 1), run->traces,
                            run->now));
    }
}

/** Show the field over the section after each quarter, and the traces at the end. */
static void draw(seismic *run, hit_index quarter)
{
    const double before_s = hit_time(run->e.hit);
    const double all_s = (double)run->e.steps * run->s.step_s;
    char path[4096];

    if (run->prefix[0] == '\0' || hit_is_dry_run(run->e.hit)) return;
    snprintf(path, sizeof path, "%s-wave-%d.png", run->prefix, (int)quarter);
    HIT_MUST(section_draw_field(&run->e, &run->s, run->now,
                                0.25 * (double)quarter * all_s, path));
    snprintf(path, sizeof path, "%s-traces.png", run->prefix);
    if (quarter == 4) {
        HIT_MUST(section_draw_traces(&run->e, &run->s, run->traces, all_s, path));
    }
    run->e.start_s += hit_time(run->e.hit) - before_s; /* drawing does not count */
}

static void shoot(seismic *run)
{
    const hit_index steps = run->e.steps;
    hit_index done = 0; /* others may have been done before a checkpoint */
    hit_index t;

    HIT_MUST(hit_checkpoint_tile(run->e.hit, "older", &run->older));
    HIT_MUST(hit_checkpoint_tile(run->e.hit, "now", &run->now));
    HIT_MUST(hit_checkpoint_tile(run->e.hit, "traces", &run->traces));
    HIT_MUST(hit_checkpoint_value(run->e.hit, "t", HIT_INT64, &t));
    example_start(&run->e);
    for (t = 1; t <= steps; t++) {
        HIT_MUST(hit_checkpoint_step(run->e.hit));
        step(run, t - 1);
        example_look(&run->e, t, 4,
                     (hit_tile *[]){run->older, run->now, run->courant2, run->damping});
        if (t * 4 / steps > (t - 1) * 4 / steps) draw(run, t * 4 / steps);
        example_progress(&run->e, t, steps);
        done++;
    }
    example_stop(&run->e);
    run->e.cells *= (double)done / (double)steps;
}

/** Compare with the reference: bit by bit, unless contractions let the kernel round
 * otherwise. What one step rounds, all later ones carry on. */
static void check(seismic *run)
{
    const double steps = (double)run->e.steps;
    float *field = example_gather(&run->e, run->now, hit_tile_domain(run->now));
    float *traces = example_gather(&run->e, run->traces, hit_tile_domain(run->traces));
    double largest = 0;

    if (field != NULL) {
        HIT_MUST(section_check(&run->s, run->e.steps, run->every,
                               (const float *const[]){field, traces}, &run->e.error,
                               &largest));
    }
    if (!wave_float.strict) {
        run->e.bound = (double)FLT_EPSILON * steps * steps * largest;
    }
    free(field);
    free(traces);
}

/** Make the tiles and give the layout of the field. */
static hit_layout *prepare(seismic *run, int *argc, char ***argv)
{
    const section *s = &run->s;
    const hit_index b = s->border;
    const hit_domain all = hit_box_of(-b, s->size[0] - 1 + b, -b, s->size[1] - 1 + b);
    const hit_domain samples = hit_domain_of(run->e.steps / run->every, s->size[0]);
    hit_layout *layout;
    hit_layout *columns;

    run->e.cells = (double)run->e.steps * (double)hit_domain_count(&all);
    example_open(&run->e, argc, argv,
                 4.0 * sizeof(float) * (double)hit_domain_count(&all));
    layout = example_layout(&run->e, all, "wave_float");
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "older", &run->older));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &run->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "courant2", &run->courant2));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "damping", &run->damping));
    HIT_MUST(hit_layout_create(run->e.hit, samples, "block:dims=1", &columns));
    HIT_MUST(hit_tile_create(columns, HIT_FLOAT, "traces", &run->traces));
    hit_layout_destroy(&columns);
    example_set(run->courant2, section_courant2, s);
    example_set(run->damping, section_damping, s);
    return layout;
}

static void write_traces(seismic *run, const char *path)
{
    const double sample_s = run->s.step_s * (double)run->every;

    HIT_MUST(hit_format_register(run->e.hit, &segy));
    HIT_MUST(hit_tile_set_axis(run->traces, 0,
                               &(hit_axis){.name = "t", .units = "s", .step = sample_s}));
    HIT_MUST(hit_tile_set_axis(
        run->traces, 1,
        &(hit_axis){.name = "x", .units = "m", .step = run->s.spacing_m}));
    HIT_MUST(hit_tile_write(run->traces, path, NULL));
}

int main(int argc, char **argv)
{
    seismic run = {.e = {.name = "seismic",
                         .dims = 2,
                         .follows = "N     points along its 12 km, and as many in depth "
                                    "as its 3 km take; or NxM",
                         .rebalances = true}};
    const char *output = NULL;
    const char *model = HIT_EXAMPLE_DATA "/marmousi_vp_1601x401.f32.gz";
    const example_option extra[] = {
        {"--model", "FILE  velocities, 1601 x 401 floats", EXAMPLE_TEXT, &model},
        {"--picture", "NAME  write NAME-wave-1.png ... NAME-traces.png", EXAMPLE_TEXT,
         &run.prefix},
        {"--output", "FILE  write the traces, a row per sample: .npy, .zarr, .h5, .sgy",
         EXAMPLE_TEXT, &output},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    hit_layout *layout;

    run.e.what = "a shot in a section of the Marmousi model, 12 km by 3 km";
    example_read(&run.e, argc, argv, extra);
    if (run.prefix == NULL) {
        run.prefix = run.e.check || !hit_png_is_there() ? "" : "seismic";
    }
    HIT_MUST(section_read(model, run.e.size, &run.s));
    if (run.e.steps == 0) run.e.steps = (hit_index)ceil(2.0 / run.s.step_s);
    run.every = (hit_index)fmax(1, 0.002 / run.s.step_s);

    layout = prepare(&run, &argc, &argv);
    example_balance(&run.e, &layout);
    shoot(&run);
    if (output != NULL) write_traces(&run, output);
    if (run.e.check) check(&run);
    hit_tile_destroy(&run.older);
    hit_tile_destroy(&run.now);
    hit_tile_destroy(&run.courant2);
    hit_tile_destroy(&run.damping);
    hit_tile_destroy(&run.traces);
    free(run.s.velocity);
    return example_end(&run.e, &layout);
}
