/* SPDX-License-Identifier: MIT
 * Kernels of the catalogue on what HIT_DEVICES says: one line each, see row.h. The last
 * column is a weighted sum of the result, by which those of host and GPU are compared.
 *   gpu.kernels heat|heatd|stencil7|wave|axpy|dot|matvec|sgemm|dgemm|launch N STEPS */
#include "kernels/kernels.h"

#include "hit/hit.h"
#include "tests/gpu/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILES = 4,
    REPETITIONS = 5
};

typedef struct work {
    hit_context *hit;
    hit_tile *tile[TILES];
    double units; /* points of a step, or operations of a product */
    double bytes; /* that a step moves through the device's memory at least */
    bool doubles;
} work;

static void run_heat(work *w)
{
    const hit_domain inner = hit_domain_grow(hit_tile_domain(w->tile[0]), -1);
    const float c = 0.2f;
    const double cd = 0.2;

    if (w->doubles) {
        HIT_MUST(hit_launch(w->hit, &heat_double, inner, w->tile[1], w->tile[0],
                            HIT_VALUE(cd)));
    } else {
        HIT_MUST(hit_launch(w->hit, inner.dims == 3 ? &stencil7_float : &heat_float,
                            inner, w->tile[1], w->tile[0], HIT_VALUE(c)));
    }
    hit_tile_swap(&w->tile[0], &w->tile[1]);
}

static void run_wave(work *w)
{
    const hit_domain inner = hit_domain_grow(hit_tile_domain(w->tile[0]), -4);

    HIT_MUST(hit_launch(w->hit, &wave_float, inner, w->tile[1], w->tile[0], w->tile[2],
                        w->tile[3]));
    hit_tile_swap(&w->tile[0], &w->tile[1]);
}

static void run_axpy(work *w)
{
    const float alpha = 1e-3f;

    HIT_MUST(hit_launch(w->hit, &axpy_float, hit_tile_domain(w->tile[0]), w->tile[0],
                        w->tile[1], HIT_VALUE(alpha)));
}

static void run_dot(work *w)
{
    HIT_MUST(hit_launch(w->hit, &dot_float, hit_tile_domain(w->tile[1]), w->tile[0],
                        w->tile[1], w->tile[2]));
}

static void run_matvec(work *w)
{
    HIT_MUST(hit_launch(w->hit, &matvec_float, hit_tile_domain(w->tile[0]), w->tile[0],
                        w->tile[1], w->tile[2]));
}

static void run_product(work *w)
{
    const hit_domain all = hit_tile_domain(w->tile[0]);
    const float one = 1;
    const float zero = 0;
    const double oned = 1;
    const double zerod = 0;

    if (w->doubles) {
        HIT_MUST(hit_launch(w->hit, &gemm_double, all, w->tile[0], w->tile[1], w->tile[2],
                            HIT_VALUE(oned), HIT_VALUE(zerod)));
    } else {
        HIT_MUST(hit_launch(w->hit, &gemm_float, all, w->tile[0], w->tile[1], w->tile[2],
                            HIT_VALUE(one), HIT_VALUE(zero)));
    }
}

/* Next to nothing: what a launch costs. */
static void run_launch(work *w)
{
    const float alpha = 1;

    HIT_MUST(
        hit_launch(w->hit, &scale_float, hit_domain_of(1), w->tile[0], HIT_VALUE(alpha)));
}

/* What a kernel needs: `tiles` of `dims` dimensions each, `bytes` per unit. */
typedef struct kind {
    const char *name;
    void (*run)(work *w);
    int dims[TILES]; /* of each tile; -1: there is none */
    int unit_dims;   /* units: N to this power, times `operations` */
    double operations;
    double bytes;
    bool doubles;
} kind;

static const kind kinds[] = {
    {"heat", run_heat, {2, 2, -1, -1}, 2, 1, 8, false},
    {"heatd", run_heat, {2, 2, -1, -1}, 2, 1, 16, true},
    {"stencil7", run_heat, {3, 3, -1, -1}, 3, 1, 8, false},
    {"wave", run_wave, {2, 2, 2, 2}, 2, 1, 20, false},
    {"axpy", run_axpy, {1, 1, -1, -1}, 1, 1, 12, false},
    {"dot", run_dot, {0, 1, 1, -1}, 1, 1, 8, false},
    {"matvec", run_matvec, {1, 2, 1, -1}, 2, 1, 4, false},
    {"sgemm", run_product, {2, 2, 2, -1}, 3, 2, 0, false},
    {"dgemm", run_product, {2, 2, 2, -1}, 3, 2, 0, true},
    {"launch", run_launch, {1, -1, -1, -1}, 0, 1, 0, false},
};

