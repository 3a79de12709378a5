/* SPDX-License-Identifier: MIT
 * Chains in dry runs: what is printed is what the processes of a real run count. What it
 * only announces, since it was sent before, is planned in full; where parts and blocks
 * end decides what that is: here everything is sent. */
#define _POSIX_C_SOURCE 200809L /* setenv, dup */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 64,
    TURNS = 4
};

typedef struct figures {
    uint64_t launches; /* by one process */
    uint64_t chained;
    uint64_t messages;
    uint64_t bytes;
    uint64_t superblocks;
    uint64_t bytes_in; /* through memories of devices */
    uint64_t bytes_out;
} figures;

/* In place. */
static figures run(const chains_program *program, const char *devices, const char *layout)
{
    chains_scene s = chains_open_on(&chains_blocked, devices, layout, EXTENT);
    hit_stats stats;

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));

    for (int k = 0; k < TURNS; k++) {
        program->run(&s);
    }
    HIT_MUST(hit_wait(s.hit));
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    chains_close(&s);
    return (figures){.launches = stats.launches / (uint64_t)hit_size(base),
                     .chained = stats.chained / (uint64_t)hit_size(base),
                     .messages = stats.messages_sent,
                     .superblocks = stats.superblocks,
                     .bytes = stats.message_bytes_sent};
}

/* The number behind @p name in a line of JSON. */
static uint64_t number_of(const char *line, const char *name)
{
    const char *at = strstr(line, name);

    return at != NULL ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* What process 0 prints of the program: the last line has the totals. */
static figures read_plan(FILE *from)
{
    figures found = {0};
    char line[2000];

    rewind(from);
    while (fgets(line, sizeof(line), from) != NULL) {
        if (strstr(line, "\"launch\": ") != NULL) {
            found.chained += number_of(line, "\"chained\": ");
        }
        if (strncmp(line, "{\"launches\": ", 13) != 0) continue;
        found.launches = number_of(line, "\"launches\": ");
        found.messages = number_of(line, "\"messages\": ");
        found.bytes = number_of(line, "\"message_bytes\": ");
        found.bytes_in = number_of(line, "\"bytes_in\": ");
        found.bytes_out = number_of(line, "\"bytes_out\": ");
    }
    return found;
}

static figures plan(const chains_program *program, const char *devices,
                    const char *layout, figures *counted)
{
    FILE *caught = tmpfile();
    const int out = dup(STDOUT_FILENO);
    figures printed;

    ck_assert_ptr_nonnull(caught);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(fileno(caught), STDOUT_FILENO), 0);
    setenv("HIT_PLAN", "json", 1);
    *counted = run(program, devices, layout);
    setenv("HIT_PLAN", "0", 1);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
    (void)close(out);
    printed = read_plan(caught);
    (void)fclose(caught);
    return printed;
}

/* The launches that were in chains, of a process. */
static uint64_t compare(const chains_program *program, const char *devices,
                        const char *layout)
{
    figures counted;
    const figures printed = plan(program, devices, layout, &counted);
    const figures done = run(program, devices, layout);

    ck_assert_msg(counted.messages == done.messages,
                  "%s, %s: %d messages are planned and %d sent", program->name, layout,
                  (int)counted.messages, (int)done.messages);
    ck_assert_msg(counted.bytes == done.bytes,
                  "%s, %s: %d bytes of messages are planned and %d sent", program->name,
                  layout, (int)counted.bytes, (int)done.bytes);
    ck_assert_msg(counted.superblocks == done.superblocks,
                  "%s, %s: %d superblocks are planned and %d run", program->name, layout,
                  (int)counted.superblocks, (int)done.superblocks);
    ck_assert_uint_eq(counted.chained, done.chained);
    if (hit_rank(base) != 0) return done.chained;
    ck_assert_uint_eq(printed.launches, done.launches);
    ck_assert_uint_eq(printed.messages, done.messages);
    ck_assert_uint_eq(printed.bytes, counted.bytes);
    ck_assert_uint_eq(printed.chained, done.chained);
    return done.chained;
}

static const char one[] = "host:threads=1";
static const char two[] = "host:threads=1 * 2";

