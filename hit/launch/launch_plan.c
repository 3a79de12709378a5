/* SPDX-License-Identifier: MIT
 * The plan of a launch on this process: which indices it runs, where each argument's
 * elements lie, what has to be exchanged before and after, and what its devices do. */
#include "hit/launch/launch_plan.h"

#include "hit/base/memory.h"
#include "hit/launch/launcher.h"
#include "patterns/transform.h"

#include <stddef.h>
#include <stdlib.h>

/* A launch of less work, of accesses to elements and operations that the kernel declares,
 * takes less than it takes to hand it to the other threads: some microseconds where they
 * are awake, 10 to 50 where they sleep. */
static const uint64_t light_work = 16384;

/* Fail with the name of the kernel and the argument in front of the last failure. */
static hit_status of_argument(const hit_call *call, int arg, hit_status status)
{
    return HIT_FAIL(status, "kernel %s, argument %s, tile %s: %s", call->kernel->name,
                    call->kernel->arg[arg].name, hit_tile_name(call->args[arg].tile),
                    hit_status_text());
}

/* Is it inside the tile, in each dimension where nothing lies outside? */
static bool touched_inside(const hit_domain *touched, const hit_tile *tile, bool written)
{
    for (int t = 0; t < touched->dims; t++) {
        const bool open = tile->boundary[t] != HIT_BOUNDARY_NONE && !written;

        if (!open && !hit_sig_inside(touched->sig[t], tile->domain.sig[t])) return false;
    }
    return true;
}

/* Is what @p access touches? Of a remainder that starts again at 0 each part is asked,
 * since a domain around both has what lies between them; a part wraps no more. */
static bool access_inside(const hit_access *access, const hit_tile *tile,
                          const hit_domain *index, bool written)
{
    const hit_domain touched = hit_access_apply(access, &tile->domain, index);
    hit_domain first;
    hit_domain second;

    if (hit_domain_is_empty(&touched) || touched_inside(&touched, tile, written)) {
        return true;
    }
    return hit_access_wraps(access, tile->domain.dims, index, &first, &second) &&
           access_inside(access, tile, &first, written) &&
           access_inside(access, tile, &second, written);
}

/* What to do about elements that a tile does not have. */
static const char *remedy(const hit_domain *touched, const hit_domain *tile, bool written)
{
    for (int t = 0; t < touched->dims; t++) {
        const hit_sig sig = touched->sig[t];
        const hit_sig of = tile->sig[t];

        if (sig.begin >= of.begin && sig.begin <= of.end && !hit_sig_has(of, sig.begin)) {
            return ": a range begins at an element of the tile, which has not every one "
                   "there; launch on the indices between its elements, or begin the "
                   "range "
                   "one further";
        }
    }
    return written ? "" : ": launch on a smaller domain, or set a boundary";
}

static hit_status check_pattern(const hit_call *call, const hit_pattern *pattern, int arg)
{
    const hit_tile *tile = call->args[arg].tile;
    const bool written = call->kernel->arg[arg].mode != HIT_MODE_IN;

    if (pattern->tile_dims != tile->domain.dims) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "expected a tile of %d dimensions, as in \"%s\", but "
                        "found %d",
                        pattern->tile_dims, call->kernel->arg[arg].pattern,
                        tile->domain.dims);
    }
    HIT_TRY(hit_lookups_check_form(call, pattern, arg));
    for (int k = 0; k < pattern->count; k++) {
        hit_domain touched;
        char text[256];
        char found[128];
        char expected[128];

        if (access_inside(&pattern->access[k], tile, &call->domain, written)) continue;
        touched = hit_access_apply(&pattern->access[k], &tile->domain, &call->domain);
        hit_domain_print(&touched, found, sizeof(found));
        hit_domain_print(&tile->domain, expected, sizeof(expected));
        hit_call_print_pattern(call, arg, text, sizeof(text));
        return HIT_FAIL(HIT_E_PATTERN, "the pattern %s touches %s, but the tile has %s%s",
                        text, found, expected, remedy(&touched, &tile->domain, written));
    }
    return HIT_OK;
}

static hit_status check_patterns(const hit_call *call, const hit_known_kernel *known)
{
    for (int k = 0; k < call->count; k++) {
        hit_status status;

        if (call->args[k].tile == NULL) continue;
        status = check_pattern(call, &known->pattern[k], k);
        if (status == HIT_OK && !known->point[k]) {
            status = hit_launch_plan_check_inout(call, &known->pattern[k], k);
        }
        if (status != HIT_OK) return of_argument(call, k, status);
    }
    return HIT_OK;
}

