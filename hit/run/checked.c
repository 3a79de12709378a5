/* SPDX-License-Identifier: MIT
 * HIT_CHECK, HIT_COMPARE and HIT_INFER. The tiles of a launch are gathered on process 0,
 * which tries the kernel on the copies (hit/check): devices, superblocks and messages
 * have no part in it, and two indices that meet in an element are seen wherever they run.
 */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/check/check.h"
#include "hit/comm/comm.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/tile_move.h"
#include "patterns/kernel_impl.h"
#include "patterns/transform.h"

#include <stdio.h>
#include <string.h>

/* ---- the environment ---- */

enum {
    CHECK = 1,
    TIGHT = 2, /* also what is declared and never touched */
    FRESH = 4, /* also what is read of tiles that nothing has written */
    COMPARE = 8,
    INFER = 16,
    WHOLE = 32, /* every index, however many there are */
    CHAINS = 64
};

/* Flags are equal on all processes; the rest is of process 0. */
typedef struct checks {
    uint64_t flags;
    int inferred;
    hit_kernel **seen; /* copies of kernels whose annotations were printed */
    hit_efforts efforts;
} checks;

static const struct {
    const char *name;
    const char *value;
    uint64_t flags;
} setting[] = {
    {"HIT_CHECK", "loose", CHECK},
    {"HIT_CHECK", "1", CHECK | TIGHT},
    {"HIT_CHECK", "whole", CHECK | TIGHT | WHOLE},
    {"HIT_CHECK", "all", CHECK | TIGHT | FRESH | WHOLE},
    {"HIT_COMPARE", "1", COMPARE},
    {"HIT_COMPARE", "chain", CHAINS},
    {"HIT_INFER", "1", INFER},
};

static hit_status read_variable(const char *name, const char *expected, uint64_t *flags)
{
    const char *text = getenv(name);

    if (text == NULL || *text == '\0' || strcmp(text, "0") == 0) return HIT_OK;
    for (size_t k = 0; k < sizeof(setting) / sizeof(setting[0]); k++) {
        if (strcmp(setting[k].name, name) != 0) continue;
        if (strcmp(setting[k].value, text) != 0) continue;
        *flags |= setting[k].flags;
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "%s: expected %s but found \"%s\"", name, expected, text);
}

static hit_status read_environment(uint64_t *flags)
{
    *flags = 0;
    HIT_TRY(read_variable("HIT_CHECK", "0, loose, 1, whole or all", flags));
    HIT_TRY(read_variable("HIT_COMPARE", "0, 1 or chain", flags));
    return read_variable("HIT_INFER", "0 or 1", flags);
}

static void close_checks(hit_context *context)
{
    checks *closing = context->execution;

    if (closing == NULL) return;
    if ((closing->flags & INFER) != 0 && context->rank == 0 && closing->inferred == 0) {
        hit_say(hit_context_reports(context),
                "HIT_INFER: no kernel was launched, so that no annotation is known\n");
    }
    hit_efforts_close(&closing->efforts);
    for (int k = 0; k < closing->inferred; k++) {
        free(closing->seen[k]);
    }
    free(closing->seen);
    free(closing);
    context->execution = NULL;
}

/* ---- copies of the tiles ---- */

static bool is_root(const hit_call *call)
{
    return call->context->rank == 0;
}

/* The tile, and what around it is touched: beyond a dimension without a boundary nothing
 * is, though the domain around both parts of a remainder may lead there. */
static hit_domain box_of_copy(const hit_call *call, const hit_tile *tile,
                              const hit_pattern *pattern)
{
    hit_domain need = hit_pattern_cover(pattern, &tile->domain, &call->domain);

    if (hit_domain_is_empty(&need)) return tile->domain;
    for (int d = 0; d < need.dims; d++) {
        if (tile->boundary[d] == HIT_BOUNDARY_NONE) need.sig[d] = tile->domain.sig[d];
    }
    return hit_domain_cover(&tile->domain, &need);
}

