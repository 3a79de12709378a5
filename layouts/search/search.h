/* SPDX-License-Identifier: MIT
 * Layouts that measure: the loop that serves every plug-in with a search. */
#ifndef LAYOUTS_SEARCH_H
#define LAYOUTS_SEARCH_H

#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"

/** Find the options of a layout whose spec has an option kernel=: look its models up in
 * the store; unless they know about the shares that are best by them, measure
 * distributions on all processes until the plug-in's search is content, and keep what was
 * learned.
 *
 * @collective yes; the search runs on process 0
 * @owner  *options is the caller's: free()
 * @errors HIT_E_ARG an option, no such kernel, or one of other dimensions; those of
 * hit_trial_run() and of the plug-in; HIT_E_PEER
 */
hit_status hit_layout_search(hit_context *context, const hit_layout_spec *spec,
                             char **options);

#endif
