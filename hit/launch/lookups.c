/* SPDX-License-Identifier: MIT
 * What launches need of tiles where that stands in data: in the elements of other
 * arguments of theirs. All processes have the same tables of these, so that each finds
 * alone what the others need, as it does where patterns say it. */
#include "hit/base/kind.h"
#include "hit/base/text.h"
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"
#include "patterns/slot.h"

#include <inttypes.h>
#include <string.h>

/* ---- what a tile holds ---- */

static hit_index number_at(hit_type type, const void *element)
{
    hit_index number = 0;
    int32_t narrow;

    if (type.size_bytes == 1) { /* a mask */
        const unsigned char byte = *(const unsigned char *)element;

        return type.kind == HIT_KIND_INT8 ? (int8_t)byte : byte;
    }
    if (type.kind == HIT_KIND_INT64) {
        memcpy(&number, element, sizeof(number));
    } else if (type.kind == HIT_KIND_INT32) {
        memcpy(&narrow, element, sizeof(narrow));
        number = narrow;
    } else if (!hit_type_convert(type, element, HIT_INT64, &number)) {
        number = INT64_MAX; /* an unsigned number beyond it, which is in no tile */
    }
    return number;
}

/* Visit the elements @p box of a piece of the host's memory. */
static void each_number(const hit_storage *storage, int piece, const hit_domain *box,
                        hit_number_visit *visit, void *of)
{
    const hit_view *view = &storage->view[piece];
    const int last = box->dims - 1;
    const hit_sig row = last >= 0 ? box->sig[last] : hit_sig_make(0, 0, 1);
    hit_domain begins = *box;
    ptrdiff_t step = 0;

    if (last >= 0) {
        begins.sig[last] = hit_sig_slice(row, 0, 0);
        step = view->stride_bytes[last] * (row.stride / view->domain.sig[last].stride);
    }
    HIT_FOR_EACH (begin, begins) {
        const char *element = hit_view_at(view, begin);
        hit_index at[HIT_MAX_DIMS];

        memcpy(at, begin, sizeof(at));
        for (hit_index k = hit_sig_count(row); k > 0; k--, element += step) {
            visit(of, at, number_at(storage->type, element));
            if (last >= 0) at[last] += row.stride;
        }
    }
}

static void note(void *of, const hit_index at[], hit_index number)
{
    hit_extremes_note(of, at, number);
}

/* Of this process's elements. */
static hit_status note_own(hit_storage *storage, hit_extremes *table)
{
    for (int k = 0; k < storage->pieces; k++) {
        const hit_domain *owned = &storage->owned[k];

        HIT_TRY(hit_storage_touch(storage, k, owned, HIT_READ));
        HIT_TRY(hit_storage_check_lost(storage, k, owned));
        each_number(storage, k, owned, note, table);
    }
    return HIT_OK;
}

/* ---- tables ---- */

static bool is_old(const hit_storage *storage)
{
    const hit_numbers *numbers = &storage->numbers;

    return numbers->values == NULL || numbers->old || numbers->looks != storage->looks;
}

/* Plans that were made by the old table do not run again. */
static hit_status make_own(hit_storage *storage, hit_extremes **made)
{
    const hit_domain domain = hit_layout_domain(storage->layout);
    hit_status status;

    *made = NULL;
    if (storage->numbers.values != NULL) HIT_TRY(hit_settle(storage->context));
    HIT_TRY(hit_extremes_create(&domain, storage->context->launcher->most_cells, made));
    status = note_own(storage, *made);
    if (status != HIT_OK) hit_extremes_release(made);
    return status;
}

static hit_status make_table(hit_storage *storage)
{
    hit_context *context = storage->context;
    hit_numbers *numbers = &storage->numbers;
    hit_extremes *made;
    const hit_status status = hit_comm_agree(context->comm, make_own(storage, &made));
    uint64_t *words;
    int count;

    if (status != HIT_OK) {
        if (made != NULL) hit_extremes_release(&made);
        return status;
    }
    words = hit_extremes_words(made, &count);
    HIT_TRY(hit_comm_max_u64(context->comm, words, count));
    hit_extremes_finish(made);
    hit_extremes_forget(numbers->values);
    hit_extremes_release(&numbers->values);
    *numbers =
        (hit_numbers){.values = made, .made = numbers->made + 1, .looks = storage->looks};
    context->launcher->looks = true;
    return HIT_OK;
}

