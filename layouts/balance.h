/* SPDX-License-Identifier: MIT
 * Balance in a running program: the times of its steps refine models of the processes'
 * speeds, and the tiles are distributed anew when that pays.
 *
 *     hit_balance_create(hit, &layout, 0, &balance);
 *     for (t = 0; t < steps; t++) {
 *         ... launches on tiles over layout ...
 *         if (t % 10 == 9) hit_balance_step(balance, 10, steps - t - 1, 2, tiles,
 * &moved);
 *     }
 */
#ifndef LAYOUTS_BALANCE_H
#define LAYOUTS_BALANCE_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

typedef struct hit_balance hit_balance;

/** What a balance has done so far. */
typedef struct hit_balance_info {
    int looks;        /**< calls of hit_balance_step() */
    int moves;        /**< how often the tiles were distributed anew */
    double imbalance; /**< (max - min) / max of the processes' times at the last look */
    double moving_s;  /**< seconds spent on moving */
} hit_balance_info;

/** Keep the tiles over *layout balanced. *layout must give each process at most one box:
 * cut along dimension @p dim only, in the order of the ranks ("block:dims=0",
 * "weighted"), which it then stays; or, if @p dim < 0, that along any dimension, or cut
 * along dimensions 0 and 1 ("block", "fpm2d"), which become rectangles in columns.
 *
 * @collective yes
 * @owner  *layout is replaced by hit_balance_step(): it stays the caller's to destroy,
 * after the balance; *balance is the caller's: hit_balance_destroy()
 * @errors HIT_E_ARG a layout that is not of this form; HIT_E_NOMEM; HIT_E_PEER
 */
HIT_API hit_status hit_balance_create(hit_context *context, hit_layout **layout, int dim,
                                      hit_balance **balance);
/** Accepts NULL in *balance; sets it to NULL. */
HIT_API void hit_balance_destroy(hit_balance **balance);

/** Look at the times since the last call, which were those of @p steps equal steps, and
 * distribute tile[0..tiles-1] anew if what the @p steps_left ones gain is more than
 * moving costs, as predicted. *moved says whether; *layout of hit_balance_create() is
 * then another one. The tiles keep their values; selections of them must be destroyed
 * before.
 *
 * @units      times are those in which this process ran indices, without waiting for
 * messages
 * @collective yes
 * @errors HIT_E_ARG steps < 1, a tile that is not over the layout; HIT_E_NOMEM;
 * HIT_E_PEER
 */
HIT_API hit_status hit_balance_step(hit_balance *balance, int steps, double steps_left,
                                    int tiles, hit_tile *const tile[], bool *moved);
HIT_API void hit_balance_get_info(const hit_balance *balance, hit_balance_info *info);

HIT_C_END

#endif
