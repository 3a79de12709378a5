/* SPDX-License-Identifier: MIT
 * Random chains on devices whose memory is too small for their tiles, with looks at
 * random places: the bits of one launch after the other, and never more bytes. What tasks
 * move is up to time, which says how many of them the scheduler chooses from: so programs
 * for which one came run once more without it, where bytes are compared. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel kick, drift, upwind, source, border_row, keep_row, corners,
    turned;

static hit_context *base; /* keeps MPI open */

enum {
    ROWS = 4 * CHAINS_N,
    MOST = 6 /* launches of a step */
};

typedef enum act {
    STAR,
    CORNERS,
    KICK,
    DRIFT,
    UPWIND,
    SOURCE,
    BORDER,
    RECORD,
    TURNED,
    ACTS
} act;

/* A launch of the step; tiles by number. */
typedef struct deed {
    act what;
    int to;
    int from;
    hit_domain box;
} deed;

typedef struct program {
    int deeds;
    deed deed[MOST];
    int steps;
    int swap[2];
    hit_boundary boundary[2];
    int look;      /* every so many launches on average; 0: never */
    uint64_t seed; /* of the looks */
    size_t memory_bytes;
    bool unlike;  /* devices: what moves is not what moves without chains */
    bool without; /* a scheduler that comes at need */
    bool came;    /* one did */
} program;

static int pick(hit_random *random, int low, int high)
{
    return (int)hit_random_index(random, low, high);
}

/* All but the rim, or a part of it. */
static hit_domain random_box(hit_random *random)
{
    const hit_domain all = hit_domain_grow(hit_domain_of(ROWS, CHAINS_N), -2);
    hit_domain some = all;

    if (pick(random, 0, 3) > 0) return all;
    for (int d = 0; d < 2; d++) {
        const hit_index begin =
            hit_random_index(random, all.sig[d].begin, all.sig[d].end);

        some.sig[d] =
            hit_sig_make(begin, hit_random_index(random, begin, all.sig[d].end), 1);
    }
    return some;
}

static program make_program(uint64_t seed)
{
    static const hit_boundary kinds[] = {HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_MIRROR,
                                         HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_PERIODIC};
    hit_random random = {seed};
    program p = {.seed = seed * 7 + 1};

    p.deeds = pick(&random, 1, 3);
    for (int k = 0; k < p.deeds; k++) {
        const int to = pick(&random, 0, 2);

        p.deed[k] = (deed){.what = (act)pick(&random, 0, k == 0 ? UPWIND : ACTS - 1),
                           .to = to,
                           .from = (to + pick(&random, 1, 2)) % 3,
                           .box = random_box(&random)};
    }
    p.steps = pick(&random, 3, 30);
    p.swap[0] = pick(&random, 0, 2);
    p.swap[1] = pick(&random, 0, 2);
    p.boundary[0] = kinds[pick(&random, 0, 3)];
    p.boundary[1] = kinds[pick(&random, 0, 2)];
    p.look = pick(&random, 0, 2) * 9;
    p.memory_bytes = (size_t)pick(&random, 2500, 45000);
    return p;
}

/* ---- on a context ---- */

static hit_status launch(chains_scene *s, const deed *d, int t)
{
    hit_tile *to = s->tile[d->to];
    hit_tile *from = s->tile[d->from];
    const float value = (float)t;

    switch (d->what) {
    case STAR:
        return hit_launch(s->hit, &star, s->all, to, from, HIT_VALUE(value));
    case CORNERS:
        return hit_launch(s->hit, &corners, d->box, to, from);
    case KICK:
        return hit_launch(s->hit, &kick, d->box, to, from);
    case DRIFT:
        return hit_launch(s->hit, &drift, d->box, to, from);
    case UPWIND:
        return hit_launch(s->hit, &upwind, d->box, to, from);
    case SOURCE:
        return hit_launch(s->hit, &source, d->box, to, HIT_VALUE(value));
    case BORDER:
        return hit_launch(s->hit, &border_row, hit_domain_of(CHAINS_N), to, from);
    case RECORD:
        return hit_launch(
            s->hit, &keep_row,
            hit_domain_box(2, (hit_index[]){t, 0}, (hit_index[]){t, CHAINS_N - 1}), to,
            from);
    case TURNED:
        return hit_launch(s->hit, &turned, hit_domain_of(CHAINS_N, CHAINS_N), to, from);
    default:
        return HIT_OK;
    }
}

