/* SPDX-License-Identifier: MIT
 * Factors of one block on the threads of its device: every thread takes part, and the
 * result is that of one thread. */
#include "hit/hit.h"
#include "hit/kernel.h"
#include "kernels/kernels.h"
#include "kernels/kernels_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = 330,    /* several panels, the last one cut, for each of three threads */
    INNER = 24, /* rows of T and L */
    MOST = 4    /* arguments of a kernel */
};

static hit_context *base; /* keeps MPI open */

/* How many rows of N columns each argument has; pivots have one, of int32_t. */
typedef struct factoring {
    const hit_kernel *kernel;
    hit_index rows[MOST];
    int pivots; /* the argument that has them; -1: none */
} factoring;

static const factoring cases[] = {
    {&potrf_double, {N}, -1},           {&getrf_double, {N}, -1},
    {&getrf_inc_double, {N, 1, N}, 1},  {&tstrf_double, {N, N, INNER, 1}, 3},
    {&geqrt_double, {N, INNER, N}, -1}, {&tsqrt_double, {N, N, INNER}, -1},
};

enum {
    CASES = sizeof cases / sizeof cases[0]
};

static hit_tile *make(hit_context *hit, hit_index rows, bool pivots)
{
    hit_random random = hit_random_start(11);
    hit_tile *tile;
    hit_view view;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(rows, N), "block",
                           pivots ? HIT_INT32 : HIT_DOUBLE, "t", &tile));
    if (pivots) return tile;
    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < rows; i++) {
        for (hit_index j = 0; j <= i; j++) {
            const double value =
                (double)hit_random_index(&random, -1000, 1000) / 1e3 + (i == j ? N : 0);

            HIT_AT(view, double, i, j) = value;
            if (j < rows && i < N) HIT_AT(view, double, j, i) = value;
        }
    }
    return tile;
}

static hit_status launch(hit_context *hit, const factoring *f, hit_tile *t[MOST])
{
    const hit_domain one = hit_domain_of(1);

    if (t[1] == NULL) return hit_launch(hit, f->kernel, one, t[0]);
    if (t[2] == NULL) return hit_launch(hit, f->kernel, one, t[0], t[1]);
    if (t[3] == NULL) return hit_launch(hit, f->kernel, one, t[0], t[1], t[2]);
    return hit_launch(hit, f->kernel, one, t[0], t[1], t[2], t[3]);
}

/* What the kernel leaves, one argument behind the other. */
static size_t run_on(const char *devices, const factoring *f, double found[])
{
    hit_context *hit = NULL;
    hit_tile *t[MOST] = {NULL};
    size_t count = 0;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    for (int k = 0; k < f->kernel->args; k++) {
        t[k] = make(hit, f->rows[k], k == f->pivots);
    }
    HIT_MUST(launch(hit, f, t));
    HIT_MUST(hit_wait(hit));
    for (int k = 0; k < f->kernel->args; k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(t[k], 0, HIT_READ, &view));
        for (hit_index i = 0; i < f->rows[k]; i++) {
            for (hit_index j = 0; j < N; j++) {
                found[count++] = k == f->pivots ? HIT_AT(view, int32_t, i, j)
                                                : HIT_AT(view, double, i, j);
            }
        }
    }
    for (int k = 0; k < MOST; k++) {
        hit_tile_destroy(&t[k]);
    }
    hit_close(&hit);
    return count;
}

START_TEST(three_threads_leave_what_one_leaves)
{
    static double one[MOST * N * N];
    static double three[MOST * N * N];
    const factoring *f = &cases[_i];
    const size_t count = run_on("host:threads=1", f, one);

    ck_assert_uint_eq(run_on("host:threads=3", f, three), count);
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(fabs(one[k] - three[k]) <= 1e-12 * (N + fabs(one[k])),
                      "%s, element %zu: expected %.17g but found %.17g", f->kernel->name,
                      k, one[k], three[k]);
    }
}
END_TEST

static void spoil(hit_tile *tile, hit_index at)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index j = 0; j < N; j++) {
        HIT_AT(view, double, at, j) = 0;
        HIT_AT(view, double, j, at) = 0;
    }
}

