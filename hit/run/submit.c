/* SPDX-License-Identifier: MIT
 * Which launches become tasks, and of how many boxes, follows from the program and the
 * devices, never from time: a kernel of whole boxes rounds differently on other boxes. A
 * launch on a part of a tile leaves workers for others; one on all of it occupies them
 * all. Element kernels of such launches are cut best by the device, at once, as are those
 * of a program in which each launch needs what the one before it wrote. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "patterns/kernel_impl.h"
#include "patterns/transform.h"

enum {
    SMALL = 8, /* times what a worker's share of a tile is: a launch on less is narrow */
    ROW = 4    /* launches in a row that need each other: the next one will, too */
};

/* Does it run on its indices as they are, when its messages have come? */
static bool is_plain(const hit_launch_plan *plan)
{
    if (plan->pieces != 1) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (!hit_use_stays(&plan->use[u])) return false;
    }
    return true;
}

static const char not_plain[] =
    "it reduces, or some of its elements are copied before or after it";

/* Why launches of the plan never become tasks; NULL: they may. */
static const char *reason_against(const hit_call *call, const hit_launch_plan *plan,
                                  const hit_stations *stations)
{
    const hit_kernel_threads *own = call->kernel->own_threads; /* all of a device */

    if (!is_plain(plan)) return not_plain;
    if (plan->shares != NULL) return "the shares of devices follow its times";
    if (stations->count == 1 && own != NULL && own->enter != NULL) {
        return "its kernel has threads of its own";
    }
    return hit_workers_can(stations) ? NULL : "a device has a memory of its own";
}

bool hit_submit_may(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_stations *stations = call->context->stations;

    if (plan->parts == 0 || stations->keeper.place != NULL) return false;
    if (call->context->size > hit_comm_present(call->context->comm)) {
        return false; /* a dry run of others: there are threads of one process only */
    }
    if (call->context->size == 1 && hit_stations_in_place(stations) &&
        stations->station[0].device->threads == 1) {
        return false; /* there is nobody to leave it to, and no message to wait for */
    }
    return hit_launch_takes(call, "no task", reason_against(call, plan, stations));
}

/* ---- wide or narrow ---- */

/* Of the dimensions as they lie in memory: every second row of a tile is all of it. */
static double span(const hit_domain *box)
{
    double count = 1;

    for (int d = 0; d < box->dims; d++) {
        count *= (double)(box->sig[d].end - box->sig[d].begin + 1);
    }
    return count;
}

static hit_domain written_of(const hit_launch_plan *plan, const hit_use *use)
{
    if (use->pattern->only_read == 0) return use->need[0];
    return hit_pattern_cover(use->writes, &use->tile, &plan->index[0]);
}

/* Which part of a tile does the launch write? The greatest. Pieces of a tile are mostly
 * alike. */
static double part_written(const hit_call *call, const hit_launch_plan *plan)
{
    double most = 0;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_storage *storage = hit_use_storage(use, call);
        const int piece = hit_use_storage_piece(use, call, 0);
        hit_domain written;
        double own;

        if (use->mode == HIT_MODE_IN) continue;
        written = written_of(plan, use);
        own = span(&written) / span(&storage->view[piece].domain) / storage->pieces;
        if (own > most) most = own;
    }
    return most;
}

/* Does it touch what the launch before it wrote? */
static bool follows_last(const hit_runner *r, const hit_row *row)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (hit_use_storage(use, r->call)->number != row->storage) continue;
        if (hit_use_storage_piece(use, r->call, 0) != row->piece) continue;
        if (hit_domain_meets(&use->need[0], &row->written)) return true;
    }
    return false;
}

/* Is it one of a row of launches that need each other? Keeps what it writes. Not where
 * several devices would share it, nor for whole boxes, which round by who runs them. */
static bool is_in_row(const hit_runner *r)
{
    hit_row *row = &r->stations->row;

    if (r->stations->count > 1 || r->call->kernel->whole_box) {
        row->launches = 0;
        return false;
    }
    row->launches = row->launches > 0 && follows_last(r, row) ? row->launches + 1 : 1;
    if (row->launches > ROW) row->launches = ROW; /* it does not overflow */
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->mode == HIT_MODE_IN) continue;
        row->storage = hit_use_storage(use, r->call)->number;
        row->piece = hit_use_storage_piece(use, r->call, 0);
        row->written = written_of(r->plan, use);
        break;
    }
    return row->launches == ROW;
}

/* How many devices may run it, and which ones, bit by bit. Spare ones do where no other
 * one may. */
static int count_able(const hit_stations *stations, const hit_launch_plan *plan,
                      uint64_t *on)
{
    *on = 0;
    for (int d = 0; d < stations->count; d++) {
        if (!hit_device_set_has(&plan->able, d)) continue;
        if (stations->station[d].device->spec.spare) continue;
        *on |= (uint64_t)1 << d;
    }
    if (*on == 0) *on = plan->able.word[0];
    return __builtin_popcountll(*on);
}

