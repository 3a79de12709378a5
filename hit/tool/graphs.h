/* SPDX-License-Identifier: MIT
 * The tasks of factorisations by tiles, as `hit schedule` lays them out. */
#ifndef HIT_TOOL_GRAPHS_H
#define HIT_TOOL_GRAPHS_H

#include "hit/sched/graph.h"

/** How large, in doubles. */
typedef struct hit_tool_problem {
    int tiles; /**< along an edge of the matrix; of dgemm: products */
    int tile;  /**< elements along an edge */
} hit_tool_problem;

typedef struct hit_tool_graph {
    const char *name;
    const char *help;
    /** Add the tasks to the empty @p graph. @errors HIT_E_NOMEM */
    hit_status (*make)(hit_graph *graph, hit_tool_problem problem);
    /** Floating-point operations. */
    double (*operations)(hit_tool_problem problem);
} hit_tool_graph;

extern const hit_tool_graph hit_tool_graphs[];
extern const int hit_tool_graph_count;

#endif
