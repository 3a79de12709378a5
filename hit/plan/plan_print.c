/* SPDX-License-Identifier: MIT
 * Plans as text: `hit plan` shows it and golden tests compare it, so a change of it is a
 * change of the interface. One fact per line, numbers exact; what a machine should read
 * is the JSON of the tool. */
#include "hit/plan/plan_print.h"

#include "hit/plan/plan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(char *text, size_t size, const char *format, ...) HIT_PRINTF(3, 4);

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

static void append_sizes(char *text, size_t size, int dims, const hit_index n[])
{
    for (int d = 0; d < dims; d++) {
        append(text, size, "%s%" PRId64, d > 0 ? " x " : "", n[d]);
    }
}

void hit_plan_print(const hit_plan *plan, char *text, size_t size)
{
    int dims = plan->index.dims;
    char index[256];

    if (size == 0) return;
    text[0] = '\0';
    hit_domain_print(&plan->index, index, sizeof(index));
    append(text, size, "indices     %s\npieces      %" PRId64, index, plan->pieces);
    if (plan->pieces > 0) {
        append(text, size, " = ");
        append_sizes(text, size, dims, plan->grid);
        append(text, size, "\nsuperblock  ");
        append_sizes(text, size, dims, plan->shape);
        append(text, size, " indices, ");
        append_sizes(text, size, dims, plan->blocks);
        append(text, size, " blocks");
    }
    append(text, size, "\npeak        %zu bytes", plan->peak_bytes);
    append(text, size, "\nin          %" PRIu64 " bytes", plan->bytes_in);
    append(text, size, "\nout         %" PRIu64 " bytes\n", plan->bytes_out);
}