/* The copies, empty; patterns NULL: only what lies in the tiles. */
static hit_status make_replica(const hit_call *call, const hit_pattern *pattern,
                               hit_replica *replica)
{
    *replica = (hit_replica){.kernel = call->kernel,
                             .pattern = pattern,
                             .index = call->domain,
                             .where = call->where};
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;
        hit_domain box;

        replica->arg[k].value = call->args[k].value;
        if (tile == NULL || !is_root(call)) continue;
        replica->arg[k].tile = tile->storage->name;
        replica->arg[k].domain = tile->domain;
        box = pattern != NULL ? box_of_copy(call, tile, &pattern[k]) : tile->domain;
        HIT_TRY(hit_replica_take(replica, k, &box));
    }
    return HIT_OK;
}

/* What lies outside the tile, where its boundary says what that is. */
static hit_status fill_outside(const hit_tile *tile, const hit_view *inside,
                               const hit_view *copy)
{
    hit_image *image = NULL;
    int images = 0;

    HIT_TRY(hit_boundary_images(&tile->domain, tile->boundary, &copy->domain, &images,
                                &image));
    for (int m = 0; m < images; m++) {
        if (image[m].constant) {
            hit_view_fill(copy, &image[m].domain, tile->storage->constant);
        } else {
            hit_view_copy(inside, copy, &image[m].domain, &image[m].remap);
        }
    }
    free(image);
    return HIT_OK;
}

/* A dense copy of a tile on process 0. @collective yes @owner *buffer: free() */
static hit_status gather(const hit_call *call, hit_tile *tile, char **buffer)
{
    const size_t count = (size_t)hit_domain_count(&tile->domain);
    hit_status status = HIT_OK;

    *buffer = NULL;
    if (is_root(call)) {
        status = hit_memory_zeroed(count + 1, tile->storage->type.size_bytes, buffer);
    }
    status = hit_comm_agree(call->context->comm, status);
    if (status == HIT_OK) status = hit_tile_gather(tile, 0, *buffer);
    if (status != HIT_OK) {
        free(*buffer);
        *buffer = NULL;
    }
    return status;
}

static hit_status fill_copy(const hit_call *call, int k, hit_replica *replica)
{
    hit_tile *tile = call->args[k].tile;
    char *buffer = NULL;
    hit_status status = HIT_OK;

    HIT_TRY(gather(call, tile, &buffer));
    if (is_root(call)) {
        const hit_view inside =
            hit_view_make(&tile->domain, tile->storage->type.size_bytes, buffer);
        const hit_view *copy = &replica->arg[k].view;

        hit_view_copy(&inside, copy, &tile->domain, NULL);
        if (!hit_domain_inside(&copy->domain, &tile->domain)) {
            status = fill_outside(tile, &inside, copy);
        }
    }
    free(buffer);
    return hit_comm_agree(call->context->comm, status);
}

/* Which tiles has no process ever written? */
static hit_status find_fresh(const hit_call *call, hit_replica *replica)
{
    uint64_t version[HIT_MAX_ARGS] = {0};

    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile != NULL) version[k] = tile->storage->version;
    }
    HIT_TRY(hit_comm_max_u64(call->context->comm, version, call->count));
    for (int k = 0; k < call->count; k++) {
        replica->arg[k].fresh = version[k] == 1;
    }
    return HIT_OK;
}

/* @collective yes @owner hit_replica_clear(), also on failure */
static hit_status take_replica(const hit_call *call, const hit_pattern *pattern,
                               hit_replica *replica)
{
    HIT_TRY(hit_comm_agree(call->context->comm, make_replica(call, pattern, replica)));
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile != NULL) HIT_TRY(fill_copy(call, k, replica));
    }
    HIT_TRY(find_fresh(call, replica));
    if (is_root(call)) hit_replica_keep(replica);
    return HIT_OK;
}

/* ---- reports ---- */

