/* SPDX-License-Identifier: MIT
 * The processes of a context over MPI. A duplicate of the communicator keeps our messages
 * apart from the program's. Messages above 1 GiB travel as several of the same tag, since
 * MPI 3 counts in int. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PEER_TEXT = 900
};
static const size_t chunk_bytes = HIT_COMM_CHUNK_BYTES;

struct hit_comm {
    MPI_Comm world;
    int rank;
    int size;
    int planned;   /* processes; 0: those of world */
    bool parted;   /* processes were in unlike calls */
    double hold_s; /* tests: messages take so long at least */
    hit_status (*enter)(void *of);
    void *enter_of;
    int local_rank;
    int local_size;
    bool owns_mpi;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
};

const void *hit_comm_mpi(const hit_comm *comm)
{
    return &comm->world;
}

static hit_status check(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (code == MPI_SUCCESS) return HIT_OK;
    MPI_Error_string(code, text, &length);
    return HIT_FAIL(HIT_E_COMM, "%s failed: %s", what, text);
}

/* After MPI_Finalize() any call of MPI ends the program. */
static hit_status check_running(void)
{
    int ended = 0;

    MPI_Finalized(&ended);
    if (!ended) return HIT_OK;
    return HIT_FAIL(HIT_E_COMM, "MPI has been finalized: expected hit_close() before, "
                                "and last for the context that began MPI");
}

static hit_status find_local(hit_comm *comm)
{
    MPI_Comm host = MPI_COMM_NULL;

    HIT_TRY(check(
        MPI_Comm_split_type(comm->world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type"));
    MPI_Comm_rank(host, &comm->local_rank);
    MPI_Comm_size(host, &comm->local_size);
    MPI_Comm_free(&host);
    return HIT_OK;
}

/* Messages are told apart by owner and argument. */
static hit_status check_tags(const hit_comm *comm)
{
    const int64_t wanted = ((int64_t)comm->size + 1) * HIT_MAX_ARGS;
    const int *most = NULL;
    int found = 0;

    MPI_Comm_get_attr(comm->world, MPI_TAG_UB, &most, &found);
    if (!found || *most >= wanted) return HIT_OK;
    return HIT_FAIL(HIT_E_COMM,
                    "%d processes need message tags up to %lld, but this MPI has %d",
                    comm->size, (long long)wanted, *most);
}

static hit_status describe(hit_comm *comm)
{
    int length = 0;

    MPI_Comm_set_errhandler(comm->world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm->world, &comm->rank);
    MPI_Comm_size(comm->world, &comm->size);
    HIT_TRY(check_tags(comm));
    HIT_TRY(find_local(comm));
    MPI_Get_library_version(comm->library, &length);
    comm->library[strcspn(comm->library, ",\n")] = '\0';
    return HIT_OK;
}

static hit_status keep(const hit_comm *comm, hit_comm **kept)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_comm), kept));
    **kept = *comm;
    return HIT_OK;
}

/* A process without memory takes part all the same: the others would wait. */
static hit_status open_from(MPI_Comm from, bool owns_mpi, hit_comm **comm)
{
    hit_comm made = {.owns_mpi = owns_mpi};
    hit_comm *kept = NULL;
    hit_status status;

    HIT_TRY(check_running());
    HIT_TRY(check(MPI_Comm_dup(from, &made.world), "MPI_Comm_dup"));
    status = describe(&made);
    if (status == HIT_OK) status = hit_comm_agree(&made, keep(&made, &kept));
    if (status != HIT_OK) {
        free(kept);
        MPI_Comm_free(&made.world);
        return status;
    }
    *comm = kept;
    return HIT_OK;
}

hit_status hit_comm_open(int *argc, char ***argv, hit_comm **comm)
{
    int started = 0;
    int level = 0;

    MPI_Initialized(&started); /* also after MPI_Finalize() */
    if (!started) {
        HIT_TRY(check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level),
                      "MPI_Init_thread"));
    }
    return open_from(MPI_COMM_WORLD, !started, comm);
}

hit_status hit_comm_open_from(const void *mpi_comm, hit_comm **comm)
{
    int started = 0;

    MPI_Initialized(&started);
    if (!started) {
        return HIT_FAIL(HIT_E_COMM, "expected MPI to be started before a communicator is "
                                    "given");
    }
    if (*(const MPI_Comm *)mpi_comm == MPI_COMM_NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a communicator but found MPI_COMM_NULL");
    }
    return open_from(*(const MPI_Comm *)mpi_comm, false, comm);
}

