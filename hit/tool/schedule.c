/* SPDX-License-Identifier: MIT
 * `hit schedule`: tasks of a factorisation on a machine that a file describes, placed by
 * a scheduler, in virtual time. */
#include "hit/base/input.h"
#include "hit/base/quote.h"
#include "hit/base/registry.h"
#include "hit/model/measure.h"
#include "hit/sched/bounds.h"
#include "hit/sched/clock.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/tool/tool.h"

#include <inttypes.h>
#include <math.h>
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
    "  --back WHEN      the host has what is written back to make room when the copy\n"
    "                   is asked for (asked, default) or when it has arrived (arrived)\n"
    "  --runs N         means of runs with seeds from --seed on, and half of the widths\n"
    "                   of their 95 % confidence intervals, default: 1\n"
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
    const hit_tool_graph *kind; /**< its */
    const char *machine;
    const char *scheduler;
    const char *size;
    const char *tile;
    const char *count;
    const char *seed;
    const char *noise;
    const char *back;
    const char *runs;
    const char *change[8]; /**< of the machine, as change_option[] */
    bool json;
} request;

static const char *const change_option[] = {"--gpus",      "--cpus",     "--groups",
                                            "--memory",    "--bus",      "--window",
                                            "--host-only", "--predicted"};
enum {
    CHANGES = sizeof change_option / sizeof change_option[0]
};

/* ---- the command line ---- */

static hit_status find_graph(const char *name, const hit_tool_graph **graph)
{
    hit_names names;

    hit_names_begin(&names, name, strlen(name));
    for (int k = 0; k < hit_tool_graph_count; k++) {
        *graph = &hit_tool_graphs[k];
        if (strcmp(name, hit_tool_graphs[k].name) == 0) return HIT_OK;
        hit_names_add(&names, hit_tool_graphs[k].name);
    }
    return HIT_FAIL(HIT_E_ARG, "expected %s but found \"%s\"%s", hit_names_list(&names),
                    name, hit_names_hint(&names));
}

static hit_status read_request(int argc, char **argv, request *r)
{
    hit_tool_option known[10 + CHANGES + 1] = {
        {"--machine", &r->machine, NULL}, {"--scheduler", &r->scheduler, NULL},
        {"--size", &r->size, NULL},       {"--tile", &r->tile, NULL},
        {"--count", &r->count, NULL},     {"--seed", &r->seed, NULL},
        {"--noise", &r->noise, NULL},     {"--back", &r->back, NULL},
        {"--runs", &r->runs, NULL},       {"--json", NULL, &r->json}};
    const char **const plain[] = {&r->graph};

    for (int k = 0; k < CHANGES; k++) {
        known[10 + k] = (hit_tool_option){change_option[k], &r->change[k], NULL};
    }
    HIT_TRY(hit_tool_read_words(argc, argv, known, 1, plain, "graph"));
    if (r->graph == NULL) return HIT_FAIL(HIT_E_ARG, "expected a graph");
    HIT_TRY(find_graph(r->graph, &r->kind));
    if (r->machine == NULL) return HIT_FAIL(HIT_E_ARG, "expected --machine");
    if (r->scheduler == NULL) r->scheduler = "heft";
    return HIT_OK;
}

static hit_status read_number(const char *name, const char *text, hit_index low,
                              hit_index high, hit_index *number)
{
    return text != NULL ? hit_number_read(name, text, low, high, number) : HIT_OK;
}

