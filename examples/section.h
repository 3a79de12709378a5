/* SPDX-License-Identifier: MIT
 * The ground of the seismic example: velocities, the grid, the time step, the source. */
#ifndef EXAMPLES_SECTION_H
#define EXAMPLES_SECTION_H

#include "kernels/kernels.h"

#include "examples/common.h"

/** Columns along x, samples down; a grid point is (i, j) = (x, depth) / spacing. */
typedef struct section {
    hit_index columns, samples; /**< of the file */
    float *velocity;            /**< km/s, column by column */
    double fastest;             /**< km/s */

    hit_index size[2]; /**< of the grid that is computed, without the border */
    hit_index border;  /**< absorbing points on each side */
    double spacing_m;  /**< between points */
    double step_s;     /**< of time */
    double peak_hz;    /**< of the source's wavelet */
    hit_wave_shot source;
    hit_domain source_box; /**< what it touches */
} section;

/** Read the velocities (gzip or not) and lay a grid of size[0] points over its 12 km;
 * size 0: as the file; afterwards they are those of the grid.
 * @owner  s->velocity is the caller's: free() @errors HIT_E_IO; HIT_E_NOMEM */
hit_status section_read(const char *path, hit_index size[2], section *s);
/** Velocity at a grid point in km/s, by bilinear interpolation; outside as at the edge.
 */
double section_velocity(const section *s, hit_index i, hit_index j);
/** (velocity * time step / spacing)^2, and the damping of the border, 1 inside; both of a
 * section, for example_set(). */
double section_courant2(const void *what, const hit_index x[]);
double section_damping(const void *what, const hit_index x[]);
/** The Ricker wavelet of the source at time step @p t, largest at 1.2 periods. */
float section_sample(const section *s, hit_index t);

/** Write the field at @p time_s over the velocities as a picture: depth goes down.
 * @collective yes @errors those of picture_write() */
hit_status section_draw_field(const example *e, const section *s, hit_tile *field,
                              double time_s, const char *path);
/** Write the traces of @p time_s as a picture: time goes down. @collective yes */
hit_status section_draw_traces(const example *e, const section *s, hit_tile *traces,
                               double time_s, const char *path);
/** Compute the shot in plain C and compare: @p found are the field and the traces.
 * @p largest: of the field's magnitudes. @errors HIT_E_NOMEM */
hit_status section_check(const section *s, hit_index steps, hit_index every,
                         const float *const found[2], double *error, double *largest);

#endif
