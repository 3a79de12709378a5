/* SPDX-License-Identifier: MIT
 * Many shots: a seismic survey, of which groups of processes compute one shot each at a
 * time, as the example seismic computes it. Groups may be of unlike size, and on unlike
 * devices: after its first shot each group gets as many of the others as it is fast.
 *
 *     mpiexec -n 3 survey --groups 2 --shots 12
 */
#include "hit/base/json.h"
#include "hit/hit.h"
#include "hit/mpi.h"
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "examples/common.h"
#include "examples/section.h"

extern const hit_kernel record; /* seismic.k.c */

/* What a group tells the others. */
enum {
    SECONDS, /* of its first shot */
    WRONG,   /* shots that differ from the reference */
    FACTS
};

typedef struct survey {
    example e; /**< its context is that of the group */
    section s;
    hit_context *whole;
    hit_index shots, groups, group;
    hit_index every; /**< steps between two samples of the traces */
    hit_index wrong;
    hit_tile *facts; /**< of the whole: a row for each process */
    hit_tile *older, *now, *courant2, *damping, *traces;
} survey;

/** The first process of a group. */
static hit_index first_of(const survey *run, hit_index group)
{
    return (group * hit_size(run->whole) + run->groups - 1) / run->groups;
}

static void set_fact(survey *run, int fact, double value)
{
    hit_view view;

    HIT_MUST(hit_tile_map(run->facts, 0, HIT_READ_WRITE, &view));
    HIT_AT(view, double, hit_rank(run->whole), fact) = value;
}

/** @collective over the whole */
static double fact_of(survey *run, hit_index group, int fact)
{
    double value;

    HIT_MUST(hit_tile_get(run->facts, (hit_index[]){first_of(run, group), fact}, &value));
    return value;
}

static void open_group(survey *run)
{
    const hit_options options = {.threads = (int)run->e.threads};
    const hit_index size = hit_size(run->whole);
    hit_layout *rows;

    if (run->groups > size) {
        example_mistake(&run->e, "expected at most %d groups, one for each process",
                        (int)size);
    }
    run->group = hit_rank(run->whole) * run->groups / size;
    HIT_MUST(
        hit_layout_create(run->whole, hit_domain_of(size, FACTS), "block:dims=0", &rows));
    HIT_MUST(hit_tile_create(rows, HIT_DOUBLE, "facts", &run->facts));
    hit_layout_destroy(&rows);
    HIT_MUST(hit_open_group(run->whole, (int)run->group, &options, &run->e.hit));
    HIT_MUST(hit_chain(run->e.hit, HIT_CHAIN_ANY));
}

static void make_tiles(survey *run)
{
    const section *s = &run->s;
    const hit_index b = s->border;
    const hit_domain all = hit_box_of(-b, s->size[0] - 1 + b, -b, s->size[1] - 1 + b);
    const hit_domain samples = hit_domain_of(run->e.steps / run->every, s->size[0]);
    hit_layout *layout = example_layout(&run->e, all, "wave_float");

    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "older", &run->older));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &run->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "courant2", &run->courant2));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "damping", &run->damping));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_layout_create(run->e.hit, samples, "block:dims=1", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "traces", &run->traces));
    hit_layout_destroy(&layout);
    example_set(run->courant2, section_courant2, s);
    example_set(run->damping, section_damping, s);
}

/** Compare with the reference, as seismic does. */
static void check(survey *run)
{
    const double steps = (double)run->e.steps;
    float *field = example_gather(&run->e, run->now, hit_tile_domain(run->now));
    float *traces = example_gather(&run->e, run->traces, hit_tile_domain(run->traces));
    double largest = 0;
    double error = 0;

    if (field != NULL) {
        HIT_MUST(section_check(&run->s, run->e.steps, run->every,
                               (const float *const[]){field, traces}, &error, &largest));
    }
    if (wave_float.strict) largest = 0;
    run->wrong += !(error <= (double)FLT_EPSILON * steps * steps * largest);
    free(field);
    free(traces);
}

/** One of the shots, which lie along the section. */
static void shoot(survey *run, hit_index shot)
{
    const float none = 0;
    const hit_index r = (hit_index)run->s.source.radius;
    const hit_index x = (shot + 1) * run->s.size[0] / (run->shots + 1);
    const hit_index z = run->s.source.centre[1];
    const hit_domain inner = hit_domain_grow(hit_tile_domain(run->now), -4);

    run->s.source.centre[0] = x;
    run->s.source_box = hit_box_of(x - r, x + r, z - r, z + r);
    HIT_MUST(hit_tile_fill(run->older, &none));
    HIT_MUST(hit_tile_fill(run->now, &none));
    for (hit_index t = 0; t < run->e.steps; t++) {
        hit_wave_shot source = run->s.source;

        HIT_MUST(hit_launch(run->e.hit, &wave_float, inner, run->older, run->now,
                            run->courant2, run->damping));
        source.sample = section_sample(&run->s, t);
        HIT_MUST(hit_launch(run->e.hit, &wave_source_float, run->s.source_box, run->older,
                            HIT_VALUE(source)));
        hit_tile_swap(&run->older, &run->now);
        if ((t + 1) % run->every == 0) {
            const hit_index row = t / run->every;

            HIT_MUST(hit_launch(run->e.hit, &record,
                                hit_box_of(row, row, 0, run->s.size[0] - 1), run->traces,
                                run->now));
        }
    }
    HIT_MUST(hit_wait(run->e.hit));
}

