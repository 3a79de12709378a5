/* SPDX-License-Identifier: MIT
 * Launches that are tasks on several processes: random launches on blocks of one tile
 * against plain loops, kernels that fail on one process, memory that is refused there,
 * and what runs before a block is sent that another process waits for. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/tile/station.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/mix.h"
#include "tests/support/random.h"

#include <string.h>
#include <time.h>

enum {
    EDGE = 3,
    BLOCKS = 9, /* in a row and in a column: so many that a launch is narrow */
    ALL = BLOCKS * BLOCKS,
    N = BLOCKS * EDGE,
    LAUNCHES = 60 /* of those that fail */
};

static hit_context *base; /* keeps MPI open */
static int fails_on;      /* the block on which the kernel fails; -1: none */
static int fails_after;   /* so many times that it was right there */
static int runs;          /* of the kernel, on this process */

/* ---- the kernel ---- */

/* Longer than it takes to hand a task over: such kernels are left to tasks. */
static void take_some_time(void)
{
    struct timespec from;
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < 5000);
}

static hit_status mix_or_fail(const hit_run *run)
{
    const hit_slot *to = &run->slot[0];

    take_some_time();
    __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
    if (to->begin[0] / EDGE * BLOCKS + to->begin[1] / EDGE == fails_on &&
        fails_after-- == 0) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    mix_blocks(run, EDGE);
    return HIT_OK;
}

static const hit_kernel mix = MIX_KERNEL(mix_or_fail);

/* ---- a program, and the same by plain loops ---- */

typedef struct program {
    hit_random random;
    bool promises;
    hit_context *hit;
    hit_tile *all;
    hit_tile *block[ALL];
    int64_t want[ALL][EDGE][EDGE];
    bool lost[ALL];
} program;

static void begin(program *p, const char *devices, uint64_t seed)
{
    const int64_t zero = 0;

    memset(p, 0, sizeof *p);
    p->random = (hit_random){seed};
    p->promises = hit_random_index(&p->random, 0, 1) == 1;
    fails_on = -1;
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    HIT_MUST(hit_tile_make(p->hit, hit_domain_of(N, N), "blockcyclic:block=3", HIT_INT64,
                           "A", &p->all));
    for (int k = 0; k < ALL; k++) {
        const hit_index i = k / BLOCKS * EDGE;
        const hit_index j = k % BLOCKS * EDGE;

        HIT_MUST(hit_tile_select(p->all, hit_box_of(i, i + EDGE - 1, j, j + EDGE - 1),
                                 &p->block[k]));
    }
    HIT_MUST(hit_tile_fill(p->all, &zero));
    HIT_MUST(hit_chain(p->hit, p->promises ? HIT_CHAIN_ANY : HIT_CHAIN_OFF));
}

static void end(program *p)
{
    for (int k = 0; k < ALL; k++) {
        hit_tile_destroy(&p->block[k]);
    }
    hit_tile_destroy(&p->all);
    hit_close(&p->hit);
}

static int owner_of(const program *p, int k)
{
    return hit_layout_owner(hit_tile_layout(p->all),
                            (hit_index[]){k / BLOCKS * EDGE, k % BLOCKS * EDGE});
}

static bool owns(const program *p, int k)
{
    return owner_of(p, k) == hit_rank(base);
}

static hit_status launch(const program *p, int c, int a, int b)
{
    return hit_launch(p->hit, &mix, hit_domain_of(1), p->block[c], p->block[a],
                      p->block[b]);
}

static void mix_plainly(program *p, int c, int a, int b)
{
    for (int e = 0; e < EDGE * EDGE; e++) {
        int64_t *to = &p->want[c][e / EDGE][e % EDGE];

        *to = mixed(*to, p->want[a][e / EDGE][e % EDGE], p->want[b][e / EDGE][e % EDGE]);
    }
}

/* Three blocks, of which many read the same ones. */
static void choose(program *p, int block[3])
{
    block[0] = (int)hit_random_index(&p->random, 0, ALL - 1);
    for (int k = 1; k < 3; k++) {
        do {
            block[k] =
                (int)hit_random_index(&p->random, 0, k == 1 ? ALL - 1 : BLOCKS - 1);
        } while (block[k] == block[0]);
    }
}

/* All processes add to the blocks that they own, or, without a promise, one of them. */
static void write_some(program *p)
{
    const int rank = (int)hit_random_index(&p->random, 0, hit_size(base) - 1);
    hit_view view;

    for (int k = 0; k < ALL; k++) {
        if (!p->promises && owner_of(p, k) != rank) continue;
        for (int e = 0; e < EDGE * EDGE; e++) {
            p->want[k][e / EDGE][e % EDGE] += k;
        }
        if (!owns(p, k)) continue;
        HIT_MUST(hit_tile_map(p->block[k], 0, HIT_READ_WRITE, &view));
        for (hit_index i = view.domain.sig[0].begin; i <= view.domain.sig[0].end; i++) {
            for (hit_index j = view.domain.sig[1].begin; j <= view.domain.sig[1].end;
                 j++) {
                HIT_AT(view, int64_t, i, j) += k;
            }
        }
    }
}

