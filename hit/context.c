/* SPDX-License-Identifier: MIT
 * Opening and closing: processes first, then the devices of this process. */
#include "hit/context.h"

#include "hit/base/context.h"
#include "hit/base/quote.h"
#include "hit/base/registry.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/cost/cost.h"
#include "hit/data/hash.h"
#include "hit/device/box_costs.h"
#include "hit/device/nodes.h"
#include "hit/devices.h"
#include "hit/dry/dry.h"
#include "hit/launch/launcher.h"
#include "hit/mpi.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/sched/cluster.h"
#include "hit/sched/registry.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/tile_impl.h"
#include "hit/trace/trace_write.h"
#include "layouts/search/search.h"

#include <stdlib.h>
#include <unistd.h>

/* The one of HIT_SCHED; NULL in @p otherwise: without it launches need none. */
static hit_status choose_scheduler(hit_context *made, const char *otherwise)
{
    const char *scheduler = getenv("HIT_SCHED");
    hit_status status;

    if (scheduler == NULL || *scheduler == '\0') scheduler = otherwise;
    if (scheduler == NULL) return HIT_OK;
    status = hit_schedule(made, scheduler);
    if (status != HIT_E_ARG) return status;
    return HIT_FAIL(status, "HIT_SCHED: %s", hit_status_text());
}

/* A wrong HIT_SCHED is an error though launches need no scheduler. */
static hit_status check_scheduler(hit_context *made)
{
    const char *text = getenv("HIT_SCHED");
    hit_scheduler read;
    hit_status status;

    if (text == NULL || *text == '\0') return HIT_OK;
    status = hit_scheduler_read(made, text, &read);
    if (status != HIT_E_ARG) return status;
    return HIT_FAIL(status, "HIT_SCHED: %s", hit_status_text());
}

/* On a simulated machine. */
static hit_status choose_simulated(hit_context *made, const hit_dry_request *dry)
{
    HIT_TRY(hit_checked_open(made));
    if (made->execution != NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected no HIT_CHECK, HIT_COMPARE or HIT_INFER on a simulated "
                        "machine");
    }
    HIT_TRY(hit_scheduled_open_virtual(made, dry->processes == 0));
    return choose_scheduler(made, "heft");
}

static hit_status choose_executor(hit_context *made, const hit_options *options,
                                  const hit_dry_request *dry)
{
    const hit_sched_ops *const *own = options->schedulers;

    for (; own != NULL && *own != NULL; own++) {
        HIT_TRY(hit_scheduler_register(made, *own));
    }
    HIT_TRY(check_scheduler(made));
    HIT_TRY(hit_chains_open(made));
    made->executor = &hit_executor_live;
    if (made->simulated != NULL && hit_nodes_machine(made) == NULL) {
        return choose_simulated(made, dry);
    }
    HIT_TRY(dry->processes > 0 ? hit_dry_open(made, dry) : hit_checked_open(made));
    if (made->executor != &hit_executor_live && made->executor != &hit_executor_dry) {
        return HIT_OK;
    }
    /* where all devices work in place, launches are tasks without a scheduler */
    if (dry->processes > 0 || !hit_scheduled_can_real(made)) return HIT_OK;
    hit_scheduled_be_there(made);
    return choose_scheduler(made, NULL);
}

/* What all processes take part in, step by step: one that fails stops all. */
static hit_status set_up(hit_context *made, const hit_options *options,
                         const hit_dry_request *dry)
{
    made->out = options->out;
    HIT_TRY(hit_trace_open(made));
    HIT_TRY(hit_comm_agree(made->comm, hit_devices_open(made, options)));
    hit_links_install(made);
    HIT_TRY(hit_comm_agree(made->comm, hit_launcher_create(made)));
    HIT_TRY(hit_comm_agree(made->comm, choose_executor(made, options, dry)));
    if (dry->processes == 0 && made->simulated == NULL) {
        HIT_TRY(hit_energy_begin(made));
    }
    HIT_TRY(hit_comm_agree(made->comm, hit_checkpoint_open(made)));
    /* all of them ask, also those whose launches a scheduler places */
    if (made->size > 1 &&
        (made->executor == &hit_executor_live || made->stations->keeper.self != NULL)) {
        hit_chains_open_around(made);
    }
    if (made->executor == &hit_executor_dry) hit_dry_open_chains(made);
    return HIT_OK;
}

