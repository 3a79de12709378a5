/* SPDX-License-Identifier: MIT
 * Layouts that are decided by doubles or files: one process turns them into whole numbers
 * and tells the others. Were each to compute them, two kinds of processors in one machine
 * could round differently, own different parts, and wait for each other for ever. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/tile/tile_impl.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_status resolve_on_root(hit_context *context, const hit_layout_spec *wanted,
                                  const char *options, char **resolved)
{
    hit_status st = HIT_OK;

    if (context->rank == 0) st = hit_layout_resolve_here(wanted, options, resolved);
    return hit_comm_share_text(context->comm, st, resolved);
}

/** Let the plug-in decide: by measuring if the options ask for that, else on one process
 * for all of them; a planned communicator has no others to tell. */
static hit_status resolve(hit_context *context, const hit_layout_spec *wanted,
                          const char *options, char **resolved)
{
    hit_layout reading = {.ops = wanted->ops, .spec = *wanted};
    bool searches = false;
    hit_status st = hit_layout_asks_search(wanted, options, &searches);

    /* what follows is collective: who has no memory to read options is not alone */
    if (wanted->ops->search != NULL) st = hit_comm_agree(context->comm, st);
    HIT_TRY(st);
    if (searches) {
        st = hit_layout_options_read(options, &reading);
        st = hit_comm_agree(context->comm, st);
        if (st == HIT_OK) st = context->search(context, &reading.spec, resolved);
        hit_option_clear(&reading.options);
        if (st != HIT_OK || *resolved != NULL) return st;
    }
    if (wanted->ops->resolve == NULL) return HIT_OK;
    if (context->size > 1 && !hit_comm_is_planned(context->comm)) {
        return resolve_on_root(context, wanted, options, resolved);
    }
    return hit_layout_resolve_here(wanted, options, resolved);
}

static hit_status create(hit_context *context, hit_domain domain, const char *text,
                         hit_layout **layout)
{
    hit_layout_spec wanted = {.domain = domain, .ranks = context->size};
    const char *options = NULL;
    char *resolved = NULL;
    hit_status st;

    if (layout == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a place for the layout but found NULL");
    }
    HIT_TRY(hit_layout_read(context, text, &wanted.ops, &options));
    HIT_TRY(hit_domain_check_given(&domain));
    st = resolve(context, &wanted, options, &resolved);
    if (st == HIT_OK) {
        st = hit_layout_make(context, &wanted, resolved != NULL ? resolved : options,
                             layout);
    }
    free(resolved);
    return st;
}

/* ---- layouts of a text ---- */

typedef struct request {
    const hit_domain *domain;
    const char *text;
    const hit_layout *made;
} request;

/* Of what was made, after one process resolved it for all: texts may differ where only
 * that of process 0 counts. */
static uint64_t mark_request(const void *of)
{
    const request *r = of;

    return hit_hash_text(hit_layout_key(r->made), "hit_layout_create");
}

static void say_request(const void *of, char *text, size_t size)
{
    const request *r = of;
    char domain[128];

    hit_domain_print(r->domain, domain, sizeof(domain));
    snprintf(text, size, "hit_layout_create(%s, \"%.200s\")", domain, r->text);
}

hit_status hit_layout_create(hit_context *context, hit_domain domain, const char *text,
                             hit_layout **layout)
{
    request of = {.domain = &domain, .text = text};
    const hit_comm_call call = {mark_request, say_request, &of};
    hit_layout *made = NULL;
    hit_status status;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    status = create(context, domain, text, layout != NULL ? &made : NULL);
    of.made = made;
    status = hit_comm_agree_on(context->comm, status, &call);
    if (status == HIT_OK) {
        *layout = made; /* NOLINT(clang-analyzer-core.NullDereference): see create() */
    } else {
        hit_layout_destroy(&made);
    }
    return status;
}

hit_status hit_layout_create_at(hit_context *context, hit_domain domain, int root,
                                hit_layout **layout)
{
    char text[32];

    snprintf(text, sizeof(text), "single:root=%d", root);
    return create(context, domain, text, layout); /* nothing to resolve, or to measure */
}

/* ---- layouts of a box from each process ---- */

static uint64_t mark_parts(const void *of)
{
    const hit_domain *domain = of;
    uint64_t hash = hit_hash_text(HIT_HASH_START, "hit_layout_from_parts");

    hash = hit_hash(hash, &domain->dims, sizeof domain->dims);
    return hit_hash(hash, domain->sig, (size_t)domain->dims * sizeof domain->sig[0]);
}

static void say_parts(const void *of, char *text, size_t size)
{
    char domain[128];

    hit_domain_print(of, domain, sizeof(domain));
    snprintf(text, size, "hit_layout_from_parts(%s, ...)", domain);
}

static hit_status check_parts(const hit_context *context, const hit_domain *domain,
                              const hit_domain *my_box, hit_layout **layout)
{
    if (layout == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a place for the layout but found NULL");
    }
    HIT_TRY(hit_domain_check_given(domain));
    HIT_TRY(hit_domain_check_given(my_box));
    if (my_box->dims != domain->dims) {
        return HIT_FAIL(
            HIT_E_ARG, "expected a box of %d dimensions, as the domain has, but found %d",
            domain->dims, my_box->dims);
    }
    if (context->size == 1 || !hit_comm_is_planned(context->comm)) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ABSENT,
        "hit_layout_from_parts: expected %d processes that say their boxes "
        "but found a dry run (HIT_PLAN); hit_layout_create() with the text of "
        "the layout needs none",
        context->size);
}

/* The boxes of all processes, as regions. */
static hit_status gather_parts(hit_context *context, const hit_domain *my_box,
                               hit_domain *box, hit_region part[])
{
    const size_t processes = (size_t)context->size;

    HIT_TRY(hit_comm_gather(context->comm, my_box, sizeof *my_box, box));
    HIT_TRY(hit_comm_broadcast(context->comm, 0, box, processes * sizeof *box));
    for (int rank = 0; rank < context->size; rank++) {
        if (hit_domain_is_empty(&box[rank])) continue;
        HIT_TRY(hit_region_append(&part[rank], &box[rank]));
    }
    return HIT_OK;
}

hit_status hit_layout_from_parts(hit_context *context, hit_domain domain,
                                 hit_domain my_box, hit_layout **layout)
{
    const hit_comm_call call = {mark_parts, say_parts, &domain};
    hit_layout *made = NULL;
    hit_region *part = NULL;
    hit_domain *box = NULL;
    hit_status status;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    status = check_parts(context, &domain, &my_box, layout);
    if (status == HIT_OK) {
        status = hit_memory_zeroed((size_t)context->size, sizeof *box, &box);
    }
    if (status == HIT_OK) {
        status = hit_memory_zeroed((size_t)context->size, sizeof *part, &part);
    }
    HIT_TRY_GOTO(status, hit_comm_agree_on(context->comm, status, &call), free_boxes);
    status = gather_parts(context, &my_box, box, part);
    if (status == HIT_OK) {
        status = hit_layout_boxes(context, domain, context->size, part, &made);
    }
    status = hit_comm_agree(context->comm, status);
    if (status == HIT_OK) {
        *layout =
            made; /* NOLINT(clang-analyzer-core.NullDereference): see check_parts() */
    } else {
        hit_layout_destroy(&made);
    }
    for (int rank = 0; rank < context->size; rank++) {
        hit_region_clear(&part[rank]);
    }
free_boxes:
    free(part);
    free(box);
    return status;
}