/* How many may carry it out, and which ones, bit by bit; 0: all. */
static int count_workers(const hit_stations *stations, const hit_launch_plan *plan,
                         uint64_t *on)
{
    int able;

    *on = 0;
    if (stations->count == 1) return stations->station[0].device->threads;
    able = count_able(stations, plan, on);
    if (able == stations->count) *on = 0;
    return able;
}

/* Does it leave most workers, of which it would take so many shares, to others? */
static bool is_narrow(double shares)
{
    return SMALL * shares <= 1;
}

/* Is it one of several boxes of a launch in order? Whatever its size one worker does it,
 * and the others have other boxes. */
static bool is_box_of_several(const hit_call *call)
{
    return hit_kernel_is_ordered(call->kernel) && call->of != NULL &&
           !hit_domain_equal(call->of, &call->domain);
}

/* The number of tasks; 0: it occupies all workers, or takes less than to hand it over. */
static int count_tasks(const hit_runner *r, int workers)
{
    const double shares = workers * part_written(r->call, r->plan);
    const bool light = r->run.light && !r->call->kernel->whole_box;
    const bool in_row = !light && is_in_row(r);

    if (r->call->kernel->whole_box == 2 && workers > 1) {
        const int tasks = (int)shares + (shares > (int)shares);

        return tasks < 1 ? 1 : tasks > workers ? workers : tasks;
    }
    if (light) return hit_tasks_any(r->stations->tasks);
    if (workers > 1 && is_box_of_several(r->call)) return 1;
    return !in_row && is_narrow(shares);
}

/* ---- a task ---- */

/* What is lost if it fails. */
static void describe_writes(const hit_runner *r, const hit_domain *index, hit_task *task)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->mode == HIT_MODE_IN) continue;
        task->write[task->writes++] =
            (hit_task_write){.storage = hit_use_storage(use, r->call),
                             .piece = hit_use_storage_piece(use, r->call, 0),
                             .box = hit_pattern_cover(use->writes, &use->tile, index)};
    }
}

static void describe(hit_runner *r, const hit_domain *index, uint64_t on, hit_task *task)
{
    hit_runner_set_box(r, index);
    task->kernel = r->call->kernel;
    task->on = on;
    if (r->call->context->size > 1) describe_writes(r, index, task);
    hit_run_copy(task->run, &r->run, r->call->count);
    task->run->threads = 1;
    if (task->values_bytes == 0) return;
    (void)hit_call_keep_values(r->call, task->value, task->values_bytes, task->run->slot);
}

/* What is only read beside what is written is logged as such, range by range: the corners
 * of a cross are not touched. */
static hit_status log_access(const hit_runner *r, const hit_use *use,
                             const hit_domain *index, const hit_domain *need,
                             const hit_loose_event *task)
{
    hit_fence *fence = hit_use_storage(use, r->call)->fence;
    const int piece = hit_use_storage_piece(use, r->call, 0);
    const hit_pattern *pattern = use->pattern;
    const int written = pattern->count - pattern->only_read;
    hit_domain box;

    if (pattern->only_read == 0) {
        return hit_fence_follow(fence, piece, need, use->mode != HIT_MODE_IN, task);
    }
    for (int a = written; a < pattern->count; a++) {
        box = hit_access_apply(&pattern->access[a], &use->tile, index);
        HIT_TRY(hit_fence_follow_blocks(fence, piece, &box, task));
    }
    box = hit_pattern_cover(use->writes, &use->tile, index);
    return hit_fence_follow(fence, piece, &box, true, task);
}

/* The logs say what the task comes after, and name it. */
static hit_status log_accesses(const hit_runner *r, const hit_domain *index,
                               hit_tasks *tasks, uint64_t number)
{
    const hit_loose_event task = {number, hit_tasks_after, tasks};

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_domain *need = &use->need[0];
        hit_domain part;

        if (index != &r->plan->index[0]) {
            part = hit_pattern_cover(use->pattern, &use->tile, index);
            need = &part;
        }
        HIT_TRY(log_access(r, use, index, need, &task));
    }
    r->stations->logged[hit_source_of_tasks(r->stations)] = number;
    return hit_tasks_reserve(tasks);
}

/* Logs of too many boxes wait for all tasks. */
static hit_status shorten_logs(const hit_runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_tile *tile = r->call->args[r->plan->use[u].arg].tile;

        if (!hit_fence_is_full(tile->storage->fence)) continue;
        HIT_TRY(hit_stations_finish_deferred(r->stations));
    }
    return HIT_OK;
}

