/* SPDX-License-Identifier: MIT
 * Internal to hit/check: a launch on copies of its tiles, in the memory of one process,
 * on which a kernel can be tried without any effect on the program. */
#ifndef HIT_CHECK_REPLICA_H
#define HIT_CHECK_REPLICA_H

#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "patterns/where.h"

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
/** Let the copy of argument @p k hold again what the launch finds. */
void hit_replica_restore(hit_replica *replica, int k);
void hit_replica_clear(hit_replica *replica);

/** A run on the indices @p box of the copies, with one thread. */
hit_run hit_replica_run(const hit_replica *replica, const hit_domain *box);
/** Is called with domains of elements. */
typedef void hit_replica_visit(void *of, const hit_domain *domain);
/** Visit what argument @p k may touch at the indices @p box, in its copy, and nothing
 * between: element by element where strided indices touch ranges, some more than once.
 * @errors HIT_E_NOMEM */
hit_status hit_replica_touched(const hit_replica *replica, int k, const hit_domain *box,
                               hit_replica_visit *visit, void *of);
/** The number of element @p at in the copy of an argument; -1: it is not there. */
hit_index hit_replica_cell(const hit_replica_arg *arg, const hit_index at[]);
/** The element with that number. */
void hit_replica_element(const hit_replica_arg *arg, hit_index cell, hit_index at[]);
/** The domain of one index. */
hit_domain hit_replica_point(int dims, const hit_index at[]);

/** Text such as "(3, 4)" and "()". */
void hit_replica_print_index(int dims, const hit_index at[], char *text, size_t size);

#endif
