/* SPDX-License-Identifier: MIT
 * Calls of hit_launch(): are they well formed, and what the planner has to know of them.
 */
#include "hit/launch/call.h"

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/topo/layout_impl.h"
#include "patterns/parse.h"

#include <stdio.h>
#include <string.h>

static bool same_type(hit_type a, hit_type b)
{
    return a.kind == b.kind && a.size_bytes == b.size_bytes;
}

/* A struct by the name that the kernel gives it. */
static const char *type_name(const hit_kernel *kernel, int k)
{
    const hit_kind kind = kernel->arg[k].type.kind;

    if (kind == HIT_KIND_BYTES && kernel->c_type[k] != NULL) return kernel->c_type[k];
    return hit_kind_name(kind);
}

/* Whole numbers of another type than the kernel's are converted where they fit. */
static hit_status check_whole(const hit_call *call, int k)
{
    const hit_kernel_arg *expected = &call->kernel->arg[k];
    const hit_arg *found = &call->args[k];
    const char *c_type = hit_kind_find(expected->type.kind)->c_name;
    char text[32];

    if (!hit_kind_is_whole(expected->type.kind) || !hit_kind_is_whole(found->type.kind)) {
        return HIT_OK;
    }
    hit_type_print(found->type, found->value, text, sizeof(text));
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s, argument %s: expected a value that %s holds but found %s",
                    call->kernel->name, expected->name, c_type, text);
}

bool hit_call_convert(hit_call *call, hit_values *values)
{
    const hit_kernel *kernel = call->kernel;
    bool any = false;

    if (kernel == NULL || kernel->arg == NULL || call->args == NULL) return false;
    if (call->count != kernel->args || call->count > HIT_MAX_ARGS) return false;
    for (int k = 0; k < call->count; k++) {
        const hit_arg *found = &call->args[k];
        const hit_type type = kernel->arg[k].type;

        values->arg[k] = *found;
        if (found->value == NULL || found->tile != NULL) continue;
        if (same_type(type, found->type)) continue;
        if (!hit_type_convert(found->type, found->value, type, &values->number[k])) {
            continue;
        }
        values->arg[k] = (hit_arg){NULL, &values->number[k], type};
        any = true;
    }
    if (any) call->args = values->arg;
    return any;
}

bool hit_call_numbers(const hit_call *call, unsigned named, hit_index number[], int *arg)
{
    for (unsigned left = named; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        const hit_arg *value = &call->args[k];

        *arg = k;
        if (!hit_type_convert(value->type, value->value, HIT_INT64, &number[k])) {
            return false;
        }
    }
    return true;
}

void hit_call_print_pattern(const hit_call *call, int arg, char *text, size_t size)
{
    const hit_kernel *kernel = call->kernel;
    const char *between = " with";

    (void)snprintf(text, size, "\"%s\"", kernel->arg[arg].pattern);
    for (unsigned left = hit_kernel_names(kernel, arg); left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        char number[32];

        hit_type_print(call->args[k].type, call->args[k].value, number, sizeof(number));
        hit_text_add(text, size, "%s %s = %s", between, kernel->arg[k].name, number);
        between = ",";
    }
}

static hit_status check_arg(const hit_call *call, int k)
{
    const hit_kernel_arg *expected = &call->kernel->arg[k];
    const hit_arg *found = &call->args[k];
    const bool value = expected->mode == HIT_MODE_VALUE;
    const char *kernel = call->kernel->name;

    if (expected->name == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected a name of argument %d but found "
                        "NULL",
                        kernel, k);
    }
    if ((value ? found->value == NULL : found->tile == NULL) ||
        (found->value != NULL && found->tile != NULL)) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s, argument %s: expected a %s but found %s",
                        kernel, expected->name, value ? "HIT_VALUE()" : "tile",
                        found->value != NULL  ? "a value"
                        : found->tile != NULL ? "a tile"
                                              : "NULL");
    }
    if (!same_type(expected->type, found->type)) {
        if (value) HIT_TRY(check_whole(call, k));
        return HIT_FAIL(
            HIT_E_ARG,
            "kernel %s, argument %s: expected elements of type %s (%zu bytes) but "
            "found %s (%zu bytes)",
            kernel, expected->name, type_name(call->kernel, k), expected->type.size_bytes,
            hit_kind_name(found->type.kind), found->type.size_bytes);
    }
    if (!value && found->tile->storage->context != call->context) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: tile %s belongs to another context",
                        kernel, expected->name, found->tile->storage->name);
    }
    return HIT_OK;
}