/* Owner computes: split as the written tile whose anchor follows the most indices; an
 * argument that is only read splits if it follows more (the vectors of a dot product). */
static hit_status choose_split(const hit_call *call, const hit_known_kernel *known,
                               hit_split *split)
{
    int best = -1;

    if (call->layout != NULL) {
        return hit_split_by_layout(call->layout, &call->domain, split);
    }
    for (int written = 1; written >= 0; written--) {
        for (int k = 0; k < call->count; k++) {
            const hit_tile *tile = call->args[k].tile;
            hit_split found;

            if (tile == NULL) continue;
            if ((call->kernel->arg[k].mode != HIT_MODE_IN) != written) continue;
            if (hit_split_by_pattern(tile->storage->layout, &tile->domain,
                                     &known->pattern[k], &call->domain,
                                     &found) != HIT_OK) {
                continue;
            }
            if (hit_split_followed(&found) > best) {
                best = hit_split_followed(&found);
                *split = found;
                split->arg = k;
            }
        }
    }
    if (best >= 0) return HIT_OK;
    return HIT_FAIL(
        HIT_E_PATTERN,
        "kernel %s: the indices cannot be split as any of the tiles; launch with "
        "hit_launch_on() and a layout over the indices",
        call->kernel->name);
}

const char *hit_call_against_overlap(const hit_call *call, int pieces)
{
    if (pieces != 1) return "its indices are in pieces";
    if (hit_kernel_is_ordered(call->kernel)) return "its indices run in an order";
    return NULL;
}

static bool is_received(const hit_use *use)
{
    return use->gather != NULL && hit_exchange_plan(use->gather)->receives > 0;
}

/* Does something come for an argument of the same tile? What they need is one box then,
 * maybe, and rows of it are not there. */
static bool is_beside_received(const hit_launch_plan *plan, const hit_call *call,
                               const hit_storage *storage)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (!is_received(use) || !use->retained) continue;
        if (call->args[use->arg].tile->storage == storage) return true;
    }
    return false;
}

/* Which indices run while halos are under way: those that touch only owned elements. */
static hit_status plan_overlap(hit_launch_plan *plan, const hit_call *call)
{
    const char *why = hit_call_against_overlap(call, plan->pieces);
    bool any = false;
    bool halos = false;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        any = any || is_received(use);
        if (!is_received(use) || !use->retained) continue; /* the others are awaited */
        halos = true;
        if (use->mode == HIT_MODE_IN && use->piece[0] >= 0) continue;
        if (why == NULL) why = "what comes is written, or lies elsewhere";
    }
    if (!halos && why == NULL) why = "what comes is no halo of a whole tile";
    if (!any || !hit_launch_takes(call, "not beside its messages", why)) return HIT_OK;
    plan->inner = plan->index[0];
    plan->defers = true;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = call->args[use->arg].tile;

        if (!use->retained || use->piece[0] < 0) continue;
        if (!is_beside_received(plan, call, tile->storage)) continue;
        plan->defers = plan->defers && use->single;
        hit_use_shrink(use, tile->storage->layout, &plan->split,
                       &tile->owned[use->piece[0]], &plan->inner);
    }
    if (hit_domain_is_empty(&plan->inner)) return HIT_OK;
    plan->overlaps = true;
    HIT_TRY(hit_region_append(&plan->border, &plan->index[0]));
    return hit_region_subtract(&plan->border, &plan->inner);
}

/* It is known how the devices run it. */
static void limit_overlap(hit_launch_plan *plan, const hit_call *call)
{
    const char *why = "nothing of it can run before";

    if (!plan->overlaps) return;
    for (int k = 0; k < plan->parts; k++) {
        const hit_part *part = &plan->part[k];

        if (hit_device_in_place(call->context->device[part->device])) return;
        if (!hit_part_waits(plan, part)) return;
        why = part->superblocks.arena_bytes > 0
                  ? "superblocks of what can run before would move too many bytes twice"
                  : "on its devices, one of its tiles is several arguments, or results "
                    "are added up or go to other processes";
    }
    plan->overlaps = false;
    (void)hit_launch_takes(call, "not beside its messages", why);
}

/* Is all that the launch reads and writes in the tiles' own memory, and no message to
 * follow? */
