/* SPDX-License-Identifier: MIT
 * What `hit partition` passes to its algorithms. */
#ifndef HIT_TOOL_PARTITION_H
#define HIT_TOOL_PARTITION_H

#include "layouts/partition/partition.h"

#include <stdbool.h>

typedef struct hit_tool_algorithm hit_tool_algorithm;

/** What the command line says; NULL where it does not. */
typedef struct hit_tool_request {
    const hit_tool_algorithm *algorithm;
    const char *units;
    const char *grid;
    const char *panels;
    const char *height;
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

#endif
