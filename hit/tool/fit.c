/* SPDX-License-Identifier: MIT
 * hit fit: the fewest processes on which a program fits in memory. The program plans its
 * launches for one number of processes after the other (HIT_PLAN), and says what memory
 * of the host they would take: twice as many until it fits, then halfway. */
#define _POSIX_C_SOURCE 200809L /* setenv, fileno */

#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/sched/cluster.h"
#include "hit/sched/machine_file.h"
#include "hit/tool/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: hit fit [OPTION...] PROGRAM [ARG...]\n"
    "\n"
    "The fewest processes on which PROGRAM fits in memory. It is started on one\n"
    "process and plans for many: it runs no launch.\n"
    "\n"
    "  --memory SIZE   of a node: 512MiB, 16GB, ...; default: that of this machine\n"
    "  --machine FILE  plan on its nodes, by their memory=; at most so many processes\n"
    "  --per-node N    processes on a node; default 1\n"
    "  --most N        processes to try; default 65536\n"
    "  --json          one line of JSON\n"
    "\n"
    "The program, MPI and other libraries count as they are when the program has begun\n"
    "to plan; what it allocates itself later comes on top.\n";

enum {
    LINE = 1 << 16,
    PATH = 4096,
    MOST = 65536
};

typedef struct fit {
    char **program;
    size_t node_bytes;
    hit_index per_node;
    hit_index most;
    bool json;
} fit;

/* What a dry run says. */
typedef struct answer {
    hit_index processes;
    uint64_t bytes;   /* of the process that takes most, with ... */
    uint64_t beside;  /* ... the program, MPI and other libraries */
    uint64_t on_node; /* all processes of a node */
    bool timed;
    double time_s;
} answer;

/* ---- the command line ---- */

/* Its nodes are processes, and have the memory that the file says. */
static hit_status read_machine(fit *f, const char *name)
{
    char devices[PATH];
    hit_machine machine = {0};

    HIT_TRY(hit_machine_find(name, &machine));
    f->node_bytes = (size_t)hit_cluster_host_bytes(&machine);
    f->most = hit_cluster_processes(&machine);
    hit_machine_clear(&machine);
    if (f->most == 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a machine with nodes but found %s", name);
    }
    if (snprintf(devices, sizeof(devices), "simulated:%s", name) >=
        (int)sizeof(devices)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a shorter name of a machine than \"%.40s\"...", name);
    }
    if (setenv("HIT_DEVICES", devices, 1) != 0) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for the environment");
    }
    return HIT_OK;
}

static hit_status read_numbers(fit *f, const char *memory, const char *per_node,
                               const char *most)
{
    if (memory != NULL) HIT_TRY(hit_memory_parse(memory, &f->node_bytes));
    if (per_node != NULL) {
        HIT_TRY(hit_number_read("--per-node", per_node, 1, MOST, &f->per_node));
    }
    if (most != NULL) HIT_TRY(hit_number_read("--most", most, 1, 1000000, &f->most));
    if (f->node_bytes > 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected --memory: that of a node is not known");
}

/* Options end where the program begins, whose own words follow. */
static hit_status read_words(int argc, char **argv, fit *f)
{
    const char *machine = NULL;
    const char *memory = NULL;
    const char *per_node = NULL;
    const char *most = NULL;
    const hit_tool_option known[] = {
        {"--memory", &memory, NULL},     {"--machine", &machine, NULL},
        {"--per-node", &per_node, NULL}, {"--most", &most, NULL},
        {"--json", NULL, &f->json},      {NULL, NULL, NULL}};
    int a = 1;

    while (a < argc && strncmp(argv[a], "--", 2) == 0) {
        HIT_TRY(hit_tool_read_option(argc, argv, &a, known));
        a++;
    }
    if (a == argc) return HIT_FAIL(HIT_E_ARG, "expected a program");
    f->program = &argv[a];
    f->node_bytes = hit_memory_machine_bytes();
    f->per_node = 1;
    f->most = MOST;
    if (machine != NULL) HIT_TRY(read_machine(f, machine));
    return read_numbers(f, memory, per_node, most);
}

/* ---- dry runs ---- */

static uint64_t member(hit_json_value totals, const char *key)
{
    hit_index number = 0;

    return hit_json_read_whole(hit_json_member(totals, key), &number) ? (uint64_t)number
                                                                      : 0;
}

/* The totals of a context; a program may open several, one after the other. */
static void read_totals(hit_json_value totals, answer *found, bool *any)
{
    const uint64_t beside = member(totals, "beside_bytes");
    const uint64_t bytes = beside + member(totals, "tiles_bytes") +
                           member(totals, "scratch_bytes") +
                           member(totals, "held_bytes") + member(totals, "staged_bytes");
    const hit_json_value time = hit_json_member(totals, "predicted_s");

    *any = true;
    if (bytes > found->bytes) {
        found->bytes = bytes;
        found->beside = beside;
    }
    found->timed = time.text != NULL && *time.text != 'n'; /* null */
    if (found->timed) found->time_s += strtod(time.text, NULL);
}

static hit_status read_output(FILE *file, const char *program, answer *found)
{
    static const char begin[] = "{\"launches\":";
    char *line = NULL;
    bool any = false;

    HIT_TRY(hit_memory_zeroed(LINE, 1, &line));
    rewind(file);
    while (fgets(line, LINE, file) != NULL) {
        hit_json_value totals;

        if (strncmp(line, begin, strlen(begin)) != 0) continue;
        if (hit_json_check(program, line, &totals) != HIT_OK) continue;
        read_totals(totals, found, &any);
    }
    free(line);
    if (any) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected a program that launches kernels of hit, but "
                    "it planned no launch",
                    program);
}