START_TEST(what_is_printed_is_what_is_counted)
{
    uint64_t chained = 0;

    for (int k = 0; k < chains_legal_count; k++) {
        const char *name = chains_legal[k].name;

        /* parts of the others are as thin as what is read of them */
        if (hit_size(base) > 4 && strstr(name, "dimensions") != NULL) continue;
        chained += compare(&chains_legal[k], one, "block:dims=0");
        chained += compare(&chains_legal[k], two, "block:dims=0");
        if (strstr(name, "one dimension") != NULL) continue;
        chained += compare(&chains_legal[k], one, "block:dims=1");
        chained += compare(&chains_legal[k], two, "block:dims=1");
        chained += compare(&chains_legal[k], one, "block");
    }
    ck_assert_uint_gt(chained, 0);
}
END_TEST

/* Between runs of launches a tile is written to a file, and read from it. */
static void run_file(chains_scene *s)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "dry_chains-%d.npy", hit_size(s->hit));
    chains_run_star(s);
    HIT_MUST(hit_tile_write(s->tile[0], path, NULL));
    HIT_MUST(hit_tile_read(s->tile[0], path, NULL));
    HIT_MUST(hit_barrier(s->hit));
    if (hit_rank(s->hit) == 0) (void)remove(path);
}

START_TEST(what_is_read_from_a_file_is_sent_anew)
{
    const chains_program file = {"a file", run_file, 1};

    (void)compare(&file, one, "block:dims=0");
    (void)compare(&file, one, "block");
}
END_TEST

/* ---- one process, through a small memory ---- */

/* The devices of a process. */
typedef enum likeness {
    EVEN,
    SHARES, /* number d has a share of d + 1 */
    MIXED,  /* so they have, and the last one works in place */
    LIKENESSES
} likeness;

static const char *const likeness_name[] = {"even", "shares", "mixed"};

static chains_scene open_devices(likeness kind, int devices, size_t memory_bytes,
                                 const char *layout, hit_index extent)
{
    char text[300];
    size_t used = 0;

    if (kind == EVEN || devices == 1) {
        return chains_open_several(devices, memory_bytes, 1, layout, extent);
    }
    for (int d = 0; d < devices; d++) {
        const bool in_place = kind == MIXED && d == devices - 1;

        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "%shost:threads=1:share=%d", d > 0 ? "+" : "", d + 1);
        if (in_place) continue;
        used += (size_t)snprintf(text + used, sizeof(text) - used, ":memory=%zu",
                                 memory_bytes);
    }
    return chains_open_on(NULL, text, layout, extent);
}

static hit_stats run_staged(const chains_program *program, likeness kind, int devices,
                            bool dry)
{
    chains_scene s;
    hit_stats stats;

    setenv("HIT_PLAN", dry ? "1" : "0", 1);
    s = open_devices(kind, devices, 4096, "single", CHAINS_N);
    chains_drop_tiles(&s);
    chains_make_tiles(&s, hit_domain_of(4 * CHAINS_N, CHAINS_N), HIT_FLOAT);
    setenv("HIT_PLAN", "0", 1);
    for (int k = 0; k < TURNS; k++) {
        program->run(&s);
    }
    HIT_MUST(hit_wait(s.hit));
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    chains_close(&s);
    return stats;
}

/* A launch that fits the device leaves its results there for the next one, and finds what
 * is there: dry runs plan each as if it were the only one. */
static bool fits(const chains_program *program)
{
    return strstr(program->name, "source") != NULL ||
           strstr(program->name, "border") != NULL ||
           strstr(program->name, "record") != NULL;
}

/* Does it run in chains? */
static bool compare_small(const chains_program *program, likeness kind, int devices)
{
    const hit_stats planned = run_staged(program, kind, devices, true);
    const hit_stats done = run_staged(program, kind, devices, false);

    ck_assert_msg(planned.chained == done.chained,
                  "%s, %d devices, %s: %d launches in chains are planned and %d run",
                  program->name, devices, likeness_name[kind], (int)planned.chained,
                  (int)done.chained);
    if (fits(program)) return done.chained > 0;
    if (devices > 1 && done.chained == 0) return false; /* several may hold all of it */
    ck_assert_msg(planned.bytes_in == done.bytes_in &&
                      planned.bytes_out == done.bytes_out,
                  "%s, %d devices, %s: %d and %d bytes are planned, %d and %d moved",
                  program->name, devices, likeness_name[kind], (int)planned.bytes_in,
                  (int)planned.bytes_out, (int)done.bytes_in, (int)done.bytes_out);
    ck_assert_uint_eq(planned.superblocks, done.superblocks);
    return done.chained > 0;
}