/* Process 0's reports are everybody's. */
static hit_status share(const hit_call *call, hit_status status, hit_report *report)
{
    HIT_TRY(hit_comm_agree(call->context->comm, status));
    HIT_TRY(hit_comm_broadcast(call->context->comm, 0, report, sizeof(*report)));
    if (report->count == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_CHECK, "%s", report->text);
}

/* A box of a launch in order may touch less than all of its boxes together. */
static hit_status check_on_root(const hit_call *call, checks *verify, const void *key,
                                hit_replica *replica, hit_report *report)
{
    const bool whole = call->of == NULL || hit_domain_equal(call->of, &call->domain);
    hit_effort *effort = NULL;

    HIT_TRY(hit_effort_begin(&verify->efforts, key, replica, &effort));
    return hit_check_some(replica, whole && (verify->flags & TIGHT) != 0, effort, report);
}

static hit_status check(const hit_call *call, checks *verify, const void *key,
                        hit_replica *replica)
{
    hit_report report = {0};
    hit_status status = HIT_OK;

    for (int k = 0; k < call->count; k++) {
        replica->arg[k].fresh = replica->arg[k].fresh && (verify->flags & FRESH) != 0;
    }
    if (is_root(call)) status = check_on_root(call, verify, key, replica, &report);
    return share(call, status, &report);
}

/* A tile that is several arguments: of each what it touches, since its copy does not see
 * what was written by the others. */
static hit_status select_compared(const hit_call *call, hit_replica *replica, int k,
                                  hit_tile **selected)
{
    hit_tile *tile = call->args[k].tile;
    hit_domain need;

    if (call->alias == 0 || hit_domain_is_empty(&call->domain)) return HIT_OK;
    need = hit_pattern_cover(&replica->pattern[k], &tile->domain, &call->domain);
    replica->arg[k].domain = hit_domain_intersect(&need, &tile->domain);
    return hit_tile_select(tile, replica->arg[k].domain, selected);
}

static hit_status compare_arg(const hit_call *call, hit_replica *replica, int k,
                              const hit_reference *reference, hit_report *report)
{
    hit_tile *tile = call->args[k].tile;
    hit_tile *selected = NULL;
    char *found = NULL;
    hit_status status = select_compared(call, replica, k, &selected);

    status = hit_comm_agree(call->context->comm, status);
    if (status == HIT_OK) {
        status = gather(call, selected != NULL ? selected : tile, &found);
    }
    if (status == HIT_OK && is_root(call)) {
        hit_compare_arg(replica, k, reference, found, report);
    }
    free(found);
    hit_tile_destroy(&selected);
    return status;
}

static hit_status compare(const hit_call *call, hit_replica *replica,
                          const hit_reference *reference)
{
    hit_report report = {0};

    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        HIT_TRY(compare_arg(call, replica, k, reference, &report));
    }
    hit_report_finish(&report);
    return share(call, HIT_OK, &report);
}

static hit_status run_and_compare(const hit_call *call, hit_replica *replica,
                                  hit_launch_plan *plan, hit_reference *reference)
{
    hit_status status = HIT_OK;

    if (is_root(call)) status = hit_compare_run(replica, reference);
    HIT_TRY(hit_comm_agree(call->context->comm, status));
    HIT_TRY(hit_comm_agree(call->context->comm, hit_live_run(call, plan)));
    return compare(call, replica, reference);
}

static hit_status run_compared(const hit_call *call, hit_replica *replica,
                               hit_launch_plan *plan)
{
    hit_reference reference = {0};
    const hit_status status = run_and_compare(call, replica, plan, &reference);

    hit_reference_clear(&reference);
    return status;
}