/** All shots. @p done: of each group */
static void shoot_all(survey *run, hit_index done[])
{
    double start_s = hit_time(run->e.hit);
    double *seconds;

    HIT_MUST(hit_memory_zeroed((size_t)run->groups, sizeof *seconds, &seconds));
    if (run->group < run->shots) shoot(run, run->group);
    set_fact(run, SECONDS, hit_time(run->e.hit) - start_s);
    if (run->e.check && run->group < run->shots) check(run);
    for (hit_index g = 0; g < run->groups; g++) {
        seconds[g] = fact_of(run, g, SECONDS);
        done[g] = g < run->shots;
    }
    for (hit_index shot = run->groups; shot < run->shots; shot++) {
        hit_index next = 0; /* who would be done with it first */

        for (hit_index g = 1; g < run->groups; g++) {
            if ((double)(done[g] + 1) * seconds[g] <
                (double)(done[next] + 1) * seconds[next]) {
                next = g;
            }
        }
        done[next]++;
        if (next != run->group) continue;
        shoot(run, shot);
        if (run->e.check) check(run);
    }
    free(seconds);
}

/** The exit code. */
static int report(survey *run, const hit_index done[])
{
    hit_json line = {.file = stdout};
    hit_index wrong = 0;

    set_fact(run, WRONG, (double)run->wrong);
    for (hit_index g = 0; g < run->groups; g++) {
        wrong += (hit_index)fact_of(run, g, WRONG);
    }
    if (hit_rank(run->whole) > 0) return 0;
    for (hit_index g = 0; g < run->groups; g++) {
        printf("  group %-12d %d shots on %d processes\n", (int)g, (int)done[g],
               (int)(first_of(run, g + 1) - first_of(run, g)));
    }
    printf("  %-18s %.3f s\n", "time", run->e.time_s);
    if (run->e.check) printf("  %-18s %d shots\n", "wrong", (int)wrong);
    if (run->e.json) {
        hit_json_object(&line, NULL);
        hit_json_text(&line, "example", run->e.name);
        hit_json_whole(&line, "processes", hit_size(run->whole));
        hit_json_indices(&line, "shots", (int)run->groups, done);
        hit_json_real(&line, "time_s", "%.6f", run->e.time_s);
        if (run->e.check) hit_json_truth(&line, "ok", wrong == 0);
        hit_json_end_line(&line);
    }
    return wrong > 0;
}

static void read(survey *run, int argc, char **argv)
{
    const char *model = HIT_EXAMPLE_DATA "/marmousi_vp_1601x401.f32.gz";
    const example_option extra[] = {
        {"--shots", "N     along the section, default 8", EXAMPLE_COUNT, &run->shots},
        {"--groups", "N     of processes, which have a shot each, default 1",
         EXAMPLE_COUNT, &run->groups},
        {"--model", "FILE  velocities, 1601 x 401 floats", EXAMPLE_TEXT, &model},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};

    example_read(&run->e, argc, argv, extra);
    if (run->e.memory != NULL || run->e.slow != NULL || run->e.cliff != NULL) {
        example_mistake(&run->e, "--device-memory, --slow and --cliff are for one group: "
                                 "expected HIT_DEVICES instead (docs/device.md)");
    }
    HIT_MUST(section_read(model, run->e.size, &run->s));
    if (run->e.steps == 0) run->e.steps = (hit_index)ceil(2.0 / run->s.step_s);
    run->every = (hit_index)fmax(1, 0.002 / run->s.step_s);
}

int main(int argc, char **argv)
{
    survey run = {.e = {.name = "survey",
                        .what = "shots in a section of the Marmousi model, on groups of "
                                "processes",
                        .dims = 2,
                        .follows = "N     points along its 12 km, and as many in depth "
                                   "as its 3 km take; or NxM"},
                  .shots = 8,
                  .groups = 1};
    hit_index *done;
    double start_s;
    int code;

    read(&run, argc, argv);
    run.whole = example_open(&run.e, &argc, &argv, 0);
    open_group(&run);
    make_tiles(&run);
    HIT_MUST(hit_memory_zeroed((size_t)run.groups, sizeof *done, &done));
    HIT_MUST(hit_barrier(run.whole));
    start_s = hit_time(run.whole);
    shoot_all(&run, done);
    HIT_MUST(hit_barrier(run.whole));
    run.e.time_s = hit_time(run.whole) - start_s;
    code = report(&run, done);
    hit_tile_destroy(&run.older);
    hit_tile_destroy(&run.now);
    hit_tile_destroy(&run.courant2);
    hit_tile_destroy(&run.damping);
    hit_tile_destroy(&run.traces);
    hit_close(&run.e.hit);
    hit_tile_destroy(&run.facts);
    hit_close(&run.whole);
    free(run.s.velocity);
    free(done);
    return code;
}
