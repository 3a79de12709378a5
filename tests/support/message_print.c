/* SPDX-License-Identifier: MIT
 * Message plans as stable text, for golden tests. */
#include "tests/support/message_print.h"

#include "hit/comm/message.h"

#include <stdarg.h>
#include <stdio.h>

/* Text that is cut off where it is full. */
typedef struct writer {
    char *text;
    size_t size;
    size_t used;
} writer;

static void write_text(writer *w, const char *format, ...) HIT_PRINTF(2, 3);

static void write_text(writer *w, const char *format, ...)
{
    const size_t room = w->size - w->used;
    va_list list;
    int length;

    va_start(list, format);
    length = vsnprintf(w->text + w->used, room, format, list);
    va_end(list);
    if (length > 0) w->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void write_transfers(writer *w, const hit_message_plan *plan, int first, int count)
{
    for (int k = first; k < first + count; k++) {
        const hit_transfer *t = &plan->transfer[k];
        const hit_domain from = hit_remap_apply(&t->remap, &t->domain);
        char text[128];

        hit_domain_print(&t->domain, text, sizeof(text));
        write_text(w, "    %s", text);
        hit_domain_print(&from, text, sizeof(text));
        if (t->constant) {
            write_text(w, " is constant");
        } else if (!hit_domain_equal(&from, &t->domain)) {
            write_text(w, " from %s", text);
        }
        write_text(w, "\n");
    }
}

static void write_targets(writer *w, const hit_message_plan *plan,
                          const hit_message *message)
{
    for (int k = 0; k < message->targets; k++) {
        write_text(w, " %d", plan->target[message->first_target + k].rank);
    }
    write_text(w, "\n");
}

void hit_message_plan_print(const hit_message_plan *plan, char *text, size_t size)
{
    writer w = {text, size, 0};

    if (size == 0) return;
    text[0] = '\0';
    if (plan->locals > 0) write_text(&w, "stays\n");
    write_transfers(&w, plan, 0, plan->locals);
    for (int k = 0; k < plan->sends; k++) {
        write_text(&w, "send %zu bytes to", plan->send[k].size_bytes);
        write_targets(&w, plan, &plan->send[k]);
        write_transfers(&w, plan, plan->send[k].first, plan->send[k].count);
    }
    for (int k = 0; k < plan->receives; k++) {
        write_text(&w, "receive %zu bytes from %d%s", plan->receive[k].size_bytes,
                   plan->receive[k].from,
                   plan->receive[k].targets > 0 ? ", pass on to" : "");
        write_targets(&w, plan, &plan->receive[k]);
        write_transfers(&w, plan, plan->receive[k].first, plan->receive[k].count);
    }
}
