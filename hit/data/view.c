/* SPDX-License-Identifier: MIT
 * Addresses of elements. */
#include "hit/data/view.h"

#include "hit/data/sig.h"

void *hit_view_at(const hit_view *view, const hit_index index[])
{
    char *element = view->data;

    for (int d = 0; d < view->domain.dims; d++) {
        element +=
            hit_sig_position(view->domain.sig[d], index[d]) * view->stride_bytes[d];
    }
    return element;
}
