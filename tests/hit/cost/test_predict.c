/* SPDX-License-Identifier: MIT
 * Predicted times: of plans whose time can be worked out by hand, and of random launches
 * that the launcher carries out on a simulated device; the first of them also as they
 * were when predictions had clocks of their own. */
#include "hit/base/context.h"
#include "hit/cost/cost.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_move.h"
#include "kernels/kernels.h"
#include "patterns/parse.h"
#include "tests/hit/cost/predicted.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel line, star, corners, four, product, transpose;

static hit_context *base;

/* ---- by hand ---- */

/* b = a over 40 indices of 8 bytes: pieces of 10, two buffers each. */
typedef struct lane_case {
    hit_superblocks made;
    hit_pattern pattern;
    hit_plan_arg arg[2];
    hit_rates rates;
    hit_fpm *fpm;
} lane_case;

/* In seconds per piece; within and messages cost nothing. */
static void open_case(lane_case *one, hit_index pieces, double in_s, double run_s,
                      double out_s)
{
    static const char *const name[] = {"i"};
    const hit_domain index = hit_domain_of(10 * pieces);

    *one = (lane_case){.made = {.buffers = {2, 2}, .order = {0, 1}, .arena_bytes = 320}};
    one->made.plan = (hit_plan){.index = index,
                                .shape = {10},
                                .blocks = {10},
                                .grid = {pieces},
                                .pieces = pieces,
                                .filled = pieces};
    HIT_MUST(hit_pattern_parse("[i]", 1, name, &one->pattern));
    for (int u = 0; u < 2; u++) {
        one->arg[u] = (hit_plan_arg){.mode = u == 0 ? HIT_MODE_OUT : HIT_MODE_IN,
                                     .size_bytes = 8,
                                     .pattern = &one->pattern,
                                     .tile = index,
                                     .clip = index};
    }
    one->rates.links.known = (1u << HIT_LINK_NAMES) - 1;
    one->rates.links.link[HIT_LINK_IN].byte_s = in_s / 80;
    one->rates.links.link[HIT_LINK_IN_PACKED].byte_s = 1;
    one->rates.links.link[HIT_LINK_OUT].latency_s = out_s;
    one->rates.links.link[HIT_LINK_OUT_PACKED].latency_s = 2 * out_s + 1;
    HIT_MUST(hit_fpm_constant(10 / run_s, &one->fpm));
    one->rates.kernel = one->fpm;
}

static void close_case(lane_case *one)
{
    hit_fpm_destroy(&one->fpm);
    hit_pattern_clear(&one->pattern);
}

/* Both kinds of devices. */
static void expect_time(hit_index pieces, double in_s, double run_s, double out_s,
                        double expected)
{
    for (int async = 0; async < 2; async++) {
        lane_case one;
        hit_forecast found;

        open_case(&one, pieces, in_s, run_s, out_s);
        one.rates.async = async;
        found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
        ck_assert_uint_eq(found.lacks, 0);
        ck_assert_double_eq_tol(found.first_s, expected, 1e-9 * expected);
        ck_assert_double_eq_tol(found.again_s, expected, 1e-9 * expected);
        close_case(&one);
    }
}

START_TEST(fill_the_slowest_lane_and_drain)
{
    expect_time(4, 1, 2, 1, 1 + 4 * 2 + 1);
    expect_time(4, 3, 1, 1, 4 * 3 + 1 + 1);
    expect_time(4, 1, 1, 5, 1 + 1 + 4 * 5);
    expect_time(1, 3, 4, 5, 3 + 4 + 5);
    expect_time(2, 1, 1, 1, 4);
}
END_TEST

/* What is changed is brought and sent back at the same time, since what is brought is
 * none of what is on its way back. */
START_TEST(both_ways_at_once)
{
    for (int async = 0; async < 2; async++) {
        lane_case one;
        hit_forecast found;

        open_case(&one, 8, 3, 1, 3);
        one.rates.async = async;
        one.arg[0].mode = HIT_MODE_INOUT;
        one.made.buffers[0] = HIT_STREAM_BUFFERS;
        found = hit_predict_on_device(&one.rates, 1, one.arg, 1, &one.made);
        ck_assert_double_eq_tol(found.first_s, 8 * 3 + 1 + 3, 1e-9);
        close_case(&one);
    }
}
END_TEST

START_TEST(long_plans_keep_the_pace_of_their_beginning)
{
    expect_time(100000, 1, 2, 1, 1 + 100000 * 2.0 + 1);
    expect_time(100001, 3, 2, 1, 100001 * 3.0 + 3);
}
END_TEST

START_TEST(one_at_a_time_is_the_sum)
{
    lane_case one;
    hit_forecast found;

    open_case(&one, 4, 1, 2, 3);
    one.made.buffers[0] = one.made.buffers[1] = 0;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_double_eq_tol(found.first_s, 24, 1e-9);
    close_case(&one);
}
END_TEST

