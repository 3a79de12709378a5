/* SPDX-License-Identifier: MIT
 * Kernels that were launched before, found again by their texts, and with the numbers of
 * values that their patterns name. Few of the many that a program may make are kept. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"

static bool runs_on_host(const hit_context *context, const hit_kernel *kernel)
{
    if (kernel->host == NULL) return false;
    for (int d = 0; d < context->devices; d++) {
        if (hit_device_function(context->device[d], kernel) == kernel->host) return true;
    }
    return false;
}

/* NULL: it is new. */
static hit_known_kernel *find_known(hit_launcher *launcher, const hit_kernel *kernel)
{
    int k = hit_table_first(&launcher->by_text, hit_known_kernel_hash(kernel));

    while (k >= 0 && (launcher->kernel[k]->of != launcher->kernel[k] ||
                      !hit_known_kernel_is(launcher->kernel[k], kernel))) {
        k = hit_table_next(&launcher->by_text, k);
    }
    if (k < 0) return NULL;
    launcher->kernel[k]->last_used = launcher->launches;
    return launcher->kernel[k];
}

static bool has_numbers(const hit_known_kernel *known, const hit_index number[])
{
    for (unsigned left = known->named | known->looked; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);

        if (known->number_of[k] != number[k]) return false;
    }
    return true;
}

static bool is_bound(const hit_known_kernel *known, const hit_index number[],
                     const hit_where *where)
{
    return known->of != known && has_numbers(known, number) &&
           hit_where_equal(known->where, where);
}

/* The kernel @p of with these numbers; NULL: it is new. */
static hit_known_kernel *find_bound(hit_launcher *launcher, const hit_known_kernel *of,
                                    const hit_index number[], const hit_where *where)
{
    int k = hit_table_first(&launcher->by_text,
                            hit_known_kernel_bound_hash(of, number, where));

    while (k >= 0 && (launcher->kernel[k]->of != of ||
                      !is_bound(launcher->kernel[k], number, where))) {
        k = hit_table_next(&launcher->by_text, k);
    }
    return k >= 0 ? launcher->kernel[k] : NULL;
}

/* An index writes elements that no other one does: then boxes around the indices that
 * remain, in several processes, devices and superblocks, do not meet in what is written,
 * whatever remains of them. Of a sum it must be known that some index adds to it. */
static hit_status check_where(const hit_known_kernel *known)
{
    const hit_kernel *kernel = known->kernel;

    if (hit_kernel_is_ordered(kernel)) return HIT_OK; /* boxes run one after the other */
    if (kernel->whole_box) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected a body for each index for a launch with "
                        "HIT_WHERE() but found a kernel of whole boxes",
                        kernel->name);
    }
    for (int k = 0; k < kernel->args; k++) {
        const hit_mode mode = kernel->arg[k].mode;
        const bool sum = hit_mode_reduces(mode) != 0;
        const bool looks =
            known->pattern[k].lookups != NULL; /* scatter.c looks at them */
        bool own = !sum && (known->point[k] || hit_pattern_is_element(&known->writes[k]));

        if (mode == HIT_MODE_IN || mode == HIT_MODE_VALUE) continue;
        for (int d = 0; d < kernel->dims && own; d++) {
            own = hit_pattern_uses(&known->writes[k], d);
        }
        own = own || (!sum && hit_kernel_runs_once(kernel));
        if (looks && hit_where_looks_in(known->where) == 0) continue;
        if ((own && !looks) || (sum && known->pattern[k].tile_dims == 0)) continue;
        return HIT_FAIL(HIT_E_PATTERN,
                        "kernel %s, argument %s: expected %s for a launch with "
                        "HIT_WHERE() but found \"%s\"",
                        kernel->name, kernel->arg[k].name,
                        sum ? "a reduction into \"[]\""
                            : "an element of its own for each index, as \"[i, j]\" of i "
                              "and j,",
                        kernel->arg[k].pattern);
    }
    return HIT_OK;
}

/* What is known of the arguments that stand in inequalities. */
static void look_at_sources(hit_known_kernel *known, const hit_call *call)
{
    for (int k = 0; k < known->where->sources; k++) {
        hit_where_source *source = &known->where->source[k];

        source->limits = call->args[source->arg].tile->domain;
        source->values =
            source->limits.dims == source->dims ? known->table[source->arg] : NULL;
    }
}

hit_status hit_known_kernel_restrict(hit_known_kernel *known, const hit_call *call)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(*known->where), &known->where));
    hit_where_copy(known->where, call->where);
    known->where->text = NULL; /* the program's may go */
    look_at_sources(known, call);
    return check_where(known);
}

