/* SPDX-License-Identifier: MIT
 * Calls that were checked and planned before. Where a plan moves with the domain, calls
 * at all places are one. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "patterns/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- inequalities ---- */

/* NULL in it: none was kept there yet. */
static hit_known_where **entry_of(const hit_call *call)
{
    const uint64_t hash = hit_hash_text((uintptr_t)call->kernel, call->where->text);

    return &call->context->launcher->known_where[hash & (HIT_KNOWN_WHERES - 1)];
}

/** Keep the inequalities of a call, which are parsed, with the numbers of the values that
 * they name; not where there is no memory. */
static void keep_where(const hit_call *call, unsigned named, const hit_index number[])
{
    hit_known_where **entry = entry_of(call);
    hit_known_where *known;

    if (call->kernel->constant != call->kernel) return;
    if (strlen(call->where->text) >= sizeof(known->text)) return;
    if (*entry == NULL && hit_memory_zeroed(1, sizeof **entry, entry) != HIT_OK) return;
    known = *entry;
    known->kernel = call->kernel;
    known->named = named;
    memcpy(known->number, number, sizeof(known->number));
    (void)snprintf(known->text, sizeof(known->text), "%s", call->where->text);
    hit_where_copy(&known->where, call->where);
}

/* The inequalities of the launch with the numbers of its values. */
static hit_status parse_where(const hit_call *call)
{
    hit_where *where = call->where;
    hit_index number[HIT_MAX_ARGS] = {0};
    unsigned named = hit_kernel_names_in(call->kernel, true, where->text);
    unsigned tiles = hit_kernel_names_in(call->kernel, false, where->text);
    int arg = 0;
    hit_status status;
    char found[64];

    for (; tiles != 0; tiles &= tiles - 1) { /* by their own patterns */
        named |= hit_kernel_names(call->kernel, __builtin_ctz(tiles));
    }
    if (!hit_call_numbers(call, named, number, &arg)) {
        const hit_arg *value = &call->args[arg];

        hit_type_print(value->type, value->value, found, sizeof(found));
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected a whole number below 2^63, "
                        "since it stands in HIT_WHERE(\"%.300s\"), but found %s (%s)",
                        call->kernel->name, call->kernel->arg[arg].name, where->text,
                        found, hit_kind_name(value->type.kind));
    }
    status = hit_where_parse(call->kernel, where->text, number, where);
    if (status != HIT_OK) {
        return HIT_FAIL(status, "kernel %s: %s", call->kernel->name, hit_status_text());
    }
    if (where->sources > 0 && hit_kernel_is_ordered(call->kernel)) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "kernel %s: expected indices in any order for "
                        "HIT_WHERE(\"%.300s\"), which stands in data",
                        call->kernel->name, where->text);
    }
    keep_where(call, named, number);
    return HIT_OK;
}

/** Let the domain of a call be a box around the indices that its inequalities, which are
 * parsed, leave of it, and where NULL if these are all of it, or none. */
static void take_box(hit_call *call)
{
    call->domain = hit_where_clip(call->where, &call->domain);
    if (hit_domain_is_empty(&call->domain) ||
        hit_where_holds(call->where, &call->domain)) {
        call->where = NULL;
    }
}

static hit_status restrict_call(hit_call *call)
{
    if (call->where->count == 0) HIT_TRY(parse_where(call));
    take_box(call);
    if (call->where != NULL && !hit_where_any(call->where, &call->domain)) {
        call->domain = hit_domain_empty(call->domain.dims);
        call->where = NULL;
    }
    return HIT_OK;
}

hit_status hit_call_check(hit_call *call)
{
    HIT_TRY(hit_call_check_given(call));
    return call->where != NULL ? restrict_call(call) : HIT_OK;
}

/* Does the call, which is not checked yet, have the numbers? */
static bool has_numbers(const hit_known_where *known, const hit_call *call)
{
    hit_index number[HIT_MAX_ARGS];
    int arg;

    if (call->count != known->kernel->args) return false;
    for (unsigned left = known->named; left != 0; left &= left - 1) {
        if (call->args[__builtin_ctz(left)].value == NULL) return false;
    }
    if (!hit_call_numbers(call, known->named, number, &arg)) return false;
    for (unsigned left = known->named; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);

        if (number[k] != known->number[k]) return false;
    }
    return true;
}

