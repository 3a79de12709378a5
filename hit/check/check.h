/* SPDX-License-Identifier: MIT
 * Does a kernel do what its annotations say? Everything here works on a replica: nothing
 * of the program is touched. */
#ifndef HIT_CHECK_CHECK_H
#define HIT_CHECK_CHECK_H

#include "hit/base/alloc.h"
#include "hit/base/kind.h"
#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "hit/data/view.h"
#include "patterns/where.h"

#include <stdio.h>

/* replica.c: a launch on copies of its tiles, in the memory of one process, on which a
 * kernel can be tried without any effect on the program. */

/** One actual argument. */
typedef struct hit_replica_arg {
    const void *value; /**< NULL: a tile */
    const char *tile;  /**< its name */
    hit_domain domain; /**< the tile's: what ":" means */
    bool fresh; /**< nothing was ever written to the tile, and that is to be told */
    hit_view
        view; /**< the copy, row-major; larger than the tile where it has a boundary */
    hit_index cells; /**< of the copy; behind them is one more for what lies outside */
    char *pristine;  /**< the same elements again: what the launch finds */
} hit_replica_arg;

typedef struct hit_replica {
    const hit_kernel *kernel;
    void *prepared;             /**< what the kernel's runs need; hit_replica_ready() */
    const hit_pattern *pattern; /**< one per argument, as declared; NULL: do not look */
    hit_domain index;
    const hit_where *where; /**< which of the indices are run; NULL: all */
    hit_replica_arg arg[HIT_MAX_ARGS];
} hit_replica;

/** Can the kernel run here? Gets it ready to, where it asks for that.
 * @errors HIT_E_ABSENT it has no implementation for host devices, or what that needs */
hit_status hit_replica_ready(hit_replica *replica);
/** Memory for the copy of tile argument @p k over @p box, cleared. @errors HIT_E_NOMEM */
hit_status hit_replica_take(hit_replica *replica, int k, const hit_domain *box);
/** What the copies hold now is what the launch finds. */
void hit_replica_keep(hit_replica *replica);
/** Let the copies hold again what the launch finds. */
void hit_replica_restore(const hit_replica *replica);
void hit_replica_clear(hit_replica *replica);

/** A run on the indices @p box of the copies, with one thread. */
hit_run hit_replica_run(const hit_replica *replica, const hit_domain *box);
/** Is the index run? */
bool hit_replica_has(const hit_replica *replica, const hit_index at[]);
/** Is called with domains of elements. */
typedef void hit_replica_visit(void *of, const hit_domain *domain);
/** Visit what argument @p k may touch at the indices @p box, in its copy, and nothing
 * between: element by element where strided indices touch ranges, some more than once.
 * @errors HIT_E_NOMEM */
hit_status hit_replica_touched(const hit_replica *replica, int k, const hit_domain *box,
                               hit_replica_visit *visit, void *of);
/** Of all cells. */
static inline size_t hit_replica_bytes(const hit_replica_arg *arg)
{
    return (size_t)arg->cells * arg->view.size_bytes;
}
/** What a cell of the copy holds now, and what the launch finds there. */
static inline char *hit_replica_now(const hit_replica_arg *arg, hit_index cell)
{
    return arg->view.data + (size_t)cell * arg->view.size_bytes;
}
static inline const char *hit_replica_was(const hit_replica_arg *arg, hit_index cell)
{
    return arg->pristine + (size_t)cell * arg->view.size_bytes;
}
/** Does the cell hold what the launch finds? */
bool hit_replica_is_kept(const hit_replica_arg *arg, hit_index cell);
/** Let a cell hold again what the launch finds. */
void hit_replica_reset(const hit_replica_arg *arg, hit_index cell);
/** The number of element @p at in the copy of an argument; -1: it is not there. */
hit_index hit_replica_cell(const hit_replica_arg *arg, const hit_index at[]);
/** The element with that number. */
void hit_replica_element(const hit_replica_arg *arg, hit_index cell, hit_index at[]);

/** Text such as "(3, 4)" and "()". */
void hit_replica_print_index(int dims, const hit_index at[], char *text, size_t size);
/** The same for the element with that number. */
void hit_replica_print_cell(const hit_replica_arg *arg, hit_index cell, char *text,
                            size_t size);

/* effort.c: how many indices of a program's launches are
 * looked at, how far that is, and how long it takes. Process 0 says so. */

/** Of one kernel, in all launches so far. */
typedef struct hit_effort {
    struct hit_efforts *all;
    const void *key; /**< kernels are told apart by it */
    char name[64];
    hit_index left; /**< elements that samples may touch before they are of least size */
    bool tight;     /**< a sample left doubts, and every index of a launch was visited */
    uint64_t launches;
    double indices; /**< of all launches */
    double looked;  /**< that many of them were looked at */
    double seconds; /**< that took so long */
} hit_effort;

