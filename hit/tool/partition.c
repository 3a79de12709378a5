/* SPDX-License-Identifier: MIT
 * `hit partition`: how many units each process gets, from files with the models of their
 * performance. A new algorithm is one line in the table. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/model/fpm_file.h"
#include "hit/model/fpm_time.h"
#include "hit/tool/tool.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/even.h"
#include "layouts/partition/pareto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: hit partition ALGORITHM --units N [--json] MODEL...\n"
    "       hit partition pareto --units N [--points K | --within P%] [--json]\n"
    "           MODEL ENERGY...\n"
    "       hit partition columns|grid --grid MxN [--json] MODEL...\n"
    "       hit partition ordered --panels N [--height H] [--json] MODEL...\n"
    "       hit partition shapes --grid N [--json] MODEL MODEL [MODEL]\n"
    "\n"
    "  --units N   whole units that are shared, one part for each model\n"
    "  --points K  at most K partitions, from the least energy to the shortest time\n"
    "  --within P% the one with the least energy within P % of the shortest time\n"
    "  --grid MxN  rows and columns of units, one rectangle for each model\n"
    "  --panels N  panels with one owner each; step k works on those after k\n"
    "  --height H  units of a panel in every step; default: as many as panels are left\n"
    "  --json      one line of JSON: {\"status\": \"ok\", \"d\": [...], "
    "\"makespan_s\": ...},\n"
    "              \"rects\": [[row, column, height, width], ...], \"owner\": [...], or\n"
    "              \"trades\": [{\"makespan_s\": ..., \"energy_j\": ..., \"d\": [...]}, "
    "...]\n"
    "  MODEL       a file with the model of a process; @LIST: a file with one path "
    "per line\n"
    "  ENERGY      the same for its energy, with J in the place of seconds\n"
    "\n"
    "exit codes: 0 a partition, 1 infeasible, 2 an error\n"
    "\n"
    "algorithms:\n";

static hit_status answer_units(const hit_tool_request *r);
static hit_status answer_pareto(const hit_tool_request *r);

static const hit_tool_algorithm ALGORITHMS[] = {
    {"even", "equal shares", answer_units, hit_partition_even},
    {"cpm", "in proportion to the speeds at an even share", answer_units,
     hit_partition_single},
    {"fpm", "the best: geometric if times never fall with the load, else optimal",
     answer_units, hit_partition_fpm},
    {"numerical", "equal times on smooth curves; declines where that is not good",
     answer_units, hit_partition_numerical},
    {"optimal", "the best for any models", answer_units, hit_partition_optimal},
    {"pareto", "of time and energy: those of which no other one is better in both",
     answer_pareto, NULL},
    {"columns", "one rectangle each, in columns", hit_tool_columns, NULL},
    {"grid", "the same with equally many in every column", hit_tool_grid, NULL},
    {"ordered", "panels of a factorisation, by owner", hit_tool_ordered, NULL},
    {"shapes", "what 2 or 3 processes communicate in which shape", hit_tool_shapes, NULL},
};
enum {
    ALGORITHM_COUNT = sizeof(ALGORITHMS) / sizeof(ALGORITHMS[0])
};

/* ---- the answer ---- */

static void print_json(int parts, const hit_index share[], const hit_partition_info *info)
{
    hit_json line = hit_tool_ok();

    hit_json_indices(&line, "d", parts, share);
    hit_json_real(&line, "makespan_s", "%.17g", info->makespan_s);
    hit_json_text(&line, "algorithm", info->algorithm);
    hit_json_whole(&line, "iterations", info->iterations);
    hit_json_end_line(&line);
}

static void print_table(const hit_tool_request *r, const hit_index share[],
                        const hit_partition_info *info)
{
    hit_say(stdout, "makespan    %.6g s\nalgorithm   %s, %d iteration%s\n",
            info->makespan_s, info->algorithm, info->iterations,
            info->iterations == 1 ? "" : "s");
    hit_say(stdout, "%7s %20s %14s  %s\n", "process", "units", "seconds", "model");
    for (int i = 0; i < r->models; i++) {
        hit_say(stdout, "%7d %20" PRId64 " %14.6g  %s\n", i, share[i],
                hit_fpm_time(r->model[i], share[i]), r->path[i]);
    }
}