START_TEST(lanes_that_share_cores_take_turns)
{
    lane_case one;
    hit_forecast found;

    open_case(&one, 4, 1, 2, 1); /* 4 * (1 + 2 * threads + 1) seconds of cores */
    one.rates.threads = 1;
    one.rates.cores = 2;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_double_eq_tol(found.first_s, 1 + 4 * 2 + 1, 1e-9);
    one.rates.cores = 1;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_double_eq_tol(found.first_s, 4 * (1 + 2 + 1), 1e-9);
    one.rates.cores = 2;
    one.rates.threads = 2;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_double_eq_tol(found.first_s, 4.0 * (1 + 4 + 1) / 2, 1e-9);
    close_case(&one);
    open_case(&one, 40000, 1, 2, 1);
    one.rates.threads = 1;
    one.rates.cores = 1;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    /* the followed ones have brought one more than they have run */
    ck_assert_double_eq_tol(found.first_s, 160000, 100);
    close_case(&one);
}
END_TEST

START_TEST(what_stays_is_brought_once)
{
    lane_case one;
    hit_forecast found;

    open_case(&one, 1, 1, 2, 3);
    one.made.arena_bytes = 0;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_double_eq_tol(found.first_s, 1 + 2, 1e-9);
    ck_assert_double_eq_tol(found.again_s, 2, 1e-9);
    close_case(&one);
}
END_TEST

START_TEST(messages_go_both_ways_at_once)
{
    hit_rates rates = {.links.known = 1u << HIT_LINK_MESSAGE};
    hit_forecast found;

    rates.links.link[HIT_LINK_MESSAGE] = (hit_link){.latency_s = 2, .byte_s = 0.5};
    found = hit_predict_messages(&rates, 3, 10, 1, 100);
    ck_assert_double_eq_tol(found.first_s, 2 + 50, 1e-9);
    found = hit_predict_messages(&rates, 3, 10, 0, 0);
    ck_assert_double_eq_tol(found.again_s, 3 * 2 + 5, 1e-9);
    ck_assert_uint_eq(found.lacks, 0);
}
END_TEST

START_TEST(what_passes_once_is_for_messages_together)
{
    hit_rates rates = {.links.known = 1u << HIT_LINK_MESSAGE};

    rates.links.link[HIT_LINK_MESSAGE] =
        (hit_link){.latency_s = 2, .byte_s = 0.5, .once_s = 7};
    ck_assert_double_eq_tol(hit_predict_messages(&rates, 3, 10, 0, 0).first_s,
                            7 + 3 * 2 + 5, 1e-9);
    ck_assert_double_eq_tol(hit_predict_messages(&rates, 0, 0, 0, 0).first_s, 0, 1e-9);
}
END_TEST

START_TEST(a_vote_takes_as_many_messages_as_doubling)
{
    static const int messages[][2] = {{1, 0}, {2, 1},  {3, 3},     {4, 2},    {5, 4},
                                      {8, 3}, {90, 8}, {1000, 11}, {1024, 10}};
    hit_rates rates = {.links.known = 1u << HIT_LINK_MESSAGE};
    const hit_rates none = {.kernel = NULL};

    rates.links.link[HIT_LINK_MESSAGE] = (hit_link){.latency_s = 2, .byte_s = 0.5};
    for (size_t k = 0; k < sizeof(messages) / sizeof(messages[0]); k++) {
        ck_assert_double_eq_tol(hit_predict_vote(&rates, messages[k][0], 10).again_s,
                                messages[k][1] * 7, 1e-9);
    }
    /* what is not known of votes does not hide the time of the rest */
    ck_assert_uint_eq(hit_predict_vote(&none, 8, 10).lacks, 0);
    ck_assert_double_eq_tol(hit_predict_vote(&none, 8, 10).first_s, 0, 1e-9);
}
END_TEST

START_TEST(unknown_is_not_zero)
{
    const hit_domain index = hit_domain_of(10);
    hit_rates none = {.kernel = NULL};
    hit_forecast known = {3, 2, 0};
    hit_forecast found;
    lane_case one;

    ck_assert_uint_eq(hit_predict_in_place(&none, hit_domain_count(&index)).lacks,
                      HIT_LACKS_KERNEL);
    ck_assert_uint_eq(hit_predict_messages(&none, 1, 1, 0, 0).lacks, HIT_LACKS_MESSAGES);
    ck_assert_uint_eq(hit_predict_messages(&none, 0, 0, 0, 0).lacks, 0);
    open_case(&one, 4, 1, 2, 3);
    one.rates.links.known = 1u << HIT_LINK_IN;
    found = hit_predict_on_device(&one.rates, 1, one.arg, 2, &one.made);
    ck_assert_uint_eq(found.lacks, HIT_LACKS_COPIES);
    ck_assert_uint_eq(hit_forecast_add(known, found).lacks, HIT_LACKS_COPIES);
    ck_assert_uint_eq(hit_forecast_max(known, found).lacks, HIT_LACKS_COPIES);
    found = hit_predict_in_place(&one.rates, hit_domain_count(&index));
    ck_assert_double_eq_tol(found.first_s, 2, 1e-9);
    found = hit_forecast_max(known, hit_forecast_add(found, found));
    ck_assert_double_eq_tol(found.first_s, 4, 1e-9);
    close_case(&one);
}
END_TEST

