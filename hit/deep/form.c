/* SPDX-License-Identifier: MIT
 * What a launch is to a chain over processes. Only what all processes know is looked at:
 * whole tiles, layouts and domains, not what this process has of them. */
#include "hit/base/context.h"
#include "hit/chain/chain.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/launch/launcher.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXT = 300 /* of a reason */
};

/* ---- layouts ---- */

static hit_deep_layout *find_layout(hit_deep *deep, uint64_t key)
{
    bool fresh;
    const int k = hit_recent_meet(deep->recent_layout, HIT_DEEP_LAYOUTS, key,
                                  deep->launches, &fresh);

    if (fresh) deep->layout[k] = (hit_deep_layout){.key = key};
    return fresh ? NULL : &deep->layout[k];
}

bool hit_deep_knows(const hit_deep *deep, const hit_call *call,
                    const hit_launch_plan *plan)
{
    uint64_t key;
    int k;

    if (plan->uses == 0) return true;
    key = hit_layout_key(call->args[plan->use[0].arg].tile->storage->layout);
    k = hit_recent_find(deep->recent_layout, HIT_DEEP_LAYOUTS, key);
    return k >= 0;
}

/* Layouts of one launch are never looked at. */
const hit_deep_layout *hit_deep_layout_of(hit_deep *deep, const hit_storage *storage)
{
    const hit_layout_shape *shape = &storage->layout->shape;
    hit_deep_layout *found = find_layout(deep, hit_layout_key(storage->layout));

    if (found == NULL || !shape->dense || !shape->single || !shape->every) return NULL;
    found->shape = *shape;
    found->own = storage->owned[0];
    return found;
}

/* ---- launches ---- */

const char *hit_deep_refused(const hit_call *call, const hit_launch_plan *plan)
{
    const char *why = hit_chain_kernel_refused(call, plan);

    if (why == NULL) why = hit_chain_own_refused(plan);
    if (why != NULL) return why;
    if (plan->uses == 0) return "it has no tile";
    if (hit_domain_is_empty(&call->domain)) return "it has no index";
    if (!hit_domain_is_dense(&call->domain)) return "its domain has strides";
    return NULL;
}

static const char *reason_against_tile(const hit_call *call, const hit_use *use,
                                       uint64_t key)
{
    const hit_tile *tile = call->args[use->arg].tile;

    if (hit_layout_key(tile->storage->layout) != key) {
        return "tiles have different layouts";
    }
    if (!hit_domain_is_dense(&tile->domain)) return "it is a selection with strides";
    if (!hit_domain_equal(&use->tile, &tile->domain)) return "it is elsewhere";
    return NULL;
}

unsigned hit_deep_periodic(const hit_tile *tile)
{
    unsigned axes = 0;

    for (int c = 0; c < tile->domain.dims; c++) {
        if (tile->boundary[c] == HIT_BOUNDARY_PERIODIC) axes |= 1u << c;
    }
    return axes;
}

/* Of any tile of the launch: all its indices repeat then. Devices with a memory of their
 * own do not run them elsewhere. */
static void set_period(const hit_deep *deep, const hit_call *call,
                       const hit_launch_plan *plan, hit_deep_form *form)
{
    const hit_layout *layout = call->args[plan->use[0].arg].tile->storage->layout;
    const hit_domain whole = hit_layout_domain(layout);
    unsigned axes = 0;

    for (int u = 0; u < plan->uses && deep->in_place; u++) {
        axes |= hit_deep_periodic(call->args[plan->use[u].arg].tile);
    }
    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        const bool repeats = c < whole.dims && (axes >> c & 1u) != 0;

        form->period[c] = repeats ? hit_sig_count(whole.sig[c]) : 0;
    }
}

unsigned hit_deep_repeats(const hit_deep_form *form)
{
    unsigned axes = 0;

    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        if (form->period[c] > 0) axes |= 1u << c;
    }
    return axes;
}

static bool set_anchor(const hit_split *split, unsigned shared, int dims,
                       hit_deep_anchor *anchor)
{
    anchor->shared = shared;
    for (int c = 0; c < dims; c++) {
        anchor->follows[c] = split->follows[c];
        anchor->offset[c] = split->offset[c];
        if ((shared >> c & 1u) == 0) continue;
        if (split->follows[c] >= 0 && split->coef[c] != 1) return false;
    }
    return true;
}

