/* SPDX-License-Identifier: MIT
 * Library calls are black boxes: half of an argument is poisoned, and if a result
 * changes, each half of that half, down to single elements. */
#include "hit/check/check_impl.h"
#include "patterns/kernel_impl.h"

#include <string.h>

enum {
    MAX_CELLS = 1 << 16
};

typedef struct probe {
    hit_recorder *recorder;
    const hit_replica *replica;
    int k;
    const hit_index *at;
    char *plain[HIT_MAX_ARGS]; /* the results without poison */
    char *poison;              /* one element */
    hit_arrays arrays;
} probe;

static hit_status run(const probe *p)
{
    const hit_domain point = hit_domain_box(p->replica->kernel->dims, p->at, p->at);
    hit_run one = hit_replica_run(p->replica, &point);

    one.where = NULL; /* the index is run, also where what says so is poisoned */
    return hit_kernel_call(p->replica->kernel, p->replica->kernel->host, &one);
}

/* Does anything differ from the plain results, but for the poison itself? */
static bool has_changed(const probe *p, hit_index first, hit_index last)
{
    const hit_replica_arg *own = &p->replica->arg[p->k];
    const size_t size = own->view.size_bytes;

    for (int a = 0; a < p->replica->kernel->args; a++) {
        const hit_replica_arg *arg = &p->replica->arg[a];

        if (p->plain[a] == NULL || a == p->k) continue;
        if (memcmp(arg->view.data, p->plain[a], hit_replica_bytes(arg)) != 0) return true;
    }
    for (hit_index cell = 0; cell < own->cells && p->plain[p->k] != NULL; cell++) {
        const size_t offset = (size_t)cell * size;
        const bool poisoned = cell >= first && cell <= last;

        /* poison that is gone was written over, with whatever */
        if (memcmp(own->view.data + offset,
                   poisoned ? p->poison : p->plain[p->k] + offset, size) != 0) {
            return true;
        }
    }
    return false;
}

static hit_status search(const probe *p, hit_index first, hit_index last)
{
    const hit_replica_arg *arg = &p->replica->arg[p->k];
    const hit_index middle = first + (last - first) / 2;
    hit_index at[HIT_MAX_DIMS];
    bool changed;

    hit_replica_restore(p->replica);
    for (hit_index cell = first; cell <= last; cell++) {
        memcpy(hit_replica_now(arg, cell), p->poison, arg->view.size_bytes);
    }
    HIT_TRY(run(p));
    changed = has_changed(p, first, last);
    if (!changed) return HIT_OK;
    if (first == last) {
        hit_replica_element(arg, first, at);
        hit_record_add(&p->recorder->of[p->k], at);
        return HIT_OK;
    }
    HIT_TRY(search(p, first, middle));
    return search(p, middle + 1, last);
}

static void add_written(const probe *p)
{
    const hit_replica_arg *arg = &p->replica->arg[p->k];
    const size_t size = arg->view.size_bytes;
    hit_index at[HIT_MAX_DIMS];

    for (hit_index cell = 0; cell < arg->cells; cell++) {
        const char *plain = p->plain[p->k] + (size_t)cell * size;

        if (memcmp(plain, hit_replica_was(arg, cell), size) == 0) continue;
        hit_replica_element(arg, cell, at);
        hit_record_add(&p->recorder->of[p->k], at);
    }
}

static hit_status search_all(probe *p)
{
    const hit_kernel *kernel = p->replica->kernel;

    HIT_TRY(hit_arrays_take(&p->arrays, 1, p->replica->arg[p->k].view.size_bytes,
                            &p->poison));
    hit_poison_make(HIT_POISON_NAN, kernel->arg[p->k].type, p->poison);
    hit_replica_restore(p->replica);
    HIT_TRY(run(p));
    for (int a = 0; a < kernel->args; a++) {
        const hit_replica_arg *arg = &p->replica->arg[a];

        if (arg->value != NULL) continue;
        if (arg->cells > MAX_CELLS) {
            return HIT_FAIL(HIT_E_ABSENT,
                            "kernel %s is tried on tiles of up to %d elements only, and "
                            "%s has more",
                            kernel->name, MAX_CELLS, arg->tile);
        }
        HIT_TRY(HIT_TAKE(&p->arrays, hit_replica_bytes(arg), p->plain[a]));
        memcpy(p->plain[a], arg->view.data, hit_replica_bytes(arg));
    }
    add_written(p);
    if (p->replica->arg[p->k].cells == 0) return HIT_OK;
    return search(p, 0, p->replica->arg[p->k].cells - 1);
}

hit_status hit_probe(hit_recorder *recorder, int k, const hit_index at[])
{
    probe p = {.recorder = recorder, .replica = recorder->replica, .k = k, .at = at};
    hit_status status;

    hit_record_start(&recorder->of[k]);
    status = search_all(&p);
    hit_replica_restore(p.replica);
    hit_arrays_free(&p.arrays);
    return status;
}
