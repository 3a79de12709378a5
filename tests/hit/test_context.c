/* SPDX-License-Identifier: MIT
 * Who may use a context: the thread that opened it, in the process that opened it. */
#include "tests/hit/launch/expect.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

static const char *const places[] = {"host:threads=1", "host:threads=3",
                                     "host:threads=2:staged:memory=64KiB",
                                     "host:threads=1 + host:threads=1:staged"};

typedef struct other {
    expectations *e;
    hit_status launched;
    hit_status looked;
    hit_status waited;
    bool told;
} other;

static void *use_it(void *of)
{
    other *o = of;
    int64_t found;

    o->launched =
        hit_launch(o->e->hit, &line, hit_domain_of(EXPECT_N), o->e->next, o->e->now);
    o->told = strstr(hit_status_text(), "the thread that opened the context") != NULL;
    o->looked = hit_tile_get(o->e->now, (hit_index[]){3}, &found);
    o->waited = hit_wait(o->e->hit);
    return NULL;
}

START_TEST(another_thread_is_refused_and_harms_nothing)
{
    expectations e = expect_open(&(hit_options){.devices = places[_i]});
    other o = {.e = &e};
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, use_it, &o), 0);
    expect_usable(&e, "beside another thread");
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    expect_true(&e, o.launched == HIT_E_ARG && o.told, "a launch is refused");
    expect_true(&e, o.looked == HIT_E_ARG, "a look is refused");
    expect_true(&e, o.waited == HIT_E_ARG, "a wait is refused");
    expect_usable(&e, "after another thread");
    expect_close(&e);
}
END_TEST

static void *open_and_use(void *of)
{
    expectations e = expect_open(&(hit_options){.devices = "host:threads=1"});

    expect_usable(&e, "in its own thread");
    *(bool *)of = e.wrong[0] == '\0';
    hit_tile_destroy(&e.now);
    hit_tile_destroy(&e.next);
    hit_layout_destroy(&e.layout);
    hit_close(&e.hit);
    return NULL;
}

/* Where there is no other process, and so no message. */
START_TEST(each_thread_may_have_a_context_of_its_own)
{
    pthread_t thread;
    bool right = false;

    if (hit_size(base) > 1) return;
    ck_assert_int_eq(pthread_create(&thread, NULL, open_and_use, &right), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(right);
}
END_TEST

/* In a child: 0 if all was given back, or a signal of the alarm. */
static void leave_child(expectations *e, bool tiles_first)
{
    alarm(60); /* it hung, before */
    if (!tiles_first) hit_close(&e->hit);
    hit_tile_destroy(&e->now);
    hit_tile_destroy(&e->next);
    hit_layout_destroy(&e->layout);
    if (tiles_first) hit_close(&e->hit);
    _exit(e->hit == NULL ? 0 : 1);
}

START_TEST(a_forked_child_closes_at_once)
{
    for (int turn = 0; turn < 2; turn++) {
        expectations e = expect_open(&(hit_options){.devices = places[_i]});
        int status = -1;
        pid_t child;

        expect_usable(&e, "before the child");
        child = fork();
        if (child == 0) leave_child(&e, turn == 0);
        expect_true(&e, child > 0 && waitpid(child, &status, 0) == child, "a child ends");
        expect_true(&e, WIFEXITED(status) && WEXITSTATUS(status) == 0, "it closes");
        expect_usable(&e, "after the child");
        expect_close(&e);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.context");
    TCase *tests = tcase_create("context");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, another_thread_is_refused_and_harms_nothing, 0, 4);
    tcase_add_test(tests, each_thread_may_have_a_context_of_its_own);
    tcase_add_loop_test(tests, a_forked_child_closes_at_once, 0, 4);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
