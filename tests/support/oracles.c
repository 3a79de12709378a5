/* SPDX-License-Identifier: MIT
 * Plain versions of the catalogue's kernels: one index at a time, in double. */
#include "tests/support/oracles.h"

#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

/* As hit_view_at(), where all strides are 1: oracles ask for millions of elements, which
 * takes most of their time with sanitizers. */
static char *element_at(const hit_view *view, const hit_index x[])
{
    const hit_domain *domain = &view->domain;
    ptrdiff_t offset = 0;

    for (int d = 0; d < domain->dims; d++) {
        offset += (x[d] - domain->sig[d].begin) * view->stride_bytes[d];
    }
    return (char *)view->data + offset;
}

double hit_oracle_get(const hit_oracle_arg *arg, hit_index i, hit_index j, hit_index k)
{
    const void *element = element_at(&arg->view, (const hit_index[]){i, j, k, 0});

    return arg->single ? *(const float *)element : *(const double *)element;
}

void hit_oracle_put(const hit_oracle_arg *arg, const hit_index x[], double value)
{
    void *element = element_at(&arg->view, x);

    if (arg->single) {
        *(float *)element = (float)value;
    } else {
        *(double *)element = value;
    }
}

static double number(const hit_oracle_arg *arg)
{
    return arg->single ? *(const float *)arg->value : *(const double *)arg->value;
}

static void vector_add(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x,
                   hit_oracle_get(&arg[1], x[0], 0, 0) +
                       hit_oracle_get(&arg[2], x[0], 0, 0));
}

static void axpy(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x,
                   hit_oracle_get(&arg[0], x[0], 0, 0) +
                       number(&arg[2]) * hit_oracle_get(&arg[1], x[0], 0, 0));
}

static void fill(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x, number(&arg[1]));
}

static void scale(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x, number(&arg[1]) * hit_oracle_get(&arg[0], x[0], 0, 0));
}

static void dot(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x,
                   hit_oracle_get(&arg[0], 0, 0, 0) +
                       hit_oracle_get(&arg[1], x[0], 0, 0) *
                           hit_oracle_get(&arg[2], x[0], 0, 0));
}

static void norm2(const hit_index x[], const hit_oracle_arg arg[])
{
    double v = hit_oracle_get(&arg[1], x[0], 0, 0);

    hit_oracle_put(&arg[0], x, hit_oracle_get(&arg[0], 0, 0, 0) + v * v);
}

static void max_abs(const hit_index x[], const hit_oracle_arg arg[])
{
    hit_oracle_put(&arg[0], x,
                   fmax(hit_oracle_get(&arg[0], 0, 0, 0),
                        fabs(hit_oracle_get(&arg[1], x[0], 0, 0))));
}

/** The star of radius 1 in two or three dimensions. */
static void star(const hit_index x[], const hit_oracle_arg arg[], int dims)
{
    const double here = hit_oracle_get(&arg[1], x[0], x[1], x[2]);
    double sum = 0;

    for (int d = 0; d < dims; d++) {
        for (int side = -1; side <= 1; side += 2) {
            hit_index at[3] = {x[0], x[1], x[2]};

            at[d] += side;
            sum += hit_oracle_get(&arg[1], at[0], at[1], at[2]) - here;
        }
    }
    hit_oracle_put(&arg[0], x, here + number(&arg[2]) * sum);
}

static void heat(const hit_index x[], const hit_oracle_arg arg[])
{
    star(x, arg, 2);
}

static void stencil7(const hit_index x[], const hit_oracle_arg arg[])
{
    star(x, arg, 3);
}

static void matvec(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig columns = arg[1].view.domain.sig[1];
    double sum = 0;

    for (hit_index j = columns.begin; j <= columns.end; j++) {
        sum += hit_oracle_get(&arg[1], x[0], j, 0) * hit_oracle_get(&arg[2], j, 0, 0);
    }
    hit_oracle_put(&arg[0], x, sum);
}

static void gemm(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig columns = arg[1].view.domain.sig[1];
    double sum = 0;

    for (hit_index k = columns.begin; k <= columns.end; k++) {
        sum += hit_oracle_get(&arg[1], x[0], k, 0) * hit_oracle_get(&arg[2], k, x[1], 0);
    }
    hit_oracle_put(&arg[0], x,
                   number(&arg[3]) * sum +
                       number(&arg[4]) * hit_oracle_get(&arg[0], x[0], x[1], 0));
}