/* What a program may do between two launches. */
static void look(chains_scene *s, hit_random *random)
{
    hit_tile *tile = s->tile[pick(random, 0, 2)];
    const hit_index at[2] = {hit_random_index(random, 0, ROWS - 1),
                             hit_random_index(random, 0, CHAINS_N - 1)};
    hit_view view;
    float found;

    switch (pick(random, 0, 3)) {
    case 0:
        HIT_MUST(hit_tile_get(tile, at, &found));
        break;
    case 1:
        HIT_MUST(hit_tile_map(tile, 0, HIT_READ_WRITE, &view));
        *(float *)hit_view_at(&view, at) += 1;
        break;
    case 2:
        HIT_MUST(hit_tile_fill(tile, &(float){2}));
        break;
    default:
        HIT_MUST(hit_wait(s->hit));
    }
}

static void run_program(chains_scene *s, const program *p)
{
    hit_random random = {p->seed};

    for (int k = 0; k < CHAINS_TILES; k++) {
        for (int d = 0; d < 2; d++) {
            HIT_MUST(hit_tile_set_boundary(s->tile[k], d, p->boundary[d],
                                           &(float){(float)k + 0.5f}));
        }
    }
    for (int t = 0; t < p->steps; t++) {
        for (int k = 0; k < p->deeds; k++) {
            HIT_MUST(launch(s, &p->deed[k], t));
            if (p->look > 0 && pick(&random, 1, p->look) == 1) look(s, &random);
        }
        hit_tile_swap(&s->tile[p->swap[0]], &s->tile[p->swap[1]]);
    }
}