static bool is_double(const kind *k, int tile)
{
    return k->doubles || k->dims[tile] == 0; /* totals are doubles */
}

static void *elements(hit_tile *tile, size_t size, size_t *count)
{
    const hit_domain domain = hit_tile_domain(tile);
    void *memory;

    *count = (size_t)hit_domain_count(&domain);
    memory = malloc(*count * size);
    if (memory == NULL) exit(EXIT_FAILURE);
    return memory;
}

static void make_tile(work *w, const kind *k, int tile, hit_index n)
{
    const bool doubles = is_double(k, tile);
    const size_t size = doubles ? sizeof(double) : sizeof(float);
    hit_domain domain = {.dims = k->dims[tile]};
    hit_layout *layout;
    size_t count;
    void *memory;

    for (int d = 0; d < domain.dims; d++) {
        domain.sig[d] = hit_sig_make(0, n - 1, 1);
    }
    HIT_MUST(hit_layout_create(w->hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, doubles ? HIT_DOUBLE : HIT_FLOAT, "tile",
                             &w->tile[tile]));
    hit_layout_destroy(&layout);
    memory = elements(w->tile[tile], size, &count);
    row_fill(memory, count, size, (unsigned)tile / 2 + 1);
    HIT_MUST(hit_tile_scatter(w->tile[tile], 0, memory));
    free(memory);
}

static double time_steps(work *w, const kind *k, int steps)
{
    double time_s[REPETITIONS];

    k->run(w); /* the plan, the elements' way, the kernel's code */
    k->run(w);
    HIT_MUST(hit_wait(w->hit));
    for (int r = 0; r < REPETITIONS; r++) {
        const double start = row_now_s();
        for (int s = 0; s < steps; s++) {
            k->run(w);
        }
        HIT_MUST(hit_wait(w->hit));
        time_s[r] = (row_now_s() - start) / steps;
    }
    return row_median(time_s, REPETITIONS);
}

static void print(work *w, const kind *k, hit_index n, double step_s)
{
    const char *devices = getenv("HIT_DEVICES");
    const size_t size = is_double(k, 0) ? sizeof(double) : sizeof(float);
    char name[32];
    size_t count;
    void *memory = elements(w->tile[0], size, &count);

    HIT_MUST(hit_tile_gather(w->tile[0], 0, memory));
    snprintf(name, sizeof(name), "hit %s", k->name);
    row_print(name, n, devices != NULL ? devices : "as found", step_s, w->units,
              w->bytes);
    printf("%.5g\n", row_sum(memory, count, size));
    free(memory);
}

int main(int argc, char **argv)
{
    const kind *k = NULL;
    work w = {.hit = NULL};
    hit_index n;

    for (size_t at = 0; argc == 4 && at < sizeof(kinds) / sizeof(kinds[0]); at++) {
        if (strcmp(kinds[at].name, argv[1]) == 0) k = &kinds[at];
    }
    if (k == NULL || atoll(argv[2]) < 10 || atoi(argv[3]) < 1) {
        fprintf(stderr, "expected KERNEL N STEPS with N >= 10, as in tests/gpu/gpu.sh\n");
        return 2;
    }
    n = atoll(argv[2]);
    const int steps = atoi(argv[3]);
    HIT_MUST(hit_open(&argc, &argv, &w.hit));
    w.doubles = k->doubles;
    w.units = k->operations;
    for (int d = 0; d < k->unit_dims; d++) {
        w.units *= (double)n;
    }
    w.bytes = k->bytes * w.units;
    for (int t = 0; t < TILES; t++) {
        if (k->dims[t] >= 0) make_tile(&w, k, t, n);
    }
    print(&w, k, n, time_steps(&w, k, steps));
    for (int t = 0; t < TILES; t++) {
        if (w.tile[t] != NULL) hit_tile_destroy(&w.tile[t]);
    }
    hit_close(&w.hit);
    return 0;
}
