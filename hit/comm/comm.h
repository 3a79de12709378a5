/* SPDX-License-Identifier: MIT
 * The processes of a context: comm.c, and what is built twice: comm_mpi.c, or
 * comm_single.c where MPI is off. MPI is called by one thread, with plain contiguous
 * buffers, and messages may pass 2^31 bytes. */
#ifndef HIT_COMM_COMM_H
#define HIT_COMM_COMM_H

#include "hit/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hit_comm hit_comm;

/** Start MPI if it has not begun, and take a duplicate of MPI_COMM_WORLD; argc and argv
 * may be NULL.
 * @owner  *comm is the caller's until hit_comm_close(), which ends MPI only if this call
 * began it */
hit_status hit_comm_open(int *argc, char ***argv, hit_comm **comm);
/** A duplicate of the MPI_Comm that @p mpi_comm points to. @errors HIT_E_ABSENT without
 * MPI */
hit_status hit_comm_open_from(const void *mpi_comm, hit_comm **comm);
/** The same of a handle of Fortran's. */
hit_status hit_comm_open_from_fortran(int mpi_comm, hit_comm **comm);
/** The processes of @p whole that give the same number @p group, from 0. @collective over
 * @p whole */
hit_status hit_comm_split(const hit_comm *whole, int group, hit_comm **comm);
/** This process alone, for work of which the others need not know. Nothing of it calls
 * MPI: it may be done on any thread. */
hit_status hit_comm_open_self(hit_comm **comm);
/** From now on the communicator is a plan for @p processes, most of which are not there:
 * hit_comm_size() says so, votes and broadcasts are among those that are there, and
 * messages must not be sent. */
void hit_comm_plan(hit_comm *comm, int processes);
bool hit_comm_is_planned(const hit_comm *comm);
/** While this process waits for messages of a launch, call @p work(@p of) again and
 * again: it does some work, or looks for some; false: nothing is left that it could do or
 * wait for. NULL: no longer. */
void hit_comm_meanwhile(hit_comm *comm, bool (*work)(void *of), void *of);
/** The number of processes that are there. */
int hit_comm_present(const hit_comm *comm);
void hit_comm_close(hit_comm **comm);
/** Tests: hold back what is received for @p seconds from when it was asked for, as a slow
 * network does; votes, sums and maxima take as many such messages as a tree is high. */
void hit_comm_hold(hit_comm *comm, double seconds);
int hit_comm_rank(const hit_comm *comm);
int hit_comm_size(const hit_comm *comm);
/** This process's number among those on the same host, and their number. */
void hit_comm_local(const hit_comm *comm, int *rank, int *size);
/** The same among those of the whole job, also in other groups, as far as it is known
 * (hit/mpi.h): who shares what the host has. */
void hit_comm_beside(const hit_comm *comm, int *rank, int *size);
/** "Open MPI 4.1.4 ..." or the reason why there is none. */
const char *hit_comm_library(const hit_comm *comm);

/** What a process calls that all of them have to call alike: @p mark is equal where they
 * do, and @p say writes the call with its arguments, for a message. Both are asked only
 * of calls that have not failed, on several processes. */
typedef struct hit_comm_call {
    uint64_t (*mark)(const void *of);
    void (*say)(const void *of, char *text, size_t size);
    const void *of;
} hit_comm_call;

/** What hit_comm_agree() and hit_comm_agree_on() are made of: use these. @collective yes
 */
hit_status hit_comm_vote(hit_comm *comm, hit_status status, const hit_comm_call *call);
/** All processes give their status; a failure of one becomes HIT_E_PEER on those that had
 * none, with the text of the lowest failing rank. If none failed, but some are in another
 * call than process 0, all fail with both calls. @collective yes @errors HIT_E_ARG unlike
 * calls; HIT_E_PEER */
