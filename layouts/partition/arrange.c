/* SPDX-License-Identifier: MIT
 * Column arrangements by dynamic programming. A column of k rectangles and width w costs
 * rows + k w: the sum of area x (rectangles in its column), so that there is an optimum
 * in which large areas stand in columns of few, and columns are runs of the sorted areas.
 * The best number of columns comes from f(q) = min over r < q of f(r) + cost(r, q), in
 * O(p^2); Beaumont et al. need O(p^3). For a given number of columns that is one more
 * index; the cost satisfies the quadrangle inequality (areas ascend), so the best r rises
 * with q and a column costs O(p log p) by halving; and the costs are convex in the number
 * of columns. */
#include "hit/base/memory.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdlib.h>

enum {
    ALL_COLUMNS = 60,   /* up to so many areas every number of columns is kept */
    MORE_COLUMNS = 3,   /* else so many after the best one */
    MOST_COLUMNS = 1000 /* and none after this, for the sake of memory */
};

typedef struct part_area {
    double area;
    int part;
} part_area;

struct hit_arrange {
    hit_arrays arrays; /**< of all these */
    double rows;
    double columns;
    int parts;
    int count;    /**< areas > 0 */
    int *ranked;  /**< these, smallest first */
    double *sum;  /**< sum[q]: of the first q areas, of 1 in all */
    double *cost; /**< cost[C]: of the best arrangement in C columns */
    int best;
    int *
        best_from; /**< best_from[q]: where the last column of the first q areas begins */
    int most;      /**< numbers of columns in `from` */
    int **from;    /**< from[C - 1][q]: the same, of the first q areas in C columns */
};

static int compare_areas(const void *one, const void *other)
{
    const part_area *a = one;
    const part_area *b = other;

    if (a->area > b->area) return -1;
    if (a->area < b->area) return 1;
    return (a->part > b->part) - (a->part < b->part);
}

hit_status hit_arrange_rank(int parts, const double area[], int ranked[], int *count)
{
    part_area *sorted;

    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *sorted, &sorted));
    *count = 0;
    for (int i = 0; i < parts; i++) {
        if (area[i] > 0.0) sorted[(*count)++] = (part_area){area[i], i};
    }
    qsort(sorted, (size_t)*count, sizeof *sorted, compare_areas);
    for (int k = 0; k < *count; k++) {
        ranked[k] = sorted[k].part;
    }
    free(sorted);
    return HIT_OK;
}

void hit_arrange_deal(const int ranked[], int parts, int columns, int column_of[])
{
    for (int k = 0; k < parts; k++) {
        const int at = k % columns;
        const bool back = k / columns % 2 == 1;

        column_of[ranked[k]] = back ? columns - 1 - at : at;
    }
}

static double column_cost(const hit_arrange *a, int from, int to)
{
    return a->rows + (double)(to - from) * a->columns * (a->sum[to] - a->sum[from]);
}

/** Sort the areas > 0 and add them up, in such units that the sum is 1. */
static hit_status rank_areas(hit_arrange *a, const double area[])
{
    double largest;
    double total = 0.0;

    HIT_TRY(hit_arrange_rank(a->parts, area, a->ranked, &a->count));
    for (int low = 0, high = a->count - 1; low < high; low++, high--) {
        const int part = a->ranked[low];

        a->ranked[low] = a->ranked[high];
        a->ranked[high] = part;
    }
    largest = area[a->ranked[a->count - 1]]; /* by it, the sum does not overflow */
    for (int k = 0; k < a->count; k++) {
        total += area[a->ranked[k]] / largest;
        a->sum[k + 1] = total;
    }
    for (int k = 1; k <= a->count; k++) {
        a->sum[k] /= total;
    }
    return HIT_OK;
}

/** f(q), over any number of columns. */
static hit_status find_best(hit_arrange *a)
{
    double *f;

    HIT_TRY(HIT_TAKE(&a->arrays, (size_t)a->count + 1, f));
    for (int q = 1; q <= a->count; q++) {
        f[q] = INFINITY;
        for (int r = 0; r < q; r++) {
            const double cost = f[r] + column_cost(a, r, q);

            if (cost < f[q]) {
                f[q] = cost;
                a->best_from[q] = r;
            }
        }
    }
    for (int q = a->count; q > 0; q = a->best_from[q]) {
        a->best++;
    }
    a->cost[a->best] = f[a->count];
    return HIT_OK;
}

/** The layer of C columns that is being made of that of C - 1. */
typedef struct layer {
    const hit_arrange *arrange;
    int fewest; /**< areas in the columns before: C - 1 */
    const double *before;
    double *cost;
    int *from;
} layer;

