/* SPDX-License-Identifier: MIT
 * Every pair of boundaries, of two arguments and of two dimensions, with parts that are
 * narrower than what is read around them: with chains over processes and without, in
 * place and in little memory, against plain loops. */
#include "hit/base/context.h"
#include "hit/chain/tuner.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel near, far, up, number, cell, cells, sum_line;

static hit_context *base; /* keeps MPI open */

enum {
    BOUNDARIES = HIT_BOUNDARY_MIRROR + 1,
    PAIRS = BOUNDARIES * BOUNDARIES,
    STEPS = 4,
    REACH = 3,
    COLUMNS = 8,
    FIELDS = 3
};

/* What an index of a kernel's loop gives. */
typedef int64_t body(const field *a, const field *m, const hit_index x[]);

static int64_t near_at(const field *a, const field *m, const hit_index x[])
{
    const hit_index i = x[0];

    return (WANT(a, i - 1) + 3 * WANT(a, i) + 5 * WANT(a, i + 1) + 7 * WANT(m, i - 1) +
            11 * WANT(m, i)) %
           1009;
}

static int64_t far_at(const field *a, const field *m, const hit_index x[])
{
    const hit_index i = x[0];

    return (WANT(a, i - 3) + 3 * WANT(a, i - 2) + 5 * WANT(a, i + 2) +
            7 * WANT(m, i + 1) + 11 * WANT(m, i + 3)) %
           1009;
}

static int64_t up_at(const field *a, const field *m, const hit_index x[])
{
    const hit_index i = x[0];
    const hit_index j = x[1];

    return (WANT(a, i - 1, j) + 3 * WANT(a, i, j) + 5 * WANT(a, i, j - 1) +
            7 * WANT(a, i, j + 1) + 11 * WANT(m, i - 2, j + 1) +
            13 * WANT(m, i + 1, j + 1)) %
           1009;
}

typedef struct program {
    const hit_kernel *kernel;
    body *at;
    hit_domain all;
    hit_boundary boundary[FIELDS][HIT_MAX_DIMS];
} program;

/* Without a boundary the indices stay away from it. */
static hit_domain indices(const field *a, const field *m)
{
    hit_domain domain = a->domain;

    for (int d = 0; d < domain.dims; d++) {
        if (a->boundary[d] == HIT_BOUNDARY_NONE || m->boundary[d] == HIT_BOUNDARY_NONE) {
            domain.sig[d] = hit_sig_grow(domain.sig[d], -REACH);
        }
    }
    return domain;
}

static void launch(scene *s, const program *p, const hit_domain *domain, field *o,
                   const field *a, const field *m)
{
    const hit_domain box = hit_domain_intersect(domain, &o->domain);
    hit_index x[HIT_MAX_DIMS] = {0};

    if (hit_domain_is_empty(&box)) return;
    HIT_MUST(hit_launch(s->hit, p->kernel, box, o->tile, a->tile, m->tile));
    for (bool more = hit_domain_first(&box, x); more; more = hit_domain_next(&box, x)) {
        o->want[at(&o->domain, x)] = p->at(a, m, x);
    }
}

/* Steps that are blocked, some of one index, launches between them that read what was
 * beside, and the steps again. */
static void run_steps(scene *s, const program *p, field f[])
{
    hit_domain one = f[0].domain;
    const hit_domain beyond = hit_domain_grow(f[0].domain, 1);
    hit_domain all;

    for (int d = 0; d < one.dims; d++) {
        const hit_index middle = (one.sig[d].begin + one.sig[d].end) / 2;

        one.sig[d] = hit_sig_make(middle, middle, 1);
    }
    for (int t = 0; t < STEPS; t++) {
        all = indices(&f[0], &f[2]);
        launch(s, p, &all, &f[1], &f[0], &f[2]);
        all = indices(&f[1], &f[2]);
        launch(s, p, &all, &f[0], &f[1], &f[2]);
    }
    all = indices(&f[1], &f[2]);
    launch(s, p, &all, &f[0], &f[1], &f[2]);
    one = hit_domain_intersect(&one, &all);
    for (int t = 0; t < STEPS; t++) {
        launch(s, p, &one, &f[0], &f[1], &f[2]);
    }
    ck_assert_int_eq(
        hit_launch(s->hit, p->kernel, beyond, f[0].tile, f[1].tile, f[2].tile),
        HIT_E_PATTERN);
    all = indices(&f[0], &f[2]);
    launch(s, p, &all, &f[1], &f[0], &f[2]);
    all = indices(&f[2], &f[0]);
    launch(s, p, &all, &f[1], &f[2], &f[0]);
}

