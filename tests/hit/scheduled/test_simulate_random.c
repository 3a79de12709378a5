/* SPDX-License-Identifier: MIT
 * Random programs on blocks of a tile, on simulated machines and on real devices, by
 * every scheduler and in memories of a few blocks, against plain loops in program order.
 */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel mix_int64;

enum {
    BLOCKS = 4,
    EDGE = 3,
    N = BLOCKS * EDGE
};

static hit_context *base; /* keeps MPI open */

typedef struct program {
    hit_context *hit;
    hit_random *random;
    hit_tile *all;
    hit_tile *block[BLOCKS * BLOCKS];
    int64_t want[N][N];
} program;

static int pick(program *p, int low, int high)
{
    return (int)hit_random_index(p->random, low, high);
}

static int64_t *element(program *p, int block, int i, int j)
{
    return &p->want[block / BLOCKS * EDGE + i][block % BLOCKS * EDGE + j];
}

static void launch(program *p)
{
    const int blocks = BLOCKS * BLOCKS;
    const int c = pick(p, 0, blocks - 1);
    const int a = (c + pick(p, 1, blocks - 1)) % blocks;
    const int b = (c + pick(p, 1, blocks - 1)) % blocks;

    HIT_MUST(hit_launch(p->hit, &mix_int64, hit_domain_of(1), p->block[c], p->block[a],
                        p->block[b]));
    for (int i = 0; i < EDGE; i++) {
        for (int j = 0; j < EDGE; j++) {
            int64_t *to = element(p, c, i, j);

            *to = (3 * *to + *element(p, a, i, j) + 2 * *element(p, b, j, i)) % 1000003;
        }
    }
}

/* Read some elements, change some, or wait; false: they are not what they should be. */
static bool look(program *p)
{
    const int block = pick(p, 0, BLOCKS * BLOCKS - 1);
    const int what = pick(p, 0, 3);
    const hit_index begin[] = {block / BLOCKS * EDGE, block % BLOCKS * EDGE};
    bool good = true;
    hit_view view;

    if (what == 0) {
        HIT_MUST(hit_wait(p->hit));
        return true;
    }
    HIT_MUST(
        hit_tile_map(p->block[block], 0, what == 1 ? HIT_READ : HIT_READ_WRITE, &view));
    for (int i = 0; i < EDGE; i++) {
        for (int j = 0; j < EDGE; j++) {
            int64_t *found = &HIT_AT(view, int64_t, begin[0] + i, begin[1] + j);

            good = good && *found == *element(p, block, i, j);
            if (what > 1) *found = *element(p, block, i, j) = pick(p, 0, 1000);
        }
    }
    return good;
}

static void open_on(program *p, const char *devices, const char *scheduler)
{
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    HIT_MUST(hit_schedule(p->hit, scheduler));
    HIT_MUST(hit_layout_create(p->hit, hit_domain_of(N, N), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "A", &p->all));
    hit_layout_destroy(&layout);
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
        const hit_index i = k / BLOCKS * EDGE;
        const hit_index j = k % BLOCKS * EDGE;
        const hit_domain box = {.dims = 2,
                                .sig = {{i, i + EDGE - 1, 1}, {j, j + EDGE - 1, 1}}};

        HIT_MUST(hit_tile_select(p->all, box, &p->block[k]));
    }
}

static void close_all(program *p)
{
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
        hit_tile_destroy(&p->block[k]);
    }
    hit_tile_destroy(&p->all);
    hit_close(&p->hit);
}

static bool run(program *p, int steps, int every)
{
    int64_t found[N][N];
    bool good = true;

    for (int step = 0; step < steps; step++) {
        if (pick(p, 1, every) > 1) {
            launch(p);
        } else {
            good = look(p) && good;
        }
    }
    HIT_MUST(hit_tile_gather(p->all, 0, found));
    return good && memcmp(found, p->want, sizeof found) == 0;
}

static const char *const options[] = {"mct:beta=2,queue=rank", "dada:alpha=0.5,cp",
                                      "mct:queue=lack", "steal:affinity"};