hit_status hit_comm_open_self(hit_comm **comm)
{
    return open_from(MPI_COMM_SELF, false, comm);
}

void hit_comm_close(hit_comm **comm)
{
    int ended = 0;

    if (*comm == NULL) return;
    MPI_Finalized(&ended);
    if (!ended) MPI_Comm_free(&(*comm)->world);
    if (!ended && (*comm)->owns_mpi) MPI_Finalize();
    free(*comm);
    *comm = NULL;
}

int hit_comm_rank(const hit_comm *comm)
{
    return comm->rank;
}

int hit_comm_size(const hit_comm *comm)
{
    return comm->planned > 0 ? comm->planned : comm->size;
}

void hit_comm_plan(hit_comm *comm, int processes)
{
    comm->planned = processes;
}

void hit_comm_hold(hit_comm *comm, double seconds)
{
    comm->hold_s = seconds;
}

bool hit_comm_is_planned(const hit_comm *comm)
{
    return comm->planned > 0;
}

int hit_comm_present(const hit_comm *comm)
{
    return comm->size;
}

void hit_comm_local(const hit_comm *comm, int *rank, int *size)
{
    *rank = comm->local_rank;
    *size = comm->local_size;
}

const char *hit_comm_library(const hit_comm *comm)
{
    return comm->library;
}

void hit_comm_guard(hit_comm *comm, hit_status (*enter)(void *of), void *of)
{
    comm->enter = enter;
    comm->enter_of = of;
}

hit_status hit_comm_enter(hit_comm *comm)
{
    HIT_TRY(check_running());
    return comm->enter != NULL ? comm->enter(comm->enter_of) : HIT_OK;
}

/* The processor is free meanwhile. */
static void hold_for(double seconds)
{
    struct timespec time = {0};

    if (seconds <= 0) return;
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    (void)nanosleep(&time, NULL);
}

/* Over all processes: one message after the other along a tree. */
static hit_status reduce(hit_comm *comm, void *value, int count, MPI_Datatype type,
                         MPI_Op op)
{
    for (int reached = 1; comm->hold_s > 0 && reached < comm->size; reached *= 2) {
        hold_for(comm->hold_s);
    }
    return check(MPI_Allreduce(MPI_IN_PLACE, value, count, type, op, comm->world),
                 "MPI_Allreduce");
}

/* What process 0 calls, and the first one whose call is another. */
static hit_status tell_unlike(hit_comm *comm, uint64_t mark, const hit_comm_call *call)
{
    char text[2][PEER_TEXT / 2];
    uint64_t first = mark;
    int of[2] = {0, comm->size};

    comm->parted = true;
    HIT_TRY(check(MPI_Bcast(&first, 1, MPI_UINT64_T, 0, comm->world), "MPI_Bcast"));
    if (mark != first) of[1] = comm->rank;
    HIT_TRY(reduce(comm, &of[1], 1, MPI_INT, MPI_MIN));
    for (int k = 0; k < 2; k++) {
        snprintf(text[k], sizeof(text[k]), "another call of all processes");
        if (call != NULL) call->say(call->of, text[k], sizeof(text[k]));
        HIT_TRY(check(MPI_Bcast(text[k], sizeof(text[k]), MPI_CHAR, of[k], comm->world),
                      "MPI_Bcast"));
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected the same call, with the same arguments, on all processes, "
                    "but process 0 is in %s, and process %d in %s",
                    text[0], of[1], text[1]);
}

static hit_status tell_failing(hit_comm *comm, hit_status status, int failing)
{
    char text[PEER_TEXT] = "";

    if (failing == comm->rank) snprintf(text, sizeof(text), "%s", hit_status_text());
    HIT_TRY(
        check(MPI_Bcast(text, PEER_TEXT, MPI_CHAR, failing, comm->world), "MPI_Bcast"));
    if (status != HIT_OK) return status;
    return HIT_FAIL(HIT_E_PEER, "process %d failed: %s", failing, text);
}

/* One message along a tree carries all: the least of the marks is the greatest where the
 * least of their complements is its complement. */
