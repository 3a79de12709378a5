/* SPDX-License-Identifier: MIT
 * Whole tiles of several MiB that the threads of devices copy: between layouts, parts
 * with gaps, and to one process, on devices of each kind, and beside launches of other
 * tiles. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): setenv */
#include "hit/data/ndcopy.h"
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    ROWS = 900,
    COLUMNS = 1100
};

extern const hit_kernel reach_0;

static hit_context *base; /* keeps MPI open */

static const char *const devices[] = {"host:threads=1", "host:threads=3",
                                      "host:threads=2+host:threads=3",
                                      "host:staged:memory=64MiB:threads=3"};

/* Long runs of bytes, many rows, and short runs. */
static const char *const layouts[] = {"block", "block:dims=1", "cyclic",
                                      "blockcyclic:block=70x90"};

static const hit_domain plate = {.dims = 2,
                                 .sig = {{0, ROWS - 1, 1}, {0, COLUMNS - 1, 1}}};
static const hit_domain parts[] = {
    {.dims = 2, .sig = {{0, ROWS - 1, 1}, {0, COLUMNS - 1, 1}}},
    {.dims = 2, .sig = {{1, ROWS - 2, 1}, {1, COLUMNS - 2, 1}}},
    {.dims = 2, .sig = {{0, 898, 2}, {1, 1096, 5}}}};

static int64_t value_at(const hit_index at[])
{
    return at[0] * COLUMNS + at[1] + 1;
}

static hit_tile *make(hit_context *hit, const char *layout)
{
    hit_tile *tile = NULL;

    HIT_MUST(hit_tile_make(hit, plate, layout, HIT_INT64, "t", &tile));
    return tile;
}

/* Elements of @p part, and 0 elsewhere. */
static bool is_right(hit_tile *tile, const hit_domain *part)
{
    const int root = hit_size(base) - 1;
    int64_t *all = calloc((size_t)ROWS * COLUMNS, sizeof(*all));
    bool right = all != NULL;
    hit_index at[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_gather(tile, root, all));
    for (bool more = hit_domain_first(&plate, at); more && hit_rank(base) == root;
         more = hit_domain_next(&plate, at)) {
        const int64_t wanted = hit_domain_has(part, at) ? value_at(at) : 0;

        right = right && all[at[0] * COLUMNS + at[1]] == wanted;
    }
    free(all);
    return right;
}

static hit_tile *filled(hit_context *hit, const char *layout)
{
    int64_t *all = calloc((size_t)ROWS * COLUMNS, sizeof(*all));
    hit_tile *tile = make(hit, layout);
    hit_index at[HIT_MAX_DIMS];

    ck_assert_ptr_nonnull(all);
    for (bool more = hit_domain_first(&plate, at); more;
         more = hit_domain_next(&plate, at)) {
        all[at[0] * COLUMNS + at[1]] = value_at(at);
    }
    HIT_MUST(hit_tile_scatter(tile, 0, all));
    free(all);
    return tile;
}

static bool copies_right(hit_tile *from, hit_tile *to, const hit_domain *part)
{
    hit_tile *some = NULL;
    bool right;

    HIT_MUST(hit_tile_select(from, *part, &some));
    HIT_MUST(hit_tile_fill(to, &(const int64_t){0}));
    HIT_MUST(hit_tile_copy(some, to));
    hit_tile_destroy(&some);
    right = is_right(to, part);
    return right;
}

START_TEST(copies_have_all_elements)
{
    hit_context *hit = NULL;
    hit_tile *from;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices[_i / 4]}, &hit));
    from = filled(hit, layouts[_i % 4]);
    ck_assert(is_right(from, &plate));
    for (int k = 0; k < 4; k++) {
        hit_tile *to = make(hit, layouts[k]);

        for (int p = 0; p < 3; p++) {
            ck_assert_msg(copies_right(from, to, &parts[p]), "%s: %s to %s, part %d",
                          devices[_i / 4], layouts[_i % 4], layouts[k], p);
        }
        hit_tile_destroy(&to);
    }
    hit_tile_destroy(&from);
    hit_close(&hit);
}
END_TEST

/* Elements of reach_0 are sums of its own: 39 times what it reads. */
static bool has_sums(hit_tile *tile)
{
    const int root = hit_size(base) - 1;
    int64_t *all = calloc((size_t)ROWS * COLUMNS, sizeof(*all));
    bool right = all != NULL;

    HIT_MUST(hit_tile_gather(tile, root, all));
    for (int64_t k = 0; k < (int64_t)ROWS * COLUMNS && hit_rank(base) == root; k++) {
        right = right && all[k] == 39 * (k + 1) % 1000003;
    }
    free(all);
    return right;
}

/* Where a scheduler places launches they run while other tiles are looked at, each
 * device's by a thread. */
START_TEST(copies_beside_launches_have_all_elements)
{
    hit_context *hit = NULL;
    hit_tile *from;
    hit_tile *read;
    hit_tile *to;
    hit_tile *written;

    if (_i % 2 == 1) (void)setenv("HIT_SCHED", "heft", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices[_i / 2]}, &hit));
    (void)unsetenv("HIT_SCHED");
    from = filled(hit, "block");
    read = filled(hit, "block");
    to = make(hit, "block");
    written = make(hit, "block");
    for (int k = 0; k < 6; k++) {
        HIT_MUST(hit_launch(hit, &reach_0, plate, written, read));
        ck_assert(copies_right(from, to, &parts[k % 3]));
    }
    ck_assert(has_sums(written));
    hit_tile_destroy(&from);
    hit_tile_destroy(&read);
    hit_tile_destroy(&to);
    hit_tile_destroy(&written);
    hit_close(&hit);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tile copies");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, copies_have_all_elements, 0, 16);
    tcase_add_loop_test(tests, copies_beside_launches_have_all_elements, 0, 8);
    suite_add_tcase(suite, tests);
    return check_run_open(&argc, &argv, suite, &base);
}
