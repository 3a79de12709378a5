/* SPDX-License-Identifier: MIT
 * One list in the order of adding. The thread takes the first job off it when it has
 * carried it out, so that what is not on the list is on disk or has failed. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "hit/base/alloc.h"
#include "hit/base/clock.h"
#include "hit/base/memory.h"
#include "hit/base/status_impl.h"
#include "hit/checkpoint/checkpoint_impl.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    TIMED = 1 << 20 /* bytes of a stretch that is timed */
};

typedef struct job {
    struct job *next;
    hit_stretch stretch; /* size_bytes 0: end the file */
    void *memory;        /* where it lies */
    size_t memory_bytes;
    bool used; /* it was filled before */
} job;

struct hit_writer {
    size_t room_bytes;
    uint64_t waited_bytes; /* of the thread that adds */
    job *taken;            /* its memory is being filled; NULL: none is */
    double taken_s;        /* since then */
    double fill_s[2];      /* of the last byte of new memory, and of used one */
    bool started;
    pthread_t thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t change;
    bool stops;
    bool ended; /* nothing is added any more */
    job *spare; /* until then: memory of what is written */
    job *first;
    job **last;
    size_t held_bytes; /* of what is not written yet */
    uint64_t written_bytes;
    double write_s;    /* of the last byte */
    hit_first failure; /* the first one; each thread has texts of its own */
};

static hit_status write_stretch(const hit_stretch *s)
{
    if (s->moved != NULL) s->moved(s->to_moved, s->offset_bytes, s->data, s->size_bytes);
    return hit_file_write_direct(s->file, s->place_bytes, s->data, s->size_bytes);
}

/* Without the mutex. */
static void carry_out(hit_writer *w, hit_stretch *s)
{
    const double start_s = hit_clock_now(NULL);
    hit_status status = HIT_OK;
    bool failed;

    (void)pthread_mutex_lock(&w->mutex);
    failed = w->failure.status != HIT_OK;
    (void)pthread_mutex_unlock(&w->mutex);
    if (s->size_bytes == 0) {
        status = hit_file_close(&s->file);
    } else if (!failed) {
        status = write_stretch(s);
    }
    (void)pthread_mutex_lock(&w->mutex);
    w->written_bytes += s->size_bytes;
    if (s->size_bytes >= TIMED) {
        w->write_s = (hit_clock_now(NULL) - start_s) / (double)s->size_bytes;
    }
    hit_first_keep(&w->failure, status);
    (void)pthread_mutex_unlock(&w->mutex);
}

static void free_job(job **of)
{
    if (*of == NULL) return;
    hit_memory_release(&(*of)->memory);
    free(*of);
    *of = NULL;
}

/* With the mutex, the job that is done. Its memory stays for what is added later;
 * returned is what is to be freed, or NULL. */
static job *take_off(hit_writer *w)
{
    job *done = w->first;

    w->held_bytes -= done->memory_bytes;
    w->first = done->next;
    if (w->first == NULL) w->last = &w->first;
    (void)pthread_cond_broadcast(&w->change);
    if (w->ended || done->memory == NULL) return done;
    done->next = w->spare;
    w->spare = done;
    return NULL;
}

static void *work(void *writer)
{
    hit_writer *w = writer;

    (void)pthread_mutex_lock(&w->mutex);
    for (;;) {
        job *now = w->first;

        if (now == NULL) {
            if (w->stops) break;
            (void)pthread_cond_wait(&w->change, &w->mutex);
            continue;
        }
        (void)pthread_mutex_unlock(&w->mutex);
        carry_out(w, &now->stretch);
        (void)pthread_mutex_lock(&w->mutex);
        now = take_off(w);
        (void)pthread_mutex_unlock(&w->mutex);
        free_job(&now);
        (void)pthread_mutex_lock(&w->mutex);
    }
    (void)pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* Signals are for the program's threads. */
static bool start(hit_writer *w)
{
    sigset_t all;
    sigset_t before;
    bool started;

    (void)sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    started = pthread_create(&w->thread, NULL, work, w) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

hit_status hit_writer_open(size_t room_bytes, hit_writer **writer)
{
    hit_writer *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_writer), &made));
    made->room_bytes = room_bytes;
    made->last = &made->first;
    (void)pthread_mutex_init(&made->mutex, NULL);
    (void)pthread_cond_init(&made->change, NULL);
    made->started = room_bytes > 0 && start(made);
    *writer = made;
    return HIT_OK;
}

/* ---- adding ---- */

static void wait_idle(hit_writer *w)
{
    (void)pthread_mutex_lock(&w->mutex);
    while (w->first != NULL) {
        (void)pthread_cond_wait(&w->change, &w->mutex);
    }
    (void)pthread_mutex_unlock(&w->mutex);
}

static void wait_for_room(hit_writer *w, size_t size)
{
    bool waited = false;

    (void)pthread_mutex_lock(&w->mutex);
    while (w->held_bytes > 0 && w->held_bytes + size > w->room_bytes) {
        waited = true;
        (void)pthread_cond_wait(&w->change, &w->mutex);
    }
    (void)pthread_mutex_unlock(&w->mutex);
    if (waited) w->waited_bytes += size;
}

static hit_status make_job(size_t memory_bytes, job **made)
{
    job *fresh = NULL;
    hit_status status = HIT_OK;

    HIT_TRY(hit_memory_zeroed(1, sizeof(job), &fresh));
    fresh->memory_bytes = memory_bytes;
    if (memory_bytes > 0) {
        status = hit_memory_take(memory_bytes, "what is written", &fresh->memory);
    }
    if (status == HIT_OK) {
        *made = fresh;
    } else {
        free(fresh);
    }
    return status;
}

