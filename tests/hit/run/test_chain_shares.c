/* SPDX-License-Identifier: MIT
 * The rows of chains on several devices of a process follow their shares: those that are
 * given, and those of measured times, which a played clock makes. What each device
 * computes is counted by the kernel. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "patterns/kernel_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/played_clock.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    ROWS = 240, /* of each process */
    WIDTH = 24
};

extern const hit_kernel turned;

static hit_context *base; /* keeps MPI open */
static pthread_t first_device;
static atomic_long counted[2]; /* indices, per device */

/* A device has one thread: that of the first one is the program's. */
static hit_status count_star(const hit_run *run)
{
    const hit_index indices = played_clock_indices(run, 2);

    counted[pthread_equal(first_device, pthread_self()) ? 0 : 1] += indices;
    played_clock_pass(1e-6 * (double)indices);
    return star.host(run);
}

/* The part of the first device of all indices since the last call. */
static double part_of_first(void)
{
    const double first = (double)atomic_exchange(&counted[0], 0);
    const double second = (double)atomic_exchange(&counted[1], 0);

    return first / (first + second);
}

static void run_steps(chains_scene *s, const hit_kernel *kernel, int steps)
{
    for (int t = 0; t < steps; t++) {
        const float add = (float)(t % 5) / 8;

        HIT_MUST(
            hit_launch(s->hit, kernel, s->inner, s->tile[1], s->tile[0], HIT_VALUE(add)));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
    HIT_MUST(hit_wait(s->hit));
}

static chains_scene open_scene(const char *devices)
{
    const hit_index rows = (hit_index)ROWS * hit_size(base);
    chains_scene s = chains_open_on(NULL, devices, "block:dims=0", WIDTH);

    chains_drop_tiles(&s);
    chains_make_tiles(&s, hit_domain_of(rows, WIDTH), HIT_FLOAT);
    return s;
}

typedef struct shared_case {
    const char *devices;
    double part; /* of the first device */
} shared_case;

/* Margins and wedges move some rows. */
static void expect_part(const shared_case *c, double found)
{
    ck_assert_msg(found > c->part - 0.06 && found < c->part + 0.06,
                  "%s: the first device computed %.3f of all, not %.3f", c->devices,
                  found, c->part);
}

static void try_case(const shared_case *c, int warm, const hit_choice *choice)
{
    hit_kernel kernel = star;
    chains_scene one = open_scene(c->devices);
    chains_scene other = open_scene("host:threads=1");
    const int steps = 60;

    kernel.host = count_star;
    one.hit->clock = played_clock;
    one.hit->launcher->chain_choice = choice;
    HIT_MUST(hit_chain(one.hit, HIT_CHAIN_ANY));
    HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
    run_steps(&one, &kernel, warm);
    (void)part_of_first();
    run_steps(&one, &kernel, steps);
    expect_part(c, part_of_first());
    run_steps(&other, &star, warm);
    run_steps(&other, &star, steps);
    chains_expect_equal(&one, &other, c->devices);
    ck_assert_int_ge((int)chains_chained(&one), steps / 2);
    chains_close(&one);
    chains_close(&other);
}

static const hit_choice tiles = {.steps = 4, .width = {16, 16}};

START_TEST(rows_follow_the_shares_that_are_given)
{
    static const shared_case of[] = {
        {"host:threads=1:share=3+host:threads=1", 0.75},
        {"host:threads=1:share=1+host:threads=1:share=4", 0.2},
        {"host:threads=1:memory=4KiB:share=3+host:threads=1:memory=4KiB", 0.75},
        {"host:threads=1:memory=4KiB+host:threads=1:memory=6KiB:share=4", 0.2},
        {"host:threads=1:memory=4KiB:share=3+host:threads=1", 0.75},
        {"host:threads=1:share=3+host:threads=1:memory=4KiB", 0.75}};

    for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); k++) {
        try_case(&of[k], 12, &tiles);
    }
}
END_TEST

START_TEST(rows_follow_the_times_of_devices)
{
    static const shared_case of[] = {
        {"host:threads=1:share=auto:slow=3+host:threads=1", 0.25},
        {"host:threads=1:share=auto+host:threads=1:slow=3", 0.75},
        {"host:threads=1:share=auto:slow=3:memory=4KiB+host:threads=1:memory=4KiB", 0.25},
        {"host:threads=1:share=auto:slow=3:memory=4KiB+host:threads=1", 0.25},
        {"host:threads=1:share=auto+host:threads=1:slow=3:memory=4KiB", 0.75}};

    for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); k++) {
        try_case(&of[k], 240, &tiles);
    }
}
END_TEST

/* The device becomes slower at some run. */
START_TEST(rows_follow_a_device_that_becomes_slower)
{
    static const shared_case of = {"host:threads=1:share=auto:slow=4@800+host:threads=1",
                                   0.2};

    try_case(&of, 4000, &tiles);
}
END_TEST

/* A launch that reads elsewhere joins no block, and begins the next one: no wait lies
 * between blocks. */
START_TEST(rows_follow_times_where_blocks_follow_each_other)
{
    static const shared_case of = {"host:threads=1:share=auto:slow=3+host:threads=1",
                                   0.25};
    const hit_domain square = hit_domain_of(ROWS, ROWS);
    const hit_domain inner = hit_domain_grow(square, -1);
    hit_kernel kernel = star;
    chains_scene s = open_scene(of.devices);
    hit_tile *tile[2];
    const float none = 0;

    kernel.host = count_star;
    s.hit->clock = played_clock;
    s.hit->launcher->chain_choice = &tiles;
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_make(s.hit, square, "single", HIT_FLOAT, "field", &tile[k]));
        HIT_MUST(hit_tile_fill(tile[k], &none));
    }
    for (int round = 0; round < 80; round++) {
        if (round == 60) (void)part_of_first();
        for (int t = 0; t < 7; t++) {
            if (t < 6) {
                HIT_MUST(
                    hit_launch(s.hit, &kernel, inner, tile[1], tile[0], HIT_VALUE(none)));
            } else {
                HIT_MUST(hit_launch(s.hit, &turned, inner, tile[1], tile[0]));
            }
            hit_tile_swap(&tile[0], &tile[1]);
        }
    }
    HIT_MUST(hit_wait(s.hit));
    if (hit_rank(base) == 0) expect_part(&of, part_of_first());
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    chains_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("shares of chains");
    TCase *tc = tcase_create("shares");

    first_device = pthread_self();
    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, rows_follow_the_shares_that_are_given);
    tcase_add_test(tc, rows_follow_the_times_of_devices);
    tcase_add_test(tc, rows_follow_times_where_blocks_follow_each_other);
    tcase_add_test(tc, rows_follow_a_device_that_becomes_slower);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
