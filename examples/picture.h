/* SPDX-License-Identifier: MIT
 * Small colour pictures, written as PNG. */
#ifndef EXAMPLES_PICTURE_H
#define EXAMPLES_PICTURE_H

#include "hit/base/status.h"

typedef struct colour {
    double red, green, blue; /**< 0 to 1 */
} colour;

typedef struct picture {
    int width, height;
    unsigned char *pixel; /**< red, green, blue; row by row from the top */
} picture;

/** What stands around a picture, in small letters; its origin is at the upper left. */
typedef struct picture_frame {
    const char *title;
    const char *across; /**< what the axes are of: "km" */
    const char *down;
    double width, height; /**< in these units */
    double scale;         /**< what the last colour of picture_blue_red() stands for */
} picture_frame;

/** @owner *p is the caller's until picture_write() or free(p->pixel) @errors HIT_E_NOMEM
 */
hit_status picture_create(int width, int height, picture *p);
void picture_set(picture *p, int x, int y, colour c);
/** Write and free it, in @p frame; small pictures are enlarged to about 800 columns.
 * @errors HIT_E_IO; HIT_E_ABSENT built without libpng */
hit_status picture_write(picture *p, const picture_frame *frame, const char *path);
/** picture_frame.c: a new picture *p with @p inner in its frame. @owner the caller's
 * @errors HIT_E_NOMEM */
hit_status picture_frame_draw(const picture *inner, const picture_frame *frame,
                              picture *p);

/** Black is 0, white 1; clipped, here and below. */
colour picture_grey(double t);
/** @p base where t is 0, blue where it is -1, red where it is 1. */
colour picture_blue_red(double t, colour base);
/** The value below which the part @p part of all |x[k]| lie; 1 where all are 0. */
float picture_percentile(const float x[], hit_index count, double part);

#endif
