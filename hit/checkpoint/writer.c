/* SPDX-License-Identifier: MIT
 * One list in the order of adding. The thread takes the first job off it when it has
 * carried it out, so that what is not on the list is on disk or has failed. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/checkpoint/checkpoint_impl.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct job {
    struct job *next;
    hit_stretch stretch; /* size_bytes 0: end the file */
    void *copy;
} job;

struct hit_writer {
    size_t room_bytes;
    uint64_t waited_bytes; /* of the thread that adds */
    bool started;
    pthread_t thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t change;
    bool stops;
    job *first;
    job **last;
    size_t held_bytes; /* of copies */
    uint64_t written_bytes;
    hit_status status; /* the first failure */
    char text[1024];   /* its text: each thread has texts of its own */
};

static hit_status write_stretch(const hit_stretch *s)
{
    if (s->moved != NULL) s->moved(s->to_moved, s->offset_bytes, s->data, s->size_bytes);
    return hit_file_write(s->file, s->place_bytes, s->data, s->size_bytes);
}

/* Without the mutex. */
static void carry_out(hit_writer *w, hit_stretch *s)
{
    hit_status status = HIT_OK;
    bool failed;

    (void)pthread_mutex_lock(&w->mutex);
    failed = w->status != HIT_OK;
    (void)pthread_mutex_unlock(&w->mutex);
    if (s->size_bytes == 0) {
        status = hit_file_close(&s->file);
    } else if (!failed) {
        status = write_stretch(s);
    }
    (void)pthread_mutex_lock(&w->mutex);
    w->written_bytes += s->size_bytes;
    if (status != HIT_OK && w->status == HIT_OK) {
        w->status = status;
        (void)snprintf(w->text, sizeof(w->text), "%s", hit_status_text());
    }
    (void)pthread_mutex_unlock(&w->mutex);
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
        hit_memory_release(&now->copy);
        (void)pthread_mutex_lock(&w->mutex);
        w->held_bytes -= now->stretch.size_bytes;
        w->first = now->next;
        if (w->first == NULL) w->last = &w->first;
        (void)pthread_cond_broadcast(&w->change);
        free(now);
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

/* A job with a copy of the data; NULL: there is no thread, or no memory. */
static job *make_job(const hit_writer *w, const hit_stretch *stretch)
{
    job *made = NULL;

    if (!w->started || hit_memory_zeroed(1, sizeof(job), &made) != HIT_OK) return NULL;
    made->stretch = *stretch;
    if (stretch->size_bytes == 0) return made;
    if (hit_memory_take(stretch->size_bytes, "what is written", &made->copy) != HIT_OK) {
        free(made);
        return NULL;
    }
    memcpy(made->copy, stretch->data, stretch->size_bytes);
    made->stretch.data = made->copy;
    return made;
}

static void add_job(hit_writer *w, const hit_stretch *stretch)
{
    hit_stretch alone = *stretch;
    job *made;

    wait_for_room(w, stretch->size_bytes);
    made = make_job(w, stretch);
    if (made == NULL) {
        wait_idle(w);
        carry_out(w, &alone);
        return;
    }
    (void)pthread_mutex_lock(&w->mutex);
    *w->last = made;
    w->last = &made->next;
    w->held_bytes += stretch->size_bytes;
    (void)pthread_cond_broadcast(&w->change);
    (void)pthread_mutex_unlock(&w->mutex);
}

static void sink_write(void *writer, const hit_stretch *stretch)
{
    if (stretch->size_bytes > 0) add_job(writer, stretch);
}

/* Close *file, and bring it to disk, when what was added before is written. */
static void sink_end_file(void *writer, hit_file **file)
{
    if (*file != NULL) add_job(writer, &(hit_stretch){.file = *file});
    *file = NULL;
}

hit_sink hit_writer_sink(hit_writer *writer)
{
    return (hit_sink){.write = sink_write, .end_file = sink_end_file, .of = writer};
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

uint64_t hit_writer_waited(const hit_writer *writer)
{
    return writer->waited_bytes;
}

hit_status hit_writer_wait(hit_writer *writer)
{
    wait_idle(writer);
    return writer->status == HIT_OK ? HIT_OK
                                    : HIT_FAIL(writer->status, "%s", writer->text);
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
    (void)pthread_cond_destroy(&w->change);
    (void)pthread_mutex_destroy(&w->mutex);
    free(w);
}
