/* SPDX-License-Identifier: MIT
 * Modes by trying: the elements that an index touches get other contents, and what
 * comes out says whether they were read and written. A reduction is known by what it
 * makes of its start. */
#include "hit/check/check_impl.h"
#include "patterns/reduce.h"

#include <string.h>

/* The touched elements of all arguments after a run. */
typedef struct outcome {
    int count[HIT_MAX_ARGS];
    hit_index *cell[HIT_MAX_ARGS];
    char *value[HIT_MAX_ARGS];
    hit_arrays arrays; /* of these */
} outcome;

typedef struct look {
    hit_recorder *recorder;
    const hit_replica *replica;
    int k;
    const hit_index *at;
    size_t size; /* of an element of argument k */
    hit_type type;
    int probed; /* what it touches, of a kernel without a checked half */
    hit_touched *probe;
} look;

static void outcome_clear(outcome *o)
{
    hit_arrays_free(&o->arrays);
    *o = (outcome){0};
}

static hit_status keep(const look *l, outcome *o)
{
    for (int a = 0; a < l->replica->kernel->args; a++) {
        const hit_record *record = &l->recorder->of[a];
        const hit_replica_arg *arg = &l->replica->arg[a];
        const size_t size = arg->view.size_bytes;
        const size_t room = (size_t)record->count + 1;

        if (arg->value != NULL) continue;
        HIT_TRY(HIT_TAKE(&o->arrays, room, o->cell[a]));
        HIT_TRY(hit_arrays_take(&o->arrays, room, size, &o->value[a]));
        for (int t = 0; t < record->count; t++) {
            const hit_index cell = record->list[t].cell;

            if (cell < 0) continue;
            o->cell[a][o->count[a]] = cell;
            memcpy(o->value[a] + (size_t)o->count[a] * size, hit_replica_now(arg, cell),
                   size);
            o->count[a]++;
        }
    }
    return HIT_OK;
}

/* Without a checked half nothing is recorded: what was found by probing counts as touched
 * of the argument itself, and everything of the others. */
static void touch_all(const look *l)
{
    hit_index at[HIT_MAX_DIMS];

    for (int t = 0; t < l->probed; t++) {
        hit_record_add(&l->recorder->of[l->k], l->probe[t].at);
    }
    for (int a = 0; a < l->replica->kernel->args; a++) {
        const hit_replica_arg *arg = &l->replica->arg[a];

        if (arg->value != NULL || a == l->k) continue;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            hit_replica_element(arg, cell, at);
            hit_record_add(&l->recorder->of[a], at);
        }
    }
}

/* Run with *element (NULL: what the launch finds; or one each, from the outcome @p each)
 * in all touched elements of the argument. */
static hit_status run(const look *l, const outcome *plain, const char *element,
                      const char *each, outcome *o)
{
    const hit_replica_arg *arg = &l->replica->arg[l->k];

    for (int t = 0; plain != NULL && t < plain->count[l->k]; t++) {
        const char *from = element;

        if (each != NULL) from = each + (size_t)t * l->size;
        if (from == NULL) continue;
        memcpy(hit_replica_now(arg, plain->cell[l->k][t]), from, l->size);
    }
    HIT_TRY(hit_recorder_run(l->recorder, l->at));
    if (l->replica->kernel->checked == NULL) touch_all(l);
    HIT_TRY(keep(l, o));
    hit_recorder_restore(l->recorder);
    for (int t = 0; plain != NULL && t < plain->count[l->k]; t++) {
        hit_replica_reset(arg, plain->cell[l->k][t]);
    }
    return HIT_OK;
}

/* Are the same elements of argument @p m touched? */
static bool same_cells(int m, const outcome *a, const outcome *b)
{
    return a->count[m] == b->count[m] &&
           memcmp(a->cell[m], b->cell[m], (size_t)a->count[m] * sizeof(hit_index)) == 0;
}

