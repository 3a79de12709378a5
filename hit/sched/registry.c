/* SPDX-License-Identifier: MIT
 * Schedulers by name: those of the table, and those that a program registers. The option
 * queue= belongs to the queues of the engine, and learn to the driver, so that every
 * scheduler has them. */
#include "hit/sched/registry.h"

#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/sched/sched.h"

#include <string.h>

static const void *listed(int k)
{
    return k < hit_scheduler_table_count ? hit_scheduler_table[k] : NULL;
}

static const hit_registry_kind schedulers = {"a scheduler", "scheduler's name", listed};

static bool is_key(const char *key, size_t length, const char *known)
{
    return strlen(known) == length && memcmp(known, key, length) == 0;
}

/** Keep the option at @p text, of @p length characters, if it is the scheduler's own. */
static hit_status keep_option(hit_scheduler *scheduler, const char *text, size_t length)
{
    const char *const *known = scheduler->ops->options;
    const size_t key = strcspn(text, ",=");
    char *to = scheduler->options + strlen(scheduler->options);
    hit_names names;

    if (is_key(text, key, "queue") || is_key(text, key, "learn")) return HIT_OK;
    hit_names_begin(&names, text, key);
    for (; known != NULL && *known != NULL; known++) {
        hit_names_add(&names, *known);
        if (!is_key(text, key, *known)) continue;
        if (to > scheduler->options) *to++ = ',';
        memcpy(to, text, length);
        to[length] = '\0';
        return HIT_OK;
    }
    hit_names_add(&names, "queue");
    hit_names_add(&names, "learn");
    return HIT_FAIL(HIT_E_ARG, "scheduler %s: expected an option %s but found \"%.*s\"%s",
                    scheduler->ops->name, hit_names_list(&names),
                    key < 80 ? (int)key : 80, text, hit_names_hint(&names));
}

hit_status hit_scheduler_read(hit_context *context, const char *text,
                              hit_scheduler *scheduler)
{
    static const char *const orders[] = {"fifo", "rank", "lack", NULL};
    hit_scheduler made = {0};
    const void *found;
    size_t length;
    int order;

    if (text == NULL || scheduler == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler's text and a place for it but found NULL");
    }
    length = strcspn(text, ":");
    HIT_TRY(hit_registry_find(&schedulers, context != NULL ? context->schedulers : NULL,
                              text, length, &found));
    made.ops = found;
    order = (int)made.ops->order;
    text += length + (text[length] == ':');
    if (strlen(text) >= sizeof made.options) {
        return HIT_FAIL(HIT_E_ARG,
                        "scheduler %s: expected options of less than %zu characters but "
                        "found %zu",
                        made.ops->name, sizeof made.options, strlen(text));
    }
    HIT_TRY(hit_sched_option_word(made.ops->name, text, "queue", orders, &order));
    HIT_TRY(hit_sched_option_flag(made.ops->name, text, "learn", &made.learns));
    made.order = (hit_sched_order)order;
    for (; *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        HIT_TRY(keep_option(&made, text, length));
    }
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
