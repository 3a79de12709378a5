/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: figures and predicted times as text. */
#ifndef HIT_DRY_DRY_TIME_H
#define HIT_DRY_DRY_TIME_H

#include "hit/base/json.h"
#include "hit/cost/preview.h"

#include <stdio.h>

/** A figure in a line of its own, and as a member of a JSON object. */
void hit_dry_print_figure(FILE *out, const char *name, const char *unit,
                          hit_figure figure);
void hit_dry_json_figure(hit_json *line, const char *name, hit_figure figure);
/** The time of a launch, or how to get it. */
void hit_dry_print_time(FILE *out, hit_forecast time);
/** The same as members of a JSON object: "predicted_s", ... */
void hit_dry_json_time(hit_json *line, hit_forecast time);
/** The time of all launches, @p all, in a line of its own; as above. */
void hit_dry_print_total(FILE *out, hit_forecast all);
/** @p all and @p times launches of a kind: the first finds a device that holds nothing.
 */
hit_forecast hit_dry_add_times(hit_forecast all, hit_forecast time, uint64_t times);

#endif