START_TEST(through_small_memories_so_much_is_moved_as_is_planned)
{
    for (int k = 0; k < 3 * LIKENESSES && hit_size(base) == 1; k++) {
        const int devices = 1 + k / LIKENESSES;
        const likeness kind = (likeness)(k % LIKENESSES);
        int chained = 0;

        if (devices == 1 && kind != EVEN) continue;
        for (int p = 0; p < chains_legal_count; p++) {
            chained += compare_small(&chains_legal[p], kind, devices);
        }
        ck_assert_int_gt(chained, devices > 1 ? 3 : 5);
    }
}
END_TEST

/* ---- several processes, through small memories ---- */

typedef struct staged_case {
    const chains_program *program;
    const hit_choice *choice; /* no time decides */
    const char *layout;
    hit_index extent;
    size_t memory_bytes; /* of each device */
    int devices;         /* of each process */
    likeness kind;
} staged_case;

static hit_stats run_over_staged(const staged_case *of)
{
    chains_scene s =
        open_devices(of->kind, of->devices, of->memory_bytes, of->layout, of->extent);
    hit_stats stats;

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    s.hit->launcher->chain_choice = of->choice;
    for (int k = 0; k < TURNS; k++) {
        of->program->run(&s);
    }
    HIT_MUST(hit_wait(s.hit));
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    chains_close(&s);
    return stats;
}

static hit_stats plan_over_staged(const staged_case *of, figures *printed)
{
    FILE *caught = tmpfile();
    const int out = dup(STDOUT_FILENO);
    hit_stats counted;

    ck_assert_ptr_nonnull(caught);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(fileno(caught), STDOUT_FILENO), 0);
    setenv("HIT_PLAN", "json", 1);
    counted = run_over_staged(of);
    setenv("HIT_PLAN", "0", 1);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
    (void)close(out);
    *printed = read_plan(caught);
    (void)fclose(caught);
    return counted;
}

/* Does no launch fit the device of any process? Each touches two tiles, two elements from
 * the edge at most; these have tiles, or domains, of their own sizes. */
static bool is_large(const staged_case *of)
{
    const char *name = of->program->name;
    const int shares =
        of->kind == EVEN ? of->devices : of->devices * (of->devices + 1) / 2;
    const hit_index least = (of->extent / hit_size(base) - 2) * (of->extent - 4) / shares;

    return (hit_index)of->memory_bytes < 2 * least * (hit_index)sizeof(float) &&
           !fits(of->program) && strstr(name, "only read") == NULL &&
           strstr(name, "dimension") == NULL && strstr(name, "selections") == NULL;
}

