/* SPDX-License-Identifier: MIT
 * Schedulers by name: those of the table, and those that a program registers. The option
 * queue= belongs to the queues of the engine, and learn to the driver, so that every
 * scheduler has them. */
#include "hit/sched/registry.h"

#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/sched/policy.h"
#include "hit/sched/sched.h"

#include <stdlib.h>
#include <string.h>

static const void *listed(int k)
{
    return k < hit_scheduler_table_count ? hit_scheduler_table[k] : NULL;
}

static const hit_registry_kind schedulers = {"a scheduler", "scheduler's name", listed};

static hit_status read_order(const char *name, const char *text, hit_sched_order *order)
{
    static const char *const known[] = {"fifo", "rank", "lack"};

    for (int k = 0; k < 3; k++) {
        if (strcmp(known[k], text) != 0) continue;
        *order = (hit_sched_order)k;
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "scheduler %s: expected queue=fifo, rank or lack but found \"%s\"",
                    name, text);
}

/** Is it one that every scheduler has? */
static bool is_common(const char *option, size_t length)
{
    return strncmp(option, "queue=", 6) == 0 ||
           (length == 5 && strncmp(option, "learn", 5) == 0);
}

/** Copy the options of the scheduler's own. */
static void copy_options(const char *from, char *to)
{
    bool first = true;

    while (*from != '\0') {
        const size_t length = strcspn(from, ",");

        if (!is_common(from, length)) {
            if (!first) *to++ = ',';
            first = false;
            memcpy(to, from, length);
            to += length;
        }
        from += length + (from[length] == ',');
    }
    *to = '\0';
}

hit_status hit_scheduler_read(hit_context *context, const char *text,
                              hit_scheduler *scheduler)
{
    hit_scheduler made = {0};
    const void *found;
    size_t length;
    char order[32];

    if (text == NULL || scheduler == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler's text and a place for it but found NULL");
    }
    length = strcspn(text, ":");
    HIT_TRY(hit_registry_find(&schedulers, context != NULL ? context->schedulers : NULL,
                              text, length, &found));
    made.ops = found;
    made.order = made.ops->order;
    text += length + (text[length] == ':');
    if (strlen(text) >= sizeof made.options) {
        return HIT_FAIL(HIT_E_ARG,
                        "scheduler %s: expected options of less than %zu characters but "
                        "found %zu",
                        made.ops->name, sizeof made.options, strlen(text));
    }
    if (hit_sched_option(text, "queue", order, sizeof order)) {
        HIT_TRY(read_order(made.ops->name, order, &made.order));
    }
    made.learns = hit_sched_option(text, "learn", order, 1);
    copy_options(text, made.options);
    *scheduler = made;
    return HIT_OK;
}

hit_status hit_scheduler_register(hit_context *context, const hit_sched_ops *ops)
{
    if (ops == NULL || ops->name == NULL || ops->help == NULL || ops->open == NULL ||
        ops->close == NULL || ops->ready == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler with name, help, open, close and ready but "
                        "one of them is NULL");
    }
    HIT_TRY(hit_registry_check_name(&schedulers, ops->name));
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    return hit_registry_add(&schedulers, &context->schedulers, ops);
}
