/* SPDX-License-Identifier: MIT
 * Factorisations by tiles: right-looking, in the order of PLASMA's loops. Where the
 * triangles of a diagonal block are used by different kernels (LU with incremental
 * pivoting, QR), they are two data of half the block each: the reflectors or multipliers
 * below the diagonal are read while the triangle above it still changes. */
#include "hit/base/memory.h"
#include "hit/tool/tool.h"

#include <stdlib.h>

enum {
    INNER = 128, /* width of the blocks inside a tile whose factors are kept */
    MOST = 6     /* accesses of a task */
};

/** Names of the kernels: of the diagonal block, its row, its column, and the rest. */
typedef struct tile_kernels {
    const char *diagonal, *row, *column, *rest;
    bool diagonal_factor; /**< the diagonal block has a factor, too */
} tile_kernels;

typedef struct builder {
    hit_graph *graph;
    hit_tool_problem problem;
    const tile_kernels *kernels; /**< of LU with incremental pivoting and QR */
    bool split;                  /**< diagonal blocks are two data */
    int *block;  /**< datum of each tile, of a split one of its part below the diagonal */
    int *upper;  /**< of a split diagonal block: of its part above */
    int *factor; /**< of each tile: T of QR, L of LU with incremental pivoting */
    hit_graph_access access[MOST];
    int accesses;
} builder;

static int64_t tile_bytes(const builder *b)
{
    return (int64_t)b->problem.tile * b->problem.tile * 8;
}

static int at(const builder *b, int row, int column)
{
    return row * b->problem.tiles + column;
}

static void use(builder *b, int datum, bool reads, bool writes)
{
    b->access[b->accesses++] = (hit_graph_access){datum, reads, writes};
}

static void reads(builder *b, int row, int column)
{
    use(b, b->block[at(b, row, column)], true, false);
}

static void changes(builder *b, int row, int column)
{
    use(b, b->block[at(b, row, column)], true, true);
    if (b->split && row == column) use(b, b->upper[row], true, true);
}

/** The task that was described, of the block (row, column). */
static hit_status add(builder *b, const char *kernel, int row, int column)
{
    hit_graph_task task = {.row = row, .column = column};
    const int accesses = b->accesses;

    b->accesses = 0;
    HIT_TRY(hit_graph_add_work(b->graph, kernel, b->problem.tile, NULL, &task.work));
    return hit_graph_add_task(b->graph, &task, accesses, b->access);
}

/** The data of the block (row, column). */
static hit_status add_block(builder *b, int row, int column, bool factors)
{
    const bool split = b->split && row == column;
    const int64_t bytes = tile_bytes(b) / (split ? 2 : 1);
    const int number = at(b, row, column);

    HIT_TRY(hit_graph_add_datum(b->graph, bytes, &b->block[number]));
    if (split) HIT_TRY(hit_graph_add_datum(b->graph, bytes, &b->upper[row]));
    if (!factors || column > row) return HIT_OK;
    return hit_graph_add_datum(b->graph, (int64_t)b->problem.tile * INNER * 8,
                               &b->factor[number]);
}

static hit_status open(builder *b, bool factors, bool lower_only)
{
    const int tiles = b->problem.tiles;
    const size_t all = (size_t)tiles * (size_t)tiles;

    HIT_TRY(hit_memory_zeroed(all, sizeof(int), &b->block));
    HIT_TRY(hit_memory_zeroed(all, sizeof(int), &b->factor));
    HIT_TRY(hit_memory_zeroed((size_t)tiles, sizeof(int), &b->upper));
    for (int row = 0; row < tiles; row++) {
        const int columns = lower_only ? row + 1 : tiles;

        for (int column = 0; column < columns; column++) {
            HIT_TRY(add_block(b, row, column, factors));
        }
    }
    return HIT_OK;
}

/** All steps, if @p st says that the data are there; then the builder is closed. */
static hit_status make(builder *b, hit_status st, hit_status (*step)(builder *b, int k))
{
    for (int k = 0; k < b->problem.tiles && st == HIT_OK; k++) {
        st = step(b, k);
    }
    free(b->block);
    free(b->factor);
    free(b->upper);
    return st;
}

/* ---- Cholesky ---- */

static hit_status cholesky_step(builder *b, int k)
{
    const int tiles = b->problem.tiles;

    changes(b, k, k);
    HIT_TRY(add(b, "potrf", k, k));
    for (int m = k + 1; m < tiles; m++) {
        reads(b, k, k);
        changes(b, m, k);
        HIT_TRY(add(b, "trsm", m, k));
    }
    for (int m = k + 1; m < tiles; m++) {
        reads(b, m, k);
        changes(b, m, m);
        HIT_TRY(add(b, "syrk", m, m));
        for (int n = k + 1; n < m; n++) {
            reads(b, m, k);
            reads(b, n, k);
            changes(b, m, n);
            HIT_TRY(add(b, "gemm", m, n));
        }
    }
    return HIT_OK;
}

static hit_status make_cholesky(hit_graph *graph, hit_tool_problem problem)
{
    builder b = {.graph = graph, .problem = problem};

    return make(&b, open(&b, false, true), cholesky_step);
}

