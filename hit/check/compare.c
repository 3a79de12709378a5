/* SPDX-License-Identifier: MIT
 * Differential test of a launch. A reduction of n terms rounds by at most n units in the
 * last place of the largest number it went through; it is run in slices to see that. A
 * library call may order its sums as it likes: the same bound, with the elements that it
 * reads as terms. A kernel that is not strict rounds as its compiler likes: the elements
 * that an index touches, and some more, are its terms, and the largest number of the
 * launch what they are summed to. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/check/check_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    SLICES = 64,
    MORE_TERMS = 16 /* than an index touches: what a body does with them */
};

/* What is visited gets a value. */
typedef struct filling {
    const hit_view *view;
    const void *element;
} filling;

static void fill(void *of, const hit_domain *domain)
{
    const filling *f = of;

    hit_view_fill(f->view, domain, f->element);
}

/* Elements between those that indices touch keep what they have. */
static hit_status start_reductions(hit_replica *replica)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_kernel_arg *declared = &replica->kernel->arg[k];
        _Alignas(max_align_t) char identity[HIT_MAX_REDUCED_BYTES];
        filling f = {&replica->arg[k].view, identity};

        if (!hit_mode_reduces(declared->mode)) continue;
        HIT_TRY(hit_reduce_identity(hit_reducer_of(replica->kernel, k), identity, 1));
        HIT_TRY(hit_replica_touched(replica, k, &replica->index, fill, &f));
    }
    return HIT_OK;
}

static void see_largest(const hit_replica *replica, int k, double *largest)
{
    const hit_replica_arg *arg = &replica->arg[k];

    for (hit_index cell = 0; cell < arg->cells; cell++) {
        const double size = hit_type_apart(replica->kernel->arg[k].type,
                                           hit_replica_now(arg, cell), NULL);

        if (isfinite(size) && size > *largest) *largest = size;
    }
}

/* Of the least precise numbers, which results go through. */
static double coarsest_unit(const hit_kernel *kernel)
{
    double unit = 0;

    for (int k = 0; k < kernel->args; k++) {
        unit = fmax(unit, hit_type_unit(kernel->arg[k].type));
    }
    return unit;
}

/* In all tiles; @p out: also in those that hold nothing yet. */
static void see_tiles(const hit_replica *replica, bool out, double *largest)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        const bool empty = replica->kernel->arg[k].mode == HIT_MODE_OUT && !out;

        if (replica->arg[k].value == NULL && !empty) see_largest(replica, k, largest);
    }
}

static void count_elements(void *of, const hit_domain *domain)
{
    *(double *)of += (double)hit_domain_count(domain);
}

/* The elements that @p at touches, in all arguments together. */
static hit_status count_touched(const hit_replica *replica, const hit_index at[],
                                double *count)
{
    const hit_domain point = hit_domain_box(replica->index.dims, at, at);
    double sum = 0;

    for (int k = 0; k < replica->kernel->args; k++) {
        if (replica->arg[k].value != NULL) continue;
        HIT_TRY(hit_replica_touched(replica, k, &point, count_elements, &sum));
    }
    if (sum > *count) *count = sum;
    return HIT_OK;
}

/* Of a kernel that is not strict, from the largest number that the launch saw; patterns
 * such as "[0:i]" are longest at the first or the last index. */
static hit_status find_rounding(const hit_replica *replica, double largest,
                                hit_reference *reference)
{
    hit_index at[HIT_MAX_DIMS] = {0};
    double terms = 0;

    for (int last = 0; last < 2; last++) {
        for (int d = 0; d < replica->index.dims; d++) {
            const hit_sig sig = replica->index.sig[d];

            at[d] = last ? sig.end : sig.begin;
        }
        HIT_TRY(count_touched(replica, at, &terms));
    }
    reference->rounding = coarsest_unit(replica->kernel) * (MORE_TERMS + terms) * largest;
    return HIT_OK;
}

/* Elements of @p size_bytes bytes, of which those in kept are @p poison everywhere. */
typedef struct padding {
    const hit_view *view;
    size_t size_bytes;
    char poison;
    bool *kept;
} padding;

static void poison_elements(void *of, const hit_domain *domain)
{
    const padding *p = of;

    HIT_FOR_EACH (at, *domain) {
        memset(hit_view_at(p->view, at), p->poison, p->size_bytes);
    }
}

static void look_for_poison(void *of, const hit_domain *domain)
{
    const padding *p = of;

    HIT_FOR_EACH (at, *domain) {
        const char *element = hit_view_at(p->view, at);

        for (size_t b = 0; b < p->size_bytes; b++) {
            p->kept[b] = p->kept[b] && element[b] == p->poison;
        }
    }
}

/* One run with poison in what argument @p k declares: which bytes of an element are the
 * same afterwards in all of them? */
static hit_status see_kept(hit_replica *replica, int k, hit_poison kind,
                           hit_reference *reference)
{
    const hit_run run = hit_replica_run(replica, &replica->index);
    padding p = {.view = &replica->arg[k].view,
                 .size_bytes = replica->kernel->arg[k].type.size_bytes,
                 .kept = reference->kept[k]};
    hit_status status;

    hit_poison_make(kind, HIT_TYPE(HIT_KIND_BYTES, 1), &p.poison);
    HIT_TRY(hit_replica_touched(replica, k, &replica->index, poison_elements, &p));
    status = hit_kernel_call(replica->kernel, replica->kernel->host, &run);
    if (status == HIT_OK) {
        status = hit_replica_touched(replica, k, &replica->index, look_for_poison, &p);
    }
    hit_replica_restore(replica);
    return status;
}