/* A fixed element is not where the others are moved. */
static bool follows_periods(const hit_deep_form *form)
{
    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        if (form->period[c] > 0 && form->anchor.follows[c] < 0) return false;
    }
    return true;
}

/* What lies beyond the tile comes with deep halos, where it is periodic, or is filled in
 * from elements that are as near? Of the former @p cover becomes all of the tile, and it
 * has those that the others are filled from. */
static const char *set_open(const hit_tile *tile, const hit_use *use,
                            const hit_deep_form *form, hit_domain *cover, unsigned *open)
{
    *open = 0;
    if (hit_domain_inside(cover, &tile->domain)) return NULL;
    if (use->mode != HIT_MODE_IN) return "it writes elements beyond a boundary";
    for (int c = 0; c < cover->dims; c++) {
        if (hit_sig_inside(cover->sig[c], tile->domain.sig[c])) continue;
        if (form->period[c] == 0) {
            *open |= 1u << c;
        } else if (tile->boundary[c] == HIT_BOUNDARY_PERIODIC) {
            cover->sig[c] = tile->domain.sig[c];
        } else {
            return "only some of its tiles are periodic";
        }
    }
    *cover = hit_rims_need(&tile->domain, tile->boundary, cover);
    return hit_chain_rims_against(tile, cover);
}

static bool describe_use(const hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan, int u, hit_deep_form *form,
                         char why[TEXT])
{
    const hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;
    hit_deep_use *made = &form->use[u];
    hit_domain cover = hit_pattern_cover(use->pattern, &tile->domain, &call->domain);
    unsigned open = 0;
    const char *reason = reason_against_tile(call, use, form->layout);

    if (reason == NULL) reason = set_open(tile, use, form, &cover, &open);
    if (reason == NULL && open != 0 && !deep->rims) {
        reason = "a device cannot fill what lies beyond a boundary";
    }
    if (reason != NULL) {
        (void)snprintf(why, TEXT, "%s", reason);
        return false;
    }
    /* what is not run of a launch keeps what was there */
    made->reads = use->mode != HIT_MODE_OUT || plan->known->where != NULL;
    made->writes = use->mode != HIT_MODE_IN;
    made->cover = hit_domain_intersect(&cover, &tile->domain);
    made->whole =
        made->writes && hit_pattern_is_exact(use->pattern, &tile->domain, &call->domain);
    form->number[u] = tile->storage->number;
    hit_chain_use_set(call, use, &form->launch->use[u]);
    form->launch->use[u].storage = u;
    return hit_deep_reach(&form->anchor, use->pattern, open, made, why, TEXT);
}

/* Can a block that runs in tiles have it? */
static bool can_join(const hit_deep_form *form, char *why, size_t size)
{
    const hit_chain_launch *list[] = {form->launch};
    hit_skew chain;

    memset(chain.of, 0, sizeof(chain.of));
    chain.axes = 0;
    chain.line = 1;
    chain.launches = 0;
    return hit_skew_join(&chain, list, why, size);
}

/* Does what this process runs move through its device's memory, or, on one process, its
 * cache? Of several in place the time of messages decides, as in dry runs. */
static uint64_t streams(const hit_deep *deep, const hit_launch_plan *plan)
{
    const hit_context *context = deep->context;

    if (deep->dry) return deep->dry_streams;
    if (context->size > 1 && context->stations->in_place) return 0;
    return hit_chains_may_begin(context, plan);
}

/* Does it all stay in the memory of some device? Then a block would move it. */
static uint64_t stays(const hit_deep *deep, const hit_launch_plan *plan)
{
    const hit_stations *stations = deep->context->stations;

    if (deep->dry) return deep->dry_stays;
    if (stations->in_place || plan->pieces == 0) return 0;
    for (int k = 0; k < plan->parts; k++) {
        const hit_part *part = &plan->part[k];

        if (stations->station[part->device].in_place) continue;
        if (part->superblocks.arena_bytes == 0) return 1;
    }
    return plan->parts == 0; /* no device can run it */
}

