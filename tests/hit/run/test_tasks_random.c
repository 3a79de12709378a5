/* SPDX-License-Identifier: MIT
 * Random programs whose launches return before they run, against plain loops in program
 * order, to the bit. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule.h"
#include "tests/hit/run/tasks_kernels.h"
#include "tests/hit/run/tasks_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel mix, mix_large, stir, transpose, turn;

enum {
    N = 12,
    TILES = 4
};

static hit_context *base; /* keeps MPI open */

typedef struct program {
    hit_context *hit;
    hit_random *random;
    hit_tile *tile[TILES];
    int64_t want[TILES][N][N];
} program;

static hit_index pick(program *p, hit_index low, hit_index high)
{
    return hit_random_index(p->random, low, high);
}

static void launch(program *p)
{
    const int c = (int)pick(p, 0, TILES - 1);
    const int a = (c + (int)pick(p, 1, TILES - 1)) % TILES;
    const int b = (c + (int)pick(p, 1, TILES - 1)) % TILES;
    const hit_index i0 = pick(p, 0, N - 1);
    const hit_index j0 = pick(p, 0, N - 1);
    const hit_index rows = pick(p, 1, N - i0);
    const hit_index columns = pick(p, 1, N - j0);
    const int64_t more = pick(p, 0, 99);

    for (hit_index i = i0; i < i0 + rows; i++) {
        for (hit_index j = j0; j < j0 + columns; j++) {
            int64_t sum = 3 * p->want[c][i][j] + more;

            for (int k = 0; k < N; k++) {
                sum += p->want[a][i][k] * p->want[b][k][j];
            }
            p->want[c][i][j] = sum % MIX_PRIME;
        }
    }
    HIT_MUST(hit_launch(p->hit, &mix, tasks_box(i0, j0, rows, columns), p->tile[c],
                        p->tile[a], p->tile[b], HIT_VALUE(more)));
}

static hit_sig random_range(program *p)
{
    const hit_index begin = pick(p, 0, N - 1);
    const hit_index stride = pick(p, 1, 3);

    return hit_sig_make(begin, begin + pick(p, 0, (N - 1 - begin) / stride) * stride,
                        stride);
}

static void launch_stir(program *p)
{
    const int c = (int)pick(p, 0, TILES - 1);
    const int a = (c + (int)pick(p, 1, TILES - 1)) % TILES;
    const int64_t more = pick(p, 0, 99);
    const hit_domain at = {.dims = 2, .sig = {random_range(p), random_range(p)}};

    HIT_MUST(hit_launch(p->hit, &stir, at, p->tile[c], p->tile[a], HIT_VALUE(more)));
    for (hit_index i = at.sig[0].begin; i <= at.sig[0].end; i += at.sig[0].stride) {
        for (hit_index j = at.sig[1].begin; j <= at.sig[1].end; j += at.sig[1].stride) {
            int64_t *to = &p->want[c][i][j];

            *to = (3 * *to + p->want[a][j][i] + more) % MIX_PRIME;
        }
    }
}

static void launch_turn(program *p)
{
    const int c = (int)pick(p, 0, TILES - 1);
    const hit_sig rows = random_range(p);

    HIT_MUST(
        hit_launch(p->hit, &turn, ((hit_domain){.dims = 1, .sig = {rows}}), p->tile[c]));
    for (hit_index i = rows.begin; i <= rows.end; i += rows.stride) {
        for (hit_index j = 0; j < N; j++) {
            p->want[c][i][j] = (5 * p->want[c][i][j] + i + j) % MIX_PRIME;
        }
    }
}

static void launch_any(program *p)
{
    switch (pick(p, 0, 4)) {
    case 0:
        launch_stir(p);
        break;
    case 1:
        launch_turn(p);
        break;
    default:
        launch(p);
        break;
    }
}

static void renew(program *p, int k)
{
    hit_tile_destroy(&p->tile[k]);
    p->tile[k] = tasks_tile(p->hit, N, N);
    memset(p->want[k], 0, sizeof(p->want[k]));
}

static void launch_large(program *p, int k, int other)
{
    const large more = {.number[39] = pick(p, 0, 99)};

    HIT_MUST(hit_launch(p->hit, &mix_large, tasks_box(0, 0, N, N), p->tile[k],
                        p->tile[other], HIT_VALUE(more)));
    for (int e = 0; e < N * N; e++) {
        int64_t *c = &p->want[k][e / N][e % N];

        *c = (3 * *c + more.number[39]) % MIX_PRIME;
    }
}

static void launch_transpose(program *p, int k, int other)
{
    HIT_MUST(hit_launch(p->hit, &transpose, tasks_box(0, 0, N, N), p->tile[k],
                        p->tile[other]));
    for (int e = 0; e < N * N; e++) {
        p->want[k][e / N][e % N] = p->want[other][e % N][e / N];
    }
}

/* Through a selection of the tile. */
static void fill_corner(program *p, int k, int64_t value)
{
    hit_tile *corner = NULL;

    HIT_MUST(hit_tile_select(p->tile[k], tasks_box(0, 0, 3, N), &corner));
    HIT_MUST(hit_tile_fill(corner, &value));
    hit_tile_destroy(&corner);
    for (int e = 0; e < 3 * N; e++) {
        p->want[k][e / N][e % N] = value;
    }
}

/* Something other than a launch that waits; false: the tiles are not what they should be.
 */
