/* SPDX-License-Identifier: MIT
 * Plain versions of the catalogue's kernels: one index at a time, in double. */
#include "tests/support/oracles.h"

#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

static double get(const hit_oracle_arg *arg, hit_index i, hit_index j, hit_index k)
{
    const void *element = hit_view_at(&arg->view, (const hit_index[]){i, j, k, 0});

    return arg->single ? *(const float *)element : *(const double *)element;
}

static void put(const hit_oracle_arg *arg, const hit_index x[], double value)
{
    void *element = hit_view_at(&arg->view, x);

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
    put(&arg[0], x, get(&arg[1], x[0], 0, 0) + get(&arg[2], x[0], 0, 0));
}

static void axpy(const hit_index x[], const hit_oracle_arg arg[])
{
    put(&arg[0], x,
        get(&arg[0], x[0], 0, 0) + number(&arg[2]) * get(&arg[1], x[0], 0, 0));
}

static void fill(const hit_index x[], const hit_oracle_arg arg[])
{
    put(&arg[0], x, number(&arg[1]));
}

static void scale(const hit_index x[], const hit_oracle_arg arg[])
{
    put(&arg[0], x, number(&arg[1]) * get(&arg[0], x[0], 0, 0));
}

static void dot(const hit_index x[], const hit_oracle_arg arg[])
{
    put(&arg[0], x,
        get(&arg[0], 0, 0, 0) + get(&arg[1], x[0], 0, 0) * get(&arg[2], x[0], 0, 0));
}

static void norm2(const hit_index x[], const hit_oracle_arg arg[])
{
    double v = get(&arg[1], x[0], 0, 0);

    put(&arg[0], x, get(&arg[0], 0, 0, 0) + v * v);
}

static void max_abs(const hit_index x[], const hit_oracle_arg arg[])
{
    put(&arg[0], x, fmax(get(&arg[0], 0, 0, 0), fabs(get(&arg[1], x[0], 0, 0))));
}

/** The star of radius 1 in two or three dimensions. */
static void star(const hit_index x[], const hit_oracle_arg arg[], int dims)
{
    const double here = get(&arg[1], x[0], x[1], x[2]);
    double sum = 0;

    for (int d = 0; d < dims; d++) {
        for (int side = -1; side <= 1; side += 2) {
            hit_index at[3] = {x[0], x[1], x[2]};

            at[d] += side;
            sum += get(&arg[1], at[0], at[1], at[2]) - here;
        }
    }
    put(&arg[0], x, here + number(&arg[2]) * sum);
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
        sum += get(&arg[1], x[0], j, 0) * get(&arg[2], j, 0, 0);
    }
    put(&arg[0], x, sum);
}

static void gemm(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig columns = arg[1].view.domain.sig[1];
    double sum = 0;

    for (hit_index k = columns.begin; k <= columns.end; k++) {
        sum += get(&arg[1], x[0], k, 0) * get(&arg[2], k, x[1], 0);
    }
    put(&arg[0], x,
        number(&arg[3]) * sum + number(&arg[4]) * get(&arg[0], x[0], x[1], 0));
}

static void gemm_nt(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig columns = arg[1].view.domain.sig[1];
    double sum = 0;

    for (hit_index k = columns.begin; k <= columns.end; k++) {
        sum += get(&arg[1], x[0], k, 0) * get(&arg[2], x[1], k, 0);
    }
    put(&arg[0], x,
        number(&arg[3]) * sum + number(&arg[4]) * get(&arg[0], x[0], x[1], 0));
}

static void gemm_tn(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_sig rows = arg[1].view.domain.sig[0];
    double sum = 0;

    for (hit_index k = rows.begin; k <= rows.end; k++) {
        sum += get(&arg[1], k, x[0], 0) * get(&arg[2], k, x[1], 0);
    }
    put(&arg[0], x,
        number(&arg[3]) * sum + number(&arg[4]) * get(&arg[0], x[0], x[1], 0));
}

static void wave(const hit_index x[], const hit_oracle_arg arg[])
{
    static const double weight[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
                                    -1.0 / 560};
    const double damping = get(&arg[3], x[0], x[1], 0);
    const double now = get(&arg[1], x[0], x[1], 0);
    double laplace = 2 * weight[0] * now;

    for (hit_index r = 1; r <= 4; r++) {
        laplace += weight[r] *
                   (get(&arg[1], x[0] - r, x[1], 0) + get(&arg[1], x[0] + r, x[1], 0) +
                    get(&arg[1], x[0], x[1] - r, 0) + get(&arg[1], x[0], x[1] + r, 0));
    }
    put(&arg[0], x,
        damping * (2 * now - damping * get(&arg[0], x[0], x[1], 0) +
                   get(&arg[2], x[0], x[1], 0) * laplace));
}

static void wave_source(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_wave_shot *shot = arg[1].value;
    double u = (double)(x[0] - shot->centre[0]) / shot->radius;
    double v = (double)(x[1] - shot->centre[1]) / shot->radius;
    double inside = fmax(0, 1 - u * u - v * v);

    put(&arg[0], x, get(&arg[0], x[0], x[1], 0) + shot->sample * inside * inside);
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

static const hit_oracle oracles[] = {
    {"vector_add_float", vector_add, NULL},
    {"vector_add_double", vector_add, NULL},
    {"axpy_float", axpy, NULL},
    {"axpy_double", axpy, NULL},
    {"fill_float", fill, NULL},
    {"fill_double", fill, NULL},
    {"scale_float", scale, NULL},
    {"scale_double", scale, NULL},
    {"dot_float", dot, NULL},
    {"dot_double", dot, NULL},
    {"norm2_float", norm2, NULL},
    {"norm2_double", norm2, NULL},
    {"max_abs_float", max_abs, NULL},
    {"max_abs_double", max_abs, NULL},
    {"heat_float", heat, NULL},
    {"heat_double", heat, NULL},
    {"stencil7_float", stencil7, NULL},
    {"stencil7_double", stencil7, NULL},
    {"matvec_float", matvec, NULL},
    {"matvec_double", matvec, NULL},
    {"gemm_float", gemm, NULL},
    {"gemm_double", gemm, NULL},
    {"gemm_nt_float", gemm_nt, NULL},
    {"gemm_nt_double", gemm_nt, NULL},
    {"gemm_tn_float", gemm_tn, NULL},
    {"gemm_tn_double", gemm_tn, NULL},
    {"wave_float", wave, NULL},
    {"wave_source_float", wave_source, wave_shot},
};

const hit_oracle *hit_oracle_find(const char *kernel)
{
    for (size_t k = 0; k < sizeof oracles / sizeof oracles[0]; k++) {
        if (strcmp(oracles[k].name, kernel) == 0) return &oracles[k];
    }
    return NULL;
}
