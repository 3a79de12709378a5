/* SPDX-License-Identifier: MIT
 * Kernels of whole boxes on the threads of their device: all of them run, barriers keep
 * them together, and a device of one thread has none. */
#include "hit/hit.h"
#include "hit/kernel.h"
#include "tests/support/check_main.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MOST = 4, /* threads of a device */
    STEPS = 50,
    N = 24
};

static hit_context *base; /* keeps MPI open */

typedef struct seen {
    const hit_run *run;
    atomic_int here[MOST];
    atomic_int wrong;
    int threads;
} seen;

/* After each barrier all have done the step before it. */
static void take_steps(void *of, int thread, int threads)
{
    seen *s = of;

    if (thread == 0) s->threads = threads;
    for (int step = 1; step <= STEPS; step++) {
        atomic_store_explicit(&s->here[thread], step, memory_order_relaxed);
        hit_run_barrier(s->run);
        for (int k = 0; k < threads; k++) {
            const int at = atomic_load_explicit(&s->here[k], memory_order_relaxed);

            if (at != step) atomic_fetch_add(&s->wrong, 1);
        }
        hit_run_barrier(s->run);
    }
}

HIT_BOX_KERNEL(step_together, (i, j), (out, int64_t, y, "[i, j]"))
{
    seen s = {.run = run};

    hit_run_team(run, take_steps, &s);
    if (s.wrong > 0 || s.threads != run->threads) {
        return HIT_FAIL(HIT_E_DEVICE, "%d times a thread was ahead; %d threads of %d",
                        s.wrong, s.threads, run->threads);
    }
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            const hit_index at[] = {i, j};

            *(int64_t *)hit_run_address(run, 0, 2, at, sizeof(int64_t)) = s.threads;
        }
    }
    return HIT_OK;
}

static hit_tile *make(hit_context *hit, hit_index n, hit_type type)
{
    hit_tile *tile = NULL;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(n, n), "block", type, "t", &tile));
    return tile;
}

static void count(hit_tile *tile, hit_index found[MOST + 1])
{
    hit_view view;

    memset(found, 0, (MOST + 1) * sizeof found[0]);
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            const int64_t threads = HIT_AT(view, int64_t, i, j);

            ck_assert(threads > 0 && threads <= MOST);
            found[threads]++;
        }
    }
}

/* On one device, on groups, and on a device with memory of its own; wide launches, and
 * narrow ones, which are tasks. */
START_TEST(all_threads_of_a_device_take_part_and_wait_for_each_other)
{
    static const struct {
        const char *devices;
        int most; /* threads of a device */
    } cases[] = {
        {"host:threads=1", 1},
        {"host:threads=3", 3},
        {"host:threads=2 * 2", 2},
        {"host:threads=1 + host:threads=3", 3},
        {"host:threads=2:staged:memory=1MiB", 2},
    };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const hit_domain all = hit_domain_of(N, N);
        hit_index found[MOST + 1];
        hit_context *hit = NULL;
        hit_tile *tile;

        HIT_MUST(
            hit_open_with(NULL, NULL, &(hit_options){.devices = cases[k].devices}, &hit));
        tile = make(hit, N, HIT_INT64);
        HIT_MUST(hit_launch(hit, &step_together, all, tile));
        count(tile, found);
        ck_assert(found[cases[k].most] > 0);
        for (hit_index i = 0; i < N; i++) {
            const hit_domain row = {.dims = 2, .sig = {{i, i, 1}, {0, N - 1, 1}}};

            HIT_MUST(hit_launch(hit, &step_together, row, tile));
        }
        HIT_MUST(hit_wait(hit));
        count(tile, found);
        hit_tile_destroy(&tile);
        hit_close(&hit);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("team");
    TCase *tc = tcase_create("team");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, all_threads_of_a_device_take_part_and_wait_for_each_other);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