static void gemm_nt(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig columns = arg[1].view.domain.sig[1];
    double sum = 0;

    for (hit_index k = columns.begin; k <= columns.end; k++) {
        sum += hit_oracle_get(&arg[1], x[0], k, 0) * hit_oracle_get(&arg[2], x[1], k, 0);
    }
    hit_oracle_put(&arg[0], x,
                   number(&arg[3]) * sum +
                       number(&arg[4]) * hit_oracle_get(&arg[0], x[0], x[1], 0));
}

static void gemm_tn(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig rows = arg[1].view.domain.sig[0];
    double sum = 0;

    for (hit_index k = rows.begin; k <= rows.end; k++) {
        sum += hit_oracle_get(&arg[1], k, x[0], 0) * hit_oracle_get(&arg[2], k, x[1], 0);
    }
    hit_oracle_put(&arg[0], x,
                   number(&arg[3]) * sum +
                       number(&arg[4]) * hit_oracle_get(&arg[0], x[0], x[1], 0));
}

static hit_complex_double complex_at(const void *element, bool single)
{
    return single ? *(const hit_complex_float *)element
                  : *(const hit_complex_double *)element;
}

static hit_complex_double get_complex(const hit_oracle_arg *arg, hit_index i, hit_index j)
{
    return complex_at(element_at(&arg->view, (const hit_index[]){i, j, 0, 0}),
                      arg->single);
}

/* Of complex numbers, either factor transposed. */
static void gemm_any(const hit_index x[], const hit_oracle_arg arg[], bool a, bool b)
{
    const hit_sig of = arg[1].view.domain.sig[a ? 0 : 1];
    char *to = element_at(&arg[0].view, x);
    hit_complex_double sum = 0;

    for (hit_index k = of.begin; k <= of.end; k++) {
        sum += get_complex(&arg[1], a ? k : x[0], a ? x[0] : k) *
               get_complex(&arg[2], b ? x[1] : k, b ? k : x[1]);
    }
    sum = complex_at(arg[3].value, arg[3].single) * sum +
          complex_at(arg[4].value, arg[4].single) * complex_at(to, arg[0].single);
    if (arg[0].single) {
        *(hit_complex_float *)(void *)to = (hit_complex_float)sum;
    } else {
        *(hit_complex_double *)(void *)to = sum;
    }
}

static void gemm_complex(const hit_index x[], const hit_oracle_arg arg[])
{
    gemm_any(x, arg, false, false);
}

static void gemm_nt_complex(const hit_index x[], const hit_oracle_arg arg[])
{
    gemm_any(x, arg, false, true);
}

static void gemm_tn_complex(const hit_index x[], const hit_oracle_arg arg[])
{
    gemm_any(x, arg, true, false);
}

static void wave(const hit_index x[], const hit_oracle_arg arg[])
{
    static const double weight[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                    -1.0 / 560};
    const double damping = hit_oracle_get(&arg[3], x[0], x[1], 0);
    const double now = hit_oracle_get(&arg[1], x[0], x[1], 0);
    double laplace = 2 * weight[0] * now;

    for (hit_index r = 1; r <= 4; r++) {
        laplace += weight[r] * (hit_oracle_get(&arg[1], x[0] - r, x[1], 0) +
                                hit_oracle_get(&arg[1], x[0] + r, x[1], 0) +
                                hit_oracle_get(&arg[1], x[0], x[1] - r, 0) +
                                hit_oracle_get(&arg[1], x[0], x[1] + r, 0));
    }
    hit_oracle_put(&arg[0], x,
                   damping * (2 * now - damping * hit_oracle_get(&arg[0], x[0], x[1], 0) +
                              hit_oracle_get(&arg[2], x[0], x[1], 0) * laplace));
}

static void wave_source(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_wave_shot *shot = arg[1].value;
    double u = (double)(x[0] - shot->centre[0]) / shot->radius;
    double v = (double)(x[1] - shot->centre[1]) / shot->radius;
    double inside = fmax(0, 1 - u * u - v * v);

    hit_oracle_put(&arg[0], x,
                   hit_oracle_get(&arg[0], x[0], x[1], 0) +
                       shot->sample * inside * inside);
}

static void wave_shot(hit_random *random, const hit_domain *index, void *value)
{
    hit_wave_shot *shot = value;

    *shot =
        (hit_wave_shot){.radius = (float)hit_random_index(random, 1, 9), .sample = 2.5f};
    for (int d = 0; d < 2; d++) {
        hit_sig sig = index->sig[d];

        shot->centre[d] = hit_random_index(random, sig.begin, sig.end);
    }
}

/** Which triangle of argument 1, how X is solved for. */
typedef struct triangle {
    bool along_row, upper, transposed, unit;
} triangle;