START_TEST(programs_are_as_if_in_order_by_every_scheduler_in_every_memory)
{
    hit_random random = hit_random_start(61);
    const int names = hit_scheduler_table_count + 4;

    for (int k = 0; k < 10 * names; k++) {
        const int s = k % names;
        const char *scheduler = s < 4 ? options[s] : hit_scheduler_table[s - 4]->name;
        program p = {.random = &random};
        char devices[160];

        /* three to nine blocks */
        (void)snprintf(
            devices, sizeof devices,
            "simulated:machines/%s.machine:gpus=%d,cpus=%d,memory=%d,window=%d,"
            "noise=%d,seed=%d,back=%s",
            k % 3 ? "idgraf" : "sirocco", pick(&p, 1, 4), pick(&p, 0, 3),
            pick(&p, 3 * EDGE * EDGE * 8, 9 * EDGE * EDGE * 8), pick(&p, 0, 3), k % 20, k,
            k / names % 2 ? "arrived" : "asked");
        open_on(&p, devices, scheduler);
        ck_assert_msg(run(&p, hit_random_cases(300), k % 2 ? 8 : 100), "%s on %s",
                      scheduler, devices);
        close_all(&p);
    }
}
END_TEST

/* ---- on real devices ---- */

/* Devices that tell late, and in any order, that something is over. */
static struct {
    const void *state;
    const hit_memory_ops *real;
    hit_memory_ops late;
} late[4];
static hit_random dice;

static hit_status reached_late(void *state, hit_lane lane, uint64_t mark, bool *over)
{
    int k = 0;

    while (late[k].state != state) {
        k++;
    }
    *over = false;
    if (hit_random_index(&dice, 0, 2) > 0) return HIT_OK;
    return late[k].real->reached(state, lane, mark, over);
}

static void be_late(const hit_context *hit)
{
    for (int d = 0; d < hit->devices; d++) {
        hit_device *device = hit->device[d];

        if (hit_device_in_place(device)) continue;
        late[d].state = device->state;
        late[d].real = device->memory;
        late[d].late = *device->memory;
        late[d].late.reached = reached_late;
        device->memory = &late[d].late;
    }
}

/* One to four, each with three to nine blocks, or in place; at least the first one has a
 * memory of its own, and is a GPU if there is one. */
static void choose_devices(program *p, char text[], size_t size)
{
    const bool gpu = strcmp(base->device[0]->ops->kind, "cuda") == 0;
    const int count = pick(p, 1, 4);
    int used = 0;

    for (int d = 0; d < count; d++) {
        const bool first = gpu && d == 0;

        used += snprintf(text + used, size - (size_t)used, "%s%s", d > 0 ? " + " : "",
                         first               ? "cuda:0"
                         : pick(p, 0, 1) > 0 ? "host:threads=2"
                                             : "host:threads=1");
        if (d > 0 && pick(p, 0, 3) == 0) continue;
        used += snprintf(text + used, size - (size_t)used, ":memory=%dB",
                         pick(p, 3 * EDGE * EDGE * 8 + 16, 9 * EDGE * EDGE * 8));
        if (!first && pick(p, 0, 3) == 0) {
            used += snprintf(text + used, size - (size_t)used, ":slow=3");
        }
    }
}

START_TEST(programs_are_as_if_in_order_on_real_devices_by_every_scheduler)
{
    hit_random random = hit_random_start(62);
    const int names = hit_scheduler_table_count + 4;

    dice = hit_random_start(63);
    for (int k = 0; k < 4 * names; k++) {
        const int s = k % names;
        const char *scheduler = s < 4 ? options[s] : hit_scheduler_table[s - 4]->name;
        program p = {.random = &random};
        char devices[200];

        choose_devices(&p, devices, sizeof devices);
        open_on(&p, devices, scheduler);
        if (k % 3 == 0) be_late(p.hit);
        ck_assert_msg(run(&p, hit_random_cases(150), k % 2 ? 8 : 100), "%s on %s",
                      scheduler, devices);
        close_all(&p);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("simulate_random");
    TCase *tc = tcase_create("random");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, programs_are_as_if_in_order_by_every_scheduler_in_every_memory);
    tcase_add_test(tc, programs_are_as_if_in_order_on_real_devices_by_every_scheduler);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
