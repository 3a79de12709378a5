/* SPDX-License-Identifier: MIT
 * Internal to layouts/search*.c: what process 0 does in a search. */
#ifndef LAYOUTS_SEARCH_ROOT_H
#define LAYOUTS_SEARCH_ROOT_H

#include "layouts/search_impl.h"

/** Make room for what the processes tell. The caller closes it also on failure. */
hit_status hit_search_root_open(hit_search *s);

void hit_search_root_close(hit_search *s);

/** Look the models of all ranks up and begin the search. */
hit_status hit_search_begin(hit_search *s);

/** Tell the search what was measured, get the next offer. */
hit_status hit_search_next(hit_search *s, hit_layout_offer *offer);

/** Keep what was measured. */
hit_status hit_search_keep(hit_search *s);

#endif
