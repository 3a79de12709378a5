/* SPDX-License-Identifier: MIT
 * The simulated device by hand: lanes side by side, what waits for what, and a kernel
 * that keeps the caller or does not. */
#include "hit/device/device.h"
#include "tests/support/check_main.h"

#include <math.h>

enum {
    BYTES = 10
};

typedef struct simulated {
    hit_sim sim;
    hit_links links;
    hit_fpm *kernel;
    hit_device device;
    hit_view view;
} simulated;

/* A copy takes 3 seconds in, 5 out, and 1 within; a kernel 2 seconds per index. */
static void open_sim(simulated *s, bool async)
{
    const hit_domain box = hit_domain_of(BYTES);

    *s = (simulated){.links = {.known = (1u << HIT_LINK_NAMES) - 1}};
    s->links.link[HIT_LINK_IN].latency_s = 3;
    s->links.link[HIT_LINK_OUT].latency_s = 5;
    s->links.link[HIT_LINK_WITHIN].byte_s = 1.0 / BYTES;
    HIT_MUST(hit_fpm_constant(0.5, &s->kernel));
    s->sim =
        (hit_sim){.links = &s->links, .kernel = s->kernel, .threads = 2, .async = async};
    hit_sim_open(&s->sim, &s->device);
    s->view = hit_view_make(&box, 1, &s->view);
}

static void copy(simulated *s, hit_lane lane, hit_way way)
{
    HIT_MUST(hit_device_copy(&s->device, lane, way, &s->view, &s->view, &s->view.domain));
}

static void after(simulated *s, hit_lane lane, hit_lane of)
{
    const uint64_t mark = hit_device_mark(&s->device, of);

    HIT_MUST(hit_device_after(&s->device, lane, of, mark));
}

START_TEST(lanes_run_side_by_side)
{
    simulated s;

    open_sim(&s, true);
    copy(&s, HIT_LANE_IN, HIT_WAY_IN);
    copy(&s, HIT_LANE_IN, HIT_WAY_WITHIN);
    copy(&s, HIT_LANE_OUT, HIT_WAY_OUT);
    ck_assert_double_eq_tol(s.sim.lane_s[HIT_LANE_IN], 4, 1e-9);
    ck_assert_double_eq_tol(hit_sim_end(&s.sim), 5, 1e-9);
    hit_sim_run(&s.sim, 2, 0.5);
    ck_assert_double_eq_tol(s.sim.busy_s, 3 + 1 + 5 + 2 * 2, 1e-9);
    hit_fpm_destroy(&s.kernel);
}
END_TEST

START_TEST(what_waits_for_a_mark_begins_after_it)
{
    simulated s;

    open_sim(&s, true);
    copy(&s, HIT_LANE_IN, HIT_WAY_IN);
    after(&s, HIT_LANE_RUN, HIT_LANE_IN);
    copy(&s, HIT_LANE_IN, HIT_WAY_IN); /* nobody waits for this one */
    hit_sim_run(&s.sim, 1, 1);
    after(&s, HIT_LANE_OUT, HIT_LANE_RUN);
    copy(&s, HIT_LANE_OUT, HIT_WAY_OUT);
    ck_assert_double_eq_tol(hit_sim_end(&s.sim), 3 + 2 + 5, 1e-9);
    hit_fpm_destroy(&s.kernel);
}
END_TEST

START_TEST(marks_grow_with_time)
{
    simulated s;
    uint64_t before = 0;

    open_sim(&s, true);
    for (int k = 0; k < 20; k++) {
        uint64_t mark;

        copy(&s, HIT_LANE_OUT, k % 2 == 0 ? HIT_WAY_OUT : HIT_WAY_WITHIN);
        mark = hit_device_mark(&s.device, HIT_LANE_OUT);
        ck_assert_uint_gt(mark, before);
        before = mark;
    }
    hit_fpm_destroy(&s.kernel);
}
END_TEST

START_TEST(a_kernel_keeps_the_caller_unless_it_is_async)
{
    for (int async = 0; async < 2; async++) {
        simulated s;

        open_sim(&s, async);
        hit_sim_run(&s.sim, 4, 1);
        copy(&s, HIT_LANE_IN, HIT_WAY_IN);
        ck_assert_double_eq_tol(s.sim.lane_s[HIT_LANE_IN], async ? 3 : 8 + 3, 1e-9);
        HIT_MUST(hit_device_wait(&s.device));
        copy(&s, HIT_LANE_OUT, HIT_WAY_OUT);
        ck_assert_double_eq_tol(s.sim.lane_s[HIT_LANE_OUT], async ? 8 + 5 : 11 + 5, 1e-9);
        hit_fpm_destroy(&s.kernel);
    }
}
END_TEST

START_TEST(what_waits_for_an_unknown_time_is_not_known)
{
    simulated s;

    open_sim(&s, true);
    s.links.known = 0;
    copy(&s, HIT_LANE_IN, HIT_WAY_IN);
    after(&s, HIT_LANE_RUN, HIT_LANE_IN);
    hit_sim_run(&s.sim, 1, 1);
    ck_assert(isnan(s.sim.lane_s[HIT_LANE_RUN]));
    ck_assert(isnan(hit_sim_end(&s.sim)));
    hit_fpm_destroy(&s.kernel);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("sim");
    TCase *tests = tcase_create("sim");

    tcase_add_test(tests, lanes_run_side_by_side);
    tcase_add_test(tests, what_waits_for_a_mark_begins_after_it);
    tcase_add_test(tests, marks_grow_with_time);
    tcase_add_test(tests, a_kernel_keeps_the_caller_unless_it_is_async);
    tcase_add_test(tests, what_waits_for_an_unknown_time_is_not_known);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
