/* SPDX-License-Identifier: MIT
 * Plans as text: `hit plan` shows it and golden tests compare it, so a change of it is a
 * change of the interface. One fact per line, numbers exact; what a machine should read
 * is the JSON of the tool. */
#include "hit/base/text.h"
#include "hit/plan/plan.h"

#include <inttypes.h>

void hit_plan_print(const hit_plan *plan, char *text, size_t size)
{
    int dims = plan->index.dims;
    char index[256];

    if (size == 0) return;
    text[0] = '\0';
    hit_domain_print(&plan->index, index, sizeof(index));
    hit_text_add(text, size, "indices     %s\npieces      %" PRId64, index, plan->pieces);
    if (plan->pieces > 0) {
        hit_text_add(text, size, " = ");
        hit_text_add_numbers(text, size, " x ", dims, plan->grid);
        hit_text_add(text, size, "\nsuperblock  ");
        hit_text_add_numbers(text, size, " x ", dims, plan->shape);
        hit_text_add(text, size, " indices, ");
        hit_text_add_numbers(text, size, " x ", dims, plan->blocks);
        hit_text_add(text, size, " blocks");
    }
    hit_text_add(text, size, "\npeak        %zu bytes", plan->peak_bytes);
    hit_text_add(text, size, "\nin          %" PRIu64 " bytes", plan->bytes_in);
    hit_text_add(text, size, "\nout         %" PRIu64 " bytes\n", plan->bytes_out);
}
