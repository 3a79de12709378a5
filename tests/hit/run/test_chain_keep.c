/* SPDX-License-Identifier: MIT
 * Of all processes of a host one writes to the store what its chains found, and none
 * waits long for others. Time is emulated: each block takes a second. */
#define _DEFAULT_SOURCE /* flock */

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "hit/model/store_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */
static own_store models;
static double played_s;
static int waits;
static int writes;

/* names that the linker asks for: what the library calls in place of its function */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
hit_status __wrap_hit_store_put_tiles(const hit_clock *clock, const hit_model_key *key,
                                      const char *lines);
hit_status __real_hit_store_put_tiles(const hit_clock *clock, const hit_model_key *key,
                                      const char *lines);

hit_status __wrap_hit_store_put_tiles(const hit_clock *clock, const hit_model_key *key,
                                      const char *lines)
{
    writes++;
    return __real_hit_store_put_tiles(clock, key, lines);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static double play(void)
{
    return played_s++;
}

static void wait_until(double end_s)
{
    waits++;
    played_s = end_s;
}

/* A program that tries some tiles. */
static void run(hit_index extent)
{
    chains_scene s = chains_open_over(NULL, 2, "block", extent);

    s.hit->clock = (hit_clock){play, wait_until};
    s.hit->launcher->chain_cache_bytes = (size_t)1 << 16;
    for (int t = 0; t < 200; t++) {
        chains_launch_star(&s, s.tile[1], s.tile[0], t);
        hit_tile_swap(&s.tile[0], &s.tile[1]);
    }
    chains_close(&s);
    HIT_MUST(hit_barrier(base));
}

static int files(void)
{
    hit_model_entry *entry = NULL;
    int count = 0;

    HIT_MUST(hit_store_list(&count, &entry));
    free(entry);
    return count;
}

START_TEST(one_process_of_a_host_writes)
{
    uint64_t writers;
    int rank;
    int processes;

    own_store_open_for(&models, base);
    hit_comm_local(base->comm, &rank, &processes);
    writes = 0;
    run(400);
    writers = writes > 0;
    HIT_MUST(hit_comm_sum_u64(base->comm, &writers, 1));
    ck_assert_uint_eq(writers, (uint64_t)(hit_size(base) / processes));
    ck_assert_int_eq(writes > 0, rank == 0);
    ck_assert_int_gt(files(), 0);
    own_store_close_for(&models, base);
}
END_TEST

START_TEST(a_lock_that_another_one_keeps_stops_nobody)
{
    char path[128];
    int lock = -1;
    int before;

    own_store_open_for(&models, base);
    run(400);
    before = files();
    if (hit_rank(base) == 0) {
        (void)snprintf(path, sizeof(path), "%s/hit/models/.lock", models.folder);
        lock = open(path, O_RDWR | O_CLOEXEC);
        ck_assert_int_eq(flock(lock, LOCK_EX), 0);
    }
    HIT_MUST(hit_barrier(base));
    waits = 0;
    run(420);
    ck_assert_int_eq(files(), before);
    ck_assert_int_eq(waits > 0, hit_rank(base) == 0);
    if (lock >= 0) (void)close(lock);
    HIT_MUST(hit_barrier(base));
    run(420);
    ck_assert_int_gt(files(), before);
    own_store_close_for(&models, base);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("who keeps what chains found");
    TCase *tc = tcase_create("store");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, one_process_of_a_host_writes);
    tcase_add_test(tc, a_lock_that_another_one_keeps_stops_nobody);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    int code;

    HIT_MUST(hit_open(&argc, &argv, &base));
    code = check_run(suite());
    hit_close(&base);
    return code;
}
