/* SPDX-License-Identifier: MIT
 * What the examples share: options, a progress bar, and the report at the end. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include "hit/hit.h"

typedef enum example_kind {
    EXAMPLE_FLAG,  /**< bool */
    EXAMPLE_COUNT, /**< hit_index >= 1 */
    EXAMPLE_SIZES, /**< example.size: "N", "NxM" or "NxMxK" */
    EXAMPLE_TEXT   /**< const char * */
} example_kind;

typedef struct example_option {
    const char *name; /**< "--panel" */
    const char *what; /**< "K     columns of A that are multiplied at a time" */
    example_kind kind;
    void *value;
} example_option;

/** One run of an example. Fields that are not 0 before example_read() are its defaults.
 */
typedef struct example {
    const char *name;
    const char *what; /**< one line for --help */
    int dims; /**< sizes that --size may give; those that it does not give are the first
               */
    hit_index size[3];
    hit_index steps;
    hit_index seed;
    hit_index threads;
    const char *layout;  /**< text of hit_layout_create() */
    const char *memory;  /**< --device-memory */
    const char *slow;    /**< --slow */
    const char *cliff;   /**< --cliff */
    const char *follows; /**< set before: sizes that --size does not give are 0, and the
                            program says what follows: "N     ..." */
    bool rebalances;     /**< set before: there is an option --rebalance */
    bool rebalance;      /**< --rebalance */
    bool json;
    bool check;

    hit_context *hit;
    hit_context *probe;          /**< opened only to count the processes */
    struct hit_balance *balance; /**< NULL: not rebalanced */
    double balance_s;            /**< seconds to find the layouts */
    double start_s;
    double time_s;
    double cells;         /**< computed in all: what the rate counts */
    double operations;    /**< of floating point, in all; 0: the report says cells */
    hit_index tasks;      /**< with operations: launches that did them */
    uint64_t moved_bytes; /**< with operations: to devices and back */
    double critical_s;    /**< with tasks: no order of them takes less; 0: not known */
    double area_s;        /**< nor do all threads together */
    double error;         /**< of --check: the largest; see example_differs() */
    double bound;         /**< what the error may be */
} example;

/** Read the options; those of @p extra, up to one without a name, on top of the common
 * ones. "--size=N" is "--size N". Exits with 0 after --help and with 2 after a mistake.
 */
void example_read(example *e, int argc, char **argv, const example_option extra[]);
/** Report a mistake of the user, once, and exit with 2. */
_Noreturn void example_mistake(const example *e, const char *format, ...)
    HIT_PRINTF(2, 3);
/** Open the library. @p tile_bytes: of all tiles on all processes; what a --device-memory
 * of "1/10" is a tenth of. */
hit_context *example_open(example *e, int *argc, char ***argv, double tile_bytes);

/** The layout of @p domain that --layout asks for: a text of hit_layout_create(), or a
 * short name: even, single-cpm, multiple-cpm, fpm2d, ..., found by measuring @p kernel,
 * which may have options of the measuring loop: "gemm_double,k=256"; NULL: nothing is
 * measured, but shared out in blocks. @collective yes */
hit_layout *example_layout(example *e, hit_domain domain, const char *kernel);
/** Begin to keep the tiles over *layout balanced if --rebalance asks for it; then look
 * now and then, after each step, and give all tiles. */
void example_balance(example *e, hit_layout **layout);
void example_look(example *e, hit_index step, int tiles, hit_tile *const tile[]);

/** The time between these two is reported; both wait for all processes. */
void example_start(example *e);
void example_stop(example *e);
/** Draw how far it is, on a terminal. */
void example_progress(const example *e, hit_index done, hit_index all);

/** For --check: where two arrays of floats or doubles differ, 0 if their bits are equal.
 */
double example_differs(const void *found, const void *expected, hit_index count,
                       size_t size_bytes);
/** Print the report and give back what example_open() opened; the exit code of main():
 * 1 if the error is above the bound. @p layout: whose parts are reported; it is
 * destroyed.
 */
int example_end(example *e, hit_layout **layout);

/** A dry run: no element is looked at. */
extern bool example_plans;

/** Set every element x of a tile of floats or doubles to value(what, x); not in a dry
 * run, where the parts of tiles of other processes are not there, and this one's take no
 * memory as long as nobody writes them. */
void example_set(hit_tile *tile, double (*value)(const void *what, const hit_index x[]),
                 const void *what);
/** All elements of @p domain, inside that of @p tile, on process 0; NULL elsewhere. For
 * free(). @collective yes */
void *example_gather(const example *e, hit_tile *tile, hit_domain domain);
/** If --check asks for it, let process 0 compare all elements of @p domain with what they
 * should be: check() gives the error. @collective yes */
void example_check(example *e, hit_tile *tile, hit_domain domain,
                   double (*check)(const example *e, const void *found));
/** Selections of the blocks of @p tile, at most @p height x @p width elements each, row
 * by row of blocks; one more is NULL. */
hit_tile **example_blocks(hit_tile *tile, hit_index height, hit_index width);
void example_blocks_destroy(hit_tile ***blocks);
/** Every k-th element of @p domain, so that at most @p most per dimension are left. */
hit_domain example_thin(hit_domain domain, hit_index most);
/** A number in [-1, 1) that depends only on @p seed and the indices. */
double example_random(hit_index seed, hit_index i, hit_index j);

#endif