static hit_status check_on(const hit_call *call)
{
    const hit_kernel *kernel = call->kernel;

    for (int k = 0; k < call->count; k++) {
        if (!hit_arg_is_on(&call->args[k])) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected HIT_ON() and HIT_WHERE() once each, behind "
                        "all other arguments",
                        kernel->name);
    }
    if (kernel->on != NULL && kernel->on->devices != NULL) {
        HIT_TRY(hit_on_check(kernel->name, kernel->on->devices));
    }
    return call->on != NULL ? hit_on_check(kernel->name, call->on) : HIT_OK;
}

static hit_status check_layout(const hit_call *call)
{
    const hit_layout *layout = call->layout;
    const bool once = hit_kernel_runs_once(call->kernel);

    if (layout == NULL) return HIT_OK;
    if (layout->context != call->context) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: layout %s belongs to %s",
                        call->kernel->name, hit_layout_name(layout),
                        layout->context == NULL ? "no context: it is for planning"
                                                : "another context");
    }
    if (!once || layout->spec.domain.dims == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s: expected a layout of 0 dimensions (hit_domain_scalar()), "
                    "since it has no index, but layout %s has %d",
                    call->kernel->name, hit_layout_name(layout),
                    layout->spec.domain.dims);
}

static hit_status check_dims(hit_call *call)
{
    const hit_kernel *kernel = call->kernel;
    const bool once = hit_kernel_runs_once(kernel);
    const int dims = once ? 0 : kernel->dims;

    if (call->domain.dims != dims) {
        return HIT_FAIL(
            HIT_E_ARG, "kernel %s: expected a domain of %d dimensions%s but found %d",
            kernel->name, dims, once ? " (hit_domain_scalar())" : "", call->domain.dims);
    }
    if (once) call->domain = hit_domain_of(1);
    return HIT_OK;
}

static hit_status check_count(const hit_call *call)
{
    const hit_kernel *kernel = call->kernel;
    const hit_arg *last = call->count > 0 ? &call->args[call->count - 1] : NULL;
    const bool null = last != NULL && last->tile == NULL && last->value == NULL;

    if (call->count == kernel->args) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d arguments but found %d%s",
                    kernel->name, kernel->args, call->count,
                    null ? ", the last one NULL: HIT_ON() and HIT_WHERE() want a text"
                         : "");
}

hit_status hit_call_check_given(hit_call *call)
{
    const hit_kernel *kernel = call->kernel;

    if (kernel == NULL || kernel->name == NULL || kernel->arg == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a kernel with a name and arguments but found NULL");
    }
    if (call->args == NULL) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected %d arguments but found NULL",
                        kernel->name, kernel->args);
    }
    HIT_TRY(check_on(call));
    HIT_TRY(check_count(call));
    HIT_TRY(hit_domain_check_given(&call->domain));
    HIT_TRY(check_dims(call));
    HIT_TRY(check_layout(call));
    for (int k = 0; k < call->count; k++) {
        HIT_TRY(check_arg(call, k));
    }
    call->alias = hit_alias_of(call);
    return HIT_OK;
}

hit_on hit_call_on(const hit_call *call)
{
    return (hit_on){.kernel = call->kernel->name,
                    .of_kernel =
                        call->kernel->on != NULL ? call->kernel->on->devices : NULL,
                    .of_launch = call->on};
}

