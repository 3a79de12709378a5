/* SPDX-License-Identifier: MIT
 * A tile as a picture: a strided selection of it, with one element per pixel, is gathered
 * on process 0, which maps values to colours. Only what is seen is sent. */
#include "hit/io/picture.h"

#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/png.h"
#include "hit/tile/tile_impl.h"
#include "hit/tile/tile_move.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct colour {
    double red, green, blue; /**< 0 to 1 */
} colour;

enum {
    MOST_STOPS = 6
};

/** Colours at equal distances, with straight lines between them. */
typedef struct colour_map {
    const char *name;
    bool symmetric; /**< around 0 */
    int stops;
    colour stop[MOST_STOPS];
} colour_map;

static const colour_map maps[] = {
    {"heat",
     false,
     6,
     {{0.02, 0.02, 0.08},
      {0.30, 0.05, 0.42},
      {0.72, 0.18, 0.32},
      {0.96, 0.45, 0.10},
      {0.99, 0.80, 0.25},
      {1.00, 1.00, 0.88}}},
    {"grey", false, 2, {{0, 0, 0}, {1, 1, 1}}},
    {"blue-red", true, 3, {{0.02, 0.19, 0.68}, {1, 1, 1}, {0.75, 0.02, 0.10}}},
};

typedef struct drawing {
    const colour_map *map;
    double low;
    double high;
    hit_index size;
} drawing;

static hit_status read_one(void *of, const char *key, const char *value)
{
    drawing *d = of;

    if (strcmp(key, "low") == 0) {
        return hit_number_read_real("low=", value, -DBL_MAX, DBL_MAX, &d->low);
    }
    if (strcmp(key, "high") == 0) {
        return hit_number_read_real("high=", value, -DBL_MAX, DBL_MAX, &d->high);
    }
    if (strcmp(key, "size") == 0) {
        return hit_number_read("size=", value, 1, 30000, &d->size);
    }
    if (strcmp(key, "colours") != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected an option colours, low, high or size but found \"%s\"",
                        key);
    }
    for (size_t m = 0; m < sizeof(maps) / sizeof(maps[0]); m++) {
        if (strcmp(value, maps[m].name) == 0) {
            d->map = &maps[m];
            return HIT_OK;
        }
    }
    return HIT_FAIL(HIT_E_ARG, "expected colours=heat, grey or blue-red but found \"%s\"",
                    value);
}

static hit_status read_options(const hit_tile *tile, const char *options, drawing *d)
{
    *d = (drawing){.map = &maps[0], .low = NAN, .high = NAN, .size = 1000};
    HIT_TRY(hit_option_each("picture", options, read_one, d));
    if (tile->domain.dims != 2) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected two dimensions for a picture but found %d",
                        hit_tile_name(tile), tile->domain.dims);
    }
    if (hit_domain_is_empty(&tile->domain)) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected elements for a picture but found none",
                        hit_tile_name(tile));
    }
    if (hit_tile_type(tile).kind == HIT_KIND_BYTES ||
        hit_kind_is_complex(hit_tile_type(tile).kind)) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected real or whole numbers for a picture",
                        hit_tile_name(tile));
    }
    if (d->low > d->high) {
        return HIT_FAIL(HIT_E_ARG, "expected low= at most high= but found %g and %g",
                        d->low, d->high);
    }
    return HIT_OK;
}

/* Every k-th element, so that at most @p most per dimension are left. */
static hit_domain thin(hit_domain domain, hit_index most)
{
    for (int d = 0; d < domain.dims; d++) {
        const hit_sig all = domain.sig[d];
        const hit_index step = (hit_sig_count(all) - 1) / most + 1;

        domain.sig[d] = hit_sig_make(all.begin, all.end, all.stride * step);
    }
    return domain;
}

static double number_at(const void *data, hit_type type, hit_index k)
{
    return hit_type_get(type, (const char *)data + (size_t)k * type.size_bytes);
}

