/* SPDX-License-Identifier: MIT
 * Plug-ins by name: those of the library and those of the program; layouts without
 * processes. */
#include "hit/topo/layout_plugin.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/names.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_plugin_impl.h"

#include <stdlib.h>
#include <string.h>

/** The plug-ins of one program: a list in the order in which they were added. */
struct hit_layout_registry {
    const hit_layout_ops *ops;
    struct hit_layout_registry *next;
};

static bool is_named(const hit_layout_ops *ops, const char *name, size_t length)
{
    return strlen(ops->name) == length && memcmp(ops->name, name, length) == 0;
}

static const hit_layout_ops *find(const struct hit_layout_registry *registry,
                                  const char *name, size_t length)
{
    for (int i = 0; i < hit_layout_table_count; i++) {
        if (is_named(hit_layout_table[i], name, length)) return hit_layout_table[i];
    }
    for (; registry != NULL; registry = registry->next) {
        if (is_named(registry->ops, name, length)) return registry->ops;
    }
    return NULL;
}

static hit_status unknown(const struct hit_layout_registry *registry, const char *name,
                          size_t length)
{
    hit_names known;

    hit_names_begin(&known, name, length);
    for (int i = 0; i < hit_layout_table_count; i++) {
        hit_names_add(&known, hit_layout_table[i]->name);
    }
    for (; registry != NULL; registry = registry->next) {
        hit_names_add(&known, registry->ops->name);
    }
    return HIT_FAIL(HIT_E_ARG, "expected the name of a layout (%s) but found \"%.*s\"%s",
                    hit_names_list(&known), length < 80 ? (int)length : 80, name,
                    hit_names_hint(&known));
}

hit_status hit_layout_read(hit_context *context, const char *text,
                           const hit_layout_ops **ops, const char **options)
{
    const struct hit_layout_registry *own = context != NULL ? context->layouts : NULL;
    size_t length;

    if (text == NULL) return HIT_FAIL(HIT_E_ARG, "expected a layout text but found NULL");
    while (*text == ' ') {
        text++;
    }
    length = strcspn(text, " :");
    *ops = find(own, text, length);
    if (*ops == NULL) return unknown(own, text, length);

    text += length;
    text += strspn(text, " ");
    if (*text == ':') {
        text++;
    } else if (*text != '\0') {
        return HIT_FAIL(HIT_E_ARG, "layout %s: expected ':' and options but found \"%s\"",
                        (*ops)->name, text);
    }
    *options = text;
    return HIT_OK;
}

/* Where no process can measure. */
static hit_status plan(const hit_layout_spec *wanted, const char *options,
                       hit_layout **layout)
{
    char *resolved = NULL;
    bool searches;
    hit_status st;

    HIT_TRY(hit_domain_check(&wanted->domain));
    HIT_TRY(hit_layout_asks_search(wanted, options, &searches));
    if (searches) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: option kernel measures, which needs the processes "
                        "of hit_layout_create()",
                        wanted->ops->name);
    }
    st = hit_layout_resolve_here(wanted, options, &resolved);
    if (st == HIT_OK) {
        st = hit_layout_make(NULL, wanted, resolved != NULL ? resolved : options, layout);
    }
    free(resolved);
    return st;
}

hit_status hit_layout_plan(const hit_layout_ops *ops, hit_domain domain, int ranks,
                           const char *options, hit_layout **layout)
{
    if (ops == NULL) return HIT_FAIL(HIT_E_ARG, "expected a layout but found NULL");
    if (layout == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a place for the layout but found NULL");
    }
    if (ranks < 1) return HIT_FAIL(HIT_E_ARG, "expected ranks >= 1 but found %d", ranks);
    return plan(&(hit_layout_spec){.domain = domain, .ranks = ranks, .ops = ops}, options,
                layout);
}

hit_status hit_layout_plan_text(hit_context *context, hit_domain domain, int ranks,
                                const char *text, hit_layout **layout)
{
    const hit_layout_ops *ops = NULL;
    const char *options = NULL;

    HIT_TRY(hit_layout_read(context, text, &ops, &options));
    return hit_layout_plan(ops, domain, ranks, options, layout);
}

hit_status hit_layout_register(hit_context *context, const hit_layout_ops *ops)
{
    struct hit_layout_registry **end;
    struct hit_layout_registry *added;

    if (ops == NULL || ops->name == NULL || ops->help == NULL || ops->create == NULL ||
        ops->part == NULL || ops->owner == NULL || ops->splits == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout plug-in with name, help, create, part, "
                        "owner and splits but one of them is NULL");
    }
    if (ops->name[0] == '\0' || strpbrk(ops->name, " :,=") != NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout name without ' ', ':', ',' and '=' but "
                        "found \"%s\"",
                        ops->name);
    }
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    if (find(context->layouts, ops->name, strlen(ops->name)) != NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a new layout name but \"%s\" exists",
                        ops->name);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *added, &added));
    added->ops = ops;
    for (end = &context->layouts; *end != NULL;) {
        end = &(*end)->next;
    }
    *end = added;
    return HIT_OK;
}

void hit_layout_registry_destroy(struct hit_layout_registry **registry)
{
    while (*registry != NULL) {
        struct hit_layout_registry *first = *registry;

        *registry = first->next;
        free(first);
    }
}