/* A function of its own: a replica is large, and each call clears its own. */
static __attribute__((noinline)) hit_status
run_verified(const hit_call *call, checks *verify, hit_launch_plan *plan)
{
    hit_replica replica = {0};
    hit_status status = take_replica(call, plan->known->pattern, &replica);
    if (status == HIT_OK && (verify->flags & CHECK) != 0) {
        status = check(call, verify, plan->known->of, &replica);
    }
    if (status == HIT_OK) {
        status = (verify->flags & COMPARE) != 0 ? run_compared(call, &replica, plan)
                                                : hit_live_run(call, plan);
    }
    hit_replica_clear(&replica);
    return status;
}

/* ---- inference ---- */

static bool is_seen(const checks *verify, const hit_kernel *kernel)
{
    for (int k = 0; k < verify->inferred; k++) {
        if (hit_kernel_same(verify->seen[k], kernel)) return true;
    }
    return false;
}

static hit_status note_seen(checks *verify, const hit_kernel *kernel)
{
    hit_kernel *copy = NULL;

    HIT_TRY(hit_memory_resize((size_t)verify->inferred + 1, sizeof(*verify->seen),
                              "a list of kernels", &verify->seen));
    HIT_TRY(hit_kernel_with_patterns(kernel, NULL, &copy));
    verify->seen[verify->inferred++] = copy;
    return HIT_OK;
}

/* Process 0 says whether the kernel is new: another one may have had no memory to note
 * it, and would wait for messages of its own. */
static hit_status infer(const hit_call *call, hit_status checked, checks *verify)
{
    hit_comm *comm = call->context->comm;
    hit_replica replica = {0};
    char *text = NULL;
    bool fresh;
    hit_status status;

    /* a call that is wrong is told by the launch itself */
    if (hit_comm_agree(comm, checked) != HIT_OK) return HIT_OK;
    fresh = is_root(call) && !is_seen(verify, call->kernel);
    HIT_TRY(hit_comm_broadcast(comm, 0, &fresh, sizeof(fresh)));
    if (!fresh) return HIT_OK;
    status = take_replica(call, NULL, &replica);
    if (status == HIT_OK) {
        if (is_root(call)) status = hit_infer_kernel(&replica, &text);
        if (is_root(call) && status == HIT_OK) status = note_seen(verify, call->kernel);
        status = hit_comm_agree(comm, status);
    }
    if (status == HIT_OK && is_root(call)) {
        FILE *const out = hit_context_reports(call->context);

        hit_say_lines(out, text);
        (void)fflush(out);
    }
    free(text);
    hit_replica_clear(&replica);
    return status;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    checks *of = call->context->execution;
    hit_launch_plan *plan = NULL;

    if ((of->flags & INFER) != 0) HIT_TRY(infer(call, checked, of));
    HIT_TRY(hit_launcher_plan(call, checked, &plan));
    if ((of->flags & (CHECK | COMPARE)) == 0) return hit_live_run(call, plan);
    return run_verified(call, of, plan);
}

static const hit_executor executor_checked = {
    .name = "checked", .launch = launch, .close = close_checks};

hit_status hit_checked_open(hit_context *context)
{
    uint64_t flags = 0;
    checks *made = NULL;
    hit_status status;

    HIT_TRY(hit_comm_agree(context->comm, read_environment(&flags)));
    /* the environment of process 0 counts: it may not have reached the others */
    HIT_TRY(hit_comm_broadcast(context->comm, 0, &flags, sizeof(flags)));
    context->launcher->chain_compares = (flags & CHAINS) != 0;
    flags &= ~(uint64_t)CHAINS; /* that is for launches that are run as ever */
    if (flags == 0) return HIT_OK;
    status = hit_memory_zeroed(1, sizeof(*made), &made);
    if (status == HIT_OK) {
        made->flags = flags;
        made->efforts.whole = (flags & WHOLE) != 0;
        made->efforts.out = hit_context_notes(context);
    }
    context->execution = made;
    context->executor = &executor_checked;
    hit_chains_shut(context, "every launch: it is checked by itself");
    context->launcher->ordered.least = INT64_MAX; /* each box is as long as a launch */
    return hit_comm_agree(context->comm, status);
}