/* ---- against the launcher ---- */

typedef struct random_case {
    const hit_kernel *kernel;
    hit_index margin; /* of the tiles around the indices; then runs cost nothing, since
                         the host's elements lie less densely than a prediction takes */
} random_case;

static const random_case cases[] = {{&line, 5},        {&star, 5},       {&corners, 3},
                                    {&four, 0},        {&product, 0},    {&transpose, 0},
                                    {&axpy_double, 0}, {&gemm_double, 0}};

enum {
    CASES = sizeof(cases) / sizeof(cases[0])
};

typedef struct count {
    int streamed;
    int squeezed;
    int resident;
    int summed;
} count;

static double uniform(hit_random *random, double low, double high)
{
    return low + (high - low) * (double)hit_random_index(random, 0, 1000000) / 1e6;
}

static void random_rates(hit_random *random, bool runs, hit_rates *rates, hit_fpm **fpm)
{
    hit_fpm_point point[3];

    for (int k = 0; k < 3; k++) {
        point[k] = (hit_fpm_point){(double)hit_random_index(random, 1, 3000),
                                   exp(uniform(random, 0, 8)), 1};
    }
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 3, point, fpm));
    *rates = (hit_rates){.kernel = *fpm, .async = hit_random_index(random, 0, 1) == 1};
    rates->links.known = (1u << HIT_LINK_NAMES) - 1;
    if (!runs) { /* nor may the ways differ */
        rates->links.known &= ~(1u << HIT_LINK_IN_PACKED | 1u << HIT_LINK_OUT_PACKED);
    }
    for (int k = 0; k < HIT_LINK_NAMES; k++) {
        rates->links.link[k] = (hit_link){.latency_s = uniform(random, 0, 0.5),
                                          .run_s = runs ? uniform(random, 0, 0.1) : 0,
                                          .byte_s = exp(uniform(random, -10, -2))};
    }
}

/* The size of dimension t of argument k for the indices @p box. */
static hit_domain tile_domain(const hit_kernel *kernel, int k, const hit_domain *box,
                              hit_index margin, hit_index sum)
{
    const bool is_product = kernel == &product || kernel == &gemm_double;
    hit_domain domain = hit_domain_grow(*box, margin);

    if (kernel == &transpose && k == 0) {
        domain.sig[0] = box->sig[1];
        domain.sig[1] = box->sig[0];
    }
    if (is_product && k == 1) domain.sig[1] = hit_sig_make(0, sum - 1, 1);
    if (is_product && k == 2) domain.sig[0] = hit_sig_make(0, sum - 1, 1);
    return domain;
}

static const void *one_of(hit_type type)
{
    static const double real = 1;
    static const int64_t whole = 1;

    return type.kind == HIT_KIND_DOUBLE ? (const void *)&real : (const void *)&whole;
}

/* What the launcher plans for it, and the time predicted. */
static hit_forecast predict(const hit_call *call, const hit_rates *rates, count *seen)
{
    const hit_known_kernel *known = NULL;
    hit_superblocks made = {0};
    hit_forecast found;

    HIT_MUST(hit_launcher_know(call, &known));
    HIT_MUST(hit_call_superblocks(call, known, call->context->device[0], &call->domain,
                                  call->context->device[0]->limit_bytes, &made));
    found = hit_rates_predict(rates, call, known, &call->domain, &made);
    seen->resident += made.arena_bytes == 0;
    seen->streamed += made.arena_bytes > 0 && made.buffers[0] > 0;
    seen->squeezed += made.arena_bytes > 0 && made.buffers[0] == 0;
    seen->summed += made.sum.args > 0;
    hit_plan_sum_clear(&made.sum);
    return found;
}

/* On a device that is simulated meanwhile: tiles hold nothing that counts. */
static double simulate(const hit_call *call, const hit_rates *rates, hit_index sum)
{
    hit_device *device = call->context->device[0];
    const hit_device real = *device;
    hit_sim sim = {.links = &rates->links,
                   .kernel = rates->kernel,
                   .sum = sum,
                   .async = rates->async};

    hit_sim_open(&sim, device);
    HIT_MUST(hit_launch_args(call->context, NULL, call->kernel, call->domain, call->count,
                             call->args));
    for (int k = 0; k < call->count; k++) { /* nothing on the simulated device is left */
        hit_tile *tile = call->args[k].tile;

        if (tile != NULL) hit_residents_drop(&tile->storage->home[0]);
    }
    hit_device_release_arena(device);
    HIT_MUST(hit_wait(call->context));
    *device = real;
    return hit_sim_end(&sim);
}