typedef struct hit_efforts {
    FILE *out;  /**< the context's, for notes */
    bool whole; /**< every index is looked at; else a sample in large launches */
    int count;
    hit_effort *of;
    double tell_s; /**< when to say next how far it is; 0: not begun */
} hit_efforts;

/** What was done for the kernel with this key, from now on also in the launch of @p
 * replica. It stays valid until the next call. @errors HIT_E_NOMEM */
hit_status hit_effort_begin(hit_efforts *efforts, const void *key,
                            const hit_replica *replica, hit_effort **effort);
/** How many indices of a launch are to be looked at, about. */
hit_index hit_effort_most(const hit_effort *effort, const hit_replica *replica);
/** @p done of the @p all indices of the launch that are looked at have been, since
 * @p start_s. Says so after the first second, and every 10 s. */
void hit_effort_tell(hit_effort *effort, double start_s, hit_index done, hit_index all);
/** The launch is done: @p looked of its indices were looked at, in @p seconds. */
void hit_effort_end(hit_effort *effort, const hit_replica *replica, double seconds,
                    hit_index looked);
/** Say which kernels were looked at in samples, and forget all. */
void hit_efforts_close(hit_efforts *efforts);

/* record.c: which elements one index of a launch touches. */

/** An element that was touched. */
typedef struct hit_touched {
    hit_index at[HIT_MAX_DIMS];
    hit_index cell; /**< of the copy; -1: it is not there, the body saw a zero */
} hit_touched;

/** What was touched of one argument since hit_record_start(), each element once. */
typedef struct hit_record {
    hit_touch touch; /**< first: what the body calls */
    const hit_replica_arg *arg;
    uint32_t *seen; /**< per cell: the number of the last run that touched it */
    uint32_t run;
    int count;
    size_t room;
    int outside; /**< of the list: elements that are not in the copy */
    hit_touched *list;
    int found_dims; /**< -1, or how many indices an access had that does not fit the tile
                     */
    bool lost;      /**< there was no memory for all */
} hit_record;

/** Records for all tile arguments of a replica; those of values stay empty. */
typedef struct hit_recorder {
    const hit_replica *replica;
    hit_record of[HIT_MAX_ARGS];
} hit_recorder;

/** @owner the caller's: hit_recorder_clear(), also on failure @errors HIT_E_NOMEM */
hit_status hit_recorder_init(const hit_replica *replica, hit_recorder *recorder);
void hit_recorder_clear(hit_recorder *recorder);
/** Run the body once, at index @p at, on the copies. Needs a checked half, or else a host
 * function, of which nothing is recorded. @errors HIT_E_NOMEM, and what the body returns
 */
hit_status hit_recorder_run(hit_recorder *recorder, const hit_index at[]);
/** Let the copies hold again what the launch finds, where the last run touched them. */
void hit_recorder_restore(const hit_recorder *recorder);
/** Note that element @p at is touched. */
void hit_record_add(hit_record *record, const hit_index at[]);
/** Forget what was touched. */
void hit_record_start(hit_record *record);

/* report.c: what is wrong with a launch. The first report is kept in full, the others
 * are counted. */

typedef struct hit_report {
    uint64_t count;
    char text[900];
} hit_report;

/** Count one more. Is it the first, whose text is wanted? */
bool hit_report_first(hit_report *report);
/** Write "kernel K, argument A, tile T: " and what follows. */
void hit_report_write(hit_report *report, const hit_replica *replica, int k,
                      const char *format, ...) HIT_PRINTF(4, 5);
/** Add to what is written. */
void hit_report_add(hit_report *report, const char *format, ...) HIT_PRINTF(2, 3);
/** Say how many others there were. */
void hit_report_finish(hit_report *report);

/** Try the launch of @p replica index by index (whole-box kernels, and kernels without a
 * checked half: as a whole), on as many indices as @p effort says, NULL: on all, and
 * report what its patterns and modes do not say. @p tight_too: also what they say and the
 * body never does, which is told only where every index was visited: a sample that leaves
 * doubts is followed by all others, once for each kernel.
 * @errors HIT_E_NOMEM, HIT_E_ABSENT no implementation for the host, and what the kernel
 * returns; reports are no errors here */
hit_status hit_check_some(hit_replica *replica, bool tight_too, hit_effort *effort,
                          hit_report *report);

/** An index that is being checked, and what is known from those before. */
typedef struct hit_checker {
    hit_replica *replica;
    hit_report *report;
    hit_effort *effort; /**< NULL: every index is looked at, and nothing is said of it */
    int suggested;      /**< 1 + the argument whose annotation ends the first report */
    hit_recorder recorder;
    hit_index number; /**< of the index, in the launch's domain */
    hit_index looked; /**< indices that were looked at, in so many seconds */
    double seconds;
    hit_index *owner[HIT_MAX_ARGS]; /**< per cell: 1 + the index that touched it first */
    hit_domain *box[HIT_MAX_ARGS];  /**< per expression: what the index may touch */
    struct hit_watch *watch;        /**< cells whose content is compared */
    int watched;
    int declared;         /**< the first of them: declared, and written or reduced */
    size_t room;          /**< for watched cells */
    size_t value_room;    /**< for their values */
    size_t element_bytes; /**< of the largest type */
    char *value;          /**< what the watched cells held after the first run */
    char *element;        /**< room for one */
    struct hit_tight *tight[HIT_MAX_ARGS]; /**< per expression */
    hit_index touches[HIT_MAX_ARGS];       /**< by all indices */
    hit_arrays arrays;                     /**< all but watch and value */
} hit_checker;

