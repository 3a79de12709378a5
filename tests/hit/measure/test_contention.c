/* SPDX-License-Identifier: MIT
 * While a device is measured the other ones of its process are at work. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/cost/model_key.h"
#include "hit/kernel.h"
#include "hit/measure/trial.h"
#include "tests/support/check_main.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static hit_context *base;
static pthread_t first;
static atomic_int runs;         /* of the first thread */
static atomic_int others;       /* runs of others under way; all of them if not wanted */
static atomic_bool wanted;      /* the others are to be busy */
static atomic_bool others_fail; /* in every run */

/* A process whose assertion fails would leave the others alone: they fail together. */
static bool on_all(bool good)
{
    uint64_t bad = !good;

    HIT_MUST(hit_comm_sum_u64(base->comm, &bad, 1));
    return bad == 0;
}

/* A run of the device that is measured, by the first thread, waits for one of another
 * device: for ever, if that is to come. */
static hit_status meet(void)
{
    const struct timespec little = {.tv_nsec = 1000000};

    if (pthread_equal(pthread_self(), first)) {
        while (atomic_load(&wanted) && atomic_load(&others) == 0) {
            (void)nanosleep(&little, NULL);
        }
        atomic_fetch_add(&runs, 1);
        return HIT_OK;
    }
    if (atomic_load(&others_fail)) return HIT_FAIL(HIT_E_DEVICE, "it fails on others");
    atomic_fetch_add(&others, 1);
    (void)nanosleep(&little, NULL);
    if (atomic_load(&wanted)) atomic_fetch_sub(&others, 1);
    return HIT_OK;
}

/* clang-format off */
HIT_BOX_KERNEL(meeting, (i),
    (out, float, y, "[i]"),
    (in,  float, x, "[i]"))
{
    (void)run;
    return meet();
}

HIT_BOX_KERNEL(crowding, (i),
    (out, float, y, "[i]"),
    (in,  float, x, "[:]"))
{
    (void)run;
    return meet();
}
/* clang-format on */

static hit_context *open_on(const char *devices)
{
    const hit_options options = {.devices = devices};
    hit_context *hit = NULL;

    first = pthread_self();
    atomic_store(&runs, 0);
    atomic_store(&others, 0);
    atomic_store(&wanted, false);
    atomic_store(&others_fail, false);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    return hit;
}

static hit_status try_on(hit_context *hit, int device, const hit_kernel *kernel,
                         hit_measure *result)
{
    const hit_domain whole = hit_domain_of(4096);
    const hit_trial trial = {.kernel = kernel,
                             .device = hit->device[device],
                             .whole = whole,
                             .sample_s = 1e-6};

    return hit_trial_run(hit, &trial, &whole, result);
}

START_TEST(the_others_are_busy)
{
    hit_context *hit = open_on("host:threads=1+host:threads=1");
    hit_measure result;
    bool good = true;

    atomic_store(&wanted, true);
    for (int device = 0; device < 2; device++) {
        atomic_store(&runs, 0);
        HIT_MUST(try_on(hit, device, &meeting, &result));
        good = good && result.reps >= 3 && atomic_load(&runs) > result.reps;
    }
    ck_assert(on_all(good));
    hit_close(&hit);
}
END_TEST

START_TEST(one_that_it_does_not_fit_is_idle)
{
    hit_context *hit = open_on("host:threads=1+host:staged:threads=1:memory=4KiB");
    hit_measure result;

    HIT_MUST(try_on(hit, 0, &crowding, &result));
    ck_assert(on_all(atomic_load(&others) == 0 && atomic_load(&runs) >= 4));
    hit_close(&hit);
}
END_TEST

START_TEST(a_failure_of_another_one_is_told)
{
    hit_context *hit = open_on("host:threads=1+host:threads=1");
    hit_measure result = {.reps = -1};
    bool good;

    atomic_store(&others_fail, true);
    good = try_on(hit, 0, &meeting, &result) != HIT_OK &&
           strstr(hit_status_text(), "it fails on others") != NULL && result.reps == -1;
    ck_assert(on_all(good));
    atomic_store(&others_fail, false);
    HIT_MUST(try_on(hit, 0, &meeting, &result)); /* nothing is left behind */
    hit_close(&hit);
}
END_TEST

static void make_key(hit_context *hit, int device, hit_model_key *key)
{
    const hit_subject subject = {.kernel = &meeting,
                                 .whole = hit_domain_of(64),
                                 .device = device < 0 ? NULL : hit->device[device]};

    HIT_MUST(hit_model_key_make(hit, &subject, NULL, key));
}

START_TEST(models_know_who_was_busy)
{
    hit_context *two = open_on("host:threads=1+host:staged:threads=2");
    hit_context *one = open_on("host:threads=1");
    hit_model_key key;
    hit_model_key other;

    make_key(two, 0, &key);
    ck_assert_ptr_nonnull(strstr(key.device, ", beside host:staged"));
    make_key(two, 1, &other);
    ck_assert_ptr_nonnull(strstr(other.device, ", beside host:threads=1,"));
    make_key(two, -1, &other);
    ck_assert_ptr_null(strstr(other.device, "beside"));
    make_key(one, 0, &other);
    ck_assert_ptr_null(strstr(other.device, "beside"));
    ck_assert_str_ne(key.device, other.device);
    make_key(one, -1, &key);
    ck_assert_str_eq(key.device, other.device);
    hit_close(&one);
    hit_close(&two);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("contention");
    TCase *tc = tcase_create("all");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, the_others_are_busy);
    tcase_add_test(tc, one_that_it_does_not_fit_is_idle);
    tcase_add_test(tc, a_failure_of_another_one_is_told);
    tcase_add_test(tc, models_know_who_was_busy);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