static inline hit_status hit_comm_agree_on(hit_comm *comm, hit_status status,
                                           const hit_comm_call *call)
{
    const hit_status all = hit_comm_vote(comm, status, call);

    return status != HIT_OK ? status : all; /* here, so that analysers see it, too */
}
/** The same inside of a call whose arguments were compared, or need not be. */
static inline hit_status hit_comm_agree(hit_comm *comm, hit_status status)
{
    return hit_comm_agree_on(comm, status, NULL);
}
/** A call in which processes take part without a vote, by its mark: the next
 * hit_comm_agree_on() compares it, too. */
void hit_comm_note(hit_comm *comm, uint64_t mark);
/** This process has not noted what the others have, or will note what they do not: from
 * now on votes compare only theirs. */
void hit_comm_forget_notes(hit_comm *comm);
/** Have processes been in unlike calls? Then some may have gone where they agree on
 * nothing. */
bool hit_comm_parted(const hit_comm *comm);
hit_status hit_comm_barrier(hit_comm *comm);
hit_status hit_comm_broadcast(hit_comm *comm, int root, void *data, size_t size_bytes);
/** text.c: what process 0 has in *text, on all; or, where it has failed with @p st, that
 * failure with its text. The others' st is not looked at. A failure on one process alone
 * is for the caller to vote on.
 * @owner on other processes *text is the caller's, also on failure: free()
 * @errors those of process 0; HIT_E_NOMEM; HIT_E_COMM */
hit_status hit_comm_share_text(hit_comm *comm, hit_status st, char **text);
/** What every process has, @p size_bytes < 2^31, one after another in *all of rank 0
 * (ignored elsewhere). */
hit_status hit_comm_gather(hit_comm *comm, const void *mine, size_t size_bytes,
                           void *all);
/** Element-wise over all processes, in place, result everywhere. */
hit_status hit_comm_sum_u64(hit_comm *comm, uint64_t *value, int count);
hit_status hit_comm_max_u64(hit_comm *comm, uint64_t *value, int count);
hit_status hit_comm_xor_u64(hit_comm *comm, uint64_t *value, int count);

/** Let all of these calls begin with @p enter(@p of); where it fails the call does, with
 * its status, and does nothing. NULL: no longer. */
void hit_comm_guard(hit_comm *comm, hit_status (*enter)(void *of), void *of);
/** That alone, for calls in which processes take part by other means. */
hit_status hit_comm_enter(hit_comm *comm);
/** That now, and not again at the vote that follows: before a call waits for what may
 * fail since another process has gone elsewhere. */
hit_status hit_comm_enter_ahead(hit_comm *comm);

/** A longer message travels as several. */
#define HIT_COMM_CHUNK_BYTES ((size_t)1 << 30)

/** A set of messages under way. Messages between two processes with the same tag, below
 * (processes + 1) * HIT_MAX_ARGS, keep their order. A message may be shorter than what is
 * received, unless that is longer than a chunk. Buffers must stay untouched until the
 * message is done. */
typedef struct hit_requests hit_requests;
hit_status hit_requests_create(hit_comm *comm, int capacity, hit_requests **requests);
void hit_requests_destroy(hit_requests **requests);
/** Forget all messages of the set, which must be done. */
void hit_requests_reset(hit_requests *requests);
/** Start a message as number @p slot of the set, 0 <= slot < capacity; of one that was
 * waited for, another one. */
hit_status hit_requests_receive(hit_requests *requests, int slot, int from, int tag,
                                void *data, size_t size_bytes);
hit_status hit_requests_send(hit_requests *requests, int slot, int to, int tag,
                             const void *data, size_t size_bytes);
/** Wait until one message is done, *slot is its number; -1 when none is under way. */
hit_status hit_requests_wait_any(hit_requests *requests, int *slot);
/** The bytes that a finished receive brought: at most what was asked for. */
size_t hit_requests_received(const hit_requests *requests, int slot);
hit_status hit_requests_wait_all(hit_requests *requests);

/** The MPI_Comm of these processes, for code that includes <mpi.h>; NULL without MPI. */
const void *hit_comm_mpi(const hit_comm *comm);

#endif
