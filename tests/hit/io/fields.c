/* SPDX-License-Identifier: MIT
 * usage: fields FILE LAYOUT [write|read [OPTIONS...]]: two fields with axes, for readers
 * that are not hit. "depth" (19 x 31 int32) is 1000 y + x; "speed" (7 x 19 x 31 double)
 * is 10000 z + 1000 y + x. Each of OPTIONS writes both once more, with a hundred thousand
 * added for each time before. */
#include "hit/hit.h"
#include "hit/tile/axis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hit_index extent[] = {7, 19, 31};

static double expected(const hit_index x[], int dims, int time)
{
    double sum = 1e5 * time;

    for (int d = 0; d < dims; d++) {
        sum = d == 0 ? sum + (double)x[0] * (dims == 3 ? 10000 : 1000)
                     : sum + (double)x[d] * (d + 1 == dims ? 1 : 1000);
    }
    return sum;
}

/* Set all elements, or count those that are wrong. */
static int visit(hit_tile *tile, int time, bool sets)
{
    int wrong = 0;

    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;
        hit_index x[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(tile, k, sets ? HIT_WRITE : HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            const double value = expected(x, view.domain.dims, time);
            void *at = hit_view_at(&view, x);

            if (view.size_bytes == 4) {
                if (sets) *(int32_t *)at = (int32_t)value;
                wrong += *(int32_t *)at != (int32_t)value;
            } else {
                if (sets) *(double *)at = value;
                wrong += *(double *)at != value;
            }
        }
    }
    return wrong;
}

static hit_tile *make(hit_context *hit, const char *layout, const char *name, bool even)
{
    static const double depth[] = {0, 1, 2, 4, 8, 16, 32};
    const bool flat = strcmp(name, "depth") == 0;
    const hit_domain domain = flat ? hit_domain_of(extent[1], extent[2])
                                   : hit_domain_of(extent[0], extent[1], extent[2]);
    hit_tile *tile;

    HIT_MUST(
        hit_tile_make(hit, domain, layout, flat ? HIT_INT32 : HIT_DOUBLE, name, &tile));
    HIT_MUST(hit_tile_set_axis(
        tile, flat ? 1 : 2,
        &(hit_axis){.name = "x", .units = "m", .first = -3, .step = 0.5}));
    HIT_MUST(hit_tile_set_axis(tile, flat ? 0 : 1, &(hit_axis){.name = "y"}));
    if (!flat) {
        const hit_axis z = {.name = "z", .units = "\xc2\xb5m", .first = 1, .step = 2};
        const hit_axis uneven = {.name = "z", .units = "\xc2\xb5m", .value = depth};

        HIT_MUST(hit_tile_set_axis(tile, 0, even ? &z : &uneven));
    }
    return tile;
}

/* OPTIONS may be "ALL,3d=MORE MORE": the rest is for "speed" only. */
static const char *options_of(const char *all, bool flat, char text[256])
{
    const char *more = strstr(all, "3d=");

    if (more == NULL) return all;
    (void)snprintf(text, 256, "%.*s%s", (int)(more - all) - (flat ? 1 : 0), all,
                   flat ? "" : more + 3);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == ' ') *c = ',';
    }
    return text;
}

int main(int argc, char **argv)
{
    const bool reads = argc > 3 && strcmp(argv[3], "read") == 0;
    hit_context *hit;
    hit_tile *tile[2];
    bool image; /* one field, since an image has one extent */
    int wrong = 0;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    if (argc < 3) return 2;
    image = strstr(argv[1], ".vtkhdf") != NULL;
    tile[0] = make(hit, argv[2], "depth", image);
    tile[1] = make(hit, argv[2], "speed", image);
    for (int time = 0; time < (argc > 4 ? argc - 4 : 1); time++) {
        for (int k = image ? 1 : 0; k < 2; k++) {
            char text[256];
            const char *options = argc > 4 ? options_of(argv[4 + time], k == 0, text)
                                  : k > 0 && !reads ? "add=yes"
                                                    : NULL;

            if (reads) {
                HIT_MUST(hit_tile_read(tile[k], argv[1], options));
                wrong += visit(tile[k], time, false);
            } else {
                (void)visit(tile[k], time, true);
                HIT_MUST(hit_tile_write(tile[k], argv[1], options));
            }
        }
    }
    if (wrong > 0) (void)fprintf(stderr, "%d elements are wrong\n", wrong);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_close(&hit);
    return wrong > 0;
}