hit_status hit_lookups_leave(const hit_call *call, hit_status status)
{
    if (status == HIT_OK) return HIT_OK;
    call->context->launcher->refused = true;
    call->context->launcher->holds = true;
    return status;
}

/* Which of the arguments have old tables, a 1 each? *all_know: what one process knows of
 * that they all know. */
static bool find_old(const hit_call *call, unsigned looked, uint64_t old[],
                     bool *all_know)
{
    bool any = false;

    *all_know = true;
    for (unsigned left = looked; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        const hit_storage *storage = call->args[k].tile->storage;

        old[k] = is_old(storage);
        any = any || old[k] != 0;
        *all_know = *all_know && storage->shared_out;
    }
    return any;
}

/* With an argument before it, which is the same tile. */
static bool is_made(const hit_call *call, const uint64_t old[], int k)
{
    for (int other = 0; other < k; other++) {
        if (old[other] == 0) continue;
        if (call->args[other].tile->storage == call->args[k].tile->storage) return true;
    }
    return false;
}

hit_status hit_lookups_begin(const hit_call *call, const hit_known_kernel *known)
{
    hit_context *context = call->context;
    uint64_t old[HIT_MAX_ARGS] = {0};
    unsigned looked;
    bool all_know;

    looked = hit_call_looked(call, known);
    if (looked == 0 || hit_comm_is_planned(context->comm)) return HIT_OK;
    if (!find_old(call, looked, old, &all_know) && (all_know || context->size == 1)) {
        return HIT_OK;
    }
    if (context->size > 1) HIT_TRY(hit_lookups_leave(call, hit_call_agree(call, HIT_OK)));
    HIT_TRY(hit_comm_max_u64(context->comm, old, HIT_MAX_ARGS));
    for (int k = 0; k < call->count; k++) {
        if (old[k] == 0 || is_made(call, old, k)) continue;
        HIT_TRY(hit_lookups_leave(call, make_table(call->args[k].tile->storage)));
    }
    return HIT_OK;
}

bool hit_lookups_are_new(const hit_call *call, const hit_known_kernel *known)
{
    uint64_t old[HIT_MAX_ARGS];
    bool all_know;

    return call->context->size == 1 && !find_old(call, known->looked, old, &all_know);
}

void hit_lookups_numbers(const hit_call *call, unsigned looked, hit_index number[])
{
    for (unsigned left = looked; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        const hit_tile *tile = call->args[k].tile;
        uint64_t hash = hit_hash_word(HIT_HASH_START, tile->storage->number);

        hash = hit_hash_word(hash, tile->storage->numbers.made);
        hash = hit_hash_place(hash, &tile->domain);
        number[k] = tile->storage->numbers.values != NULL ? (hit_index)hash : 0;
    }
}

void hit_lookups_share(const hit_call *call, hit_known_kernel *known)
{
    for (unsigned left = known->looked; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);

        known->table[k] = hit_extremes_share(call->args[k].tile->storage->numbers.values);
    }
}

void hit_lookups_note_written(const hit_call *call, const hit_known_kernel *known)
{
    for (unsigned left = known->written; left != 0; left &= left - 1) {
        call->args[__builtin_ctz(left)].tile->storage->numbers.old = true;
    }
}

/* ---- numbers that lead out of a tile ---- */

hit_status hit_lookups_check_form(const hit_call *call, const hit_pattern *pattern,
                                  int arg)
{
    const hit_domain *tile = &call->args[arg].tile->domain;

    for (const hit_lookup *l = pattern->lookups; l != NULL; l = l->next) {
        const hit_domain *into = &call->args[l->arg].tile->domain;

        HIT_TRY(hit_lookups_check_form(call, l->at, l->arg));
        if (l->at->tile_dims == into->dims) continue;
        return HIT_FAIL(
            HIT_E_PATTERN,
            "expected as many dimensions of %s in \"%s\" as its tile has, %d, "
            "but found %d",
            l->name, call->kernel->arg[arg].pattern, into->dims, l->at->tile_dims);
    }
    for (int a = 0; a < pattern->count; a++) {
        for (int t = 0; t < pattern->tile_dims && t < tile->dims; t++) {
            const hit_range *range = &pattern->access[a].range[t];

            if (range->low == NULL && range->high == NULL) continue;
            if (tile->sig[t].stride == 1) continue;
            return HIT_FAIL(HIT_E_PATTERN,
                            "expected a tile without strides where the ends of \"%s\" "
                            "stand in data",
                            call->kernel->arg[arg].pattern);
        }
    }
    return HIT_OK;
}