/* Of what this process owns. What is not told to be lost must be right. */
static void compare(program *p)
{
    hit_view view;

    for (int k = 0; k < ALL; k++) {
        if (!owns(p, k)) continue;
        if (hit_tile_map(p->block[k], 0, HIT_READ, &view) != HIT_OK) {
            ck_assert_int_ge(fails_on, 0);
            continue;
        }
        ck_assert_msg(!p->lost[k], "block %d was not written, and that is not told", k);
        for (int e = 0; e < EDGE * EDGE; e++) {
            const hit_index i = view.domain.sig[0].begin + e / EDGE;
            const hit_index j = view.domain.sig[1].begin + e % EDGE;

            ck_assert_int_eq(HIT_AT(view, int64_t, i, j), p->want[k][e / EDGE][e % EDGE]);
        }
    }
}

static uint64_t tasks_of(const program *p)
{
    const hit_stations *stations = p->hit->stations;

    return stations->logged[hit_source_of_tasks(stations)];
}

static const char *const devices[] = {"host:threads=1", "host:threads=3",
                                      "host:threads=1 * 2"};

START_TEST(random_launches_do_what_plain_loops_do)
{
    static program p;
    const uint64_t seed = hit_random_start(100 + (uint64_t)_i).state;
    uint64_t tasks = 0;

    for (int n = 0; n < hit_random_cases(8); n++) {
        begin(&p, devices[_i], seed + (uint64_t)n);
        for (int k = 0; k < 200; k++) {
            int block[3];

            if (k % 20 == 19) write_some(&p);
            choose(&p, block);
            HIT_MUST(launch(&p, block[0], block[1], block[2]));
            mix_plainly(&p, block[0], block[1], block[2]);
        }
        tasks += tasks_of(&p);
        compare(&p);
        end(&p);
    }
    if (hit_size(base) > 1 && _i == 0) ck_assert_uint_gt(tasks, 0);
}
END_TEST

/* After failures that were told. */
static void do_anew(program *p)
{
    const int64_t zero = 0;

    fails_on = -1;
    HIT_MUST(hit_tile_fill(p->all, &zero));
    memset(p->want, 0, sizeof p->want);
    memset(p->lost, 0, sizeof p->lost);
    for (int k = 1; k < ALL; k++) {
        HIT_MUST(launch(p, k, k - 1, 0));
        mix_plainly(p, k, k - 1, 0);
    }
    compare(p);
}

/* Launches of which one fails, at any place among them, on the process that runs it. */
static void fail_once(program *p, const char *on, uint64_t seed, int at)
{
    int block[LAUNCHES][3];
    bool told = false;

    begin(p, on, seed);
    for (int k = 0; k < LAUNCHES; k++) {
        choose(p, block[k]);
    }
    fails_on = block[at][0];
    fails_after = 0;
    for (int k = 0; k < at; k++) {
        fails_after += block[k][0] == fails_on;
    }
    for (int k = 0; k < LAUNCHES; k++) {
        const int *of = block[k];

        told |= launch(p, of[0], of[1], of[2]) != HIT_OK;
        p->lost[of[0]] = p->lost[of[0]] || p->lost[of[1]] || p->lost[of[2]] || k == at;
        if (!p->lost[of[0]]) mix_plainly(p, of[0], of[1], of[2]);
    }
    told |= hit_wait(p->hit) != HIT_OK;
    ck_assert(told || !owns(p, fails_on));
    if (hit_size(base) > 1) compare(p); /* else nothing is lost */
    do_anew(p);
    end(p);
}

START_TEST(a_kernel_that_fails_is_told_where_it_is_read_and_nobody_waits)
{
    static program p;

    for (int at = 0; at < 60; at += hit_random_is_slow() ? 29 : 7) {
        fail_once(&p, devices[_i], 1 + (uint64_t)at, at);
    }
}
END_TEST

/* Allocation number @p at of one process is refused; 0: none is. All results are right,
 * or it is told. The number of allocations. */
static long refuse_once(program *p, const char *on, long at)
{
    uint64_t told = 0;

    begin(p, on, 9);
    test_fault.fail_at = at % hit_size(base) == hit_rank(base) ? at : 0;
    test_fault_begin();
    for (int k = 0; k < LAUNCHES; k++) {
        int block[3];

        choose(p, block);
        told += launch(p, block[0], block[1], block[2]) != HIT_OK;
        mix_plainly(p, block[0], block[1], block[2]);
    }
    test_fault.on = false;
    told += hit_wait(p->hit) != HIT_OK;
    HIT_MUST(hit_comm_max_u64(base->comm, &told, 1));
    if (told == 0) compare(p);
    do_anew(p);
    end(p);
    return test_fault.count[FAULT_ALLOCATION];
}

