/* SPDX-License-Identifier: MIT
 * Kernels as programs hand them over: checked, and their patterns parsed, once. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/data/extremes.h"
#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "patterns/kernel_impl.h"
#include "patterns/parse.h"
#include "patterns/pattern_impl.h"
#include "patterns/reduce.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    MANY = 1 << 20 /* elements by one index: it may as well be all of the tile */
};

/* Of a type of the program's. */
static hit_status check_own_reduction(const hit_kernel *kernel, int k)
{
    _Alignas(max_align_t) char identity[HIT_MAX_REDUCED_BYTES];
    const hit_status status = hit_reduce_identity(hit_reducer_of(kernel, k), identity, 1);

    if (status == HIT_OK) return HIT_OK;
    return HIT_FAIL(status, "kernel %s, argument %s: %s", kernel->name,
                    kernel->arg[k].name, hit_status_text());
}

static hit_status check_reduction(const hit_kernel *kernel, int k)
{
    const hit_kernel_arg *arg = &kernel->arg[k];
    const char *c_type = kernel->c_type[k];
    const bool own = arg->mode == HIT_MODE_REDUCE;

    if (own) HIT_TRY(check_own_reduction(kernel, k));
    if (!own && arg->type.kind == HIT_KIND_BYTES) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected " HIT_KIND_NUMBERS
                        " for a reduction but found %s",
                        kernel->name, arg->name, c_type != NULL ? c_type : "plain bytes");
    }
    if (!own && hit_kind_is_complex(arg->type.kind) && arg->mode != HIT_MODE_SUM) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected sum for complex numbers, which "
                        "have no order, but found min or max",
                        kernel->name, arg->name);
    }
    if (kernel->whole_box) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s, argument %s: %s cannot reduce; use inout",
                        kernel->name, arg->name,
                        hit_kernel_is_ordered(kernel) ? "indices that run in an order"
                                                      : "a whole-box kernel");
    }
    return HIT_OK;
}

static hit_status check_kernel(const hit_kernel *kernel)
{
    int tiles = 0;

    if (kernel->dims < 1 || kernel->dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected 1 to %d indices but found %d",
                        kernel->name, HIT_MAX_DIMS, kernel->dims);
    }
    if (kernel->args < 1 || kernel->args > HIT_MAX_ARGS) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected 1 to %d arguments but found %d",
                        kernel->name, HIT_MAX_ARGS, kernel->args);
    }
    for (int d = 0; d < kernel->dims; d++) {
        if (kernel->index[d] != NULL) continue;
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d index names but found %d",
                        kernel->name, kernel->dims, d);
    }
    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];

        if (arg->mode > HIT_MODE_VALUE || arg->type.size_bytes == 0) {
            return HIT_FAIL(HIT_E_ARG,
                            "kernel %s, argument %s: expected a mode and an element size "
                            "but found mode %d and %zu bytes",
                            kernel->name, arg->name, (int)arg->mode,
                            arg->type.size_bytes);
        }
        tiles += arg->mode != HIT_MODE_VALUE;
        if (hit_mode_reduces(arg->mode)) HIT_TRY(check_reduction(kernel, k));
    }
    if (tiles == 0) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected at least one tile argument",
                        kernel->name);
    }
    return HIT_OK;
}

static hit_status check_named(const hit_kernel *kernel)
{
    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];
        const unsigned named = hit_kernel_names(kernel, k);

        for (int v = 0; v < kernel->args; v++) {
            const hit_kernel_arg *value = &kernel->arg[v];

            if ((named >> v & 1u) == 0 || hit_kind_is_whole(value->type.kind)) continue;
            return HIT_FAIL(
                HIT_E_PATTERN,
                "kernel %s, argument %s: expected indices, numbers and values "
                "that are whole numbers in \"%s\" but found %s, which is %s",
                kernel->name, arg->name, arg->pattern, value->name,
                hit_kind_name(value->type.kind));
        }
    }
    return HIT_OK;
}

/* Ends that stand in data: of arguments that are read or written, in arguments that are
 * only read. */