static hit_status run_dry(const fit *f, FILE *file, answer *found)
{
    const int files[3] = {HIT_SPAWN_NOWHERE, fileno(file), HIT_SPAWN_SAME};
    char text[32];
    char why[HIT_SPAWN_TEXT];

    (void)snprintf(text, sizeof(text), "%" PRId64, found->processes);
    if (setenv("HIT_PLAN", "json", 1) != 0 ||
        setenv("HIT_PLAN_PROCESSES", text, 1) != 0) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for the environment");
    }
    if (hit_tool_spawn(f->program, files, why) != NULL) {
        return HIT_FAIL(HIT_E_ARG, "HIT_PLAN_PROCESSES=%s: %s", text, why);
    }
    return read_output(file, f->program[0], found);
}

static hit_status ask(const fit *f, hit_index processes, answer *found)
{
    FILE *file = tmpfile();
    hit_status status;

    *found = (answer){.processes = processes};
    if (file == NULL) return HIT_FAIL(HIT_E_IO, "cannot make a temporary file");
    status = run_dry(f, file, found);
    (void)fclose(file);
    HIT_TRY(status);
    found->on_node =
        found->bytes * (uint64_t)(processes < f->per_node ? processes : f->per_node);
    if (!f->json) {
        char bytes[32];
        char all[32];

        hit_memory_print(found->bytes - found->beside, bytes, sizeof(bytes));
        hit_memory_print(found->bytes, all, sizeof(all));
        hit_say(stdout, "%10" PRId64 "  %12s  %16s", processes, bytes, all);
        if (found->timed) hit_say(stdout, "  %12.3g s", found->time_s);
        hit_say(stdout, "\n");
    }
    return HIT_OK;
}

/* The fewest: twice as many until it fits, then between. */
static hit_status search(const fit *f, answer *best)
{
    hit_index low = 0; /* does not fit */
    hit_index high = 1;

    HIT_TRY(ask(f, high, best));
    while (best->on_node > f->node_bytes && high < f->most) {
        low = high;
        high = 2 * high < f->most ? 2 * high : f->most;
        HIT_TRY(ask(f, high, best));
    }
    while (best->on_node <= f->node_bytes && high - low > 1) {
        const hit_index middle = low + (high - low) / 2;
        answer found;

        HIT_TRY(ask(f, middle, &found));
        if (found.on_node <= f->node_bytes) {
            *best = found;
            high = middle;
        } else {
            low = middle;
        }
    }
    return HIT_OK;
}

/* From there on, twice as many as long as they are faster. */
static hit_status search_time(const fit *f, const answer *best, answer *fastest)
{
    *fastest = *best;
    while (fastest->timed && 2 * fastest->processes <= f->most) {
        answer found;

        HIT_TRY(ask(f, 2 * fastest->processes, &found));
        if (!found.timed || found.time_s >= fastest->time_s) break;
        *fastest = found;
    }
    return HIT_OK;
}

static void print_json(const fit *f, const answer *best, const answer *fastest)
{
    hit_json line = {.file = stdout};
    const bool fits = best->on_node <= f->node_bytes;

    hit_json_object(&line, NULL);
    hit_json_truth(&line, "fits", fits);
    hit_json_whole(&line, "processes", best->processes);
    hit_json_count(&line, "bytes", best->bytes);
    hit_json_count(&line, "beside_bytes", best->beside);
    hit_json_count(&line, "on_node_bytes", best->on_node);
    if (fits && fastest->timed) {
        hit_json_whole(&line, "fastest_processes", fastest->processes);
        hit_json_real(&line, "predicted_s", "%.9g", fastest->time_s);
    }
    hit_json_end_line(&line);
}

static void print(const fit *f, const answer *best, const answer *fastest)
{
    const hit_index nodes = (best->processes + f->per_node - 1) / f->per_node;
    char node[32];
    char taken[32];

    hit_memory_print(f->node_bytes, node, sizeof(node));
    hit_memory_print(best->on_node, taken, sizeof(taken));
    if (best->on_node > f->node_bytes) {
        hit_say(stdout, "does not fit: %" PRId64 " processes take %s of a node's %s\n",
                best->processes, taken, node);
        return;
    }
    hit_say(stdout,
            "fits on %" PRId64 " process%s, %" PRId64 " node%s: %s of a node's %s\n",
            best->processes, best->processes == 1 ? "" : "es", nodes,
            nodes == 1 ? "" : "s", taken, node);
    if (fastest->timed) {
        hit_say(stdout, "the predicted time falls until %" PRId64 " processes: %.3g s\n",
                fastest->processes, fastest->time_s);
    }
}

static hit_status answer_all(const fit *f, bool *fits)
{
    answer best;
    answer fastest = {0};

    if (!f->json) hit_say(stdout, " processes      for each  with program, MPI\n");
    HIT_TRY(search(f, &best));
    *fits = best.on_node <= f->node_bytes;
    if (*fits) HIT_TRY(search_time(f, &best, &fastest));
    if (f->json) {
        print_json(f, &best, &fastest);
    } else {
        print(f, &best, &fastest);
    }
    return HIT_OK;
}

int hit_tool_fit(int argc, char **argv)
{
    fit f = {0};
    bool fits = false;
    hit_status st;

    if (hit_tool_helps_first(argc, argv, usage)) return 0;
    st = read_words(argc, argv, &f);
    if (st != HIT_OK) {
        hit_tool_print_failure("fit", f.json, "error");
        return 2;
    }
    st = answer_all(&f, &fits);
    if (st == HIT_OK) return fits ? 0 : 1;
    hit_tool_print_failure("fit", f.json, "error");
    return st == HIT_E_ARG ? 2 : 1;
}
