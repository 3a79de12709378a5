/* SPDX-License-Identifier: MIT
 * What the files of `hit model` share. */
#ifndef HIT_TOOL_MODEL_H
#define HIT_TOOL_MODEL_H

#include "hit/base/status.h"
#include "hit/model/measure.h"
#include "hit/model/store.h"

#include <stdbool.h>

/** Write PREFIX.dat and, where gnuplot is there, PREFIX.png, and say so.
 * @errors HIT_E_IO the data file cannot be written */
hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix);

/** How to measure. */
typedef struct hit_tool_measure {
    hit_measure_options options;
    bool forget; /**< do not keep what is found */
    bool json;
} hit_tool_measure;

/** Time the links of this process, print them, and keep them in the store. @collective
 * yes @errors HIT_E_ARG there is none; those of hit_links_measure(); HIT_E_IO */
hit_status hit_tool_measure_links(hit_context *hit, const hit_tool_measure *how);

#endif