hit_status hit_comm_vote(hit_comm *comm, hit_status status, const hit_comm_call *call)
{
    const uint64_t size = (uint64_t)comm->size;
    uint64_t mark = 0;
    uint64_t least[3];

    HIT_TRY(hit_comm_enter(comm));
    if (comm->size == 1) return status;
    if (status == HIT_OK && call != NULL) mark = call->mark(call->of);
    least[0] = status == HIT_OK ? size : (uint64_t)comm->rank;
    least[1] = mark;
    least[2] = ~mark;
    HIT_TRY(reduce(comm, least, 3, MPI_UINT64_T, MPI_MIN));
    if (least[0] < size) return tell_failing(comm, status, (int)least[0]);
    if (least[1] == ~least[2]) return HIT_OK;
    return tell_unlike(comm, mark, call);
}

bool hit_comm_parted(const hit_comm *comm)
{
    return comm->parted;
}

hit_status hit_comm_barrier(hit_comm *comm)
{
    HIT_TRY(hit_comm_enter(comm));
    return check(MPI_Barrier(comm->world), "MPI_Barrier");
}

hit_status hit_comm_broadcast(hit_comm *comm, int root, void *data, size_t size_bytes)
{
    HIT_TRY(hit_comm_enter(comm));
    for (size_t done = 0; done < size_bytes; done += chunk_bytes) {
        const size_t left = size_bytes - done;
        const int count = (int)(left < chunk_bytes ? left : chunk_bytes);

        HIT_TRY(check(MPI_Bcast((char *)data + done, count, MPI_BYTE, root, comm->world),
                      "MPI_Bcast"));
    }
    return HIT_OK;
}

hit_status hit_comm_gather(hit_comm *comm, const void *mine, size_t size_bytes, void *all)
{
    HIT_TRY(hit_comm_enter(comm));
    return check(MPI_Gather(mine, (int)size_bytes, MPI_BYTE, all, (int)size_bytes,
                            MPI_BYTE, 0, comm->world),
                 "MPI_Gather");
}

hit_status hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count)
{
    HIT_TRY(hit_comm_enter(comm));
    return reduce(comm, value, count, MPI_UINT64_T, MPI_SUM);
}

hit_status hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count)
{
    HIT_TRY(hit_comm_enter(comm));
    return reduce(comm, value, count, MPI_UINT64_T, MPI_MAX);
}

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

static hit_status next_request(hit_requests *requests, int slot, MPI_Request **request)
{
    HIT_TRY(check_running());
    if (requests->count == requests->room) {
        HIT_TRY(make_room(requests, 2 * (size_t)requests->room));
    }
    *request = &requests->request[requests->count];
    **request = MPI_REQUEST_NULL; /* what cannot be started is not waited for */
    requests->owner[requests->count++] = slot;
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
    for (int k = 0; k < chunks_of(size_bytes); k++) {
        char *chunk = (char *)data + (size_t)k * chunk_bytes;
        MPI_Request *request = NULL;

        HIT_TRY(next_request(requests, slot, &request));
        HIT_TRY(check(MPI_Irecv(chunk, chunk_count(size_bytes, k), MPI_BYTE, from, tag,
                                requests->comm->world, request),
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
        HIT_TRY(check(MPI_Isend(chunk, chunk_count(size_bytes, k), MPI_BYTE, to, tag,
                                requests->comm->world, request),
                      "MPI_Isend"));
    }
    return HIT_OK;
}

static void hold_back(const hit_requests *requests)
{
    if (requests->comm->hold_s <= 0 || requests->count == 0) return;
    hold_for(requests->asked_s + requests->comm->hold_s - MPI_Wtime());
}

hit_status hit_requests_wait_any(hit_requests *requests, int *slot)
{
    HIT_TRY(check_running());
    hold_back(requests);
    for (;;) {
        MPI_Status state;
        int which = MPI_UNDEFINED;
        int bytes = 0;

        HIT_TRY(check(MPI_Waitany(requests->count, requests->request, &which, &state),
                      "MPI_Waitany"));
        if (which == MPI_UNDEFINED) {
            *slot = -1;
            return HIT_OK;
        }
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
    HIT_TRY(check_running());
    hold_back(requests);
    return check(MPI_Waitall(requests->count, requests->request, MPI_STATUSES_IGNORE),
                 "MPI_Waitall");
}
