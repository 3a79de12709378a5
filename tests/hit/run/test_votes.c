/* SPDX-License-Identifier: MIT
 * How often launches make all processes wait for each other: where one is of a new kind,
 * not at each place, and not for each tile. "hit.run.votes" on N processes prints it for
 * the loops of the examples heat, matmul, seismic and cholesky. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"
#include "tests/support/collectives.h"
#include "tests/support/faults.h"

#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel record; /* examples/seismic.k.c */

static hit_context *base; /* keeps MPI open */

enum {
    EDGE = 48,
    PANEL = 4,
    WIDTH = 4,
    BLOCKS = 16, /* per side: more places than plans are kept for */
    STEPS = 40,
    KINDS = 4 /* of launches, at most */
};

/* A program under way. */
typedef struct program {
    hit_context *hit;
    hit_tile *tile[5];
    hit_tile *block[BLOCKS * BLOCKS];
    int t; /* samples so far */
} program;

static void make(program *p, int k, hit_domain domain, const char *layout, hit_type type)
{
    HIT_MUST(hit_tile_make(p->hit, domain, layout, type, "tile", &p->tile[k]));
}

/* ---- heat ---- */

static void prepare_heat(program *p)
{
    make(p, 0, hit_domain_of(EDGE, EDGE), "block", HIT_FLOAT);
    make(p, 1, hit_domain_of(EDGE, EDGE), "block", HIT_FLOAT);
}

static void heat(program *p)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(EDGE, EDGE), -1);

    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(p->hit, &heat_float, inner, p->tile[0], p->tile[1],
                            HIT_VALUE(0.2f)));
        hit_tile_swap(&p->tile[0], &p->tile[1]);
    }
}

/* ---- matmul ---- */

static void prepare_matmul(program *p)
{
    for (int k = 0; k < 3; k++) {
        make(p, k, hit_domain_of(EDGE, EDGE), "block", HIT_DOUBLE);
    }
}

static void matmul(program *p)
{
    for (hit_index k = 0; k < EDGE; k += PANEL) {
        const hit_index last = k + PANEL - 1;
        hit_tile *a;
        hit_tile *b;

        HIT_MUST(hit_tile_select(p->tile[0], hit_box_of(0, EDGE - 1, k, last), &a));
        HIT_MUST(hit_tile_select(p->tile[1], hit_box_of(k, last, 0, EDGE - 1), &b));
        HIT_MUST(hit_launch(p->hit, &gemm_double, hit_tile_domain(p->tile[2]), p->tile[2],
                            a, b, HIT_VALUE(1.0), HIT_VALUE(1.0)));
        hit_tile_destroy(&a);
        hit_tile_destroy(&b);
    }
}

/* ---- seismic ---- */

static void prepare_seismic(program *p)
{
    for (int k = 0; k < 4; k++) {
        make(p, k, hit_domain_of(EDGE, EDGE), "block", HIT_FLOAT);
    }
    make(p, 4, hit_domain_of(2 * STEPS, EDGE), "block:dims=1", HIT_FLOAT);
}

/* Each sample goes into a row of its own. */
static void seismic(program *p)
{
    const hit_domain inner = hit_domain_grow(hit_domain_of(EDGE, EDGE), -4);
    const hit_wave_shot shot = {.centre = {20, 20}, .radius = 3, .sample = 1};

    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(p->hit, &wave_float, inner, p->tile[0], p->tile[1],
                            p->tile[2], p->tile[3]));
        HIT_MUST(hit_launch(p->hit, &wave_source_float, hit_box_of(17, 23, 17, 23),
                            p->tile[0], HIT_VALUE(shot)));
        hit_tile_swap(&p->tile[0], &p->tile[1]);
        HIT_MUST(hit_launch(p->hit, &record, hit_box_of(p->t, p->t, 0, EDGE - 1),
                            p->tile[4], p->tile[1]));
        p->t++;
    }
}

/* ---- cholesky ---- */

static hit_domain block_of(int i, int j)
{
    return hit_box_of(i * WIDTH, (i + 1) * WIDTH - 1, j * WIDTH, (j + 1) * WIDTH - 1);
}

static void prepare_cholesky(program *p)
{
    const int n = BLOCKS * WIDTH;

    make(p, 0, hit_domain_of(n, n), "blockcyclic:block=4x4", HIT_DOUBLE);
    for (int b = 0; b < BLOCKS * BLOCKS; b++) {
        HIT_MUST(
            hit_tile_select(p->tile[0], block_of(b / BLOCKS, b % BLOCKS), &p->block[b]));
    }
}

/* A = 1: it is its own factor. */
static void set_one(program *p)
{
    const int n = BLOCKS * WIDTH;
    double *one;

    HIT_MUST(hit_memory_zeroed((size_t)n * (size_t)n, sizeof(double), &one));
    for (int k = 0; k < n; k++) {
        one[k * n + k] = 1;
    }
    HIT_MUST(hit_tile_scatter(p->tile[0], 0, one));
    free(one);
}

static void update(program *p, const hit_kernel *kernel, int k, int i, int j)
{
    HIT_MUST(hit_launch(p->hit, kernel, block_of(i, j), p->block[i * BLOCKS + j],
                        p->block[i * BLOCKS + k], p->block[j * BLOCKS + k],
                        HIT_VALUE(-1.0), HIT_VALUE(1.0)));
}

