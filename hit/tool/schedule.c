/* SPDX-License-Identifier: MIT
 * `hit schedule`: tasks of a factorisation on a machine that a file describes, placed by
 * a scheduler, in virtual time. */
#include "hit/base/memory.h"
#include "hit/sched/bounds.h"
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/tool/graphs.h"
#include "hit/tool/json.h"
#include "hit/tool/options.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char USAGE[] =
    "usage: hit schedule GRAPH --machine MACHINE [OPTION...]\n"
    "\n"
    "  --machine M      a machine file, or the name of one that comes with the library\n"
    "  --scheduler S    default: heft; each also has queue=fifo, rank or lack\n"
    "  --size N         elements along an edge of the matrix, default: 8192\n"
    "  --tile B         elements along an edge of a tile, default: 512\n"
    "  --count N        products of dgemm, default: 28\n"
    "  --seed N         of random, steal and --noise, default: 0\n"
    "  --noise N        standard deviation of times, in percent, default: 0\n"
    "  --json           one JSON object\n"
    "what the machine file says is changed by\n"
    "  --gpus N  --cpus N  --memory BYTES  --window N\n"
    "  --groups N,N     groups of so many cores each, instead of single ones\n"
    "  --bus N|own      copies at a time, in each direction; own: one link for each GPU\n"
    "  --host-only K,K  kernels that run on processors only; none\n"
    "  --predicted X    bytes in predictions of copies, times X\n"
    "\n"
    "graphs:\n";

/** What the command line says; NULL where it does not. */
typedef struct request {
    const char *graph;
    const char *machine;
    const char *scheduler;
    const char *size;
    const char *tile;
    const char *count;
    const char *seed;
    const char *noise;
    const char *change[8]; /**< of the machine, as change_key[] */
    bool json;
} request;

static const char *const change_option[] = {"--gpus",      "--cpus",     "--groups",
                                            "--memory",    "--bus",      "--window",
                                            "--host-only", "--predicted"};
enum {
    CHANGES = sizeof change_option / sizeof change_option[0]
};

/* ---- the command line ---- */

static hit_status read_option(int argc, char **argv, int *at, request *r)
{
    hit_tool_option known[7 + CHANGES] = {
        {"--machine", &r->machine}, {"--scheduler", &r->scheduler}, {"--size", &r->size},
        {"--tile", &r->tile},       {"--count", &r->count},         {"--seed", &r->seed},
        {"--noise", &r->noise}};

    for (int k = 0; k < CHANGES; k++) {
        known[7 + k] = (hit_tool_option){change_option[k], &r->change[k]};
    }
    return hit_tool_read_option(argc, argv, at, 7 + CHANGES, known);
}

static hit_status read_request(int argc, char **argv, request *r)
{
    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--json") == 0) {
            r->json = true;
        } else if (strncmp(argv[a], "--", 2) == 0) {
            HIT_TRY(read_option(argc, argv, &a, r));
        } else if (r->graph == NULL) {
            r->graph = argv[a];
        } else {
            return HIT_FAIL(HIT_E_ARG, "expected one graph but found %s and %s", r->graph,
                            argv[a]);
        }
    }
    if (r->graph == NULL) return HIT_FAIL(HIT_E_ARG, "expected a graph");
    if (r->machine == NULL) return HIT_FAIL(HIT_E_ARG, "expected --machine");
    if (r->scheduler == NULL) r->scheduler = "heft";
    return HIT_OK;
}

static hit_status read_number(const char *name, const char *text, long long low,
                              long long high, long long *number)
{
    char *end;

    if (text == NULL) return HIT_OK;
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && errno == 0 && *number >= low && *number <= high) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected a whole number from %lld to %lld after %s but found \"%s\"",
                    low, high, name, text);
}

static hit_status find_graph(const char *name, const hit_tool_graph **graph)
{
    for (int k = 0; k < hit_tool_graph_count; k++) {
        *graph = &hit_tool_graphs[k];
        if (strcmp(name, hit_tool_graphs[k].name) == 0) return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected cholesky, lu, lu-incpiv, qr or dgemm but found \"%s\"",
                    name);
}

static hit_status read_problem(const request *r, hit_tool_problem *problem)
{
    long long size = 8192;
    long long tile = 512;
    long long count = 28;

    HIT_TRY(read_number("--tile", r->tile, 1, 1 << 15, &tile));
    HIT_TRY(read_number("--size", r->size, 1, 1 << 24, &size));
    HIT_TRY(read_number("--count", r->count, 1, 1 << 20, &count));
    problem->tile = (int)tile;
    problem->tiles = (int)(size / tile);
    if (strcmp(r->graph, "dgemm") == 0) {
        problem->tiles = (int)count;
        return HIT_OK;
    }
    if (size % tile == 0 && problem->tiles <= 256) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected --size to be 1 to 256 times --tile but found %lld and %lld",
                    size, tile);
}

static hit_status read_machine(const request *r, hit_machine *machine)
{
    HIT_TRY(hit_machine_find(r->machine, machine));
    for (int k = 0; k < CHANGES; k++) {
        if (r->change[k] == NULL) continue;
        HIT_TRY(hit_machine_set(machine, change_option[k] + 2, r->change[k]));
    }
    return HIT_OK;
}

/* ---- the answer ---- */

