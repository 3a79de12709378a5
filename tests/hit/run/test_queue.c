/* SPDX-License-Identifier: MIT
 * Launches of whole-box kernels that return before they run: they run beside each other
 * where nothing keeps them apart, and nobody can see the difference. */
#include "hit/hit.h"
#include "tests/hit/run/queue_kernels.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel who, mix, mix_large, meet, refuse, transpose;

enum {
    N = 12,
    TILES = 4
};

static hit_context *base; /* keeps MPI open */

static hit_context *open_threads(int threads)
{
    char devices[32];
    hit_context *hit = NULL;

    (void)snprintf(devices, sizeof(devices), "host:threads=%d", threads);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    return hit;
}

static hit_tile *make_tile(hit_context *hit, const char *name)
{
    const int64_t zero = 0;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, N), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, name, &tile));
    HIT_MUST(hit_tile_fill(tile, &zero));
    hit_layout_destroy(&layout);
    return tile;
}

static hit_domain box(hit_index i, hit_index j, hit_index rows, hit_index columns)
{
    return hit_domain_box(2, (const hit_index[]){i, j},
                          (const hit_index[]){i + rows - 1, j + columns - 1});
}

static int64_t element(hit_tile *tile, hit_index i, hit_index j)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    return *(int64_t *)hit_view_at(&view, (const hit_index[]){i, j});
}

/* A context of two threads, with two tiles. */
typedef struct scene {
    hit_context *hit;
    hit_tile *c;
    hit_tile *a;
} scene;

static scene open_scene(void)
{
    scene s = {.hit = open_threads(2)};

    s.c = make_tile(s.hit, "c");
    s.a = make_tile(s.hit, "a");
    return s;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->c);
    hit_tile_destroy(&s->a);
    hit_close(&s->hit);
}

/* ---- side by side or not ---- */

START_TEST(what_is_independent_runs_side_by_side_in_whole_boxes)
{
    scene s = open_scene();

    HIT_MUST(hit_launch(s.hit, &meet, box(0, 0, N, 6), s.c, s.a));
    HIT_MUST(hit_launch(s.hit, &meet, box(0, 6, N, 6), s.c, s.a));
    ck_assert_int_eq(element(s.c, 3, 3), 6 * N);
    ck_assert_int_eq(element(s.c, 3, 9), 6 * N);
    close_scene(&s);
}
END_TEST

START_TEST(what_is_alone_or_much_larger_is_cut)
{
    scene s = open_scene();

    HIT_MUST(hit_launch(s.hit, &meet, box(0, 0, N, N), s.c, s.a));
    HIT_MUST(hit_wait(s.hit));
    ck_assert_int_eq(element(s.c, 0, 0), N * N / 2);
    HIT_MUST(hit_launch(s.hit, &meet, box(0, 10, 2, 2), s.c, s.a));
    HIT_MUST(hit_launch(s.hit, &meet, box(0, 0, N, 10), s.c, s.a));
    ck_assert_int_eq(element(s.c, 0, 0), N * 10 / 2);
    ck_assert_int_eq(element(s.c, 0, 11), 2);
    close_scene(&s);
}
END_TEST

/* ---- errors ---- */

START_TEST(errors_are_told_once_by_whoever_waits)
{
    scene s = open_scene();

    for (int way = 0; way < 2; way++) {
        hit_tile *gone = make_tile(s.hit, "gone");
        hit_status status;

        HIT_MUST(hit_launch(s.hit, &refuse, box(2, 0, 3, 3), gone, s.a));
        HIT_MUST(hit_launch(s.hit, &refuse, box(5, 0, 3, 3), gone, s.a));
        HIT_MUST(hit_launch(s.hit, &meet, box(0, 0, 3, 3), s.c, s.a));
        if (way == 0) hit_tile_destroy(&gone); /* runs them, but cannot tell */
        status = hit_wait(s.hit);
        ck_assert_int_eq(status, HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "refused row 2"));
        HIT_MUST(hit_wait(s.hit));
        ck_assert_int_eq(abs((int)element(s.c, 0, 0)), 9);
        hit_tile_destroy(&gone);
    }
    for (int k = 0; k < 2; k++) { /* the first of two is told */
        hit_tile *gone = make_tile(s.hit, "gone");

        HIT_MUST(hit_launch(s.hit, &refuse, box(4, 0, 3, 3), gone, s.a));
        hit_tile_destroy(&gone);
        HIT_MUST(hit_launch(s.hit, &refuse, box(8, 0, 3, 3), s.c, s.a));
        ck_assert_int_eq(hit_wait(s.hit), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "refused row 4"));
        HIT_MUST(hit_wait(s.hit));
    }
    HIT_MUST(hit_launch(s.hit, &refuse, box(0, 0, 3, 3), s.c, s.a));
    close_scene(&s); /* with something that was not told */
}
END_TEST

/* ---- many ---- */