/* The values of the first and the last colour, where the options do not say. */
static void find_range(drawing *d, const void *data, hit_type type, hit_index count)
{
    double low = INFINITY;
    double high = -INFINITY;

    for (hit_index k = 0; k < count; k++) {
        const double x = number_at(data, type, k);

        if (!isfinite(x)) continue;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (d->map->symmetric) {
        high = fmax(fabs(low), fabs(high));
        if (!isnan(d->high)) high = fabs(d->high);
        if (isnan(d->high) && !isnan(d->low)) high = fabs(d->low);
        low = -high;
    }
    if (isnan(d->low)) d->low = low;
    if (isnan(d->high)) d->high = high;
}

static unsigned char byte(double t)
{
    return (unsigned char)(255 * t + 0.5);
}

static void paint(const drawing *d, double x, unsigned char pixel[3])
{
    /* from -1e308 to 1e308 is no double: of large values the halves are looked at */
    const double part = fmax(fabs(d->low), fabs(d->high)) > 1 ? 0.5 : 1;
    const double low = d->low * part;
    const double width = d->high * part - low;
    const int last = d->map->stops - 1;
    double place = width > 0 ? (x * part - low) / width : 0.5;
    const colour *a;
    const colour *b;
    int k;

    if (!isfinite(x)) {
        pixel[0] = pixel[2] = 255;
        pixel[1] = 0;
        return;
    }
    place = fmin(fmax(place, 0), 1) * last;
    k = place < last ? (int)place : last - 1;
    place -= k;
    a = &d->map->stop[k];
    b = a + 1;
    pixel[0] = byte(a->red + place * (b->red - a->red));
    pixel[1] = byte(a->green + place * (b->green - a->green));
    pixel[2] = byte(a->blue + place * (b->blue - a->blue));
}

/* On process 0: @p data is dense over @p seen. */
static hit_status draw(drawing *d, const char *path, const hit_domain *seen,
                       const void *data, hit_type type)
{
    const hit_index height = hit_sig_count(seen->sig[0]);
    const hit_index width = hit_sig_count(seen->sig[1]);
    const hit_index side = width > height ? width : height;
    const hit_index scale = side < d->size ? d->size / side : 1;
    unsigned char *pixel = NULL;
    hit_status status;

    find_range(d, data, type, height * width);
    HIT_TRY(hit_memory_zeroed((size_t)(height * width * scale * scale), 3, &pixel));
    for (hit_index y = 0; y < height * scale; y++) {
        for (hit_index x = 0; x < width * scale; x++) {
            paint(d, number_at(data, type, y / scale * width + x / scale),
                  pixel + 3 * (y * width * scale + x));
        }
    }
    status = hit_png_write(path, (int)(width * scale), (int)(height * scale), pixel);
    free(pixel);
    return status;
}

/* Gather what is seen, and draw it. */
static hit_status gather_and_draw(hit_tile *part, const char *path, drawing *d)
{
    const hit_domain seen = hit_tile_domain(part);
    const hit_type type = hit_tile_type(part);
    hit_context *context = hit_tile_layout(part)->context;
    char *data = NULL;
    hit_status status = HIT_OK;

    if (context->rank == 0) {
        status =
            hit_memory_zeroed((size_t)hit_domain_count(&seen), type.size_bytes, &data);
    }
    status = hit_comm_agree(context->comm, status);
    if (status == HIT_OK) status = hit_tile_gather(part, 0, data);
    if (status == HIT_OK) {
        if (context->rank == 0) status = draw(d, path, &seen, data, type);
        status = hit_comm_agree(context->comm, status);
    }
    free(data);
    return status;
}

hit_status hit_tile_write_png(hit_tile *tile, const char *path, const char *options)
{
    hit_tile *part = NULL;
    hit_context *context;
    hit_status status;
    drawing d;

    HIT_TRY(hit_tile_check_called(tile));
    context = hit_tile_layout(tile)->context;
    status = read_options(tile, options, &d);
    if (status == HIT_OK && path == NULL) {
        status = HIT_FAIL(HIT_E_ARG, "expected a path but found NULL");
    }
    if (status == HIT_OK && !hit_png_is_there()) {
        status = hit_png_write(path, 0, 0, NULL); /* says why */
    }
    if (status == HIT_OK) {
        status = hit_tile_select(tile, thin(tile->domain, d.size), &part);
    }
    status = hit_tile_agree(
        &(hit_tile_call){
            .name = "hit_tile_write_png", .tile = tile, .path = path, .options = options},
        status);
    if (status == HIT_OK) {
        status = hit_comm_is_planned(context->comm)
                     ? hit_tile_touch(part, &part->domain, HIT_READ)
                     : gather_and_draw(part, path, &d);
    }
    hit_tile_destroy(&part);
    return status;
}