static hit_forecast compare_one(hit_random *random, const random_case *one, count *seen)
{
    const hit_kernel *kernel = one->kernel;
    const hit_index most = kernel->dims == 1 ? 400 : kernel->dims == 2 ? 30 : 7;
    /* that of gemm can be cut, the other has to fit */
    const hit_index sum = hit_random_index(random, 1, kernel->alongs > 0 ? 200 : 30);
    /* a product with whole rows fits once, but not twice */
    const hit_index most_bytes = kernel == &product ? 1000 : 9000;
    const hit_options options = {.threads = 1,
                                 .device_memory_bytes =
                                     (size_t)hit_random_index(random, 600, most_bytes)};
    hit_domain box = {.dims = kernel->dims};
    hit_arg args[HIT_MAX_ARGS] = {{0}};
    hit_context *hit = NULL;
    hit_fpm *fpm = NULL;
    hit_call call;
    hit_rates rates;
    hit_forecast found;
    double end_s;

    for (int d = 0; d < box.dims; d++) {
        box.sig[d] = hit_sig_make(0, hit_random_index(random, 1, most), 1);
    }
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF)); /* predictions know no chains */
    for (int k = 0; k < kernel->args; k++) {
        hit_layout *layout = NULL;

        args[k].type = kernel->arg[k].type;
        args[k].value = one_of(args[k].type);
        if (kernel->arg[k].mode == HIT_MODE_VALUE) continue;
        HIT_MUST(hit_layout_create(hit, tile_domain(kernel, k, &box, one->margin, sum),
                                   "single", &layout));
        HIT_MUST(hit_tile_create(layout, args[k].type, "tile", &args[k].tile));
        HIT_MUST(hit_tile_fill(args[k].tile, args[k].value));
        args[k].value = NULL;
        hit_layout_destroy(&layout);
    }
    random_rates(random, one->margin == 0, &rates, &fpm);
    call = (hit_call){.context = hit,
                      .kernel = kernel,
                      .domain = box,
                      .count = kernel->args,
                      .args = args};
    found = predict(&call, &rates, seen);
    end_s = simulate(&call, &rates, sum);
    ck_assert_uint_eq(found.lacks, 0);
    ck_assert_msg(fabs(found.first_s - end_s) <= 1e-9 * end_s,
                  "%s, %s: predicted %.12g s, simulated %.12g s", kernel->name,
                  rates.async ? "async" : "sync", found.first_s, end_s);
    for (int k = 0; k < kernel->args; k++) {
        hit_tile_destroy(&args[k].tile);
    }
    hit_fpm_destroy(&fpm);
    hit_close(&hit);
    return found;
}

START_TEST(a_prediction_is_when_the_launcher_is_done)
{
    const int rounds = hit_random_cases(400);
    hit_random random = hit_random_start(21);
    count seen = {0};

    for (int round = 0; round < rounds; round++) {
        const hit_forecast found = compare_one(&random, &cases[round % CASES], &seen);

        if (round >= PREDICTED || getenv("HIT_SEED") != NULL) continue;
        ck_assert_double_eq_tol(found.first_s, predicted_s[round][0],
                                1e-9 * predicted_s[round][0]);
        ck_assert_double_eq_tol(found.again_s, predicted_s[round][1],
                                1e-9 * predicted_s[round][1]);
    }
    ck_assert_int_gt(seen.streamed, rounds / 10);
    ck_assert_int_gt(seen.resident, rounds / 20);
    ck_assert_int_gt(seen.squeezed, 0);
    ck_assert_int_gt(seen.summed, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("predict");
    TCase *tests = tcase_create("predict");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, fill_the_slowest_lane_and_drain);
    tcase_add_test(tests, both_ways_at_once);
    tcase_add_test(tests, long_plans_keep_the_pace_of_their_beginning);
    tcase_add_test(tests, one_at_a_time_is_the_sum);
    tcase_add_test(tests, lanes_that_share_cores_take_turns);
    tcase_add_test(tests, what_stays_is_brought_once);
    tcase_add_test(tests, messages_go_both_ways_at_once);
    tcase_add_test(tests, what_passes_once_is_for_messages_together);
    tcase_add_test(tests, a_vote_takes_as_many_messages_as_doubling);
    tcase_add_test(tests, unknown_is_not_zero);
    tcase_add_test(tests, a_prediction_is_when_the_launcher_is_done);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
