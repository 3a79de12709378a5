/* SPDX-License-Identifier: MIT
 * A = L U, block by block, and the solution of A x = b. With incremental pivoting a row
 * changes places with rows of its own block, then with those of one block below after
 * another, so that two blocks of a column are enough at a time: the tile algorithm of A.
 * Buttari, J. Langou, J. Kurzak, J. Dongarra, Parallel Computing 35 (2009). L is then
 * kept in pieces that are no triangle. Without pivoting A must outweigh itself on the
 * diagonal. */
#include "hit/hit.h"
#include "kernels/kernels.h"

#include <string.h>

#include "examples/factor.h"

typedef struct lu {
    factor f;
    hit_index inner;   /* --inner */
    const char *pivot; /* --pivot */
    hit_tile *l;       /* of rows that went up, and where rows came from */
    hit_tile *p;
    hit_tile **of_l;
    hit_tile **of_p;
    hit_tile *d; /* L of diagonal blocks, which tstrf does not touch */
    hit_tile **of_d;
} lu;

static double element(const example *e, hit_index i, hit_index j)
{
    return example_random(e->seed, i, j);
}

static double dominant_element(const example *e, hit_index i, hit_index j)
{
    return element(e, i, j) + (i == j ? (double)e->size[0] : 0);
}

/* ---- without pivoting ---- */

