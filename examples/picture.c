/* SPDX-License-Identifier: MIT
 * Pixels and colours of pictures that are more than one tile. */
#include "examples/picture.h"

#include "hit/hit.h"
#include "hit/io/png.h"

#include <math.h>
#include <string.h>

hit_status picture_create(int width, int height, picture *p)
{
    p->width = width;
    p->height = height;
    return hit_memory_zeroed((size_t)width * (size_t)height, 3, &p->pixel);
}

static unsigned char byte(double t)
{
    return (unsigned char)(t < 0 ? 0 : t > 1 ? 255 : 255 * t + 0.5);
}

void picture_set(picture *p, int x, int y, colour c)
{
    unsigned char *pixel = p->pixel + 3 * ((ptrdiff_t)y * p->width + x);

    pixel[0] = byte(c.red);
    pixel[1] = byte(c.green);
    pixel[2] = byte(c.blue);
}

static hit_status enlarge(const picture *p, int scale, picture *large)
{
    HIT_TRY(picture_create(p->width * scale, p->height * scale, large));
    for (int y = 0; y < large->height; y++) {
        for (int x = 0; x < large->width; x++) {
            memcpy(large->pixel + 3 * ((ptrdiff_t)y * large->width + x),
                   p->pixel + 3 * ((ptrdiff_t)(y / scale) * p->width + x / scale), 3);
        }
    }
    return HIT_OK;
}

hit_status picture_write(picture *p, const picture_frame *frame, const char *path)
{
    int side = p->width > p->height ? p->width : p->height;
    picture large = {0};
    picture framed = {0};
    hit_status st;

    st = enlarge(p, side < 800 ? 800 / side : 1, &large);
    if (st == HIT_OK) st = picture_frame_draw(&large, frame, &framed);
    if (st == HIT_OK) {
        st = hit_png_write(path, framed.width, framed.height, framed.pixel);
    }
    free(framed.pixel);
    free(large.pixel);
    free(p->pixel);
    p->pixel = NULL;
    return st;
}

static double clip(double t, double low, double high)
{
    return t < low ? low : t > high ? high : t;
}

static colour mix(colour a, colour b, double t)
{
    return (colour){a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
                    a.blue + t * (b.blue - a.blue)};
}

colour picture_grey(double t)
{
    t = clip(t, 0, 1);
    return (colour){t, t, t};
}

colour picture_blue_red(double t, colour base)
{
    static const colour blue = {0.02, 0.19, 0.68};
    static const colour red = {0.75, 0.02, 0.10};

    t = clip(t, -1, 1);
    return mix(base, t < 0 ? blue : red, pow(fabs(t), 0.8));
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a;
    float y = *(const float *)b;

    return (x > y) - (x < y);
}

float picture_percentile(const float x[], hit_index count, double part)
{
    enum {
        SAMPLES = 65536
    };
    hit_index step = count / SAMPLES + 1;
    hit_index samples = 0;
    float *size = NULL;
    float result = 1;

    if (hit_memory_zeroed(SAMPLES, sizeof(float), &size) != HIT_OK) return 1;
    for (hit_index k = 0; k < count; k += step) {
        if (x[k] != 0) size[samples++] = fabsf(x[k]);
    }
    if (samples > 0) {
        qsort(size, (size_t)samples, sizeof(float), compare);
        result = size[(hit_index)(part * (double)(samples - 1))];
    }
    free(size);
    return result;
}
