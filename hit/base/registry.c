/* SPDX-License-Identifier: MIT
 * Plug-ins by name. */
#include "hit/base/registry.h"

#include "hit/base/memory.h"

#include <string.h>

struct hit_registry {
    const void *plugin;
    struct hit_registry *next;
};

static const char *name_of(const void *plugin)
{
    return *(const char *const *)plugin;
}

const void *hit_registry_at(const hit_registry_kind *kind, const hit_registry *own, int k)
{
    for (int listed = 0; listed <= k; listed++) {
        const void *plugin = kind->listed(listed);

        if (plugin != NULL && listed == k) return plugin;
        if (plugin != NULL) continue;
        for (int at = listed; at < k && own != NULL; at++) {
            own = own->next;
        }
        return own != NULL ? own->plugin : NULL;
    }
    return NULL;
}

static const void *find(const hit_registry_kind *kind, const hit_registry *own,
                        const char *name, size_t length)
{
    const void *plugin;

    for (int k = 0; (plugin = hit_registry_at(kind, own, k)) != NULL; k++) {
        if (strlen(name_of(plugin)) != length) continue;
        if (memcmp(name_of(plugin), name, length) == 0) return plugin;
    }
    return NULL;
}

hit_status hit_registry_find(const hit_registry_kind *kind, const hit_registry *own,
                             const char *name, size_t length, const void **found)
{
    const void *plugin;
    hit_names known;

    *found = find(kind, own, name, length);
    if (*found != NULL) return HIT_OK;
    hit_names_begin(&known, name, length);
    for (int k = 0; (plugin = hit_registry_at(kind, own, k)) != NULL; k++) {
        hit_names_add(&known, name_of(plugin));
    }
    return HIT_FAIL(HIT_E_ARG, "expected the name of %s (%s) but found \"%.*s\"%s",
                    kind->a, hit_names_list(&known), length < 80 ? (int)length : 80, name,
                    hit_names_hint(&known));
}

hit_status hit_registry_check_name(const hit_registry_kind *kind, const char *name)
{
    if (name[0] != '\0' && strpbrk(name, " :,=") == NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected a %s without ' ', ':', ',' and '=' but found \"%s\"",
                    kind->name, name);
}

hit_status hit_registry_add(const hit_registry_kind *kind, hit_registry **own,
                            const void *plugin)
{
    const char *name = name_of(plugin);
    hit_registry *added;

    if (find(kind, *own, name, strlen(name)) != NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a new %s but \"%s\" exists", kind->name,
                        name);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *added, &added));
    added->plugin = plugin;
    while (*own != NULL) {
        own = &(*own)->next;
    }
    *own = added;
    return HIT_OK;
}

void hit_registry_destroy(hit_registry **own)
{
    while (*own != NULL) {
        hit_registry *first = *own;

        *own = first->next;
        free(first);
    }
}
