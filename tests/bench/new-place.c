/* SPDX-License-Identifier: MIT
 * What a launch costs at a place where the kernel has not run before, beside the same
 * launch at a place that is known: an empty kernel with three arguments, one host thread;
 * in place, on a block that is a selection (tile factorisations), streamed through a
 * device's memory, and, on 2 processes, without messages. Boxes are small, so that
 * planning is what is measured; the boxes of both variants have the same size. Celerity
 * plans a task in 5 to 46 microseconds on a scheduler thread of its own (arXiv
 * 2503.10516, "Concurrent Scheduling of Highly Parallel Applications": the time of its
 * instruction graph per task); its figure is printed beside. */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <stdio.h>

enum {
    N = 400, /* rows and columns of the tiles */
    ROUNDS = 15
};

extern const hit_kernel empty;

typedef struct setting {
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;
    hit_index size;  /* of a box, rows and columns */
    hit_index room;  /* places per row */
    hit_index first; /* row */
    hit_index rows;  /* places per column */
    hit_index at;    /* the next place */
    int launches;
} setting;

static hit_domain box_at(const setting *s, hit_index place)
{
    const hit_index row = s->first + place / s->room % s->rows;
    const hit_index column = 1 + place % s->room;

    return hit_domain_box(2, (hit_index[]){row, column},
                          (hit_index[]){row + s->size - 1, column + s->size - 1});
}

static double run(setting *s, bool moves)
{
    const double start = bench_time();

    for (int k = 0; k < s->launches; k++) {
        const hit_domain box = box_at(s, s->at);

        s->at += moves;
        HIT_MUST(hit_launch(s->hit, &empty, box, s->next, s->now, HIT_VALUE(0.5f)));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / s->launches;
}

static double run_known(void *context)
{
    return run(context, false);
}

static double run_new(void *context)
{
    return run(context, true);
}

/* A selection is made for each launch, also where it is the same one. */
static double run_selected(setting *s, bool moves)
{
    const double start = bench_time();

    for (int k = 0; k < s->launches; k++) {
        const hit_domain box = box_at(s, s->at);
        hit_tile *next = NULL;
        hit_tile *now = NULL;

        s->at += moves;
        HIT_MUST(hit_tile_select(s->next, box, &next));
        HIT_MUST(hit_tile_select(s->now, hit_domain_grow(box, 1), &now));
        HIT_MUST(hit_launch(s->hit, &empty, box, next, now, HIT_VALUE(0.5f)));
        hit_tile_destroy(&next);
        hit_tile_destroy(&now);
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / s->launches;
}

static double run_known_selected(void *context)
{
    return run_selected(context, false);
}

static double run_new_selected(void *context)
{
    return run_selected(context, true);
}

static void measure(setting *s, const char *name, bench_variant known,
                    bench_variant moves)
{
    const bench_turn turn[2] = {{known, s}, {moves, s}};
    double seconds[2][BENCH_ROUNDS];
    double more[BENCH_ROUNDS];
    char title[64];

    bench_turns(turn, 2, ROUNDS, seconds);
    for (int r = 0; r < ROUNDS; r++) {
        more[r] = seconds[1][r] - seconds[0][r];
    }
    if (hit_rank(s->hit) != 0) return;
    snprintf(title, sizeof(title), "%s-known", name);
    bench_times(title, seconds[0], ROUNDS, 1e6, "microseconds");
    snprintf(title, sizeof(title), "%s-new", name);
    bench_times(title, seconds[1], ROUNDS, 1e6, "microseconds");
    snprintf(title, sizeof(title), "%s-new-costs", name);
    bench_times(title, more, ROUNDS, 1e6, "microseconds more than known");
}

/* On several processes each has a block of rows, and the boxes are in that of the first
 * one: no message. */
static void open_on(int *argc, char ***argv, const char *devices, setting *s)
{
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(argc, argv, &(hit_options){.devices = devices}, &s->hit));
    HIT_MUST(hit_layout_create(s->hit, hit_domain_of(N, N), "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s->next));
    hit_layout_destroy(&layout);
}

static void close_it(setting *s)
{
    hit_tile_destroy(&s->now);
    hit_tile_destroy(&s->next);
    hit_close(&s->hit);
}

int main(int argc, char **argv)
{
    setting place = {
        .size = 2, .room = N - 4, .first = 1, .rows = N - 4, .launches = 5000};
    setting stream = {
        .size = 24, .room = N - 26, .first = 1, .rows = N - 26, .launches = 200};

    open_on(&argc, &argv, "host:threads=1", &place);
    if (hit_size(place.hit) > 1) {
        place.rows = N / hit_size(place.hit) - 4;
        measure(&place, "new-place-processes", run_known, run_new);
        close_it(&place);
        return 0;
    }
    measure(&place, "new-place-in-place", run_known, run_new);
    measure(&place, "new-place-selected", run_known_selected, run_new_selected);
    open_on(&argc, &argv, "host:memory=4KiB:threads=1", &stream);
    measure(&stream, "new-place-streamed", run_known, run_new);
    close_it(&stream);
    close_it(&place);
    bench_figure("new-place-celerity-least", 5, "microseconds a task, published");
    bench_figure("new-place-celerity-most", 46, "microseconds a task, published");
    return 0;
}