/* What is written has left memory. If it is too small all of it goes: so there is none
 * when more is taken, and `memory=` holds. */
static job *take_spare(hit_writer *w, size_t memory_bytes)
{
    for (;;) {
        job *found;

        (void)pthread_mutex_lock(&w->mutex);
        found = w->spare;
        if (found != NULL) w->spare = found->next;
        (void)pthread_mutex_unlock(&w->mutex);
        if (found == NULL || found->memory_bytes >= memory_bytes) return found;
        free_job(&found);
    }
}

/* Pages that are new to the process are cleared by the system, and a virtual machine may
 * first have to get them. Where that takes longer than to write as much, steps wait
 * shorter for memory that is being written. */
static job *take_soon(hit_writer *w, size_t memory_bytes)
{
    const double new_s = w->fill_s[0] - w->fill_s[1];

    (void)pthread_mutex_lock(&w->mutex);
    while (w->spare == NULL && w->first != NULL && w->write_s > 0 && new_s > w->write_s) {
        (void)pthread_cond_wait(&w->change, &w->mutex);
    }
    (void)pthread_mutex_unlock(&w->mutex);
    return take_spare(w, memory_bytes);
}

/* As far behind a page in memory as in the file, unless elements would lie oddly. */
static size_t shift_of(const hit_stretch *stretch)
{
    const uint64_t begin = stretch->place_bytes - stretch->offset_bytes;

    return begin % sizeof(max_align_t) == 0 ? stretch->place_bytes % HIT_FILE_PAGE : 0;
}

static hit_status sink_take(void *writer, const hit_stretch *stretch, void **memory)
{
    hit_writer *w = writer;
    const size_t shift = shift_of(stretch);
    const size_t size = shift + stretch->size_bytes;
    const size_t room = HIT_FILE_PAGE + stretch->size_bytes; /* for any shift */

    wait_for_room(w, stretch->size_bytes);
    if (w->taken != NULL && w->taken->memory_bytes < size) free_job(&w->taken);
    if (w->taken == NULL) w->taken = take_soon(w, size);
    if (w->taken == NULL && make_job(room, &w->taken) != HIT_OK) {
        wait_idle(w); /* what is not written yet has memory */
        w->taken = take_spare(w, size);
        if (w->taken == NULL) HIT_TRY(make_job(room, &w->taken));
    }
    *memory = (char *)w->taken->memory + shift;
    w->taken_s = hit_clock_now(NULL);
    return HIT_OK;
}

static void add_job(hit_writer *w, job *made)
{
    made->next = NULL;
    (void)pthread_mutex_lock(&w->mutex);
    *w->last = made;
    w->last = &made->next;
    w->held_bytes += made->memory_bytes;
    (void)pthread_cond_broadcast(&w->change);
    (void)pthread_mutex_unlock(&w->mutex);
}

static void sink_write(void *writer, const hit_stretch *stretch)
{
    hit_writer *w = writer;
    job *made = w->taken;

    if (stretch->size_bytes == 0) return;
    made->stretch = *stretch;
    if (stretch->size_bytes >= TIMED) {
        w->fill_s[made->used] =
            (hit_clock_now(NULL) - w->taken_s) / (double)stretch->size_bytes;
        made->used = true;
    }
    if (w->started) {
        w->taken = NULL;
        add_job(w, made);
    } else {
        carry_out(w, &made->stretch);
    }
}

/* Close *file, and bring it to disk, when what was added before is written. */
static void sink_end_file(void *writer, hit_file **file)
{
    hit_writer *w = writer;
    hit_stretch last = {.file = *file};
    job *made = NULL;

    *file = NULL;
    if (last.file == NULL) return;
    if (w->started && make_job(0, &made) == HIT_OK) {
        made->stretch = last;
        add_job(w, made);
        return;
    }
    wait_idle(w);
    carry_out(w, &last);
}

hit_sink hit_writer_sink(hit_writer *writer)
{
    return (hit_sink){
        .take = sink_take, .write = sink_write, .end_file = sink_end_file, .of = writer};
}

/* ---- asking and waiting ---- */

bool hit_writer_is_idle(hit_writer *writer)
{
    bool idle;

    (void)pthread_mutex_lock(&writer->mutex);
    idle = writer->first == NULL;
    (void)pthread_mutex_unlock(&writer->mutex);
    return idle;
}

uint64_t hit_writer_written(hit_writer *writer)
{
    uint64_t bytes;

    (void)pthread_mutex_lock(&writer->mutex);
    bytes = writer->written_bytes;
    (void)pthread_mutex_unlock(&writer->mutex);
    return bytes;
}

uint64_t hit_writer_end(hit_writer *writer)
{
    (void)pthread_mutex_lock(&writer->mutex);
    writer->ended = true;
    (void)pthread_mutex_unlock(&writer->mutex);
    (void)take_spare(writer, SIZE_MAX); /* all of it is too small */
    free_job(&writer->taken);
    return writer->waited_bytes;
}

hit_status hit_writer_wait(hit_writer *writer)
{
    wait_idle(writer);
    return hit_first_tell(&writer->failure);
}

void hit_writer_close(hit_writer **writer_pointer)
{
    hit_writer *w = *writer_pointer;

    *writer_pointer = NULL;
    if (w == NULL) return;
    (void)pthread_mutex_lock(&w->mutex);
    w->stops = true;
    (void)pthread_cond_broadcast(&w->change);
    (void)pthread_mutex_unlock(&w->mutex);
    if (w->started) (void)pthread_join(w->thread, NULL);
    (void)hit_writer_end(w);
    (void)pthread_cond_destroy(&w->change);
    (void)pthread_mutex_destroy(&w->mutex);
    free(w);
}