/** X is solved for from its begin or from its end. */
static void solve(const hit_oracle_arg arg[], hit_index at, triangle t)
{
    const hit_sig s = arg[1].view.domain.sig[0];
    const bool along_row = t.along_row;
    const bool from_end = (t.upper != t.transposed) != along_row;
    const bool by_column = t.transposed != along_row;

    for (hit_index p = s.begin; p <= s.end; p++) {
        const hit_index i = from_end ? s.end - (p - s.begin) : p;
        const hit_index x[2] = {along_row ? at : i, along_row ? i : at};
        double value = hit_oracle_get(&arg[0], x[0], x[1], 0);

        for (hit_index k = from_end ? i + 1 : s.begin; k <= (from_end ? s.end : i - 1);
             k++) {
            value -= (by_column ? hit_oracle_get(&arg[1], k, i, 0)
                                : hit_oracle_get(&arg[1], i, k, 0)) *
                     (along_row ? hit_oracle_get(&arg[0], at, k, 0)
                                : hit_oracle_get(&arg[0], k, at, 0));
        }
        hit_oracle_put(&arg[0], x,
                       t.unit ? value : value / hit_oracle_get(&arg[1], i, i, 0));
    }
}

static void trsm_rlt(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.along_row = true, .transposed = true});
}

static void trsm_lln(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.upper = false});
}

static void trsm_llt(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.transposed = true});
}

static void trsm_run(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.along_row = true, .upper = true});
}

static void trsm_lun(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.upper = true});
}

static void trsm_llnu(const hit_index x[], const hit_oracle_arg arg[])
{
    solve(arg, x[0], (triangle){.unit = true});
}

static void syrk(const hit_index x[], const hit_oracle_arg arg[])
{
    if (x[0] >= x[1]) gemm_nt(x, arg);
}

static void potrf(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig s = arg[0].view.domain.sig[0];

    (void)x;
    for (hit_index i = s.begin; i <= s.end; i++) {
        for (hit_index j = s.begin; j <= i; j++) {
            double rest = hit_oracle_get(&arg[0], i, j, 0);

            for (hit_index k = s.begin; k < j; k++) {
                rest -=
                    hit_oracle_get(&arg[0], i, k, 0) * hit_oracle_get(&arg[0], j, k, 0);
            }
            hit_oracle_put(&arg[0], (const hit_index[]){i, j},
                           i == j ? sqrt(rest) : rest / hit_oracle_get(&arg[0], j, j, 0));
        }
    }
}

static void getrf(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig s = arg[0].view.domain.sig[0];

    (void)x;
    for (hit_index i = s.begin; i <= s.end; i++) {
        for (hit_index j = s.begin; j <= s.end; j++) {
            double rest = hit_oracle_get(&arg[0], i, j, 0);

            for (hit_index k = s.begin; k < (i < j ? i : j); k++) {
                rest -=
                    hit_oracle_get(&arg[0], i, k, 0) * hit_oracle_get(&arg[0], k, j, 0);
            }
            hit_oracle_put(&arg[0], (const hit_index[]){i, j},
                           i > j ? rest / hit_oracle_get(&arg[0], j, j, 0) : rest);
        }
    }
}

/** What lies on the diagonal outweighs the rest of its row. */
void hit_oracle_make_dominant(const hit_oracle_arg *arg)
{
    const hit_sig s = arg->view.domain.sig[0];

    for (hit_index i = s.begin; i <= s.end; i++) {
        hit_oracle_put(arg, (const hit_index[]){i, i},
                       hit_oracle_get(arg, i, i, 0) + 2.0 * (double)hit_sig_count(s));
    }
}

static void arrange_solve(const hit_oracle_arg arg[])
{
    hit_oracle_make_dominant(&arg[1]);
}

void hit_oracle_make_small(const hit_oracle_arg *arg)
{
    const double most = 2.0 * (double)hit_sig_count(arg->view.domain.sig[0]);
    hit_index x[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&arg->view.domain, x); more;
         more = hit_domain_next(&arg->view.domain, x)) {
        hit_oracle_put(arg, x, hit_oracle_get(arg, x[0], x[1], 0) / most);
    }
}

static void arrange_unit(const hit_oracle_arg arg[])
{
    hit_oracle_make_small(&arg[1]);
}

