/* SPDX-License-Identifier: MIT
 * What a run learns of kernels for the next one, and for all others who ask the store of
 * models: a point for each kernel, device and number of indices. They are found where
 * `hit model measure` would have put them. Decision 0041. */
#include "hit/base/alloc.h"
#include "hit/cost/cost.h"
#include "hit/model/pace.h"
#include "hit/model/store_impl.h"
#include "hit/scheduled/real_impl.h"

#include <stdlib.h>

enum {
    LEAST_RUNS = 3, /* the first one finds cold caches */
    MOST = 512      /* of launches that are not alike; those after them are not kept */
};

/* Of launches alike, on a kind of devices. */
struct hit_lesson {
    hit_model_key key;
    const hit_kernel *kernel;
    uint64_t indices;
    uint64_t operations;
    uint64_t bytes;
    double ns; /* 0: not known */
    int runs;
};

/* Those of launches like @p task, by kind; NULL: there are none. */
static hit_lesson *find(const hit_scheduled *s, const hit_scheduled_task *task)
{
    const hit_real *r = s->driven;

    for (int k = 0; k < r->lessons; k += s->machine.kinds) {
        hit_lesson *one = &r->lesson[k];

        if (one->kernel == task->kernel && one->indices == task->indices &&
            one->operations == task->operations && one->bytes == task->bytes) {
            return one;
        }
    }
    return NULL;
}

hit_status hit_real_lessons_begin(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan,
                                  const hit_scheduled_task *task)
{
    const int kinds = s->machine.kinds;
    hit_real *r = s->driven;

    if (find(s, task) != NULL || r->lessons >= MOST * kinds) return HIT_OK;
    HIT_TRY(hit_memory_grow((size_t)(r->lessons + kinds), &r->lesson_room,
                            sizeof *r->lesson, "times of tasks", &r->lesson));
    for (int k = 0; k < kinds; k++) {
        hit_lesson *one = &r->lesson[r->lessons + k];

        *one = (hit_lesson){.kernel = task->kernel,
                            .indices = task->indices,
                            .operations = task->operations,
                            .bytes = task->bytes,
                            .ns = hit_real_stored_ns(s, call, plan, task->indices, k)};
        HIT_TRY(
            hit_rates_key(call, plan->known, hit_real_device_of_kind(s, k), &one->key));
    }
    r->lessons += kinds;
    return HIT_OK;
}

void hit_real_lessons_note(hit_scheduled *s, const hit_scheduled_task *task, int kind,
                           double seconds)
{
    hit_lesson *lesson = find(s, task);

    if (lesson == NULL) return;
    lesson += kind;
    lesson->ns = hit_pace_correct(lesson->ns, seconds * 1e9);
    lesson->runs++;
}

/* All with the key of number @p first become points of one model. */
static hit_status keep(const hit_clock *clock, hit_lesson lesson[], int first, int count)
{
    const hit_model_key key = lesson[first].key;
    hit_fpm *fpm = NULL;
    hit_status status = hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm);

    for (int k = first; k < count; k++) {
        hit_lesson *one = &lesson[k];

        if (one->runs < LEAST_RUNS || !hit_model_key_equal(&one->key, &key)) continue;
        if (status == HIT_OK) {
            status = hit_fpm_add(fpm, (double)one->indices, one->ns * 1e-9, one->runs);
        }
        one->runs = 0; /* it is kept */
    }
    if (status == HIT_OK) status = hit_store_add(clock, &key, fpm);
    hit_fpm_destroy(&fpm);
    return status;
}

void hit_real_lessons_close(hit_scheduled *s)
{
    hit_real *r = s->driven;

    for (int k = 0; k < r->lessons; k++) {
        if (r->lesson[k].runs < LEAST_RUNS) continue;
        if (keep(&s->context->clock, r->lesson, k, r->lessons) != HIT_OK) {
            break; /* a cache */
        }
    }
    free(r->lesson);
    r->lesson = NULL;
    r->lessons = 0;
    r->lesson_room = 0;
}
