/* SPDX-License-Identifier: MIT
 * What the files of `hit model` share. */
#ifndef HIT_TOOL_MODEL_H
#define HIT_TOOL_MODEL_H

#include "hit/model/store.h"

/** Write PREFIX.dat and, where gnuplot is there, PREFIX.png, and say so.
 * @errors HIT_E_IO the data file cannot be written */
hit_status hit_tool_plot(const char *title, const hit_fpm *fpm, const char *prefix);

#endif