static bool results_stay(const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->give_back != NULL || hit_mode_reduces(use->mode)) return false;
        for (int k = 0; k < plan->pieces; k++) {
            if (use->piece[k] < 0) return false;
        }
    }
    return true;
}

static hit_status each_use(hit_launch_plan *plan, const hit_call *call,
                           hit_status (*of)(hit_use *use, const hit_call *call,
                                            hit_launch_plan *plan))
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_status status = of(&plan->use[u], call, plan);

        if (status != HIT_OK) return of_argument(call, plan->use[u].arg, status);
    }
    return HIT_OK;
}

static hit_status plan_messages(hit_use *use, const hit_call *call, hit_launch_plan *plan)
{
    HIT_TRY(hit_use_connect(use, call, plan));
    plan->gathers |= use->gather != NULL;
    plan->returns |= use->give_back != NULL;
    return HIT_OK;
}

/* Data says that no index runs. A result is what it starts from, as it is where tables
 * say too little of the data to know that: all indices are looked at. */
static bool is_of_nothing(const hit_call *call, const hit_known_kernel *known)
{
    return hit_kernel_reduces(call->kernel) && hit_where_looks_in(known->where) != 0 &&
           !hit_where_any(known->where, &call->domain);
}

hit_status hit_launch_plan_split(const hit_call *call, const hit_known_kernel *known,
                                 hit_split *split)
{
    hit_device_set able;

    HIT_TRY(hit_call_able(call, &able));
    HIT_TRY(hit_alias_check(call, known->pattern));
    HIT_TRY(check_patterns(call, known));
    return hit_call_split(call, known, split);
}

hit_status hit_call_split(const hit_call *call, const hit_known_kernel *known,
                          hit_split *split)
{
    HIT_TRY(choose_split(call, known, split));
    split->where = known->where;
    if (is_of_nothing(call, known)) split->where = NULL;
    split->joined = hit_kernel_is_ordered(call->kernel);
    return HIT_OK;
}

hit_status hit_launch_plan_sketch(const hit_call *call, hit_launch_plan *plan)
{
    plan->domain = call->domain;
    plan->alias = call->alias;
    plan->uses = 0;
    plan->reduces = false;
    HIT_TRY(hit_launch_plan_split(call, plan->known, &plan->split));
    for (int k = 0; k < call->count; k++) {
        hit_use *use = &plan->use[plan->uses];

        if (call->args[k].tile == NULL) continue;
        plan->uses++;
        use->arg = k;
        use->mode = call->kernel->arg[k].mode;
        use->beside = hit_alias_beside(call, k);
        use->pattern = &plan->known->pattern[k];
        use->writes = &plan->known->writes[k];
        use->tile = call->args[k].tile->domain;
        plan->reduces |= hit_mode_reduces(use->mode) != 0;
    }
    return HIT_OK;
}

/* Indices that run in an order are one box of one process, and of one device. */
static hit_status check_order(const hit_launch_plan *plan, const hit_call *call)
{
    const hit_part *part = plan->part;

    if (!hit_kernel_is_ordered(call->kernel) || plan->indices == 0) return HIT_OK;
    if (plan->pieces == 1 && part[0].superblocks.plan.pieces <= 1) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL,
                    "kernel %s: expected one box of indices that run in order but found "
                    "%d of this process, and %lld superblocks",
                    call->kernel->name, plan->pieces,
                    (long long)part[0].superblocks.plan.pieces);
}

/* Where elements lie. */
static hit_status place_elements(hit_launch_plan *plan, const hit_call *call)
{
    hit_region index = {0};

    HIT_TRY(hit_launch_plan_sketch(call, plan));
    HIT_TRY(hit_call_able(call, &plan->able));
    HIT_TRY(hit_split_part(&plan->split, call->context->rank, &index));
    plan->pieces = index.count;
    plan->index = index.part;
    if (index.count == 0) HIT_TRY(hit_memory_zeroed(1, sizeof(hit_domain), &plan->index));
    for (int k = 0; k < index.count; k++) {
        plan->indices += (uint64_t)hit_where_count(plan->known->where, &index.part[k]);
    }
    return each_use(plan, call, hit_use_place);
}

/* The rule looks at sizes, not at times, so that sums do not depend on timing. */
bool hit_launch_plan_is_light(const hit_launch_plan *plan, const hit_call *call)
{
    uint64_t touches = plan->known->touches_together;

    if (plan->indices > light_work) return false;
    for (int u = 0; u < plan->uses && plan->known->touches_together == 0; u++) {
        const hit_use *use = &plan->use[u];
        hit_index each = plan->known->touches[use->arg];

        if (each == 0 && plan->pieces > 1) return false;
        if (each == 0 && plan->pieces == 1) each = hit_domain_count(&use->need[0]);
        if ((uint64_t)each > light_work) return false;
        touches += (uint64_t)each;
    }
    return plan->indices * touches <= light_work &&
           hit_call_operations(call, plan->indices) <= light_work;
}