static hit_status make_context(hit_comm *comm, const char *group, hit_context **context)
{
    hit_context *made = calloc(1, sizeof(hit_context));

    if (made == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a context");
    made->thread = pthread_self();
    made->bound = 1;
    made->process = getpid();
    made->comm = comm;
    made->rank = hit_comm_rank(comm);
    made->size = hit_comm_size(comm);
    made->search = hit_layout_search;
    (void)snprintf(made->group, sizeof(made->group), "%s", group);
    *context = made;
    return HIT_OK;
}

static void drop_registries(hit_context *made)
{
    hit_registry_destroy(&made->layouts);
    hit_registry_destroy(&made->kernels);
    hit_registry_destroy(&made->schedulers);
    hit_registry_destroy(&made->formats);
}

static void take_down(hit_context *made)
{
    if (made->executor != NULL && made->executor->close != NULL) {
        made->executor->close(made);
    } else if (made->stations != NULL && made->stations->keeper.at_need) {
        hit_scheduled_close(made);
    }
    (void)hit_checkpoint_close(made, false);
    hit_launcher_destroy(made);
    hit_box_costs_destroy(&made->costs);
    drop_registries(made);
    hit_devices_close(made);
    hit_virtual_machine_destroy(&made->simulated);
    hit_energy_close(made->trace);
    hit_trace_destroy(&made->trace);
    hit_comm_close(&made->comm);
}

static hit_status no_place(void)
{
    return HIT_FAIL(HIT_E_ARG, "expected a place for the context but found NULL");
}

/* A machine with nodes is for dry runs, of as many processes as it has nodes where
 * nothing else is said. */
static hit_status plan_nodes(const hit_comm *comm, const hit_virtual_machine *simulated,
                             hit_dry_request *dry)
{
    if (simulated == NULL || simulated->machine.nodes == 0) return HIT_OK;
    if (dry->processes == 0) {
        return HIT_FAIL(HIT_E_ARG, "HIT_DEVICES: expected HIT_PLAN beside a simulated "
                                   "machine with nodes, such as 1 or json, but found "
                                   "none");
    }
    if (hit_comm_size(comm) > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected one process that plans for a simulated "
                        "machine with nodes but found %d",
                        hit_comm_size(comm));
    }
    if (!dry->counted) dry->processes = hit_cluster_processes(&simulated->machine);
    return HIT_OK;
}

/* What is asked for. Groups are planned as their whole is. */
static hit_status ask(const hit_comm *comm, bool group, const hit_options *options,
                      hit_dry_request *dry, hit_virtual_machine **simulated)
{
    HIT_TRY(hit_devices_simulated(options, simulated));
    return group ? HIT_OK : plan_nodes(comm, *simulated, dry);
}

/* Takes @p comm, also on failure. @p group: its name; empty: it is none. */
static hit_status open_over(hit_comm *comm, const char *group, const hit_options *options,
                            hit_context **context)
{
    const bool is_group = *group != '\0';
    const hit_options usual = {0};
    hit_dry_request dry = {.processes = 0};
    hit_virtual_machine *simulated = NULL;
    hit_context *made = NULL;
    hit_status status = hit_comm_agree(comm, context != NULL ? HIT_OK : no_place());

    if (options == NULL) options = &usual;
    if (status == HIT_OK) status = hit_dry_ask(comm, is_group, &dry);
    if (status == HIT_OK) {
        status = hit_comm_agree(comm, ask(comm, is_group, options, &dry, &simulated));
    }
    if (status == HIT_OK && dry.processes > 0) hit_comm_plan(comm, dry.processes);
    if (status == HIT_OK) status = hit_comm_agree(comm, make_context(comm, group, &made));
    if (made != NULL) made->simulated = simulated;
    if (status == HIT_OK) status = set_up(made, options, &dry);
    if (status != HIT_OK) {
        if (made != NULL) {
            take_down(made);
        } else {
            hit_virtual_machine_destroy(&simulated);
            hit_comm_close(&comm);
        }
        free(made);
        return status;
    }
    *context = made;
    return HIT_OK;
}

hit_status hit_open_with(int *argc, char ***argv, const hit_options *options,
                         hit_context **context)
{
    hit_comm *comm = NULL;

    if (context == NULL) return no_place(); /* before MPI starts */
    HIT_TRY(hit_comm_open(argc, argv, &comm));
    return open_over(comm, "", options, context);
}

hit_status hit_open(int *argc, char ***argv, hit_context **context)
{
    return hit_open_with(argc, argv, NULL, context);
}

/* Over processes that are there; else a NULL is told first, as everywhere. */
static hit_status open_found(hit_status found, hit_comm *comm, const hit_options *options,
                             hit_context **context)
{
    if (found != HIT_OK) return context != NULL ? found : no_place();
    return open_over(comm, "", options, context);
}

hit_status hit_open_from(const void *mpi_comm, const hit_options *options,
                         hit_context **context)
{
    hit_comm *comm = NULL;
    hit_status found;

    if (mpi_comm == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a communicator but found NULL");
    }
    found = hit_comm_open_from(mpi_comm, &comm);
    return open_found(found, comm, options, context);
}

hit_status hit_open_from_fortran(int mpi_comm, const hit_options *options,
                                 hit_context **context)
{
    hit_comm *comm = NULL;
    const hit_status found = hit_comm_open_from_fortran(mpi_comm, &comm);

    return open_found(found, comm, options, context);
}