static hit_status check_looked(const hit_kernel *kernel)
{
    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];
        const unsigned looked = hit_kernel_looks_in(kernel, k);

        if (looked == 0) continue;
        if ((arg->mode != HIT_MODE_IN && arg->mode != HIT_MODE_OUT) ||
            hit_kernel_is_ordered(kernel)) {
            return HIT_FAIL(
                HIT_E_PATTERN,
                "kernel %s, argument %s: expected mode in or out, and indices in any "
                "order, for the pattern \"%s\", since its ends stand in data",
                kernel->name, arg->name, arg->pattern);
        }
        for (int s = 0; s < kernel->args; s++) {
            if ((looked >> s & 1u) == 0 || hit_kernel_is_source(kernel, s)) continue;
            return HIT_FAIL(
                HIT_E_PATTERN,
                "kernel %s, argument %s: expected arguments of mode in and of "
                "whole numbers in \"%s\" but found %s of %s",
                kernel->name, arg->name, arg->pattern, kernel->arg[s].name,
                hit_kind_name(kernel->arg[s].type.kind));
        }
    }
    return HIT_OK;
}

/* "<-": which index writes an element, and which ones read it, must be known. */
static hit_status check_only_read(const hit_kernel_arg *arg, const hit_pattern *pattern)
{
    const hit_pattern written = hit_pattern_written(pattern);

    if (pattern->only_read == 0) return HIT_OK;
    if (arg->mode != HIT_MODE_INOUT) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "expected mode inout for \"%s\", which writes what stands before "
                        "<- and reads what stands behind it",
                        arg->pattern);
    }
    if (hit_pattern_is_element(&written)) return HIT_OK;
    return HIT_FAIL(HIT_E_PATTERN,
                    "expected one element for each index before <-, such as \"[i, j]\", "
                    "but found \"%s\"",
                    arg->pattern);
}

/* Is it one element for each index, whatever others have? */
static bool is_own_element(const hit_pattern *pattern)
{
    bool one = pattern->lookups == NULL && hit_pattern_is_element(pattern);

    for (int t = 0; t < pattern->tile_dims && one; t++) {
        const hit_range *range = &pattern->access[0].range[t];

        one = !range->begin.infinite && range->begin.offset == range->end.offset;
    }
    return one;
}

/* Results whose places stand in data: which index writes an element must be known. */
static hit_status check_scattered(const hit_kernel_arg *arg, const hit_pattern *pattern)
{
    bool one = pattern->count == 1;
    int looked = 0;

    if (arg->mode == HIT_MODE_IN || pattern->lookups == NULL) return HIT_OK;
    for (int t = 0; t < pattern->tile_dims; t++) {
        const hit_range *range = &pattern->access[0].range[t];

        if (range->low == NULL && range->high == NULL) continue;
        one = one && range->low == range->high && is_own_element(range->low->at);
        looked++;
    }
    if (one && looked == 1) return HIT_OK;
    return HIT_FAIL(HIT_E_PATTERN,
                    "expected one number for each index that says where it writes, as "
                    "in \"[place]\" or \"[place[i], j]\", but found \"%s\"",
                    arg->pattern);
}

/* @p call NULL: numbers and what stands in data are not known. */
static hit_status parse_patterns(hit_known_kernel *known, const hit_call *call)
{
    const hit_kernel *kernel = known->kernel;
    hit_pattern_source source[HIT_MAX_ARGS];

    for (int k = 0; k < kernel->args; k++) {
        source[k] = (hit_pattern_source){.values = known->table[k]};
        if (known->table[k] != NULL) source[k].limits = call->args[k].tile->domain;
    }

    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];
        hit_status status;

        if (arg->mode == HIT_MODE_VALUE) {
            known->values |= 1u << k;
            known->values_bytes += hit_call_value_room(arg->type.size_bytes);
            continue;
        }
        known->written |= (unsigned)(arg->mode != HIT_MODE_IN) << k;
        status =
            hit_kernel_parse(kernel, arg->pattern, call != NULL ? known->number_of : NULL,
                             source, &known->pattern[k]);
        if (status == HIT_OK) status = check_only_read(arg, &known->pattern[k]);
        if (status == HIT_OK) status = check_scattered(arg, &known->pattern[k]);
        known->writes[k] = hit_pattern_written(&known->pattern[k]);
        if (status == HIT_OK) continue;
        return HIT_FAIL(status, "kernel %s, argument %s: %s", kernel->name, arg->name,
                        hit_status_text());
    }
    return HIT_OK;
}

