/* SPDX-License-Identifier: MIT
 * The ground of the seismic example: reads the section of the Marmousi model and lays a
 * grid over it. Time step and wavelet follow from the spacing of the grid, so that any
 * size is stable and shows waves instead of the grid. */
#include "examples/section.h"

#include "hit/base/memory.h"

#include <math.h>
#include <zlib.h>

static const hit_index file_columns = 1601;
static const hit_index file_samples = 401;
static const double file_spacing_m = 7.5;

/* 8th order in two dimensions is stable below 0.554 */
static const double courant = 0.5;
static const double border_m = 450;
static const double source_depth_m = 30;
static const double source_radius_m = 15;
static const double pi = 3.14159265358979323846;

static hit_status read_velocity(const char *path, section *s)
{
    size_t bytes = (size_t)(file_columns * file_samples) * sizeof(float);
    gzFile file;
    int got;

    HIT_TRY(hit_memory_zeroed(bytes, 1, &s->velocity));
    file = gzopen(path, "rb");
    got = file == NULL ? -1 : gzread(file, s->velocity, (unsigned)bytes);
    if (file != NULL) gzclose(file);
    if (got == (int)bytes) return HIT_OK;
    free(s->velocity);
    s->velocity = NULL;
    return HIT_FAIL(HIT_E_IO, "%s: expected %zu bytes of velocities but found %d%s", path,
                    bytes, got, got < 0 ? " (no such file, or damaged)" : "");
}

hit_status section_read(const char *path, hit_index size[2], section *s)
{
    const double length_m = (double)(file_columns - 1) * file_spacing_m;
    const double depth_m = (double)(file_samples - 1) * file_spacing_m;
    hit_index x;
    hit_index z;
    hit_index r;

    *s = (section){.columns = file_columns, .samples = file_samples};
    HIT_TRY(read_velocity(path, s));
    for (hit_index k = 0; k < s->columns * s->samples; k++) {
        if (!(s->velocity[k] > 0.1f && s->velocity[k] < 20.0f)) {
            free(s->velocity);
            s->velocity = NULL;
            return HIT_FAIL(HIT_E_IO, "%s: expected velocities of 0.1 to 20 km/s", path);
        }
        s->fastest = fmax(s->fastest, s->velocity[k]);
    }
    s->size[0] = size[0] > 0 ? size[0] : s->columns;
    s->spacing_m = s->size[0] > 1 ? length_m / (double)(s->size[0] - 1) : length_m;
    s->size[1] = size[1] > 0 ? size[1] : (hit_index)(depth_m / s->spacing_m + 0.5) + 1;
    size[0] = s->size[0];
    size[1] = s->size[1];

    s->border = (hit_index)fmax(40, ceil(border_m / s->spacing_m));
    s->step_s = courant * s->spacing_m / (1000 * s->fastest);
    s->peak_hz = fmin(12, 12 * file_spacing_m / s->spacing_m);
    x = s->size[0] / 2;
    z = (hit_index)(source_depth_m / s->spacing_m + 0.5);
    r = (hit_index)fmax(2, source_radius_m / s->spacing_m);
    s->source = (hit_wave_shot){.centre = {x, z}, .radius = (float)r};
    s->source_box = hit_box_of(x - r, x + r, z - r, z + r);
    return HIT_OK;
}

/** The place of grid point @p x among the points of the file, as number and remainder. */
static hit_index place(const section *s, hit_index x, hit_index count, double *rest)
{
    double at = (double)x * s->spacing_m / file_spacing_m;

    at = fmin(fmax(at, 0), (double)(count - 1));
    *rest = at - floor(at);
    return (hit_index)at;
}

double section_velocity(const section *s, hit_index i, hit_index j)
{
    double u;
    double v;
    hit_index x = place(s, i, s->columns, &u);
    hit_index z = place(s, j, s->samples, &v);
    hit_index right = x + 1 < s->columns ? s->samples : 0;
    hit_index down = z + 1 < s->samples ? 1 : 0;
    const float *p = s->velocity + x * s->samples + z;

    return (1 - u) * ((1 - v) * p[0] + v * p[down]) +
           u * ((1 - v) * p[right] + v * p[right + down]);
}

double section_courant2(const void *what, const hit_index x[])
{
    const section *s = what;
    double c = 1000 * section_velocity(s, x[0], x[1]) * s->step_s / s->spacing_m;

    return c * c;
}

/** By how many points @p x lies outside 0..count-1. */
static hit_index outside(hit_index x, hit_index count)
{
    return x < 0 ? -x : x >= count ? x - count + 1 : 0;
}

double section_damping(const void *what, const hit_index x[])
{
    const section *s = what;
    double u = (double)outside(x[0], s->size[0]) / (double)s->border;
    double v = (double)outside(x[1], s->size[1]) / (double)s->border;

    return exp(-0.09 * fmax(u * u, v * v));
}

float section_sample(const section *s, hit_index t)
{
    double a = pi * s->peak_hz * ((double)t * s->step_s - 1.2 / s->peak_hz);

    return (float)((1 - 2 * a * a) * exp(-a * a));
}
