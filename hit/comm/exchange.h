/* SPDX-License-Identifier: MIT
 * What carries message plans out, and what is known of what was sent. */
#ifndef HIT_COMM_EXCHANGE_H
#define HIT_COMM_EXCHANGE_H

#include "hit/base/status.h"
#include "hit/comm/comm.h"
#include "hit/comm/message.h"
#include "hit/data/domain.h"

#include <stdbool.h>
#include <stdint.h>

/* contents.c: what an exchange sent, or lost, so that what is still there is not sent
 * again. */

/** What a gather gives, if it stays with the users: version @p version of tile @p tile,
 * in memory number @p memory of those that the exchange is for. */
typedef struct hit_content {
    uint64_t memory; /**< from 1 */
    uint64_t tile;
    uint64_t version;
} hit_content;

enum {
    HIT_CONTENTS = 4 /* programs swap two or three tiles */
};

/** {0}: nothing yet. */
typedef struct hit_contents {
    hit_content seen[HIT_CONTENTS]; /**< by the peers, last in each memory */
    int oldest;
    uint64_t
        missing[HIT_CONTENTS]; /**< memories without what the peers have sent, or 0 */
} hit_contents;

/** Was this content sent before? Remembers it otherwise; NULL: it does not stay. */
bool hit_contents_seen(hit_contents *contents, const hit_content *content);
void hit_contents_forget(hit_contents *contents);
/** What came for a memory was dropped, so that it lacks what the peers take for sent. 0:
 * nothing of it stays. */
void hit_contents_miss(hit_contents *contents, uint64_t memory);
bool hit_contents_misses(const hit_contents *contents, uint64_t memory);
/** All of it came. */
void hit_contents_complete(hit_contents *contents, uint64_t memory);

/* exchange.c: carries a message plan out: packs, sends, receives, forwards, unpacks.
 * Together with comm_*.c the only code that moves data between processes. */

typedef struct hit_exchange hit_exchange;

/** Where the elements lie: a view per user piece and per owner piece, indexed as in the
 * plan. One without memory is of a tile that is gone: what comes is dropped, and zeros
 * are sent. */
typedef struct hit_sides {
    const hit_view *user;
    const hit_view *owner;
    const void *constant; /**< the tile's constant, for boundaries */
    char *buffer;         /**< hit_exchange_buffer_bytes() of memory, from begin to end */
    double *pack_s;       /**< packing and unpacking are added to it; NULL: not wanted */
    /** Copies what stays on this process and is not in its place, if it is not on the
     * host; NULL: it is, and is copied there. */
    hit_status (*locally)(void *caller, const hit_transfer *transfer);
    /** Copies elements from one place on the host to another where they keep their
     * indices, packing and unpacking among it; NULL: the calling thread does. */
    void (*copy)(void *caller, const hit_view *from, const hit_view *to,
                 const hit_domain *domain);
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
    HIT_BROUGHT_LEAVE, /**< the sender has left the exchange: hit_exchange_leave_begin()
                        */
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
                               hit_exchange **exchange);
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

/** The next gathers, which are sent whole, send the user pieces @p pieces, a bit each. A
 * message without any of them is not sent. All processes choose the same. */
void hit_exchange_choose(hit_exchange *exchange, uint64_t pieces);

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
/** Tell the others, in place of what would be sent next, that nothing will be: then their
 * hit_exchange_end() fails. The exchange was waited for if it was begun. @p buffer as in
 * hit_sides; does not wait */
hit_status hit_exchange_leave_begin(hit_exchange *exchange, char *buffer);
/** Wait until those who send to this process have said so, too, and drop what they sent
 * before. It is not begun again before all have left. @errors HIT_E_COMM */
