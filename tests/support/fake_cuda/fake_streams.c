/* SPDX-License-Identifier: MIT
 * Streams and events of the played GPU: work waits in queues until something asks. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "fake_streams.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum {
    STREAMS = 64
};

/* Calls work, or waits for an event, or records one: whichever is there. */
typedef struct step {
    struct step *next;
    void (*work)(void *);
    void *argument;
    struct fake_event *wait;
    struct fake_event *record;
    uint64_t number; /* of the event's record */
} step;

struct fake_stream {
    step *first;
    step *last;
};

struct fake_event {
    struct fake_stream *stream; /* of the last record */
    uint64_t asked;             /* number of the last record */
    uint64_t done;
    bool timed;
    double done_ms;
};

/* a test program has no context to hang this on */
static struct fake_stream *all[STREAMS];
static uint32_t dice;
static bool seeded;
static unsigned long until_fault; /* works; 0: none fails */
static cudaError_t lost;          /* the device's context, for this reason */
static cudaError_t last_error;
unsigned long fake_waits;

static uint32_t throw_dice(void)
{
    const char *seed = seeded ? NULL : getenv("HIT_SEED");

    if (!seeded) dice = seed != NULL ? (uint32_t)strtoull(seed, NULL, 0) : 1;
    seeded = true;
    dice = dice * 1664525u + 1013904223u;
    return dice >> 16;
}

bool fake_toss(void)
{
    return (throw_dice() & 1u) != 0;
}

bool fake_chooses(fake_choice choice, unsigned times)
{
    if (choice != FAKE_DICE) return choice == FAKE_ALWAYS;
    return throw_dice() % times == 0;
}

cudaError_t fake_error(cudaError_t error)
{
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;

    last_error = lost;
    return error;
}

void fake_fault(unsigned long number)
{
    until_fault = number;
}

void fake_repair(void)
{
    until_fault = 0;
    lost = cudaSuccess;
    last_error = cudaSuccess;
}

static bool fails(void)
{
    if (until_fault > 0 && --until_fault == 0) lost = cudaErrorIllegalAddress;
    return lost != cudaSuccess;
}

static void finish(struct fake_event *event, uint64_t number)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    event->done = number;
    event->done_ms = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static void run_first(struct fake_stream *stream)
{
    step *one = stream->first;

    if (one->wait != NULL) {
        while (one->wait->done < one->number) {
            run_first(one->wait->stream);
        }
    }
    stream->first = one->next;
    if (stream->first == NULL) stream->last = NULL;
    if (one->work != NULL && !fails()) one->work(one->argument);
    if (one->record != NULL) finish(one->record, one->number);
    free(one->argument);
    free(one);
}

static void drain(struct fake_stream *stream)
{
    while (stream->first != NULL) {
        run_first(stream);
    }
}

void fake_run_all(void)
{
    for (int k = 0; k < STREAMS; k++) {
        if (all[k] != NULL) drain(all[k]);
    }
}

bool fake_is_busy(void)
{
    for (int k = 0; k < STREAMS; k++) {
        if (all[k] != NULL && all[k]->first != NULL) return true;
    }
    return false;
}

static cudaError_t append(struct fake_stream *stream, const step *wanted)
{
    step *one = NULL;

    if (stream == NULL) return cudaErrorInvalidValue;
    if (lost != cudaSuccess) {
        free(wanted->argument);
        return fake_error(lost);
    }
    one = malloc(sizeof(*one));
    if (one == NULL) abort();
    *one = *wanted;
    if (stream->last != NULL) stream->last->next = one;
    if (stream->first == NULL) stream->first = one;
    stream->last = one;
    while (fake_toss()) {
        struct fake_stream *some = all[throw_dice() % STREAMS];

        if (some != NULL && some->first != NULL) run_first(some);
    }
    return cudaSuccess;
}

cudaError_t fake_enqueue(cudaStream_t stream, void (*work)(void *), void *argument)
{
    return append(stream, &(step){.work = work, .argument = argument});
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    for (int k = 0; k < STREAMS; k++) {
        if (all[k] != NULL) continue;
        all[k] = calloc(1, sizeof(struct fake_stream));
        *stream = all[k];
        return cudaSuccess;
    }
    return cudaErrorMemoryAllocation;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    for (int k = 0; k < STREAMS; k++) {
        if (all[k] != stream) continue;
        drain(stream);
        all[k] = NULL;
    }
    free(stream);
    return cudaSuccess;
}

cudaError_t fake_drain(cudaStream_t stream)
{
    if (stream == NULL) return cudaErrorInvalidValue;
    drain(stream);
    return fake_error(lost);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    fake_waits++;
    return fake_drain(stream);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = calloc(1, sizeof(struct fake_event));
    (*event)->timed = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    fake_run_all(); /* somebody may still wait for it */
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event == NULL || stream == NULL) return cudaErrorInvalidValue;
    if (lost != cudaSuccess) return fake_error(lost);
    event->stream = stream;
    event->asked++;
    return append(stream, &(step){.record = event, .number = event->asked});
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    fake_waits++;
    if (event == NULL) return cudaErrorInvalidValue;
    while (event->done < event->asked) {
        run_first(event->stream);
    }
    return fake_error(lost);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (event == NULL) return cudaErrorInvalidValue;
    if (event->done < event->asked && fake_toss()) run_first(event->stream);
    if (event->done < event->asked && lost == cudaSuccess) {
        return fake_error(cudaErrorNotReady);
    }
    return fake_error(lost);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    if (!start->timed || !end->timed || start->asked == 0 || end->asked == 0) {
        return cudaErrorInvalidResourceHandle;
    }
    if (start->done < start->asked || end->done < end->asked) return cudaErrorNotReady;
    *milliseconds = (float)(end->done_ms - start->done_ms);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    if (event == NULL || stream == NULL) return cudaErrorInvalidValue;
    return append(stream, &(step){.wait = event, .number = event->asked});
}

/* Not the argument: the caller keeps it. */
typedef struct host_call {
    void (*function)(void *);
    void *argument;
} host_call;

static void call_host(void *argument)
{
    const host_call *call = argument;

    call->function(call->argument);
}

/* how many copies were packed: for tests of the choice */
int fake_cuda_packed;

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void *),
                               void *argument)
{
    host_call *call = malloc(sizeof(*call));

    if (call == NULL) abort();
    *call = (host_call){function, argument};
    fake_cuda_packed++;
    return fake_enqueue(stream, call_host, call);
}