/** Begin a report on argument @p k at index @p at; false: it was only counted. */
bool hit_check_begin(hit_checker *checker, int k, const hit_index at[]);
/** The annotation of argument @p k that fits is to end the report. */
void hit_check_end(hit_checker *checker, int k);

/* compare.c: a launch as one thread does it, and whether the program's came out the
 * same. */

/** What the reference found; the copies of the replica hold its results. */
typedef struct hit_reference {
    double terms;                 /**< indices of the launch */
    double largest[HIT_MAX_ARGS]; /**< magnitude that a reduction went through */
    double rounding;          /**< how far one index may round otherwise; 0: not at all */
    bool *kept[HIT_MAX_ARGS]; /**< per byte of an element: padding; NULL: none */
} hit_reference;

/** Run the launch of @p replica on its copies, whole, in one thread. @errors HIT_E_ABSENT
 * no implementation for the host; HIT_E_NOMEM, and what the kernel returns */
hit_status hit_compare_run(hit_replica *replica, hit_reference *reference);
void hit_reference_clear(hit_reference *reference);
/** Compare the copy of argument @p k, in the tile's domain, with @p found, the dense
 * row-major elements of the tile after the launch. Bits have to be equal; reductions, the
 * results of whole-box kernels and of kernels that are not strict may differ by rounding.
 */
void hit_compare_arg(const hit_replica *replica, int k, const hit_reference *reference,
                     const void *found, hit_report *report);

/* infer.c: the annotation that fits what a body does. */

/** What was found out about one argument. */
typedef struct hit_inferred {
    hit_mode mode;
    hit_pattern pattern;
    bool touched;   /**< by any index that was tried */
    bool affine;    /**< the pattern is what is touched; else it holds that */
    bool less;      /**< some indices touch less than the pattern says */
    bool shared;    /**< two indices touch the same element */
    int samples;    /**< indices that were tried */
    char note[200]; /**< why it is not affine, or where less is touched; "" */
} hit_inferred;

/** Try the kernel of @p replica on some indices and fit what it does to tile argument
 * @p k. The copies are the same afterwards. @owner hit_inferred_clear()
 * @errors HIT_E_NOMEM, HIT_E_ABSENT no implementation for the host, and what the kernel
 * returns */
hit_status hit_infer_arg(hit_replica *replica, int k, hit_inferred *inferred);
void hit_inferred_clear(hit_inferred *inferred);
/** The argument as HIT_KERNEL takes it: (in, float, now, "[i-1:i+1]"). */
void hit_infer_print(const hit_replica *replica, int k, const hit_inferred *inferred,
                     char *text, size_t size);
/** Write "; write " and the annotation of argument @p k behind a report; nothing if that
 * cannot be found out. */
void hit_infer_suggest(hit_replica *replica, int k, char *text, size_t size);
/** All arguments of a kernel, as text: what HIT_INFER=1 prints.
 * @owner *text is the caller's: free() */
hit_status hit_infer_kernel(hit_replica *replica, char **text);

/* redo.c: the memory of some tiles, for work that is done twice on the same elements. */

/** Some memory, and as many elements beside it. */
typedef struct hit_redo_piece {
    hit_view view;
    hit_view other; /**< the copy */
    hit_type type;
    int of;          /**< the caller's */
    hit_domain dead; /**< elements that do not matter */
} hit_redo_piece;

typedef struct hit_redo {
    int count;
    hit_redo_piece *piece;
} hit_redo;

/** Copy what @p view, the whole of some memory, holds now; *redo is {0} at first. The
 * elements @p dead are not compared.
 * @owner *redo: hit_redo_end(), also on failure @errors HIT_E_NOMEM */
hit_status hit_redo_keep(hit_redo *redo, const hit_view *view, hit_type type, int of,
                         const hit_domain *dead);
/** The memory and the copies change places. */
void hit_redo_swap(hit_redo *redo);
/** An element that the memory and the copy have not alike: numbers may differ by @p terms
 * units in the last place of the largest one of their tile; 0: bits are compared. NULL:
 * there is none. @shape at: HIT_MAX_DIMS */
const hit_redo_piece *hit_redo_find(const hit_redo *redo, double terms, hit_index at[]);
/** The element in the copy. */
const char *hit_redo_other(const hit_redo_piece *piece, const hit_index at[]);
void hit_redo_end(hit_redo *redo);

#endif