START_TEST(more_launches_than_may_wait_run_all_the_same)
{
    scene s = open_scene();
    int64_t found[N][N];
    hit_stats stats;
    bool good = true;

    for (int64_t k = 0; k < (int64_t)N * N; k++) {
        HIT_MUST(hit_launch(s.hit, &mix, box(k / N, k % N, 1, 1), s.c, s.a, s.a,
                            HIT_VALUE(k)));
    }
    HIT_MUST(hit_tile_gather(s.c, 0, found));
    for (int64_t k = 0; k < (int64_t)N * N; k++) {
        good = good && found[k / N][k % N] == k;
    }
    ck_assert(good);
    hit_context_stats(s.hit, &stats);
    ck_assert_uint_eq(stats.launches, N * N);
    close_scene(&s);
}
END_TEST

/* Each launch needs what the one before wrote. */
START_TEST(the_time_of_what_waited_counts_once)
{
    scene s = open_scene();
    const double start_s = hit_time(s.hit);
    hit_stats stats;

    for (int64_t k = 0; k < 300; k++) {
        HIT_MUST(
            hit_launch(s.hit, &mix, hit_domain_of(N, N), s.c, s.a, s.a, HIT_VALUE(k)));
    }
    HIT_MUST(hit_wait(s.hit));
    hit_context_stats(s.hit, &stats);
    ck_assert_double_gt(stats.busy_s, 0);
    ck_assert_double_le(stats.busy_s, hit_time(s.hit) - start_s);
    close_scene(&s);
}
END_TEST

/* ---- random programs ---- */

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
    HIT_MUST(hit_launch(p->hit, &mix, box(i0, j0, rows, columns), p->tile[c], p->tile[a],
                        p->tile[b], HIT_VALUE(more)));
}

static void renew(program *p, int k)
{
    hit_tile_destroy(&p->tile[k]);
    p->tile[k] = make_tile(p->hit, "renewed");
    memset(p->want[k], 0, sizeof(p->want[k]));
}

static void launch_large(program *p, int k, int other)
{
    const large more = {.number[39] = pick(p, 0, 99)};

    HIT_MUST(hit_launch(p->hit, &mix_large, box(0, 0, N, N), p->tile[k], p->tile[other],
                        HIT_VALUE(more)));
    for (int e = 0; e < N * N; e++) {
        int64_t *c = &p->want[k][e / N][e % N];

        *c = (3 * *c + more.number[39]) % MIX_PRIME;
    }
}

static void launch_transpose(program *p, int k, int other)
{
    HIT_MUST(hit_launch(p->hit, &transpose, box(0, 0, N, N), p->tile[k], p->tile[other]));
    for (int e = 0; e < N * N; e++) {
        p->want[k][e / N][e % N] = p->want[other][e % N][e / N];
    }
}

/* Through a selection of the tile. */
static void fill_corner(program *p, int k, int64_t value)
{
    hit_tile *corner = NULL;

    HIT_MUST(hit_tile_select(p->tile[k], box(0, 0, 3, N), &corner));
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
        return element(p->tile[k], i, 3) == p->want[k][i][3];
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

START_TEST(nobody_sees_that_launches_waited)
{
    hit_random random = hit_random_start(91);

    for (int threads = 1; threads <= 4; threads++) {
        program p = {.hit = open_threads(threads), .random = &random};
        bool good = true;

        for (int k = 0; k < TILES; k++) {
            p.tile[k] = make_tile(p.hit, "t");
        }
        for (int step = 0; step < hit_random_cases(4000); step++) {
            if (pick(&p, 0, 5) > 0) {
                launch(&p);
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
        ck_assert_msg(good, "%d threads", threads);
        hit_close(&p.hit);
    }
}
END_TEST

/* Threads that ran a launch of that many indices on a context of two threads. */
static int threads_of(hit_index indices)
{
    hit_context *hit = open_threads(2);
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_view view;
    int threads = 1;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(indices), "single", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "threads", &tile));
    HIT_MUST(hit_launch(hit, &who, hit_domain_of(indices), tile));
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (hit_index i = 1; i < indices; i++) {
        threads += ((const int64_t *)view.data)[i] != ((const int64_t *)view.data)[i - 1];
    }
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return threads;
}

START_TEST(a_small_launch_wakes_no_thread)
{
    ck_assert_int_eq(threads_of(16), 1);
    ck_assert_int_eq(threads_of(100000), 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("queue");
    TCase *tc = tcase_create("queue");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_small_launch_wakes_no_thread);
    tcase_add_test(tc, what_is_independent_runs_side_by_side_in_whole_boxes);
    tcase_add_test(tc, what_is_alone_or_much_larger_is_cut);
    tcase_add_test(tc, errors_are_told_once_by_whoever_waits);
    tcase_add_test(tc, more_launches_than_may_wait_run_all_the_same);
    tcase_add_test(tc, the_time_of_what_waited_counts_once);
    tcase_add_test(tc, nobody_sees_that_launches_waited);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
