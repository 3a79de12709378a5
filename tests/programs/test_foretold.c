/* SPDX-License-Identifier: MIT
 * Random programs in dry runs: what is foretold is what a run of them counts. Says how
 * many of them differ, in which figure; HIT_PROGRAMS=1000 tries that many, HIT_SEED
 * begins elsewhere, HIT_DIFFERENT=1 says which, HIT_DIFFERENT=small makes them small. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/chain/tuner.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "tests/programs/program.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

enum {
    CHAINED = 3, /* its number */
    FIGURES = 9
};

static const char *const figure_name[FIGURES] = {
    "launches", "indices",       "superblocks", "chained",  "messages",
    "empty",    "message bytes", "bytes in",    "bytes out"};

static void figures_of(const hit_stats *stats, uint64_t figure[])
{
    const uint64_t found[FIGURES] = {stats->launches,           stats->indices,
                                     stats->superblocks,        stats->chained,
                                     stats->messages_sent,      stats->messages_empty,
                                     stats->message_bytes_sent, stats->bytes_in,
                                     stats->bytes_out};

    memcpy(figure, found, sizeof(found));
}

/* Of what stands in data a dry run knows nothing, nor of what follows times: shares, and
 * how blocks are run unless the program says it. On several processes only what all of
 * them do is foretold, and a process that looks alone has others wait. */
static bool is_known(const program *p)
{
    if (strstr(p->devices, "auto") != NULL || p->chain_steps == 0) return false;
    for (int k = 0; k < p->steps; k++) {
        if (p->step[k].looks) return false;
        if (p->step[k].kind == LOOK && hit_size(base) > 1) return false;
    }
    return true;
}

/* Several figures of one program may differ. */
typedef struct tally {
    int tried;
    int programs; /* of these, those of which it is known */
    int different;
    int of[FIGURES];
} tally;

/* What tasks move is up to the scheduler that came for them, on any process. */
static bool was_placed(const outcome *done)
{
    uint64_t any = done->placed;

    ck_assert_int_eq(hit_comm_max_u64(base->comm, &any, 1), HIT_OK);
    return any != 0;
}

/* What a program counts, and what is foretold; false: of it that is not known. */
static bool find_figures(const program *p, uint64_t counted[], uint64_t foretold[])
{
    outcome done;
    outcome dry;

    if (!is_known(p)) return false;
    done = program_run(p, false);
    if (done.refused > 0) return false; /* processes refuse what they have no room for */
    if (was_placed(&done)) return false;
    dry = program_foretell(p);
    figures_of(&done.counted, counted);
    figures_of(&dry.counted, foretold);
    return true;
}

static bool differs(const program *p, const void *figure)
{
    const int k = *(const int *)figure;
    uint64_t foretold[FIGURES];
    uint64_t counted[FIGURES];

    return find_figures(p, counted, foretold) && foretold[k] != counted[k];
}

/* HIT_DIFFERENT=1 says where figure @p k differs, HIT_DIFFERENT=small also in which small
 * program. */
static void say(const program *p, int k, uint64_t counted, uint64_t foretold)
{
    const char *how = getenv("HIT_DIFFERENT");
    program small;

    if (how == NULL) return;
    if (hit_rank(base) == 0) {
        printf("program %llu on %s, chain %d, %s: %llu foretold, %llu counted\n",
               (unsigned long long)p->seed, p->devices, p->chain, figure_name[k],
               (unsigned long long)foretold, (unsigned long long)counted);
    }
    if (strcmp(how, "small") != 0) return;
    small = program_shrink(p, differs, &k);
    if (hit_rank(base) == 0) program_print(&small);
}

static void compare(const program *p, const char *devices, tally *all)
{
    program on = *p;
    uint64_t foretold[FIGURES];
    uint64_t counted[FIGURES];
    bool same = true;

    if (devices != NULL) (void)snprintf(on.devices, sizeof(on.devices), "%s", devices);
    if (!find_figures(&on, counted, foretold)) return;
    all->programs++;
    for (int k = 0; k < FIGURES; k++) {
        if (foretold[k] == counted[k]) continue;
        if (same) say(&on, k, counted[k], foretold[k]); /* others follow from it */
        same = false;
        all->of[k]++;
    }
    all->different += !same;
}