/* Let a call have what its inequalities leave of its domain, if they are known. */
static bool narrow(hit_call *call)
{
    hit_where *where = call->where;

    if (where->count == 0) {
        const hit_known_where *known = *entry_of(call);

        if (known == NULL || known->kernel != call->kernel ||
            strcmp(known->text, where->text) != 0 || !has_numbers(known, call)) {
            return false;
        }
        const char *text = where->text;

        hit_where_copy(where, &known->where);
        where->text = text;
    }
    if (call->domain.dims != call->kernel->dims) return false;
    if (hit_domain_check_given(&call->domain) != HIT_OK) return false;
    take_box(call);
    return true;
}

/* ---- calls ---- */

/* Of the kernel's address and the tiles. */
static uint64_t hash_of(const hit_call *call)
{
    uint64_t hash = (uintptr_t)call->kernel;

    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        hash = hash * 31 + call->args[k].tile->storage->number;
    }
    return hash;
}

static uint64_t hash_with_place(const hit_call *call, uint64_t hash)
{
    for (int d = 0; d < call->domain.dims && d < HIT_MAX_DIMS; d++) {
        hash = hash * 31 + (uint64_t)call->domain.sig[d].begin;
    }
    return hash;
}

/* By the highest bits of a product, to which all of the hash comes: those of tiles that
 * were made one after the other are a few numbers apart. */
static hit_known_call **set_of(const hit_call *call, uint64_t hash)
{
    const uint64_t set = hit_hash_word(0, hash) / (UINT64_MAX / HIT_KNOWN_SETS + 1);

    return &call->context->launcher->known_call[set];
}

/* Is it the argument that the plan was made for, or, @p elsewhere, a tile of the same
 * memory? The kernel is the plan's. */
static inline bool same_arg(const hit_known_call *known, const hit_call *call,
                            const hit_type *type, int k, bool elsewhere)
{
    const hit_arg *arg = &call->args[k];

    if (arg->type.kind != type->kind || arg->type.size_bytes != type->size_bytes) {
        return false;
    }
    if (arg->tile == NULL) return known->tile[k].storage == 0 && arg->value != NULL;
    return arg->value == NULL && arg->tile->storage->number == known->tile[k].storage &&
           (elsewhere ? arg->tile->family == known->tile[k].family
                      : arg->tile->shape == known->tile[k].shape) &&
           arg->tile->storage->context == call->context;
}

static inline bool same(const hit_known_call *known, const hit_call *call, bool elsewhere)
{
    const hit_kernel *kernel;

    if (known->plan == NULL) return false;
    kernel = known->plan->known->kernel;
    if (call->count != kernel->args || call->domain.dims != kernel->dims) return false;
    for (int k = 0; k < call->count; k++) {
        if (!same_arg(known, call, &kernel->arg[k].type, k, elsewhere)) return false;
    }
    return hit_known_kernel_is(known->plan->known, call->kernel);
}

/* Is the call, at whatever place, of the plan's class? Of an equal call's class only
 * extents of the domain are left, which all but one device in place ask for. */
static bool is_of_class(const hit_launch_plan *plan, const hit_call *call)
{
    return hit_stations_in_place(call->context->stations) ||
           hit_move_keeps_extents(plan, call);
}

static void keep_tiles(hit_known_call *known, const hit_call *call)
{
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        known->tile[k].storage = tile != NULL ? tile->storage->number : 0;
        known->tile[k].family = tile != NULL ? tile->family : 0;
        known->tile[k].shape = tile != NULL ? tile->shape : 0;
    }
}

/* The call is alike, but for its tiles, which are elsewhere: may its plan be brought
 * there? Where not all is in place its class has their extents, too. */
static bool takes_tiles(const hit_known_call *known, const hit_call *call)
{
    return same(known, call, true) && known->plan->moves != HIT_STAYS &&
           hit_stations_in_place(call->context->stations) &&
           hit_alias_of(call) == known->plan->alias;
}

/* Is it the call? Then its plan is brought there. */
static bool serves(hit_known_call *known, hit_call *call)
{
    hit_launch_plan *plan = known->plan;
    const hit_known_kernel *bound;

    if (!same(known, call, false)) return false;
    bound = plan->known;
    if (!hit_where_equal(bound->where, call->where)) return false;
    if (bound->looked != 0 && !hit_lookups_are_new(call, bound)) return false;
    if ((bound->named | bound->looked) != 0 &&
        hit_launcher_bind(call, &bound) != HIT_OK) {
        return false;
    }
    call->alias = plan->alias;
    if (known->place == plan->place && bound == plan->known &&
        hit_domain_equal(&plan->domain, &call->domain)) {
        return true;
    }
    if (plan->moves == HIT_STAYS) return false;
    if (!is_of_class(plan, call) || !hit_move(plan, call, bound)) return false;
    known->place = plan->place;
    return true;
}