START_TEST(memory_that_is_refused_is_told_and_nobody_waits)
{
    static program p;
    uint64_t count;

    count = (uint64_t)refuse_once(&p, devices[_i], 0);
    HIT_MUST(hit_comm_max_u64(base->comm, &count, 1));
    for (long at = 1; at <= (long)count; at += hit_random_is_slow() ? 997 : 199) {
        (void)refuse_once(&p, devices[_i], at);
    }
}
END_TEST

/* What is sent, and what that needs, runs before what was launched earlier. */
START_TEST(what_others_wait_for_comes_first)
{
    static program p;
    int chosen = -1;
    int before = 0;

    begin(&p, devices[0], 5);
    runs = 0;
    for (int k = 2; k < ALL; k++) { /* none depends on another one */
        before += owns(&p, k);
        HIT_MUST(launch(&p, k, 1, 1));
    }
    HIT_MUST(launch(&p, 0, 1, 1));
    for (int k = ALL - 1; k >= 2 && chosen < 0; k--) {
        if (owns(&p, 0) != owns(&p, k)) chosen = k; /* on all processes alike, of two */
    }
    if (hit_size(base) == 2) {
        HIT_MUST(launch(&p, chosen, 0, 0));
        if (owns(&p, 0)) {
            ck_assert_int_gt(before, 10);
            ck_assert_int_lt(runs, before);
        }
    }
    HIT_MUST(hit_wait(p.hit));
    end(&p);
}
END_TEST

/* ---- a kernel of many arguments ---- */

enum {
    WRITTEN = 7
};

typedef struct numbers {
    int64_t of[40]; /* a value of more than 256 bytes */
} numbers;

static hit_status add_numbers(const hit_run *run)
{
    const numbers *n = run->slot[WRITTEN].base;

    take_some_time();
    if (fails_on >= 0) return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    for (int a = 0; a < WRITTEN; a++) {
        for (int e = 0; e < EDGE * EDGE; e++) {
            mix_row(run, a, e / EDGE)[e % EDGE] += n->of[39 - a];
        }
    }
    return HIT_OK;
}

#define WRITTEN_BLOCK                                                                    \
    {                                                                                    \
        HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "c", "[:, :]"                 \
    }

static const hit_kernel add = {
    .name = "add",
    .dims = 1,
    .index = {"k"},
    .args = WRITTEN + 1,
    .arg =
        (const hit_kernel_arg[]){
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            WRITTEN_BLOCK,
            {HIT_MODE_VALUE, {HIT_KIND_BYTES, sizeof(numbers)}, "n", NULL}},
    .whole_box = 1,
    .host = add_numbers};

/* The first blocks of the owner of the first one. */
static void find_written(const program *p, int block[])
{
    int count = 0;

    for (int k = 0; count < WRITTEN; k++) {
        if (owner_of(p, k) == owner_of(p, 0)) block[count++] = k;
    }
}

static hit_status launch_add(const program *p, const int block[], const numbers *n)
{
    hit_arg args[WRITTEN + 1] = {[WRITTEN] = {NULL, n, {HIT_KIND_BYTES, sizeof(*n)}}};

    for (int a = 0; a < WRITTEN; a++) {
        args[a] = HIT_ARG(p->block[block[a]]);
    }
    return hit_launch_args(p->hit, NULL, &add, hit_domain_of(1), WRITTEN + 1, args);
}

/* However many they are, and however large the values. */
START_TEST(launches_of_many_arguments_are_tasks_that_lose_all_they_write)
{
    static program p;
    int block[WRITTEN];
    numbers n = {{0}};
    bool told = false;

    begin(&p, devices[0], 3);
    find_written(&p, block);
    for (int64_t k = 1; k <= 20; k++) {
        for (int a = 0; a < WRITTEN; a++) {
            n.of[39 - a] = k + a;
            for (int e = 0; e < EDGE * EDGE; e++) {
                p.want[block[a]][e / EDGE][e % EDGE] += k + a;
            }
        }
        HIT_MUST(launch_add(&p, block, &n));
    }
    memset(&n, 0, sizeof(n));
    if (hit_size(base) > 1 && owns(&p, 0)) ck_assert_uint_gt(tasks_of(&p), 0);
    compare(&p);
    fails_on = 0;
    told |= launch_add(&p, block, &n) != HIT_OK;
    told |= hit_wait(p.hit) != HIT_OK;
    ck_assert(told || !owns(&p, 0));
    for (int a = 0; a < WRITTEN; a++) {
        p.lost[block[a]] = true;
    }
    if (hit_size(base) > 1) compare(&p);
    do_anew(&p);
    end(&p);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hit/run/tasks_processes");
    TCase *tc = tcase_create("tasks");

    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, random_launches_do_what_plain_loops_do, 0, 3);
    tcase_add_loop_test(tc, a_kernel_that_fails_is_told_where_it_is_read_and_nobody_waits,
                        0, 3);
    tcase_add_loop_test(tc, memory_that_is_refused_is_told_and_nobody_waits, 0, 3);
    tcase_add_test(tc, what_others_wait_for_comes_first);
    tcase_add_test(tc, launches_of_many_arguments_are_tasks_that_lose_all_they_write);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
