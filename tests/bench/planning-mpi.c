/* SPDX-License-Identifier: MIT
 * How the time of a plan grows with the number of elements, for kernels whose needs are
 * strided or interleaved (passes of a sort or of an FFT, grids of a multigrid): for N and
 * 4 N. One that sorts grows by 4.7, one that compares all with all by 16; 6 is the bound
 * of ours. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "hit/data/sig.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "tests/bench/bench.h"

#include <malloc.h>
#include <stdio.h>
#include <time.h>

enum {
    SIZES = 4, /* 1000 to 64,000 elements */
    ROUNDS = 7
};

extern const hit_kernel pairs, neighbours, halves, doubles, around, backwards;

typedef struct problem {
    const char *name;
    const hit_kernel *kernel;
    int tiles;
    int stride;    /* of the elements of y and x; 1, but for red and black */
    hit_index per; /* elements for each index */
    bool backwards;
    bool by_layout; /* hit_launch_on(), by blocks of the indices */
    const char *layout;
} problem;

static const problem problems[] = {
    {"pairs", &pairs, 1, 1, 2, false, true, "block"},
    {"pairs-cyclic", &pairs, 1, 1, 2, false, true, "cyclic"},
    {"pairs-blocks", &pairs, 1, 1, 2, false, true, "blockcyclic:block=8"},
    {"neighbours", &neighbours, 1, 1, 2, false, true, "block"},
    {"neighbours-blocks", &neighbours, 1, 1, 2, false, true, "blockcyclic:block=8"},
    {"halves", &halves, 2, 1, 2, false, false, "block"},
    {"halves-cyclic", &halves, 2, 1, 2, false, false, "cyclic"},
    {"halves-blocks", &halves, 2, 1, 2, false, false, "blockcyclic:block=8"},
    {"doubles", &doubles, 2, 1, 2, false, true, "block"},
    {"doubles-blocks", &doubles, 2, 1, 2, false, true, "blockcyclic:block=8"},
    {"around-cyclic", &around, 2, 1, 1, false, false, "cyclic"},
    {"around-blocks", &around, 2, 1, 1, false, false, "blockcyclic:block=8"},
    {"red-black", &around, 2, 2, 1, false, false, "block"},
    {"red-black-blocks", &around, 2, 2, 1, false, false, "blockcyclic:block=8"},
    {"backwards-blocks", &backwards, 2, 1, 1, true, false, "blockcyclic:block=8"},
};

static double processor_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The seconds of this thread, since a busy machine must not count, at their best. */
static double best_s(hit_call *call)
{
    const hit_known_kernel *known = NULL;
    double best = 1e9;

    HIT_MUST(hit_call_check(call));
    HIT_MUST(hit_launcher_know(call, &known));
    for (int r = 0; r < ROUNDS; r++) {
        const double start = processor_s();
        hit_launch_plan *plan = NULL;
        double seconds;

        HIT_MUST(hit_launch_plan_make(call, known, &plan));
        seconds = processor_s() - start;
        hit_launch_plan_destroy(&plan);
        if (seconds < best) best = seconds;
    }
    return best;
}

static double plan_s(hit_context *hit, const problem *p, hit_index n)
{
    hit_tile *x;
    hit_tile *y;
    hit_layout *by = NULL;
    hit_domain elements = hit_domain_of(n);
    hit_domain indices = hit_domain_of(n / p->per);
    double seconds;

    if (p->kernel == &pairs) indices = hit_domain_of(n / 4, 2);
    if (p->kernel == &around) indices.sig[0] = hit_sig_make(1, n - 2, p->stride);
    if (p->backwards) elements = hit_box_of(1 - n, n - 1);
    HIT_MUST(hit_tile_make(hit, elements, p->layout, HIT_INT32, "x", &x));
    HIT_MUST(hit_tile_make(hit, elements, p->layout, HIT_INT32, "y", &y));
    if (p->by_layout) HIT_MUST(hit_layout_create(hit, indices, "block", &by));
    {
        const hit_arg args[] = {hit_arg_tile(p->tiles == 1 ? x : y), hit_arg_tile(x)};
        hit_call call = {.context = hit,
                         .layout = by,
                         .kernel = p->kernel,
                         .domain = indices,
                         .count = p->tiles,
                         .args = args};

        seconds = best_s(&call);
    }
    hit_layout_destroy(&by);
    hit_tile_destroy(&y);
    hit_tile_destroy(&x);
    return seconds;
}

int main(int argc, char **argv)
{
    hit_context *hit;
    char title[64];

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &hit));
    for (size_t k = 0; k < sizeof(problems) / sizeof(problems[0]); k++) {
        hit_index n = 1000;
        double before = 0;
        double most = 0;
        double seconds = 0;

        for (int size = 0; size < SIZES; size++, n *= 4) {
            seconds = plan_s(hit, &problems[k], n);
            if (before > 0 && seconds / before > most) most = seconds / before;
            before = seconds > 20e-6 ? seconds : 20e-6; /* less is not told apart */
        }
        if (hit_rank(hit) != 0) continue;
        snprintf(title, sizeof(title), "planning-%s", problems[k].name);
        bench_figure(title, seconds * 1e3, "ms for 64,000 elements");
        snprintf(title, sizeof(title), "planning-%s-growth", problems[k].name);
        bench_figure(title, most, "times at most, for 4 times the elements (bound: 6)");
    }
    hit_close(&hit);
    return 0;
}
