/* SPDX-License-Identifier: MIT
 * Calls of a kernel's functions, and kernels that are made when the program runs. */
#include "patterns/kernel.h"

#include "hit/base/memory.h"
#include "hit/base/status_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/where.h"

#include <string.h>

/* The status of the kernel's function that was called when there were so many texts. */
static hit_status told(const hit_kernel *kernel, hit_status status, uint64_t failures)
{
    if (status == HIT_OK || hit_status_failures() != failures) return status;
    return HIT_FAIL(status,
                    "kernel %s returned %s without a text: return HIT_FAIL(%s, \"...\")",
                    kernel->name, hit_status_name(status), hit_status_name(status));
}

typedef struct restricted {
    hit_kernel_function function;
    const hit_kernel_rows *rows; /* NULL: the function is called for each row */
    int dims;
    int dense; /* are all slots? */
    hit_run run;
} restricted;

static void set_box(restricted *r, const hit_domain *box)
{
    hit_run_set_box(&r->run, box);
    r->run.dense &= r->dense;
}

static hit_status call_box(void *of, const hit_domain *box)
{
    restricted *r = of;

    set_box(r, box);
    return r->function(&r->run);
}

/* Has the kernel loops for such rows: one index along other dimensions? */
static bool goes_by_rows(const restricted *r, const hit_domain *first,
                         const hit_ranges *ranges)
{
    if (r->rows == NULL || ranges->across != r->dims - 1) return false;
    for (int d = 0; d < r->dims - 1; d++) {
        if (first->sig[d].begin < first->sig[d].end) return false;
    }
    return true;
}

static hit_status call_rows(void *of, const hit_domain *first, const hit_ranges *ranges)
{
    restricted *r = of;
    hit_run *run = &r->run;
    const int d = ranges->dim;
    const int e = ranges->across;
    hit_index x = first->sig[d].begin;

    set_box(r, first);
    if (goes_by_rows(r, first, ranges)) return r->rows->run(run, ranges);
    for (hit_index k = 0; k < ranges->count; k++, x += ranges->by) {
        if (ranges->begin[k] > ranges->end[k]) continue;
        run->begin[d] = run->end[d] = x;
        run->begin[e] = ranges->begin[k];
        run->end[e] = ranges->end[k];
        HIT_TRY(r->function(run));
    }
    return HIT_OK;
}

/* On boxes of which all indices are to run, rows mostly. */
static hit_status call_where(const hit_kernel *kernel, hit_kernel_function function,
                             const hit_run *run)
{
    hit_domain box = {.dims = kernel->dims};
    restricted r; /* not cleared as a whole: it is large */
    const hit_where_visitor visitor = {call_box, call_rows, &r};

    for (int d = 0; d < box.dims; d++) {
        box.sig[d] = hit_sig_make(run->begin[d], run->end[d], run->stride[d]);
    }
    if (hit_where_holds(run->where, &box)) return function(run);
    r.function = function;
    r.rows = function == kernel->host ? kernel->rows : NULL;
    r.dims = kernel->dims;
    hit_run_copy(&r.run, run, kernel->args);
    r.dense = 1;
    for (int k = 0; k < kernel->args; k++) {
        r.dense &= run->slot[k].dense;
    }
    if (!r.dense || (r.rows != NULL && r.rows->run == NULL)) r.rows = NULL;
    return hit_where_each_row(run->where, &box, kernel->order, run->slot, &visitor);
}

hit_status hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                           const hit_run *run)
{
    const uint64_t failures = hit_status_failures();
    const hit_status status =
        run->where == NULL ? function(run) : call_where(kernel, function, run);

    return told(kernel, status, failures);
}

hit_status hit_kernel_prepare(const hit_kernel *kernel, void **prepared)
{
    const uint64_t failures = hit_status_failures();

    *prepared = NULL;
    if (kernel->prepare == NULL) return HIT_OK;
    return told(kernel, kernel->prepare(prepared), failures);
}

hit_status hit_kernel_enter(const hit_kernel *kernel, const hit_group *group)
{
    const uint64_t failures = hit_status_failures();

    return told(kernel, kernel->own_threads->enter(group), failures);
}

/* Texts, one behind the other. */
typedef struct texts {
    char *at; /* NULL: they are only measured */
    size_t bytes;
} texts;

static const char *keep_text(const char *text, texts *all)
{
    const size_t bytes = text != NULL ? strlen(text) + 1 : 0;
    char *kept = all->at != NULL ? all->at + all->bytes : NULL;

    if (text == NULL) return NULL;
    if (kept != NULL) memcpy(kept, text, bytes);
    all->bytes += bytes;
    return kept;
}

/* A kernel with all that it points to, but for functions and the names of types. */
typedef struct copied {
    hit_kernel kernel;
    hit_kernel_arg arg[HIT_MAX_ARGS];
    hit_operations operations;
    hit_kernel_on on;
    hit_kernel_threads own_threads;
    hit_kernel_rows rows;
    hit_along along[HIT_MAX_DIMS * HIT_MAX_ARGS];
    char text[];
} copied;