static hit_status reserve_kernel(hit_launcher *launcher)
{
    HIT_TRY(hit_memory_resize((size_t)launcher->kernels + 1, sizeof(hit_known_kernel *),
                              "kernels", &launcher->kernel));
    return hit_table_reserve(&launcher->by_text, launcher->kernels + 1, "kernels");
}

static void keep_kernel(hit_launcher *launcher, hit_known_kernel *known)
{
    known->number = ++launcher->kernels_made;
    known->last_used = launcher->launches;
    launcher->kernel[launcher->kernels] = known;
    hit_table_put(&launcher->by_text, known->hash, launcher->kernels++);
}

hit_status hit_launcher_bind(const hit_call *call, const hit_known_kernel **known)
{
    hit_launcher *launcher = call->context->launcher;
    hit_known_kernel *of = (*known)->of;
    hit_index number[HIT_MAX_ARGS] = {0};
    hit_known_kernel *bound;
    int arg = 0;

    if ((of->named | of->looked) == 0 && call->where == NULL) return HIT_OK;
    if (!hit_call_numbers(call, of->named, number, &arg)) {
        return HIT_FAIL(
            HIT_E_ARG,
            "kernel %s, argument %s: expected a value of 64 bits with a sign, "
            "since it stands in a pattern, but found a larger one",
            of->kernel->name, of->kernel->arg[arg].name);
    }
    hit_lookups_numbers(call, hit_call_looked(call, of), number);
    if (is_bound(*known, number, call->where)) return HIT_OK;
    bound = find_bound(launcher, of, number, call->where);
    if (bound == NULL) {
        HIT_TRY(reserve_kernel(launcher));
        HIT_TRY(hit_known_kernel_bind(of, call, number, &bound));
        keep_kernel(launcher, bound);
    }
    bound->last_used = launcher->launches;
    bound->of->last_used = launcher->launches; /* whose texts are its own */
    *known = bound;
    return HIT_OK;
}

hit_status hit_launcher_known(const hit_call *call, const hit_known_kernel **known)
{
    *known = find_known(call->context->launcher, call->kernel);
    return *known != NULL ? hit_launcher_bind(call, known) : HIT_OK;
}

hit_status hit_launcher_learn(const hit_call *call, const hit_known_kernel **known)
{
    hit_context *context = call->context;
    hit_launcher *launcher = context->launcher;
    hit_known_kernel *found = find_known(launcher, call->kernel);

    if (found == NULL) {
        HIT_TRY(reserve_kernel(launcher));
        HIT_TRY(hit_known_kernel_create(call->kernel, runs_on_host(context, call->kernel),
                                        &found));
        keep_kernel(launcher, found);
    }
    *known = found;
    return HIT_OK;
}

hit_status hit_launcher_know(const hit_call *call, const hit_known_kernel **known)
{
    HIT_TRY(hit_launcher_learn(call, known));
    return hit_launcher_bind(call, known);
}

static bool has_plan(const hit_launcher *launcher, const hit_known_kernel *known)
{
    for (int k = 0; k < launcher->plans; k++) {
        const hit_known_kernel *of = launcher->plan[k]->known;

        if (of == known || of->of == known) return true;
    }
    return false;
}

/* Traces, dry runs and schedulers keep names and kernels until the context is closed; but
 * for dry runs none keeps one with numbers, which has no names of its own. */
static bool is_kept(const hit_context *context, const hit_known_kernel *known)
{
    if (hit_comm_is_planned(context->comm)) return true;
    if (known->of != known) return false;
    return hit_trace_on(context->trace) || context->stations->keeper.self != NULL;
}

void hit_launcher_forget_kernels(hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    int kept = 0;

    if (launcher->kernels < launcher->kernels_most) return;
    hit_stations_keep_failure(context->stations, hit_settle(context));
    hit_table_empty(&launcher->by_text);
    for (int k = 0; k < launcher->kernels; k++) {
        hit_known_kernel *known = launcher->kernel[k];

        if (known->last_used + HIT_LATELY < launcher->launches &&
            !is_kept(context, known) && !has_plan(launcher, known)) {
            hit_known_kernel_destroy(known);
        } else {
            launcher->kernel[kept] = known;
            hit_table_put(&launcher->by_text, known->hash, kept++);
        }
    }
    launcher->kernels = kept;
    /* many that stay are not looked at in each launch */
    if (launcher->kernels_most < 2 * kept) launcher->kernels_most = 2 * kept;
}
