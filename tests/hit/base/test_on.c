/* SPDX-License-Identifier: MIT
 * Texts that name devices: which ones they are, and what is said where there are none. */
#include "hit/base/input.h"
#include "tests/support/check_main.h"

#include <string.h>

/* Two GPUs, three cores, and a group of them. */
static const hit_on_device machine[] = {{"gpu", false}, {"gpu", false}, {"core", true},
                                        {"core", true}, {"core", true}, {"core*4", true}};
enum {
    DEVICES = sizeof machine / sizeof machine[0]
};

START_TEST(texts_name_devices)
{
    static const struct {
        const char *kernel;
        const char *launch;
        const char *found; /* x for each device that is named */
    } cases[] = {
        {NULL, NULL, "xxxxxx"},           {NULL, "gpu", "xx----"},
        {NULL, "gpu:1", "-x----"},        {"core", NULL, "--xxx-"},
        {"host", NULL, "--xxxx"},         {"core", "host:2", "----x-"},
        {"host:3", NULL, "-----x"},       {NULL, "core*4", "-----x"},
        {NULL, "core:0,gpu:0", "x-x---"}, {"host", "gpu,core:2", "----x-"},
        {NULL, "cuda,gpu:1", "-x----"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const hit_on on = {"k", cases[k].kernel, cases[k].launch};
        hit_device_set set;

        HIT_MUST(hit_on_find(&on, DEVICES, machine, &set));
        for (int d = 0; d < DEVICES; d++) {
            ck_assert_msg(hit_device_set_has(&set, d) == (cases[k].found[d] == 'x'),
                          "case %zu, device %d", k, d);
        }
    }
}
END_TEST

static hit_status find(const char *kernel, const char *launch)
{
    const hit_on on = {"potrf", kernel, launch};
    hit_device_set set;

    return hit_on_find(&on, DEVICES, machine, &set);
}

START_TEST(where_there_is_none_the_error_says_what_was_asked_for_and_what_there_is)
{
    ck_assert_int_eq(find(NULL, "cuda"), HIT_E_ABSENT);
    ck_assert_str_eq(hit_status_text(),
                     "kernel potrf: expected a device \"cuda\", as the launch says by "
                     "HIT_ON(), but there are 2 gpu, 3 core, 1 core*4");
    ck_assert_int_eq(find("npu", NULL), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"npu\", as the kernel says"));
    ck_assert_int_eq(find("gpu", "core"), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"gpu\", as the kernel says"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "also \"core\", as the launch says"));
    ck_assert_int_eq(find(NULL, "gpu:2"), HIT_E_ABSENT);
}
END_TEST

START_TEST(texts_that_are_wrong_are_told)
{
    static const char *const right[] = {"host", "cuda:0", "gpu,core:12", "core*4"};
    static const char *const wrong[] = {
        "",         ",",          "host,",      "host:",  "host:x", ":1",
        "host:1:2", "host:99999", "host,,cuda", "ho\"st", "a b",    "host;cuda"};

    for (size_t k = 0; k < sizeof right / sizeof right[0]; k++) {
        HIT_MUST(hit_on_check("k", right[k]));
    }
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ck_assert_msg(hit_on_check("k", wrong[k]) == HIT_E_ARG, "%s", wrong[k]);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "kernel k: expected devices"));
    }
}
END_TEST

START_TEST(sets_hold_what_was_added)
{
    hit_device_set set = {{0}};
    hit_device_set other = {{0}};

    ck_assert(hit_device_set_is_empty(&set));
    for (int d = 0; d < HIT_DEVICE_SET_ROOM; d += 37) {
        hit_device_set_add(&set, d);
        ck_assert(!hit_device_set_equal(&set, &other));
        hit_device_set_add(&other, d);
        ck_assert(hit_device_set_equal(&set, &other));
    }
    for (int d = 0; d < HIT_DEVICE_SET_ROOM; d++) {
        ck_assert_int_eq(hit_device_set_has(&set, d), d % 37 == 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("on");
    TCase *tc = tcase_create("on");

    tcase_add_test(tc, texts_name_devices);
    tcase_add_test(
        tc, where_there_is_none_the_error_says_what_was_asked_for_and_what_there_is);
    tcase_add_test(tc, texts_that_are_wrong_are_told);
    tcase_add_test(tc, sets_hold_what_was_added);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
