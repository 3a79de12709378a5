/* SPDX-License-Identifier: MIT
 * Random programs in dry runs: what is foretold is what a run of them counts. Says how
 * many of them differ, in which figure; HIT_PROGRAMS=1000 tries that many, HIT_SEED
 * begins elsewhere, HIT_DIFFERENT=1 says which. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/programs/program.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

enum {
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

/* Of what stands in data a dry run knows nothing, nor of shares that follow times. On
 * several processes only what all of them do is foretold, and a process that looks alone
 * has others wait. */
static bool is_known(const program *p)
{
    if (strstr(p->devices, "auto") != NULL) return false;
    for (int k = 0; k < p->steps; k++) {
        const step *s = &p->step[k];

        if (s->looks || s->kind == NUMBERS) return false;
        if (s->kind == LOOK && hit_size(base) > 1) return false;
    }
    return true;
}

/* Several figures of one program may differ. */
typedef struct tally {
    int programs;
    int different;
    int of[FIGURES];
} tally;

static void compare(const program *p, const char *devices, tally *all)
{
    program on = *p;
    uint64_t foretold[FIGURES];
    uint64_t counted[FIGURES];
    bool same = true;
    outcome done;
    outcome dry;

    if (devices != NULL) (void)snprintf(on.devices, sizeof(on.devices), "%s", devices);
    if (!is_known(&on)) return;
    done = program_run(&on, false);
    if (done.refused > 0) return; /* processes refuse what they have no room for */
    dry = program_foretell(&on);
    figures_of(&done.counted, counted);
    figures_of(&dry.counted, foretold);
    all->programs++;
    for (int k = 0; k < FIGURES; k++) {
        if (foretold[k] == counted[k]) continue;
        same = false;
        all->of[k]++;
        if (getenv("HIT_DIFFERENT") == NULL || hit_rank(base) > 0) continue;
        printf("program %llu on %s, chain %d, %s: %llu foretold, %llu counted\n",
               (unsigned long long)p->seed, on.devices, p->chain, figure_name[k],
               (unsigned long long)foretold[k], (unsigned long long)counted[k]);
    }
    all->different += !same;
}

static tally try_programs(const char *devices, const char *name)
{
    const char *text = getenv("HIT_PROGRAMS");
    const uint64_t first = hit_random_start(4000000).state;
    const int count = text != NULL ? atoi(text) : hit_random_cases(100);
    tally all = {0};

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

/* A few do (docs/dry-run.md): with any seed fewer than one in fifty in place, and than
 * one in ten in memories of devices. */
static void expect_same(const char *devices, const char *name, int one_in)
{
    const tally all = try_programs(devices, name);

    ck_assert_int_le(one_in * (all.different - 1), all.programs);
}

START_TEST(in_place_it_is_counted)
{
    expect_same("host:threads=1", "in place", 50);
}
END_TEST

START_TEST(where_tiles_stay_it_is_counted)
{
    expect_same("host:threads=1:memory=1MiB", "in 1 MiB", 10);
}
END_TEST

START_TEST(in_little_memory_it_is_counted)
{
    expect_same("host:threads=1:memory=2000", "in 2000 B", 10);
}
END_TEST

START_TEST(on_any_devices_it_is_counted)
{
    expect_same(NULL, "on any devices", 10);
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
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
