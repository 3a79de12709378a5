/* SPDX-License-Identifier: MIT
 * When checkpoints are written: signals, a played clock, and how often processes agree.
 */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sigaction */
#include "tests/hit/checkpoint/run_case.h"
#include "tests/support/collectives.h"
#include "tests/support/played_clock.h"

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t heard;

static void hear(int number)
{
    (void)number;
    heard++;
}

static bool mine_is_set(void)
{
    struct sigaction now;

    ck_assert_int_eq(sigaction(SIGUSR1, NULL, &now), 0);
    return (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == hear;
}

START_TEST(a_signal_to_one_process_asks_for_a_checkpoint)
{
    const bool last = hit_rank(run_base()) == hit_size(run_base()) - 1;
    run r;

    run_other_folder();
    heard = 0;
    ck_assert(signal(SIGUSR1, hear) != SIG_ERR);
    run_ask("every=1d,at=SIGUSR2+SIGUSR1");
    run_open(&r, "block");
    io_claim(!mine_is_set(), "has a handler", "open");
    io_claim(steps_do(&r.s, 1) == HIT_OK, "runs", "before");
    if (last) (void)raise(SIGUSR1);
    io_claim(!last || (mine_is_set() && heard == 1), "hands it on", "first");
    io_claim(steps_do(&r.s, 2) == HIT_OK, "runs", "after"); /* agrees, and writes */
    io_claim(!mine_is_set(), "has a handler again", "written");
    io_claim(steps_do(&r.s, 9) == HIT_OK, "runs", "on");
    run_close(&r, false);
    io_claim(mine_is_set(), "gives back the handler", "closed");
    (void)signal(SIGUSR1, SIG_DFL);
    run_goes("every=1d", "block", 1, 2);
    io_assert();
}
END_TEST

/* Steps of a millisecond each, on a played clock. */
static void pass_steps(run *r, int count)
{
    for (int k = 0; k < count; k++) {
        HIT_MUST(hit_checkpoint_step(r->hit));
        played_clock_pass(0.001);
    }
}

static void play(run *r, const char *options)
{
    run_other_folder();
    run_ask(options);
    run_open(r, "block");
    r->hit->clock = played_clock;
    r->hit->checkpoint->open_s = hit_clock_now(&played_clock);
}

START_TEST(processes_agree_about_once_a_second)
{
    int before;
    run r;

    play(&r, "every=1h");
    pass_steps(&r, 1);
    before = collectives_count();
    pass_steps(&r, 20000);
    printf("%d agreements in 20,000 steps of 1 ms\n", collectives_count() - before);
    io_claim(collectives_count() - before >= 19, "agrees", "each second");
    io_claim(collectives_count() - before <= 35, "agrees seldom", "each second");
    run_close(&r, false);
    io_assert();
}
END_TEST

START_TEST(steps_that_are_counted_need_no_agreement)
{
    int before;
    run r;

    play(&r, "every=100000steps");
    pass_steps(&r, 1);
    before = collectives_count();
    pass_steps(&r, 5000);
    io_claim(collectives_count() == before, "sends nothing", "steps");
    run_close(&r, false);
    io_assert();
}
END_TEST

START_TEST(a_checkpoint_is_written_each_time_and_before_the_limit)
{
    hit_index saved;
    run r;

    play(&r, "every=10s");
    pass_steps(&r, 25000);
    saved = r.hit->checkpoint->saved_step;
    io_claim(saved >= 20000 && saved < 23000, "is written", "every=10s");
    run_close(&r, false);
    play(&r, "every=1d,limit=10s");
    pass_steps(&r, 9900);
    saved = r.hit->checkpoint->saved_step;
    io_claim(saved >= 5000 && saved < 9900, "is written", "limit=10s");
    pass_steps(&r, 10000);
    io_claim(saved == r.hit->checkpoint->saved_step, "is written once", "limit=10s");
    run_close(&r, false);
    io_assert();
}
END_TEST

static double ticking(void)
{
    static double now;

    return now += 15;
}

START_TEST(one_that_takes_long_is_told)
{
    run r;

    run_other_folder();
    run_ask("every=2steps");
    run_open(&r, "block");
    io_claim(steps_do(&r.s, 3) == HIT_OK, "runs", "fast");
    (void)fflush(r.out);
    io_claim(hit_rank(run_base()) != 0 || !run_says("took"), "says nothing", "fast");
    r.hit->clock = (hit_clock){.now_s = ticking};
    io_claim(steps_do(&r.s, 5) == HIT_OK, "runs", "slow");
    (void)fflush(r.out);
    io_claim(run_says("hit: the checkpoint of step 4 took 15.0 s"), "says it", "slow");
    run_close(&r, false);
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("when");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_signal_to_one_process_asks_for_a_checkpoint);
    tcase_add_test(tests, one_that_takes_long_is_told);
    tcase_add_test(tests, processes_agree_about_once_a_second);
    tcase_add_test(tests, steps_that_are_counted_need_no_agreement);
    tcase_add_test(tests, a_checkpoint_is_written_each_time_and_before_the_limit);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return run_main(&argc, &argv, suite());
}
