/* SPDX-License-Identifier: MIT
 * Schedulers by name: those of the table, and those that a program registers. The option
 * queue= belongs to the queues of the engine, and learn to the driver, so that every
 * scheduler has them. */
#include "hit/sched/registry.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/names.h"
#include "hit/sched/policy.h"
#include "hit/sched/registry_impl.h"
#include "hit/sched/sched.h"

#include <stdlib.h>
#include <string.h>

struct hit_scheduler_registry {
    const hit_sched_ops *ops;
    struct hit_scheduler_registry *next;
};

static bool is_named(const hit_sched_ops *ops, const char *name, size_t length)
{
    return strlen(ops->name) == length && memcmp(ops->name, name, length) == 0;
}

static const hit_sched_ops *find(const hit_context *context, const char *name,
                                 size_t length)
{
    for (int i = 0; i < hit_scheduler_table_count; i++) {
        if (is_named(hit_scheduler_table[i], name, length)) return hit_scheduler_table[i];
    }
    if (context == NULL) return NULL;
    for (const struct hit_scheduler_registry *one = context->schedulers; one != NULL;
         one = one->next) {
        if (is_named(one->ops, name, length)) return one->ops;
    }
    return NULL;
}

static hit_status unknown(const hit_context *context, const char *name, size_t length)
{
    const struct hit_scheduler_registry *own =
        context != NULL ? context->schedulers : NULL;
    hit_names known;

    hit_names_begin(&known, name, length);
    for (int i = 0; i < hit_scheduler_table_count; i++) {
        hit_names_add(&known, hit_scheduler_table[i]->name);
    }
    for (; own != NULL; own = own->next) {
        hit_names_add(&known, own->ops->name);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected the name of a scheduler (%s) but found \"%.*s\"%s",
                    hit_names_list(&known), length < 80 ? (int)length : 80, name,
                    hit_names_hint(&known));
}

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
    size_t length;
    char order[32];

    if (text == NULL || scheduler == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler's text and a place for it but found NULL");
    }
    length = strcspn(text, ":");
    made.ops = find(context, text, length);
    if (made.ops == NULL) return unknown(context, text, length);
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
    struct hit_scheduler_registry **end;
    struct hit_scheduler_registry *added;

    if (ops == NULL || ops->name == NULL || ops->help == NULL || ops->open == NULL ||
        ops->close == NULL || ops->ready == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler with name, help, open, close and ready but "
                        "one of them is NULL");
    }
    if (ops->name[0] == '\0' || strpbrk(ops->name, " :,=") != NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a scheduler's name without ' ', ':', ',' and '=' but "
                        "found \"%s\"",
                        ops->name);
    }
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    if (find(context, ops->name, strlen(ops->name)) != NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a new scheduler's name but \"%s\" exists",
                        ops->name);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *added, &added));
    added->ops = ops;
    for (end = &context->schedulers; *end != NULL;) {
        end = &(*end)->next;
    }
    *end = added;
    return HIT_OK;
}

void hit_scheduler_registry_destroy(struct hit_scheduler_registry **registry)
{
    while (*registry != NULL) {
        struct hit_scheduler_registry *first = *registry;

        *registry = first->next;
        free(first);
    }
}