static tally try_programs(const char *devices, const char *name)
{
    const char *text = getenv("HIT_PROGRAMS");
    const uint64_t first = hit_random_start(4000000).state;
    const int count = text != NULL ? atoi(text) : hit_random_cases(100);
    tally all = {.tried = count};

    for (int k = 0; k < count; k++) {
        const program p = program_make(first + (uint64_t)k);

        compare(&p, devices, &all);
    }
    if (hit_rank(base) > 0) return all;
    printf("%s: %d of %d differ", name, all.different, all.programs);
    for (int k = 0; k < FIGURES; k++) {
        if (all.of[k] > 0) printf(", %s %d", figure_name[k], all.of[k]);
    }
    printf("\n");
    return all;
}

static void expect_same(const char *devices, const char *name)
{
    const tally all = try_programs(devices, name);

    ck_assert_int_gt(5 * all.programs, all.tried);
    ck_assert_int_eq(all.different, 0);
}

START_TEST(in_place_it_is_counted)
{
    expect_same("host:threads=1", "in place");
}
END_TEST

START_TEST(where_tiles_stay_it_is_counted)
{
    expect_same("host:threads=1:memory=1MiB", "in 1 MiB");
}
END_TEST

START_TEST(in_little_memory_it_is_counted)
{
    expect_same("host:threads=1:memory=2000", "in 2000 B");
}
END_TEST

START_TEST(on_any_devices_it_is_counted)
{
    expect_same(NULL, "on any devices");
}
END_TEST

/* ---- programs that were foretold otherwise ---- */

/* A block of tiles of which only some are periodic, on three processes. */
START_TEST(one_of_them_is_counted)
{
    const program p = program_make(4460);
    tally all = {.tried = 1};

    compare(&p, "host:threads=1", &all);
    ck_assert_int_eq(all.different, 0);
    ck_assert_int_eq(all.programs, 1);
}
END_TEST

/* ---- small ones ---- */

extern const hit_kernel foretold_write;
extern const hit_kernel foretold_left;
extern const hit_kernel foretold_near;
extern const hit_kernel foretold_half;
extern const hit_kernel foretold_moved;

enum {
    EXTENT = 30
};

/* Two tiles over all processes, and what is done with them. */
typedef struct small_program {
    const char *devices;
    const char *name;
    hit_boundary boundary;
    bool chains;
    void (*run)(hit_context *hit, hit_tile *a, hit_tile *b);
} small_program;

static hit_domain range(hit_index begin, hit_index end)
{
    return hit_domain_box(1, &begin, &end);
}

/* The launches in chains, by what is said of each; one that waited alone in the end is
 * none. */
static uint64_t read_chained(FILE *said)
{
    unsigned long long chained;
    uint64_t all = 0;
    char line[500];

    rewind(said);
    while (fgets(line, sizeof(line), said) != NULL) {
        if (sscanf(line,
                   "{\"launch\": %*u, \"times\": %*u, \"places\": %*u, \"chained\": %llu",
                   &chained) == 1) {
            all += chained;
        }
    }
    return all;
}

static void run_small(const small_program *p, const char *plan, uint64_t figure[])
{
    const hit_choice choice = {.steps = 8, .width = {7}, .lines = true};
    FILE *said = tmpfile();
    const hit_options options = {.devices = p->devices, .out = said};
    hit_layout *layout;
    hit_tile *a;
    hit_tile *b;
    hit_context *hit;
    hit_stats stats;

    setenv("HIT_PLAN", plan, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    hit->launcher->chain_choice = &choice;
    HIT_MUST(hit_layout_create(hit, range(0, EXTENT - 1), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "b", &b));
    HIT_MUST(hit_tile_set_boundary(b, -1, p->boundary, NULL));
    hit_layout_destroy(&layout);
    p->run(hit, a, b);
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    figures_of(&stats, figure);
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_close(&hit);
    setenv("HIT_PLAN", "0", 1);
    if (strcmp(plan, "json") == 0 && hit_size(base) == 1) {
        ck_assert_uint_le(read_chained(said), figure[CHAINED]);
    }
    (void)fclose(said);
}

/* The memory of the tile grows, and with it what has its constant; a boundary that is
 * repeated takes it away. */
static void grow(hit_context *hit, hit_tile *a, hit_tile *b)
{
    const hit_boundary kinds[] = {HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_PERIODIC,
                                  HIT_BOUNDARY_CONSTANT};

    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_set_boundary(b, 0, kinds[k], NULL));
        for (int turn = 0; turn < 2; turn++) {
            HIT_MUST(hit_launch(hit, &foretold_write, range(0, EXTENT - 1), b));
            HIT_MUST(hit_launch(hit, &foretold_left, range(0, EXTENT - 1), a, b));
            HIT_MUST(hit_launch(hit, &foretold_near, range(0, EXTENT - 1), a, b));
        }
    }
}

