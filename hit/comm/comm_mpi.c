/* SPDX-License-Identifier: MIT
 * The processes of a context over MPI. A duplicate of the communicator keeps our messages
 * apart from the program's. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "hit/base/memory.h"
#include "hit/comm/comm_impl.h"
#include "hit/data/hash.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PEER_TEXT = 900
};
static const size_t chunk_bytes = HIT_COMM_CHUNK_BYTES;

/* With what MPI has of it. */
typedef struct world_comm {
    hit_comm of;
    MPI_Comm world; /* MPI_COMM_NULL: one process that works alone, maybe on a thread that
                       must not call MPI */
    bool owns_mpi;
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
} world_comm;

static MPI_Comm world_of(const hit_comm *comm)
{
    return ((const world_comm *)comm)->world;
}

const char *hit_comm_library(const hit_comm *comm)
{
    return ((const world_comm *)comm)->library;
}

const void *hit_comm_mpi(const hit_comm *comm)
{
    return &((const world_comm *)comm)->world;
}

hit_status hit_comm_check(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;

    if (code == MPI_SUCCESS) return HIT_OK;
    MPI_Error_string(code, text, &length);
    return HIT_FAIL(HIT_E_COMM, "%s failed: %s", what, text);
}

hit_status hit_comm_check_running(void)
{
    int ended = 0;

    MPI_Finalized(&ended);
    if (!ended) return HIT_OK;
    return HIT_FAIL(HIT_E_COMM, "MPI has been finalized: expected hit_close() before, "
                                "and last for the context that began MPI");
}

static hit_status find_local(hit_comm *comm)
{
    const MPI_Comm world = world_of(comm);
    MPI_Comm host = MPI_COMM_NULL;
    hit_status status = HIT_OK;

    HIT_TRY(hit_comm_check(
        MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type"));
    MPI_Comm_rank(host, &comm->local_rank);
    MPI_Comm_size(host, &comm->local_size);
    if (comm->beside_size == 0) {
        status =
            hit_comm_find_beside(&world, &host, &comm->beside_rank, &comm->beside_size);
    }
    MPI_Comm_free(&host);
    return status;
}

/* Messages are told apart by owner and argument. */
static hit_status check_tags(const hit_comm *comm)
{
    const int64_t wanted = ((int64_t)comm->size + 1) * HIT_MAX_ARGS;
    const int *most = NULL;
    int found = 0;

    MPI_Comm_get_attr(world_of(comm), MPI_TAG_UB, &most, &found);
    if (!found || *most >= wanted) return HIT_OK;
    return HIT_FAIL(HIT_E_COMM,
                    "%d processes need message tags up to %lld, but this MPI has %d",
                    comm->size, (long long)wanted, *most);
}

static hit_status describe(world_comm *made)
{
    int length = 0;

    MPI_Comm_set_errhandler(made->world, MPI_ERRORS_RETURN);
    MPI_Comm_rank(made->world, &made->of.rank);
    MPI_Comm_size(made->world, &made->of.size);
    HIT_TRY(check_tags(&made->of));
    HIT_TRY(find_local(&made->of));
    MPI_Get_library_version(made->library, &length);
    made->library[strcspn(made->library, ",\n")] = '\0';
    return HIT_OK;
}

static hit_status keep(const world_comm *made, hit_comm **kept)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, kept));
    memcpy(*kept, made, sizeof *made);
    return HIT_OK;
}

/* Over made->world, which it takes. A process without memory takes part all the same: the
 * others would wait. */
static hit_status open_over(world_comm *made, hit_comm **comm)
{
    hit_comm *kept = NULL;
    hit_status status = describe(made);

    if (status == HIT_OK) status = hit_comm_agree(&made->of, keep(made, &kept));
    if (status != HIT_OK) {
        free(kept);
        MPI_Comm_free(&made->world);
        return status;
    }
    *comm = kept;
    return HIT_OK;
}

static hit_status open_from(MPI_Comm from, bool owns_mpi, hit_comm **comm)
{
    world_comm made = {.owns_mpi = owns_mpi};

    HIT_TRY(hit_comm_check_running());
    HIT_TRY(hit_comm_check(MPI_Comm_dup(from, &made.world), "MPI_Comm_dup"));
    return open_over(&made, comm);
}

