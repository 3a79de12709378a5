/* SPDX-License-Identifier: MIT
 * Messages under way. Those above 1 GiB travel as several of the same tag, since MPI 3
 * counts in int. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/comm/comm_impl.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

static const size_t chunk_bytes = HIT_COMM_CHUNK_BYTES;

/* One MPI request per chunk; owner[r] is the slot that request r belongs to. */
struct hit_requests {
    hit_comm *comm;
    int count;
    int room;
    int *owner;
    MPI_Request *request;
    double asked_s; /* when the first message was asked for, where they are held back */
    size_t slots;
    struct {
        int pending;     /* chunks under way */
        size_t received; /* bytes */
    } slot[];
};

static MPI_Comm world_of(const hit_requests *requests)
{
    return *(const MPI_Comm *)hit_comm_mpi(requests->comm);
}

static hit_status make_room(hit_requests *requests, size_t room)
{
    HIT_TRY(hit_memory_resize(room, sizeof(int), "messages", &requests->owner));
    HIT_TRY(hit_memory_resize(room, sizeof(MPI_Request), "messages", &requests->request));
    requests->room = (int)room;
    return HIT_OK;
}

hit_status hit_requests_create(hit_comm *comm, int capacity, hit_requests **requests)
{
    const size_t slots = capacity > 0 ? (size_t)capacity : 1;
    hit_requests *made;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made + slots * sizeof made->slot[0], &made));
    made->comm = comm;
    made->slots = slots;
    status = make_room(made, slots);
    if (status != HIT_OK) hit_requests_destroy(&made);
    *requests = made;
    return status;
}

void hit_requests_destroy(hit_requests **requests)
{
    if (*requests == NULL) return;
    free((*requests)->owner);
    free((*requests)->request);
    free(*requests);
    *requests = NULL;
}

void hit_requests_reset(hit_requests *requests)
{
    requests->count = 0;
    if (requests->comm->hold_s > 0) requests->asked_s = MPI_Wtime();
    memset(requests->slot, 0, requests->slots * sizeof requests->slot[0]);
}

/* Where all places are in use one whose message is done is used again: then no memory is
 * needed for another one in its slot. */
static hit_status find_place(hit_requests *requests, int *place)
{
    if (requests->count < requests->room) {
        *place = requests->count++;
        return HIT_OK;
    }
    *place = 0;
    while (*place < requests->count && requests->request[*place] != MPI_REQUEST_NULL) {
        ++*place;
    }
    if (*place < requests->count) return HIT_OK;
    HIT_TRY(make_room(requests, 2 * (size_t)requests->room));
    requests->count++;
    return HIT_OK;
}

static hit_status next_request(hit_requests *requests, int slot, MPI_Request **request)
{
    int place;

    HIT_TRY(hit_comm_check_running());
    HIT_TRY(find_place(requests, &place));
    *request = &requests->request[place];
    **request = MPI_REQUEST_NULL; /* what cannot be started is not waited for */
    requests->owner[place] = slot;
    requests->slot[slot].pending++;
    return HIT_OK;
}

/* At least one, also for no bytes; a long message always sends all of its chunks. */
static int chunks_of(size_t size_bytes)
{
    return size_bytes == 0 ? 1 : (int)((size_bytes + chunk_bytes - 1) / chunk_bytes);
}

static int chunk_count(size_t size_bytes, int k)
{
    const size_t left = size_bytes - (size_t)k * chunk_bytes;

    return (int)(left < chunk_bytes ? left : chunk_bytes);
}

hit_status hit_requests_receive(hit_requests *requests, int slot, int from, int tag,
                                void *data, size_t size_bytes)
{
    if (requests->slot[slot].pending == 0) requests->slot[slot].received = 0;
    for (int k = 0; k < chunks_of(size_bytes); k++) {
        char *chunk = (char *)data + (size_t)k * chunk_bytes;
        MPI_Request *request = NULL;

        HIT_TRY(next_request(requests, slot, &request));
        HIT_TRY(hit_comm_check(MPI_Irecv(chunk, chunk_count(size_bytes, k), MPI_BYTE,
                                         from, tag, world_of(requests), request),
                               "MPI_Irecv"));
    }
    return HIT_OK;
}

hit_status hit_requests_send(hit_requests *requests, int slot, int to, int tag,
                             const void *data, size_t size_bytes)
{
    for (int k = 0; k < chunks_of(size_bytes); k++) {
        const char *chunk = (const char *)data + (size_t)k * chunk_bytes;
        MPI_Request *request = NULL;

        HIT_TRY(next_request(requests, slot, &request));
        HIT_TRY(hit_comm_check(MPI_Isend(chunk, chunk_count(size_bytes, k), MPI_BYTE, to,
                                         tag, world_of(requests), request),
                               "MPI_Isend"));
    }
    return HIT_OK;
}

/* Do what hit_comm_meanwhile() was told; false: there is nothing. */
static bool work(const hit_comm *comm)
{
    return comm->work != NULL && comm->work(comm->work_of);
}

static void hold_back(const hit_requests *requests)
{
    const double until_s = requests->asked_s + requests->comm->hold_s;
    bool works = true;

    if (requests->comm->hold_s <= 0 || requests->count == 0) return;
    while (works && MPI_Wtime() < until_s) {
        works = work(requests->comm);
    }
    hit_comm_hold_for(until_s - MPI_Wtime());
}

/* Until one is done, or there is no other work. */
static hit_status wait_any(const hit_requests *requests, int *which, MPI_Status *state)
{
    int done = 0;

    do {
        HIT_TRY(hit_comm_check(
            MPI_Testany(requests->count, requests->request, which, &done, state),
            "MPI_Testany"));
    } while (done == 0 && work(requests->comm));
    if (done != 0) return HIT_OK;
    return hit_comm_check(MPI_Waitany(requests->count, requests->request, which, state),
                          "MPI_Waitany");
}

hit_status hit_requests_wait_any(hit_requests *requests, int *slot)
{
    *slot = -1;
    if (requests->count == 0) return HIT_OK;
    HIT_TRY(hit_comm_check_running());
    hold_back(requests);
    for (;;) {
        MPI_Status state;
        int which = MPI_UNDEFINED;
        int bytes = 0;

        HIT_TRY(wait_any(requests, &which, &state));
        if (which == MPI_UNDEFINED) return HIT_OK;
        *slot = requests->owner[which];
        MPI_Get_count(&state, MPI_BYTE, &bytes);
        if (bytes != MPI_UNDEFINED) requests->slot[*slot].received += (size_t)bytes;
        if (--requests->slot[*slot].pending == 0) return HIT_OK;
    }
}

size_t hit_requests_received(const hit_requests *requests, int slot)
{
    return requests->slot[slot].received;
}

hit_status hit_requests_wait_all(hit_requests *requests)
{
    int failed = MPI_SUCCESS;

    if (requests->count == 0) return HIT_OK;
    HIT_TRY(hit_comm_check_running());
    hold_back(requests);
    for (int k = 0; k < requests->count; k++) { /* also those behind one that fails */
        const int code = MPI_Wait(&requests->request[k], MPI_STATUS_IGNORE);

        if (failed == MPI_SUCCESS) failed = code;
    }
    return hit_comm_check(failed, "MPI_Wait");
}
