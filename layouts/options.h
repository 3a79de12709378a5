/* SPDX-License-Identifier: MIT
 * Internal: options that several layouts have. */
#ifndef LAYOUTS_OPTIONS_H
#define LAYOUTS_OPTIONS_H

#include "hit/model/fpm.h"
#include "hit/topo/layout_plugin.h"
#include "layouts/partition/partition.h"

/** The two dimensions that option dims=K,L names; 0 and 1 without it.
 * @errors HIT_E_ARG not two different ones of the domain's */
hit_status hit_layout_dims(const hit_layout_spec *spec, int dims[2]);

/** Fail if more than one of the options is given. @errors HIT_E_ARG */
hit_status hit_layout_one_of(const hit_layout_spec *spec, const char *a, const char *b);

/** Check the options of a plug-in that finds option @p what= by speeds= or models= unless
 * it is given. @p known: all options of the plug-in @errors HIT_E_ARG an unknown one,
 * both
 */
hit_status hit_layout_given(const hit_layout_spec *spec, const char *const known[],
                            const char *what, bool *given);

/** One number for each rank, with ',' between them; all 1 when the option is not given.
 * @errors HIT_E_ARG not that, or not as many */
hit_status hit_layout_reals(const hit_layout_spec *spec, const char *key, double value[]);

/** @p count whole numbers >= 0. @errors as above */
hit_status hit_layout_wholes(const hit_layout_spec *spec, const char *key, int count,
                             hit_index value[]);

/** How fast the ranks are: option speeds= or models=. */
typedef struct hit_layout_pace {
    double *speed;    /**< one per rank, or NULL, and */
    hit_fpm **models; /**< a model per rank */
} hit_layout_pace;

/** Read the option speeds=S0,S1,... (all 1 without it) or models=FILE,FILE,...: one per
 * rank, or one for all. A unit of a model is an element of the domain; here it becomes
 * @p elements of them: a row, for example.
 * @owner *pace is the caller's, also on failure: hit_layout_pace_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_pace_read(const hit_layout_spec *spec, hit_index elements,
                                hit_layout_pace *pace);

void hit_layout_pace_clear(const hit_layout_spec *spec, hit_layout_pace *pace);

/** Shares of all positions of dimension @p a, or of the plane of @p a and @p b: by option
 * speeds=, or by models= and @p partition. Without @p b it is -1. @errors those of
 * hit_layout_pace_read() and of the partitions */
hit_status hit_layout_shares(const hit_layout_spec *spec, int a, int b,
                             hit_partition_function *partition, hit_index share[]);

/** The elements of the domain for each position of dimension @p a (and @p b, or -1), at
 * least 1. */
hit_index hit_layout_elements(const hit_layout_spec *spec, int a, int b);

#endif