START_TEST(several_threads_tell_the_row_that_has_no_pivot)
{
    hit_context *hit = NULL;
    hit_tile *t[MOST] = {NULL};
    hit_status status;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=3"}, &hit));
    t[0] = make(hit, N, false);
    spoil(t[0], 271);
    status = launch(hit, &cases[_i], t);
    if (status == HIT_OK) status = hit_wait(hit);
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "(index 271)"));
    hit_tile_destroy(&t[0]);
    hit_close(&hit);
}
END_TEST

/* A team whose threads run one after another. */
typedef struct played {
    int runs;
} played;

static void play(void *self, void (*function)(void *of, int thread, int threads),
                 void *of)
{
    ((played *)self)->runs++;
    for (int k = 2; k >= 0; k--) {
        function(of, k, 3);
    }
}

typedef struct taken {
    int part[3];
    int parts;
    int count; /* columns that were taken */
    bool fails;
} taken;

static hit_status take(const void *of, int part, int parts)
{
    taken *t = (taken *)of;

    t->part[part]++;
    t->parts = parts;
    t->count += hit_team_begin(N, part + 1, parts) - hit_team_begin(N, part, parts);
    if (t->fails && part > 0) return HIT_FAIL(HIT_E_NOMEM, "part %d has none", part);
    return HIT_OK;
}

START_TEST(a_step_is_cut_over_all_threads_and_tells_the_first_failure)
{
    played self = {.runs = 0};
    const hit_team team = {.threads = 3, .self = &self, .run = play};
    const hit_run run = {.threads = 3, .team = &team};
    taken t = {.count = 0};

    HIT_MUST(hit_team_run(&run, N, take, &t));
    ck_assert_int_eq(self.runs, 1);
    ck_assert_int_eq(t.count, N);
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(t.part[k], 1);
    }
    t.fails = true;
    ck_assert_int_eq(hit_team_run(&run, N, take, &t), HIT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "part 2 has none"));

    memset(&t, 0, sizeof t);
    HIT_MUST(hit_team_run(&run, 20, take, &t)); /* too few for more than one */
    ck_assert_int_eq(t.part[0], 1);
    ck_assert_int_eq(t.part[1] + t.part[2], 0);
    ck_assert_int_eq(self.runs, 2);

    memset(&t, 0, sizeof t);
    HIT_MUST(hit_team_run(&run, 150, take, &t)); /* enough for two */
    ck_assert_int_eq(t.parts, 2);
    ck_assert_int_eq(t.part[0] + t.part[1], 2);
    ck_assert_int_eq(t.part[2], 0);
}
END_TEST

/* With elements that no other thread's part touches, a team that plays is enough. */
START_TEST(potrf_uses_the_team_of_its_run)
{
    static double a[N * N];
    played self = {.runs = 0};
    const hit_team team = {.threads = 3, .self = &self, .run = play};
    void *library = NULL;
    hit_run run = {.threads = 3, .team = &team, .stride = {1}};

    HIT_MUST(potrf_double.prepare(&library));
    for (int i = 0; i < N; i++) {
        a[i * N + i] = 4;
    }
    run.prepared = library;
    run.slot[0] = (hit_slot){
        .base = a, .stride = {N, 1}, .step = {1, 1}, .end = {N - 1, N - 1}, .dense = 1};
    HIT_MUST(potrf_double.host(&run));
    ck_assert_int_gt(self.runs, 2);
    for (int i = 0; i < N; i++) {
        ck_assert_double_eq(a[i * N + i], 2);
    }
    free(library);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("team");
    TCase *tc = tcase_create("team");

    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, three_threads_leave_what_one_leaves, 0, CASES);
    tcase_add_loop_test(tc, several_threads_tell_the_row_that_has_no_pivot, 0, 2);
    tcase_add_test(tc, a_step_is_cut_over_all_threads_and_tells_the_first_failure);
    tcase_add_test(tc, potrf_uses_the_team_of_its_run);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