static uint64_t bytes_moved(const chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

/* They have together what one has. */
static chains_scene open_several(const program *p, int devices, int threads)
{
    chains_scene s = chains_open_several(devices, p->memory_bytes / (size_t)devices,
                                         threads, "single", CHAINS_N);

    chains_drop_tiles(&s);
    chains_make_tiles(&s, hit_domain_of(ROWS, CHAINS_N), HIT_FLOAT);
    return s;
}

/* Chains are for the first one, a scheduler as the program says. */
static void prepare(chains_scene *one, chains_scene *other, const program *p)
{
    HIT_MUST(hit_chain(other->hit, HIT_CHAIN_OFF));
    if (!p->without) return;
    chains_place_nothing(one);
    chains_place_nothing(other);
}

/* The program on @p one, and on @p other one launch after the other. */
static uint64_t compare(chains_scene *one, chains_scene *other, program *p, uint64_t seed)
{
    hit_processor_ops async = *one->hit->device[0]->processor;
    uint64_t chained;
    char name[40];

    /* a device that runs kernels by itself is asked in another order */
    async.async |= seed % 3 == 0;
    if (seed % 3 == 1) async.run_chain = NULL;
    for (int d = 0; d < one->hit->devices && !p->unlike; d++) {
        one->hit->device[d]->processor = &async;
    }
    if (seed % 4 == 0) one->hit->launcher->chain_choice = &chains_blocked;
    prepare(one, other, p);
    run_program(one, p);
    run_program(other, p);
    p->came = one->hit->execution != NULL || other->hit->execution != NULL;
    (void)snprintf(name, sizeof(name), "seed %llu", (unsigned long long)seed);
    chains_expect_equal(one, other, name);
    ck_assert_msg(p->unlike || p->came || bytes_moved(one) <= bytes_moved(other),
                  "%s in %zu bytes: %llu bytes, and one by one %llu", name,
                  p->memory_bytes, (unsigned long long)bytes_moved(one),
                  (unsigned long long)bytes_moved(other));
    chained = chains_chained(one);
    chains_close(one);
    chains_close(other);
    return chained;
}

/* On one device, or on several equal ones. */
static uint64_t compare_on(int devices, program *p, uint64_t seed)
{
    const int threads = 1 + (int)(seed % 2);
    chains_scene one = devices == 1 ? chains_open_staged(p->memory_bytes, threads)
                                    : open_several(p, devices, threads);
    chains_scene other = devices == 1 ? chains_open_staged(p->memory_bytes, 1)
                                      : open_several(p, devices, 1);

    return compare(&one, &other, p, seed);
}

static uint64_t try_on(int devices, uint64_t seed)
{
    program p = make_program(seed);
    const uint64_t chained = compare_on(devices, &p, seed);

    if (!p.came) return chained;
    p.without = true;
    return compare_on(devices, &p, seed);
}

static uint64_t try_several(uint64_t seed)
{
    return try_on(2 + (int)(seed % 2), seed);
}

/* With shares of their own, or such that follow times; some work in place, or all. */
static uint64_t try_unlike(uint64_t seed)
{
    program p = make_program(seed);
    const int devices = 2 + (int)(seed % 2);
    const size_t bytes = seed % 3 == 0 ? 0 : p.memory_bytes / (size_t)devices;
    chains_scene one =
        chains_open_unlike(seed, devices, bytes, 1 + (int)(seed % 2), "single", CHAINS_N);
    chains_scene other = chains_open_staged(p.memory_bytes, 1);

    p.unlike = true;
    chains_drop_tiles(&one);
    chains_make_tiles(&one, hit_domain_of(ROWS, CHAINS_N), HIT_FLOAT);
    return compare(&one, &other, &p, seed);
}

/* On a simulated machine, some of whose devices have such memories. */
static uint64_t try_simulated(uint64_t seed)
{
    program p = make_program(seed);
    chains_scene other = chains_open_staged(p.memory_bytes, 1);
    chains_scene one;
    char text[100];

    (void)snprintf(text, sizeof(text),
                   "simulated:machines/idgraf.machine:gpus=%d,cpus=%d,memory=%zu",
                   1 + (int)(seed % 3), 1 + (int)(seed % 2), p.memory_bytes);
    p.unlike = true;
    one = chains_open_on(NULL, text, "single", CHAINS_N);
    HIT_MUST(hit_chain(one.hit, HIT_CHAIN_ANY));
    chains_drop_tiles(&one);
    chains_make_tiles(&one, hit_domain_of(ROWS, CHAINS_N), HIT_FLOAT);
    return compare(&one, &other, &p, seed);
}

START_TEST(random_chains_on_simulated_machines_give_the_same_bits)
{
    const uint64_t first = hit_random_start(4000).state;
    const int cases = chains_cases(80);
    int blocked = 0;

    for (int k = 0; k < cases; k++) {
        blocked += try_simulated(first + (uint64_t)k) > 0;
    }
    ck_assert_int_gt(blocked, cases / 4);
}
END_TEST

START_TEST(random_chains_on_unlike_devices_give_the_same_bits)
{
    const uint64_t first = hit_random_start(3000).state;
    const int cases = chains_cases(80);
    int blocked = 0;

    for (int k = 0; k < cases; k++) {
        blocked += try_unlike(first + (uint64_t)k) > 0;
    }
    ck_assert_int_gt(blocked, cases / 8); /* parts often fit some devices */
}
END_TEST

START_TEST(random_chains_on_small_devices_give_the_same_bits)
{
    const uint64_t first = hit_random_start(1000).state;
    const int cases = chains_cases(80);
    int blocked = 0;

    for (int k = 0; k < cases; k++) {
        blocked += try_on(1, first + (uint64_t)k) > 0;
    }
    ck_assert_int_gt(blocked, cases / 4);
}
END_TEST

START_TEST(random_chains_on_several_small_devices_give_the_same_bits)
{
    const uint64_t first = hit_random_start(2000).state;
    const int cases = chains_cases(80);
    int blocked = 0;

    for (int k = 0; k < cases; k++) {
        blocked += try_several(first + (uint64_t)k) > 0;
    }
    ck_assert_int_gt(blocked, cases / 4);
}
END_TEST

/* A scheduler comes for the narrow launches of this program. */
START_TEST(bytes_are_compared_without_tasks)
{
    for (int k = 0; k < 10; k++) {
        program p = make_program(10);

        (void)compare_on(1, &p, 10);
        ck_assert(p.came);
        p.without = true;
        (void)compare_on(1, &p, 10);
        ck_assert(!p.came);
    }
}
END_TEST

/* Also on GPUs, where those of the played runtime run this program. */
START_TEST(what_lies_beyond_a_boundary_is_filled_on_the_device)
{
    static const hit_boundary kinds[] = {HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_MIRROR,
                                         HIT_BOUNDARY_CONSTANT};
    program p = {
        .deeds = 1, .deed[0] = {.what = STAR, .to = 1}, .steps = 20, .swap = {0, 1}};

    for (int k = 0; k < 9; k++) {
        chains_scene one = chains_open_staged(20000, 1);
        chains_scene other = chains_open_staged(20000, 1);
        char name[40];

        p.boundary[0] = kinds[k / 3];
        p.boundary[1] = kinds[k % 3];
        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        run_program(&one, &p);
        run_program(&other, &p);
        (void)snprintf(name, sizeof(name), "boundaries %d", k);
        chains_expect_equal(&one, &other, name);
        ck_assert_uint_ge(chains_chained(&one), 16);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

/* A GPU of the played runtime, which is for one thread, where it runs this program. */
START_TEST(a_gpu_and_the_host_share_a_chain)
{
    static const char *const devices[] = {
        "cuda:0:memory=20000:share=3+host:threads=2",
        "host:threads=1:share=auto+cuda:0:memory=20000",
        "cuda:0:memory=9KB:share=auto+host:memory=15KB:threads=1+host:threads=1:slow=2"};
    const program p = {.deeds = 1,
                       .deed[0] = {.what = STAR, .to = 1},
                       .steps = 60,
                       .swap = {0, 1},
                       .boundary = {HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_MIRROR}};
    hit_context *hit = NULL;

    if (hit_open_with(NULL, NULL, &(hit_options){.devices = "cuda:0"}, &hit) != HIT_OK) {
        return;
    }
    hit_close(&hit);
    for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
        chains_scene one = chains_open_on(NULL, devices[k], "single", CHAINS_N);
        chains_scene other = chains_open_staged(20000, 1);

        chains_drop_tiles(&one);
        chains_make_tiles(&one, hit_domain_of(ROWS, CHAINS_N), HIT_FLOAT);
        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        run_program(&one, &p);
        run_program(&other, &p);
        chains_expect_equal(&one, &other, devices[k]);
        ck_assert_uint_ge(chains_chained(&one), 16);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

/* Copies by threads; in the order of each kind of device. */
START_TEST(large_pieces_go_in_lanes)
{
    for (int k = 0; k < 4; k++) {
        chains_scene one = chains_open_staged(400000, 1 + k % 2);
        chains_scene other = chains_open_staged(400000, 1);
        hit_processor_ops async = *one.hit->device[0]->processor;

        async.async |= k >= 2;
        one.hit->device[0]->processor = &async;
        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        for (int s = 0; s < 2; s++) {
            chains_scene *of = s == 0 ? &one : &other;

            chains_drop_tiles(of);
            chains_make_tiles(of, hit_domain_of(2000, 300), HIT_FLOAT);
            chains_run_star(of);
            for (int t = 0; t < 2; t++) {
                HIT_MUST(hit_launch(of->hit, &kick, of->inner, of->tile[1], of->tile[0]));
                HIT_MUST(
                    hit_launch(of->hit, &drift, of->inner, of->tile[0], of->tile[1]));
            }
            chains_run_star(of);
        }
        chains_expect_equal(&one, &other, "large");
        ck_assert_int_gt((int)chains_chained(&one), 10);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("random chains");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 1200);
    tcase_add_test(tc, large_pieces_go_in_lanes);
    tcase_add_test(tc, what_lies_beyond_a_boundary_is_filled_on_the_device);
    tcase_add_test(tc, bytes_are_compared_without_tasks);
    tcase_add_test(tc, random_chains_on_small_devices_give_the_same_bits);
    tcase_add_test(tc, random_chains_on_several_small_devices_give_the_same_bits);
    tcase_add_test(tc, a_gpu_and_the_host_share_a_chain);
    tcase_add_test(tc, random_chains_on_simulated_machines_give_the_same_bits);
    tcase_add_test(tc, random_chains_on_unlike_devices_give_the_same_bits);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