/* Workers @p on may take it. *taken is false if there is no memory. */
static hit_status submit_box(hit_runner *r, const hit_domain *index, uint64_t on,
                             bool *taken)
{
    const hit_task_room room = {.slots = r->call->count,
                                .writes = r->call->context->size > 1 ? r->plan->uses : 0,
                                .values_bytes = r->plan->known->values_bytes};
    hit_stations *stations = r->stations;
    hit_tasks *tasks = stations->tasks;
    hit_task *task = NULL;
    uint64_t number;

    *taken = false;
    if (tasks == NULL) { /* made when they are asked for first */
        if (hit_tasks_create(stations, &tasks) != HIT_OK) return HIT_OK;
        stations->tasks = tasks;
    }
    hit_comm_meanwhile(r->call->context->comm, hit_stations_help, stations);
    HIT_TRY(shorten_logs(r));
    HIT_TRY(hit_tasks_begin(tasks, &room, &task, &number));
    if (task == NULL) return HIT_OK;
    describe(r, index, on, task);
    HIT_TRY(hit_tasks_run_light(tasks, taken));
    if (*taken) return HIT_OK;
    if (log_accesses(r, index, tasks, number) != HIT_OK) {
        /* some logs have forgotten what came before */
        return hit_stations_finish_deferred(r->stations);
    }
    hit_tasks_add(tasks);
    if (r->plan->gathers) hit_runner_note_reader(r, number);
    *taken = true;
    return HIT_OK;
}

static int widest(const hit_domain *box, int parts)
{
    int best = 0;

    for (int d = 0; d < box->dims; d++) {
        if (hit_sig_count(box->sig[d]) >= parts) return d;
        if (hit_sig_count(box->sig[d]) > hit_sig_count(box->sig[best])) best = d;
    }
    return best;
}

/* On several processes a launch may run whatever failed before it, unless it reads that.
 */
static hit_status wait_here(hit_runner *r)
{
    const hit_status status = hit_submit_wait(r);

    if (r->call->context->size == 1) return status;
    hit_stations_keep_failure(r->stations, status);
    return hit_launch_plan_check_lost(r->plan, r->call);
}

/* At once, on the first device that may. */
static hit_status run_box(hit_runner *r, const hit_domain *box)
{
    const int own = r->number;
    int device = 0;
    hit_status status;

    while (!hit_device_set_has(&r->plan->able, device)) {
        device++;
    }
    HIT_TRY(wait_here(r));
    hit_runner_set_device(r, device);
    status = hit_runner_box(r, box);
    hit_runner_set_device(r, own);
    return status;
}

hit_status hit_submit(hit_runner *r, bool *taken)
{
    const hit_domain *index = &r->plan->index[0];
    uint64_t on;
    int tasks = count_tasks(r, count_workers(r->stations, r->plan, &on));
    int dim;

    *taken = false;
    if (r->plan->gathers && !hit_holds_all(r->call, r->plan)) return wait_here(r);
    if (tasks == 1) HIT_TRY(submit_box(r, index, on, taken));
    if (*taken) return HIT_OK;
    if (tasks < 2) return wait_here(r);
    dim = widest(index, tasks);
    if (tasks > hit_sig_count(index->sig[dim])) {
        tasks = (int)hit_sig_count(index->sig[dim]);
    }
    for (int k = 0; k < tasks; k++) {
        hit_domain box = *index;
        bool one = false;

        box.sig[dim] = hit_sig_part(index->sig[dim], k, tasks);
        HIT_TRY(submit_box(r, &box, on, &one));
        if (one) continue;
        HIT_TRY(run_box(r, &box));
    }
    *taken = true;
    return HIT_OK;
}

/* ---- tasks of a scheduler ---- */

void hit_submit_meet(const hit_call *call, hit_launch_plan *plan)
{
    if (!call->context->stations->keeper.at_need || plan->parts == 0) return;
    plan->places = hit_launch_takes(call, "no task", is_plain(plan) ? NULL : not_plain);
    plan->narrow = plan->places && hit_submit_is_narrow(call, plan);
}

bool hit_submit_is_narrow(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_stations *stations = call->context->stations;
    uint64_t on;
    const int workers = plan->waits ? count_workers(stations, plan, &on)
                                    : count_able(stations, plan, &on);

    return is_narrow(workers * part_written(call, plan));
}

hit_status hit_submit_placed(hit_runner *r, bool *taken)
{
    uint64_t task = 0;

    *taken = r->plan->pieces == 0; /* it has no part in it */
    if (*taken) return HIT_OK;
    if (r->plan->gathers && !hit_chains_want(r->call, r->plan)) {
        HIT_TRY(hit_runner_begin_gathers(r)); /* no chain fills in what it needs */
    }
    HIT_TRY(r->stations->keeper.place(r->call, r->plan, r->phase, &task));
    if (task > 0 && r->plan->gathers) hit_runner_note_reader(r, task);
    *taken = task > 0;
    return HIT_OK;
}

/* ---- launches that run at once ---- */

hit_status hit_submit_wait(hit_runner *r)
{
    if (!hit_tasks_any(r->stations->tasks)) return HIT_OK;
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_storage *storage = hit_use_storage(use, r->call);

        for (int k = 0; k < r->plan->pieces; k++) {
            if (use->piece[k] < 0) continue; /* its messages wait by themselves */
            HIT_TRY(hit_storage_wait_for_tasks(storage,
                                               hit_use_storage_piece(use, r->call, k),
                                               &use->need[k], use->mode != HIT_MODE_IN));
        }
    }
    if (r->plan->parts > 0) hit_tasks_pause(r->stations->tasks);
    return HIT_OK;
}
