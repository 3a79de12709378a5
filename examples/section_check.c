/* SPDX-License-Identifier: MIT
 * The shot of the seismic example once more, in plain C on one process, as one would
 * write it without the library: what the example is compared with. */
#include <math.h>

#include "examples/common.h"
#include "examples/section.h"

/** The grid with its border, row-major. */
typedef struct grid {
    ptrdiff_t rows, columns, border;
    float *older, *now, *courant2, *damping;
} grid;

static hit_status make(const section *s, grid *g)
{
    size_t cells;

    g->border = (ptrdiff_t)s->border;
    g->rows = (ptrdiff_t)s->size[0] + 2 * g->border;
    g->columns = (ptrdiff_t)s->size[1] + 2 * g->border;
    cells = (size_t)g->rows * (size_t)g->columns;
    HIT_TRY(hit_memory_zeroed(cells, sizeof(float), &g->older));
    HIT_TRY(hit_memory_zeroed(cells, sizeof(float), &g->now));
    HIT_TRY(hit_memory_zeroed(cells, sizeof(float), &g->courant2));
    HIT_TRY(hit_memory_zeroed(cells, sizeof(float), &g->damping));
    for (ptrdiff_t i = 0; i < g->rows; i++) {
        for (ptrdiff_t j = 0; j < g->columns; j++) {
            ptrdiff_t k = i * g->columns + j;

            const hit_index x[] = {i - g->border, j - g->border};

            g->courant2[k] = (float)section_courant2(s, x);
            g->damping[k] = (float)section_damping(s, x);
        }
    }
    return HIT_OK;
}

static void step(const grid *g)
{
    const ptrdiff_t w = g->columns;

    for (ptrdiff_t i = 4; i < g->rows - 4; i++) {
        for (ptrdiff_t j = 4; j < w - 4; j++) {
            const ptrdiff_t k = i * w + j;
            const float *u = g->now + k;
            const float n1 = u[-w] + u[w] + u[-1] + u[1];
            const float n2 = u[-2 * w] + u[2 * w] + u[-2] + u[2];
            const float n3 = u[-3 * w] + u[3 * w] + u[-3] + u[3];
            const float n4 = u[-4 * w] + u[4 * w] + u[-4] + u[4];
            const float laplace = 1.6f * n1 - 0.2f * n2 + (float)(8.0 / 315.0) * n3 -
                                  (float)(1.0 / 560.0) * n4 -
                                  (float)(205.0 / 36.0) * u[0];

            g->older[k] = g->damping[k] * (2.0f * u[0] + g->courant2[k] * laplace -
                                           g->damping[k] * g->older[k]);
        }
    }
}

static void shoot(const section *s, const grid *g, hit_index t)
{
    const float radius = s->source.radius;
    const float sample = section_sample(s, t);
    const hit_index r = (hit_index)radius;

    for (hit_index i = -r; i <= r; i++) {
        for (hit_index j = -r; j <= r; j++) {
            const float x = (float)i / radius;
            const float y = (float)j / radius;
            const float inside = 1.0f - x * x - y * y;
            hit_index row = s->source.centre[0] + i + g->border;
            hit_index column = s->source.centre[1] + j + g->border;

            g->older[row * g->columns + column] +=
                inside > 0.0f ? sample * inside * inside : 0.0f;
        }
    }
}

hit_status section_check(const section *s, hit_index steps, hit_index every,
                         const float *const found[2], double *error, double *largest)
{
    double worst = 0;
    grid g;

    HIT_TRY(make(s, &g));
    for (hit_index t = 0; t < steps; t++) {
        float *swap = g.older;

        step(&g);
        shoot(s, &g, t);
        g.older = g.now;
        g.now = swap;
        for (hit_index i = 0; (t + 1) % every == 0 && i < s->size[0]; i++) {
            float expected = g.now[(i + g.border) * g.columns + g.border];
            const float *trace = found[1] + t / every * s->size[0];
            double differs = example_differs(trace + i, &expected, 1, sizeof(float));

            worst = differs > worst ? differs : worst;
        }
    }
    *error = example_differs(found[0], g.now, g.rows * g.columns, sizeof(float));
    *error = worst > *error ? worst : *error;
    *largest = 0;
    for (hit_index k = 0; k < g.rows * g.columns; k++) {
        *largest = fmax(*largest, fabs((double)g.now[k]));
    }
    free(g.older);
    free(g.now);
    free(g.courant2);
    free(g.damping);
    return HIT_OK;
}