static double cholesky_operations(hit_tool_problem problem)
{
    const double n = (double)problem.tiles * problem.tile;

    return n * n * n / 3.0 + n * n / 2.0 + n / 6.0;
}

/* ---- LU without pivoting ---- */

static hit_status lu_step(builder *b, int k)
{
    const int tiles = b->problem.tiles;

    changes(b, k, k);
    HIT_TRY(add(b, "getrf", k, k));
    for (int n = k + 1; n < tiles; n++) {
        reads(b, k, k);
        changes(b, k, n);
        HIT_TRY(add(b, "trsm", k, n));
    }
    for (int m = k + 1; m < tiles; m++) {
        reads(b, k, k);
        changes(b, m, k);
        HIT_TRY(add(b, "trsm", m, k));
        for (int n = k + 1; n < tiles; n++) {
            reads(b, m, k);
            reads(b, k, n);
            changes(b, m, n);
            HIT_TRY(add(b, "gemm", m, n));
        }
    }
    return HIT_OK;
}

static hit_status make_lu(hit_graph *graph, hit_tool_problem problem)
{
    builder b = {.graph = graph, .problem = problem};

    return make(&b, open(&b, false, false), lu_step);
}

static double lu_operations(hit_tool_problem problem)
{
    const double n = (double)problem.tiles * problem.tile;

    return 2.0 * n * n * n / 3.0 - n * n / 2.0 - n / 6.0;
}

/* ---- LU with incremental pivoting, and QR: the same tasks but for what is kept ---- */

static hit_status tile_row(builder *b, int k)
{
    const tile_kernels *name = b->kernels;

    changes(b, k, k);
    if (name->diagonal_factor) use(b, b->factor[at(b, k, k)], false, true);
    HIT_TRY(add(b, name->diagonal, k, k));
    for (int n = k + 1; n < b->problem.tiles; n++) {
        reads(b, k, k);
        if (name->diagonal_factor) use(b, b->factor[at(b, k, k)], true, false);
        changes(b, k, n);
        HIT_TRY(add(b, name->row, k, n));
    }
    return HIT_OK;
}

static hit_status tile_step(builder *b, int k)
{
    const int tiles = b->problem.tiles;

    HIT_TRY(tile_row(b, k));
    for (int m = k + 1; m < tiles; m++) {
        const int factor = b->factor[at(b, m, k)];

        use(b, b->upper[k], true, true);
        changes(b, m, k);
        use(b, factor, false, true);
        HIT_TRY(add(b, b->kernels->column, m, k));
        for (int n = k + 1; n < tiles; n++) {
            changes(b, k, n);
            changes(b, m, n);
            reads(b, m, k);
            use(b, factor, true, false);
            HIT_TRY(add(b, b->kernels->rest, m, n));
        }
    }
    return HIT_OK;
}

static hit_status make_lu_incpiv(hit_graph *graph, hit_tool_problem problem)
{
    static const tile_kernels name = {"getrf_inc", "gessm", "tstrf", "ssssm", false};
    builder b = {.graph = graph, .problem = problem, .split = true, .kernels = &name};

    return make(&b, open(&b, true, false), tile_step);
}

static hit_status make_qr(hit_graph *graph, hit_tool_problem problem)
{
    static const tile_kernels name = {"geqrt", "unmqr", "tsqrt", "tsmqr", true};
    builder b = {.graph = graph, .problem = problem, .split = true, .kernels = &name};

    return make(&b, open(&b, true, false), tile_step);
}

static double qr_operations(hit_tool_problem problem)
{
    const double n = (double)problem.tiles * problem.tile;

    return 4.0 * n * n * n / 3.0 + 2.0 * n * n + 14.0 * n / 3.0;
}

/* ---- products without anything in common ---- */

static hit_status make_dgemm(hit_graph *graph, hit_tool_problem problem)
{
    builder b = {.graph = graph, .problem = problem};

    for (int k = 0; k < problem.tiles; k++) {
        int datum;

        HIT_TRY(hit_graph_add_datum(graph, tile_bytes(&b), &datum));
        use(&b, datum, false, true);
        HIT_TRY(add(&b, "gemm", k, 0));
    }
    return HIT_OK;
}

static double dgemm_operations(hit_tool_problem problem)
{
    return 2.0 * problem.tiles * problem.tile * problem.tile * problem.tile;
}

const hit_tool_graph hit_tool_graphs[] = {
    {"cholesky", "potrf, trsm, syrk, gemm", make_cholesky, cholesky_operations},
    {"lu", "without pivoting: getrf, trsm, gemm", make_lu, lu_operations},
    {"lu-incpiv", "incremental pivoting: getrf_inc, gessm, tstrf, ssssm", make_lu_incpiv,
     lu_operations},
    {"qr", "flat tree: geqrt, unmqr, tsqrt, tsmqr", make_qr, qr_operations},
    {"dgemm", "--count products of one tile, without copies in", make_dgemm,
     dgemm_operations},
};
const int hit_tool_graph_count = sizeof hit_tool_graphs / sizeof hit_tool_graphs[0];