/* The launches that were in chains. */
static uint64_t compare_staged(const staged_case *of)
{
    figures printed;
    const hit_stats planned = plan_over_staged(of, &printed);
    const hit_stats done = run_over_staged(of);
    const char *name = of->program->name;
    char text[200];

    (void)snprintf(text, sizeof(text), "%s, %s of %d, %d devices, %s, %d bytes, %d steps",
                   name, of->layout, (int)of->extent, of->devices,
                   likeness_name[of->kind], (int)of->memory_bytes, of->choice->steps);
    ck_assert_msg(planned.chained == done.chained,
                  "%s: %d launches in chains are planned and %d run", text,
                  (int)planned.chained, (int)done.chained);
    ck_assert_msg(planned.messages_sent == done.messages_sent,
                  "%s: %d messages are planned and %d sent", text,
                  (int)planned.messages_sent, (int)done.messages_sent);
    ck_assert_msg(planned.message_bytes_sent == done.message_bytes_sent,
                  "%s: %d bytes of messages are planned and %d sent", text,
                  (int)planned.message_bytes_sent, (int)done.message_bytes_sent);
    /* outside of chains more than the need of a launch may come to a device that holds
     * little more */
    ck_assert_msg(done.chained == 0 || (planned.bytes_in >= done.bytes_in &&
                                        planned.bytes_out >= done.bytes_out),
                  "%s: %d and %d bytes are planned, more, %d and %d, are moved", text,
                  (int)planned.bytes_in, (int)planned.bytes_out, (int)done.bytes_in,
                  (int)done.bytes_out);
    if (is_large(of)) {
        ck_assert_msg(planned.bytes_in == done.bytes_in &&
                          planned.bytes_out == done.bytes_out,
                      "%s: %d and %d bytes are planned, %d and %d moved", text,
                      (int)planned.bytes_in, (int)planned.bytes_out, (int)done.bytes_in,
                      (int)done.bytes_out);
        ck_assert_msg(planned.superblocks == done.superblocks,
                      "%s: %d superblocks are planned, %d run", text,
                      (int)planned.superblocks, (int)done.superblocks);
    }
    if (hit_rank(base) == 0) {
        ck_assert_uint_eq(printed.messages, planned.messages_sent);
        ck_assert_uint_eq(printed.bytes, planned.message_bytes_sent);
        ck_assert_uint_eq(printed.chained * (uint64_t)hit_size(base), planned.chained);
        ck_assert_uint_eq(printed.bytes_in, planned.bytes_in);
        ck_assert_uint_eq(printed.bytes_out, planned.bytes_out);
    }
    return done.chained;
}

/* A launch that fits its device stays there, which dry runs do not follow: memories are
 * small beside a part of a tile. */
static staged_case pick_case(hit_random *random)
{
    static const char *const layout[] = {"block:dims=0", "block:dims=1", "block"};
    static const hit_choice choice[] = {{.steps = 7, .width = {4, 6, 5, 3}},
                                        {.steps = 16, .width = {8, 8, 8, 8}},
                                        {.steps = 64, .width = {9, 9, 9, 9}}};
    const hit_index extent = hit_random_index(random, 48, 90);
    const int devices = (int)hit_random_index(random, 1, 3);
    const hit_index part_bytes = extent * extent * 4 / hit_size(base);

    return (staged_case){
        .program = &chains_legal[hit_random_index(random, 0, chains_legal_count - 1)],
        .choice = &choice[hit_random_index(random, 0, 2)],
        .layout = layout[hit_random_index(random, 0, 2)],
        .extent = extent,
        .memory_bytes = (size_t)hit_random_index(random, 1024, 1024 + part_bytes / 2),
        .devices = devices,
        .kind = (likeness)hit_random_index(random, 0, LIKENESSES - 1)};
}

/* Programs whose tiles have one dimension, or which make parts that are too thin. */
static bool is_possible(const staged_case *of)
{
    const char *name = of->program->name;

    if (hit_size(base) > 4 && strstr(name, "dimensions") != NULL) return false;
    return strstr(name, "one dimension") == NULL ||
           strcmp(of->layout, "block:dims=0") == 0;
}

START_TEST(over_processes_with_small_memories_so_much_is_moved_as_is_planned)
{
    hit_random random = hit_random_start(7100000);
    const int count = chains_cases(60);
    uint64_t chained = 0;
    uint64_t several = 0; /* on more than one device */

    for (int k = 0; k < count && hit_size(base) > 1; k++) {
        const staged_case made = pick_case(&random);
        const uint64_t found = is_possible(&made) ? compare_staged(&made) : 0;

        chained += found;
        if (made.devices > 1) several += found;
    }
    if (hit_size(base) == 1) return;
    ck_assert_uint_gt(chained, (uint64_t)count);
    ck_assert_uint_gt(several, (uint64_t)count / 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains in dry runs");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, what_is_printed_is_what_is_counted);
    tcase_add_test(tc, what_is_read_from_a_file_is_sent_anew);
    tcase_add_test(tc, through_small_memories_so_much_is_moved_as_is_planned);
    tcase_add_test(tc, over_processes_with_small_memories_so_much_is_moved_as_is_planned);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