hit_status hit_call_able(const hit_call *call, hit_device_set *able)
{
    const hit_context *context = call->context;
    const hit_on on = hit_call_on(call);
    const bool host_reads = hit_where_looks_in(call->where) != 0;
    const bool placed =
        (on.of_kernel != NULL || on.of_launch != NULL) && !context->executor->places;
    hit_on_device device[HIT_MAX_DEVICES];
    hit_device_set named = {{0}};
    const char *kind = NULL;
    bool any = false;

    for (int d = 0; d < context->devices && placed; d++) {
        device[d] = (hit_on_device){context->device[d]->ops->kind, false};
    }
    if (placed) HIT_TRY(hit_on_find(&on, context->devices, device, &named));
    *able = (hit_device_set){{0}};
    for (int d = 0; d < context->devices; d++) {
        if (placed && !hit_device_set_has(&named, d)) continue;
        if (kind == NULL) kind = context->device[d]->ops->kind;
        const hit_kernel_function function =
            hit_device_function(context->device[d], call->kernel);

        if (function == NULL || (host_reads && function != call->kernel->host)) continue;
        hit_device_set_add(able, d);
        any = true;
    }
    if (any) return HIT_OK;
    if (host_reads) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "kernel %s: expected a host device, since HIT_WHERE(\"%.300s\") "
                        "stands in data, but found %s devices",
                        call->kernel->name, call->where->text, kind);
    }
    return HIT_FAIL(HIT_E_ABSENT, "kernel %s has no implementation for %s devices",
                    call->kernel->name, kind);
}

/* A size is a multiple of the alignment, and no instruction asks for more than 64. */
static size_t alignment_of(size_t size_bytes)
{
    const size_t bits = size_bytes | 64;

    return bits & (0 - bits); /* the lowest one */
}

static uintptr_t round_up(uintptr_t at, size_t align)
{
    return (at + align - 1) & ~(uintptr_t)(align - 1);
}

bool hit_call_keep_values(const hit_call *call, void *memory, size_t size,
                          hit_slot slot[])
{
    const uintptr_t end = (uintptr_t)memory + size;
    uintptr_t at = (uintptr_t)memory;

    for (int k = 0; k < call->count; k++) {
        const size_t size_bytes = call->args[k].type.size_bytes;

        if (call->args[k].tile != NULL) continue;
        at = round_up(at, alignment_of(size_bytes));
        if (at > end || size_bytes > end - at) return false;
        slot[k].base = (char *)memory + (at - (uintptr_t)memory);
        memcpy(slot[k].base, call->args[k].value, size_bytes);
        at += size_bytes;
    }
    return true;
}

bool hit_call_keep(const hit_call *call, void *memory, size_t size, hit_arg args[],
                   hit_call *kept)
{
    hit_slot slot[HIT_MAX_ARGS];

    if (!hit_call_keep_values(call, memory, size, slot)) return false;
    *kept = *call;
    kept->args = args;
    kept->known = NULL;
    for (int k = 0; k < call->count; k++) {
        args[k] = call->args[k];
        if (call->args[k].tile == NULL) args[k].value = slot[k].base;
    }
    return true;
}

bool hit_call_has_values(const hit_call *call, const hit_slot slot[])
{
    for (int k = 0; k < call->count; k++) {
        const hit_arg *arg = &call->args[k];

        if (arg->tile != NULL) continue;
        if (memcmp(slot[k].base, arg->value, arg->type.size_bytes) != 0) return false;
    }
    return true;
}

size_t hit_call_value_room(size_t size_bytes)
{
    return size_bytes + alignment_of(size_bytes);
}

uint64_t hit_call_operations(const hit_call *call, uint64_t indices)
{
    const hit_operations *of = call->kernel->operations;
    uint64_t each;

    if (of == NULL) return 0;
    each = of->per_index;
    if (of->per_step > 0) {
        const hit_tile *tile = call->args[of->along.arg].tile;

        each += of->per_step * (uint64_t)hit_sig_count(tile->domain.sig[of->along.dim]);
    }
    return indices * each;
}

int hit_call_plan_args(const hit_call *call, const hit_known_kernel *known,
                       const hit_domain *index, hit_plan_arg arg[])
{
    int args = 0;

    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;
        hit_plan_arg *made = &arg[args];

        if (tile == NULL) continue;
        args++;
        *made = (hit_plan_arg){.name = call->kernel->arg[k].name,
                               .mode = call->kernel->arg[k].mode,
                               .size_bytes = call->args[k].type.size_bytes,
                               .pattern = &known->pattern[k],
                               .bounds = &known->bounds[k],
                               .exact = known->point[k],
                               .tile = tile->domain,
                               .where = known->where};
        if (index != NULL) {
            made->clip = hit_pattern_cover(made->pattern, &tile->domain, index);
        }
    }
    return args;
}