/* The index that a range of a regular pattern follows; -1: it is fixed, -2: the tile's
 * extent, -3: a limit of the tile and a fixed number. */
static int follows(const hit_range *range)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (range->begin.coef[d] != 0) return d;
    }
    if (range->begin.infinite != range->end.infinite) return -3;
    return range->begin.infinite ? -2 : -1;
}

static bool is_point(const hit_pattern *pattern)
{
    bool seen[HIT_MAX_DIMS] = {false};

    for (int t = 0; t < pattern->tile_dims; t++) {
        const hit_range *range = &pattern->access[0].range[t];
        const int d = follows(range);

        if (range->stride != 1) return false;
        if (d < 0) continue;
        if (seen[d] || range->begin.offset != range->end.offset) return false;
        seen[d] = true;
    }
    return pattern->count == 1;
}

/* How many elements a range of any index has; 0: that is not the same for all. */
static hit_index length_of(const hit_range *range)
{
    if (!hit_affine_is_parallel(&range->begin, &range->end)) return 0;
    return (range->end.offset - range->begin.offset) / range->stride + 1;
}

/* Expressions that overlap count twice: a body may read what they share twice, too. */
static hit_index touches_of(const hit_pattern *pattern)
{
    hit_index sum = 0;

    for (int k = 0; k < pattern->count; k++) {
        hit_index count = 1;

        for (int t = 0; t < pattern->tile_dims; t++) {
            const hit_index length = length_of(&pattern->access[k].range[t]);

            if (length < 1 || length > MANY || count > MANY) return 0;
            count *= length;
        }
        sum += count;
    }
    return sum;
}

/* "[:, j]", where neighbours in j run one after the other: each walks over a column. */
static bool walks_columns(const hit_kernel *kernel, const hit_pattern *pattern)
{
    for (int k = 0; k < pattern->count && pattern->tile_dims > 1; k++) {
        const hit_range *range = pattern->access[k].range;
        const hit_range *last = &range[pattern->tile_dims - 1];
        bool over = false;

        for (int t = 0; t < pattern->tile_dims - 1; t++) {
            over = over || (range[t].begin.infinite && range[t].end.infinite);
        }
        over = over && !pattern->access[k].looks_up;
        if (over && !last->begin.infinite && last->begin.coef[kernel->dims - 1] != 0) {
            return true;
        }
    }
    return false;
}

/* Else what two expressions touch together depends on where the indices are. */
static bool is_shifted(const hit_pattern *pattern)
{
    for (int k = 0; k < pattern->count; k++) {
        for (int t = 0; t < pattern->tile_dims; t++) {
            const hit_range *range = &pattern->access[k].range[t];
            const int d = follows(range);

            if (range->stride != 1 || d == -3) return false;
            if (d != follows(&pattern->access[0].range[t])) return false;
        }
    }
    return true;
}

static void look_at_patterns(hit_known_kernel *known)
{
    bool together = true;

    known->regular = true;
    known->shifts = true;
    for (int k = 0; k < known->kernel->args; k++) {
        const hit_pattern *pattern = &known->pattern[k];

        if (known->kernel->arg[k].mode == HIT_MODE_VALUE) continue;
        const bool regular = hit_pattern_is_regular(pattern, NULL, 0);

        known->regular = known->regular && regular;
        known->shifts = known->shifts && is_shifted(pattern);
        known->point[k] = regular && is_point(pattern);
        known->touches[k] = touches_of(pattern);
        known->bounds[k] = hit_pattern_bounds_of(pattern);
        together = together && known->touches[k] > 0;
        known->touches_together += (uint64_t)known->touches[k];
        if (hit_kernel_has_body(known->kernel) && known->column == NULL &&
            walks_columns(known->kernel, pattern)) {
            known->column = known->kernel->arg[k].name;
        }
    }
    known->shifts = known->shifts && known->regular;
    known->in_bands = hit_waves_in_bands(known);
    if (!together) known->touches_together = 0;
}

