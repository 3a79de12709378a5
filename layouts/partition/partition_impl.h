/* SPDX-License-Identifier: MIT
 * Internal: what several algorithms share. */
#ifndef LAYOUTS_PARTITION_PARTITION_IMPL_H
#define LAYOUTS_PARTITION_PARTITION_IMPL_H

#include "layouts/partition/partition.h"

/** Are these arguments that an algorithm takes? @errors HIT_E_ARG */
hit_status hit_partition_check(hit_index n, int parts, const hit_fpm *const model[]);
/** HIT_E_LIMIT, with a text, if @p n units are more than the sum of what each can do. */
hit_status hit_partition_check_room(hit_index n, int parts, const hit_fpm *const model[]);
/** Give @p left more units, one by one, each to the process that then finishes first, on
 * ties to the lowest index. O((parts + left) log(parts)).
 * @errors HIT_E_LIMIT no process can do one more unit */
hit_status hit_partition_finish(hit_index left, int parts, const hit_fpm *const model[],
                                hit_index share[]);
/** Fill *info, which may be NULL. @errors HIT_E_LIMIT a share takes infinitely long */
hit_status hit_partition_report(int parts, const hit_fpm *const model[],
                                const hit_index share[], hit_partition_info made,
                                hit_partition_info *info);
/** The double in the middle of all doubles between @p low and @p high, both >= 0; @p low
 * if there is none. At most 64 halvings reach neighbours, whatever the range. */
double hit_partition_middle(double low, double high);
/** A time in s below that of any partition; 0 if it is not known. */
double hit_partition_bound(hit_index n, int parts, const hit_fpm *const model[]);

#endif