/** Fill in low..high, where the last column begins at from..to. */
static void fill_layer(const layer *l, int low, int high, int from, int to)
{
    const int q = low + (high - low) / 2;
    int last = to < q ? to : q - 1;

    if (low > high) return;
    l->cost[q] = INFINITY;
    l->from[q] = from;
    for (int r = from > l->fewest ? from : l->fewest; r <= last; r++) {
        const double cost = l->before[r] + column_cost(l->arrange, r, q);

        if (cost < l->cost[q]) {
            l->cost[q] = cost;
            l->from[q] = r;
        }
    }
    fill_layer(l, low, q - 1, from, l->from[q]);
    fill_layer(l, q + 1, high, l->from[q], to);
}

static hit_status add_layer(hit_arrange *a, const double before[], double cost[])
{
    const int fewest = a->most;
    layer l = {.arrange = a, .fewest = fewest, .before = before, .cost = cost};

    HIT_TRY(HIT_TAKE(&a->arrays, (size_t)a->count + 1, a->from[a->most]));
    l.from = a->from[a->most];
    a->most++;
    if (fewest == 0) {
        for (int q = 1; q <= a->count; q++) {
            cost[q] = column_cost(a, 0, q);
        }
    } else {
        fill_layer(&l, fewest + 1, a->count, fewest, a->count - 1);
    }
    if (a->most != a->best) a->cost[a->most] = cost[a->count];
    return HIT_OK;
}

static hit_status find_all(hit_arrange *a, int most)
{
    const size_t size = (size_t)a->count + 1;
    double *cost[2];

    HIT_TRY(HIT_TAKE(&a->arrays, (size_t)most, a->from));
    HIT_TRY(HIT_TAKE(&a->arrays, size, cost[0]));
    HIT_TRY(HIT_TAKE(&a->arrays, size, cost[1]));
    while (a->most < most) {
        HIT_TRY(add_layer(a, cost[a->most % 2], cost[1 - a->most % 2]));
    }
    return HIT_OK;
}

static hit_status arrange_all(hit_arrange *a, const double area[])
{
    const size_t size = (size_t)a->parts + 1;
    int most;

    HIT_TRY(HIT_TAKE(&a->arrays, size, a->ranked));
    HIT_TRY(HIT_TAKE(&a->arrays, size, a->sum));
    HIT_TRY(HIT_TAKE(&a->arrays, size, a->cost));
    HIT_TRY(HIT_TAKE(&a->arrays, size, a->best_from));
    for (size_t c = 0; c < size; c++) {
        a->cost[c] = INFINITY;
    }
    HIT_TRY(rank_areas(a, area));
    HIT_TRY(find_best(a));
    most = a->count <= ALL_COLUMNS ? a->count : a->best + MORE_COLUMNS;
    if (most > a->count) most = a->count;
    if ((double)most > a->columns) most = (int)a->columns;
    if (most > MOST_COLUMNS) return HIT_OK;
    return find_all(a, most);
}

hit_status hit_arrange_open(hit_index rows, hit_index columns, int parts,
                            const double area[], hit_arrange **arrange)
{
    hit_arrange *a;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *a, &a));
    a->rows = (double)rows;
    a->columns = (double)columns;
    a->parts = parts;
    st = arrange_all(a, area);
    if (st != HIT_OK) {
        hit_arrange_close(&a);
        return st;
    }
    *arrange = a;
    return HIT_OK;
}

void hit_arrange_close(hit_arrange **arrange)
{
    hit_arrange *a = *arrange;

    *arrange = NULL;
    if (a == NULL) return;
    hit_arrays_free(&a->arrays);
    free(a);
}

int hit_arrange_best(const hit_arrange *arrange)
{
    return arrange->best;
}

double hit_arrange_cost(const hit_arrange *arrange, int columns)
{
    if (columns < 1 || columns > arrange->count) return INFINITY;
    return arrange->cost[columns];
}

void hit_arrange_get(const hit_arrange *arrange, int columns, int column_of[])
{
    int end = arrange->count;

    for (int i = 0; i < arrange->parts; i++) {
        column_of[i] = -1;
    }
    for (int c = columns; c > 0; c--) {
        const int begin = columns == arrange->best ? arrange->best_from[end]
                                                   : arrange->from[c - 1][end];

        for (int k = begin; k < end; k++) {
            column_of[arrange->ranked[k]] = c - 1;
        }
        end = begin;
    }
}
