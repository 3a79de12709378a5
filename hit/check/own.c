/* SPDX-License-Identifier: MIT
 * An argument of which each index writes an element of its own and reads others: what is
 * written is found by changing what the index touches, and fitted like all that is
 * touched. */
#include "hit/base/memory.h"
#include "hit/check/check_impl.h"
#include "patterns/pattern_impl.h"

#include <string.h>

typedef struct writing {
    hit_recorder *recorder;
    const hit_replica *replica;
    int k;
    int touched;
    hit_touched *list; /* what the index touches ... */
    bool *written;     /* ... and which of it is written */
} writing;

/* Run with @p before in what is touched, in all of it or in the @p only one, NULL: with
 * what the launch finds. */
static hit_status run(const writing *w, const hit_index at[], const char *before,
                      int only)
{
    const hit_replica_arg *arg = &w->replica->arg[w->k];
    const size_t size = arg->view.size_bytes;

    for (int t = 0; t < w->touched && before != NULL; t++) {
        if (w->list[t].cell < 0 || (only >= 0 && t != only)) continue;
        memcpy(hit_replica_now(arg, w->list[t].cell), before, size);
    }
    HIT_TRY(hit_recorder_run(w->recorder, at));
    for (int t = 0; t < w->touched; t++) {
        const hit_index cell = w->list[t].cell;
        const char *was = only < 0 || t == only ? before : NULL;

        if (cell < 0) continue;
        if (was == NULL) was = hit_replica_was(arg, cell);
        w->written[t] =
            w->written[t] || memcmp(hit_replica_now(arg, cell), was, size) != 0;
        hit_replica_reset(arg, cell);
    }
    hit_recorder_restore(w->recorder);
    return HIT_OK;
}

/* What is written of what the index touches, as a shape. */
static hit_status find_written(writing *w, const hit_index at[], char *element,
                               hit_check_shape *shape)
{
    const hit_type type = w->replica->kernel->arg[w->k].type;
    hit_record written = w->recorder->of[w->k];

    HIT_TRY(run(w, at, NULL, -1));
    for (int kind = HIT_POISON_HIGH; kind <= HIT_POISON_LOW; kind++) {
        hit_poison_make((hit_poison)kind, type, element);
        HIT_TRY(run(w, at, element, -1));
        for (int t = 0; t < w->touched; t++) { /* a mean of equal ones is that one */
            HIT_TRY(run(w, at, element, t));
        }
    }
    written.count = 0;
    for (int t = 0; t < w->touched; t++) {
        if (w->written[t]) w->list[written.count++] = w->list[t];
    }
    written.list = w->list;
    return hit_check_shape_make(&written, &w->replica->arg[w->k].domain, shape);
}

static hit_status look(writing *w, const hit_check_shape *touched, char *element,
                       hit_check_shape *shape)
{
    const hit_record *record = &w->recorder->of[w->k];
    hit_arrays arrays = {NULL};
    size_t room;
    hit_status status;

    memcpy(shape->at, touched->at, sizeof(shape->at));
    HIT_TRY(hit_recorder_run(w->recorder, shape->at));
    hit_recorder_restore(w->recorder);
    w->touched = record->count;
    room = (size_t)w->touched + 1;
    status = HIT_TAKE(&arrays, room, w->list);
    if (status == HIT_OK) status = HIT_TAKE(&arrays, room, w->written);
    if (status == HIT_OK) {
        memcpy(w->list, record->list, sizeof(hit_touched) * (size_t)w->touched);
        status = find_written(w, shape->at, element, shape);
    }
    hit_arrays_free(&arrays);
    return status;
}

static bool same_affine(const hit_affine *a, const hit_affine *b)
{
    if (a->infinite || b->infinite) return a->infinite == b->infinite;
    return hit_affine_is_parallel(a, b) && a->offset == b->offset;
}

static bool same_access(const hit_access *a, const hit_access *b)
{
    bool same = true;

    for (int t = 0; t < HIT_MAX_DIMS; t++) {
        same = same && same_affine(&a->range[t].begin, &b->range[t].begin) &&
               same_affine(&a->range[t].end, &b->range[t].end) &&
               a->range[t].stride == b->range[t].stride;
    }
    return same;
}

/* "written <- all that is touched but that". */
static hit_status join(const hit_pattern *written, hit_inferred *inferred)
{
    hit_pattern both;
    hit_status status = HIT_OK;

    HIT_TRY(hit_pattern_init(written->index_dims, written->tile_dims, &both));
    status = hit_pattern_add(&both, &written->access[0]);
    for (int a = 0; a < inferred->pattern.count && status == HIT_OK; a++) {
        const hit_access *one = &inferred->pattern.access[a];

        if (same_access(one, &both.access[0])) continue;
        status = hit_pattern_add(&both, one);
        both.only_read = both.count - 1;
    }
    if (status != HIT_OK || both.only_read == 0) {
        hit_pattern_clear(&both);
        return status;
    }
    hit_pattern_clear(&inferred->pattern);
    inferred->pattern = both;
    inferred->shared = false;
    return HIT_OK;
}

static hit_status fit(writing *w, int count, const hit_check_shape touched[],
                      hit_check_shape shape[], hit_inferred *inferred)
{
    hit_inferred own = {0};
    char *element = NULL;
    hit_status status =
        hit_memory_zeroed(1, w->replica->kernel->arg[w->k].type.size_bytes, &element);

    for (int s = 0; s < count && status == HIT_OK; s++) {
        status = look(w, &touched[s], element, &shape[s]);
    }
    free(element);
    HIT_TRY(status);
    HIT_TRY(hit_fit(w->replica, w->k, count, shape, &own));
    if (own.touched && own.affine && hit_pattern_is_element(&own.pattern)) {
        status = join(&own.pattern, inferred);
    }
    hit_inferred_clear(&own);
    return status;
}

hit_status hit_infer_own(hit_recorder *recorder, int k, int count,
                         const hit_check_shape shape[], hit_inferred *inferred)
{
    writing w = {.recorder = recorder, .replica = recorder->replica, .k = k};
    hit_check_shape *written = NULL;
    hit_status status;

    if (w.replica->kernel->checked == NULL || !inferred->affine) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)count + 1, sizeof(hit_check_shape), &written));
    status = fit(&w, count, shape, written, inferred);
    free(written);
    return status;
}
