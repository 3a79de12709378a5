/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: blocks with the same figures are of one kind, which is printed
 * when it comes first. */
#ifndef HIT_DRY_DRY_KINDS_H
#define HIT_DRY_DRY_KINDS_H

#include "hit/dry/around.h"

enum {
    HIT_DRY_DEPTH_TEXT = 512
};

/** What is said of blocks, and by whom: by no process if silent. */
typedef struct hit_dry_style {
    bool silent;
    bool json;
    FILE *out; /**< the context's */
} hit_dry_style;

typedef struct hit_dry_kind {
    const char *kernel;
    int launches;
    double work;
    hit_figure messages;
    hit_figure message_bytes;
    char depth[HIT_DRY_DEPTH_TEXT]; /**< of the first block */
    hit_dry_moved moved;            /**< through memories of devices */
    hit_forecast messages_time;
    hit_forecast time; /**< of all */
    uint64_t times;
} hit_dry_kind;

/** {0}: none yet. */
typedef struct hit_dry_kinds {
    hit_dry_style style;
    bool alone;  /**< of one process */
    bool staged; /**< its devices have memories of their own */
    int count;
    hit_dry_kind *of;
} hit_dry_kinds;

/** Count a block, and print its kind if it is new. @errors HIT_E_NOMEM */
hit_status hit_dry_kinds_count(hit_dry_kinds *kinds, const hit_dry_kind *made);
/** How often each came. */
void hit_dry_kinds_print_times(const hit_dry_kinds *kinds);
void hit_dry_kinds_clear(hit_dry_kinds *kinds);

#endif
