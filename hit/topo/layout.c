/* SPDX-License-Identifier: MIT
 * Layouts: everything that does not depend on how a domain is split. As in Hitmap a
 * layout is made by a plug-in that is chosen by name. Differs: options are text and
 * checked, not an array of floats; a part is a region, so that block-cyclic layouts need
 * no special case; and a plug-in splits only, all else (keys, text, checks) is here once.
 */
#include "hit/topo/layout.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_text.h"

#include <stdlib.h>
#include <string.h>

/** Byte by byte, so that the key does not depend on the machine. */
static uint64_t hash_index(uint64_t hash, hit_index value)
{
    char bytes[8];

    for (int i = 0; i < 8; i++) {
        bytes[i] = (char)(unsigned char)((uint64_t)value >> (8 * i));
    }
    return hit_hash(hash, bytes, sizeof bytes);
}

static uint64_t make_key(const hit_layout *layout)
{
    const hit_layout_spec *spec = &layout->spec;
    uint64_t hash = HIT_HASH_START;

    hash = hit_hash_text(hash, layout->ops->name);
    hash = hash_index(hash, spec->domain.dims);
    for (int d = 0; d < spec->domain.dims; d++) {
        hash = hash_index(hash, spec->domain.sig[d].begin);
        hash = hash_index(hash, spec->domain.sig[d].end);
        hash = hash_index(hash, spec->domain.sig[d].stride);
    }
    hash = hash_index(hash, spec->ranks);
    for (int i = 0; i < spec->options; i++) {
        hash = hit_hash_text(hash, spec->key[i]);
        hash = hit_hash_text(hash, spec->value[i]);
    }
    return hash;
}

static void release(hit_layout *layout)
{
    if (layout->state != NULL && layout->ops->destroy != NULL) {
        layout->ops->destroy(layout->state);
    }
    hit_option_clear(&layout->options);
    free(layout);
}

/** Read the options @p text, of which the plug-in knows all. */
static hit_status read_options(const char *text, hit_layout *layout)
{
    HIT_TRY(hit_layout_options_read(text, layout));
    if (layout->ops->options == NULL) return HIT_OK;
    return hit_layout_only(&layout->spec, layout->ops->options);
}

hit_status hit_layout_make(hit_context *context, const hit_layout_spec *wanted,
                           const char *options, hit_layout **layout)
{
    hit_layout *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->context = context;
    made->references = 1;
    made->ops = wanted->ops;
    made->spec = *wanted;
    st = read_options(options, made);
    if (st == HIT_OK) st = made->ops->create(&made->spec, &made->state);
    if (st != HIT_OK) {
        release(made);
        return st;
    }
    made->key = make_key(made);
    if (context != NULL) context->layouts_alive++;
    *layout = made;
    return HIT_OK;
}

/** Copy @p text. */
static hit_status copy_text(const char *text, char **copy)
{
    const size_t size = strlen(text) + 1;

    HIT_TRY(hit_memory_zeroed(size, 1, copy));
    memcpy(*copy, text, size);
    return HIT_OK;
}

hit_status hit_layout_resolve_here(const hit_layout_spec *wanted, const char *options,
                                   char **resolved)
{
    hit_layout reading = {.ops = wanted->ops, .spec = *wanted};
    hit_status st;

    if (wanted->ops->resolve == NULL) return HIT_OK;
    st = read_options(options, &reading);
    if (st == HIT_OK) st = wanted->ops->resolve(&reading.spec, resolved);
    hit_option_clear(&reading.options);
    if (st != HIT_OK || *resolved != NULL) return st;
    return copy_text(options != NULL ? options : "", resolved); /* they are already */
}

hit_status hit_layout_asks_search(const hit_layout_spec *wanted, const char *options,
                                  bool *asks)
{
    hit_layout reading = {.ops = wanted->ops, .spec = *wanted};
    hit_status st;

    *asks = false;
    if (wanted->ops->search == NULL) return HIT_OK;
    st = hit_layout_options_read(options, &reading);
    *asks = st == HIT_OK && hit_layout_option(&reading.spec, "kernel", NULL) != NULL;
    hit_option_clear(&reading.options);
    return st;
}

hit_layout *hit_layout_share(hit_layout *layout)
{
    if (layout != NULL) layout->references++;
    return layout;
}

void hit_layout_destroy(hit_layout **layout)
{
    hit_layout *old = layout != NULL ? *layout : NULL;

    if (layout != NULL) *layout = NULL;
    if (old == NULL || --old->references > 0) return;
    hit_context_drop(old->context);
    release(old);
}