/* Structs that are written member by member keep their padding, whose bytes are not
 * defined. */
static hit_status find_padding(hit_replica *replica, hit_reference *reference)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_kernel_arg *arg = &replica->kernel->arg[k];

        if (arg->mode != HIT_MODE_OUT || arg->type.kind != HIT_KIND_BYTES) continue;
        HIT_TRY(
            hit_memory_zeroed(arg->type.size_bytes, sizeof(bool), &reference->kept[k]));
        memset(reference->kept[k], true, arg->type.size_bytes * sizeof(bool));
        HIT_TRY(see_kept(replica, k, HIT_POISON_NAN, reference));
        HIT_TRY(see_kept(replica, k, HIT_POISON_HIGH, reference));
    }
    return HIT_OK;
}

void hit_reference_clear(hit_reference *reference)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        free(reference->kept[k]);
    }
    *reference = (hit_reference){0};
}

hit_status hit_compare_run(hit_replica *replica, hit_reference *reference)
{
    const hit_kernel *kernel = replica->kernel;
    const hit_index rows = hit_sig_count(replica->index.sig[0]);
    const hit_index step = kernel->whole_box ? rows : (rows + SLICES - 1) / SLICES;
    const bool strict = kernel->strict || kernel->whole_box;
    double largest = 0;

    *reference = (hit_reference){
        .terms = (double)hit_where_count(replica->where, &replica->index)};
    if (kernel->host == NULL) { /* a checked half alone does not do */
        return HIT_FAIL(HIT_E_ABSENT,
                        "kernel %s cannot be compared: it has no implementation for host "
                        "devices",
                        kernel->name);
    }
    HIT_TRY(hit_replica_ready(replica));
    if (hit_domain_is_empty(&replica->index)) return HIT_OK;
    HIT_TRY(find_padding(replica, reference));
    if (!strict) see_tiles(replica, false, &largest);
    HIT_TRY(start_reductions(replica));
    for (hit_index row = 0; row < rows; row += step) {
        hit_domain slice = replica->index;
        hit_run run;

        slice.sig[0] = hit_sig_slice(replica->index.sig[0], row, row + step - 1);
        run = hit_replica_run(replica, &slice);
        HIT_TRY(hit_kernel_call(kernel, kernel->host, &run));
        for (int k = 0; k < kernel->args; k++) {
            const bool reduces = hit_mode_reduces(kernel->arg[k].mode) != 0;

            if (reduces) see_largest(replica, k, &reference->largest[k]);
        }
    }
    for (int k = 0; k < kernel->args && kernel->whole_box; k++) {
        if (replica->arg[k].value != NULL) continue;
        see_largest(replica, k, &reference->largest[k]);
        reference->terms += (double)replica->arg[k].cells;
    }
    if (strict) return HIT_OK;
    see_tiles(replica, true, &largest);
    return find_rounding(replica, largest, reference);
}

/* How far two results may be apart; 0: not at all. */
static double bound(const hit_replica *replica, int k, const hit_reference *reference)
{
    const hit_kernel_arg *arg = &replica->kernel->arg[k];
    const bool sums = replica->kernel->whole_box || arg->mode == HIT_MODE_SUM;
    const double unit = hit_type_unit(arg->type);

    if (unit == 0) return 0;
    if (!sums) return reference->rounding;
    return unit * reference->terms * reference->largest[k] +
           reference->terms * reference->rounding;
}

static void report_difference(const hit_replica *replica, int k, const hit_index at[],
                              const void *expected, const void *found, hit_report *report)
{
    const hit_type type = replica->kernel->arg[k].type;
    char element[100];
    char one[64];
    char other[64];

    if (!hit_report_first(report)) return;
    hit_replica_print_index(replica->arg[k].domain.dims, at, element, sizeof(element));
    hit_type_print(type, expected, one, sizeof(one));
    hit_type_print(type, found, other, sizeof(other));
    hit_report_write(report, replica, k,
                     "element %s is %s after the launch, but %s on one thread", element,
                     other, one);
}

static bool same_element(const bool *kept, size_t size_bytes, const char *one,
                         const char *other)
{
    if (kept == NULL) return memcmp(one, other, size_bytes) == 0;
    for (size_t b = 0; b < size_bytes; b++) {
        if (!kept[b] && one[b] != other[b]) return false;
    }
    return true;
}

void hit_compare_arg(const hit_replica *replica, int k, const hit_reference *reference,
                     const void *found, hit_report *report)
{
    const hit_replica_arg *arg = &replica->arg[k];
    const hit_type type = replica->kernel->arg[k].type;
    const double most = bound(replica, k, reference);
    const char *other = found;
    hit_index at[HIT_MAX_DIMS];

    /* How far apart results of combining may be is the program's to know. */
    if (replica->kernel->arg[k].mode == HIT_MODE_REDUCE) return;

    for (bool more = hit_domain_first(&arg->domain, at); more;
         more = hit_domain_next(&arg->domain, at), other += type.size_bytes) {
        const char *one = hit_view_at(&arg->view, at);

        if (same_element(reference->kept[k], type.size_bytes, one, other)) continue;
        if (most > 0 && hit_type_apart(type, one, other) <= most) continue;
        report_difference(replica, k, at, one, other, report);
    }
}
