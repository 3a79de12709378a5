/* SPDX-License-Identifier: MIT
 * Random launches that do not fit the memory of their device, one behind the other:
 * nobody looks between them, and results are those of loops. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/resident_steps.h"
#include "tests/support/check_main.h"

#include <stdio.h>

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
    c->returned += c->s.hit->launcher->station[0].streams;
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
}

START_TEST(launches_in_lanes_follow_each_other)
{
    static const size_t memory[] = {600, 1100, 3000, 9000};
    const uint64_t cases = hit_random_is_slow() ? 2 : 8;
    hit_device_ops async;

    for (int m = 0; m < 8; m++) {
        chain c = {.s = {.good = true}};

        HIT_MUST(hit_open_with(
            NULL, NULL,
            &(hit_options){.device_memory_bytes = memory[m % 4], .threads = 1},
            &c.s.hit));
        async = *c.s.hit->device[0]->ops;
        async.async |= m >= 4;
        c.s.hit->device[0]->ops = &async;
        for (uint64_t k = 0; k < cases && c.s.good; k++) {
            try_chain(&c, (hit_index)(10 + 3 * k), 90 * (uint64_t)m + k, 30);
        }
        hit_close(&c.s.hit);
        ck_assert_msg(c.s.good, "%zu bytes, %s", memory[m % 4], c.s.text);
        if (hit_size(base) == 1) ck_assert_int_gt(c.returned, 0);
    }
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

static Suite *suite(void)
{
    Suite *made = suite_create("chain");
    TCase *tests = tcase_create("chain");

    tcase_add_test(tests, launches_in_lanes_follow_each_other);
    tcase_add_test(tests, large_launches_in_lanes_follow_each_other);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
