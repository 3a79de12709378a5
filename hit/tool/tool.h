/* SPDX-License-Identifier: MIT
 * The subcommands of the command-line tool `hit`: one function and one file each. */
#ifndef HIT_TOOL_TOOL_H
#define HIT_TOOL_TOOL_H

#include "hit/base/json.h"
#include "hit/base/status.h"
#include "hit/model/store.h"
#include "hit/plan/plan.h"
#include "hit/sched/graph.h"
#include "hit/topo/layout.h"
#include "layouts/partition/partition.h"
#include "patterns/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/** Exit codes: 0 fine, 1 the answer is no, 2 wrong usage. argv[0] is the subcommand's
 * name. */
typedef int (*hit_tool_function)(int argc, char **argv);

int hit_tool_checkpoint(int argc, char **argv);
int hit_tool_fit(int argc, char **argv);
int hit_tool_infer(int argc, char **argv);
int hit_tool_info(int argc, char **argv);
int hit_tool_layout(int argc, char **argv);
int hit_tool_model(int argc, char **argv);
int hit_tool_new(int argc, char **argv);
int hit_tool_partition(int argc, char **argv);
int hit_tool_plan(int argc, char **argv);
int hit_tool_schedule(int argc, char **argv);
int hit_tool_trace(int argc, char **argv);

/** model_measure.c: argv[0] is "measure". */
int hit_tool_model_measure(int argc, char **argv);

/* options.c: the words of subcommands: options, plain words, names of kernels; and how
 * they fail. */

/** An option with a value, or a flag: one of the two is NULL. */
typedef struct hit_tool_option {
    const char *name;   /**< "--out"; NULL ends a list */
    const char **value; /**< where to put the text of its value, which is argv's */
    bool *flag;         /**< becomes true */
} hit_tool_option;

/** Is "--help" or "-h" one of the words? Then @p usage is printed. */
bool hit_tool_helps(int argc, char **argv, const char *usage);
/** The same where other words than the first one are a program's; or none of several. */
bool hit_tool_helps_first(int argc, char **argv, const char *usage);
/** Take the option at argv[*at] and go to the last word of it.
 * @errors HIT_E_ARG no such option, or no value after it */
hit_status hit_tool_read_option(int argc, char **argv, int *at,
                                const hit_tool_option known[]);
/** Take the flags only, also those behind a mistake: --json says how that is told. */
void hit_tool_read_flags(int argc, char **argv, const hit_tool_option known[]);
/** Take all words behind argv[0]: options, and up to @p plains plain words, of which the
 * last is a @p what. @errors HIT_E_ARG those of hit_tool_read_option(); a word more */
hit_status hit_tool_read_words(int argc, char **argv, const hit_tool_option known[],
                               int plains, const char **const plain[], const char *what);
/** Print the text of the last failure of @p command, as JSON with @p status if @p json
 * is asked for. */
void hit_tool_print_failure(const char *command, bool json, const char *status);
/** The exit code of @p command that ends with @p status, whose text is printed: 1 where
 * it is one of @p no, a bit each, else 2. */
int hit_tool_end(const char *command, hit_status status, unsigned no);
/** Begin a line of JSON on standard output, {"status": "ok", ... */
hit_json hit_tool_ok(void);

/** A picture that goes to @p path, which may be NULL, is SVG: a name that says otherwise
 * ("x.pdf") is refused. @errors HIT_E_ARG */
hit_status hit_tool_check_svg(const char *path);
/** One of a list: its name, in a column of @p width, and what it is, in lines of no more
 * characters than a terminal has. */
void hit_tool_print_item(int width, const char *name, const char *help);

/** The kernel of the library named @p text, or @p text with the type @p wanted (NULL:
 * any) at its end. @errors HIT_E_ARG no such kernel; lists those that there are */
hit_status hit_tool_find_kernel(const char *text, const char *wanted,
                                const hit_kernel **kernel);

/* spawn.c: other programs that subcommands run. */

/** Start @p words as hit_tool_spawn() does. Returns 0 or a number of errno. */
int hit_tool_start(char *const words[], const int files[3], pid_t *child);
/** Wait for its end: as waitpid() tells it; *error: 0, or a number of errno. */
int hit_tool_wait(pid_t child, int *error);

/** Run @p words, NULL at the end, and wait. @p files become its standard input, output
 * and error; HIT_SPAWN_SAME: those of this program, HIT_SPAWN_NOWHERE: none. Returns NULL
 * if it ended with 0, else why not: "cmake is not installed", "cmake failed". The text is
 * @p why, of HIT_SPAWN_TEXT bytes. */
const char *hit_tool_spawn(char *const words[], const int files[3], char why[]);

enum {
    HIT_SPAWN_SAME = -1,
    HIT_SPAWN_NOWHERE = -2,
    HIT_SPAWN_TEXT = 256
};

/* model_plot.c */

/** Write PREFIX.dat and, where gnuplot is there, PREFIX.png, and say so.
 * @errors HIT_E_IO the data file cannot be written */
hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix);

/** A colour that differs from those of numbers nearby, as "#rrggbb": hues are a golden
 * angle apart, from @p hue on; channels are up to 55 around @p light. */
const char *hit_tool_colour(int number, double hue, double light, char text[8]);