static bool look(program *p)
{
    const int k = (int)pick(p, 0, TILES - 1);
    const int other = (k + 1) % TILES;
    const hit_index i = pick(p, 0, N - 1);
    const int64_t value = pick(p, 0, 99);
    int64_t found[N][N];

    switch (pick(p, 0, 8)) {
    case 0:
        return tasks_element(p->tile[k], i, 3) == p->want[k][i][3];
    case 1:
        HIT_MUST(hit_tile_gather(p->tile[k], 0, found));
        return memcmp(found, p->want[k], sizeof(found)) == 0;
    case 2:
        HIT_MUST(hit_tile_fill(p->tile[k], &value));
        for (int e = 0; e < N * N; e++) {
            p->want[k][e / N][e % N] = value;
        }
        return true;
    case 3:
        HIT_MUST(hit_tile_copy(p->tile[k], p->tile[other]));
        memcpy(p->want[other], p->want[k], sizeof(p->want[k]));
        return true;
    case 4:
        launch_large(p, k, other);
        return true;
    case 5:
        launch_transpose(p, k, other);
        return true;
    case 6:
        fill_corner(p, k, value);
        return true;
    case 7:
        hit_tile_swap(&p->tile[k], &p->tile[other]);
        memcpy(found, p->want[k], sizeof(found));
        memcpy(p->want[k], p->want[other], sizeof(found));
        memcpy(p->want[other], found, sizeof(found));
        return true;
    default:
        renew(p, k);
        return true;
    }
}

/* Each of @p every steps looks, so that many launches wait. Closes *hit. */
static bool run_program(hit_context **hit, hit_random *random, hit_index every, int steps)
{
    program p = {.hit = *hit, .random = random};
    bool good = true;

    for (int k = 0; k < TILES; k++) {
        p.tile[k] = tasks_tile(p.hit, N, N);
    }
    for (int step = 0; step < steps; step++) {
        if (pick(&p, 1, every) > 1) {
            launch_any(&p);
        } else {
            good = look(&p) && good;
        }
    }
    for (int k = 0; k < TILES; k++) {
        int64_t found[N][N];

        HIT_MUST(hit_tile_gather(p.tile[k], 0, found));
        good = good && memcmp(found, p.want[k], sizeof(found)) == 0;
        hit_tile_destroy(&p.tile[k]);
    }
    hit_close(hit);
    return good;
}

static void run_programs(hit_random *random, hit_index every)
{
    static const char *const devices[] = {
        "host:threads=1",     "host:threads=2",     "host:threads=4",
        "host:threads=1 * 3", "host:threads=2 * 2", "host:threads=2 + host:threads=1*2"};

    for (size_t d = 0; d < sizeof(devices) / sizeof(devices[0]); d++) {
        hit_context *hit = tasks_open(devices[d]);
        const bool good = run_program(&hit, random, every, hit_random_cases(4000));

        ck_assert_msg(good, "%s", devices[d]);
    }
}

START_TEST(nobody_sees_that_launches_waited)
{
    hit_random random = hit_random_start(91);

    run_programs(&random, 6);
}
END_TEST

START_TEST(many_launches_between_two_looks_are_as_if_in_order)
{
    hit_random random = hit_random_start(92);

    run_programs(&random, 1000);
}
END_TEST

/* Kernels that the machine does not know, boxes that overlap, and memories of one to a
 * few tiles. */
START_TEST(on_simulated_machines_launches_are_as_if_in_order)
{
    hit_random random = hit_random_start(93);

    for (int k = 0; k < 5 * hit_scheduler_table_count; k++) {
        const char *name = hit_scheduler_table[k % hit_scheduler_table_count]->name;
        hit_context *hit = NULL;
        char devices[128];

        (void)snprintf(
            devices, sizeof(devices),
            "simulated:machines/idgraf.machine:gpus=%d,cpus=%d,memory=%d,"
            "noise=%d,seed=%d",
            (int)hit_random_index(&random, 0, 4), (int)hit_random_index(&random, 1, 3),
            (int)hit_random_index(&random, 3 * N * N * 8, 12 * N * N * 8), k % 20, k);
        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
        HIT_MUST(hit_schedule(hit, name));
        ck_assert_msg(run_program(&hit, &random, k % 2 ? 6 : 100, hit_random_cases(400)),
                      "%s by %s", devices, name);
    }
}
END_TEST

/* The same on devices of which some have a memory of their own, of some tiles. */
START_TEST(on_real_devices_placed_launches_are_as_if_in_order)
{
    hit_random random = hit_random_start(94);

    for (int k = 0; k < 3 * hit_scheduler_table_count; k++) {
        const char *name = hit_scheduler_table[k % hit_scheduler_table_count]->name;
        const int bytes = (int)hit_random_index(&random, N * N * 8, 12 * N * N * 8);
        hit_context *hit = NULL;
        char devices[128];

        (void)snprintf(devices, sizeof(devices),
                       "host:threads=2:memory=%dB + host:threads=1%s%s", bytes,
                       k % 3 == 0 ? ":memory=6KiB" : "",
                       k % 2 ? " + host:threads=1:memory=10KiB" : "");
        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
        HIT_MUST(hit_schedule(hit, name));
        ck_assert_msg(run_program(&hit, &random, k % 2 ? 6 : 100, hit_random_cases(200)),
                      "%s by %s", devices, name);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tasks");
    TCase *tc = tcase_create("random");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, nobody_sees_that_launches_waited);
    tcase_add_test(tc, many_launches_between_two_looks_are_as_if_in_order);
    tcase_add_test(tc, on_simulated_machines_launches_are_as_if_in_order);
    tcase_add_test(tc, on_real_devices_placed_launches_are_as_if_in_order);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