hit_status hit_tool_number(const char *name, const char *text, hit_index low,
                           hit_index *number)
{
    if (text == NULL) return HIT_FAIL(HIT_E_ARG, "expected %s", name);
    return hit_number_read(name, text, low, INT64_MAX, number);
}

static hit_status answer_units(const hit_tool_request *r)
{
    const hit_fpm *const *model = (const hit_fpm *const *)r->model;
    hit_partition_info info;
    hit_index units;
    hit_index *share;
    hit_status st;

    HIT_TRY(hit_tool_number("--units", r->units, 0, &units));
    HIT_TRY(hit_memory_zeroed((size_t)r->models, sizeof *share, &share));
    HIT_TRY_GOTO(st, r->algorithm->partition(units, r->models, model, share, &info),
                 free_share);
    if (r->json) {
        print_json(r->models, share, &info);
    } else {
        print_table(r, share, &info);
    }

free_share:
    free(share);
    return st;
}

/* ---- time and energy ---- */

static void print_trades_json(int parts, int count, const hit_trade trade[])
{
    hit_json line = hit_tool_ok();

    hit_json_list(&line, "trades");
    for (int k = 0; k < count; k++) {
        hit_json_object(&line, NULL);
        hit_json_real(&line, "makespan_s", "%.17g", trade[k].makespan_s);
        hit_json_real(&line, "energy_j", "%.17g", trade[k].energy_j);
        hit_json_indices(&line, "d", parts, trade[k].share);
        hit_json_end(&line);
    }
    hit_json_end(&line);
    hit_json_end_line(&line);
}

static void print_trades(int parts, int count, const hit_trade trade[])
{
    hit_say(stdout, "%14s %14s  units of each process\n", "seconds", "J");
    for (int k = 0; k < count; k++) {
        hit_say(stdout, "%14.6g %14.6g ", trade[k].makespan_s, trade[k].energy_j);
        for (int i = 0; i < parts; i++) {
            hit_say(stdout, " %" PRId64, trade[k].share[i]);
        }
        hit_say(stdout, "\n");
    }
}

static hit_status find_within(const hit_tool_request *r, hit_index units,
                              const hit_trade_models *models)
{
    hit_trade one = {0};
    double slack;
    hit_status st;

    if (!hit_text_percent(r->within, &slack)) {
        return HIT_FAIL(HIT_E_ARG, "expected --within as 5%% but found \"%s\"",
                        r->within);
    }
    HIT_TRY(hit_memory_zeroed((size_t)models->parts, sizeof *one.share, &one.share));
    st = hit_partition_thrifty(units, models, slack, &one);
    if (st == HIT_OK) {
        (r->json ? print_trades_json : print_trades)(models->parts, 1, &one);
    }
    free(one.share);
    return st;
}

static hit_status find_trades(const hit_tool_request *r, hit_index units,
                              const hit_trade_models *models)
{
    hit_index most = 0;
    hit_trade *trade;
    int count;

    if (r->points != NULL) {
        HIT_TRY(hit_number_read("--points", r->points, 1, 1000000, &most));
    }
    HIT_TRY(hit_partition_pareto(units, models, (int)most, &trade, &count));
    (r->json ? print_trades_json : print_trades)(models->parts, count, trade);
    hit_partition_trades_free(&trade, count);
    return HIT_OK;
}

/* Models of time and energy take turns. */
static hit_status answer_pareto(const hit_tool_request *r)
{
    const int parts = r->models / 2;
    const hit_fpm **sorted;
    hit_index units;
    hit_status st;

    HIT_TRY(hit_tool_number("--units", r->units, 0, &units));
    if (r->models % 2 != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a model of energy after each model but found %d models",
                        r->models);
    }
    HIT_TRY(hit_memory_zeroed((size_t)r->models, sizeof *sorted, &sorted));
    for (int k = 0; k < r->models; k++) {
        sorted[k % 2 * parts + k / 2] = r->model[k];
    }
    st = (r->within != NULL ? find_within : find_trades)(
        r, units, &(hit_trade_models){parts, sorted, sorted + parts});
    free(sorted);
    return st;
}

