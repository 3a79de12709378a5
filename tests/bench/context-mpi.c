/* SPDX-License-Identifier: MIT
 * What a context takes in steady state on process 0, without its tiles: what the library
 * has from malloc() (not what MPI takes) when a time loop of 1,000 steps is over, of
 * launches one by one, in chains, and of narrow launches, which wait in a window. */
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/support/faults.h"

extern const hit_kernel empty;

enum {
    SIZE = 256,
    BLOCK = 16, /* of narrow launches */
    STEPS = 1000
};

static void launch_step(hit_context *hit, hit_tile *next, hit_tile *now, bool narrow)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(SIZE, SIZE), -1);
    const int rows = narrow ? BLOCK : SIZE;

    for (hit_index i = 0; i < SIZE; i += rows) {
        hit_domain box = inner;

        if (i > 0) box.sig[0].begin = i;
        if (i + rows < SIZE) box.sig[0].end = i + rows - 1;
        HIT_MUST(hit_launch(hit, &empty, box, next, now, HIT_VALUE(0.5f)));
    }
}

static void print_bytes(int *argc, char ***argv, const char *name, int chain, bool narrow)
{
    const long before = test_fault.held_bytes;
    hit_context *hit = NULL;
    hit_tile *now = NULL;
    hit_tile *next = NULL;

    HIT_MUST(
        hit_open_with(argc, argv, &(hit_options){.devices = "host:threads=2"}, &hit));
    HIT_MUST(hit_chain(hit, chain));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(SIZE, SIZE), "block", HIT_FLOAT, "now", &now));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(SIZE, SIZE), "block", HIT_FLOAT, "next", &next));
    for (int t = 0; t < STEPS; t++) {
        launch_step(hit, next, now, narrow);
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_wait(hit));
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    if (hit_rank(hit) == 0) {
        bench_figure(name, (double)(test_fault.held_bytes - before) / 1000, "KB");
    }
    hit_close(&hit);
}

int main(int argc, char **argv)
{
    hit_context *first = NULL; /* MPI lives as long */

    HIT_MUST(hit_open(&argc, &argv, &first));
    print_bytes(&argc, &argv, "context one-by-one", HIT_CHAIN_OFF, false);
    print_bytes(&argc, &argv, "context chains", HIT_CHAIN_ANY, false);
    print_bytes(&argc, &argv, "context narrow", HIT_CHAIN_OFF, true);
    hit_close(&first);
    return 0;
}
