/* SPDX-License-Identifier: MIT
 * Differential test of a launch. A reduction of n terms rounds by at most n units in the
 * last place of the largest number it went through; it is run in slices to see that. A
 * library call may order its sums as it likes: the same bound, with the elements that it
 * reads as terms. */
#include "hit/check/compare.h"

#include "hit/check/poison.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SLICES = 64
};

static hit_status start_reductions(hit_replica *replica)
{
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_kernel_arg *declared = &replica->kernel->arg[k];
        char identity[16];
        hit_region region = {0};

        if (!hit_mode_reduces(declared->mode)) continue;
        hit_poison_identity(declared->mode, declared->type, identity);
        HIT_TRY(hit_replica_region(replica, k, &replica->index, &region));
        for (int p = 0; p < region.count; p++) {
            hit_view_fill(&replica->arg[k].view, &region.part[p], identity);
        }
        hit_region_clear(&region);
    }
    return HIT_OK;
}

static void see_largest(const hit_replica *replica, int k, double *largest)
{
    const hit_replica_arg *arg = &replica->arg[k];

    for (hit_index cell = 0; cell < arg->cells; cell++) {
        const double size =
            fabs(hit_poison_number(replica->kernel->arg[k].type,
                                   arg->view.data + (size_t)cell * arg->view.size_bytes));

        if (isfinite(size) && size > *largest) *largest = size;
    }
}

hit_status hit_compare_run(hit_replica *replica, hit_reference *reference)
{
    const hit_kernel *kernel = replica->kernel;
    const hit_index rows = hit_sig_count(replica->index.sig[0]);
    const hit_index step = kernel->whole_box ? rows : (rows + SLICES - 1) / SLICES;

    *reference = (hit_reference){.terms = (double)hit_domain_count(&replica->index)};
    if (kernel->host == NULL) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "kernel %s cannot be compared: it has no implementation for host "
                        "devices",
                        kernel->name);
    }
    if (hit_domain_is_empty(&replica->index)) return HIT_OK;
    HIT_TRY(start_reductions(replica));
    for (hit_index row = 0; row < rows; row += step) {
        hit_domain slice = replica->index;
        hit_run run;

        slice.sig[0] = hit_sig_slice(replica->index.sig[0], row, row + step - 1);
        run = hit_replica_run(replica, &slice);
        HIT_TRY(kernel->host(&run));
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
    return HIT_OK;
}

/* How far two results may be apart; 0: not at all. */
static double bound(const hit_replica *replica, int k, const hit_reference *reference)
{
    const hit_kernel_arg *arg = &replica->kernel->arg[k];
    double unit = 0;

    if (arg->type.kind == HIT_KIND_FLOAT) unit = (double)FLT_EPSILON;
    if (arg->type.kind == HIT_KIND_DOUBLE) unit = DBL_EPSILON;
    if (!replica->kernel->whole_box && arg->mode != HIT_MODE_SUM) return 0;
    return unit * reference->terms * reference->largest[k];
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
    hit_replica_print_value(type, expected, one, sizeof(one));
    hit_replica_print_value(type, found, other, sizeof(other));
    hit_report_write(report, replica, k,
                     "element %s is %s after the launch, but %s on one thread", element,
                     other, one);
}

void hit_compare_arg(const hit_replica *replica, int k, const hit_reference *reference,
                     const void *found, hit_report *report)
{
    const hit_replica_arg *arg = &replica->arg[k];
    const hit_type type = replica->kernel->arg[k].type;
    const double most = bound(replica, k, reference);
    const char *other = found;
    hit_index at[HIT_MAX_DIMS];
    bool more;

    for (more = hit_domain_first(&arg->domain, at); more;
         more = hit_domain_next(&arg->domain, at), other += type.size_bytes) {
        const char *one = hit_view_at(&arg->view, at);

        if (memcmp(one, other, type.size_bytes) == 0) continue;
        if (most > 0 &&
            fabs(hit_poison_number(type, one) - hit_poison_number(type, other)) <= most) {
            continue;
        }
        report_difference(replica, k, at, one, other, report);
    }
}
