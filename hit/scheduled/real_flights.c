/* SPDX-License-Identifier: MIT
 * Actions under way. The calling thread asks for copies in the lanes of devices, and for
 * kernels (hit/scheduled/real_impl.h), sees when they are over, and tells the engine. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): sched_yield */
#include "hit/base/alloc.h"
#include "hit/scheduled/real_impl.h"
#include "patterns/kernel_impl.h"

#include <math.h>
#include <sched.h>

enum {
    LOOKS = 64 /* before the caller sleeps */
};

static const double sleep_s = 50e-6; /* where only looking says that something is over */

/* ---- what begins ---- */

hit_status hit_real_begin_copy(hit_scheduled *s, const hit_action *copy,
                               const hit_domain *box)
{
    const bool in = copy->to > 0;
    const int number = hit_real_of_node(s, in ? copy->to : copy->from);
    hit_residents *moved = &s->context->stations->station[number].residents;
    hit_view source;
    hit_view target;

    HIT_TRY(hit_scheduled_data_prepare(s, copy->datum, copy->from, copy->to, &source,
                                       &target));
    if (source.data == NULL) return HIT_OK; /* nothing to copy */
    *(in ? &moved->bytes_in : &moved->bytes_out) +=
        (uint64_t)hit_domain_count(box) * source.size_bytes;
    return hit_device_copy(s->context->device[number], in ? HIT_LANE_IN : HIT_LANE_OUT,
                           in ? HIT_WAY_IN : HIT_WAY_OUT, &source, &target, box);
}

static hit_status begin_copy(hit_scheduled *s, hit_flight *f)
{
    const hit_action *action = &f->action;
    const hit_domain box = hit_scheduled_datum_copied(s, action->datum, action->to);

    f->lane = action->to > 0 ? HIT_LANE_IN : HIT_LANE_OUT;
    f->start_s = hit_real_now_s(s);
    HIT_TRY(hit_real_begin_copy(s, action, &box));
    f->mark = hit_device_mark(s->context->device[f->device], f->lane);
    return HIT_OK;
}

static hit_status begin_task(hit_scheduled *s, hit_flight *f)
{
    const hit_device *device = s->context->device[f->device];
    const hit_scheduled_task *task = s->task[f->action.task];
    hit_real *r = s->driven;
    hit_run *run = hit_run_lanes_next(r->lanes, f->device);
    hit_domain added[HIT_MAX_ARGS];
    const hit_domain *need = hit_kernel_reduces(task->kernel) ? added : NULL;

    if (need != NULL) hit_scheduled_task_need(task, added);
    f->lane = HIT_LANE_RUN;
    HIT_TRY(
        hit_scheduled_task_begin(s, task, s->device[f->action.device].node, device, run));
    f->start_s = hit_real_now_s(s);
    if (!hit_device_async(device)) {
        hit_run_lanes_start(r->lanes, f->device, task->kernel, need);
        return HIT_OK;
    }
    HIT_TRY(hit_device_run(device, task->kernel, run, need));
    f->mark = hit_device_mark(device, HIT_LANE_RUN);
    return HIT_OK;
}

static void end_task(hit_scheduled *s, hit_flight *f, bool done, hit_status status)
{
    s->context->stations->station[f->device].superblocks++;
    f->action.skipped = !done;
    hit_scheduled_task_end(s, f->action.task, done, status);
    f->state = HIT_FLIGHT_OVER;
}

/* The engine counts room that copies back make as soon as it asks for them. */
static bool comes_room(const hit_real *r, int device)
{
    for (size_t k = 0; k < r->flights; k++) {
        if (r->flight[k].action.back && r->flight[k].device == device) return true;
    }
    return false;
}

