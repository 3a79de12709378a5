/* SPDX-License-Identifier: MIT
 * One index under the checker. C does not tell a read from a write, so the body runs
 * twice, with two different contents of what it may write: an element that holds what was
 * put there after both runs is not written, and one that holds different things after
 * them was read before it was written. Elements of reductions start from the identity,
 * and then from something that the reduction has to pass on. Both contents are unequal to
 * all that a body writes: one that only compares shows itself in a third run, which finds
 * what the first one wrote. */
#include "hit/base/alloc.h"
#include "hit/check/check_impl.h"
#include "patterns/reduce.h"
#include "patterns/transform.h"

#include <string.h>

/* ---- what is said of an element that an index touches and should not ---- */

static void tell_undeclared(hit_checker *c, int k, const hit_index at[],
                            const hit_touched *touched)
{
    const hit_pattern *pattern = &c->replica->pattern[k];
    const hit_domain *tile = &c->replica->arg[k].domain;
    char text[200];

    if (!hit_check_begin(c, k, at)) return;
    hit_replica_print_index(tile->dims, touched->at, text, sizeof(text));
    hit_report_add(c->report, "touches %s, but \"%s\" is", text,
                   c->replica->kernel->arg[k].pattern);
    for (int a = 0; a < pattern->count && a < 4; a++) {
        hit_domain_print(&c->box[k][a], text, sizeof(text));
        hit_report_add(c->report, "%s %s", a > 0 ? " and" : "", text);
    }
    hit_report_add(c->report, "%s there", pattern->count > 4 ? " ..." : "");
    if (!hit_domain_has(tile, touched->at)) {
        hit_domain_print(tile, text, sizeof(text));
        hit_report_add(c->report, ", and the tile is %s", text);
    }
    hit_check_end(c, k);
}

/* The index that touched a cell before: its number in the order of visits. */
static void tell_shared(hit_checker *c, int k, const hit_index at[],
                        const hit_touched *touched)
{
    const hit_index other = c->owner[k][touched->cell] - 1;
    const hit_domain *domain = &c->replica->index;
    hit_index first[HIT_MAX_DIMS];
    char text[100];

    if (!hit_check_begin(c, k, at)) return;
    hit_domain_at_place(domain, (uint64_t)other, first);
    hit_replica_print_index(domain->dims, first, text, sizeof(text));
    hit_report_add(c->report, "and index %s both touch ", text);
    hit_replica_print_index(c->replica->arg[k].domain.dims, touched->at, text,
                            sizeof(text));
    hit_report_add(c->report,
                   "%s, which is written: give each index elements of its own, or write "
                   "mode sum, min or max",
                   text);
}

static void tell_fresh(hit_checker *c, int k, const hit_index at[],
                       const hit_touched *touched)
{
    char text[100];

    if (!c->replica->arg[k].fresh) return;
    if (c->touches[k] > 1 || !hit_check_begin(c, k, at)) return;
    hit_replica_print_index(c->replica->arg[k].domain.dims, touched->at, text,
                            sizeof(text));
    hit_report_add(c->report,
                   "reads %s, but nothing has been written to the tile: fill it first",
                   text);
}

/* A cell whose content is compared after the runs. */
typedef struct hit_watch {
    int arg;
    hit_index cell;
} hit_watch;

/* ---- cells ---- */

static hit_mode mode_of(const hit_checker *c, int k)
{
    return c->replica->kernel->arg[k].mode;
}

/* Does the checker put something into what is declared before the body runs? */
static bool is_prepared(const hit_checker *c, int k)
{
    const hit_mode mode = mode_of(c, k);

    return mode == HIT_MODE_OUT || hit_mode_reduces(mode);
}

static char *now_of(const hit_checker *c, const hit_watch *w)
{
    return hit_replica_now(&c->replica->arg[w->arg], w->cell);
}

static char *value_of(const hit_checker *c, int number)
{
    return c->value + (size_t)number * c->element_bytes;
}

static size_t size_of(const hit_checker *c, const hit_watch *w)
{
    return c->replica->arg[w->arg].view.size_bytes;
}

