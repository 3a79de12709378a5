/* SPDX-License-Identifier: MIT
 * What was tried, as text: read again it saves all trials, and whatever the text is, only
 * what is legal is run. */
#include "hit/chain/tuner.h"
#include "tests/support/check_main.h"

#include <string.h>

static hit_tuner make(void)
{
    const hit_choose_request r = {.axes = 3,
                                  .extent = {384, 384, 384},
                                  .shift = {1, 1, 1},
                                  .growth = {1, 1, 1},
                                  .line_shift = 16,
                                  .line = 16,
                                  .position_bytes = 8,
                                  .cache_bytes = 1 << 20,
                                  .threads = 2,
                                  .most_steps = 64};

    return hit_tuner_make(&r);
}

/* As long as something is left to try; choice @p best takes a third of the others. */
static int settle(hit_tuner *tuner, int best)
{
    int blocks = 0;

    for (; !hit_tuner_is_settled(tuner); blocks++) {
        hit_tuner_note(tuner, tuner->current == best ? 1e-10 / 3 : 1e-10);
    }
    return blocks;
}

static hit_tuner adopted(const char *text)
{
    hit_tuner made = make();
    hit_tried tried[HIT_CHOICES];
    int count = 0;

    ck_assert_msg(hit_tuner_parse(text, "text", &count, tried) == HIT_OK, "%s",
                  hit_status_text());
    hit_tuner_adopt(&made, count, tried);
    return made;
}

START_TEST(the_next_run_tries_nothing)
{
    for (int best = 0; best < make().choices; best++) {
        hit_tuner first = make();
        hit_tuner next;
        char text[HIT_TUNER_TEXT_BYTES];
        char again[HIT_TUNER_TEXT_BYTES];

        (void)settle(&first, best);
        hit_tuner_write(&first, text);
        next = adopted(text);
        ck_assert_int_eq(next.current, best);
        ck_assert_int_eq(settle(&next, best), 1); /* its data come from far away */
        ck_assert_int_eq(next.current, best);
        hit_tuner_write(&next, again);
        ck_assert_str_eq(text, again);
    }
}
END_TEST

/* Another program had the cores when the run ended. */
START_TEST(what_was_disturbed_at_the_end_is_forgotten)
{
    hit_tuner first = make();
    char text[HIT_TUNER_TEXT_BYTES];

    (void)settle(&first, 4);
    for (int k = 0; k < 30; k++) {
        hit_tuner_note(&first, 1e-9);
    }
    hit_tuner_write(&first, text);
    ck_assert_int_eq(adopted(text).current, 4);
}
END_TEST

/* Programs of so few blocks, one after the other, find what a long one finds. */
START_TEST(short_runs_go_on_with_each_other)
{
    const int best = make().choices - 1;

    for (int blocks = 2; blocks < 9; blocks++) {
        char text[HIT_TUNER_TEXT_BYTES] = "end\n";
        hit_tuner tuner = make();
        int runs = 0;

        for (; !hit_tuner_is_settled(&tuner) && runs < 100; runs++) {
            tuner = adopted(text);
            for (int k = 0; k < blocks; k++) {
                hit_tuner_note(&tuner, tuner.current == best ? 1e-10 / 3 : 1e-10);
            }
            hit_tuner_write(&tuner, text);
        }
        ck_assert_int_eq(tuner.current, best);
        ck_assert_int_le(runs, 2 * HIT_CHOICES / (blocks - 1) + 2);
    }
}
END_TEST

START_TEST(a_text_that_was_cut_anywhere_is_refused)
{
    hit_tuner tuner = make();
    hit_tried tried[HIT_CHOICES];
    char text[HIT_TUNER_TEXT_BYTES];
    int count = 7;

    (void)settle(&tuner, 0);
    hit_tuner_write(&tuner, text);
    for (size_t length = strlen(text); length-- > 0;) {
        text[length] = '\0';
        ck_assert_int_eq(hit_tuner_parse(text, "text", &count, tried), HIT_E_ARG);
    }
    ck_assert_int_eq(count, 7);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "is it whole?"));
}
END_TEST

START_TEST(wrong_lines_are_told)
{
    static const char *const wrong[] = {"0 8 1e-10 1\nend\n",
                                        "65 8 1e-10 1\nend\n",
                                        "4 8x8x8x8x8 1e-10 1\nend\n",
                                        "4 -8 1e-10 1\nend\n",
                                        "4 8 -1e-10 1\nend\n",
                                        "4 8 nan 1\nend\n",
                                        "4 8 inf 1\nend\n",
                                        "4 8 0 1\nend\n",
                                        "4 8 1e-10 3\nend\n",
                                        "4 8 1e-10 0\nend\n",
                                        "4 8 1e-10\nend\n",
                                        "4 8 1e-10 1 \nend\n",
                                        "4 8 flat 1e-10 1\nend\n",
                                        "4 8 1e-10 1end\n",
                                        "end\nend\n",
                                        "4 8x 1e-10 1\nend\n",
                                        "4 99999999999999999999 1 1\nend\n"};
    hit_tried tried[HIT_CHOICES];
    int count = 7;

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_msg(hit_tuner_parse(wrong[k], "text", &count, tried) == HIT_E_ARG, "%s",
                      wrong[k]);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "text:1: expected"));
    }
    ck_assert_int_eq(count, 7);
}
END_TEST

/* What another program wrote, or a later version of this one: only times are taken. */
START_TEST(whatever_the_text_says_choices_stay)
{
    hit_random random = hit_random_start(5);
    hit_tuner whole = make();
    char text[HIT_TUNER_TEXT_BYTES];
    int read = 0;

    (void)settle(&whole, 3);
    for (int k = 0; k < 20000; k++) {
        hit_tuner tuner = make();
        hit_tried tried[HIT_CHOICES];
        int count = 0;

        hit_tuner_write(&whole, text);
        for (int c = 0; c < 2; c++) {
            text[hit_random_index(&random, 0, (hit_index)strlen(text) - 6)] =
                "0123456789 x.-end"[hit_random_index(&random, 0, 16)];
        }
        if (hit_tuner_parse(text, "text", &count, tried) != HIT_OK) continue;
        read++;
        hit_tuner_adopt(&tuner, count, tried);
        if (memcmp(tuner.choice, whole.choice, sizeof(whole.choice)) != 0 ||
            tuner.current < 0 || tuner.current >= whole.choices) {
            ck_abort_msg("wrong by:\n%s", text);
        }
    }
    ck_assert_int_gt(read, 1000);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tuners as text");
    TCase *tc = tcase_create("text");

    tcase_add_test(tc, the_next_run_tries_nothing);
    tcase_add_test(tc, what_was_disturbed_at_the_end_is_forgotten);
    tcase_add_test(tc, short_runs_go_on_with_each_other);
    tcase_add_test(tc, a_text_that_was_cut_anywhere_is_refused);
    tcase_add_test(tc, wrong_lines_are_told);
    tcase_add_test(tc, whatever_the_text_says_choices_stay);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