static void run(scene *s, const program *p)
{
    field f[FIELDS];

    for (int k = 0; k < FIELDS; k++) {
        f[k] = make_field(s, p->all, HIT_BOUNDARY_NONE, "block:dims=0");
        set_boundaries(&f[k], p->boundary[k]);
    }
    for (int phase = 0; phase < 2; phase++) {
        run_steps(s, p, f);
    }
    for (int k = 0; k < FIELDS; k++) {
        drop_field(s, &f[k]);
    }
}

static const hit_choice blocked = {.steps = 5, .width = {3, 4}};

static scene open_scene(int chain, const char *devices)
{
    scene s = {.good = true, .random = {(uint64_t)chain + 5}};

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &s.hit));
    HIT_MUST(hit_chain(s.hit, chain));
    s.hit->launcher->chain_choice = &blocked; /* blocks are as long as may be */
    return s;
}

/* All the pairs, in parts of @p width elements, with a kernel of one dimension: of
 * arguments that are written in turn, and one that is read only. */
static void run_arguments(int chain, const char *devices, hit_index width)
{
    scene s = open_scene(chain, devices);

    for (int pair = 0; pair < PAIRS; pair++) {
        const hit_boundary a = (hit_boundary)(pair % BOUNDARIES);
        const hit_boundary b = (hit_boundary)(pair / BOUNDARIES);
        const bool one = (pair + chain) % 2 == 0;
        const program p = {.kernel = one ? &near : &far,
                           .at = one ? near_at : far_at,
                           .all = hit_domain_of(width * hit_size(base) + 2 * REACH + 1),
                           .boundary = {{a}, {pair % 3 == 0 ? a : b}, {b}}};

        if (!s.good) break;
        (void)snprintf(s.text, sizeof(s.text), "boundaries %d, %d of arguments, reach %d",
                       (int)a, (int)b, one ? 1 : 3);
        run(&s, &p);
    }
    ck_assert_msg(agree_in_scene(&s), "%s, chains of %d: %s", devices, chain, s.text);
    hit_close(&s.hit);
}

/* The same of dimensions, in parts of @p rows rows. */
static void run_dimensions(int chain, const char *devices, hit_index rows)
{
    scene s = open_scene(chain, devices);

    for (int pair = 0; pair < PAIRS; pair++) {
        const hit_boundary a = (hit_boundary)(pair % BOUNDARIES);
        const hit_boundary b = (hit_boundary)(pair / BOUNDARIES);
        const program p = {.kernel = &up,
                           .at = up_at,
                           .all = hit_domain_of(rows * hit_size(base), COLUMNS),
                           .boundary = {{a, b}, {a, b}, {b, a}}};

        if (!s.good) break;
        (void)snprintf(s.text, sizeof(s.text), "boundaries %d, %d of dimensions", (int)a,
                       (int)b);
        run(&s, &p);
    }
    ck_assert_msg(agree_in_scene(&s), "%s, chains of %d: %s", devices, chain, s.text);
    hit_close(&s.hit);
}

/* What is set, read far around, and set again from that: margins add up to more than all
 * of a tile, whose other side lies beyond it again and again. */
START_TEST(margins_longer_than_a_period_are_heeded)
{
    const program set = {.kernel = &near, .at = near_at};
    const program reach = {.kernel = &far, .at = far_at};
    const hit_domain all = hit_domain_of(hit_size(base));
    const hit_domain first = hit_domain_of(1);
    const hit_domain last = hit_box_of(hit_size(base) - 1, hit_size(base) - 1);
    scene s = open_scene(HIT_CHAIN_ANY, "host:threads=1");
    field f[FIELDS];

    for (int k = 0; k < FIELDS; k++) {
        f[k] = make_field(&s, all, HIT_BOUNDARY_PERIODIC, "block");
    }
    for (int t = 0; t < 3 * STEPS; t++) {
        const int64_t from = 100 * t;

        HIT_MUST(hit_launch(s.hit, &number, all, f[0].tile, HIT_VALUE(from)));
        for (hit_index i = 0; i < hit_size(base); i++) {
            SLOT(&f[0], i) = from + 17 * i;
        }
        launch(&s, &reach, &first, &f[1], &f[0], &f[0]);
        launch(&s, &set, &last, &f[0], &f[1], &f[1]);
    }
    for (int k = 0; k < FIELDS; k++) {
        drop_field(&s, &f[k]);
    }
    ck_assert_msg(agree_in_scene(&s), "margins: %s", s.text);
    hit_close(&s.hit);
}
END_TEST

