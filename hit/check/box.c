/* SPDX-License-Identifier: MIT
 * Kernels whose accesses cannot be recorded: library calls, and element kernels without a
 * checked half. They run on the whole launch and on some single indices. What is not
 * declared has to stay as it is, and whatever is put there must not change a result; what
 * is declared as out has to be written, whatever was there. */
#include "hit/check/check_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"
#include "patterns/transform.h"

#include <string.h>

/* What is put where before a run. */
typedef struct stuffing {
    hit_poison out; /* what is declared of out arguments */
    int around;     /* argument whose undeclared elements are poisoned; -1: none */
    bool again;     /* in out arguments what the first run wrote, not poison */
} stuffing;

typedef struct boxed {
    hit_replica *replica;
    hit_report *report;
    hit_domain box;
    bool *declared[HIT_MAX_ARGS]; /* per cell */
    char *first[HIT_MAX_ARGS];    /* results of the first run */
    hit_arrays arrays;
} boxed;

/* NULL: argument k is a value, which has no cells. */
static const hit_replica_arg *tile_of(const boxed *b, int k)
{
    if (b->declared[k] == NULL || b->first[k] == NULL) return NULL;
    return &b->replica->arg[k];
}

static char *cell_of(const hit_replica_arg *arg, char *data, hit_index cell)
{
    return data + (size_t)cell * arg->view.size_bytes;
}

static hit_status run(const boxed *b, const stuffing *with)
{
    const hit_kernel *kernel = b->replica->kernel;
    const hit_run one = hit_replica_run(b->replica, &b->box);

    hit_replica_restore(b->replica);
    for (int k = 0; k < kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);
        const hit_mode mode = kernel->arg[k].mode;

        if (arg == NULL) continue;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            char *at = hit_replica_now(arg, cell);

            if (b->declared[k][cell] && mode == HIT_MODE_OUT && with->again) {
                memcpy(at, cell_of(arg, b->first[k], cell), arg->view.size_bytes);
            } else if (b->declared[k][cell] && mode == HIT_MODE_OUT) {
                hit_poison_make(with->out, kernel->arg[k].type, at);
            } else if (b->declared[k][cell] && hit_mode_reduces(mode)) {
                /* the launch was refused where there is none */
                (void)hit_reduce_identity(hit_reducer_of(kernel, k), at, 1);
            } else if (!b->declared[k][cell] && with->around == k) {
                hit_poison_make(HIT_POISON_NAN, kernel->arg[k].type, at);
            }
        }
    }
    return hit_kernel_call(kernel, kernel->host, &one);
}

static void report(const boxed *b, int k, hit_index cell, const char *what)
{
    char element[100];
    char indices[100];

    if (!hit_report_first(b->report)) return;
    hit_replica_print_cell(&b->replica->arg[k], cell, element, sizeof(element));
    hit_domain_print(&b->box, indices, sizeof(indices));
    hit_report_write(b->report, b->replica, k,
                     "indices %s: element %s %s; declared is \"%s\"", indices, element,
                     what, b->replica->kernel->arg[k].pattern);
}

/* May it be written, if it is declared? What stands behind "<-" may not. */
static bool is_written(const boxed *b, int k, hit_index cell)
{
    const hit_replica_arg *arg = &b->replica->arg[k];
    const hit_pattern written = hit_pattern_written(&b->replica->pattern[k]);
    hit_index at[HIT_MAX_DIMS];
    hit_domain all;

    if (b->replica->pattern[k].only_read == 0) return true;
    hit_replica_element(arg, cell, at);
    all = hit_pattern_cover(&written, &arg->domain, &b->box); /* it has no holes */
    return hit_domain_has(&all, at);
}

/* After the first run: what may not be written stayed as it was. */
static void check_kept(const boxed *b)
{
    for (int k = 0; k < b->replica->kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);
        const bool in = b->replica->kernel->arg[k].mode == HIT_MODE_IN;

        if (arg == NULL) continue;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            if (b->declared[k][cell] && !in && is_written(b, k, cell)) continue;
            if (hit_replica_is_kept(arg, cell)) continue;
            report(b, k, cell,
                   in ? "is written, but the mode is in"
                      : "is written, but not declared");
        }
    }
}

/* After the second run: out elements hold the same as after the first, and not what was
 * put there. Where data says which element is written, more may be declared. */
static void check_out(const boxed *b, const stuffing *first, const stuffing *second)
{
    const hit_poison before[] = {first->out, second->out};

    for (int k = 0; k < b->replica->kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);
        const hit_type type = b->replica->kernel->arg[k].type;

        if (arg == NULL || b->replica->kernel->arg[k].mode != HIT_MODE_OUT) continue;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            const char *const after[] = {cell_of(arg, b->first[k], cell),
                                         hit_replica_now(arg, cell)};
            hit_poison_trace found = HIT_POISON_GONE;

            if (b->declared[k][cell]) found = hit_poison_compare(type, before, after);
            if (found == HIT_POISON_LEFT && b->replica->pattern[k].lookups == NULL) {
                report(b, k, cell, "is not written, but the mode is out");
            }
            if (found == HIT_POISON_SPREAD) {
                report(b, k, cell, "is read before it is written, but the mode is out");
            }
        }
    }
}

