/* SPDX-License-Identifier: MIT
 * Kernels that are made when the program runs: what counts are their functions and texts,
 * not where they lie; what is wrong with either is told. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"

#include <stdlib.h>

extern const hit_kernel around, row_sums;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static int64_t wanted(hit_index i, hit_index r)
{
    int64_t sum = 0;

    for (hit_index k = i - r; k <= i + r; k++) {
        sum += ((k + EXPECT_N) % EXPECT_N) * (k - i + 100);
    }
    return sum;
}

/* Launch it, and look whether element i of next is the sum of what lies within r. */
static void launch_around(expectations *e, const hit_kernel *kernel, hit_index r)
{
    const hit_status status = hit_launch(e->hit, kernel, hit_domain_of(EXPECT_N), e->next,
                                         e->now, HIT_VALUE((int64_t){r}));

    if (status != HIT_OK) expect_note(e, "launch", hit_status_text());
    for (int p = 0; p < hit_tile_pieces(e->next); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(e->next, p, HIT_READ_WRITE, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            expect_true(e, HIT_AT(view, int64_t, i) == wanted(i, r), "sums are right");
            HIT_AT(view, int64_t, i) = 0;
        }
    }
}

static int kernels_of(const expectations *e)
{
    return e->hit->launcher->kernels;
}

START_TEST(kernels_at_one_address_are_told_apart_by_their_patterns)
{
    static const char *const pattern[] = {"[i]", "[i-1:i+1]", "[i-4:i+4]", "[i-2:i+2]"};
    static const hit_index r[] = {0, 1, 4, 2};
    expectations e = expect_open(NULL);
    const int before = kernels_of(&e);

    for (int k = 0; k < 12; k++) { /* all of them again and again: plans stay valid */
        hit_kernel_arg arg[3] = {around.arg[0], around.arg[1], around.arg[2]};
        hit_kernel kernel = around;

        arg[1].pattern = pattern[k % 4];
        kernel.arg = arg;
        launch_around(&e, &kernel, r[k % 4]);
    }
    expect_true(&e, kernels_of(&e) == before + 4, "four kernels are known");
    expect_close(&e);
}
END_TEST

START_TEST(a_pattern_that_changes_in_its_buffer_is_seen)
{
    char text[] = "[i-0:i+0]";
    hit_kernel_arg arg[3] = {around.arg[0], around.arg[1], around.arg[2]};
    hit_kernel kernel = around;
    expectations e = expect_open(NULL);

    arg[1].pattern = text;
    kernel.arg = arg;
    for (char r = 0; r < 6; r++) {
        text[3] = text[7] = (char)('0' + r);
        launch_around(&e, &kernel, r);
    }
    expect_close(&e);
}
END_TEST

START_TEST(a_kernel_with_patterns_of_its_own_may_go_after_the_launch)
{
    expectations e = expect_open(NULL);
    const int before = kernels_of(&e);

    for (int k = 0; k < 40; k++) {
        const hit_index r = k % 5;
        char text[40];
        const char *const pattern[] = {NULL, text, NULL};
        hit_kernel *made = NULL;

        snprintf(text, sizeof(text), "[i-%d:i+%d]", (int)r, (int)r);
        HIT_MUST(hit_kernel_with_patterns(&around, pattern, &made));
        memset(text, 'x', sizeof(text) - 1);
        launch_around(&e, made, r);
        free(made);
    }
    expect_true(&e, kernels_of(&e) == before + 5, "five kernels are known");
    expect_close(&e);
}
END_TEST

/* A program that makes texts without end does not fill the memory with them, and what it
 * uses now and then is right each time. */
START_TEST(few_of_many_texts_are_kept)
{
    expectations e = expect_open(NULL);

    for (int k = 0; k < HIT_MAX_KERNELS + 700 && hit_size(e.hit) < 3; k++) {
        const int r = 1 + k % 3;
        char text[60];
        const char *const pattern[] = {NULL, text, NULL};
        hit_kernel *made = NULL;

        snprintf(text, sizeof(text), "[i-%d:i+%d] [i+%d] [i-%d]", r, r, k % 1000,
                 k / 1000);
        HIT_MUST(hit_kernel_with_patterns(&around, pattern, &made));
        launch_around(&e, made, r);
        free(made);
        if (k % 100 == 0) expect_usable(&e, "among many texts");
        expect_true(&e, kernels_of(&e) <= HIT_MAX_KERNELS, "few are kept");
    }
    expect_usable(&e, "after many texts");
    expect_close(&e);
}
END_TEST

START_TEST(a_launch_that_waits_outlives_its_kernel)
{
    const hit_domain box = hit_domain_of(6, 6);
    const int64_t one = 1;
    hit_layout *layout = NULL;
    hit_tile *c = NULL;
    hit_tile *a = NULL;
    expectations e = expect_open(&(hit_options){.devices = "host:threads=2"});

    HIT_MUST(hit_layout_create(e.hit, box, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "c", &c));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_fill(c, &one));
    HIT_MUST(hit_tile_fill(a, &one));
    for (int k = 0; k < 4; k++) {
        hit_kernel *made = NULL;

        HIT_MUST(hit_kernel_with_patterns(&row_sums, NULL, &made));
        HIT_MUST(hit_launch(e.hit, made, box, c, a));
        memset(made, 0xA5, sizeof(*made));
        free(made);
    }
    HIT_MUST(hit_wait(e.hit));
    for (int p = 0; p < hit_tile_pieces(c); p++) {
        hit_view view;
        hit_index at[HIT_MAX_DIMS];
        bool more;

        HIT_MUST(hit_tile_map(c, p, HIT_READ, &view));
        for (more = hit_domain_first(&view.domain, at); more;
             more = hit_domain_next(&view.domain, at)) {
            const int64_t found = *(const int64_t *)hit_view_at(&view, at);

            expect_true(&e, found == 25, "four times six and one");
        }
    }
    hit_layout_destroy(&layout);
    hit_tile_destroy(&c);
    hit_tile_destroy(&a);
    expect_close(&e);
}
END_TEST

