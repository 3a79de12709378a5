/* SPDX-License-Identifier: MIT
 * Declared but never touched: each expression of a pattern is a box of fixed size around
 * something that moves with the index, and every place in that box has to be touched by
 * some index of the launch, or lie between such places. Dimensions in which the size
 * changes with the index, or that have ":" on a side, are not looked at: ":" is what an
 * access that depends on data must say. */
#include "hit/check/check_impl.h"
#include "patterns/transform.h"

enum {
    MAX_PLACES = 4096 /* of larger boxes nothing is said */
};

typedef struct hit_tight {
    hit_index count[HIT_MAX_DIMS]; /* places per dimension; 1: not looked at */
    hit_index places;              /* 0: not looked at */
    bool *touched;
} hit_tight;

static hit_index places_of(const hit_range *range, hit_index tile_stride)
{
    if (hit_range_is_void(range)) return 0;
    if (!hit_affine_is_parallel(&range->begin, &range->end)) return 1;
    return (range->end.offset - range->begin.offset) / (range->stride * tile_stride) + 1;
}

hit_status hit_tight_init(hit_checker *checker, int k)
{
    const hit_pattern *pattern = &checker->replica->pattern[k];
    const hit_domain *tile = &checker->replica->arg[k].domain;

    HIT_TRY(HIT_TAKE(&checker->arrays, (size_t)pattern->count, checker->tight[k]));
    for (int a = 0; a < pattern->count; a++) {
        hit_tight *tight = &checker->tight[k][a];

        tight->places = 1;
        for (int d = 0; d < tile->dims && tight->places > 0; d++) {
            tight->count[d] =
                places_of(&pattern->access[a].range[d], tile->sig[d].stride);
            if (tight->count[d] > MAX_PLACES / tight->places) {
                tight->places = 0;
            } else {
                tight->places *= tight->count[d];
            }
        }
        HIT_TRY(HIT_TAKE(&checker->arrays, (size_t)tight->places + 1, tight->touched));
    }
    return HIT_OK;
}

void hit_tight_mark(hit_checker *checker, int k, int expression, const hit_index at[])
{
    hit_tight *tight = &checker->tight[k][expression];
    const hit_domain *box = &checker->box[k][expression];
    hit_index place = 0;

    if (tight->places == 0) return;
    for (int d = 0; d < box->dims; d++) {
        if (tight->count[d] == 1) continue;
        place = place * tight->count[d] + hit_sig_position(box->sig[d], at[d]);
    }
    tight->touched[place] = true;
}

/* The place as an expression of its own: "[i-2, j]". */
static void print_place(const hit_checker *checker, int k, int expression,
                        hit_index place, char *text, size_t size)
{
    const hit_replica *replica = checker->replica;
    const hit_domain *tile = &replica->arg[k].domain;
    const hit_tight *tight = &checker->tight[k][expression];
    hit_access one = replica->pattern[k].access[expression];
    const hit_pattern alone = {.index_dims = replica->kernel->dims,
                               .tile_dims = tile->dims,
                               .count = 1,
                               .access = &one};

    for (int d = tile->dims - 1; d >= 0; d--) {
        hit_range *range = &one.range[d];

        if (tight->count[d] == 1) continue;
        range->begin.offset +=
            place % tight->count[d] * range->stride * tile->sig[d].stride;
        range->end = range->begin;
        range->stride = 1;
        place /= tight->count[d];
    }
    hit_pattern_print(&alone, replica->kernel->index, text, size);
}

/* Is the place between touched ones along some dimension? Such a hole costs nothing: what
 * lies around it has to be there. */
static bool is_hole(const hit_tight *tight, int dims, hit_index place)
{
    hit_index step = 1;

    for (int d = dims - 1; d >= 0; d--) {
        const hit_index at = place / step % tight->count[d];
        bool before = false;
        bool behind = false;

        for (hit_index x = 0; x < tight->count[d]; x++) {
            const bool touched = tight->touched[place + (x - at) * step];

            before = before || (touched && x < at);
            behind = behind || (touched && x > at);
        }
        if (before && behind) return true;
        step *= tight->count[d];
    }
    return false;
}

static void report_expression(hit_checker *checker, int k, int expression)
{
    const hit_tight *tight = &checker->tight[k][expression];
    const int dims = checker->replica->arg[k].domain.dims;
    char text[200];

    for (hit_index place = 0; place < tight->places; place++) {
        if (tight->touched[place] || is_hole(tight, dims, place)) continue;
        if (!hit_report_first(checker->report)) continue;
        print_place(checker, k, expression, place, text, sizeof(text));
        hit_report_write(checker->report, checker->replica, k,
                         "no index touches %s, but \"%s\" declares it "
                         "(HIT_CHECK=loose: other launches touch it)",
                         text, checker->replica->kernel->arg[k].pattern);
        hit_check_end(checker, k);
    }
}

/* With some values a pattern declares nothing: "[0:k-1]" with k = 0. */
static bool declares_nothing(const hit_replica *replica, int k)
{
    const hit_domain need =
        hit_pattern_cover(&replica->pattern[k], &replica->arg[k].domain, &replica->index);

    return hit_domain_is_empty(&need);
}

void hit_tight_report(hit_checker *checker)
{
    const hit_kernel *kernel = checker->replica->kernel;
    const unsigned asked = hit_where_looks_in(checker->replica->where);

    if (asked != 0 && checker->looked == 0) return; /* none is run this time */
    for (int k = 0; k < kernel->args; k++) {
        if (checker->replica->arg[k].value != NULL) continue;
        /* what says which indices run need not be touched by them */
        if ((asked >> k & 1u) != 0) continue;
        if (checker->touches[k] == 0 && declares_nothing(checker->replica, k)) continue;
        if (checker->touches[k] > 0) {
            for (int a = 0; a < checker->replica->pattern[k].count; a++) {
                report_expression(checker, k, a);
            }
        } else if (hit_report_first(checker->report)) {
            hit_report_write(checker->report, checker->replica, k,
                             "no index touches it, but \"%s\" is declared; leave the "
                             "argument out (HIT_CHECK=loose: other launches touch it)",
                             kernel->arg[k].pattern);
        }
    }
}