/* The same wherever it is in axes that are not shared. */
static uint64_t hash_of(const hit_deep_form *form, const hit_call *call,
                        const hit_launch_plan *plan)
{
    uint64_t hash = hit_hash_extents(HIT_HASH_START, &call->domain);

    hash = hit_hash_word(hash, plan->known->number);
    hash = hit_hash_word(hash, form->layout);
    for (int c = 0; c < form->dims; c++) {
        const int d = form->anchor.follows[c];

        if ((form->anchor.shared >> c & 1u) == 0) continue;
        if (d >= 0) hash = hit_hash_word(hash, (uint64_t)call->domain.sig[d].begin);
        hash = hit_hash_word(hash, (uint64_t)form->anchor.offset[c]);
    }
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;

        hash = hit_hash_word(hash, tile->shape);
        hash = hit_hash_word(hash, tile->storage->number);
    }
    return hash;
}

/* Is the launch of the same class, at the same place, on the same tiles? */
static bool is_form_of(const hit_deep_form *before, const hit_call *call,
                       const hit_launch_plan *plan)
{
    if (before->plan_key == 0 || before->plan_key != plan->key) return false;
    if (!hit_domain_equal(&before->launch->domain, &call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;

        if (before->number[u] != tile->storage->number) return false;
        if (!hit_domain_equal(&before->launch->use[u].tile, &tile->domain)) return false;
    }
    return true;
}

/* ---- any launch ---- */

static bool describe_uses(const hit_deep *deep, const hit_call *call,
                          const hit_launch_plan *plan, hit_deep_form *form, char *why,
                          size_t size)
{
    char text[TEXT];

    for (int u = 0; u < plan->uses; u++) {
        if (describe_use(deep, call, plan, u, form, text)) continue;
        (void)snprintf(why, size, "kernel %s, argument %s: %s", call->kernel->name,
                       call->kernel->arg[plan->use[u].arg].name, text);
        return false;
    }
    return can_join(form, why, size);
}

/* The reason against the launch as a whole, whose indices are shared as @p parts are;
 * NULL: there is none. */
static const char *set_place(const hit_deep *deep, const hit_call *call,
                             const hit_launch_plan *plan, const hit_deep_layout *parts,
                             hit_deep_form *form)
{
    const hit_tile *tile = call->args[plan->use[0].arg].tile;

    if (parts == NULL) return "processes have other parts than one box";
    if (call->layout != NULL && hit_layout_key(call->layout) != parts->key) {
        return "its indices are shared by another layout";
    }
    set_period(deep, call, plan, form);
    /* processes share the elements of these axes, or a process is its own neighbour */
    if (!set_anchor(&plan->split, parts->shape.shared | hit_deep_repeats(form),
                    tile->domain.dims, &form->anchor)) {
        return "its indices are not shared as the elements are";
    }
    if (!follows_periods(form)) return "a periodic dimension follows no index";
    form->home = false;
    form->layout = parts->key;
    form->launch->kernel = call->kernel->name;
    form->launch->domain = call->domain;
    form->dims = tile->domain.dims;
    form->launch->uses = plan->uses;
    return NULL;
}

/* What it takes here may have changed since it was there before. */
static void set_costs(const hit_deep *deep, const hit_launch_plan *plan,
                      hit_deep_form *form)
{
    form->streams = streams(deep, plan);
    form->stays = stays(deep, plan);
    form->launch_s = plan->least_s;
}

/* Sets what of the form is not of its uses; the reason against it, or NULL. */
static const char *describe_place(hit_deep *deep, const hit_call *call,
                                  const hit_launch_plan *plan, hit_deep_form *form)
{
    const char *reason = hit_deep_refused(call, plan);

    if (reason != NULL) return reason;
    reason = set_place(
        deep, call, plan,
        hit_deep_layout_of(deep, call->args[plan->use[0].arg].tile->storage), form);
    if (reason != NULL) return reason;
    form->hash = hash_of(form, call, plan);
    form->exact = hit_hash_place(form->hash, &call->domain) | 1u;
    return NULL;
}

static bool same_place(const hit_deep_form *a, const hit_deep_form *b)
{
    return a->exact == b->exact && memcmp(a->period, b->period, sizeof(a->period)) == 0;
}

hit_deep_form *hit_deep_describe(hit_deep *deep, const hit_call *call,
                                 const hit_launch_plan *plan, char *why, size_t size)
{
    hit_deep_form *before = hit_deep_before(deep, false);
    hit_deep_form *form = &deep->coming;
    bool same = before != NULL && is_form_of(before, call, plan);

    if (!same) {
        const char *reason = describe_place(deep, call, plan, form);

        if (reason != NULL) {
            (void)snprintf(why, size, "kernel %s: %s", call->kernel->name, reason);
            return NULL;
        }
        same = before != NULL && same_place(before, form);
        if (!same && !describe_uses(deep, call, plan, form, why, size)) return NULL;
    }
    if (same) form = before;
    if (!same || deep->now == NULL) set_costs(deep, plan, form);
    form->plan_key = plan->key;
    return form;
}

bool hit_deep_move(const hit_deep_form *form, int k, hit_index move[])
{
    static const hit_index turns[] = {0, -1, 1};

    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        move[c] = 0;
        if (form->period[c] == 0) continue;
        move[c] = turns[k % 3] * form->period[c];
        k /= 3;
    }
    return k == 0;
}

