/* SPDX-License-Identifier: MIT
 * Sound in a closed room on a staggered grid: cells that are distributed already, each
 * process says which rows it has, and faces, one more in a dimension, that are owned as
 * the cells beside them. Compared with the loops of one process, bit for bit. */
#include "hit/hit.h"

#include <stdio.h>

enum {
    N = 40,
    M = 30,
    STEPS = 50
};

extern const hit_kernel push_down, push_right, press; /* staggered.k.c */

/** Rows as another library may have cut them: those after a process's own are halved. */
static hit_domain my_rows(int rank, int size)
{
    hit_index begin = 0;

    for (int p = 0; p < rank; p++) {
        begin += (N - begin) / 2;
    }
    return hit_box_of(begin, rank == size - 1 ? N - 1 : begin + (N - begin) / 2 - 1, 0,
                      M - 1);
}

static hit_tile *make_like(const hit_layout *cells, hit_domain domain, const char *name)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_like(cells, domain, NULL, &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

static void run(hit_context *hit, hit_tile *pressure, hit_tile *down, hit_tile *right)
{
    for (int t = 0; t < STEPS; t++) { /* walls stay at rest */
        HIT_MUST(
            hit_launch(hit, &push_down, hit_box_of(1, N - 1, 0, M - 1), down, pressure));
        HIT_MUST(hit_launch(hit, &push_right, hit_box_of(0, N - 1, 1, M - 1), right,
                            pressure));
        HIT_MUST(hit_launch(hit, &press, hit_domain_of(N, M), pressure, down, right));
    }
}

/** The same in plain loops. */
static void run_alone(double p[N][M])
{
    static double down[N + 1][M];
    static double right[N][M + 1];

    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N; i++) {
            for (int j = 0; j < M; j++) {
                down[i][j] -= 0.5 * (p[i][j] - p[i - 1][j]);
            }
        }
        for (int i = 0; i < N; i++) {
            for (int j = 1; j < M; j++) {
                right[i][j] -= 0.5 * (p[i][j] - p[i][j - 1]);
            }
        }
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < M; j++) {
                p[i][j] -=
                    0.5 * (down[i + 1][j] - down[i][j] + right[i][j + 1] - right[i][j]);
            }
        }
    }
}

static bool are_same(double a[N][M], double b[N][M])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            if (a[i][j] != b[i][j]) return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static double found[N][M]; /* this and expected: of process 0 */
    static double expected[N][M];
    hit_context *hit;
    hit_layout *cells;
    hit_tile *pressure;
    hit_tile *down;
    hit_tile *right;
    bool same;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_layout_from_parts(hit, hit_domain_of(N, M),
                                   my_rows(hit_rank(hit), hit_size(hit)), &cells));
    HIT_MUST(hit_tile_create(cells, HIT_DOUBLE, "pressure", &pressure));
    down = make_like(cells, hit_domain_of(N + 1, M), "down");
    right = make_like(cells, hit_domain_of(N, M + 1), "right");
    expected[3][4] = 1; /* a clap */
    HIT_MUST(hit_tile_scatter(pressure, 0, expected));
    run(hit, pressure, down, right);
    HIT_MUST(hit_tile_gather(pressure, 0, found));
    run_alone(expected);
    same = hit_rank(hit) != 0 || are_same(found, expected);
    if (hit_rank(hit) == 0) {
        printf("pressure after %d steps: %s\n", STEPS,
               same ? "as one process has it" : "wrong");
    }
    hit_tile_destroy(&right);
    hit_tile_destroy(&down);
    hit_tile_destroy(&pressure);
    hit_layout_destroy(&cells);
    hit_close(&hit);
    return same ? 0 : 1;
}
