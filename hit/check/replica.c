/* SPDX-License-Identifier: MIT
 * Replicas: copies of the tiles of a launch, and runs of its kernel on them. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/check/check.h"
#include "hit/data/domain_set.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"
#include "patterns/transform.h"

#include <inttypes.h>
#include <string.h>

hit_status hit_replica_ready(hit_replica *replica)
{
    const hit_kernel *kernel = replica->kernel;

    if (kernel->checked == NULL && kernel->host == NULL) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "kernel %s cannot be checked: it has no implementation for host "
                        "devices",
                        kernel->name);
    }
    if (replica->prepared != NULL) return HIT_OK;
    return hit_kernel_prepare(kernel, &replica->prepared);
}

hit_status hit_replica_take(hit_replica *replica, int k, const hit_domain *box)
{
    hit_replica_arg *arg = &replica->arg[k];
    const size_t size = replica->kernel->arg[k].type.size_bytes;
    void *data = NULL;
    void *pristine = NULL;

    arg->cells = hit_domain_count(box);
    if ((size_t)arg->cells > SIZE_MAX / 4 / size) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for a copy of tile %s", arg->tile);
    }
    HIT_TRY(hit_memory_zeroed((size_t)arg->cells + 1, size, &data));
    arg->view = hit_view_make(box, size, data);
    HIT_TRY(hit_memory_zeroed((size_t)arg->cells + 1, size, &pristine));
    arg->pristine = pristine;
    return HIT_OK;
}

void hit_replica_keep(hit_replica *replica)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        hit_replica_arg *arg = &replica->arg[k];

        if (arg->pristine == NULL) continue;
        memcpy(arg->pristine, arg->view.data, hit_replica_bytes(arg));
    }
}

void hit_replica_restore(const hit_replica *replica)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_replica_arg *arg = &replica->arg[k];

        if (arg->pristine == NULL) continue;
        memcpy(arg->view.data, arg->pristine, hit_replica_bytes(arg));
    }
}

void hit_replica_clear(hit_replica *replica)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        free(replica->arg[k].view.data);
        free(replica->arg[k].pristine);
    }
    free(replica->prepared);
    *replica = (hit_replica){0};
}

hit_run hit_replica_run(const hit_replica *replica, const hit_domain *box)
{
    hit_run run = {.threads = 1, .prepared = replica->prepared, .where = replica->where};

    hit_run_set_box(&run, box);
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_replica_arg *arg = &replica->arg[k];

        if (arg->value != NULL) {
            run.slot[k].base = (void *)(uintptr_t)arg->value;
            run.slot[k].dense = 1;
        } else {
            hit_slot_set(&run.slot[k], &arg->view, &arg->domain, false);
        }
        run.dense &= run.slot[k].dense;
    }
    return run;
}

bool hit_replica_has(const hit_replica *replica, const hit_index at[])
{
    const hit_domain point = hit_domain_box(replica->kernel->dims, at, at);
    hit_run run;

    if (hit_where_looks_in(replica->where) == 0) {
        return hit_where_has(replica->where, NULL, at);
    }
    run = hit_replica_run(replica, &point);
    return hit_where_has(replica->where, run.slot, at);
}

static hit_status visit_region(const hit_replica *replica, int k, const hit_domain *box,
                               hit_replica_visit *visit, void *of)
{
    const hit_replica_arg *arg = &replica->arg[k];
    hit_region region = {0};

    HIT_TRY(hit_pattern_region(&replica->pattern[k], &arg->domain, box, &region));
    hit_region_clip(&region, &arg->view.domain);
    for (int p = 0; p < region.count; p++) {
        visit(of, &region.part[p]);
    }
    hit_region_clear(&region);
    return HIT_OK;
}

/* Each expression may be exact where the box around all of them is not. */
static bool is_exact(const hit_replica *replica, int k, const hit_domain *box)
{
    hit_pattern one = replica->pattern[k];
    bool exact = true;

    one.count = 1;
    for (int a = 0; a < replica->pattern[k].count; a++, one.access++) {
        exact = exact && hit_pattern_is_exact(&one, &replica->arg[k].domain, box);
    }
    return exact;
}

hit_status hit_replica_touched(const hit_replica *replica, int k, const hit_domain *box,
                               hit_replica_visit *visit, void *of)
{
    if (is_exact(replica, k, box)) return visit_region(replica, k, box, visit, of);
    HIT_FOR_EACH (at, *box) {
        const hit_domain point = hit_domain_box(box->dims, at, at);

        HIT_TRY(visit_region(replica, k, &point, visit, of));
    }
    return HIT_OK;
}

hit_index hit_replica_cell(const hit_replica_arg *arg, const hit_index at[])
{
    const hit_domain *domain = &arg->view.domain;

    return hit_domain_has(domain, at) ? (hit_index)hit_domain_place(domain, at) : -1;
}

void hit_replica_element(const hit_replica_arg *arg, hit_index cell, hit_index at[])
{
    hit_domain_at_place(&arg->view.domain, (uint64_t)cell, at);
}

bool hit_replica_is_kept(const hit_replica_arg *arg, hit_index cell)
{
    return memcmp(hit_replica_now(arg, cell), hit_replica_was(arg, cell),
                  arg->view.size_bytes) == 0;
}

void hit_replica_reset(const hit_replica_arg *arg, hit_index cell)
{
    memcpy(hit_replica_now(arg, cell), hit_replica_was(arg, cell), arg->view.size_bytes);
}

void hit_replica_print_index(int dims, const hit_index at[], char *text, size_t size)
{
    (void)snprintf(text, size, "(");
    hit_text_add_numbers(text, size, ", ", dims, at);
    hit_text_add(text, size, ")");
}

void hit_replica_print_cell(const hit_replica_arg *arg, hit_index cell, char *text,
                            size_t size)
{
    hit_index at[HIT_MAX_DIMS];

    hit_replica_element(arg, cell, at);
    hit_replica_print_index(arg->domain.dims, at, text, size);
}