/** Arguments 1 and 2 have other rows of one and the same matrix. */
static void arrange_square(const hit_oracle_arg arg[])
{
    for (int a = 1; a <= 2; a++) {
        hit_index x[HIT_MAX_DIMS];

        for (bool more = hit_domain_first(&arg[a].view.domain, x); more;
             more = hit_domain_next(&arg[a].view.domain, x)) {
            hit_oracle_put(&arg[a], x,
                           0.5 + (double)((x[0] * x[0] + 3 * x[1]) % 17) / 17);
        }
    }
}

static void arrange_factor(const hit_oracle_arg arg[])
{
    hit_oracle_make_dominant(&arg[0]);
}

static const hit_oracle oracles[] = {
    {.name = "vector_add_float", .at = vector_add},
    {.name = "vector_add_double", .at = vector_add},
    {.name = "axpy_float", .at = axpy},
    {.name = "axpy_double", .at = axpy},
    {.name = "fill_float", .at = fill},
    {.name = "fill_double", .at = fill},
    {.name = "scale_float", .at = scale},
    {.name = "scale_double", .at = scale},
    {.name = "dot_float", .at = dot},
    {.name = "dot_double", .at = dot},
    {.name = "norm2_float", .at = norm2},
    {.name = "norm2_double", .at = norm2},
    {.name = "max_abs_float", .at = max_abs},
    {.name = "max_abs_double", .at = max_abs},
    {.name = "heat_float", .at = heat},
    {.name = "heat_double", .at = heat},
    {.name = "stencil7_float", .at = stencil7},
    {.name = "stencil7_double", .at = stencil7},
    {.name = "matvec_float", .at = matvec},
    {.name = "matvec_double", .at = matvec},
    {.name = "gemm_float", .at = gemm},
    {.name = "gemm_double", .at = gemm},
    {.name = "gemm_nt_float", .at = gemm_nt},
    {.name = "gemm_nt_double", .at = gemm_nt},
    {.name = "gemm_tn_float", .at = gemm_tn},
    {.name = "gemm_tn_double", .at = gemm_tn},
    {.name = "gemm_complex_float", .at = gemm_complex},
    {.name = "gemm_complex_double", .at = gemm_complex},
    {.name = "gemm_nt_complex_float", .at = gemm_nt_complex},
    {.name = "gemm_nt_complex_double", .at = gemm_nt_complex},
    {.name = "gemm_tn_complex_float", .at = gemm_tn_complex},
    {.name = "gemm_tn_complex_double", .at = gemm_tn_complex},
    {.name = "syrk_float", .at = syrk, .arrange = arrange_square},
    {.name = "syrk_double", .at = syrk, .arrange = arrange_square},
    {.name = "trsm_rlt_float", .at = trsm_rlt, .arrange = arrange_solve},
    {.name = "trsm_rlt_double", .at = trsm_rlt, .arrange = arrange_solve},
    {.name = "trsm_lln_float", .at = trsm_lln, .arrange = arrange_solve},
    {.name = "trsm_lln_double", .at = trsm_lln, .arrange = arrange_solve},
    {.name = "trsm_llt_float", .at = trsm_llt, .arrange = arrange_solve},
    {.name = "trsm_llt_double", .at = trsm_llt, .arrange = arrange_solve},
    {.name = "trsm_run_float", .at = trsm_run, .arrange = arrange_solve},
    {.name = "trsm_run_double", .at = trsm_run, .arrange = arrange_solve},
    {.name = "trsm_lun_float", .at = trsm_lun, .arrange = arrange_solve},
    {.name = "trsm_lun_double", .at = trsm_lun, .arrange = arrange_solve},
    {.name = "trsm_llnu_float", .at = trsm_llnu, .arrange = arrange_unit},
    {.name = "trsm_llnu_double", .at = trsm_llnu, .arrange = arrange_unit},
    {.name = "getrf_float", .at = getrf, .arrange = arrange_factor, .one_index = true},
    {.name = "getrf_double", .at = getrf, .arrange = arrange_factor, .one_index = true},
    {.name = "potrf_float", .at = potrf, .arrange = arrange_factor, .one_index = true},
    {.name = "potrf_double", .at = potrf, .arrange = arrange_factor, .one_index = true},
    {.name = "wave_float", .at = wave},
    {.name = "wave_source_float", .at = wave_source, .value = wave_shot},
};

const hit_oracle *hit_oracle_find(const char *kernel)
{
    for (size_t k = 0; k < sizeof oracles / sizeof oracles[0]; k++) {
        if (strcmp(oracles[k].name, kernel) == 0) return &oracles[k];
    }
    for (const hit_oracle *o = hit_oracles_of_tiles; o->name != NULL; o++) {
        if (strcmp(o->name, kernel) == 0) return o;
    }
    return NULL;
}
