/* SPDX-License-Identifier: MIT
 * Blocks of launches that come in runs, with something else between them. */
#include "hit/base/context.h"
#include "hit/deep/deep_impl.h"
#include "hit/launch/launcher.h"

#include <math.h>

/* Does a launch alone wait for messages? */
static bool waits(const hit_deep_expected *e, int l)
{
    const hit_deep_form *form = hit_deep_form_at(e, l);

    for (int u = 0; u < form->launch.uses && !form->home; u++) {
        const hit_margin *reach = &form->launch.use[u].reach;

        for (int c = 0; c < form->dims; c++) {
            if ((form->anchor.shared >> c & 1u) == 0) continue;
            if (reach->low[c] != 0 || reach->high[c] != 0) return true;
        }
    }
    return false;
}

int hit_deep_waits(const hit_deep_expected *e)
{
    int count = 0;

    for (int l = 0; l < e->period; l++) {
        count += waits(e, l);
    }
    return count;
}

bool hit_deep_saves_votes(const hit_deep *deep, const hit_deep_plan *plan, uint64_t run)
{
    const double launches = (double)run;
    const double blocks = ceil(launches / plan->launches);
    const double votes_s = 2 * plan->wait_s * ceil(log2(deep->context->size));
    const double alone = launches * plan->waits / plan->period;

    if (run == 0 || deep->context->launcher->chain_choice != NULL) return true;
    return (alone - blocks) * plan->wait_s + (launches - blocks) * plan->passage_s >=
           votes_s;
}
