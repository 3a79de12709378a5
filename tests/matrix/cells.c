/* SPDX-License-Identifier: MIT
 * What goes with what: each mechanism in each context, as a small program whose results
 * are compared with plain loops, and whose counters say whether the mechanism did
 * something. "cells" on N processes prints a line for each cell of contexts that have so
 * many; cells.sh makes the table of docs/cells.md of them. */
#define _POSIX_C_SOURCE 200809L /* setenv, dup */
#include "hit/chain/tuner.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "hit/scheduled/schedule_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel step, valued, tabled, total, bump;

enum {
    EDGE = 256,
    SMALL = 16, /* two such tiles fit every device */
    BLOCK = 16,
    STEPS = 16,
    TABLE = 8
};

typedef enum mechanism {
    OVERLAP,
    TASKS,
    CHAINS,
    SUPERBLOCKS,
    SCHEDULER,
    SHARES,
    RESIDENCY,
    REDUCTIONS, /* from here on: in programs; they work where the context does */
    PERIODIC,
    PIECES,
    STRIDED,
    WHOLE,
    VALUES,
    LOOKS,
    MECHANISMS
} mechanism;

static const char *const mechanism_name[] = {
    "overlap", "tasks",       "chains",     "superblocks", "scheduler",
    "shares",  "residency",   "reductions", "periodic",    "several pieces",
    "strided", "whole boxes", "values",     "looks"};

/* What a context is to do with whatever runs in it. */
typedef enum own {
    ANYTHING,
    STREAMS,
    DEVICES,
    PLACES,
    CHAINED,
    PLANS,
    TRACES
} own;

typedef struct context {
    const char *name;
    int processes;
    own own;
    const char *devices;
    const char *variable; /* of the environment; NULL: none */
    const char *value;
} context;

#define TWO "host:threads=1:share=auto:memory=128KiB+host:threads=1"
#define PLACED "host:threads=1:share=auto:memory=4MiB+host:threads=1"
#define SIMULATED "simulated:machines/idgraf.machine"
#define SMALL_TWO "host:threads=1:memory=128KiB+host:threads=1:memory=128KiB"

static const context contexts[] = {
    {"one process", 1, ANYTHING, "host:threads=1", NULL, NULL},
    {"2 threads", 1, ANYTHING, "host:threads=2", NULL, NULL},
    {"in 1/8 of the memory", 1, STREAMS, "host:threads=1:memory=128KiB", NULL, NULL},
    {"2 devices", 1, DEVICES, TWO, NULL, NULL},
    {"2 small devices", 1, STREAMS, SMALL_TWO, NULL, NULL},
    {"2 devices in place", 1, DEVICES, "host:threads=1+host:threads=1", NULL, NULL},
    {"3 processes", 3, ANYTHING, "host:threads=2", NULL, NULL},
    {"3 processes, in 1/8", 3, STREAMS, "host:threads=1:memory=43KiB", NULL, NULL},
    {"3 processes of 2 devices", 3, DEVICES, TWO, NULL, NULL},
    {"3 processes of 2 small devices", 3, STREAMS, SMALL_TWO, NULL, NULL},
    {"scheduler", 1, PLACES, PLACED, "HIT_SCHED", "mct"},
    {"scheduler, 2 processes", 2, PLACES, PLACED, "HIT_SCHED", "mct"},
    {"chains on", 1, CHAINED, "host:threads=2", NULL, NULL},
    {"dry run", 1, PLANS, "host:threads=1", "HIT_PLAN", "1"},
    {"checked", 1, ANYTHING, "host:threads=2", "HIT_CHECK", "1"},
    {"trace", 1, TRACES, "host:threads=2", "HIT_TRACE", "/dev/null"},
    {"simulated", 1, PLACES, SIMULATED, "HIT_SCHED", "mct"}};

/* A cell under way. */
typedef struct cell {
    const context *in;
    mechanism of;
    hit_context *hit;
    int edge;
    int64_t *want_now; /* by plain loops */
    int64_t *want_next;
    int64_t want_sum;
    hit_tile *now;
    hit_tile *next;
    hit_tile *table;
    hit_tile *sum;
    uint64_t launches;
    uint64_t late_bytes; /* moved by the second half of the steps */
} cell;

/* ---- by plain loops ---- */

static int64_t at(const cell *c, int i, int j)
{
    const int n = c->edge;

    return c->want_now[(i + n) % n * n + (j + n) % n];
}