static void cholesky(program *p)
{
    for (int k = 0; k < BLOCKS; k++) {
        hit_tile *diagonal = p->block[k * BLOCKS + k];

        HIT_MUST(hit_launch(p->hit, &potrf_double, hit_domain_of(1), diagonal));
        for (int i = k + 1; i < BLOCKS; i++) {
            HIT_MUST(hit_launch(p->hit, &trsm_rlt_double,
                                hit_box_of(i * WIDTH, (i + 1) * WIDTH - 1),
                                p->block[i * BLOCKS + k], diagonal));
        }
        for (int i = k + 1; i < BLOCKS; i++) {
            update(p, &syrk_double, k, i, i);
            for (int j = k + 1; j < i; j++) {
                update(p, &gemm_nt_double, k, i, j);
            }
        }
    }
}

/* ---- what they ask of all processes ---- */

static const struct {
    const char *name;
    void (*prepare)(program *p);
    void (*fill)(program *p); /* before each pass; NULL: nothing */
    void (*run)(program *p);
} programs[] = {{"heat", prepare_heat, NULL, heat},
                {"matmul", prepare_matmul, NULL, matmul},
                {"seismic", prepare_seismic, NULL, seismic},
                {"cholesky", prepare_cholesky, set_one, cholesky}};

/* Of one pass over the places of a program. */
typedef struct counted {
    uint64_t launches;
    int calls;
} counted;

static counted pass(program *p, int number)
{
    counted found;

    if (programs[number].fill != NULL) programs[number].fill(p);
    found.launches = p->hit->launcher->launches;
    found.calls = collectives_count();
    programs[number].run(p);
    found.launches = p->hit->launcher->launches - found.launches;
    found.calls = collectives_count() - found.calls;
    return found;
}

static void end(program *p)
{
    for (int b = 0; b < BLOCKS * BLOCKS; b++) {
        hit_tile_destroy(&p->block[b]);
    }
    for (int k = 0; k < 5; k++) {
        hit_tile_destroy(&p->tile[k]);
    }
    hit_close(&p->hit);
}

START_TEST(places_are_not_voted_on)
{
    program p = {.hit = NULL};
    counted first;
    counted again;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &p.hit));
    programs[_i].prepare(&p);
    first = pass(&p, _i);
    again = pass(&p, _i);
    if (hit_rank(base) == 0) {
        printf("%s on %d processes: %.4f collective calls a launch at first, %.4f then\n",
               programs[_i].name, hit_size(base), first.calls / (double)first.launches,
               again.calls / (double)again.launches);
    }
    ck_assert_int_le(first.calls, 2 * KINDS + 1);
    ck_assert_uint_gt(again.launches, 0);
    ck_assert_double_le(again.calls / (double)again.launches, 0.01);
    end(&p);
}
END_TEST

/* The memory of each has to be grown by a halo. */
START_TEST(tiles_are_not_voted_on)
{
    program p = {.hit = NULL};
    int calls;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &p.hit));
    prepare_heat(&p);
    heat(&p);
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&p.tile[k]);
    }
    prepare_heat(&p);
    calls = collectives_count();
    heat(&p);
    ck_assert_int_eq(collectives_count() - calls, 0);
    end(&p);
}
END_TEST

/* Its messages say that it could not run. */
START_TEST(a_place_too_large_for_a_device_keeps_nobody_waiting)
{
    static double all[BLOCKS * WIDTH][BLOCKS * WIDTH];
    program p = {.hit = NULL};
    hit_tile *large;
    hit_status status;
    uint64_t limits;
    int calls;

    HIT_MUST(hit_open_with(
        NULL, NULL, &(hit_options){.devices = "host:threads=1:memory=2KiB"}, &p.hit));
    prepare_cholesky(&p);
    set_one(&p);
    HIT_MUST(hit_tile_select(p.tile[0], hit_box_of(0, 31, 0, 31), &large));
    HIT_MUST(hit_launch(p.hit, &potrf_double, hit_domain_of(1), p.block[0]));
    calls = collectives_count();
    status = hit_launch(p.hit, &potrf_double, hit_domain_of(1), large);
    if (hit_size(base) > 1) ck_assert_int_eq(collectives_count(), calls);
    limits = status == HIT_E_LIMIT;
    ck_assert(limits || status == HIT_OK || status == HIT_E_PEER);
    HIT_MUST(hit_comm_sum_u64(base->comm, &limits, 1));
    ck_assert_uint_gt(limits, 0);
    if (hit_size(base) > 1) {
        ck_assert_int_ne(hit_tile_gather(p.tile[0], 0, all), HIT_OK);
    }
    set_one(&p);
    HIT_MUST(hit_launch(p.hit, &potrf_double, hit_domain_of(1), p.block[BLOCKS + 1]));
    HIT_MUST(hit_tile_gather(p.tile[0], 0, all));
    hit_tile_destroy(&large);
    end(&p);
}
END_TEST

/* The last process has none for a plan at a place where it was not before. */
START_TEST(memory_that_is_missing_at_a_place_is_made)
{
    program p = {.hit = NULL};

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &p.hit));
    prepare_cholesky(&p);
    set_one(&p);
    update(&p, &gemm_nt_double, 0, 2, 1);
    test_fault.kind = FAULT_ALLOCATION;
    test_fault.sticky = false;
    for (int i = 3; i < BLOCKS && hit_size(base) > 1; i++) {
        test_fault.fail_at = hit_rank(base) == hit_size(base) - 1;
        test_fault_begin();
        update(&p, &gemm_nt_double, 0, i, 1);
        test_fault.on = false;
    }
    test_fault.fail_at = 0;
    HIT_MUST(hit_barrier(p.hit));
    end(&p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("votes of launches");
    TCase *tc = tcase_create("votes");

    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, places_are_not_voted_on, 0,
                        (int)(sizeof(programs) / sizeof(programs[0])));
    tcase_add_test(tc, tiles_are_not_voted_on);
    tcase_add_test(tc, a_place_too_large_for_a_device_keeps_nobody_waiting);
    tcase_add_test(tc, memory_that_is_missing_at_a_place_is_made);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