static hit_status watch(hit_checker *c, int k, hit_index cell)
{
    static const char what[] = "what an index touches";
    const size_t count = (size_t)c->watched + 1;

    HIT_TRY(hit_memory_grow(count, &c->room, sizeof(*c->watch), what, &c->watch));
    HIT_TRY(hit_memory_grow(count, &c->value_room, c->element_bytes, what, &c->value));
    c->watch[c->watched++] = (hit_watch){k, cell};
    return HIT_OK;
}

static hit_status watch_declared(hit_checker *c, int k)
{
    const hit_replica_arg *arg = &c->replica->arg[k];

    for (int a = 0; a < c->replica->pattern[k].count; a++) {
        const hit_domain box = hit_domain_intersect(&c->box[k][a], &arg->view.domain);
        hit_index at[HIT_MAX_DIMS];

        if (!hit_domain_first(&box, at)) continue;
        do {
            HIT_TRY(watch(c, k, hit_replica_cell(arg, at)));
        } while (hit_domain_next(&box, at));
    }
    return HIT_OK;
}

/* ---- contents before a run ---- */

/* The first poison spreads; the second is high and low in turn, so that a least and a
 * greatest value show, too. */
static hit_poison poison_of(const hit_checker *c, int round)
{
    if (round == 0) return HIT_POISON_NAN;
    return c->number % 2 == 0 ? HIT_POISON_HIGH : HIT_POISON_LOW;
}

/* Let c->element be what a declared cell holds before a round. */
static void put_content(const hit_checker *c, int number, int round)
{
    const int k = c->watch[number].arg;
    const hit_type type = c->replica->kernel->arg[k].type;

    if (mode_of(c, k) == HIT_MODE_OUT) {
        hit_poison_make(poison_of(c, round), type, c->element);
    } else if (round == 0) {
        (void)hit_reduce_identity(hit_reducer_of(c->replica->kernel, k), c->element, 1);
    } else if (mode_of(c, k) == HIT_MODE_REDUCE) {
        memcpy(c->element, value_of(c, number), size_of(c, &c->watch[number]));
    } else {
        hit_poison_start(mode_of(c, k), type, value_of(c, number), c->element);
    }
}

static void prepare(hit_checker *c, int round)
{
    for (int n = 0; n < c->declared; n++) {
        put_content(c, n, round);
        memcpy(now_of(c, &c->watch[n]), c->element, size_of(c, &c->watch[n]));
    }
}

static void restore(const hit_checker *c)
{
    for (int n = 0; n < c->watched; n++) {
        const hit_watch *w = &c->watch[n];

        hit_replica_reset(&c->replica->arg[w->arg], w->cell);
    }
    hit_recorder_restore(&c->recorder);
}

/* ---- what was touched ---- */

/* Is it declared behind "<-" only? The launch was refused if another index writes it. */
static bool is_only_read(const hit_checker *c, int k, const hit_index element[])
{
    const hit_pattern *pattern = &c->replica->pattern[k];
    const int written = pattern->count - pattern->only_read;
    int a = 0;

    while (a < pattern->count && !hit_domain_has(&c->box[k][a], element)) {
        a++;
    }
    return a >= written && a < pattern->count;
}

static hit_status judge_touch(hit_checker *c, int k, const hit_index at[],
                              const hit_touched *touched)
{
    bool declared = false;

    c->touches[k]++;
    for (int a = 0; a < c->replica->pattern[k].count; a++) {
        if (!hit_domain_has(&c->box[k][a], touched->at)) continue;
        hit_tight_mark(c, k, a, touched->at);
        declared = true;
    }
    if (!declared) tell_undeclared(c, k, at, touched);
    if (touched->cell < 0) return HIT_OK;
    if (c->owner[k] != NULL && !is_only_read(c, k, touched->at)) {
        hit_index *owner = &c->owner[k][touched->cell];

        if (*owner != 0) tell_shared(c, k, at, touched);
        *owner = *owner != 0 ? *owner : c->number + 1;
    }
    if (!is_prepared(c, k)) tell_fresh(c, k, at, touched);
    return declared && is_prepared(c, k) ? HIT_OK : watch(c, k, touched->cell);
}