static void write_cells(scene *s, hit_domain box, field *o, const field *a, bool one)
{
    HIT_MUST(hit_launch(s->hit, one ? &cell : &cells, box, o->tile, a->tile));
    HIT_FOR_EACH (x, box) {
        const hit_index i = x[0];
        const hit_index j = x[1];

        if (one) {
            SLOT(o, i, 2, j) =
                (WANT(a, i + 1, 1, j) + 3 * WANT(a, i + 1, 2, j + 1)) % 1009 + j;
        }
        for (hit_index k = 0; k < 3 && !one; k++) {
            SLOT(o, i, k, j) = (SLOT(o, i, k, j) + WANT(a, i - 1, 2 - k, j + 2) +
                                5 * WANT(a, i - 1, 2, j + 1)) %
                               1009;
        }
    }
}

/* Two launches at a time, and one that is in no chain: what is beyond a boundary is
 * filled in for each block, also if that is done in a block before. */
START_TEST(what_is_filled_in_alone_is_filled_in_for_each_block)
{
    const hit_index n = 3 * hit_size(base) + 1;
    const hit_domain all = hit_domain_of(n, 3, 4);
    const hit_domain line = hit_domain_of(n);
    const hit_boundary boundary[] = {HIT_BOUNDARY_MIRROR, HIT_BOUNDARY_NONE,
                                     HIT_BOUNDARY_MIRROR};
    scene s = open_scene(16, "host:threads=1");
    field total = make_field(&s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    field x = make_field(&s, line, HIT_BOUNDARY_NONE, "block");
    field f[2];

    for (int k = 0; k < 2; k++) {
        f[k] = make_field(&s, all, HIT_BOUNDARY_NONE, "block:dims=0");
        set_boundaries(&f[k], boundary);
    }
    for (int t = 0; t < 3 * STEPS; t++) {
        write_cells(&s, hit_box_of(0, 0, 0, 3), &f[1], &f[0], true);
        HIT_MUST(hit_launch(s.hit, &sum_line, line, total.tile, x.tile));
        write_cells(&s, hit_box_of(0, n / 2, 0, 3), &f[0], &f[1], false);
    }
    total.want[0] = 0;
    for (hit_index k = 0; k < n; k++) {
        total.want[0] += x.want[k];
    }
    drop_field(&s, &f[0]);
    drop_field(&s, &f[1]);
    drop_field(&s, &total);
    drop_field(&s, &x);
    ck_assert_msg(agree_in_scene(&s), "cells: %s", s.text);
    hit_close(&s.hit);
}
END_TEST

typedef struct way {
    int chain;
    const char *devices;
    hit_index width; /* elements of a part, ... */
    hit_index rows;  /* ... and rows */
} way;

static const way ways[] = {
    {HIT_CHAIN_OFF, "host:threads=1", 1, 2},
    {16, "host:threads=1", 2, 1},
    {HIT_CHAIN_ANY, "host:threads=2", 5, 4},
    {HIT_CHAIN_ANY, "host:threads=1:staged:memory=2KiB", 100, 12},
};

START_TEST(unlike_boundaries_of_arguments_are_heeded)
{
    run_arguments(ways[_i].chain, ways[_i].devices, ways[_i].width);
}
END_TEST

START_TEST(unlike_boundaries_of_dimensions_are_heeded)
{
    run_dimensions(ways[_i].chain, ways[_i].devices, ways[_i].rows);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("boundaries in chains");
    TCase *tc = tcase_create("boundaries");
    const int count = (int)(sizeof(ways) / sizeof(ways[0]));

    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, unlike_boundaries_of_arguments_are_heeded, 0, count);
    tcase_add_loop_test(tc, unlike_boundaries_of_dimensions_are_heeded, 0, count);
    tcase_add_test(tc, margins_longer_than_a_period_are_heeded);
    tcase_add_test(tc, what_is_filled_in_alone_is_filled_in_for_each_block);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