/* What fails at once is over; what has no room yet waits. */
static void begin(hit_scheduled *s, hit_flight *f)
{
    const bool copies = f->action.kind == HIT_ACTION_COPY;
    hit_status status;

    if (!copies && s->failed.status != HIT_OK &&
        hit_scheduled_task_is_cancelled(s, s->task[f->action.task])) {
        end_task(s, f, false, HIT_OK);
        return;
    }
    f->state = HIT_FLIGHT_GOES;
    status = copies ? begin_copy(s, f) : begin_task(s, f);
    if (status == HIT_OK) return;
    if ((status == HIT_E_LIMIT || status == HIT_E_NOMEM) &&
        comes_room(s->driven, f->device)) {
        f->state = HIT_FLIGHT_WAITS;
    } else if (copies) {
        hit_scheduled_copy_failed(s, f->action.datum, status);
        (void)hit_device_wait(s->context->device[f->device]); /* a part may have begun */
        f->state = HIT_FLIGHT_OVER;
    } else {
        end_task(s, f, false, status);
    }
}

/* ---- what is over ---- */

/* When it began, or its lane had ended what was before it. */
static double took_s(hit_real *r, const hit_flight *f, double end_s)
{
    double *free_s = &r->free_s[f->device][f->lane];
    const double start_s = fmax(f->start_s, *free_s);

    *free_s = end_s;
    return end_s - start_s;
}

/* It was not over at the last look: does that say well enough when it ended? */
static bool is_sharp(const hit_real *r, double seconds, double end_s)
{
    return end_s - r->look_s <= seconds / 8;
}

static void note_copy(hit_scheduled *s, hit_flight *f, hit_status status)
{
    const hit_action *action = &f->action;
    const bool in = action->to > 0;
    const double end_s = hit_real_now_s(s);
    const double seconds = took_s(s->driven, f, end_s);

    f->state = HIT_FLIGHT_OVER;
    if (status != HIT_OK) {
        hit_scheduled_copy_failed(s, action->datum, status);
    } else if (is_sharp(s->driven, seconds, end_s)) {
        hit_real_learn_copy(s, in ? action->to : action->from, in, action->bytes,
                            seconds);
    }
}

static hit_status note_task(hit_scheduled *s, hit_flight *f, const hit_ran *ran)
{
    const int device = f->action.device;
    const hit_scheduled_task *task = s->task[f->action.task];
    const int work = task->work;
    const bool learns = ran->status == HIT_OK && ran->seconds > 0;

    if (learns && s->scheduler.learns) {
        hit_real_lessons_note(s, task, s->device[device].kind, ran->seconds);
    }
    end_task(s, f, true, ran->status);
    return learns ? hit_real_learn_run(s, work, device, ran->seconds) : HIT_OK;
}

/* Is it over now? Then it is noted. @errors HIT_E_NOMEM */
static hit_status look(hit_scheduled *s, hit_flight *f)
{
    const hit_device *device = s->context->device[f->device];
    const hit_real *r = s->driven;
    hit_ran ran = {.status = HIT_OK};
    bool over = true;

    if (f->action.kind == HIT_ACTION_RUN && !hit_device_async(device)) {
        return hit_run_lanes_end(r->lanes, f->device, &ran) ? note_task(s, f, &ran)
                                                            : HIT_OK;
    }
    ran.status = hit_device_reached(device, f->lane, f->mark, &over);
    if (!over) return HIT_OK;
    if (f->action.kind == HIT_ACTION_COPY) {
        note_copy(s, f, ran.status);
        return HIT_OK;
    }
    ran.seconds = took_s(s->driven, f, hit_real_now_s(s));
    if (!is_sharp(r, ran.seconds, hit_real_now_s(s))) ran.seconds = 0;
    return note_task(s, f, &ran);
}

/* ---- actions ---- */

static bool is_under_way(const hit_real *r, int64_t number)
{
    for (size_t k = 0; k < r->flights; k++) {
        if (r->flight[k].action.number == number) return true;
    }
    return false;
}