static void copy(const hit_kernel *kernel, const char *const pattern[], copied *to,
                 texts *all)
{
    to->kernel = *kernel;
    to->kernel.name = keep_text(kernel->name, all);
    for (int d = 0; d < kernel->dims; d++) {
        to->kernel.index[d] = keep_text(kernel->index[d], all);
    }
    for (int k = 0; k < kernel->args; k++) {
        const bool other = pattern != NULL && pattern[k] != NULL;

        to->arg[k] = kernel->arg[k];
        to->arg[k].name = keep_text(kernel->arg[k].name, all);
        to->arg[k].pattern = keep_text(other ? pattern[k] : kernel->arg[k].pattern, all);
    }
    to->kernel.arg = to->arg;
    for (int k = 0; k < kernel->alongs; k++) {
        to->along[k] = kernel->along[k];
    }
    if (kernel->along != NULL) to->kernel.along = to->along;
    if (kernel->operations != NULL) {
        to->operations = *kernel->operations;
        to->kernel.operations = &to->operations;
    }
    if (kernel->on != NULL) {
        to->on.devices = keep_text(kernel->on->devices, all);
        to->kernel.on = &to->on;
    }
    if (kernel->own_threads != NULL) {
        to->own_threads = *kernel->own_threads;
        to->kernel.own_threads = &to->own_threads;
    }
    if (kernel->rows != NULL) {
        to->rows = *kernel->rows;
        to->kernel.rows = &to->rows;
    }
}

static hit_status check(const hit_kernel *kernel, const char *const pattern[])
{
    const int alongs = HIT_MAX_DIMS * HIT_MAX_ARGS;

    if (kernel == NULL || kernel->name == NULL || kernel->arg == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a kernel with a name and arguments but found NULL");
    }
    if (kernel->dims < 1 || kernel->dims > HIT_MAX_DIMS || kernel->args < 1 ||
        kernel->args > HIT_MAX_ARGS || kernel->alongs < 0 || kernel->alongs > alongs) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected 1 to %d indices, 1 to %d arguments and 0 to "
                        "%d dimensions in HIT_ALONG but found %d, %d and %d",
                        kernel->name, HIT_MAX_DIMS, HIT_MAX_ARGS, alongs, kernel->dims,
                        kernel->args, kernel->alongs);
    }
    for (int k = 0; k < kernel->args && pattern != NULL; k++) {
        if (pattern[k] == NULL || kernel->arg[k].mode != HIT_MODE_VALUE) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected NULL for a value but found the "
                        "pattern \"%s\"",
                        kernel->name,
                        kernel->arg[k].name != NULL ? kernel->arg[k].name : "",
                        pattern[k]);
    }
    return HIT_OK;
}

hit_status hit_kernel_with_patterns(const hit_kernel *kernel, const char *const pattern[],
                                    hit_kernel **made)
{
    copied measured;
    copied *memory = NULL;
    texts all = {.at = NULL};

    HIT_TRY(check(kernel, pattern));
    if (made == NULL) return HIT_FAIL(HIT_E_ARG, "expected a place for the kernel");
    copy(kernel, pattern, &measured, &all);
    HIT_TRY(hit_memory_zeroed(1, sizeof(*memory) + all.bytes, &memory));
    all = (texts){.at = memory->text};
    copy(kernel, pattern, memory, &all);
    *made = &memory->kernel;
    return HIT_OK;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_along(hit_along a, hit_along b)
{
    return a.arg == b.arg && a.dim == b.dim;
}

static bool same_operations(const hit_operations *a, const hit_operations *b)
{
    if (a == NULL || b == NULL) return a == b;
    return a->per_index == b->per_index && a->per_step == b->per_step &&
           same_along(a->along, b->along);
}

static bool same_on(const hit_kernel *a, const hit_kernel *b)
{
    return same_text(a->on != NULL ? a->on->devices : NULL,
                     b->on != NULL ? b->on->devices : NULL);
}

static bool same_threads(const hit_kernel_threads *a, const hit_kernel_threads *b)
{
    if (a == NULL || b == NULL) return a == b;
    return a->enter == b->enter;
}

static bool same_rows(const hit_kernel_rows *a, const hit_kernel_rows *b)
{
    if (a == NULL || b == NULL) return a == b;
    return a->run == b->run;
}

static bool same_arg(const hit_kernel_arg *a, const hit_kernel_arg *b)
{
    return a->mode == b->mode && a->type.kind == b->type.kind &&
           a->type.size_bytes == b->type.size_bytes && same_text(a->name, b->name) &&
           same_text(a->pattern, b->pattern);
}

bool hit_kernel_same(const hit_kernel *a, const hit_kernel *b)
{
    if (a->dims != b->dims || a->args != b->args || a->whole_box != b->whole_box ||
        a->strict != b->strict || a->alongs != b->alongs || a->prepare != b->prepare ||
        a->host != b->host || a->cuda != b->cuda || a->checked != b->checked ||
        !same_text(a->name, b->name) || !same_operations(a->operations, b->operations) ||
        !same_on(a, b) || !same_threads(a->own_threads, b->own_threads) ||
        !same_rows(a->rows, b->rows)) {
        return false;
    }
    for (int d = 0; d < a->dims; d++) {
        if (!same_text(a->index[d], b->index[d])) return false;
        if (a->order[d] != b->order[d]) return false;
    }
    for (int k = 0; k < a->alongs; k++) {
        if (!same_along(a->along[k], b->along[k])) return false;
    }
    for (int k = 0; k < a->args; k++) {
        if (!same_arg(&a->arg[k], &b->arg[k])) return false;
        if (!same_text(a->c_type[k], b->c_type[k])) return false;
        if (a->reduction[k] != b->reduction[k]) return false;
    }
    return true;
}
