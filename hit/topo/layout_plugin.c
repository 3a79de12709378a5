/* SPDX-License-Identifier: MIT
 * Plug-ins by name: those of the library and those of the program; layouts without
 * processes. */
#include "hit/topo/layout_plugin.h"

#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>
#include <string.h>

static const void *listed(int k)
{
    return k < hit_layout_table_count ? hit_layout_table[k] : NULL;
}

static const hit_registry_kind layouts = {"a layout", "layout name", listed};

hit_status hit_layout_read(hit_context *context, const char *text,
                           const hit_layout_ops **ops, const char **options)
{
    const void *found;
    size_t length;

    if (text == NULL) return HIT_FAIL(HIT_E_ARG, "expected a layout text but found NULL");
    while (*text == ' ') {
        text++;
    }
    length = strcspn(text, " :");
    HIT_TRY(hit_registry_find(&layouts, context != NULL ? context->layouts : NULL, text,
                              length, &found));
    *ops = found;
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
    if (ops == NULL || ops->name == NULL || ops->help == NULL || ops->create == NULL ||
        ops->part == NULL || ops->owner == NULL || ops->splits == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout plug-in with name, help, create, part, "
                        "owner and splits but one of them is NULL");
    }
    HIT_TRY(hit_registry_check_name(&layouts, ops->name));
    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    return hit_registry_add(&layouts, &context->layouts, ops);
}