static hit_known_call *look_in(hit_known_call set[], hit_call *call)
{
    for (int way = 0; way < HIT_KNOWN_WAYS && set != NULL; way++) {
        if (serves(&set[way], call)) return &set[way];
    }
    return NULL;
}

/* Selections that come again are known side by side, with what a launch of each left;
 * where a set has those of one plan alone, and no room for one more, one of them becomes
 * the call. */
static hit_known_call *take_over(hit_known_call set[], hit_call *call)
{
    int *next = &call->context->launcher->next_way;
    hit_known_call *known;

    if (set == NULL) return NULL;
    known = &set[(*next + 1) % HIT_KNOWN_WAYS];
    for (int way = 0; way < HIT_KNOWN_WAYS; way++) {
        if (set[way].plan != known->plan) return NULL;
    }
    if (!takes_tiles(known, call)) return NULL;
    *next = (*next + 1) % HIT_KNOWN_WAYS;
    keep_tiles(known, call);
    known->ready = 0;
    known->place = 0;
    return serves(known, call) ? known : NULL;
}

static hit_known_call *look_up(hit_call *call)
{
    const uint64_t hash = hash_of(call);
    hit_known_call *set = *set_of(call, hash);
    hit_known_call *known = look_in(set, call);

    if (known == NULL) known = look_in(*set_of(call, hash_with_place(call, hash)), call);
    return known != NULL ? known : take_over(set, call);
}

/* One of a set that is free, or whose turn it is to go; NULL: there is no memory for it,
 * so that the call is checked again. */
static hit_known_call *make_room(const hit_call *call, hit_known_call **set)
{
    int *next = &call->context->launcher->next_way;

    if (*set == NULL && hit_memory_zeroed(HIT_KNOWN_WAYS, sizeof **set, set) != HIT_OK) {
        return NULL;
    }
    for (int way = 0; way < HIT_KNOWN_WAYS; way++) {
        if ((*set)[way].plan == NULL) return &(*set)[way];
    }
    *next = (*next + 1) % HIT_KNOWN_WAYS;
    return &(*set)[*next];
}

/* Launches of a loop come in the same order: first that one which came next then. */
hit_known_call *hit_known_call_find(hit_call *call)
{
    hit_known_call **last = &call->context->launcher->last_call;
    hit_known_call *known = *last != NULL ? (*last)->next : NULL;

    if (call->kernel == NULL || call->args == NULL) return NULL;
    if (call->layout != NULL || call->on != NULL) return NULL;
    if (call->where != NULL && !narrow(call)) return NULL;
    if (known == NULL || !serves(known, call)) {
        known = look_up(call);
        if (*last != NULL) (*last)->next = known;
    }
    *last = known;
    return known;
}

void hit_known_call_keep(hit_call *call, hit_launch_plan *plan)
{
    uint64_t hash = hash_of(call);
    hit_known_call *known;

    if (call->layout != NULL || call->on != NULL) return;
    if (plan->moves == HIT_STAYS) hash = hash_with_place(call, hash);
    known = call->known = make_room(call, set_of(call, hash));
    if (known == NULL) return;
    known->plan = plan;
    known->ready = 0;
    known->place = plan->place; /* which is that of the call */
    keep_tiles(known, call);
}

void hit_known_call_forget(hit_known_call *const known[], const hit_launch_plan *plan)
{
    for (int set = 0; set < HIT_KNOWN_SETS; set++) {
        for (int way = 0; way < HIT_KNOWN_WAYS && known[set] != NULL; way++) {
            if (known[set][way].plan == plan) known[set][way].plan = NULL;
        }
    }
}

void hit_known_calls_destroy(hit_known_call *known[])
{
    for (int set = 0; set < HIT_KNOWN_SETS; set++) {
        for (int way = 0; way < HIT_KNOWN_WAYS && known[set] != NULL; way++) {
            free(known[set][way].runner);
        }
        free(known[set]);
    }
}
