/* SPDX-License-Identifier: MIT
 * Factorisations by tiles: right-looking, in the order of PLASMA's loops. Where the
 * triangles of a diagonal block are used by different kernels (LU with incremental
 * pivoting, QR), they are two data of half the block each: the reflectors or multipliers
 * below the diagonal are read while the triangle above it still changes. */
#include "hit/base/alloc.h"
#include "hit/tool/tool.h"

enum {
    INNER = 128, /* width of the blocks inside a tile whose factors are kept */
    MOST = 6     /* accesses of a task */
};

typedef struct builder builder;

/** What the graphs differ in. */
struct hit_tool_tasks {
    hit_status (*step)(builder *b, int k);
    bool apart;      /**< each step has a datum of its own: there is no matrix */
    bool lower_only; /**< blocks above the diagonal are not there */
    bool split;      /**< diagonal blocks are two data, and those below have a factor */
    bool diagonal_factor; /**< the diagonal block has a factor, too */
    /** Names of the kernels of split graphs: of the diagonal block, its row, its column,
     * and the rest. */
    const char *diagonal, *row, *column, *rest;
};

struct builder {
    hit_graph *graph;
    hit_tool_problem problem;
    const struct hit_tool_tasks *of;
    int *block;  /**< datum of each tile, of a split one of its part below the diagonal */
    int *upper;  /**< of a split diagonal block: of its part above */
    int *factor; /**< of each tile: T of QR, L of LU with incremental pivoting */
    hit_arrays arrays; /**< these */
    hit_graph_access access[MOST];
    int accesses;
};

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
    if (b->of->split && row == column) use(b, b->upper[row], true, true);
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
static hit_status add_block(builder *b, int row, int column)
{
    const bool split = b->of->split && row == column;
    const int64_t bytes = tile_bytes(b) / (split ? 2 : 1);
    const int number = at(b, row, column);

    HIT_TRY(hit_graph_add_datum(b->graph, bytes, &b->block[number]));
    if (split) HIT_TRY(hit_graph_add_datum(b->graph, bytes, &b->upper[row]));
    if (!b->of->split || column > row) return HIT_OK;
    return hit_graph_add_datum(b->graph, (int64_t)b->problem.tile * INNER * 8,
                               &b->factor[number]);
}

static hit_status open(builder *b)
{
    const int tiles = b->problem.tiles;
    const size_t all = (size_t)tiles * (size_t)tiles;

    HIT_TRY(HIT_TAKE(&b->arrays, all, b->block));
    HIT_TRY(HIT_TAKE(&b->arrays, all, b->factor));
    HIT_TRY(HIT_TAKE(&b->arrays, (size_t)tiles, b->upper));
    for (int row = 0; row < tiles; row++) {
        const int columns = b->of->lower_only ? row + 1 : tiles;

        for (int column = 0; column < columns; column++) {
            HIT_TRY(add_block(b, row, column));
        }
    }
    return HIT_OK;
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

/* ---- LU with incremental pivoting, and QR: the same tasks but for what is kept ---- */

static hit_status tile_row(builder *b, int k)
{
    const struct hit_tool_tasks *name = b->of;

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
        HIT_TRY(add(b, b->of->column, m, k));
        for (int n = k + 1; n < tiles; n++) {
            changes(b, k, n);
            changes(b, m, n);
            reads(b, m, k);
            use(b, factor, true, false);
            HIT_TRY(add(b, b->of->rest, m, n));
        }
    }
    return HIT_OK;
}

/* ---- products without anything in common ---- */

static hit_status dgemm_step(builder *b, int k)
{
    int datum;

    HIT_TRY(hit_graph_add_datum(b->graph, tile_bytes(b), &datum));
    use(b, datum, false, true);
    return add(b, "gemm", k, 0);
}

/* ---- all of them ---- */

hit_status hit_tool_graph_make(const hit_tool_graph *kind, hit_tool_problem problem,
                               hit_graph *graph)
{
    builder b = {.graph = graph, .problem = problem, .of = kind->tasks};
    hit_status st = b.of->apart ? HIT_OK : open(&b);

    for (int k = 0; k < problem.tiles && st == HIT_OK; k++) {
        st = b.of->step(&b, k);
    }
    hit_arrays_free(&b.arrays);
    return st;
}

double hit_tool_graph_operations(const hit_tool_graph *kind, hit_tool_problem problem)
{
    const double times = kind->tasks->apart ? problem.tiles : 1;
    const double n = (double)problem.tile * (kind->tasks->apart ? 1 : problem.tiles);
    const int *sixths = kind->sixths;

    return times * (sixths[0] * n * n * n + sixths[1] * n * n + sixths[2] * n) / 6;
}

static const struct hit_tool_tasks cholesky = {.step = cholesky_step, .lower_only = true};
static const struct hit_tool_tasks lu = {.step = lu_step};
static const struct hit_tool_tasks lu_incpiv = {.step = tile_step,
                                                .split = true,
                                                .diagonal = "getrf_inc",
                                                .row = "gessm",
                                                .column = "tstrf",
                                                .rest = "ssssm"};
static const struct hit_tool_tasks qr = {.step = tile_step,
                                         .split = true,
                                         .diagonal_factor = true,
                                         .diagonal = "geqrt",
                                         .row = "unmqr",
                                         .column = "tsqrt",
                                         .rest = "tsmqr"};
static const struct hit_tool_tasks dgemm = {.step = dgemm_step, .apart = true};

const hit_tool_graph hit_tool_graphs[] = {
    {"cholesky", "potrf, trsm, syrk, gemm", &cholesky, {2, 3, 1}},
    {"lu", "without pivoting: getrf, trsm, gemm", &lu, {4, -3, -1}},
    {"lu-incpiv",
     "incremental pivoting: getrf_inc, gessm, tstrf, ssssm",
     &lu_incpiv,
     {4, -3, -1}},
    {"qr", "flat tree: geqrt, unmqr, tsqrt, tsmqr", &qr, {8, 12, 28}},
    {"dgemm", "--count products of one tile, without copies in", &dgemm, {12, 0, 0}},
};
const int hit_tool_graph_count = sizeof hit_tool_graphs / sizeof hit_tool_graphs[0];
