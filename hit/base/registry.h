/* SPDX-License-Identifier: MIT
 * Internal: plug-ins of one kind by name: those of the library, which a table lists, and
 * those that a program adds. The first member of a plug-in is its name, a const char *.
 */
#ifndef HIT_BASE_REGISTRY_H
#define HIT_BASE_REGISTRY_H

#include "hit/base/status.h"

#include <stddef.h>

/** What a program has added, in that order; NULL: nothing. */
typedef struct hit_registry hit_registry;

/** A kind of plug-ins. */
typedef struct hit_registry_kind {
    const char *a;    /**< for texts: "a layout" */
    const char *name; /**< for texts: "layout name" */
    /** Number @p k of those of the library; NULL: there are no more. */
    const void *(*listed)(int k);
} hit_registry_kind;

/** Number @p k, those of the library first; NULL: there are no more. */
const void *hit_registry_at(const hit_registry_kind *kind, const hit_registry *own,
                            int k);
/** The one whose name is @p length characters of @p name.
 * @errors HIT_E_ARG there is none; lists those that there are */
hit_status hit_registry_find(const hit_registry_kind *kind, const hit_registry *own,
                             const char *name, size_t length, const void **found);
/** Add one, which is borrowed. @errors HIT_E_ARG its name exists; HIT_E_NOMEM */
hit_status hit_registry_add(const hit_registry_kind *kind, hit_registry **own,
                            const void *plugin);
/** Fail if the name cannot be used in texts with options. @errors HIT_E_ARG */
hit_status hit_registry_check_name(const hit_registry_kind *kind, const char *name);
/** Accepts NULL in *own; sets it to NULL. */
void hit_registry_destroy(hit_registry **own);

/* names.c: a name that is none of those that are known: for error texts. */

/** The names that are known, beside the one that was found. */
typedef struct hit_names {
    const char *found;
    size_t length;       /**< of what was found */
    size_t used;         /**< characters of the list */
    size_t last;         /**< where the last name of it begins */
    size_t least;        /**< the fewest changes that make a known name of it */
    const char *nearest; /**< that name; NULL: none is near */
    char list[1280];     /**< ends early where there are more */
    char hint[96];
} hit_names;

/** Begin with what was found: @p length characters of @p found. */
void hit_names_begin(hit_names *names, const char *found, size_t length);
/** Add a name that is known; it is kept until the texts have been read. */
void hit_names_add(hit_names *names, const char *name);
/** "a, b or c": call it once, after the last name. */
const char *hit_names_list(hit_names *names);
/** "; did you mean "b"?", or "" if no name is near. */
const char *hit_names_hint(hit_names *names);

#endif