static hit_status judge_touches(hit_checker *c, const hit_index at[])
{
    for (int k = 0; k < c->replica->kernel->args; k++) {
        const hit_record *record = &c->recorder.of[k];

        if (record->found_dims >= 0 && hit_check_begin(c, k, at)) {
            hit_report_add(c->report,
                           "touches it with %d indices, but the tile has %d dimensions",
                           record->found_dims, record->arg->domain.dims);
        }
        for (int t = 0; t < record->count; t++) {
            HIT_TRY(judge_touch(c, k, at, &record->list[t]));
        }
    }
    return HIT_OK;
}

/* ---- what was written ---- */

static void report_value(hit_checker *c, int number, const hit_index at[],
                         const char *what, const char *why)
{
    const hit_watch *w = &c->watch[number];
    char text[100];

    if (!hit_check_begin(c, w->arg, at)) return;
    hit_replica_print_cell(&c->replica->arg[w->arg], w->cell, text, sizeof(text));
    hit_report_add(c->report, "%s %s%s", what, text, why);
    hit_check_end(c, w->arg);
}

/* Where data says which element is written, more may be declared. */
static void judge_out(hit_checker *c, int number, const hit_index at[])
{
    const hit_watch *w = &c->watch[number];
    const hit_poison before[] = {poison_of(c, 0), poison_of(c, 1)};
    const char *const after[] = {value_of(c, number), now_of(c, w)};
    const hit_type type = c->replica->kernel->arg[w->arg].type;
    const hit_poison_trace found = hit_poison_compare(type, before, after);

    if (found == HIT_POISON_LEFT &&
        !(c->replica->pattern[w->arg].lookups != NULL && c->touches[w->arg] > 0)) {
        report_value(c, number, at, "does not write",
                     ", but mode out promises every element of the pattern");
    }
    if (found == HIT_POISON_SPREAD) {
        report_value(c, number, at, "reads",
                     " before it is written, but mode out loads nothing");
    }
}

/* Does the body combine with what it found? That is known where what it makes of nothing,
 * combined with itself, is something else; a body that assigns leaves that. */
static bool combines(const hit_checker *c, int number)
{
    const hit_watch *w = &c->watch[number];
    const char *plain = value_of(c, number);

    c->replica->kernel->reduction[w->arg]->combine(c->element, plain, 1);
    return memcmp(now_of(c, w), plain, size_of(c, w)) != 0 ||
           memcmp(c->element, plain, size_of(c, w)) == 0;
}

static void judge_reduced(hit_checker *c, int number, const hit_index at[])
{
    const hit_watch *w = &c->watch[number];
    const hit_mode mode = mode_of(c, w->arg);
    const hit_type type = c->replica->kernel->arg[w->arg].type;

    put_content(c, number, 1);
    if (mode == HIT_MODE_REDUCE ? combines(c, number)
                                : hit_poison_reduces(mode, type, c->element,
                                                     value_of(c, number), now_of(c, w))) {
        return;
    }
    report_value(c, number, at, "does not reduce into",
                 mode == HIT_MODE_SUM ? ": mode sum adds to what is there"
                 : mode == HIT_MODE_REDUCE
                     ? ": mode reduce combines with what is there"
                     : ": modes min and max keep what is there unless they find better");
}

/* Why an element that an index touches must stay as it is; NULL: it need not. */
static const char *why_kept(const hit_checker *c, const hit_watch *w)
{
    hit_index element[HIT_MAX_DIMS];

    if (mode_of(c, w->arg) == HIT_MODE_IN) return ", but the mode is in";
    if (c->replica->pattern[w->arg].only_read == 0) return NULL;
    hit_replica_element(&c->replica->arg[w->arg], w->cell, element);
    if (!is_only_read(c, w->arg, element)) return NULL;
    return ", which stands behind <- and is only read";
}

