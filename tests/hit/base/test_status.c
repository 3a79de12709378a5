/* SPDX-License-Identifier: MIT
 * What a failure leaves behind: its text, per thread, and what a program prints of it. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): fork, dup */
#include "hit/base/status_impl.h"
#include "tests/support/check_main.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static hit_status fail_with(int found)
{
    return HIT_FAIL(HIT_E_ARG, "expected n >= 0 but found %d", found);
}

static hit_status pass_on(int found)
{
    HIT_TRY(fail_with(found));
    return HIT_OK;
}

static hit_status clean_up(hit_status given, int *cleaned)
{
    hit_status st;
    HIT_TRY_GOTO(st, given, clean);
    return HIT_OK;

clean:
    *cleaned = 1;
    return st;
}

START_TEST(every_status_has_its_own_name)
{
    for (int i = 0; i < HIT_STATUS_COUNT; i++) {
        const char *name = hit_status_name((hit_status)i);
        ck_assert_ptr_nonnull(name);
        ck_assert_int_eq(strncmp(name, "HIT_", 4), 0);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(name, hit_status_name((hit_status)j));
        }
    }
    ck_assert_str_eq(hit_status_name(HIT_E_PEER), "HIT_E_PEER");
    ck_assert_str_eq(hit_status_name(HIT_STATUS_COUNT), "unknown status");
}
END_TEST

START_TEST(the_text_of_the_last_failure_is_kept)
{
    ck_assert_int_eq(pass_on(-3), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "expected n >= 0 but found -3"));
    ck_assert_int_eq(pass_on(-4), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "found -4"));
    ck_assert_ptr_null(strstr(hit_status_text(), "found -3"));
}
END_TEST

START_TEST(no_path_of_the_library_is_in_the_text)
{
    hit_status_fail(HIT_E_IO, "/home/someone/hit/data/sig.c", 12, "no file");
    ck_assert_ptr_null(strchr(hit_status_text(), '/'));
    ck_assert_int_eq(strncmp(hit_status_text(), "no file", 7), 0);
}
END_TEST

START_TEST(a_text_may_quote_the_text_before_it)
{
    (void)fail_with(-3);
    (void)HIT_FAIL(HIT_E_IO, "while reading: %s", hit_status_text());
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "while reading: expected n >= 0 but found -3"));
}
END_TEST

START_TEST(long_texts_are_cut)
{
    char text[3000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    (void)HIT_FAIL(HIT_E_IO, "%s", text);
    ck_assert_uint_eq(strlen(hit_status_text()), HIT_STATUS_TEXT_BYTES - 1);
}
END_TEST

START_TEST(goto_label_is_taken_only_on_failure)
{
    int cleaned = 0;
    ck_assert_int_eq(clean_up(HIT_OK, &cleaned), HIT_OK);
    ck_assert_int_eq(cleaned, 0);
    ck_assert_int_eq(clean_up(HIT_E_COMM, &cleaned), HIT_E_COMM);
    ck_assert_int_eq(cleaned, 1);
}
END_TEST

static void *fail_elsewhere(void *arg)
{
    int *clean = arg;
    *clean = hit_status_text()[0] == '\0';
    (void)HIT_FAIL(HIT_E_DEVICE, "the other thread");
    return NULL;
}

START_TEST(threads_do_not_see_the_failures_of_others)
{
    pthread_t thread;
    int clean = 0;
    (void)fail_with(-3);
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, &clean), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_int_eq(clean, 1);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "found -3"));
}
END_TEST

/* What hit_status_report() writes to stderr. */
static void capture_report(hit_status status, char *text, size_t size)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    int saved = dup(STDERR_FILENO);
    ck_assert_int_ge(dup2(fileno(file), STDERR_FILENO), 0);
    hit_status_report(status, "hit_open(&hit)", "main.c", 7);
    ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
    (void)close(saved);
    rewind(file);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    (void)fclose(file);
}

START_TEST(a_report_has_place_call_name_and_text)
{
    char text[256];
    (void)fail_with(-3);
    capture_report(HIT_E_ARG, text, sizeof(text));
    const char *start =
        "main.c:7: hit_open(&hit): HIT_E_ARG: expected n >= 0 but found -3";
    ck_assert_int_eq(strncmp(text, start, strlen(start)), 0);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
}
END_TEST

START_TEST(a_report_does_not_quote_a_different_failure)
{
    char text[256];
    (void)fail_with(-3);
    capture_report(HIT_E_PEER, text, sizeof(text));
    ck_assert_str_eq(text, "main.c:7: hit_open(&hit): HIT_E_PEER\n");
}
END_TEST

START_TEST(the_first_of_several_failures_is_told_with_its_text)
{
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first, HIT_OK);
    ck_assert_int_eq(hit_first_tell(&first), HIT_OK);
    hit_first_keep(&first, fail_with(-3));
    hit_first_keep(&first, HIT_FAIL(HIT_E_PEER, "another one"));
    hit_first_keep(&first, HIT_OK);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "another one"));
    ck_assert_int_eq(hit_first_tell(&first), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "but found -3"));
    ck_assert_int_eq(hit_first_tell(&first), HIT_OK);
}
END_TEST

START_TEST(must_ends_the_program_with_a_failure)
{
    (void)fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(3);
        HIT_MUST(HIT_OK);
        HIT_MUST(fail_with(-3));
        _exit(2);
    }
    int ended = 0;
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert(WIFEXITED(ended));
    ck_assert_int_eq(WEXITSTATUS(ended), EXIT_FAILURE);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("status");
    TCase *status = tcase_create("status");

    tcase_add_test(status, every_status_has_its_own_name);
    tcase_add_test(status, the_text_of_the_last_failure_is_kept);
    tcase_add_test(status, no_path_of_the_library_is_in_the_text);
    tcase_add_test(status, a_text_may_quote_the_text_before_it);
    tcase_add_test(status, long_texts_are_cut);
    tcase_add_test(status, goto_label_is_taken_only_on_failure);
    tcase_add_test(status, threads_do_not_see_the_failures_of_others);
    tcase_add_test(status, a_report_has_place_call_name_and_text);
    tcase_add_test(status, a_report_does_not_quote_a_different_failure);
    tcase_add_test(status, the_first_of_several_failures_is_told_with_its_text);
    tcase_add_test(status, must_ends_the_program_with_a_failure);
    suite_add_tcase(all, status);
    return all;
}

int main(void)
{
    return check_run(suite());
}