static void factorise_plain(void *what)
{
    factor *f = what;
    const hit_index t = f->t;
    hit_context *hit = f->e.hit;
    hit_tile **a = f->of_a;

    for (hit_index k = 0; k < t; k++) {
        hit_tile *diagonal = a[k * t + k];

        HIT_MUST(hit_launch(hit, &getrf_double, hit_domain_of(1), diagonal));
        for (hit_index n = k + 1; n < t; n++) {
            hit_tile *block = a[k * t + n];

            HIT_MUST(hit_launch(hit, &trsm_llnu_double, factor_along(block, 1), block,
                                diagonal));
        }
        for (hit_index m = k + 1; m < t; m++) {
            hit_tile *left = a[m * t + k];

            HIT_MUST(
                hit_launch(hit, &trsm_run_double, factor_along(left, 0), left, diagonal));
            for (hit_index n = k + 1; n < t; n++) {
                hit_tile *block = a[m * t + n];

                HIT_MUST(hit_launch(hit, &gemm_double, hit_tile_domain(block), block,
                                    left, a[k * t + n], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
            }
        }
        example_progress(&f->e, k + 1, t);
    }
}

static void solve_plain(void *what)
{
    factor_forward(what, &trsm_llnu_double);
    factor_backward(what, &trsm_lun_double, false);
}

static void report_plain(factor *f, double solve_s)
{
    const hit_index t = f->t;
    const hit_index pairs = t * (t - 1) / 2;

    factor_report(
        f,
        (const factor_tasks[]){{"getrf", t},
                               {"trsm", 2 * pairs},
                               {"gemm", pairs * (2 * t - 1) / 3},
                               {NULL, 0}},
        solve_s, (const factor_tasks[]){{"trsm", 2 * t}, {"gemm", 2 * pairs}, {NULL, 0}});
}

static void check_plain(factor *f)
{
    hit_tile *l = factor_triangle(f, FACTOR_UNIT_LOWER);
    hit_tile *u = factor_triangle(f, FACTOR_UPPER);

    factor_check_product(f, "residual A - LU", &gemm_double,
                         (hit_tile *[]){factor_matrix(f), l, u}, true);
    hit_tile_destroy(&l);
    hit_tile_destroy(&u);
}

/* ---- with incremental pivoting ---- */

/* What was done to the diagonal block (k, k) is done to block @p c of its row. */
static void follow_row(const lu *of, hit_index k, hit_tile *c)
{
    const hit_index at = k * of->f.t + k;

    HIT_MUST(hit_launch(of->f.e.hit, &gessm_double, factor_along(c, 1), c, of->of_d[k],
                        of->of_p[at]));
}

/* What was done to block (m, k) is done to block @p c of its row and that of row k. */
static void follow_pair(const lu *of, hit_index m, hit_index k, hit_tile *c,
                        hit_tile *top)
{
    const hit_index at = m * of->f.t + k;

    HIT_MUST(hit_launch(of->f.e.hit, &ssssm_double, factor_along(c, 1), c, top,
                        of->f.of_a[at], of->of_l[at], of->of_p[at]));
}

static void factorise(void *what)
{
    const lu *of = what;
    const hit_index t = of->f.t;
    hit_context *hit = of->f.e.hit;
    hit_tile **a = of->f.of_a;

    for (hit_index k = 0; k < t; k++) {
        const hit_index diagonal = k * t + k;

        HIT_MUST(hit_launch(hit, &getrf_inc_double, hit_domain_of(1), a[diagonal],
                            of->of_p[diagonal], of->of_d[k]));
        for (hit_index n = k + 1; n < t; n++) {
            follow_row(of, k, a[k * t + n]);
        }
        for (hit_index m = k + 1; m < t; m++) {
            const hit_index at = m * t + k;

            HIT_MUST(hit_launch(hit, &tstrf_double, hit_domain_of(1), a[at], a[diagonal],
                                of->of_l[at], of->of_p[at]));
            for (hit_index n = k + 1; n < t; n++) {
                follow_pair(of, m, k, a[m * t + n], a[k * t + n]);
            }
        }
        example_progress(&of->f.e, k + 1, t);
    }
}

static void solve(void *what)
{
    lu *of = what;
    const hit_index t = of->f.t;
    hit_tile **b = of->f.of_b;

    for (hit_index k = 0; k < t; k++) {
        follow_row(of, k, b[k]);
        for (hit_index m = k + 1; m < t; m++) {
            follow_pair(of, m, k, b[m], b[k]);
        }
    }
    factor_backward(&of->f, &trsm_lun_double, false);
}

static void report(factor *f, double solve_s)
{
    const hit_index t = f->t;
    const hit_index pairs = t * (t - 1) / 2;

    factor_report(
        f,
        (const factor_tasks[]){{"getrf_inc", t},
                               {"gessm", pairs},
                               {"tstrf", pairs},
                               {"ssssm", pairs * (2 * t - 1) / 3},
                               {NULL, 0}},
        solve_s,
        (const factor_tasks[]){
            {"gessm", t}, {"ssssm", pairs}, {"trsm", t}, {"gemm", pairs}, {NULL, 0}});
}

static void run_pivoting(lu *of)
{
    of->of_l = factor_beside(&of->f, of->inner, HIT_DOUBLE, &of->l);
    of->of_p = factor_beside(&of->f, 1, HIT_INT32, &of->p);
    of->of_d = factor_diagonal(&of->f, &of->d);
    report(&of->f, factor_run(&of->f, factorise, solve, of));
    example_blocks_destroy(&of->of_l);
    example_blocks_destroy(&of->of_p);
    hit_tile_destroy(&of->l);
    hit_tile_destroy(&of->p);
    example_blocks_destroy(&of->of_d);
    hit_tile_destroy(&of->d);
}

int main(int argc, char **argv)
{
    lu of = {.f = {.e = {.name = "lu",
                         .what = "A = L U, distributed, block by block",
                         .dims = 1,
                         .size = {1000},
                         .steps = 1,
                         .seed = 1,
                         .layout = "",
                         .bound = 30},
                   .width = 256},
             .inner = 32,
             .pivot = "incremental"};
    const example_option extra[] = {
        FACTOR_OPTIONS(&of.f),
        {"--pivot", "HOW   incremental; none: A is one that needs no pivots",
         EXAMPLE_TEXT, &of.pivot},
        {"--inner", "N     columns that are eliminated at a time with pivots",
         EXAMPLE_COUNT, &of.inner},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    factor *f = &of.f;
    bool pivots;
    double n;

    example_read(&f->e, argc, argv, extra);
    pivots = strcmp(of.pivot, "none") != 0;
    if (pivots && strcmp(of.pivot, "incremental") != 0) {
        example_mistake(&f->e,
                        "expected none or incremental after --pivot but found \"%s\"",
                        of.pivot);
    }
    n = (double)f->e.size[0];
    f->e.operations = 2 * n * n * n / 3 - n * n / 2 - n / 6;
    f->element = pivots ? element : dominant_element;
    if (pivots && f->e.check) f->solves = true; /* L is no matrix to multiply by */
    factor_open(f, &argc, &argv);
    if (pivots) {
        run_pivoting(&of);
    } else {
        report_plain(f, factor_run(f, factorise_plain, solve_plain, f));
        if (f->e.check) check_plain(f);
    }
    if (f->e.check && f->solves) factor_check_solution(f);
    return factor_end(f);
}