/* An end, and the dimension of the tile in which it must lie. */
typedef struct end_check {
    const hit_call *call;
    const hit_where *where;
    int arg;
    const hit_lookup *lookup;
    bool low;  /* it begins a range ... */
    bool high; /* ... or ends one */
    hit_sig tile;
    uint64_t first; /* of its elements that lead out of it; ~0: none */
    uint64_t number;
} end_check;

static bool leads_out(const end_check *c, hit_index number)
{
    hit_index at;

    if (__builtin_add_overflow(number, c->lookup->offset, &at)) return true;
    return (c->low && at < c->tile.begin) || (c->high && at > c->tile.end);
}

static void look_at(void *of, const hit_index at[], hit_index number)
{
    end_check *c = of;
    const uint64_t place = hit_domain_place(&c->lookup->limits, at);

    if (place >= c->first || !leads_out(c, number)) return;
    c->first = place;
    c->number = (uint64_t)number;
}

static hit_status fail_at(const end_check *c)
{
    const hit_call *call = c->call;
    const hit_kernel *kernel = call->kernel;
    const hit_domain *limits = &c->lookup->limits;
    hit_index at[HIT_MAX_DIMS] = {0};
    char found[128];
    char expected[128];

    hit_domain_at_place(limits, c->first, at);
    found[0] = '\0';
    hit_text_add_numbers(found, sizeof(found), ", ", limits->dims, at);
    hit_domain_print(&call->args[c->arg].tile->domain, expected, sizeof(expected));
    return HIT_FAIL(
        HIT_E_PATTERN,
        "kernel %s, argument %s, tile %s: by the pattern \"%s\" element [%s] of "
        "%s, which is %" PRId64 ", leads out of the tile, which has %s",
        kernel->name, kernel->arg[c->arg].name, hit_tile_name(call->args[c->arg].tile),
        kernel->arg[c->arg].pattern, found, c->lookup->name, (hit_index)c->number,
        expected);
}

void hit_lookups_each(const hit_call *call, const hit_lookup *lookup,
                      const hit_domain *indices, hit_number_visit *visit, void *of)
{
    const hit_storage *storage = call->args[lookup->arg].tile->storage;

    for (int n = 0; n < lookup->at->count * storage->pieces; n++) {
        const int k = n % storage->pieces;
        const hit_access *access = &lookup->at->access[n / storage->pieces];
        hit_domain own = hit_access_apply(access, &lookup->limits, indices);

        own = hit_domain_intersect(&own, &lookup->limits);
        own = hit_domain_intersect(&own, &storage->owned[k]);
        if (!hit_domain_is_empty(&own)) each_number(storage, k, &own, visit, of);
    }
}

/* Do tables leave it open whether an end of the range leads out of its tile, for some of
 * the indices? */
static bool may_lead_out(const end_check *c, const hit_domain *indices)
{
    hit_index least;
    hit_index greatest;

    if (!hit_lookup_find(c->lookup, indices, &least, &greatest)) return false;
    return (c->low && least < c->tile.begin) || (c->high && greatest > c->tile.end);
}

/* May an index run? This process knows it where it has the elements that inequalities
 * ask. */
static bool may_run(const end_check *c, const hit_domain *index)
{
    hit_slot slot[HIT_MAX_ARGS];
    hit_index at[HIT_MAX_DIMS] = {0};

    for (int k = 0; c->where != NULL && k < c->where->sources; k++) {
        const hit_where_source *from = &c->where->source[k];
        const hit_tile *tile = c->call->args[from->arg].tile;
        const hit_domain element = hit_access_apply(&from->at, &tile->domain, index);
        const int piece = hit_hulls_holding(&tile->storage->hulls, &element);

        if (piece < 0) return true;
        hit_slot_set(&slot[from->arg], &tile->storage->view[piece], &tile->domain, true);
    }
    (void)hit_domain_first(index, at);
    return hit_where_has(c->where, slot, at);
}

