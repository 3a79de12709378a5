/* SPDX-License-Identifier: MIT
 * Links of a process: calibrated once by real copies and messages, stored as models are,
 * and read again. A launch never measures. */
#ifndef HIT_COST_LINKS_H
#define HIT_COST_LINKS_H

#include "hit/model/link.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** What the store knows of the links of this process; what is not there, or is no model,
 * is not known. Not collective. */
void hit_links_load(const hit_context *context, hit_links *links);
/** Let the device choose by what the store knows, if it has a choice. */
void hit_links_install(const hit_context *context);

#ifdef __cplusplus
}
#endif

#endif