hit_status hit_comm_split(const hit_comm *whole, int group, hit_comm **comm)
{
    world_comm made = {
        .of = {.beside_rank = whole->beside_rank, .beside_size = whole->beside_size}};

    HIT_TRY(hit_comm_check_running());
    HIT_TRY(
        hit_comm_check(MPI_Comm_split(world_of(whole), group, whole->rank, &made.world),
                       "MPI_Comm_split"));
    return open_over(&made, comm);
}

hit_status hit_comm_open(int *argc, char ***argv, hit_comm **comm)
{
    int started = 0;
    int level = 0;

    MPI_Initialized(&started); /* also after MPI_Finalize() */
    if (!started) {
        HIT_TRY(hit_comm_check(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level),
                               "MPI_Init_thread"));
    }
    return open_from(MPI_COMM_WORLD, !started, comm);
}

static hit_status check_started(void)
{
    int started = 0;

    MPI_Initialized(&started);
    if (started) return HIT_OK;
    return HIT_FAIL(HIT_E_COMM,
                    "expected MPI to be started before a communicator is given");
}

hit_status hit_comm_open_from(const void *mpi_comm, hit_comm **comm)
{
    HIT_TRY(check_started());
    if (*(const MPI_Comm *)mpi_comm == MPI_COMM_NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a communicator but found MPI_COMM_NULL");
    }
    return open_from(*(const MPI_Comm *)mpi_comm, false, comm);
}

hit_status hit_comm_open_from_fortran(int mpi_comm, hit_comm **comm)
{
    MPI_Comm given;

    HIT_TRY(check_started());
    given = MPI_Comm_f2c((MPI_Fint)mpi_comm);
    return hit_comm_open_from(&given, comm);
}

hit_status hit_comm_open_self(hit_comm **comm)
{
    const world_comm alone = {.of = {.size = 1, .local_size = 1, .beside_size = 1},
                              .world = MPI_COMM_NULL};

    return keep(&alone, comm);
}

void hit_comm_close(hit_comm **comm)
{
    world_comm *closing = (world_comm *)*comm;
    int ended = 0;

    if (closing == NULL) return;
    MPI_Finalized(&ended);
    if (!ended && closing->world != MPI_COMM_NULL) MPI_Comm_free(&closing->world);
    if (!ended && closing->owns_mpi) MPI_Finalize();
    free(closing);
    *comm = NULL;
}

hit_status hit_comm_enter(hit_comm *comm)
{
    if (world_of(comm) != MPI_COMM_NULL) HIT_TRY(hit_comm_check_running());
    return comm->enter != NULL ? comm->enter(comm->enter_of) : HIT_OK;
}

void hit_comm_hold_for(double seconds)
{
    struct timespec time = {0};

    if (seconds <= 0) return;
    time.tv_sec = (time_t)seconds;
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    (void)nanosleep(&time, NULL);
}

/* Over all processes, which one alone does without MPI: one message after the other along
 * a tree. */
static hit_status reduce(hit_comm *comm, void *value, int count, MPI_Datatype type,
                         MPI_Op op)
{
    if (comm->size == 1) return HIT_OK;
    for (int reached = 1; comm->hold_s > 0 && reached < comm->size; reached *= 2) {
        hit_comm_hold_for(comm->hold_s);
    }
    return hit_comm_check(
        MPI_Allreduce(MPI_IN_PLACE, value, count, type, op, world_of(comm)),
        "MPI_Allreduce");
}