/** What is printed of a run. */
typedef struct answer {
    const request *request;
    const hit_machine *machine;
    hit_simulated run;
    hit_bounds bounds;
    double operations;
} answer;

static double gflops(const answer *a)
{
    return a->run.end_ns > 0 ? a->operations / (double)a->run.end_ns : 0.0;
}

static void print_json(const answer *a)
{
    printf("{\"graph\": \"%s\", \"machine\": ", a->request->graph);
    hit_json_text(a->request->machine);
    printf(", \"scheduler\": ");
    hit_json_text(a->request->scheduler);
    printf(", \"makespan_ms\": %.6f, \"moved_bytes\": %lld, \"gflops\": %.3f, "
           "\"tasks\": %d, \"copies\": %lld, \"critical_path_ms\": %.6f, "
           "\"area_bound_ms\": ",
           (double)a->run.end_ns / 1e6, (long long)a->run.moved_bytes, gflops(a),
           a->run.tasks, (long long)a->run.copies, (double)a->bounds.path_ns / 1e6);
    if (a->bounds.area_ns > 0) {
        printf("%.6f", (double)a->bounds.area_ns / 1e6);
    } else {
        printf("null");
    }
    printf(", \"devices\": [");
    for (int d = 0; d < a->run.devices; d++) {
        printf("%s{\"tasks\": %d, \"busy_ms\": %.6f}", d > 0 ? ", " : "", a->run.ran[d],
               (double)a->run.busy_ns[d] / 1e6);
    }
    printf("]}\n");
}

static hit_status print_text(const answer *a)
{
    hit_machine_device device[HIT_MACHINE_DEVICES];
    int devices;

    HIT_TRY(hit_machine_devices(a->machine, &devices, device));
    printf("%s on %s by %s\n", a->request->graph, a->request->machine,
           a->request->scheduler);
    printf("  %d tasks in %.3f ms: %.1f GFLOP/s; %lld copies of %.1f MB\n", a->run.tasks,
           (double)a->run.end_ns / 1e6, gflops(a), (long long)a->run.copies,
           (double)a->run.moved_bytes / 1e6);
    printf("  longest way %.3f ms", (double)a->bounds.path_ns / 1e6);
    if (a->bounds.area_ns > 0) {
        printf(", all devices busy %.3f ms", (double)a->bounds.area_ns / 1e6);
    }
    printf("\n");
    for (int d = 0; d < devices; d++) {
        const double busy = (double)a->run.busy_ns[d] / 1e6;

        printf("  %3d %-10s %6d tasks, busy %10.3f ms\n", d,
               a->machine->kind[device[d].kind].name, a->run.ran[d], busy);
    }
    return HIT_OK;
}

static hit_status simulate(const request *r, const hit_machine *machine,
                           const hit_graph *graph, answer *a)
{
    hit_simulate_options options = {.noise_percent = 0};
    hit_scheduler scheduler;
    long long seed = 0;
    long long noise = 0;

    HIT_TRY(read_number("--seed", r->seed, 0, 1LL << 62, &seed));
    HIT_TRY(read_number("--noise", r->noise, 0, 100, &noise));
    options.engine.seed = (uint64_t)seed;
    options.noise_percent = (int)noise;
    HIT_TRY(hit_scheduler_read(NULL, r->scheduler, &scheduler));
    HIT_TRY(hit_simulate_bounds(graph, machine, &a->bounds));
    return hit_simulate(graph, machine, &scheduler, &options, &a->run);
}

static hit_status respond(const request *r)
{
    const hit_tool_graph *kind;
    hit_tool_problem problem;
    hit_machine machine = {0};
    hit_graph graph = {0};
    answer a = {.request = r, .machine = &machine};
    hit_status st;

    HIT_TRY(find_graph(r->graph, &kind));
    HIT_TRY(read_problem(r, &problem));
    HIT_TRY_GOTO(st, read_machine(r, &machine), clear);
    HIT_TRY_GOTO(st, kind->make(&graph, problem), clear);
    HIT_TRY_GOTO(st, simulate(r, &machine, &graph, &a), clear);
    a.operations = kind->operations(problem);
    if (r->json) {
        print_json(&a);
    } else {
        st = print_text(&a);
    }
clear:
    hit_graph_clear(&graph);
    hit_machine_clear(&machine);
    return st;
}

static void print_help(void)
{
    (void)fputs(USAGE, stdout);
    for (int k = 0; k < hit_tool_graph_count; k++) {
        printf("  %-10s %s\n", hit_tool_graphs[k].name, hit_tool_graphs[k].help);
    }
    printf("\nschedulers:\n");
    for (int k = 0; k < hit_scheduler_table_count; k++) {
        printf("  %-10s %s\n", hit_scheduler_table[k]->name,
               hit_scheduler_table[k]->help);
    }
}

int hit_tool_schedule(int argc, char **argv)
{
    request r = {.json = false};
    hit_status st;

    for (int a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--help") != 0 && strcmp(argv[a], "-h") != 0) continue;
        print_help();
        return 0;
    }
    st = read_request(argc, argv, &r);
    if (st == HIT_OK) st = respond(&r);
    if (st == HIT_OK) return 0;
    (void)fprintf(stderr, "hit schedule: %s\n", hit_status_text());
    if (r.json) hit_json_failure(hit_status_name(st));
    return st == HIT_E_LIMIT ? 1 : 2;
}
