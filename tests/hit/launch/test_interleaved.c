/* SPDX-License-Identifier: MIT
 * What several indices lead to together ("[4*b+o]") is written exactly, on any number of
 * processes, and planned without a list of all indices: however many there are. */
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>

extern const hit_kernel pairs, butterflies, ranges, diagonal;

static hit_context *base; /* keeps MPI open */

static void want_pairs(int64_t *x, hit_index b, hit_index o, hit_index j)
{
    int64_t *at = x + 4 * b + o;
    const int64_t p = at[0];

    (void)j;
    at[0] = p + 2 * at[2];
    at[2] = p - at[2];
}

static void want_butterflies(int64_t *x, hit_index b, hit_index o, hit_index j)
{
    int64_t *at = x + 12 * b + 2 * o + j;
    const int64_t p = at[0];

    at[0] += at[6];
    at[6] = 3 * p;
}

static void want_ranges(int64_t *x, hit_index b, hit_index o, hit_index j)
{
    (void)j;
    for (int k = 0; k < 3; k++) {
        x[10 * b + 5 * o + k] += k + 1;
    }
}

static const struct pass {
    const hit_kernel *kernel;
    void (*want)(int64_t *x, hit_index b, hit_index o, hit_index j);
    hit_index per; /* elements for each b */
    hit_index inner[2];
    int dims;
} passes[] = {
    {&pairs, want_pairs, 4, {2, 1}, 2},
    {&butterflies, want_butterflies, 12, {3, 2}, 3},
    {&ranges, want_ranges, 10, {2, 1}, 2},
};

/* The launch on a tile that begins as 0, 1, 2 ..., compared with a plain loop. */
static bool is_right(hit_context *hit, const struct pass *pass, hit_index blocks,
                     const char *layout)
{
    const hit_index n = blocks * pass->per;
    const hit_domain indices = hit_domain_of_sizes(
        pass->dims, (hit_index[]){blocks, pass->inner[0], pass->inner[1]});
    int64_t *want = malloc((size_t)n * sizeof *want);
    int64_t *found = calloc((size_t)n, sizeof *found);
    hit_layout *by = NULL;
    hit_tile *x = NULL;
    bool right = true;

    for (hit_index k = 0; k < n; k++) {
        want[k] = k;
    }
    HIT_MUST(hit_tile_make(hit, hit_domain_of(n), layout, HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_scatter(x, 0, want));
    HIT_MUST(hit_layout_create(hit, indices, "block:dims=0", &by));
    HIT_MUST(hit_launch_on(hit, by, pass->kernel, indices, x));
    HIT_MUST(hit_tile_gather(x, 0, found));
    for (hit_index k = 0; k < blocks * pass->inner[0] * pass->inner[1]; k++) {
        const hit_index inner = pass->inner[0] * pass->inner[1];

        pass->want(want, k / inner, k % inner / pass->inner[1], k % pass->inner[1]);
    }
    for (hit_index k = 0; k < n && hit_rank(hit) == 0; k++) {
        right = right && found[k] == want[k];
    }
    hit_tile_destroy(&x);
    hit_layout_destroy(&by);
    free(found);
    free(want);
    return right;
}

static const char *const places[] = {"host:threads=1",
                                     "host:threads=2:staged:memory=8KiB"};

START_TEST(interleaved_elements_are_written_exactly)
{
    static const char *const layouts[] = {"block", "cyclic", "blockcyclic:block=5"};
    static const hit_index blocks[] = {1, 2, 5, 13, 40};

    for (int p = 0; p < 2; p++) {
        hit_context *hit;

        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[p]}, &hit));
        for (int k = 0; k < 3 * 3 * 5; k++) {
            const struct pass *pass = &passes[k % 3];

            ck_assert_msg(is_right(hit, pass, blocks[k / 9], layouts[k / 3 % 3]),
                          "kernel %d, %lld blocks, layout %s, %s", k % 3,
                          (long long)blocks[k / 9], layouts[k / 3 % 3], places[p]);
        }
        hit_close(&hit);
    }
}
END_TEST

/* Before, more than 4096 indices of a process were refused, and fewer were planned in a
 * time that grew as their square. */
START_TEST(interleaved_elements_are_not_listed_one_by_one)
{
    hit_context *hit;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[0]}, &hit));
    for (int k = 0; k < 3; k++) {
        ck_assert(is_right(hit, &passes[k], 60000, "block"));
    }
    hit_close(&hit);
}
END_TEST

START_TEST(a_diagonal_is_listed_one_by_one)
{
    hit_context *hit;
    hit_layout *by;
    hit_tile *a;
    int64_t found;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[0]}, &hit));
    HIT_MUST(hit_layout_create(hit, hit_domain_of(50), "block", &by));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(50, 50), "block:dims=0", HIT_INT64, "a", &a));
    HIT_MUST(hit_launch_on(hit, by, &diagonal, hit_domain_of(50), a));
    for (hit_index i = 0; i < 50; i += 7) {
        HIT_MUST(hit_tile_get(a, (hit_index[]){i, i}, &found));
        ck_assert_int_eq(found, i);
        HIT_MUST(hit_tile_get(a, (hit_index[]){i, (i + 1) % 50}, &found));
        ck_assert_int_eq(found, 0);
    }
    hit_tile_destroy(&a);
    hit_layout_destroy(&by);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.launch.interleaved");
    TCase *tests = tcase_create("interleaved");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, interleaved_elements_are_written_exactly);
    tcase_add_test(tests, interleaved_elements_are_not_listed_one_by_one);
    tcase_add_test(tests, a_diagonal_is_listed_one_by_one);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
