/* SPDX-License-Identifier: MIT
 * The pictures of the seismic example: the wave field in blue and red over the velocities
 * in grey, and the traces of the receivers. */
#include "hit/plugin.h"

#include <stdio.h>

#include "examples/picture.h"
#include "examples/section.h"

static const hit_index most = 1601; /* columns, and rows */

static double length_km(const section *s, int d)
{
    return 1e-3 * s->spacing_m * (double)(s->size[d] > 1 ? s->size[d] - 1 : 1);
}

hit_status section_draw_field(const example *e, const section *s, hit_tile *field,
                              double time_s, const char *path)
{
    const hit_domain seen = example_thin(hit_domain_of(s->size[0], s->size[1]), most);
    char title[64];
    float *u = example_gather(e, field, seen);
    hit_status st;
    float clip;
    picture p;

    if (u == NULL) return HIT_OK; /* process 0 draws */
    HIT_TRY_GOTO(st,
                 picture_create((int)hit_sig_count(seen.sig[0]),
                                (int)hit_sig_count(seen.sig[1]), &p),
                 free_field);
    clip = picture_percentile(u, hit_domain_count(&seen), 0.98);
    for (int x = 0; x < p.width; x++) {
        for (int z = 0; z < p.height; z++) {
            double v = section_velocity(s, hit_sig_at(seen.sig[0], x),
                                        hit_sig_at(seen.sig[1], z));
            double t = u[(ptrdiff_t)x * p.height + z] / clip;

            picture_set(&p, x, z, picture_blue_red(t, picture_grey(0.3 + 0.14 * v)));
        }
    }
    (void)snprintf(title, sizeof(title), "pressure after %.2f s", time_s);
    st = picture_write(&p,
                       &(picture_frame){.title = title,
                                        .across = "km",
                                        .down = "km",
                                        .width = length_km(s, 0),
                                        .height = length_km(s, 1),
                                        .scale = clip},
                       path);

free_field:
    free(u);
    return st;
}

hit_status section_draw_traces(const example *e, const section *s, hit_tile *traces,
                               double time_s, const char *path)
{
    const hit_domain seen = example_thin(hit_tile_domain(traces), most);
    float *u = example_gather(e, traces, seen);
    hit_status st;
    float clip;
    picture p;

    if (u == NULL || hit_domain_is_empty(&seen)) {
        free(u);
        return HIT_OK;
    }
    HIT_TRY_GOTO(st,
                 picture_create((int)hit_sig_count(seen.sig[1]),
                                (int)hit_sig_count(seen.sig[0]), &p),
                 free_traces);
    clip = picture_percentile(u, hit_domain_count(&seen), 0.93);
    for (int t = 0; t < p.height; t++) {
        for (int x = 0; x < p.width; x++) {
            double a = u[(ptrdiff_t)t * p.width + x] / clip;

            picture_set(&p, x, t, picture_blue_red(a, picture_grey(1)));
        }
    }
    st = picture_write(&p,
                       &(picture_frame){.title = "pressure at the receivers",
                                        .across = "km",
                                        .down = "s",
                                        .width = length_km(s, 0),
                                        .height = time_s,
                                        .scale = clip},
                       path);

free_traces:
    free(u);
    return st;
}