/* ---- the models ---- */

static hit_status add_model(hit_tool_request *r, const char *path)
{
    size_t size = strlen(path) + 1;

    HIT_TRY(HIT_ONE_MORE(r->model, r->models, r->model_room, "models"));
    HIT_TRY(HIT_ONE_MORE(r->path, r->models, r->path_room, "models"));
    HIT_TRY(hit_fpm_load(path, &r->model[r->models]));
    if (hit_memory_zeroed(1, size, &r->path[r->models]) != HIT_OK) {
        hit_fpm_destroy(&r->model[r->models]);
        return HIT_E_NOMEM;
    }
    memcpy(r->path[r->models++], path, size);
    return HIT_OK;
}

/** Add the models whose paths stand in the file @p name, one per line. */
static hit_status add_list(hit_tool_request *r, const char *name)
{
    hit_status st = HIT_OK;
    char *rest = NULL;
    char *text;

    HIT_TRY(hit_lines_load(name, "a list of models", &text));
    for (const char *line = strtok_r(text, "\r\n", &rest); st == HIT_OK && line != NULL;
         line = strtok_r(NULL, "\r\n", &rest)) {
        if (line[0] != '#') st = add_model(r, line);
    }
    free(text);
    return st;
}

static void clear_request(hit_tool_request *r)
{
    for (int i = 0; i < r->models; i++) {
        hit_fpm_destroy(&r->model[i]);
        free(r->path[i]);
    }
    free(r->model);
    free(r->path);
}

/* ---- the command line ---- */

static hit_status find_algorithm(hit_tool_request *r, const char *name)
{
    for (int a = 0; a < ALGORITHM_COUNT; a++) {
        if (strcmp(name, ALGORITHMS[a].name) == 0) r->algorithm = &ALGORITHMS[a];
    }
    if (r->algorithm != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "no algorithm \"%s\"; see hit partition --help", name);
}

static hit_status read_request(int argc, char **argv, hit_tool_request *r)
{
    const hit_tool_option known[] = {
        {"--units", &r->units, NULL},   {"--grid", &r->grid, NULL},
        {"--panels", &r->panels, NULL}, {"--height", &r->height, NULL},
        {"--points", &r->points, NULL}, {"--within", &r->within, NULL},
        {"--json", NULL, &r->json},     {NULL, NULL, NULL}};

    hit_tool_read_flags(argc, argv, known);
    for (int a = 1; a < argc; a++) {
        if (strncmp(argv[a], "--", 2) == 0) {
            HIT_TRY(hit_tool_read_option(argc, argv, &a, known));
        } else if (r->algorithm == NULL) {
            HIT_TRY(find_algorithm(r, argv[a]));
        } else if (argv[a][0] == '@') {
            HIT_TRY(add_list(r, argv[a] + 1));
        } else {
            HIT_TRY(add_model(r, argv[a]));
        }
    }
    if (r->algorithm == NULL) return HIT_FAIL(HIT_E_ARG, "expected an algorithm");
    if (r->models == 0) return HIT_FAIL(HIT_E_ARG, "expected at least one model");
    return HIT_OK;
}

static void print_lists(void)
{
    for (int a = 0; a < ALGORITHM_COUNT; a++) {
        hit_tool_print_item(10, ALGORITHMS[a].name, ALGORITHMS[a].help);
    }
}

int hit_tool_partition(int argc, char **argv)
{
    hit_tool_request r = {.json = false};
    hit_status st;

    if (hit_tool_helps(argc, argv, USAGE)) {
        print_lists();
        return 0;
    }
    st = read_request(argc, argv, &r);
    if (st == HIT_OK) st = r.algorithm->answer(&r);
    if (st != HIT_OK) {
        hit_tool_print_failure("partition", r.json,
                               st == HIT_E_LIMIT ? "infeasible" : "error");
    }
    clear_request(&r);
    if (st == HIT_OK) return 0;
    return st == HIT_E_LIMIT ? 1 : 2;
}