hit_status hit_exchange_leave_end(hit_exchange *exchange);
/** Did one of the last messages say so? */
bool hit_exchange_was_left(const hit_exchange *exchange);
/** Is an element that stays on this process in its place already? */
bool hit_exchange_is_in_place(const hit_transfer *transfer, const hit_sides *sides);
/** What did receive number @p receive bring, when the exchange was waited for? */
hit_brought hit_exchange_brought(const hit_exchange *exchange, int receive);
/** Was what lies on this process copied by the last hit_exchange_begin()? */
bool hit_exchange_copied(const hit_exchange *exchange);
/** Was it, or did any receive bring elements? */
bool hit_exchange_changed(const hit_exchange *exchange);

/** Carry a return out: users' elements are copied onto the owners', or combined by @p
 * combine (NULL: copied) in ascending order of ranks, the same at every run; not where
 * sides->fails. @collective as above; waits @errors as above: then nothing is put */
hit_status hit_exchange_return(hit_exchange *exchange, const hit_sides *sides,
                               hit_combine combine, void *context);

/* held.c: which boxes of a tile processes hold that others own. A box that was sent is
 * held by its receiver until a launch writes elements of it, so that it need not be sent
 * again. All processes make the same launches, so the sender and the receiver of a box
 * know of it without a word; a dry run knows it of all of them. */

typedef struct hit_held hit_held;

/** A box that process `to` has of process `from`. */
typedef struct hit_held_box {
    int from;
    int to;
    hit_domain box;
    size_t size_bytes;
    uint64_t looks;   /**< of the sender: how often the host had written the tile then */
    void *memory;     /**< of the receiver, row by row; NULL: there was none */
    bool there;       /**< and it has what came */
    uint64_t content; /**< another number whenever something came; 0: nothing yet */
    uint64_t event;   /**< the last task that reads the memory; 0: none does */
    int pair;         /**< below: for held.c */
    int before;       /**< in the pair; -1: it is the oldest */
    int behind;
} hit_held_box;

/** Who counts the memory of boxes: process @p to takes @p bytes, or gives them back where
 * they are less than 0. */
typedef struct hit_held_memory {
    bool planned; /**< of a dry run, for several processes: none is taken */
    void (*tell)(void *of, int to, int64_t bytes);
    void *of; /**< borrowed */
} hit_held_memory;

/** Nothing is held. Of each pair of processes boxes of @p most_bytes together are held at
 * most, and the last one: the oldest go. @param over the number up to which all tasks are
 * over, read when memory is used again; borrowed; memory: NULL: nobody counts @owner the
 * caller: hit_held_destroy()
 * @errors HIT_E_NOMEM */
hit_status hit_held_create(size_t most_bytes, const uint64_t *over,
                           const hit_held_memory *memory, hit_held **held);
/** No task reads it any more. Accepts NULL in *held; sets it to NULL. */
void hit_held_destroy(hit_held **held);

/** The number of the box that @p to has of @p from, by which hit_held_at() finds it until
 * the next change; -1: it is not held. A NULL list holds nothing. */
int hit_held_find(const hit_held *held, int from, int to, const hit_domain *box);
hit_held_box *hit_held_at(const hit_held *held, int number);
/** Room for @p more boxes, with spare room if there is memory. @errors HIT_E_NOMEM: there
 * is no room for so many */
hit_status hit_held_reserve(hit_held *held, int more);
/** Hold a box that is not held, without memory: its number. hit_held_reserve() came
 * before. */
int hit_held_add(hit_held *held, int from, int to, const hit_domain *box,
                 size_t size_bytes);
/** Memory for a box, if it has none: one that is not used any more, if there is.
 * @owner the list @errors HIT_E_NOMEM */
hit_status hit_held_take_memory(hit_held *held, int number);
/** Do tasks read so much of what is held no more that they are to be waited for? */
bool hit_held_is_behind(hit_held *held);
/** Hold it no more. */
void hit_held_remove(hit_held *held, int number);
/** A launch has written elements of @p box: boxes with some of them are held no more. */
void hit_held_written(hit_held *held, const hit_domain *box);
/** Hold nothing any more. */
void hit_held_clear(hit_held *held);
/** At the end of a launch: the oldest boxes of a pair go that holds too much. */
void hit_held_trim(hit_held *held);
int hit_held_count(const hit_held *held);

#endif
