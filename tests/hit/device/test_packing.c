/* SPDX-License-Identifier: MIT
 * Which way strided copies cross to a GPU, played by the processor: the one that the
 * models of the store say is faster, found again when a context is opened; and measuring
 * both. That results are equal both ways is in tests/contract/device.c. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "hit/base/context.h"
#include "hit/cost/model_key.h"
#include "hit/device/device.h"
#include "hit/measure/measure_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/fake_cuda/fake_streams.h"
#include "tests/support/own_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int fake_cuda_packed;

enum {
    ROWS = 64,
    RUN = 8,
    HOST_BYTES = 2 << 20 /* so large that it is pinned */
};

static const size_t run_bytes[] = {64, 2048};

static hit_context *open_gpu(void)
{
    const hit_options options = {.devices = "cuda:0:memory=8MiB"};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    return hit;
}

/* Store copies of a link, each of so many seconds and seconds per byte. */
static void store(const hit_context *hit, hit_link_name link, double latency_s,
                  double run_s)
{
    for (int r = 0; r < 2; r++) {
        hit_model_key key;
        hit_fpm *fpm = NULL;

        HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
        for (double bytes = 65536; bytes < 3e6; bytes *= 16) {
            const double runs = bytes / (double)run_bytes[r];

            HIT_MUST(hit_fpm_add(fpm, bytes, latency_s + runs * run_s, 3));
        }
        hit_model_key_of_link(hit, hit->device[0], link, run_bytes[r], &key);
        HIT_MUST(hit_store_add(NULL, &key, fpm));
        hit_fpm_destroy(&fpm);
    }
}

/* Was a copy of short runs packed? */
static bool packs(const hit_context *hit, hit_way way)
{
    static char host[HOST_BYTES];
    const hit_domain wide = hit_domain_of(ROWS, 2 * RUN);
    const hit_domain box = hit_domain_of(ROWS, RUN);
    const hit_view strided = hit_view_make(&wide, 1, host);
    hit_device *device = hit->device[0];
    const int before = fake_cuda_packed;
    void *memory = NULL;
    hit_view dense;

    hit_device_pin(device, host, sizeof(host));
    HIT_MUST(hit_device_take(device, ROWS * RUN, &memory));
    dense = hit_view_make(&box, 1, memory);
    HIT_MUST(hit_device_copy(device, HIT_LANE_RUN, way,
                             way == HIT_WAY_IN ? &strided : &dense,
                             way == HIT_WAY_IN ? &dense : &strided, &box));
    HIT_MUST(hit_device_wait(device));
    hit_device_give(device, memory, ROWS * RUN);
    hit_device_unpin(device, host, sizeof(host));
    return fake_cuda_packed > before;
}

START_TEST(the_models_of_the_store_choose)
{
    own_store models;
    hit_context *hit;

    own_store_open(&models);
    hit = open_gpu();
    ck_assert(packs(hit, HIT_WAY_IN)); /* runs of 8 bytes: as usual */
    ck_assert(packs(hit, HIT_WAY_OUT));
    /* a copy of 64 runs: 64 * 1e-6 s directly, 1e-3 s packed; out: the other way round */
    store(hit, HIT_LINK_IN, 1e-7, 1e-6);
    store(hit, HIT_LINK_IN_PACKED, 1e-3, 1e-9);
    store(hit, HIT_LINK_OUT, 1e-7, 1e-5);
    store(hit, HIT_LINK_OUT_PACKED, 1e-6, 1e-7);
    hit_close(&hit);
    hit = open_gpu();
    ck_assert(!packs(hit, HIT_WAY_IN));
    ck_assert(packs(hit, HIT_WAY_OUT));
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

START_TEST(both_ways_are_measured_by_going_them)
{
    const hit_measure_options quick = {.reps_max = 3, .time_max_s = 0.01};
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    own_store models;
    hit_context *hit;
    bool good = true; /* a process that left early would leave the others waiting */

    own_store_open(&models);
    hit = open_gpu();
    for (int k = 0; k < count; k++) {
        const bool packed =
            shape[k].link == HIT_LINK_IN_PACKED || shape[k].link == HIT_LINK_OUT_PACKED;
        const int before = fake_cuda_packed;
        bool timed = 3 * shape[k].bytes <= hit->device[0]->limit_bytes;
        hit_measure result = {.reps = -1};

        HIT_MUST(hit_links_measure(hit, hit->device[0], &shape[k], &quick, &result));
        if (shape[k].link == HIT_LINK_MESSAGE) {
            timed = hit_rank(hit) < hit_size(hit) / 2 * 2; /* with a partner */
        }
        good = good && (fake_cuda_packed > before) == packed;
        good = good && result.units == (hit_index)shape[k].bytes;
        good = good && (!timed || (result.reps > 0 && result.seconds > 0));
        good = good && hit->device[0]->used_bytes == 0;
    }
    ck_assert(good);
    ck_assert(packs(hit, HIT_WAY_IN)); /* again as usual */
    hit_close(&hit);
    own_store_close(&models);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("packing");
    TCase *tests = tcase_create("packing");

    tcase_add_test(tests, the_models_of_the_store_choose);
    tcase_add_test(tests, both_ways_are_measured_by_going_them);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;

    fake_refuses_pins = FAKE_NEVER; /* the models choose for memory that is pinned */
    return check_run_open(&argc, &argv, suite(), &base);
}