static hit_status read_problem(const request *r, hit_tool_problem *problem)
{
    hit_index size = 8192;
    hit_index tile = 512;
    hit_index count = 28;

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
                    "expected --size to be 1 to 256 times --tile but found %" PRId64
                    " and %" PRId64,
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

/** A figure of several runs. */
typedef struct figure {
    int runs;
    double mean;
    double squares; /**< of what runs differ from the mean, summed */
} figure;

static void add(figure *f, double value)
{
    const double apart = value - f->mean;

    f->runs++;
    f->mean += apart / f->runs;
    f->squares += apart * (value - f->mean);
}

/** Half of the width of the 95 % confidence interval; 0 for one run. */
static double half_width(const figure *f)
{
    if (f->runs < 2) return 0.0;
    return hit_measure_student(0.95, f->runs - 1) *
           sqrt(f->squares / (f->runs - 1) / f->runs);
}

/** What is printed of the runs. */
typedef struct answer {
    const request *request;
    const hit_machine *machine;
    hit_simulated run; /**< the last one */
    figure gflops;
    figure moved_bytes;
    figure makespan_ms;
    figure joules; /**< below 0: the machine file does not say the power of each device */
    hit_bounds bounds;
    double operations;
} answer;

/** Of the last run. */
static double gflops(const answer *a)
{
    return a->run.end_ns > 0 ? a->operations / (double)a->run.end_ns : 0.0;
}

static void print_json(const answer *a)
{
    hit_json line = {.file = stdout};

    hit_json_object(&line, NULL);
    hit_json_text(&line, "graph", a->request->graph);
    hit_json_text(&line, "machine", a->request->machine);
    hit_json_text(&line, "scheduler", a->request->scheduler);
    hit_json_real(&line, "makespan_ms", "%.6f", a->makespan_ms.mean);
    if (a->joules.mean >= 0) hit_json_real(&line, "energy_j", "%.6f", a->joules.mean);
    hit_json_real(&line, "moved_bytes", "%.0f", a->moved_bytes.mean);
    hit_json_real(&line, "gflops", "%.3f", a->gflops.mean);
    hit_json_whole(&line, "tasks", a->run.tasks);
    hit_json_whole(&line, "copies", a->run.copies);
    hit_json_real(&line, "critical_path_ms", "%.6f", (double)a->bounds.path_ns / 1e6);
    if (a->gflops.runs > 1) {
        hit_json_whole(&line, "runs", a->gflops.runs);
        hit_json_real(&line, "makespan_ms_half_width", "%.6f",
                      half_width(&a->makespan_ms));
        if (a->joules.mean >= 0) {
            hit_json_real(&line, "energy_j_half_width", "%.6f", half_width(&a->joules));
        }
        hit_json_real(&line, "moved_bytes_half_width", "%.0f",
                      half_width(&a->moved_bytes));
        hit_json_real(&line, "gflops_half_width", "%.3f", half_width(&a->gflops));
    }
    hit_json_real(&line, "area_bound_ms", "%.6f",
                  a->bounds.area_ns > 0 ? (double)a->bounds.area_ns / 1e6 : NAN);
    hit_json_list(&line, "devices");
    for (int d = 0; d < a->run.devices; d++) {
        hit_json_object(&line, NULL);
        hit_json_whole(&line, "tasks", a->run.ran[d]);
        hit_json_real(&line, "busy_ms", "%.6f", (double)a->run.busy_ns[d] / 1e6);
        hit_json_end(&line);
    }
    hit_json_end_line(&line);
}

static hit_status print_text(const answer *a)
{
    hit_machine_device device[HIT_MACHINE_DEVICES];
    int devices;

    HIT_TRY(hit_machine_devices(a->machine, &devices, device));
    hit_say(stdout, "%s on %s by %s\n", a->request->graph, a->request->machine,
            a->request->scheduler);
    if (a->gflops.runs > 1) {
        printf("  %d runs: %.3f +- %.3f ms, %.1f +- %.1f GFLOP/s, %.1f +- %.1f MB; the "
               "last:\n",
               a->gflops.runs, a->makespan_ms.mean, half_width(&a->makespan_ms),
               a->gflops.mean, half_width(&a->gflops), a->moved_bytes.mean / 1e6,
               half_width(&a->moved_bytes) / 1e6);
    }
    printf("  %d tasks in %.3f ms: %.1f GFLOP/s; %lld copies of %.1f MB\n", a->run.tasks,
           (double)a->run.end_ns / 1e6, gflops(a), (long long)a->run.copies,
           (double)a->run.moved_bytes / 1e6);
    if (a->joules.mean >= 0) {
        printf("  energy %.4g J", a->joules.mean);
        if (a->joules.runs > 1) printf(" +- %.2g J, mean of all", half_width(&a->joules));
        printf("\n");
    }
    printf("  longest way %.3f ms", (double)a->bounds.path_ns / 1e6);
    if (a->bounds.area_ns > 0) {
        printf(", all devices busy %.3f ms", (double)a->bounds.area_ns / 1e6);
    }
    printf("\n");
    for (int d = 0; d < devices; d++) {
        const double busy = (double)a->run.busy_ns[d] / 1e6;

        hit_say(stdout, "  %3d %-10s %6d tasks, busy %10.3f ms\n", d,
                a->machine->kind[device[d].kind].name, a->run.ran[d], busy);
    }
    return HIT_OK;
}

static hit_status read_options(const request *r, hit_simulate_options *options)
{
    const char *const said[][2] = {
        {"--seed", r->seed}, {"--noise", r->noise}, {"--back", r->back}};
    bool known;

    for (size_t k = 0; k < sizeof said / sizeof said[0]; k++) {
        if (said[k][1] == NULL) continue;
        HIT_TRY(hit_simulate_options_set(options, said[k][0], said[k][0] + 2, said[k][1],
                                         &known));
    }
    return HIT_OK;
}

static hit_status simulate(const request *r, const hit_graph *graph, answer *a)
{
    hit_simulate_options options = {.noise_percent = 0};
    hit_scheduler scheduler;
    uint64_t seed;
    hit_index runs = 1;

    HIT_TRY(read_options(r, &options));
    HIT_TRY(read_number("--runs", r->runs, 1, 1000000, &runs));
    seed = options.engine.seed;
    HIT_TRY(hit_scheduler_read(NULL, r->scheduler, &scheduler));
    HIT_TRY(hit_simulate_bounds(graph, a->machine, &a->bounds));
    for (hit_index k = 0; k < runs; k++) {
        options.engine.seed = seed + (uint64_t)k;
        HIT_TRY(hit_simulate(graph, a->machine, &scheduler, &options, &a->run));
        add(&a->gflops, gflops(a));
        add(&a->moved_bytes, (double)a->run.moved_bytes);
        add(&a->makespan_ms, (double)a->run.end_ns / 1e6);
        add(&a->joules, hit_machine_joules(a->machine, a->run.busy_ns, a->run.end_ns));
    }
    return HIT_OK;
}

static hit_status respond(const request *r)
{
    hit_tool_problem problem;
    hit_machine machine = {0};
    hit_graph graph = {0};
    answer a = {.request = r, .machine = &machine};
    hit_status st;

    HIT_TRY(read_problem(r, &problem));
    HIT_TRY_GOTO(st, read_machine(r, &machine), clear);
    HIT_TRY_GOTO(st, hit_tool_graph_make(r->kind, problem, &graph), clear);
    a.operations = hit_tool_graph_operations(r->kind, problem);
    HIT_TRY_GOTO(st, simulate(r, &graph, &a), clear);
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

static void print_lists(void)
{
    for (int k = 0; k < hit_tool_graph_count; k++) {
        hit_tool_print_item(10, hit_tool_graphs[k].name, hit_tool_graphs[k].help);
    }
    printf("\nschedulers:\n");
    for (int k = 0; k < hit_scheduler_table_count; k++) {
        hit_tool_print_item(10, hit_scheduler_table[k]->name,
                            hit_scheduler_table[k]->help);
    }
}

int hit_tool_schedule(int argc, char **argv)
{
    request r = {.json = false};
    hit_status st;

    if (hit_tool_helps(argc, argv, USAGE)) {
        print_lists();
        return 0;
    }
    st = read_request(argc, argv, &r);
    if (st == HIT_OK) st = respond(&r);
    if (st != HIT_OK && r.json) {
        hit_tool_print_failure("schedule", true, hit_status_name(st));
    }
    return hit_tool_end("schedule", st, 1u << HIT_E_LIMIT);
}