/* Blocks of one process with halos: each launch is chained when it is recorded. */
static void repeat(hit_context *hit, hit_tile *a, hit_tile *b)
{
    HIT_MUST(hit_chain(hit, 16));
    for (int k = 0; k < 11; k++) {
        HIT_MUST(hit_launch(hit, &foretold_left, range(0, 0), a, b));
    }
}

/* Blocks have margins, which go around. */
static void go_around(hit_context *hit, hit_tile *a, hit_tile *b)
{
    HIT_MUST(hit_tile_set_boundary(a, -1, HIT_BOUNDARY_PERIODIC, NULL));
    HIT_MUST(hit_chain(hit, 8));
    for (int k = 0; k < 8; k++) {
        HIT_MUST(hit_launch(hit, &foretold_near, range(0, EXTENT - 1), k % 2 == 0 ? a : b,
                            k % 2 == 0 ? b : a));
    }
}

/* What a block writes nobody holds any more. */
static void write_in_block(hit_context *hit, hit_tile *a, hit_tile *b)
{
    HIT_MUST(hit_chain(hit, 16));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(hit, &foretold_write, range(0, EXTENT - 1), b));
        HIT_MUST(hit_launch(hit, &foretold_write, range(19, 19), a));
        HIT_MUST(hit_launch(hit, &foretold_half, range(0, EXTENT - 1), a, b));
    }
}

/* A plan that moves by a value shares the indices as it is then. */
static void move_by_value(hit_context *hit, hit_tile *a, hit_tile *b)
{
    const hit_domain whole = {2, {{3, 5, 1}, {0, 4, 1}}};
    const hit_domain of_part = {2, {{4, 5, 1}, {1, 3, 1}}};
    const hit_domain index = {2, {{4, 4, 1}, {1, 1, 1}}};
    hit_layout *layout;
    hit_tile *all;
    hit_tile *part;

    (void)a;
    (void)b;
    HIT_MUST(hit_chain(hit, 0));
    HIT_MUST(hit_layout_create(hit, whole, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "all", &all));
    hit_layout_destroy(&layout);
    for (hit_index k = 0; k < 7; k++) {
        HIT_MUST(hit_tile_select(all, of_part, &part));
        HIT_MUST(hit_launch(hit, &foretold_moved, index, part, HIT_VALUE(k % 3)));
        hit_tile_destroy(&part);
    }
    hit_tile_destroy(&all);
}

START_TEST(small_programs_are_foretold)
{
    const small_program programs[] = {
        {"host:threads=1:memory=1MiB", "grow", HIT_BOUNDARY_CONSTANT, false, grow},
        {"host:threads=1:memory=2000", "grow", HIT_BOUNDARY_CONSTANT, false, grow},
        {"host:threads=1", "repeat", HIT_BOUNDARY_PERIODIC, true, repeat},
        {"host:threads=1", "go around", HIT_BOUNDARY_PERIODIC, true, go_around},
        {"host:threads=1", "write in a block", HIT_BOUNDARY_CLAMP, true, write_in_block},
        {"host:threads=1", "move by a value", HIT_BOUNDARY_CLAMP, false, move_by_value}};

    for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
        uint64_t foretold[FIGURES];
        uint64_t counted[FIGURES];

        run_small(&programs[k], "0", counted);
        run_small(&programs[k], "json", foretold);
        if (programs[k].chains) ck_assert_uint_gt(counted[CHAINED], 0);
        for (int f = 0; f < FIGURES; f++) {
            ck_assert_msg(
                foretold[f] == counted[f], "%s on %s, %s: %llu foretold, %llu counted",
                programs[k].name, programs[k].devices, figure_name[f],
                (unsigned long long)foretold[f], (unsigned long long)counted[f]);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("foretold");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, in_place_it_is_counted);
    tcase_add_test(tests, where_tiles_stay_it_is_counted);
    tcase_add_test(tests, in_little_memory_it_is_counted);
    tcase_add_test(tests, on_any_devices_it_is_counted);
    tcase_add_test(tests, one_of_them_is_counted);
    tcase_add_test(tests, small_programs_are_foretold);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