/* Room first: an action that was taken must be carried out. */
static hit_status carry_out(hit_scheduled *s)
{
    hit_real *r = s->driven;
    hit_action action;

    for (;;) {
        hit_flight *f;

        HIT_TRY(HIT_ONE_MORE(r->flight, r->flights, r->room, "actions of a scheduler"));
        if (!hit_engine_next(s->engine, &action)) return HIT_OK;
        if (action.kind == HIT_ACTION_DROP) {
            hit_scheduled_data_drop(s, action.datum, action.from);
            continue;
        }
        f = &r->flight[r->flights];
        *f = (hit_flight){.action = action, .state = HIT_FLIGHT_WAITS};
        f->device = action.kind == HIT_ACTION_RUN
                        ? r->device[action.device]
                        : hit_real_of_node(s, action.to > 0 ? action.to : action.from);
        if (!is_under_way(r, action.after)) begin(s, f);
        r->flights++;
    }
}

static hit_status end(hit_scheduled *s, size_t k)
{
    hit_real *r = s->driven;
    const hit_flight f = r->flight[k];

    r->flights--;
    for (; k < r->flights; k++) {
        r->flight[k] = r->flight[k + 1];
    }
    if (f.action.back) hit_scheduled_data_drop(s, f.action.datum, f.action.from);
    return hit_engine_done(s->engine, &f.action, hit_real_now_ns(s));
}

/* Look at all that goes on, and let follow what can. */
static hit_status look_at_all(hit_scheduled *s)
{
    hit_real *r = s->driven;

    r->idle++;
    HIT_TRY(carry_out(s));
    for (size_t k = 0; k < r->flights;) {
        hit_flight *f = &r->flight[k];

        if (f->state == HIT_FLIGHT_WAITS && !is_under_way(r, f->action.after)) {
            begin(s, f);
        }
        if (f->state == HIT_FLIGHT_GOES) HIT_TRY(look(s, f));
        if (f->state != HIT_FLIGHT_OVER) {
            k++;
            continue;
        }
        r->idle = 0;
        HIT_TRY(end(s, k));
        HIT_TRY(carry_out(s));
    }
    r->look_s = hit_real_now_s(s);
    return HIT_OK;
}

/* Only threads that run kernels say by themselves that they are done. */
static bool must_look(const hit_scheduled *s)
{
    const hit_real *r = s->driven;

    for (size_t k = 0; k < r->flights; k++) {
        const hit_flight *f = &r->flight[k];

        if (f->state != HIT_FLIGHT_GOES) continue;
        if (f->action.kind == HIT_ACTION_COPY) return true;
        if (hit_device_async(s->context->device[f->device])) return true;
    }
    return false;
}

static void wait(const hit_scheduled *s, bool briefly)
{
    const hit_real *r = s->driven;

    if (r->idle < LOOKS) {
        (void)sched_yield();
    } else {
        hit_run_lanes_wait(r->lanes, briefly || must_look(s) ? sleep_s : -1);
    }
}

hit_status hit_real_go(hit_scheduled *s, int left)
{
    const hit_real *r = s->driven;

    for (;;) {
        HIT_TRY(look_at_all(s));
        if (left > 0 && hit_engine_pending(s->engine) <= left) return HIT_OK;
        if (r->flights == 0) break;
        if (r->idle > 0) wait(s, false);
    }
    return hit_engine_check_end(s->engine);
}

hit_status hit_real_step(hit_scheduled *s, bool briefly)
{
    const hit_real *r = s->driven;

    HIT_TRY(look_at_all(s));
    if (r->flights == 0) return hit_engine_check_end(s->engine);
    if (r->idle > 0) wait(s, briefly);
    return HIT_OK;
}

void hit_real_give_up(hit_scheduled *s)
{
    hit_real *r = s->driven;

    for (size_t k = 0; k < r->flights; k++) {
        const hit_flight *f = &r->flight[k];
        const hit_device *device = s->context->device[f->device];
        hit_ran ran;

        if (f->state != HIT_FLIGHT_GOES) continue;
        if (f->action.kind == HIT_ACTION_COPY || hit_device_async(device)) {
            (void)hit_device_wait(device);
            continue;
        }
        while (!hit_run_lanes_end(r->lanes, f->device, &ran)) {
            (void)sched_yield();
        }
    }
    r->flights = 0;
}