static void judge_values(hit_checker *c, const hit_index at[])
{
    for (int n = 0; n < c->watched; n++) {
        const hit_watch *w = &c->watch[n];
        const char *was = hit_replica_was(&c->replica->arg[w->arg], w->cell);

        if (n < c->declared) {
            if (mode_of(c, w->arg) == HIT_MODE_OUT) judge_out(c, n, at);
            if (hit_mode_reduces(mode_of(c, w->arg))) judge_reduced(c, n, at);
        } else if (memcmp(value_of(c, n), was, size_of(c, w)) != 0) {
            const char *why = why_kept(c, w);

            if (why != NULL) report_value(c, n, at, "writes", why);
        }
    }
}

/* ---- what is only compared ---- */

/* Has the run changed elements that the first one did not touch? */
static bool writes_others(const hit_checker *c)
{
    for (int k = 0; k < c->replica->kernel->args; k++) {
        for (int t = 0; t < c->recorder.of[k].count; t++) {
            const hit_index cell = c->recorder.of[k].list[t].cell;
            bool watched = cell < 0 || hit_replica_is_kept(&c->replica->arg[k], cell);

            for (int n = 0; n < c->watched && !watched; n++) {
                watched = c->watch[n].arg == k && c->watch[n].cell == cell;
            }
            if (!watched) return true;
        }
    }
    return false;
}

/* As the first run, but for what that one wrote, which lies in declared cell @p only (-1:
 * in all) of mode out: does something else come out? */
static hit_status run_again(hit_checker *c, const hit_index at[], int only, bool *differs)
{
    *differs = false;
    prepare(c, 0);
    for (int n = 0; n < c->declared; n++) {
        const hit_watch *w = &c->watch[n];

        if (mode_of(c, w->arg) != HIT_MODE_OUT || (only >= 0 && n != only)) continue;
        memcpy(now_of(c, w), value_of(c, n), size_of(c, w));
    }
    HIT_TRY(hit_recorder_run(&c->recorder, at));
    *differs = writes_others(c);
    for (int n = 0; n < c->watched && !*differs; n++) {
        const hit_watch *w = &c->watch[n];

        *differs = memcmp(now_of(c, w), value_of(c, n), size_of(c, w)) != 0;
    }
    restore(c);
    return HIT_OK;
}

static hit_status judge_compared(hit_checker *c, const hit_index at[])
{
    bool differs = false;
    int out = 0;

    while (out < c->declared && mode_of(c, c->watch[out].arg) != HIT_MODE_OUT) {
        out++;
    }
    if (out < c->declared) HIT_TRY(run_again(c, at, -1, &differs));
    if (!differs) return HIT_OK;
    differs = false;
    for (int n = out; n < c->declared && !differs && c->report->count == 0; n++) {
        HIT_TRY(run_again(c, at, n, &differs));
        if (differs) out = n;
    }
    report_value(c, out, at, "compares",
                 " with something before it is written, but mode out loads nothing");
    return HIT_OK;
}

hit_status hit_check_index(hit_checker *c, const hit_index at[])
{
    const hit_replica *replica = c->replica;
    const hit_domain point = hit_domain_box(replica->kernel->dims, at, at);
    const uint64_t reports = c->report->count;

    c->watched = 0;
    for (int k = 0; k < replica->kernel->args; k++) {
        if (replica->arg[k].value != NULL) continue;
        for (int a = 0; a < replica->pattern[k].count; a++) {
            c->box[k][a] = hit_access_apply(&replica->pattern[k].access[a],
                                            &replica->arg[k].domain, &point);
        }
        if (is_prepared(c, k)) HIT_TRY(watch_declared(c, k));
    }
    c->declared = c->watched;
    prepare(c, 0);
    HIT_TRY(hit_recorder_run(&c->recorder, at));
    HIT_TRY(judge_touches(c, at));
    for (int n = 0; n < c->watched; n++) {
        memcpy(value_of(c, n), now_of(c, &c->watch[n]), size_of(c, &c->watch[n]));
    }
    if (c->declared > 0) {
        restore(c);
        prepare(c, 1);
        HIT_TRY(hit_recorder_run(&c->recorder, at));
    }
    judge_values(c, at);
    restore(c);
    return c->report->count == reports ? judge_compared(c, at) : HIT_OK;
}