int hit_layout_ranks(const hit_layout *layout)
{
    return layout != NULL ? layout->spec.ranks : 0;
}

hit_domain hit_layout_domain(const hit_layout *layout)
{
    return layout != NULL ? layout->spec.domain : hit_domain_empty(1);
}

const char *hit_layout_name(const hit_layout *layout)
{
    return layout != NULL ? layout->ops->name : "";
}

uint64_t hit_layout_key(const hit_layout *layout)
{
    return layout != NULL ? layout->key : 0;
}

hit_status hit_layout_part(const hit_layout *layout, int rank, hit_region *part)
{
    hit_status st;

    if (layout == NULL || part == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a layout and a region but found NULL");
    }
    if (rank < 0 || rank >= layout->spec.ranks) {
        return HIT_FAIL(HIT_E_ARG, "expected a rank from 0 to %d but found %d",
                        layout->spec.ranks - 1, rank);
    }
    if (part->count != 0) {
        return HIT_FAIL(HIT_E_ARG, "expected an empty region but found one of %d domains",
                        part->count);
    }
    st = layout->ops->part(&layout->spec, layout->state, rank, part);
    if (st != HIT_OK) hit_region_clear(part);
    return st;
}

/** The rank one domain of whose part, *one, holds all of @p box; -1: the plug-in does not
 * tell, or there is none. */
static int owner_of_all(const hit_layout *layout, const hit_domain *box, hit_domain *one)
{
    hit_index first[HIT_MAX_DIMS];

    if (!hit_domain_first(box, first) || !hit_layout_box(layout, first, one)) return -1;
    return hit_domain_inside(box, one) ? hit_layout_owner(layout, first) : -1;
}

hit_status hit_layout_part_in(const hit_layout *layout, int rank, const hit_domain *box,
                              hit_region *part)
{
    hit_domain one;
    const int owner = owner_of_all(layout, box, &one);

    if (owner >= 0 && owner != rank) return HIT_OK;
    if (owner == rank) {
        one = hit_domain_intersect(&one, box);
        return hit_region_append(part, &one);
    }
    HIT_TRY(hit_layout_part(layout, rank, part));
    hit_region_clip(part, box);
    return HIT_OK;
}

int hit_layout_owner(const hit_layout *layout, const hit_index index[])
{
    if (layout == NULL || (index == NULL && layout->spec.domain.dims > 0)) return -1;
    if (!hit_domain_has(&layout->spec.domain, index)) return -1;
    return layout->ops->owner(&layout->spec, layout->state, index);
}

bool hit_layout_box(const hit_layout *layout, const hit_index index[], hit_domain *box)
{
    if (hit_layout_owner(layout, index) < 0 || layout->ops->box == NULL) return false;
    layout->ops->box(&layout->spec, layout->state, index, box);
    return true;
}

bool hit_layout_splits(const hit_layout *layout, int dim)
{
    if (layout == NULL || dim < 0 || dim >= layout->spec.domain.dims) return false;
    return layout->ops->splits(&layout->spec, layout->state, dim);
}

static void add_to_shape(hit_layout_shape *shape, const hit_domain *whole,
                         const hit_region *part)
{
    hit_index count = 0;

    shape->single = shape->single && part->count <= 1;
    shape->every = shape->every && part->count > 0;
    for (int k = 0; k < part->count; k++) {
        count += hit_domain_count(&part->part[k]);
        shape->dense = shape->dense && hit_domain_is_dense(&part->part[k]);
        for (int d = 0; d < whole->dims; d++) {
            const hit_index extent = hit_sig_count(part->part[k].sig[d]);

            if (extent < shape->least[d]) shape->least[d] = extent;
            if (extent < hit_sig_count(whole->sig[d])) shape->shared |= 1u << d;
        }
    }
    if (count > shape->most) shape->most = count;
}

hit_status hit_layout_look(hit_layout *layout)
{
    const hit_domain whole = layout->spec.domain;
    hit_layout_shape shape = {
        .known = true, .dense = true, .single = true, .every = true};

    if (layout->shape.known) return HIT_OK;
    for (int d = 0; d < whole.dims; d++) {
        shape.least[d] = hit_sig_count(whole.sig[d]);
    }
    for (int p = 0; p < layout->spec.ranks; p++) {
        hit_region part = {0};

        HIT_TRY(hit_layout_part(layout, p, &part));
        add_to_shape(&shape, &whole, &part);
        hit_region_clear(&part);
    }
    layout->shape = shape;
    return HIT_OK;
}
