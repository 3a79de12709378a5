/* SPDX-License-Identifier: MIT
 * Launches whose messages come late: indices that need none of them run before, also
 * where these are summed up, and on every second row and column. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel roughness;

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 80,
    STEPS = 6
};

static const double late_s = 0.001;

static chains_scene open_scene(const char *layout, double held_s)
{
    chains_scene s = chains_open_quiet(NULL, layout, EXTENT);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    hit_comm_hold(s.hit->comm, held_s);
    return s;
}

/* Do all launches that receive something run beside their messages? */
static bool all_overlap(const chains_scene *s)
{
    const hit_launcher *launcher = s->hit->launcher;

    for (int k = 0; k < launcher->plans; k++) {
        const hit_launch_plan *plan = launcher->plan[k];

        for (int u = 0; u < plan->uses; u++) {
            const hit_exchange *gather = plan->use[u].gather;

            if (gather == NULL || hit_exchange_plan(gather)->receives == 0) continue;
            if (!plan->overlaps) return false;
        }
    }
    return true;
}

/* Every second row and column, in four boxes. */
static void run_strided(chains_scene *s)
{
    for (int k = 0; k < 4 * STEPS; k++) {
        const hit_domain box = {2,
                                {hit_sig_make(1 + k / 2 % 2, EXTENT - 2, 2),
                                 hit_sig_make(1 + k % 2, EXTENT - 2, 2)}};

        HIT_MUST(hit_launch(s->hit, &star, box, s->tile[1], s->tile[0], HIT_VALUE(0.5f)));
        if (k % 4 == 3) hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* In the order of the plain loop, of elements that are gathered. */
static double plain_roughness(const float *all)
{
    double sum = 0;

    for (int i = 0; i < EXTENT - 1; i++) {
        for (int j = 0; j < EXTENT - 1; j++) {
            const float *at = all + i * EXTENT + j;

            sum += fabs((double)at[EXTENT] - (double)at[0]) +
                   fabs((double)at[1] - (double)at[0]);
        }
    }
    return sum;
}

static double run_roughness(chains_scene *s)
{
    hit_domain box = hit_domain_of(EXTENT - 1, EXTENT - 1);
    hit_layout *layout = NULL;
    hit_tile *sum = NULL;
    double found = 0;

    HIT_MUST(hit_layout_create(s->hit, (hit_domain){0}, "single", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "sum", &sum));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(s->hit, &roughness, box, sum, s->tile[0]));
        HIT_MUST(hit_tile_gather(sum, 0, &found));
        if (k < 2) run_strided(s); /* so that the sum needs messages again */
    }
    hit_tile_destroy(&sum);
    hit_layout_destroy(&layout);
    return found;
}

static void expect_same(const char *layout)
{
    chains_scene late = open_scene(layout, late_s);
    chains_scene soon = open_scene(layout, 0);
    const double found = run_roughness(&late);
    const double again = run_roughness(&soon);
    float *all = calloc((size_t)EXTENT * EXTENT, sizeof(float));

    ck_assert_ptr_nonnull(all);
    HIT_MUST(hit_tile_gather(late.tile[0], 0, all));
    chains_expect_equal(&late, &soon, layout);
    if (hit_rank(base) == 0) {
        const double expected = plain_roughness(all);

        ck_assert_double_le(fabs(found - expected), 1e-9 * expected);
        ck_assert(memcmp(&found, &again, sizeof(found)) == 0);
    }
    ck_assert_msg(all_overlap(&late), "%s: a launch waits for its messages", layout);
    free(all);
    chains_close(&late);
    chains_close(&soon);
}

START_TEST(sums_and_strides_run_beside_their_messages)
{
    expect_same("block:dims=0");
    expect_same("block:dims=1");
    expect_same("block");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("launches and messages");
    TCase *tc = tcase_create("overlap");

    tcase_add_test(tc, sums_and_strides_run_beside_their_messages);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