/* With poison around what is declared of argument @p around, results are the same. */
static hit_status check_around(const boxed *b, const stuffing *first, int around)
{
    const stuffing with = {first->out, around, false};
    const hit_replica_arg *poisoned = tile_of(b, around);
    hit_index outside = -1;

    if (poisoned == NULL) return HIT_OK;
    for (hit_index cell = 0; cell < poisoned->cells && outside < 0; cell++) {
        if (!b->declared[around][cell]) outside = cell;
    }
    if (outside < 0) return HIT_OK;
    HIT_TRY(run(b, &with));
    for (int k = 0; k < b->replica->kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);

        for (hit_index cell = 0; arg != NULL && cell < arg->cells; cell++) {
            if (!b->declared[k][cell]) continue;
            if (memcmp(hit_replica_now(arg, cell), cell_of(arg, b->first[k], cell),
                       arg->view.size_bytes) == 0) {
                continue;
            }
            report(b, around, outside,
                   "or another one outside is read, but not declared");
            return HIT_OK;
        }
    }
    return HIT_OK;
}

/* After a run with what the first one wrote in out elements: is all as it was after that?
 */
static void check_compared(const boxed *b)
{
    bool differs = false;

    for (int k = 0; k < b->replica->kernel->args && !differs; k++) {
        const hit_replica_arg *arg = tile_of(b, k);

        if (arg == NULL) continue;
        differs = memcmp(arg->view.data, b->first[k], hit_replica_bytes(arg)) != 0;
    }
    for (int k = 0; k < b->replica->kernel->args && differs; k++) {
        const hit_replica_arg *arg = tile_of(b, k);

        if (arg == NULL || b->replica->kernel->arg[k].mode != HIT_MODE_OUT) continue;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            if (!b->declared[k][cell]) continue;
            report(b, k, cell,
                   "or another one is compared with something before it is written, but "
                   "the mode is out");
            return;
        }
    }
}

typedef struct declaring {
    const hit_replica *replica;
    int k;
    const hit_replica_arg *arg;
    bool *declared;
} declaring;

static void declare(void *of, const hit_domain *domain)
{
    const declaring *d = of;

    HIT_FOR_EACH (at, *domain) {
        d->declared[hit_replica_cell(d->arg, at)] = true;
    }
}

static hit_status declare_box(void *of, const hit_domain *box)
{
    const declaring *d = of;

    return hit_replica_touched(d->replica, d->k, box, declare, of);
}

/* Inequalities ask the arguments in which they stand of all indices. */
static hit_status mark_declared(boxed *b)
{
    const hit_where *where = b->replica->where;
    const hit_run run = hit_replica_run(b->replica, &b->box);
    const unsigned asked = hit_where_looks_in(where);

    if (asked != 0) hit_replica_restore(b->replica);
    for (int k = 0; k < b->replica->kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);
        declaring of = {b->replica, k, arg, b->declared[k]};

        if (arg == NULL) continue;
        memset(b->declared[k], 0, sizeof(bool) * (size_t)arg->cells);
        HIT_TRY(hit_where_each((asked >> k & 1u) != 0 ? NULL : where, &b->box,
                               b->replica->kernel->order, run.slot, declare_box, &of));
    }
    return HIT_OK;
}

static hit_status check_one(boxed *b, const hit_domain *box)
{
    const stuffing first = {HIT_POISON_NAN, -1, false};
    const stuffing second = {HIT_POISON_HIGH, -1, false};
    const stuffing third = {HIT_POISON_NAN, -1, true};
    const uint64_t reports = b->report->count;

    b->box = *box;
    HIT_TRY(mark_declared(b));
    HIT_TRY(run(b, &first));
    check_kept(b);
    for (int k = 0; k < b->replica->kernel->args; k++) {
        const hit_replica_arg *arg = tile_of(b, k);

        if (arg == NULL) continue;
        memcpy(b->first[k], arg->view.data, hit_replica_bytes(arg));
    }
    HIT_TRY(run(b, &second));
    check_out(b, &first, &second);
    if (b->report->count == reports) {
        HIT_TRY(run(b, &third));
        check_compared(b);
    }
    for (int k = 0; k < b->replica->kernel->args; k++) {
        HIT_TRY(check_around(b, &first, k));
    }
    return HIT_OK;
}

/* The whole launch, and its corners and middle alone. */
static hit_status check_all(boxed *b)
{
    const hit_domain *whole = &b->replica->index;

    if (hit_domain_is_empty(whole)) return HIT_OK;
    HIT_TRY(check_one(b, whole));
    for (unsigned corner = 0; corner <= 1u << whole->dims; corner++) {
        hit_domain one = *whole;

        for (int d = 0; d < whole->dims; d++) {
            const hit_sig sig = whole->sig[d];
            hit_index x = corner >> d & 1u ? sig.end : sig.begin;

            if (corner == 1u << whole->dims) x = hit_sig_at(sig, hit_sig_count(sig) / 2);
            one.sig[d] = hit_sig_make(x, x, 1);
        }
        HIT_TRY(check_one(b, &one));
    }
    return HIT_OK;
}

hit_status hit_check_box(hit_replica *replica, hit_report *report_to)
{
    boxed b = {.replica = replica, .report = report_to};
    hit_status status = HIT_OK;

    for (int k = 0; k < replica->kernel->args && status == HIT_OK; k++) {
        const hit_replica_arg *arg = &replica->arg[k];
        const size_t cells = (size_t)arg->cells + 1;

        if (arg->value != NULL) continue;
        status = HIT_TAKE(&b.arrays, cells, b.declared[k]);
        if (status != HIT_OK) break;
        status = hit_arrays_take(&b.arrays, cells, arg->view.size_bytes, &b.first[k]);
    }
    if (status == HIT_OK) status = check_all(&b);
    hit_replica_restore(replica);
    hit_arrays_free(&b.arrays);
    return status;
}
