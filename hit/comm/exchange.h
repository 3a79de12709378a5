/* SPDX-License-Identifier: MIT
 * Carries a message plan out: packs, sends, receives, forwards, unpacks. Together with
 * comm_*.c the only code that moves data between processes. */
#ifndef HIT_COMM_EXCHANGE_H
#define HIT_COMM_EXCHANGE_H

#include "hit/comm/comm.h"
#include "hit/comm/contents.h"
#include "hit/comm/message.h"

typedef struct hit_exchange hit_exchange;

/** Where the elements lie: a view per user piece and per owner piece, indexed as in the
 * plan. */
typedef struct hit_sides {
    const hit_view *user;
    const hit_view *owner;
    const void *constant; /**< the tile's constant, for boundaries */
    char *buffer;         /**< hit_exchange_buffer_bytes() of memory, from begin to end */
    double *pack_s;       /**< packing and unpacking are added to it; NULL: not wanted */
    /** Copies what stays on this process and is not in its place, if it is not on the
     * host; NULL: it is, and is copied there. */
    hit_status (*locally)(void *caller, const hit_transfer *transfer);
    void *caller;
    const char *name; /**< of the tile, for texts; NULL: none */
    bool fails;       /**< what is given is not what it should be: say so instead */
} hit_sides;

/** What becomes of a message. */
typedef enum hit_delivery {
    HIT_DELIVER_NEWS, /**< it is sent, or is empty if its content was sent before */
    HIT_DELIVER_ANEW, /**< it is sent, whatever was sent before */
    HIT_DELIVER_EMPTY,
    HIT_DELIVER_NONE /**< both ends know that it does not go */
} hit_delivery;

/** What a receive brought. */
typedef enum hit_brought {
    HIT_BROUGHT_NOTHING, /**< nothing came, or an empty message */
    HIT_BROUGHT_FAILURE,
    HIT_BROUGHT_ELEMENTS
} hit_brought;

/** Combines the elements @p domain of @p from onto @p onto; context is the caller's. */
typedef hit_status (*hit_combine)(void *context, const hit_view *onto,
                                  const hit_view *from, const hit_domain *domain);

/** Get ready to carry @p plan out any number of times; @p argument, 0..HIT_MAX_ARGS-1,
 * keeps the messages of the arguments of one launch apart. All buffers are allocated
 * here.
 *
 * @owner  takes what *plan owns, also on failure; *exchange is the caller's:
 * hit_exchange_destroy()
 * @errors HIT_E_NOMEM
 */
hit_status hit_exchange_create(hit_comm *comm, hit_message_plan *plan, int argument,
                               size_t size_bytes, hit_exchange **exchange);
void hit_exchange_destroy(hit_exchange **exchange);
/** The memory that messages need while they are under way; a multiple of 64. */
size_t hit_exchange_buffer_bytes(const hit_exchange *exchange);
/** What was sent; of the messages some were empty. */
typedef struct hit_sent {
    uint64_t messages;
    uint64_t empty;
    uint64_t bytes;
} hit_sent;

/** Add what was sent since the last call. */
void hit_exchange_count(hit_exchange *exchange, hit_sent *sent);
const hit_message_plan *hit_exchange_plan(const hit_exchange *exchange);

/** For the gather that begins next: how message plan->send[k] is delivered. */
void hit_exchange_set_send(hit_exchange *exchange, int k, hit_delivery how);
/** The same of plan->receive[k], a box that is received at @p place if that is not NULL,
 * whether the launch fails or not. */
void hit_exchange_set_receive(hit_exchange *exchange, int k, hit_delivery how,
                              char *place);

hit_delivery hit_exchange_delivery(const hit_exchange *exchange, int k);
/** Does a message come? */
bool hit_exchange_waits(const hit_exchange *exchange);

/** Start a gather: local copies, packing, sending. Nothing may write the owners' elements
 * or touch the users' until hit_exchange_end(). @p content names the owner's content
 * if what was received stays with the users, else it is NULL: content that was sent
 * before is not sent again (an empty message says so). Where sides->fails a message of
 * one byte says that. @collective over the processes of the plan; does not wait */
hit_status hit_exchange_begin(hit_exchange *exchange, const hit_sides *sides,
                              const hit_content *content);
/** Wait for it. Where owner was NULL nothing was given, and user may be NULL, too: then
 * what comes is dropped, for a tile that is gone or a launch that fails. @errors
 * HIT_E_PEER, after all has come: a process could not give what it should */
hit_status hit_exchange_end(hit_exchange *exchange, const hit_sides *sides);
/** Is an element that stays on this process in its place already? */
bool hit_exchange_is_in_place(const hit_transfer *transfer, const hit_sides *sides);
/** What did receive number @p receive bring, when the exchange was waited for? */
hit_brought hit_exchange_brought(const hit_exchange *exchange, int receive);
/** Did any, or was anything copied on this process? */
bool hit_exchange_changed(const hit_exchange *exchange);

/** Carry a return out: users' elements are copied onto the owners', or combined by @p
 * combine (NULL: copied) in ascending order of ranks, the same at every run; not where
 * sides->fails. @collective as above; waits @errors as above: then nothing is put */
hit_status hit_exchange_return(hit_exchange *exchange, const hit_sides *sides,
                               hit_combine combine, void *context);

#endif