static hit_status fill_plan(hit_launch_plan *plan, const hit_call *call)
{
    hit_status status;

    HIT_TRY(place_elements(plan, call));
    HIT_TRY(each_use(plan, call, plan_messages));
    plan->touched_bytes = hit_launch_plan_count(plan);
    plan->light = hit_launch_plan_is_light(plan, call);
    plan->stays = results_stay(plan);
    HIT_TRY(plan_overlap(plan, call));
    plan->unfinished = true;
    status = hit_launch_plan_complete(plan, call);
    return status == HIT_E_LIMIT ? HIT_OK : status;
}

hit_status hit_launch_plan_complete(hit_launch_plan *plan, const hit_call *call)
{
    const size_t scratch_bytes = plan->scratch_bytes;
    hit_status status;

    status = hit_parts_plan(plan, call);
    if (status == HIT_OK) status = check_order(plan, call);
    if (status == HIT_OK) status = hit_shares_begin(call, plan);
    plan->unfinished = status != HIT_OK;
    if (status == HIT_OK) limit_overlap(plan, call);
    if (status == HIT_OK) return HIT_OK;
    hit_parts_clear(plan);
    plan->scratch_bytes = scratch_bytes;
    return status;
}

static size_t bytes_of(const hit_exchange *exchange)
{
    return exchange != NULL ? hit_message_plan_bytes(hit_exchange_plan(exchange)) : 0;
}

uint64_t hit_launch_plan_count(const hit_launch_plan *plan)
{
    uint64_t bytes = 0;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const size_t size_bytes = plan->known->kernel->arg[use->arg].type.size_bytes;

        for (int k = 0; k < plan->pieces; k++) {
            bytes += (uint64_t)hit_domain_count(&use->need[k]) * size_bytes;
        }
    }
    return bytes;
}

static size_t size_of(int uses)
{
    return offsetof(hit_launch_plan, use) + (size_t)uses * sizeof(hit_use);
}

size_t hit_launch_plan_bytes(const hit_launch_plan *plan)
{
    const size_t pieces = (size_t)plan->pieces + 1;
    const size_t parts = (size_t)plan->parts + 1;
    size_t bytes = size_of(plan->uses) + (size_t)plan->border.count * sizeof(hit_domain);

    bytes += parts * (sizeof(hit_part) + (size_t)plan->uses * sizeof(hit_claim));
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        bytes += pieces * (2 * sizeof(hit_domain) + 2 * sizeof(hit_view) + sizeof(int));
        bytes += (size_t)use->homes * sizeof(hit_home) + use->memory_bytes;
        bytes += bytes_of(use->gather) + bytes_of(use->give_back);
    }
    return bytes;
}

static hit_status make(const hit_call *call, const hit_known_kernel *known,
                       hit_status (*fill)(hit_launch_plan *plan, const hit_call *call),
                       hit_launch_plan **plan)
{
    const int uses = known->kernel->args - __builtin_popcount(known->values);
    hit_launch_plan *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, size_of(uses), &made));
    made->known = known;
    made->place = 1;
    status = fill(made, call);
    if (status != HIT_OK) {
        hit_launch_plan_destroy(&made);
        return status;
    }
    *plan = made;
    return HIT_OK;
}

hit_status hit_launch_plan_make(const hit_call *call, const hit_known_kernel *known,
                                hit_launch_plan **plan)
{
    return make(call, known, fill_plan, plan);
}

hit_status hit_launch_plan_foresee(const hit_call *call, const hit_known_kernel *known,
                                   hit_launch_plan **plan)
{
    return make(call, known, place_elements, plan);
}

void hit_launch_plan_destroy(hit_launch_plan **plan_pointer)
{
    hit_launch_plan *plan = *plan_pointer;

    if (plan == NULL) return;
    for (int u = 0; u < plan->uses; u++) {
        hit_use_clear(&plan->use[u]);
    }
    hit_region_clear(&plan->border);
    hit_shares_end(&plan->shares);
    hit_parts_clear(plan);
    free(plan->index);
    free(plan);
    *plan_pointer = NULL;
}
