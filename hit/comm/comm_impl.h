/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/comm share. */
#ifndef HIT_COMM_COMM_IMPL_H
#define HIT_COMM_COMM_IMPL_H

#include "hit/base/alloc.h"
#include "hit/comm/comm.h"
#include "hit/comm/exchange.h"

/* What a communicator has with MPI, and without. */
struct hit_comm {
    int rank;
    int size;
    int planned;     /* processes; 0: those that are there */
    bool parted;     /* processes were in unlike calls */
    bool ahead;      /* the vote that comes has been entered */
    uint64_t notes;  /* of calls since the last vote, as a hash */
    bool notes_lost; /* they may not be those of the other processes */
    double hold_s;   /* tests: messages take so long at least */
    hit_status (*enter)(void *of);
    void *enter_of;
    bool (*work)(void *of);
    void *work_of;
    int local_rank;
    int local_size;
    int beside_rank; /* on the same host, also in other groups */
    int beside_size; /* 0: not known yet */
};

/* What the files of exchanges share. */

/* All pieces, also those beyond the bits of a word. */
static const uint64_t HIT_EXCHANGE_ALL = UINT64_MAX;

/* A message of one byte says that the sender has failed, or that it has left: the
 * shortest whole one has two. */
enum {
    HIT_FAILED_BYTES = 1,
    HIT_SAYS_FAILED = 0, /* the byte */
    HIT_SAYS_LEFT
};

struct hit_exchange {
    hit_comm *comm;
    hit_message_plan plan;
    int argument;
    size_t buffer_bytes;
    hit_arrays arrays; /* these that follow */
    size_t *receive_offset;
    size_t *send_offset;
    size_t *send_bytes;     /* of a send: those of its elements that go */
    uint64_t pieces;        /* hit_exchange_choose(), or HIT_EXCHANGE_ALL */
    char **place;           /* of the receives: the buffer, or the user's memory */
    char **own_place;       /* where a box is received that its receiver holds; or NULL */
    hit_brought *brought;   /* by the receives */
    hit_delivery *delivery; /* of the receives, then of the sends, in the next gather */
    int forward; /* request slots: receives, then sends, then forwards from here */
    int next;
    hit_requests *requests;
    hit_contents contents;
    bool unchanged;  /* what this process gives is what it gave before */
    int failing;     /* a process that could not give what it should; -1: none */
    uint64_t memory; /* of what is under way; 0: nothing of it stays */
    hit_sent sent;   /* since it was asked for */
};

/** What is received at most for a message. */
size_t hit_exchange_whole_bytes(const hit_message *message);
/** Send it, or a byte or nothing in its place, as the next request. */
hit_status hit_exchange_send_to(hit_exchange *x, const hit_message *message,
                                const hit_target *target, const char *data,
                                size_t size_bytes);
/** Ask for message @p k, to be received at x->place[k]. */
hit_status hit_exchange_receive(hit_exchange *x, int k);

/* exchange_pack.c */

/** Copy what stays on this process. */
hit_status hit_exchange_gather_locally(const hit_exchange *x, const hit_sides *sides);
/** Where a receive can go that needs not be unpacked; NULL: there is no such place. */
char *hit_exchange_place(const hit_exchange *x, const hit_message *message,
                         const hit_view *user);
/** Message plan.send[k], from the owner's side (a gather) or from the user's: packed, or
 * where its elements lie. */
const char *hit_exchange_pack(const hit_exchange *x, int k, const hit_sides *sides);
/** What receive @p k brought goes to the users. */
void hit_exchange_unpack(const hit_exchange *x, int k, const hit_sides *sides);
/** A view of the elements of @p transfer, row-major in a message that starts at @p
 * message. */
hit_view hit_exchange_packed(const hit_transfer *transfer, char *message);
/** When what is timed began; 0 where it is not timed. */
double hit_exchange_pack_start(const hit_sides *sides);
void hit_exchange_pack_end(const hit_sides *sides, double start_s);

/* exchange.c */

/** Post the receives and the sends; empty ones if what they bring is @p seen. */
hit_status hit_exchange_start(hit_exchange *x, const hit_sides *sides, bool seen);
/** Wait for a receive: number *k brought *received bytes, which is noted; -1: all have
 * come. @errors HIT_E_COMM */
hit_status hit_exchange_next(hit_exchange *x, int *k, size_t *received);
/** @errors HIT_E_PEER some process could not give what it should */
hit_status hit_exchange_tell_failing(const hit_exchange *x, const hit_sides *sides);

/* comm_mpi.c: what calls of MPI have in common. */

/** @errors HIT_E_COMM what MPI says of @p code, which @p what gave */
hit_status hit_comm_check(int code, const char *what);
/** After MPI_Finalize() any call of MPI ends the program. @errors HIT_E_COMM */
hit_status hit_comm_check_running(void);
/** The processor is free meanwhile. */
void hit_comm_hold_for(double seconds);

/* job_mpi.c */

/** For hit_comm_beside(), of the MPI_Comm @p comm and that of its processes on this host:
 * their numbers in the whole job, if it is larger and its starter has told them, or else
 * in @p host. @collective over @p host @errors HIT_E_COMM */
hit_status hit_comm_find_beside(const void *comm, const void *host, int *rank, int *size);

#endif