/* "2"; of later calls "2.2", "2.3", ...; of a group in group 1 "1-2": no two groups of a
 * run have one name. */
static hit_status name_group(const hit_context *whole, int group,
                             char name[HIT_GROUP_NAME])
{
    char call[16] = "";
    int length;

    if (whole->splits > 0) (void)snprintf(call, sizeof(call), ".%d", whole->splits + 1);
    length = snprintf(name, HIT_GROUP_NAME, "%s%s%d%s", whole->group,
                      whole->group[0] != '\0' ? "-" : "", group, call);
    if (length < HIT_GROUP_NAME) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected a name of less than %d characters but group %d in group %s "
                    "has one of %d",
                    HIT_GROUP_NAME, group, whole->group, length);
}

static hit_status check_group(const hit_context *whole, int group, char name[])
{
    if (group < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a group >= 0 but found %d", group);
    }
    if (hit_comm_present(whole->comm) != whole->size) {
        return HIT_FAIL(
            HIT_E_ARG,
            "HIT_PLAN_PROCESSES: expected %d processes that plan groups, since "
            "each says which group is its own, but found %d",
            whole->size, hit_comm_present(whole->comm));
    }
    return name_group(whole, group, name);
}

hit_status hit_open_group(hit_context *whole, int group, const hit_options *options,
                          hit_context **context)
{
    char name[HIT_GROUP_NAME] = "";
    hit_comm *comm = NULL;

    if (whole == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_context_check_thread(whole));
    HIT_TRY(hit_comm_agree(whole->comm, context != NULL ? check_group(whole, group, name)
                                                        : no_place()));
    whole->splits++;
    HIT_TRY(hit_comm_split(whole->comm, group, &comm));
    return open_over(comm, name, options, context);
}

/* Closing has no status to give back, and a result may be wrong. */
static void tell(const hit_context *context, hit_status status)
{
    if (status != HIT_OK) hit_say(hit_context_notes(context), "%s\n", hit_status_text());
}

static uint64_t mark_place(const void *of)
{
    return hit_hash_text(HIT_HASH_START, of);
}

static void say_place(const void *of, char *text, size_t size)
{
    snprintf(text, size, "%s", (const char *)of);
}

/* A process that comes to @p place while others are in another call waits in no call of
 * MPI for them: all hear it. */
static hit_status agree_on_place(const hit_context *context, const char *place)
{
    return hit_comm_agree_on(context->comm, HIT_OK,
                             &(hit_comm_call){mark_place, say_place, place});
}

/* All of it, with the other processes. */
static void close_here(hit_context *closing)
{
    const hit_status entered = hit_comm_enter_ahead(closing->comm);
    const hit_status settled = hit_settle(closing);

    tell(closing, entered);
    /* those who heard of a failed comparison elsewhere come to this vote, too; once told
     * of unlike calls, others may have closed theirs */
    if (!hit_comm_parted(closing->comm)) {
        tell(closing, agree_on_place(closing, "hit_close()"));
    }
    tell(closing, hit_checkpoint_close(closing, entered == HIT_OK && settled == HIT_OK &&
                                                    !hit_comm_parted(closing->comm)));
    hit_launcher_trace_plans(closing);
    hit_trace_close(closing);
    take_down(closing);
}

/* In a child that was forked the threads are not there, and MPI, devices, files and the
 * other processes are its parent's. What memory it has goes with it. */
static void close_in_child(hit_context *closing)
{
    drop_registries(closing);
    closing->stations = NULL;
    closing->devices = 0;
}

void hit_close(hit_context **context)
{
    hit_context *closing;

    if (context == NULL || *context == NULL) return;
    closing = *context;
    if (closing->process == getpid()) {
        close_here(closing);
    } else {
        close_in_child(closing);
    }
    closing->closed = 1;
    if (closing->layouts_alive == 0) free(closing);
    *context = NULL;
}

int hit_rank(const hit_context *context)
{
    return context != NULL ? context->rank : -1;
}

int hit_size(const hit_context *context)
{
    return context != NULL ? context->size : 0;
}

hit_status hit_barrier(hit_context *context)
{
    hit_status status;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_comm_enter_ahead(context->comm));
    status = hit_settle(context);
    HIT_TRY(agree_on_place(context, "hit_barrier()"));
    return status;
}

double hit_time(const hit_context *context)
{
    if (context == NULL) return 0;
    if (context->executor->time_s != NULL) return context->executor->time_s(context);
    return hit_clock_now(&context->clock);
}

void hit_context_device(const hit_context *context, char *text, size_t size)
{
    if (text == NULL || size == 0) return;
    text[0] = '\0';
    if (context == NULL) return;
    if (context->executor->describe != NULL) {
        context->executor->describe(context, text, size);
        return;
    }
    hit_device_describe_all(context->devices, context->device, text, size);
}
