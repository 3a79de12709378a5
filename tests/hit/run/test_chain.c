/* SPDX-License-Identifier: MIT
 * Random launches that do not fit the memory of their device, one behind the other:
 * nobody looks between them, and results are those of loops. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/measure/trial.h"
#include "tests/hit/run/resident_steps.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel bump;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Nobody looks between them: each goes on with what the ones before left on its way. */
typedef struct chain {
    scene s;
    field f[3];
    hit_domain box;
    int returned; /* before the device was done */
} chain;

/* One launch, on all or on a part of the indices, perhaps that of the one before; after a
 * sum another one, so that numbers stay small. */
static void add_link(chain *c)
{
    const int to = (int)pick(&c->s, 0, 2);
    const int a = (to + (int)pick(&c->s, 1, 2)) % 3;
    const int kind = (int)pick(&c->s, 0, 3);
    field *f = c->f;

    if (pick(&c->s, 0, 1) == 0) {
        c->box = f[0].domain;
    } else if (pick(&c->s, 0, 1) == 0) {
        c->box = random_part(&c->s, &f[0].domain);
    }
    if (kind == 0) {
        step_blend(&c->s, &c->box, &f[to], &f[a]);
    } else if (kind == 1) {
        step_multiply(&c->s, &c->box, &f[to], &f[a], &f[3 - to - a]);
    }
    if (kind > 0) step_bump(&c->s, &c->box, &f[to]);
    c->returned += c->s.hit->stations->station[0].arena_in_use;
}

static void try_chain(chain *c, hit_index n, uint64_t seed, int links)
{
    c->s.random = (hit_random){seed};
    snprintf(c->s.text, sizeof(c->s.text), "n %lld, seed %llu", (long long)n,
             (unsigned long long)seed);
    c->box = hit_domain_of(n, n);
    for (int k = 0; k < 3; k++) {
        c->f[k] = make_field(&c->s, c->box, HIT_BOUNDARY_PERIODIC, "block");
    }
    for (int k = 0; k < links; k++) {
        add_link(c);
    }
    for (int k = 0; k < 3; k++) {
        drop_field(&c->s, &c->f[k]);
    }
    c->s.good = agree_in_scene(&c->s);
}

START_TEST(launches_in_lanes_follow_each_other)
{
    static const size_t memory[] = {600, 1100, 3000, 9000};
    const uint64_t cases = hit_random_is_slow() ? 2 : 8;
    hit_processor_ops async;
    int returned = 0;

    for (int m = 0; m < 8; m++) {
        chain c = {.s = {.good = true}};

        HIT_MUST(hit_open_with(
            NULL, NULL,
            &(hit_options){.device_memory_bytes = memory[m % 4], .threads = 1},
            &c.s.hit));
        async = *c.s.hit->device[0]->processor;
        async.async |= m >= 4;
        c.s.hit->device[0]->processor = &async;
        for (uint64_t k = 0; k < cases && c.s.good; k++) {
            try_chain(&c, (hit_index)(10 + 3 * k), 90 * (uint64_t)m + k, 30);
        }
        hit_close(&c.s.hit);
        ck_assert_msg(c.s.good, "%zu bytes, %s", memory[m % 4], c.s.text);
        returned += c.returned;
    }
    if (hit_size(base) == 1) ck_assert_int_gt(returned, 0);
}
END_TEST

/* Copies by threads. */
START_TEST(large_launches_in_lanes_follow_each_other)
{
    chain c = {.s = {.good = true}};

    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.device_memory_bytes = 200000, .threads = 2},
                           &c.s.hit));
    try_chain(&c, 200, 11, 12);
    hit_close(&c.s.hit);
    ck_assert_msg(c.s.good, "%s", c.s.text);
    if (hit_size(base) == 1) ck_assert_int_gt(c.returned, 0);
}
END_TEST

/* A trial has a launcher of its own, on the same device: it would change, or free, what
 * is on its way to the host. */
START_TEST(a_trial_waits_for_what_is_under_way)
{
    chain c = {.s = {.good = true, .random = {3}}, .box = hit_domain_of(200, 200)};
    const hit_trial other = {.kernel = &bump, .whole = c.box};
    hit_measure found;
    int waits = 0;

    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.device_memory_bytes = 200000, .threads = 1},
                           &c.s.hit));
    c.f[0] = make_field(&c.s, c.box, HIT_BOUNDARY_PERIODIC, "block");
    c.f[1] = make_field(&c.s, c.box, HIT_BOUNDARY_PERIODIC, "block");
    for (int k = 0; k < 3; k++) {
        step_blend(&c.s, &c.box, &c.f[k % 2], &c.f[1 - k % 2]);
        HIT_MUST(hit_trial_run(c.s.hit, &other, &c.box, &found));
        waits += !c.s.hit->stations->station[0].arena_in_use;
    }
    drop_field(&c.s, &c.f[0]);
    drop_field(&c.s, &c.f[1]);
    hit_close(&c.s.hit);
    ck_assert_msg(c.s.good, "%s", c.s.text);
    ck_assert_int_eq(waits, 3);
}
END_TEST

static const hit_device_ops *real_ops;
static int failures;

/* Once, after it has waited. */
static hit_status fail_once(void *state)
{
    HIT_TRY(real_ops->wait(state));
    return failures++ > 0 ? HIT_OK : HIT_FAIL(HIT_E_DEVICE, "played");
}

/* Whatever waits first: who destroys a tile cannot be told. */
START_TEST(a_failure_after_the_return_is_told_once)
{
    chain c = {.s = {.good = true, .random = {3}}};
    const hit_domain box = hit_domain_of(40, 40);
    hit_device_ops ops;
    hit_status told[3];
    hit_view view;

    if (hit_size(base) > 1) return; /* it would be told to them all */
    for (int destroy = 0; destroy < 2; destroy++) {
        HIT_MUST(hit_open_with(NULL, NULL,
                               &(hit_options){.device_memory_bytes = 5000, .threads = 1},
                               &c.s.hit));
        for (int k = 0; k < 3; k++) {
            c.f[k] = make_field(&c.s, box, HIT_BOUNDARY_PERIODIC, "block");
        }
        real_ops = c.s.hit->device[0]->ops;
        ops = *real_ops;
        ops.wait = fail_once;
        failures = 0;
        c.s.hit->device[0]->ops = &ops;
        step_blend(&c.s, &box, &c.f[1], &c.f[0]);
        if (destroy) hit_tile_destroy(&c.f[2].tile);
        told[0] = hit_tile_map(c.f[1].tile, 0, HIT_READ, &view);
        told[1] = hit_tile_map(c.f[1].tile, 0, HIT_READ, &view);
        told[2] = hit_wait(c.s.hit);
        free(c.f[2].want);
        hit_tile_destroy(&c.f[2].tile);
        drop_field(&c.s, &c.f[0]);
        drop_field(&c.s, &c.f[1]);
        hit_close(&c.s.hit);
        ck_assert_int_eq(told[0], HIT_E_DEVICE);
        ck_assert_int_eq(told[1], HIT_OK);
        ck_assert_int_eq(told[2], HIT_OK);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("chain");
    TCase *tests = tcase_create("chain");

    tcase_add_test(tests, launches_in_lanes_follow_each_other);
    tcase_add_test(tests, large_launches_in_lanes_follow_each_other);
    tcase_add_test(tests, a_trial_waits_for_what_is_under_way);
    tcase_add_test(tests, a_failure_after_the_return_is_told_once);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
