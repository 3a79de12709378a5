/* SPDX-License-Identifier: MIT
 * Launches on strided boxes, and on tiles with strides: their own memory, selections, and
 * dense tiles in turn, for every type of elements, compared with plain loops. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>

#define KERNELS(type)                                                                    \
    extern const hit_kernel line_##type, plane_##type, space_##type, total_##type
KERNELS(byte);
KERNELS(int);
KERNELS(long);
KERNELS(float);
KERNELS(double);

enum {
    TYPES = 5,
    PLACES = 5,
    CASES = 40,
    MOST = 2048 /* elements of a tile */
};

#define ROW(type)                                                                        \
    {                                                                                    \
        &line_##type, &plane_##type, &space_##type, &total_##type                        \
    }
static const hit_kernel *const kernel[TYPES][4] = {ROW(byte), ROW(int), ROW(long),
                                                   ROW(float), ROW(double)};

static const char *const place[PLACES] = {
    "host:threads=1", "host:threads=3", "host:threads=2:staged:memory=64KiB",
    "host:threads=1:memory=6000", "host:threads=1+host:threads=1:memory=64KiB"};

typedef enum placing {
    OWN,       /* a tile with strides */
    SELECTION, /* of a dense tile */
    DENSE,
    KINDS
} placing;

/* Base keeps MPI open. */
static hit_context *base;

typedef struct operand {
    hit_domain whole; /* of what lies in memory, and of the numbers */
    hit_tile *tile;
    hit_tile *parent; /* or NULL */
    double *want;
} operand;

static hit_type type_of(int type)
{
    static const hit_kind kinds[TYPES] = {HIT_KIND_UINT8, HIT_KIND_INT32, HIT_KIND_INT64,
                                          HIT_KIND_FLOAT, HIT_KIND_DOUBLE};
    static const size_t size_bytes[TYPES] = {1, 4, 8, 4, 8};

    return (hit_type){kinds[type], size_bytes[type]};
}

static void put(hit_kind kind, void *buffer, hit_index at, double value)
{
    if (kind == HIT_KIND_UINT8) ((uint8_t *)buffer)[at] = (uint8_t)value;
    if (kind == HIT_KIND_INT32) ((int32_t *)buffer)[at] = (int32_t)value;
    if (kind == HIT_KIND_INT64) ((int64_t *)buffer)[at] = (int64_t)value;
    if (kind == HIT_KIND_FLOAT) ((float *)buffer)[at] = (float)value;
    if (kind == HIT_KIND_DOUBLE) ((double *)buffer)[at] = value;
}

static double get(hit_kind kind, const void *buffer, hit_index at)
{
    if (kind == HIT_KIND_UINT8) return ((const uint8_t *)buffer)[at];
    if (kind == HIT_KIND_INT32) return ((const int32_t *)buffer)[at];
    if (kind == HIT_KIND_INT64) return (double)((const int64_t *)buffer)[at];
    if (kind == HIT_KIND_FLOAT) return (double)((const float *)buffer)[at];
    return ((const double *)buffer)[at];
}

/* Where x stands in an array of the whole domain. */
static double *want_at(const operand *o, const hit_index x[])
{
    hit_index at = 0;

    for (int d = 0; d < o->whole.dims; d++) {
        const hit_sig sig = o->whole.sig[d];

        at = at * hit_sig_count(sig) + (x[d] - sig.begin) / sig.stride;
    }
    return &o->want[at];
}

static operand make(hit_context *hit, hit_random *random, int type, placing how,
                    const hit_domain *dense, const hit_domain *part)
{
    static const char *const layouts[] = {"block", "cyclic"};
    operand o = {.whole = how == OWN ? *part : *dense};
    const hit_index count = hit_domain_count(&o.whole);
    hit_layout *layout = NULL;
    double *buffer = calloc(MOST, sizeof(double));

    o.want = calloc(MOST, sizeof(double));
    if (buffer == NULL || o.want == NULL || count > MOST) abort();
    for (hit_index k = 0; k < count; k++) {
        o.want[k] = (double)hit_random_index(random, 0, 9);
        put(type_of(type).kind, buffer, k, o.want[k]);
    }
    HIT_MUST(hit_layout_create(hit, o.whole, layouts[hit_random_index(random, 0, 1)],
                               &layout));
    HIT_MUST(hit_tile_create(layout, type_of(type), "tile", &o.tile));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_scatter(o.tile, 0, buffer));
    if (how == SELECTION) {
        o.parent = o.tile;
        HIT_MUST(hit_tile_select(o.parent, *part, &o.tile));
    }
    free(buffer);
    return o;
}

/* Is the tile, with what lies around a selection, as it should be? On process 0. */
static bool drop(operand *o, int type)
{
    double *found = calloc(MOST, sizeof(double));
    bool good = true;

    if (found == NULL) abort();
    HIT_MUST(hit_tile_gather(o->parent != NULL ? o->parent : o->tile, 0, found));
    for (hit_index k = 0; k < hit_domain_count(&o->whole); k++) {
        good = good && get(type_of(type).kind, found, k) == o->want[k];
    }
    hit_tile_destroy(&o->tile);
    hit_tile_destroy(&o->parent);
    free(o->want);
    free(found);
    return good;
}

/* A box, and a part of it with strides. */
static void choose(hit_random *random, int dims, hit_domain *dense, hit_domain *part,
                   hit_domain *box)
{
    static const hit_index most[] = {0, 60, 14, 8};
    static const hit_index strides[] = {1, 2, 2, 3};

    dense->dims = part->dims = box->dims = dims;
    for (int d = 0; d < dims; d++) {
        const hit_index begin = hit_random_index(random, -5, 5);
        const hit_index end = begin + hit_random_index(random, 5, most[dims] - 1);
        const hit_index stride = strides[hit_random_index(random, 0, 3)];
        const hit_index first = begin + hit_random_index(random, 0, 2);

        dense->sig[d] = hit_sig_make(begin, end, 1);
        part->sig[d] = hit_sig_make(first, end, stride);
        box->sig[d] = hit_sig_make(first + stride * hit_random_index(random, 0, 1), end,
                                   stride * hit_random_index(random, 1, 2));
    }
}