START_TEST(wrong_patterns_of_a_made_kernel_are_told)
{
    const char *const bad[] = {NULL, "[i-1:k]", NULL};
    const char *const valued[] = {NULL, NULL, "[i]"};
    hit_kernel *made = NULL;
    expectations e = expect_open(NULL);

    expect_failure(&e, hit_kernel_with_patterns(&around, valued, &made), HIT_E_ARG,
                   "a pattern for a value",
                   "kernel around|argument r|expected NULL for a value|\"[i]\"");
    expect_failure(&e, hit_kernel_with_patterns(NULL, valued, &made), HIT_E_ARG,
                   "no kernel", "expected a kernel");
    expect_failure(&e, hit_kernel_with_patterns(&around, bad, NULL), HIT_E_ARG,
                   "no place", "expected a place");
    expect_true(&e, made == NULL, "nothing is made");
    HIT_MUST(hit_kernel_with_patterns(&around, bad, &made));
    expect_failure(&e,
                   hit_launch(e.hit, made, hit_domain_of(EXPECT_N), e.next, e.now,
                              HIT_VALUE((int64_t){1})),
                   HIT_E_PATTERN, "unknown index", "kernel around|argument from|[i-1:k]");
    free(made);
    expect_close(&e);
}
END_TEST

static hit_status never(const hit_run *run)
{
    (void)run;
    return HIT_E_INTERNAL;
}

static hit_status nothing(const hit_run *run)
{
    (void)run;
    return HIT_OK;
}

START_TEST(an_inout_pattern_that_overlaps_is_refused)
{
    static const struct {
        const char *pattern;
        const char *words; /* NULL: it is right */
        hit_index stride;
    } one[] = {
        {"[i-1:i+1]", "\"[i-1:i+1]\" indices 1:1 and 2:2 both touch element 1:1", 1},
        {"[i-1:i+1]", "indices 1:1 and 3:3 both touch element 2:2", 2},
        {"[i-1:i+1]", NULL, 3},
        {"[i-1] [i]", "indices 1:1 and 2:2 both touch element 1:1", 1},
        {"[i-1] [i]", NULL, 2},
        {"[0:i-2]", "indices 19:19 and 20:20 both touch element 0:0", 1},
        {"[i-1:i+1:2]", "indices 1:1 and 3:3 both touch element 2:2", 1},
        {"[i:i+2:2]", NULL, 4},
        {"[:]", NULL, 1},
        {"[i]", NULL, 1}};
    expectations e = expect_open(NULL);

    for (size_t k = 0; k < sizeof(one) / sizeof(one[0]); k++) {
        const hit_kernel_arg arg = {
            HIT_MODE_INOUT, {HIT_KIND_INT64, 8}, "a", one[k].pattern};
        const hit_kernel kernel = {.name = "touches",
                                   .dims = 1,
                                   .index = {"i"},
                                   .args = 1,
                                   .arg = &arg,
                                   .host = nothing};
        const hit_domain domain = {1, {hit_sig_make(1, EXPECT_N - 3, one[k].stride)}};
        const hit_status status = hit_launch(e.hit, &kernel, domain, e.next);

        if (one[k].words == NULL) {
            expect_true(&e, status == HIT_OK, one[k].pattern);
        } else {
            expect_failure(&e, status, HIT_E_PATTERN, one[k].pattern, one[k].words);
        }
    }
    expect_close(&e);
}
END_TEST

START_TEST(a_kernel_that_fails_without_a_text_is_named)
{
    static const char *const devices[] = {"host:threads=1", "host:threads=3",
                                          "host:staged:memory=4KiB"};
    static const hit_kernel_arg args[] = {
        {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "to", "[i]"},
        {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "from", "[i]"}};
    const hit_kernel silent = {.name = "silent",
                               .dims = 1,
                               .index = {"i"},
                               .args = 2,
                               .arg = args,
                               .whole_box = _i,
                               .host = never};

    for (size_t d = 0; d < sizeof(devices) / sizeof(devices[0]); d++) {
        expectations e = expect_open(&(hit_options){.devices = devices[d]});
        hit_status status;

        expect_failure(&e, hit_launch(e.hit, &line, hit_domain_of(EXPECT_N), e.next),
                       HIT_E_ARG, "older", "kernel line");
        status = hit_launch(e.hit, &silent, hit_domain_of(EXPECT_N), e.next, e.now);
        if (status == HIT_OK) status = hit_wait(e.hit); /* it was a task */
        expect_failure(&e, status, HIT_E_INTERNAL, devices[d],
                       "kernel silent returned HIT_E_INTERNAL without a text");
        expect_close(&e);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("made kernels");
    TCase *tests = tcase_create("made");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, kernels_at_one_address_are_told_apart_by_their_patterns);
    tcase_add_test(tests, a_pattern_that_changes_in_its_buffer_is_seen);
    tcase_add_test(tests, a_kernel_with_patterns_of_its_own_may_go_after_the_launch);
    tcase_add_test(tests, few_of_many_texts_are_kept);
    tcase_add_test(tests, a_launch_that_waits_outlives_its_kernel);
    tcase_add_test(tests, wrong_patterns_of_a_made_kernel_are_told);
    tcase_add_test(tests, an_inout_pattern_that_overlaps_is_refused);
    tcase_add_loop_test(tests, a_kernel_that_fails_without_a_text_is_named, 0, 3);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