static void step_plainly(cell *c, int first, int last, int64_t more)
{
    int64_t *swapped = c->want_now;

    for (int i = first; i <= last; i++) {
        for (int j = first; j <= last; j++) {
            c->want_next[i * c->edge + j] =
                (at(c, i - 1, j) + at(c, i + 1, j) + at(c, i, j - 1) + at(c, i, j + 1) +
                 3 * at(c, i, j) + more) %
                1009;
        }
    }
    c->want_now = c->want_next;
    c->want_next = swapped;
}

static void bump_plainly(cell *c)
{
    for (int k = 0; k < c->edge * c->edge; k++) {
        for (int n = 0; n < 50; n++) {
            c->want_now[k] = (5 * c->want_now[k] + k / c->edge + k % c->edge) % 1009;
        }
    }
}

static void sum_plainly(cell *c)
{
    c->want_sum = 0;
    for (int k = 0; k < c->edge * c->edge; k++) {
        c->want_sum += c->want_now[k];
    }
}

/* ---- by the library ---- */

static hit_status launch_blocks(cell *c)
{
    for (int b = 0; b < EDGE * EDGE / BLOCK / BLOCK; b++) {
        const hit_index i = b / (EDGE / BLOCK) * BLOCK;
        const hit_index j = b % (EDGE / BLOCK) * BLOCK;
        const hit_domain box = hit_domain_box(
            2, (hit_index[]){i, j}, (hit_index[]){i + BLOCK - 1, j + BLOCK - 1});

        HIT_TRY(hit_launch(c->hit, &bump, box, c->now));
        c->launches++;
    }
    bump_plainly(c);
    return HIT_OK;
}

static hit_status launch_halves(cell *c, hit_domain inner)
{
    for (int half = 0; half < 2; half++) {
        hit_domain rows = inner;

        rows.sig[0].begin += half;
        rows.sig[0].end -= (rows.sig[0].end - rows.sig[0].begin) % 2;
        rows.sig[0].stride = 2;
        HIT_TRY(hit_launch(c->hit, &step, rows, c->next, c->now));
        c->launches++;
    }
    return HIT_OK;
}

/* Own elements only, on all processes. */
static hit_status look(const cell *c)
{
    hit_view view;

    return hit_tile_pieces(c->now) > 0 ? hit_tile_map(c->now, 0, HIT_READ, &view)
                                       : HIT_OK;
}

static hit_status run_step(cell *c, int t)
{
    const hit_domain plate = hit_tile_domain(c->now);
    const hit_domain box = c->of == PERIODIC ? plate : hit_domain_grow(plate, -1);
    const int rim = c->of == PERIODIC ? 0 : 1;
    int64_t more = 0;

    if (c->of == TASKS) return launch_blocks(c);
    if (c->of == VALUES) {
        more = t;
        HIT_TRY(hit_launch(c->hit, &valued, box, c->next, c->now, HIT_VALUE(more)));
    } else if (c->of == WHOLE) {
        more = 1 + 6;
        HIT_TRY(hit_launch(c->hit, &tabled, box, c->next, c->now, c->table));
    } else if (c->of == STRIDED) {
        HIT_TRY(launch_halves(c, box));
        c->launches--;
    } else {
        HIT_TRY(hit_launch(c->hit, &step, box, c->next, c->now));
    }
    c->launches++;
    hit_tile_swap(&c->now, &c->next);
    step_plainly(c, rim, c->edge - 1 - rim, more);
    if (c->of == LOOKS && t % 4 == 3) HIT_TRY(look(c));
    if (c->of != REDUCTIONS) return HIT_OK;
    HIT_TRY(hit_launch(c->hit, &total, plate, c->sum, c->now));
    c->launches++;
    sum_plainly(c);
    return HIT_OK;
}