static void update_plainly(const hit_domain *box, operand o[])
{
    hit_index x[HIT_MAX_DIMS] = {0};

    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        hit_index low[HIT_MAX_DIMS] = {x[0] - 1, x[1] + 1, x[2] + 1};
        hit_index high[HIT_MAX_DIMS] = {x[0] + 1, x[1], x[2]};

        if (box->dims == 3) { /* as the bodies say */
            low[1] = x[1];
            high[0] = x[0];
            high[1] = x[1] + 1;
        }
        *want_at(&o[0], x) +=
            2 * *want_at(&o[1], x) + *want_at(&o[2], low) + 3 * *want_at(&o[2], high);
    }
}

static bool try_update(hit_context *hit, hit_random *random, int type, int dims)
{
    hit_domain dense;
    hit_domain part;
    hit_domain box;
    hit_domain around;
    operand o[3];
    hit_arg arg[3];
    bool good = true;

    choose(random, dims, &dense, &part, &box);
    around = hit_domain_grow(dense, 1);
    for (int k = 0; k < 3; k++) {
        o[k] = make(hit, random, type,
                    k == 2 ? DENSE : (placing)hit_random_index(random, 0, KINDS - 1),
                    k == 2 ? &around : &dense, &part);
        arg[k] = hit_arg_tile(o[k].tile);
    }
    HIT_MUST(hit_launch_args(hit, NULL, kernel[type][dims - 1], box, 3, arg));
    update_plainly(&box, o);
    for (int k = 0; k < 3; k++) {
        good = drop(&o[k], type) && good;
    }
    return good;
}

/* Sums over rows; the result has strides, too. */
static bool try_total(hit_context *hit, hit_random *random, int type)
{
    hit_domain dense;
    hit_domain part;
    hit_domain box;
    operand of;
    operand column;
    hit_index x[HIT_MAX_DIMS] = {0};
    bool good;

    choose(random, 2, &dense, &part, &box);
    of = make(hit, random, type, (placing)hit_random_index(random, 0, KINDS - 1), &dense,
              &part);
    column = make(hit, random, type, (placing)hit_random_index(random, 0, KINDS - 1),
                  &(hit_domain){1, {dense.sig[1]}}, &(hit_domain){1, {part.sig[1]}});
    HIT_MUST(hit_launch_args(
        hit, NULL, kernel[type][3], box, 2,
        (const hit_arg[]){hit_arg_tile(column.tile), hit_arg_tile(of.tile)}));
    for (int turn = 0; turn < 2; turn++) { /* sums overwrite */
        for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
            double *sum = want_at(&column, &x[1]);

            *sum = turn == 0 ? 0 : *sum + *want_at(&of, x);
        }
    }
    good = drop(&of, type);
    return drop(&column, type) && good;
}

START_TEST(strided_launches_compute_what_plain_loops_do)
{
    hit_random random = hit_random_start(20261122);
    const int cases = hit_random_cases(CASES);
    char wrong[100] = "";

    for (int p = 0; p < PLACES; p++) {
        hit_context *hit = NULL;

        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place[p]}, &hit));
        for (int k = 0; k < cases * TYPES; k++) {
            bool good = try_total(hit, &random, k % TYPES);

            for (int dims = 1; dims <= 3; dims++) {
                good = try_update(hit, &random, k % TYPES, dims) && good;
            }
            if (good || hit_rank(hit) != 0) continue;
            snprintf(wrong, sizeof(wrong), "%s: case %d, type %d", place[p], k,
                     k % TYPES);
        }
        hit_close(&hit);
    }
    ck_assert_msg(wrong[0] == '\0', "%s", wrong);
}
END_TEST

/* A row of so many elements side by side, some before it that stay, and one behind it. */
static bool try_length(hit_context *hit, hit_random *random, int type, hit_index length)
{
    const hit_index first = hit_random_index(random, 1, 70);
    const hit_index last = first + length - 1;
    const hit_domain dense = hit_domain_of(last + 2);
    const hit_domain box = hit_domain_box(1, &first, &last);
    operand o[3];
    hit_arg arg[3];
    bool good = true;

    for (int k = 0; k < 3; k++) {
        o[k] = make(hit, random, type, DENSE, &dense, &dense);
        arg[k] = hit_arg_tile(o[k].tile);
    }
    HIT_MUST(hit_launch_args(hit, NULL, kernel[type][0], box, 3, arg));
    update_plainly(&box, o);
    for (int k = 0; k < 3; k++) {
        good = drop(&o[k], type) && good;
    }
    return good;
}

/* Rows are cut where lines of the cache begin, wherever they begin themselves, and
 * compilers do the ends in vectors of several lengths. */
START_TEST(rows_of_any_length_are_done_to_their_end)
{
    hit_random random = hit_random_start(20261123);
    hit_context *hit = NULL;
    bool good = true;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &hit));
    for (hit_index length = 1; length <= 300; length++) {
        for (int type = 0; type < TYPES; type++) {
            good = try_length(hit, &random, type, length) && good;
        }
    }
    ck_assert(good || hit_rank(hit) != 0);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("strides");
    TCase *tc = tcase_create("strides");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, strided_launches_compute_what_plain_loops_do);
    tcase_add_test(tc, rows_of_any_length_are_done_to_their_end);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