hit_status hit_call_superblocks(const hit_call *call, const hit_known_kernel *known,
                                const hit_device *device, const hit_domain *index,
                                size_t limit_bytes, hit_superblocks *made)
{
    static const hit_index usual[HIT_MAX_DIMS] = {1024, 16, 8, 4};
    hit_superblocks found;
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_plan_request request = {.kernel = call->kernel->name,
                                .device = device->ops->kind,
                                .arg = arg,
                                .index = *index,
                                .where = known->where,
                                .limit_bytes = limit_bytes,
                                .in_flight = 1};

    request.args = hit_call_plan_args(call, known, index, arg);
    for (int d = 0; d < request.index.dims; d++) {
        request.block[d] = usual[request.index.dims - 1];
    }
    HIT_TRY(hit_superblocks_choose(call->kernel, &request, arg, &found));
    hit_plan_sum_clear(&made->sum);
    *made = found;
    return HIT_OK;
}

int hit_call_superblock_args(const hit_call *call, const hit_known_kernel *known,
                             const hit_superblocks *made, hit_plan_arg arg[])
{
    hit_domain index = made->plan.index;
    int args;

    index.dims = call->domain.dims;
    args = hit_call_plan_args(call, known, &index, arg);
    for (int u = 0; u < args; u++) {
        arg[u].buffers = made->buffers[u];
        hit_plan_sum_set(&made->sum, u, &arg[u]);
    }
    return args;
}

void hit_call_defer(const hit_call *call, const hit_known_kernel *known,
                    const hit_domain *inner, hit_superblocks *made)
{
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_domain first = made->plan.index; /* with all of a sum that is cut */
    hit_plan_request request = {
        .arg = arg, .where = known->where, .in_flight = 1, .reuse = made->buffers[0] > 0};

    request.args = hit_call_superblock_args(call, known, made, arg);
    for (int d = 0; d < inner->dims; d++) {
        first.sig[d] = inner->sig[d];
    }
    (void)hit_plan_defer(&request, &first, &made->plan);
}

/* By the name of the kernel: where it lies in memory differs from process to process. */
static uint64_t mark_launch(const void *of)
{
    const hit_call *call = of;
    const unsigned named = hit_kernel_names(call->kernel, -1);
    uint64_t hash = hit_hash_text(HIT_HASH_START, call->kernel->name);

    hash = hit_hash_place(hash, &call->domain);
    hash = hit_hash_word(hash, hit_layout_key(call->layout));
    hash = hit_where_hash(hash, call->where);
    for (int k = 0; k < call->count; k++) {
        const hit_arg *arg = &call->args[k];

        if (arg->tile != NULL) hash = hit_tile_mark(hash, arg->tile);
        if ((named >> k & 1u) != 0) {
            hash = hit_hash(hash, arg->value, arg->type.size_bytes);
        }
    }
    return hash;
}

void hit_call_print_domain(const hit_call *call, char *text, size_t size)
{
    const hit_domain none = hit_domain_scalar();

    hit_domain_print(hit_kernel_runs_once(call->kernel) ? &none : &call->domain, text,
                     size);
}

static void say_launch(const void *of, char *text, size_t size)
{
    const hit_call *call = of;
    const unsigned named = hit_kernel_names(call->kernel, -1);
    char domain[128];

    hit_call_print_domain(call, domain, sizeof(domain));
    (void)snprintf(text, size, "hit_launch(%.60s, %s", call->kernel->name, domain);
    for (int k = 0; k < call->count; k++) {
        const hit_arg *arg = &call->args[k];

        if (arg->tile != NULL) {
            hit_domain_print(&arg->tile->domain, domain, sizeof(domain));
            hit_text_add(text, size, ", %.60s of %s", arg->tile->storage->name, domain);
        } else if ((named >> k & 1u) != 0) {
            hit_type_print(arg->type, arg->value, domain, sizeof(domain));
            hit_text_add(text, size, ", %.60s = %s", call->kernel->arg[k].name, domain);
        }
    }
    if (call->where != NULL) {
        hit_text_add(text, size, ", HIT_WHERE(\"%.200s\")", call->where->text);
    }
    hit_text_add(text, size, ")");
}

void hit_call_note(const hit_call *call)
{
    hit_comm_note(call->context->comm, mark_launch(call));
}

hit_status hit_call_agree(const hit_call *call, hit_status status)
{
    const hit_comm_call all = {mark_launch, say_launch, call};

    return hit_comm_agree_on(call->context->comm, status, &all);
}
