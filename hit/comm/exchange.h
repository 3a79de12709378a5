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
/** Add what was sent since the last call to *messages and *bytes. */
void hit_exchange_count(hit_exchange *exchange, uint64_t *messages, uint64_t *bytes);
const hit_message_plan *hit_exchange_plan(const hit_exchange *exchange);

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
/** Did receive number @p receive bring elements, when the exchange was waited for? */
bool hit_exchange_brought(const hit_exchange *exchange, int receive);
/** Did any, or was anything copied on this process? */
bool hit_exchange_changed(const hit_exchange *exchange);

/** Carry a return out: users' elements are copied onto the owners', or combined by @p
 * combine (NULL: copied) in ascending order of ranks, the same at every run; not where
 * sides->fails. @collective as above; waits @errors as above: then nothing is put */
hit_status hit_exchange_return(hit_exchange *exchange, const hit_sides *sides,
                               hit_combine combine, void *context);

#endif