/* layout_svg.c: pictures of layouts. */

/** Draw who owns what as SVG: dimension 0 downwards, dimension 1 to the right, and of
 * further dimensions the first index; one dimension is drawn to the right.
 * @errors HIT_E_ARG more than 200,000 boxes; HIT_E_NOMEM. The caller looks whether @p
 * file was written */
hit_status hit_tool_layout_draw(const hit_layout *layout, FILE *file);

/* partition.c: what `hit partition` passes to its algorithms. */

typedef struct hit_tool_algorithm hit_tool_algorithm;

/** What the command line says; NULL where it does not. */
typedef struct hit_tool_request {
    const hit_tool_algorithm *algorithm;
    const char *units;
    const char *grid;
    const char *panels;
    const char *height;
    const char *points;
    const char *within;
    bool json;
    int models;
    size_t model_room;
    size_t path_room;
    hit_fpm **model;
    char **path; /**< of the models, for the table */
} hit_tool_request;

struct hit_tool_algorithm {
    const char *name;
    const char *help;
    /** Answer @p r: print on success, else leave the text of the failure. */
    hit_status (*answer)(const hit_tool_request *r);
    hit_partition_function *partition;
};

/** Read a whole number of at least @p low from the text that option @p name has.
 * @errors HIT_E_ARG not that, or NULL */
hit_status hit_tool_number(const char *name, const char *text, hit_index low,
                           hit_index *number);

/* partition2d.c */
hit_status hit_tool_columns(const hit_tool_request *r);
hit_status hit_tool_grid(const hit_tool_request *r);
hit_status hit_tool_ordered(const hit_tool_request *r);
hit_status hit_tool_shapes(const hit_tool_request *r);

/* plan_chain.c: `hit plan --chain`: many launches of a kernel, through a memory that
 * does not hold their tiles. */

/** Print how @p steps launches (2 to 64) of the request's kernel go through its memory:
 * how many at a time, in which pieces, with how many bytes, and those of one launch after
 * the other. The tile that is written and the first one that is only read, if both have
 * the same dimensions and type, take turns.
 * @errors HIT_E_PATTERN, HIT_E_LIMIT: there is no such chain, and why */
hit_status hit_tool_plan_chain(const hit_kernel *kernel, const hit_plan_request *request,
                               int steps, bool json);

/* trace.c: traces that HIT_TRACE wrote, in memory, and pictures of them. */

typedef struct hit_tool_event {
    int process;
    int lane;
    int name; /**< which of the trace's */
    double start_s;
    double end_s;
} hit_tool_event;

typedef struct hit_tool_lane {
    int process;
    int lane; /**< -1: this is the name of the process */
    char name[300];
} hit_tool_lane;

typedef struct hit_tool_timeline {
    hit_tool_event *event; /**< by process, lane and start */
    size_t events;
    size_t event_room;
    hit_tool_lane *lane;
    size_t lanes;
    size_t lane_room;
    char (*name)[128]; /**< of what happened: kernels, copies */
    int names;
    size_t name_room;
} hit_tool_timeline;

/** Seconds since the processes began together. */
typedef struct hit_tool_span {
    double from_s;
    double to_s;
} hit_tool_span;

/** Read @p file; @p path is for messages. @owner *trace is the caller's, also after a
 * failure, until hit_tool_timeline_clear(). @errors HIT_E_ARG it is not what HIT_TRACE
 * writes, says where, or has no events; HIT_E_NOMEM */
hit_status hit_tool_timeline_read(FILE *file, const char *path, hit_tool_timeline *trace);
void hit_tool_timeline_clear(hit_tool_timeline *trace);
/** When launches @p first to @p last, counted from 0 in the order of their beginning,
 * were carried out by any process. @errors HIT_E_ARG there are not so many */
hit_status hit_tool_timeline_launches(const hit_tool_timeline *trace, size_t first,
                                      size_t last, hit_tool_span *span);
/** All that happened. */
hit_tool_span hit_tool_timeline_all(const hit_tool_timeline *trace);

/** Draw what happened in @p span as SVG: one lane below the other, time to the right.
 * @errors HIT_E_ARG nothing happened in it; HIT_E_IO */
hit_status hit_tool_timeline_draw(const hit_tool_timeline *trace, hit_tool_span span,
                                  FILE *file);

/* graphs.c: the tasks of factorisations by tiles, as `hit schedule` lays them out. */

/** How large, in doubles. */
typedef struct hit_tool_problem {
    int tiles; /**< along an edge of the matrix; of dgemm: products */
    int tile;  /**< elements along an edge */
} hit_tool_problem;

typedef struct hit_tool_graph {
    const char *name;
    const char *help;
    const struct hit_tool_tasks *tasks; /**< graphs.c */
    int sixths[3]; /**< operations: of n^3, n^2 and n, for n elements along an edge */
} hit_tool_graph;

/** Add the tasks to the empty @p graph. @errors HIT_E_NOMEM */
hit_status hit_tool_graph_make(const hit_tool_graph *kind, hit_tool_problem problem,
                               hit_graph *graph);
/** Floating-point operations. */
double hit_tool_graph_operations(const hit_tool_graph *kind, hit_tool_problem problem);

extern const hit_tool_graph hit_tool_graphs[];
extern const int hit_tool_graph_count;

#endif