/* Is all that hit_lookups_each() visits touched? */
static bool is_exact(const hit_lookup *lookup, const hit_domain *box)
{
    hit_pattern one = *lookup->at;
    int a = 0;

    one.count = 1;
    while (a < lookup->at->count && hit_pattern_is_exact(&one, &lookup->limits, box)) {
        one.access = &lookup->at->access[++a];
    }
    return a == lookup->at->count;
}

/* Numbers that no index looks up which runs may be anything: boxes are taken apart. */
static void look_in(end_check *c, const hit_domain *indices)
{
    const hit_domain box = hit_where_clip(c->where, indices);
    const bool one = hit_domain_count(&box) == 1;
    hit_domain half[2];
    bool all;

    if (!hit_where_any(c->where, &box) || !may_lead_out(c, &box)) return;
    all = hit_where_holds(c->where, &box) && is_exact(c->lookup, &box);
    if (one ? may_run(c, &box) : all) {
        hit_lookups_each(c->call, c->lookup, &box, look_at, c);
    }
    if (one || all) return;
    hit_domain_halve(&box, hit_order_longest(&box), half);
    look_in(c, &half[0]);
    look_in(c, &half[1]);
}

/* Look at the elements themselves. All processes come here. */
static hit_status look_closely(end_check *c)
{
    hit_context *context = c->call->context;
    uint64_t least;

    c->first = UINT64_MAX;
    look_in(c, &c->call->domain);
    least = ~c->first;
    HIT_TRY(hit_comm_max_u64(context->comm, &least, 1));
    if (least == 0) return HIT_OK;
    if (~least != c->first) c->number = 0;
    c->first = ~least;
    HIT_TRY(hit_comm_max_u64(context->comm, &c->number, 1));
    return fail_at(c);
}

/* Of argument @p arg, all its ends, and those that lead to them; @p closely: by the
 * elements. *open: by tables, some may lead out. */
static hit_status check_ends(const hit_call *call, const hit_known_kernel *known,
                             const hit_pattern *pattern, int arg, bool closely,
                             bool *open)
{
    for (int n = 0; n < pattern->count * pattern->tile_dims; n++) {
        const int t = n % pattern->tile_dims;
        const hit_range *range = &pattern->access[n / pattern->tile_dims].range[t];
        const hit_lookup *const end[2] = {range->low, range->high};

        for (int e = 0; e < 2; e++) {
            end_check c = {.call = call,
                           .where = known->where,
                           .arg = arg,
                           .lookup = end[e],
                           .low = e == 0,
                           .high = e == 1 || range->high == range->low,
                           .tile = call->args[arg].tile->domain.sig[t]};

            if (end[e] == NULL || (e == 1 && end[1] == end[0])) continue;
            HIT_TRY(check_ends(call, known, end[e]->at, end[e]->arg, closely, open));
            if (!may_lead_out(&c, &call->domain)) continue;
            *open = true;
            if (closely) HIT_TRY(look_closely(&c));
        }
    }
    return HIT_OK;
}

static hit_status check_all(const hit_call *call, const hit_known_kernel *known,
                            bool closely, bool *open)
{
    for (int k = 0; k < call->count; k++) {
        if (known->pattern[k].lookups == NULL) continue;
        if (hit_lookups_check_form(call, &known->pattern[k], k) != HIT_OK) return HIT_OK;
        HIT_TRY(check_ends(call, known, &known->pattern[k], k, closely, open));
    }
    return HIT_OK;
}

hit_status hit_lookups_check(const hit_call *call, const hit_known_kernel *known,
                             uint64_t key)
{
    hit_numbers *numbers =
        &call->args[__builtin_ctz(known->looked)].tile->storage->numbers;
    bool open = false;

    HIT_TRY(check_all(call, known, false, &open));
    if (!open || numbers->inside == key) return HIT_OK;
    if (call->context->size > 1) {
        HIT_TRY(hit_lookups_leave(call, hit_call_agree(call, HIT_OK)));
    }
    HIT_TRY(hit_lookups_leave(call, check_all(call, known, true, &open)));
    numbers->inside = key;
    return HIT_OK;
}