/* Is it a dimension of a tile argument? */
static hit_status check_along(const hit_known_kernel *known, hit_along along)
{
    const hit_kernel *kernel = known->kernel;

    if (along.arg < 0 || along.arg >= kernel->args ||
        kernel->arg[along.arg].mode == HIT_MODE_VALUE) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected the number of a tile argument, 0 to %d, in "
                        "HIT_ALONG or HIT_OPERATIONS_ALONG, but found %d",
                        kernel->name, kernel->args - 1, along.arg);
    }
    if (along.dim < 0 || along.dim >= known->pattern[along.arg].tile_dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected a dimension below %d in "
                        "HIT_ALONG or HIT_OPERATIONS_ALONG, but found %d",
                        kernel->name, kernel->arg[along.arg].name,
                        known->pattern[along.arg].tile_dims, along.dim);
    }
    return HIT_OK;
}

static hit_status check_alongs(const hit_known_kernel *known)
{
    const hit_kernel *kernel = known->kernel;

    for (int k = 0; k < kernel->alongs; k++) {
        HIT_TRY(check_along(known, kernel->along[k]));
    }
    if (kernel->operations == NULL || kernel->operations->per_step == 0) return HIT_OK;
    return check_along(known, kernel->operations->along);
}

void hit_known_kernel_destroy(hit_known_kernel *known)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        hit_pattern_clear(&known->pattern[k]);
        hit_extremes_release(&known->table[k]);
    }
    free(known->where);
    if (known->of == known) {
        free(known->prepared);
        free(known->kernel);
    }
    free(known);
}

uint64_t hit_known_kernel_hash(const hit_kernel *kernel)
{
    uint64_t hash = hit_hash_text(HIT_HASH_START, kernel->name);

    for (int k = 0; k < kernel->args; k++) {
        const char *pattern = kernel->arg[k].pattern;

        hash = hit_hash_text(hash, pattern != NULL ? pattern : "");
    }
    return hit_hash_word(0, hash);
}

static hit_status learn(const hit_kernel *kernel, bool prepared, hit_known_kernel *known)
{
    HIT_TRY(hit_kernel_with_patterns(kernel, NULL, &known->kernel));
    known->constant = kernel->constant == kernel ? kernel : NULL;
    known->hash = hit_known_kernel_hash(kernel);
    known->named = hit_kernel_names(known->kernel, -1);
    known->looked = hit_kernel_looks_in(known->kernel, -1);
    HIT_TRY(check_named(known->kernel));
    HIT_TRY(check_looked(known->kernel));
    HIT_TRY(parse_patterns(known, NULL));
    HIT_TRY(check_alongs(known));
    look_at_patterns(known);
    return prepared ? hit_kernel_prepare(known->kernel, &known->prepared) : HIT_OK;
}

hit_status hit_known_kernel_create(const hit_kernel *kernel, bool prepared,
                                   hit_known_kernel **known)
{
    hit_known_kernel *made = NULL;
    hit_status status;

    HIT_TRY(check_kernel(kernel));
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->of = made;
    status = learn(kernel, prepared, made);
    if (status != HIT_OK) {
        hit_known_kernel_destroy(made);
        return status;
    }
    *known = made;
    return HIT_OK;
}

uint64_t hit_known_kernel_bound_hash(const hit_known_kernel *known,
                                     const hit_index number[], const hit_where *where)
{
    uint64_t hash = known->hash;

    const unsigned looked = known->looked | hit_where_looks_in(where);

    for (unsigned left = known->named | looked; left != 0; left &= left - 1) {
        hash = hit_hash_word(hash, (uint64_t)number[__builtin_ctz(left)]);
    }
    return hit_where_hash(hash, where);
}

hit_status hit_known_kernel_bind(hit_known_kernel *known, const hit_call *call,
                                 const hit_index number[], hit_known_kernel **bound)
{
    hit_known_kernel *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->of = known;
    made->kernel = known->kernel;
    made->prepared = known->prepared;
    made->constant = known->constant;
    made->named = known->named;
    made->looked = hit_call_looked(call, known);
    memcpy(made->number_of, number, sizeof(made->number_of));
    made->hash = hit_known_kernel_bound_hash(known, number, call->where);
    hit_lookups_share(call, made);
    status = parse_patterns(made, call);
    if (status == HIT_OK) {
        look_at_patterns(made);
        if (call->where != NULL) status = hit_known_kernel_restrict(made, call);
    }
    if (status != HIT_OK) {
        hit_known_kernel_destroy(made);
        return status;
    }
    *bound = made;
    return HIT_OK;
}