static uint64_t bytes_of(const cell *c)
{
    hit_stats stats;

    hit_context_stats(c->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

static hit_status run_steps(cell *c)
{
    uint64_t half = 0;

    for (int t = 0; t < STEPS; t++) {
        if (t == STEPS / 2) HIT_TRY(hit_wait(c->hit));
        if (t == STEPS / 2) half = bytes_of(c);
        HIT_TRY(run_step(c, t));
    }
    HIT_TRY(hit_wait(c->hit));
    c->late_bytes = bytes_of(c) - half;
    return HIT_OK;
}

static hit_status make_tile(const cell *c, hit_domain domain, const char *layout_text,
                            const char *name, hit_tile **tile)
{
    return hit_tile_make(c->hit, domain, layout_text, HIT_INT64, name, tile);
}

static hit_status make_tiles(cell *c)
{
    const hit_domain plate = hit_domain_of(c->edge, c->edge);
    const char *layout = c->of == PIECES ? "cyclic" : "block";
    int64_t table[TABLE];

    HIT_TRY(make_tile(c, plate, layout, "now", &c->now));
    HIT_TRY(make_tile(c, plate, layout, "next", &c->next));
    HIT_TRY(make_tile(c, hit_domain_of(TABLE), "single", "table", &c->table));
    HIT_TRY(make_tile(c, hit_domain_of(1), "single", "sum", &c->sum));
    if (c->of == PERIODIC) {
        HIT_TRY(hit_tile_set_boundary(c->now, -1, HIT_BOUNDARY_PERIODIC, NULL));
        HIT_TRY(hit_tile_set_boundary(c->next, -1, HIT_BOUNDARY_PERIODIC, NULL));
    }
    for (int k = 0; k < TABLE; k++) {
        table[k] = k;
    }
    HIT_TRY(hit_tile_scatter(c->table, 0, table));
    for (int k = 0; k < c->edge * c->edge; k++) {
        c->want_now[k] = c->want_next[k] = k * 37 % 101;
    }
    HIT_TRY(hit_tile_scatter(c->now, 0, c->want_now));
    return hit_tile_scatter(c->next, 0, c->want_next);
}

/* ---- what came of it ---- */

static uint64_t overlapping_plans(const cell *c)
{
    const hit_launcher *launcher = c->hit->launcher;
    uint64_t found = 0;

    for (int k = 0; k < launcher->plans; k++) {
        found += launcher->plan[k]->overlaps;
    }
    return found;
}

static bool shares_follow(const cell *c)
{
    const hit_launcher *launcher = c->hit->launcher;
    bool all = launcher->plans > 0;

    for (int k = 0; k < launcher->plans; k++) {
        all = all && launcher->plan[k]->shares != NULL;
    }
    return all;
}

static bool all_devices_run(const cell *c)
{
    for (int d = 0; d < c->hit->devices; d++) {
        if (c->hit->stations->station[d].superblocks == 0) return false;
    }
    return true;
}

static uint64_t placed(const cell *c)
{
    const hit_scheduled *s = c->hit->stations->keeper.self;

    return s == NULL ? 0 : s->forgotten + (uint64_t)s->graph.tasks;
}

static bool context_did_it(const cell *c, const hit_stats *stats)
{
    switch (c->in->own) {
    case STREAMS:
        return stats->superblocks > c->launches;
    case DEVICES:
        return all_devices_run(c);
    case PLACES:
        return placed(c) >= c->launches;
    case CHAINED:
        return stats->chained > 0;
    case PLANS:
        return stats->launches == c->launches;
    case TRACES:
        return c->hit->trace != NULL &&
               (uint64_t)c->hit->trace->list[HIT_TRACE_LAUNCH].count == c->launches;
    default:
        return true;
    }
}

static bool did_it(const cell *c)
{
    hit_stats stats;

    HIT_MUST(hit_context_stats_all(c->hit, &stats));
    stats.launches /= (uint64_t)hit_size(c->hit);
    switch (c->of) {
    case OVERLAP:
        return overlapping_plans(c) > 0 &&
               (c->in->own != PLACES || placed(c) > c->launches);
    case TASKS:
        return c->hit->stations->logged[hit_source_of_tasks(c->hit->stations)] > 0 ||
               placed(c) > 0;
    case CHAINS:
        return stats.chained > 0;
    case SHARES:
        return shares_follow(c);
    case RESIDENCY:
        return c->late_bytes < STEPS / 2 * SMALL * SMALL * sizeof(int64_t) / 2;
    default:
        return context_did_it(c, &stats);
    }
}

static bool is_right(const cell *c)
{
    const size_t bytes = (size_t)c->edge * (size_t)c->edge * sizeof(int64_t);
    int64_t *found = malloc(bytes);
    int64_t sum = 0;
    bool good = found != NULL && hit_tile_gather(c->now, 0, found) == HIT_OK;

    if (c->of == REDUCTIONS) good &= hit_tile_gather(c->sum, 0, &sum) == HIT_OK;
    if (hit_rank(c->hit) == 0) {
        good = good && memcmp(found, c->want_now, bytes) == 0 && sum == c->want_sum;
    }
    free(found);
    return good;
}

/* Does the cell mean something? */
static bool is_one(const context *in, mechanism of)
{
    switch (of) {
    case OVERLAP:
        return in->processes > 1;
    case PIECES:
        return in->processes > 1 || in->own == PLANS;
    case TASKS: /* one thread has nobody to leave them to, and a plan has none */
        return in != &contexts[0] && in->own != PLANS;
    case SUPERBLOCKS:
        return in->own == STREAMS;
    case SCHEDULER:
        return in->own == PLACES;
    case SHARES: /* in place there are neither these nor copies */
        return in->own == DEVICES && strcmp(in->devices, TWO) == 0;
    case RESIDENCY: /* a scheduler by times may place as it likes */
        return in->own == STREAMS || is_one(in, SHARES);
    default:
        return true;
    }
}

/* Is the reason among what the library printed? */
static bool is_said(const cell *c)
{
    const char *way = c->of == OVERLAP ? "not beside its messages"
                      : c->of == TASKS ? "no task"
                      : c->of == CHAINS || c->in->own == CHAINED ? "chain ends"
                                                                 : "not placed";
    char text[4096];
    ssize_t read;

    (void)fflush(stdout);
    read = pread(STDOUT_FILENO, text, sizeof(text) - 1, 0);
    if (read < 0) return false;
    text[read] = '\0';
    return strstr(text, way) != NULL;
}

static const char *verdict_of(cell *c)
{
    hit_choice choice = {.steps = 4, .width = {4 * BLOCK, 4 * BLOCK}};
    const bool small = c->of == CHAINS && c->in->own == PLACES; /* what fits needs none */
    const hit_options options = {.devices = !small ? c->in->devices
                                            : strcmp(c->in->devices, PLACED) == 0
                                                ? TWO
                                                : SIMULATED ":memory=128KiB"};
    hit_status status = hit_open_with(NULL, NULL, &options, &c->hit);

    if (status != HIT_OK) return "refused";
    c->hit->launcher->chain_choice = &choice;
    status = hit_chain(c->hit, c->of == CHAINS || c->in->own == CHAINED ? HIT_CHAIN_ANY
                                                                        : HIT_CHAIN_OFF);
    if (status == HIT_OK) status = make_tiles(c);
    if (status == HIT_OK) status = run_steps(c);
    if (status != HIT_OK) return "refused";
    if (c->in->own != PLANS && !is_right(c)) return "WRONG";
    if (did_it(c)) return "yes";
    return is_said(c) ? "says why" : "silent";
}

/* What the library prints goes to a file. */
static bool run_cell(const context *in, mechanism of, int rank, int shown)
{
    cell c = {.in = in, .of = of, .edge = of == RESIDENCY ? SMALL : EDGE};
    const size_t bytes = (size_t)c.edge * (size_t)c.edge * sizeof(int64_t);
    int64_t *want[2] = {malloc(bytes), malloc(bytes)};
    const char *verdict;

    c.want_now = want[0];
    c.want_next = want[1];
    rewind(stdout);
    if (rank == 0 && ftruncate(STDOUT_FILENO, 0) != 0) perror("ftruncate");
    verdict = verdict_of(&c);
    if (rank == 0) {
        dprintf(shown, "%s|%s|%s|%s\n", in->name, mechanism_name[of], verdict,
                strcmp(verdict, "refused") == 0 ? hit_status_text() : "");
    }
    hit_tile_destroy(&c.sum);
    hit_tile_destroy(&c.table);
    hit_tile_destroy(&c.next);
    hit_tile_destroy(&c.now);
    hit_close(&c.hit);
    free(want[0]);
    free(want[1]);
    return strcmp(verdict, "WRONG") != 0;
}

static void set_variables(const context *in)
{
    if (in->variable != NULL) (void)setenv(in->variable, in->value, 1);
    if (in->own == PLANS) (void)setenv("HIT_PLAN_PROCESSES", "3", 1);
}

int main(int argc, char **argv)
{
    const int count = sizeof(contexts) / sizeof(contexts[0]);
    hit_context *base; /* keeps MPI open */
    bool good = true;
    int shown;

    (void)setenv("HIT_CHAIN", "say", 1);
    HIT_MUST(hit_open_with(&argc, &argv, &(hit_options){.devices = "host"}, &base));
    shown = dup(STDOUT_FILENO);
    if (shown < 0 || freopen(argc > 1 && hit_rank(base) == 0 ? argv[1] : "/dev/null",
                             "w+", stdout) == NULL) {
        perror("cells");
        return 1;
    }
    for (int k = 0; k < count; k++) {
        const context *in = &contexts[k];

        if (in->processes != hit_size(base)) continue;
        set_variables(in);
        for (int m = 0; m < MECHANISMS; m++) {
            if (!is_one(in, (mechanism)m)) continue;
            good &= run_cell(in, (mechanism)m, hit_rank(base), shown);
        }
        if (in->variable != NULL) (void)unsetenv(in->variable);
        (void)unsetenv("HIT_PLAN_PROCESSES");
    }
    hit_close(&base);
    return good ? 0 : 1;
}