hit_domain hit_deep_indices(const hit_deep_form *form, const hit_domain *own,
                            const hit_margin *extra, const hit_index move[])
{
    hit_domain found = form->launch->domain;

    for (int c = 0; c < own->dims; c++) {
        const int d = form->anchor.follows[c];
        const hit_index offset = form->anchor.offset[c];
        const hit_sig here = hit_sig_make(own->sig[c].begin - extra->low[c] - offset,
                                          own->sig[c].end + extra->high[c] - offset, 1);

        if ((form->anchor.shared >> c & 1u) == 0) continue;
        if (d >= 0) {
            found.sig[d].begin += move[c];
            found.sig[d].end += move[c];
            found.sig[d] = hit_sig_intersect(found.sig[d], here);
        } else if (!hit_sig_has(here, 0)) {
            return hit_domain_empty(found.dims);
        }
    }
    return found;
}

void hit_deep_reached(const hit_deep_form *form, const hit_domain *own,
                      const hit_margin *extra, const hit_index move[], hit_domain box[])
{
    box[0] = hit_deep_indices(form, own, extra, move);
    for (int u = 0; u < form->launch->uses; u++) {
        box[1 + u] = hit_pattern_cover(form->launch->use[u].pattern,
                                       &form->launch->use[u].tile, &box[0]);
    }
}

/* One expression that follows the indices covers each box of them as it does all. */
bool hit_deep_overwrites(const hit_deep_form *form, int u)
{
    const hit_deep_use *use = &form->use[u];

    return use->whole && !use->reads && form->launch->use[u].pattern->count == 1;
}

void hit_deep_launch_on(const hit_deep_form *form, const hit_domain *box,
                        hit_chain_launch *launch)
{
    memcpy(launch, form->launch, hit_chain_launch_bytes(form->launch->uses));
    launch->kernel = "";
    launch->domain = *box;
    for (int u = 0; u < launch->uses; u++) {
        hit_chain_use *use = &launch->use[u];

        use->name = "";
        use->storage = u;
        use->overwrites = !form->home && hit_deep_overwrites(form, u);
        use->cover = hit_pattern_cover(use->pattern, &use->tile, box);
    }
}

hit_domain hit_deep_need(const hit_deep_form *form, int u, const hit_domain *box)
{
    const hit_margin *reach = &form->use[u].reach;
    hit_domain need =
        hit_pattern_cover(form->launch->use[u].pattern, &form->launch->use[u].tile, box);

    for (int c = 0; c < need.dims; c++) {
        const int d = form->anchor.follows[c];
        const hit_index offset = form->anchor.offset[c];

        if ((form->anchor.shared >> c & 1u) == 0 || d < 0) continue;
        need.sig[c] = hit_sig_make(box->sig[d].begin + offset - reach->low[c],
                                   box->sig[d].end + offset + reach->high[c], 1);
    }
    return need;
}