/* Do the other arguments end up alike, and are the same elements touched? */
static bool others_agree(const look *l, const outcome *a, const outcome *b)
{
    for (int m = 0; m < l->replica->kernel->args; m++) {
        const size_t bytes = (size_t)a->count[m] * l->replica->arg[m].view.size_bytes;

        if (a->cell[m] == NULL || b->cell[m] == NULL) continue; /* a value */
        if (!same_cells(m, a, b)) return false;
        if (m != l->k && memcmp(a->value[m], b->value[m], bytes) != 0) return false;
    }
    return true;
}

/* An element became @p a where it was @p old, and @p b where it was @p poison: does what
 * is written depend on that? Structs may keep their padding. */
static bool depends(const look *l, const char *a, const char *old, const char *b,
                    const char *poison)
{
    if (l->type.kind != HIT_KIND_BYTES) return memcmp(a, b, l->size) != 0;
    for (size_t k = 0; k < l->size; k++) {
        if (a[k] != b[k] && (a[k] != old[k] || b[k] != poison[k])) return true;
    }
    return false;
}

static void judge(const look *l, const outcome *plain, const outcome *other,
                  const char *poison, hit_mode_seen *seen)
{
    const hit_replica_arg *arg = &l->replica->arg[l->k];

    if (!others_agree(l, plain, other)) seen->read = true;
    if (!same_cells(l->k, plain, other)) return;
    for (int t = 0; t < plain->count[l->k]; t++) {
        const size_t offset = (size_t)t * l->size;
        const char *a = plain->value[l->k] + offset;
        const char *b = other->value[l->k] + offset;
        const char *old = hit_replica_was(arg, plain->cell[l->k][t]);
        const bool changed = memcmp(a, old, l->size) != 0;
        const bool unchanged = memcmp(b, poison, l->size) == 0;

        if (changed || !unchanged) {
            seen->written = true;
            if (depends(l, a, old, b, poison)) seen->read = true;
        } else {
            seen->kept = true;
        }
    }
}

/* The second run found what the first one wrote: is all as it was after that? A body that
 * only compares what it writes shows itself by this alone. */
static bool stays(const look *l, const outcome *first, const outcome *second)
{
    return others_agree(l, first, second) &&
           memcmp(first->value[l->k], second->value[l->k],
                  (size_t)first->count[l->k] * l->size) == 0;
}

/* Does the body keep to reduction @p mode? */
static hit_status try_reduction(const look *l, const outcome *first, hit_mode mode,
                                char *element, bool *right, bool *moved)
{
    outcome plain = {0};
    outcome second = {0};
    char *start;
    hit_status status;
    const size_t count = (size_t)first->count[l->k];

    if (mode == HIT_MODE_SUM) {
        HIT_TRY(hit_reduce_identity((hit_reducer){mode, l->type, NULL}, element, 1));
    } else {
        hit_poison_edge(mode == HIT_MODE_MIN, l->type, element);
    }
    HIT_TRY_GOTO(status, run(l, first, element, NULL, &plain), done);
    *right = plain.count[l->k] == first->count[l->k];
    HIT_TRY_GOTO(status, hit_arrays_take(&plain.arrays, count + 1, l->size, &start),
                 done);
    for (size_t t = 0; t < count && *right; t++) {
        if (mode == HIT_MODE_SUM) {
            hit_poison_start(mode, l->type, plain.value[l->k] + t * l->size,
                             start + t * l->size);
        } else {
            hit_poison_edge(mode == HIT_MODE_MAX, l->type, start + t * l->size);
        }
        *moved = *moved || memcmp(plain.value[l->k] + t * l->size, element, l->size) != 0;
    }
    HIT_TRY_GOTO(status, run(l, first, NULL, start, &second), done);
    for (size_t t = 0; t < count && *right; t++) {
        *right = second.count[l->k] == first->count[l->k] &&
                 hit_poison_reduces(mode, l->type, start + t * l->size,
                                    plain.value[l->k] + t * l->size,
                                    second.value[l->k] + t * l->size);
    }
    if (*right && mode != HIT_MODE_SUM) { /* a bad start is as good as none */
        outcome_clear(&second);
        hit_poison_make(mode == HIT_MODE_MIN ? HIT_POISON_HIGH : HIT_POISON_LOW, l->type,
                        element);
        HIT_TRY_GOTO(status, run(l, first, element, NULL, &second), done);
        *right = memcmp(plain.value[l->k], second.value[l->k], count * l->size) == 0;
    }
done:
    outcome_clear(&plain);
    outcome_clear(&second);
    return status;
}

