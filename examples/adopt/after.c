/* SPDX-License-Identifier: MIT
 * A Jacobi program as there are many: rows of a plate with a hot edge on the processes of
 * a communicator of its own, arrays with ghost rows. In before.c all loops are its own;
 * in after.c one of them is a kernel of the library, and the rest is as it was. */
#include "hit/hit.h"
#include "hit/mpi.h"

#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    N = 96,
    M = 70,
    STEPS = 60
};
extern const hit_kernel relax; /* relax.k.c */

/* What a process has of the plate: rows first to first + rows - 1, in an array with a
 * ghost row before and one behind. */
typedef struct part {
    MPI_Comm comm;
    int rank;
    int size;
    int first;
    int rows;
} part;

static part make_part(void)
{
    part p = {.first = 0};
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &p.comm); /* in reverse order */
    MPI_Comm_rank(p.comm, &p.rank);
    MPI_Comm_size(p.comm, &p.size);
    p.first = N * p.rank * (p.rank + p.size) / (2 * p.size * p.size); /* more and more */
    p.rows = N * (p.rank + 1) * (p.rank + 1 + p.size) / (2 * p.size * p.size) - p.first;
    return p;
}

static double (*make_array(const part *p))[M]
{
    double(*u)[M] = calloc((size_t)p->rows + 2, sizeof(*u));

    if (u == NULL) {
        MPI_Abort(p->comm, 1);
        exit(1);
    }
    for (int j = 0; j < M && p->rank == 0; j++) {
        u[1][j] = 100;
    }
    return u;
}

/* Fill the ghost rows. */
static void exchange(const part *p, double u[][M])
{
    const int up = p->rank > 0 ? p->rank - 1 : MPI_PROC_NULL;
    const int down = p->rank < p->size - 1 ? p->rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(u[1], M, MPI_DOUBLE, up, 0, u[p->rows + 1], M, MPI_DOUBLE, down, 0,
                 p->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u[p->rows], M, MPI_DOUBLE, down, 1, u[0], M, MPI_DOUBLE, up, 1, p->comm,
                 MPI_STATUS_IGNORE);
}

/* Of the inner rows of the plate, in the array. */
static int first_inner(const part *p)
{
    return p->first == 0 ? 2 : 1;
}

static int last_inner(const part *p)
{
    return p->first + p->rows == N ? p->rows - 1 : p->rows;
}

static double residual(const part *p, double u[][M])
{
    double most = 0;

    exchange(p, u);
    for (int i = first_inner(p); i <= last_inner(p); i++) {
        for (int j = 1; j < M - 1; j++) {
            most = fmax(most, fabs(u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] -
                                   4 * u[i][j]));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, p->comm);
    return most;
}

/* Of all elements, row after row. */
static void print_all(const part *p, double u[][M])
{
    for (int i = 0; i < N; i++) {
        const int mine = i >= p->first && i < p->first + p->rows;
        double sums[2] = {0, 0};

        for (int j = 0; j < M && mine; j++) {
            sums[0] += u[i - p->first + 1][j];
            sums[1] += j * u[i - p->first + 1][j];
        }
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, p->comm);
        if (p->rank == 0) printf("row %d: %a %a\n", i, sums[0], sums[1]);
    }
}

int main(int argc, char **argv)
{
    double(*u[2])[M];
    hit_context *hit;
    hit_layout *rows;
    hit_tile *v[2];
    part p;

    MPI_Init(&argc, &argv);
    p = make_part();
    u[0] = make_array(&p);
    u[1] = make_array(&p);
    hit_domain mine = hit_box_of(p.first, p.first + p.rows - 1, 0, M - 1);
    HIT_MUST(hit_open_from(&p.comm, NULL, &hit));
    HIT_MUST(hit_layout_from_parts(hit, hit_domain_of(N, M), mine, &rows));
    for (int k = 0; k < 2; k++) {
        hit_local_array array = {.first = u[k][1], .before = {1}, .behind = {1}};
        HIT_MUST(hit_tile_adopt(rows, HIT_DOUBLE, "u", &array, &v[k]));
    }
    for (int t = 0; t < STEPS; t++) {
        const int old = t % 2;
        const int new = 1 - old;

        HIT_MUST(hit_launch(hit, &relax, hit_box_of(1, N - 2, 1, M - 2), v[new], v[old]));
        if (t % 20 < 19) continue;
        HIT_MUST(hit_tile_map(v[new], 0, HIT_READ, NULL));
        double left = residual(&p, u[new]);
        if (p.rank == 0) printf("after %d steps: %a\n", t + 1, left);
    }
    print_all(&p, u[STEPS % 2]);
    hit_tile_destroy(&v[0]);
    hit_tile_destroy(&v[1]);
    hit_layout_destroy(&rows);
    hit_close(&hit);
    free(u[0]);
    free(u[1]);
    MPI_Comm_free(&p.comm);
    MPI_Finalize();
    return 0;
}
