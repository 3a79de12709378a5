/* SPDX-License-Identifier: MIT
 * A driver may read host memory that is not pinned when a copy is asked for, not when the
 * stream comes there: results of one launch that are still on their way to the host must
 * not be missing in the next one. On the played CUDA runtime, which does either. */
#define _POSIX_C_SOURCE 200809L /* dup, fileno, setenv */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <cuda_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel by_column, by_row;

enum {
    ROUNDS = 3 /* of two launches */
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Large tiles are pinned, small ones are not. */
static const struct {
    hit_index rows;
    hit_index columns;
    const char *devices;
} shape[] = {
    {200, 300, "cuda:0:memory=64KiB"},
    {200, 300, "cuda:0:memory=8KiB"}, /* superblocks one at a time */
    {600, 1200, "cuda:0:memory=1MiB"},
    {3000, 200, "cuda:0:memory=1MiB"},
};

static const fake_choice choices[] = {FAKE_DICE, FAKE_NEVER, FAKE_ALWAYS};

enum {
    SHAPES = sizeof(shape) / sizeof(shape[0]),
    CHOICES = sizeof(choices) / sizeof(choices[0])
};

static hit_context *open_on(const char *devices)
{
    const hit_options options = {.devices = devices};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    return hit;
}

static hit_tile *make_tile(hit_context *hit, const hit_domain *all, const char *name)
{
    const float zero = 0;
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, *all, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, name, &tile));
    HIT_MUST(hit_tile_fill(tile, &zero));
    hit_layout_destroy(&layout);
    return tile;
}

/* On process 0, which has all of them. */
static long count_wrong(hit_context *hit, hit_tile *tile, hit_index count)
{
    float *found = calloc((size_t)count, sizeof(float));
    long wrong = 0;

    if (found == NULL) abort();
    HIT_MUST(hit_tile_gather(tile, 0, found));
    for (hit_index k = 0; k < count && hit_rank(hit) == 0; k++) {
        wrong += found[k] != 2.0f * ROUNDS;
    }
    free(found);
    return wrong;
}

static long run_by_columns_and_rows(const char *devices, hit_domain all)
{
    hit_context *hit = open_on(devices);
    hit_tile *a = make_tile(hit, &all, "a");
    hit_tile *b = make_tile(hit, &all, "b");
    long wrong;

    for (int t = 0; t < ROUNDS; t++) {
        HIT_MUST(hit_launch(hit, &by_column, all, b, a));
        HIT_MUST(hit_launch(hit, &by_row, all, a, b));
    }
    wrong = count_wrong(hit, a, hit_domain_count(&all));
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_close(&hit);
    return wrong;
}

START_TEST(results_on_their_way_out_come_in_again)
{
    const int k = _i / CHOICES;
    long wrong;

    fake_refuses_pins = choices[_i % CHOICES];
    fake_reads_early = FAKE_ALWAYS;
    wrong = run_by_columns_and_rows(shape[k].devices,
                                    hit_domain_of(shape[k].rows, shape[k].columns));
    fake_refuses_pins = FAKE_DICE;
    fake_reads_early = FAKE_DICE;
    ck_assert_msg(wrong == 0, "%lld x %lld: %ld wrong", (long long)shape[k].rows,
                  (long long)shape[k].columns, wrong);
}
END_TEST

/* What a program prints until it has closed its context. */
static void run_with_profile(fake_choice choice, char *text, size_t size)
{
    const int kept = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    size_t length;

    if (kept < 0 || file == NULL) abort();
    fflush(stdout);
    if (dup2(fileno(file), STDOUT_FILENO) < 0) abort();
    setenv("HIT_PROFILE", "1", 1);
    fake_refuses_pins = choice;
    (void)run_by_columns_and_rows("cuda:0:memory=1MiB", hit_domain_of(1800, 600));
    fake_refuses_pins = FAKE_DICE;
    unsetenv("HIT_PROFILE");
    fflush(stdout);
    if (dup2(kept, STDOUT_FILENO) < 0) abort();
    rewind(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    close(kept);
}

START_TEST(a_profile_tells_what_is_not_pinned)
{
    char refused[4000];
    char pinned[4000];

    run_with_profile(FAKE_ALWAYS, refused, sizeof(refused));
    run_with_profile(FAKE_NEVER, pinned, sizeof(pinned));
    if (hit_rank(base) > 0) return; /* it has printed nothing */
    ck_assert_ptr_nonnull(strstr(refused, "not pinned: "));
    if (hit_size(base) > 1) return; /* parts and messages are too small to be pinned */
    ck_assert_ptr_nonnull(strstr(refused, "8.24 MiB of the host's memory")); /* tiles */
    ck_assert_ptr_null(strstr(pinned, "not pinned: "));
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("fake_cuda.snap");
    TCase *tests = tcase_create("played GPU");

    tcase_add_loop_test(tests, results_on_their_way_out_come_in_again, 0,
                        SHAPES * CHOICES);
    tcase_add_test(tests, a_profile_tells_what_is_not_pinned);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