static hit_status look_at(const look *l, char *element, hit_mode_seen *seen)
{
    static const hit_mode reduction[] = {HIT_MODE_SUM, HIT_MODE_MIN, HIT_MODE_MAX};
    bool *wrong[] = {&seen->not_sum, &seen->not_min, &seen->not_max};
    outcome plain = {0};
    outcome other = {0};
    hit_status status;

    HIT_TRY_GOTO(status, run(l, NULL, NULL, NULL, &plain), done);
    for (int kind = HIT_POISON_NAN; kind <= HIT_POISON_LOW; kind++) {
        hit_poison_make((hit_poison)kind, l->type, element);
        HIT_TRY_GOTO(status, run(l, &plain, element, NULL, &other), done);
        judge(l, &plain, &other, element, seen);
        outcome_clear(&other);
    }
    HIT_TRY_GOTO(status, run(l, &plain, NULL, plain.value[l->k], &other), done);
    if (!stays(l, &plain, &other)) seen->read = true;
    for (int m = 0; m < 3; m++) {
        bool right = false;
        bool moved = false;

        if (*wrong[m] || l->type.kind == HIT_KIND_BYTES) continue;
        HIT_TRY_GOTO(status,
                     try_reduction(l, &plain, reduction[m], element, &right, &moved),
                     done);
        *wrong[m] = !right;
        if (m == 0) seen->moved_sum = seen->moved_sum || moved;
    }
done:
    outcome_clear(&plain);
    outcome_clear(&other);
    return status;
}

/* Find what the kernel touches, and keep it. */
static hit_status keep_probe(look *l, hit_arrays *arrays)
{
    const hit_record *record = &l->recorder->of[l->k];

    HIT_TRY(hit_probe(l->recorder, l->k, l->at));
    l->probed = record->count;
    HIT_TRY(HIT_TAKE(arrays, (size_t)l->probed + 1, l->probe));
    memcpy(l->probe, record->list, sizeof(hit_touched) * (size_t)l->probed);
    return HIT_OK;
}

hit_status hit_mode_look(hit_recorder *recorder, int k, const hit_index at[],
                         hit_mode_seen *seen)
{
    const hit_replica *replica = recorder->replica;
    look l = {.recorder = recorder,
              .replica = replica,
              .k = k,
              .at = at,
              .size = replica->kernel->arg[k].type.size_bytes,
              .type = replica->kernel->arg[k].type};
    hit_arrays arrays = {NULL};
    char *element;
    hit_status status = hit_arrays_take(&arrays, 1, l.size, &element);

    if (status == HIT_OK && replica->kernel->checked == NULL) {
        status = keep_probe(&l, &arrays);
    }
    if (status == HIT_OK) status = look_at(&l, element, seen);
    hit_arrays_free(&arrays);
    return status;
}

hit_mode hit_mode_decide(const hit_mode_seen *seen, bool shared)
{
    if (!seen->written) return HIT_MODE_IN;
    if (shared && seen->read && !seen->not_sum && seen->moved_sum) return HIT_MODE_SUM;
    if (shared && seen->read && !seen->not_min) return HIT_MODE_MIN;
    if (shared && seen->read && !seen->not_max) return HIT_MODE_MAX;
    return seen->read || seen->kept ? HIT_MODE_INOUT : HIT_MODE_OUT;
}