/* What process 0 calls, and the first one whose call is another. */
static hit_status tell_unlike(hit_comm *comm, uint64_t mark, const hit_comm_call *call)
{
    char text[2][PEER_TEXT / 2];
    uint64_t first = mark;
    int of[2] = {0, comm->size};

    comm->parted = true;
    HIT_TRY(hit_comm_check(MPI_Bcast(&first, 1, MPI_UINT64_T, 0, world_of(comm)),
                           "MPI_Bcast"));
    if (mark != first) of[1] = comm->rank;
    HIT_TRY(reduce(comm, &of[1], 1, MPI_INT, MPI_MIN));
    for (int k = 0; k < 2; k++) {
        snprintf(text[k], sizeof(text[k]), "another call of all processes");
        if (call != NULL) call->say(call->of, text[k], sizeof(text[k]));
        HIT_TRY(hit_comm_check(
            MPI_Bcast(text[k], sizeof(text[k]), MPI_CHAR, of[k], world_of(comm)),
            "MPI_Bcast"));
    }
    if (strcmp(text[0], text[1]) == 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected the same launches at the same places, with the same "
                        "values in patterns, on all processes, but before %s process %d "
                        "had others than process 0",
                        text[0], of[1]);
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
    HIT_TRY(hit_comm_check(MPI_Bcast(text, PEER_TEXT, MPI_CHAR, failing, world_of(comm)),
                           "MPI_Bcast"));
    if (status != HIT_OK) return status;
    return HIT_FAIL(HIT_E_PEER, "process %d failed: %s", failing, text);
}

/* Of the call, and of what was noted before. */
static uint64_t mark_all(const hit_comm *comm, const hit_comm_call *call)
{
    const uint64_t mark = call->mark(call->of);

    return comm->notes != 0 ? hit_hash_word(comm->notes, mark) : mark;
}

/* One message along a tree carries all: the least of the marks is the greatest where the
 * least of their complements is its complement. One that is not to be compared is greater
 * than any. */
hit_status hit_comm_vote(hit_comm *comm, hit_status status, const hit_comm_call *call)
{
    const uint64_t size = (uint64_t)comm->size;
    uint64_t mark = 0;
    uint64_t least[3];

    if (!comm->ahead) HIT_TRY(hit_comm_enter(comm));
    comm->ahead = false;
    if (comm->size == 1) return status;
    if (status == HIT_OK && call != NULL) mark = mark_all(comm, call);
    least[0] = status == HIT_OK ? size : (uint64_t)comm->rank;
    least[1] = mark;
    least[2] = ~mark;
    if (comm->notes_lost && mark != 0) least[1] = least[2] = UINT64_MAX;
    HIT_TRY(reduce(comm, least, 3, MPI_UINT64_T, MPI_MIN));
    if (least[0] < size) return tell_failing(comm, status, (int)least[0]);
    if (call != NULL) {
        comm->notes = 0;
    }
    if (least[1] == ~least[2] || least[1] == UINT64_MAX) return HIT_OK;
    return tell_unlike(comm, mark, call);
}

hit_status hit_comm_barrier(hit_comm *comm)
{
    HIT_TRY(hit_comm_enter(comm));
    if (comm->size == 1) return HIT_OK;
    return hit_comm_check(MPI_Barrier(world_of(comm)), "MPI_Barrier");
}

hit_status hit_comm_broadcast(hit_comm *comm, int root, void *data, size_t size_bytes)
{
    HIT_TRY(hit_comm_enter(comm));
    if (comm->size == 1) return HIT_OK;
    for (size_t done = 0; done < size_bytes; done += chunk_bytes) {
        const size_t left = size_bytes - done;
        const int count = (int)(left < chunk_bytes ? left : chunk_bytes);

        HIT_TRY(hit_comm_check(
            MPI_Bcast((char *)data + done, count, MPI_BYTE, root, world_of(comm)),
            "MPI_Bcast"));
    }
    return HIT_OK;
}

hit_status hit_comm_gather(hit_comm *comm, const void *mine, size_t size_bytes, void *all)
{
    HIT_TRY(hit_comm_enter(comm));
    if (comm->size == 1) {
        memcpy(all, mine, size_bytes);
        return HIT_OK;
    }
    return hit_comm_check(MPI_Gather(mine, (int)size_bytes, MPI_BYTE, all,
                                     (int)size_bytes, MPI_BYTE, 0, world_of(comm)),
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

hit_status hit_comm_xor_u64(hit_comm *comm, uint64_t *value, int count)
{
    HIT_TRY(hit_comm_enter(comm));
    return reduce(comm, value, count, MPI_UINT64_T, MPI_BXOR);
}
