/* SPDX-License-Identifier: MIT
 * Links of a process: calibrated once by real copies and messages, stored as models are,
 * and read again. A launch never measures. */
#ifndef HIT_COST_LINKS_H
#define HIT_COST_LINKS_H

#include "hit/model/link.h"

struct hit_device;

/** One kind of copies, or messages, to be timed. */
typedef struct hit_link_shape {
    hit_link_name link;
    size_t run_bytes; /**< contiguous at a time; 0: all are */
    size_t bytes;     /**< a multiple of run_bytes */
} hit_link_shape;

enum {
    HIT_LINK_SHAPES = 40 /* more than there are */
};

/** All that can be timed anywhere, their number. */
int hit_links_shapes(hit_link_shape shape[HIT_LINK_SHAPES]);

/** What the store knows of messages of this process, and of copies by @p device, one of
 * its devices; missing or unreadable entries are left unknown. Not collective. */
void hit_links_load(const hit_context *context, const struct hit_device *device,
                    hit_links *links);
/** Let the devices choose by what the store knows, if they have a choice. */
void hit_links_install(const hit_context *context);

#endif
