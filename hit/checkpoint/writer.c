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

enum {
    PIECE = 256 << 10 /* bytes: in the second cache */
};

typedef struct job {
    struct job *next;
    hit_stretch stretch; /* size_bytes 0: end the file */
    void *memory;        /* where it lies */
    size_t memory_bytes;
} job;

struct hit_writer {
    size_t room_bytes;
    uint64_t waited_bytes; /* of the thread that adds */
    job *taken;            /* its memory is being filled; NULL: none is */
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

/* What is checked is still in the cache when the system copies it, and the disk begins
 * with each piece, instead of with all of them when the file is closed. */
static hit_status write_stretch(const hit_stretch *s)
{
    for (size_t at = 0; at < s->size_bytes; at += PIECE) {
        const size_t rest = s->size_bytes - at;
        const size_t size = rest < PIECE ? rest : PIECE;
        const char *data = (const char *)s->data + at;

        if (s->moved != NULL) s->moved(s->to_moved, s->offset_bytes + at, data, size);
        HIT_TRY(hit_file_write(s->file, s->place_bytes + at, data, size));
    }
    hit_file_start(s->file, s->place_bytes, s->size_bytes);
    return HIT_OK;
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

static void free_job(job **of)
{
    if (*of == NULL) return;
    hit_memory_release(&(*of)->memory);
    free(*of);
    *of = NULL;
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
        hit_memory_release(&now->memory);
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

static hit_status sink_take(void *writer, size_t size_bytes, void **memory)
{
    hit_writer *w = writer;

    wait_for_room(w, size_bytes);
    if (w->taken != NULL && w->taken->memory_bytes < size_bytes) free_job(&w->taken);
    if (w->taken == NULL && make_job(size_bytes, &w->taken) != HIT_OK) {
        wait_idle(w); /* what is not written yet has memory */
        HIT_TRY(make_job(size_bytes, &w->taken));
    }
    *memory = w->taken->memory;
    return HIT_OK;
}

static void add_job(hit_writer *w, job *made)
{
    (void)pthread_mutex_lock(&w->mutex);
    *w->last = made;
    w->last = &made->next;
    w->held_bytes += made->stretch.size_bytes;
    (void)pthread_cond_broadcast(&w->change);
    (void)pthread_mutex_unlock(&w->mutex);
}

static void sink_write(void *writer, const hit_stretch *stretch)
{
    hit_writer *w = writer;
    job *made = w->taken;

    if (stretch->size_bytes == 0) return;
    made->stretch = *stretch;
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
    free_job(&w->taken);
    (void)pthread_cond_destroy(&w->change);
    (void)pthread_mutex_destroy(&w->mutex);
    free(w);
}
