/* SPDX-License-Identifier: MIT
 * Internal: chains over processes, over several devices, and through the memory of a
 * device. */
#ifndef HIT_CHAIN_SPREAD_H
#define HIT_CHAIN_SPREAD_H

#include "hit/base/status.h"
#include "hit/chain/chain.h"

/* deep.c: chains over processes. Each process runs a launch on its own elements and on
 * some of its neighbours' around them, so that later launches find what they read without
 * a message. What is run twice gives the same bits. Axes in which elements are not shared
 * among processes have margins of 0. */

/** Elements beyond both ends of a box, per axis. */
typedef struct hit_margin {
    hit_index low[HIT_MAX_DIMS];
    hit_index high[HIT_MAX_DIMS];
} hit_margin;

/** Which element an index belongs to: in axis c index[follows[c]] + offset[c], or
 * offset[c] where follows[c] is -1. */
typedef struct hit_deep_anchor {
    unsigned shared; /**< the axes (a bit each) in which processes share the elements, or
                        a process is its own neighbour */
    int follows[HIT_MAX_DIMS];
    hit_index offset[HIT_MAX_DIMS];
} hit_deep_anchor;

/** A tile argument of a launch. */
typedef struct hit_deep_use {
    int field; /**< a number; equal for the same memory */
    bool reads;
    bool writes;
    bool whole;       /**< it writes every element of cover */
    hit_domain cover; /**< what all indices touch, of all processes */
    hit_margin reach; /**< how far an index reads, or writes, from its element; may be
                         negative */
} hit_deep_use;

typedef struct hit_deep_launch {
    int uses;
    hit_deep_use *use; /**< borrowed */
    hit_margin extra;  /**< hit_deep_extend() sets it: it runs so far beyond a part */
} hit_deep_launch;

/** What a chain needs of a field as it is when the chain begins. */
typedef struct hit_deep_field {
    hit_domain changed; /**< around all elements that any launch writes */
    bool read;          /**< any of it, ... */
    hit_domain cover;   /**< ... around which this lies */
    hit_margin inside;  /**< beyond a part: of those elements, ... */
    hit_margin outside; /**< ... and of the others */
} hit_deep_field;

/** Set reach and whole of a use; cover, reads and writes must be set. False: it is none
 * that a chain over processes can have, and @p why (of @p size bytes) says the reason.
 * @p open tells of each axis whether what is read lies beyond the tile, too, and is
 * filled from elements as near as that. */
bool hit_deep_reach(const hit_deep_anchor *anchor, const hit_pattern *pattern,
                    unsigned open, hit_deep_use *use, char *why, size_t size);
/** Set the margins on which launches have to run, so that the last one runs on parts.
 * Pure, as all here. */
void hit_deep_extend(int launches, hit_deep_launch launch[]);
/** Set what is needed of field number @p number at the beginning; changed must be set. */
void hit_deep_set_depth(int launches, const hit_deep_launch launch[], int number,
                        hit_deep_field *field);
/** The work of the launches on the part with the extents @p least, per work without
 * margins. */
double hit_deep_work(int axes, const hit_index least[], int launches,
                     const hit_deep_launch launch[]);

bool hit_margin_is_none(const hit_margin *margin);
hit_domain hit_margin_grow(const hit_domain *box, const hit_margin *margin);

/** How far beyond its part the elements of a field are right on every process. {0}: not
 * at all. */
typedef struct hit_deep_state {
    hit_domain changed; /**< a box of elements that launches write, unless all is 0 */
    hit_margin inside;
    hit_margin outside;
    hit_domain cover; /**< elements elsewhere may be wrong beyond parts */
} hit_deep_state;

/** Is nothing right beyond parts? */
bool hit_deep_state_is_bare(const hit_deep_state *state);
/** Anything may have been written. */
void hit_deep_state_forget(hit_deep_state *state);
/** Launches will write, in @p box: changed becomes larger. */
void hit_deep_state_expect(hit_deep_state *state, const hit_domain *box);
/** A launch wrote @p cover with the margins @p extra. */
void hit_deep_state_write(hit_deep_state *state, const hit_domain *cover, bool whole,
                          const hit_margin *extra);
/** Is that enough for a chain that begins now? */
bool hit_deep_state_serves(const hit_deep_state *state, const hit_deep_field *field);
/** Neighbours sent what @p field needs. */
void hit_deep_state_receive(hit_deep_state *state, const hit_deep_field *field);
/** The depth of that message. */
hit_margin hit_deep_depth(const hit_deep_field *field);

/* stream.c: launches of a chain on a device whose memory is smaller than their tiles.
 * Pieces of positions follow each other along the first axis; what a piece needs of a
 * tile is a band of rows, which slides. What the next piece still needs stays on the
 * device, so that every element comes in once and goes out once. */

enum {
    HIT_CHAIN_BUFFERS = 3, /* of one storage, at most */
    HIT_CHAIN_BOXES = 2 * HIT_MAX_DIMS
};

/** What is planned: the launches number @p first to @p first + @p launches - 1. */
typedef struct hit_chain_stream_request {
    const hit_skew *chain;
    const hit_chain_launch *const *launch;
    int first;
    int launches;
    /** Per storage, of its results those that are overwritten before they are read: they
     * need not go out. NULL: there are none. @shape HIT_CHAIN_STORAGES */
    const hit_domain *dead;
    /** Results in other rows, along the first axis, need not go out, either. NULL: there
     * are none. */
    const hit_sig *own;
    /** Of each launch of the chain, the bytes that cross where it runs alone: launches
     * that run together never move more. NULL: not known. */
    const uint64_t *alone_bytes;
    size_t limit_bytes;
    bool async; /**< copies to the device and back run beside each other, and those on it
                     are fast beside them, as on a GPU */
} hit_chain_stream_request;

/** What a stream has of a storage. */
typedef struct hit_chain_band {
    bool used;
    bool slides;       /**< with the pieces; else all of the box is there all the time */
    int rows_dim;      /**< the dimension of its rows */
    hit_domain box;    /**< all that is touched */
    hit_domain fresh;  /**< of that, what is written before it is read */
    hit_domain result; /**< the cover of all that is written */
    hit_domain dead;   /**< of that, what need not go out */
    hit_index low;     /**< the piece [a, b) touches rows from a + low ... */
    hit_index high;    /**< ... to b - 1 + high */
    size_t size_bytes; /**< of an element */
    int buffers;       /**< that pieces take in turn */
    hit_index rows;    /**< that a buffer has room for */
    size_t buffer_bytes;
    size_t offset_bytes; /**< of the first buffer; the others lie behind it */
} hit_chain_band;

typedef struct hit_chain_stream {
    const hit_skew *chain; /**< borrowed */
    int first;
    int launches;
    hit_chain_band band[HIT_CHAIN_STORAGES]; /**< by the number of the storage */
    hit_index begin;  /**< of the pieces: piece k is [begin + k * height, + height) */
    hit_index end;    /**< exclusive */
    hit_index height; /**< positions of a piece */
    hit_index pieces;
    size_t memory_bytes;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bytes_kept; /**< at most, copied on the device from piece to piece */
    double cost;         /**< what takes time beside the launches: bytes, weighted */
} hit_chain_stream;

/** Plan the pieces: as high as is worth it, in the memory that there is. Which bytes
 * cross does not depend on their height. False: not even the smallest piece fits, of
 * made->memory_bytes, or it would move more bytes than its launches do alone. Pure; all
 * tiles have strides 1.
 * @shape storages: below HIT_CHAIN_STORAGES */
bool hit_chain_stream_plan(const hit_chain_stream_request *request,
                           hit_chain_stream *made);
/** The same, whatever its launches move alone. */
bool hit_chain_stream_fit(const hit_chain_stream_request *request,
                          hit_chain_stream *made);
/** Do the launches of the request move no more than each of them alone, if that is @p
 * bytes? */
bool hit_chain_stream_is_less(const hit_chain_stream_request *request, uint64_t bytes);
/** Do rows of all that @p launch, whose storages have numbers of their own, needs fit? */
bool hit_chain_stream_has_room(const hit_chain_launch *launch, size_t limit_bytes);
/** Per storage, what the launches of the request write before anything of it is read.
 * @shape fresh: HIT_CHAIN_STORAGES */
void hit_chain_stream_fresh(const hit_chain_stream_request *request, hit_domain fresh[]);

/** The positions of launch @p launch (its number in the chain) in piece @p piece, both
 * inclusive; false: there are none. */
bool hit_chain_stream_positions(const hit_chain_stream *stream, int launch,
                                hit_index piece, hit_index *begin, hit_index *end);
/** The elements of a band while piece @p piece runs. */
hit_domain hit_chain_band_at(const hit_chain_stream *stream, int storage,
                             hit_index piece);
/** Of these what is there from the piece before. */
hit_domain hit_chain_band_kept(const hit_chain_stream *stream, int storage,
                               hit_index piece);
/** The boxes that must come in before piece @p piece runs, and those that may go out
 * when it has run; returns their number. @shape box: HIT_CHAIN_BOXES */
int hit_chain_band_incoming(const hit_chain_stream *stream, int storage, hit_index piece,
                            hit_domain box[]);
int hit_chain_band_outgoing(const hit_chain_stream *stream, int storage, hit_index piece,
                            hit_domain box[]);

/* cut.c: launches of a chain on several devices whose memory is smaller than their tiles.
 * Each device has some rows of the results, and runs the launches on these and so far
 * around them as its later launches need: what is run twice gives the same bits. Of what
 * others have it needs the rows as they are before the launches begin. One device has all
 * rows, and nothing is run twice. */

/** Launches, of which each has some of its positions; the numbers are those of the block.
 */
typedef struct hit_chain_narrow {
    hit_skew chain;
    hit_chain_launch launch[HIT_CHAIN_LAUNCHES];
    const hit_chain_launch *list[HIT_CHAIN_LAUNCHES];
} hit_chain_narrow;

/** Where elements lie, as seen by a device. */
typedef enum hit_chain_side {
    HIT_CHAIN_BELOW, /**< in rows of devices before */
    HIT_CHAIN_OWN,   /**< in its own */
    HIT_CHAIN_ABOVE,
    HIT_CHAIN_SIDES
} hit_chain_side;

/** What one of the devices does. */
typedef struct hit_chain_share {
    bool host;      /**< its memory is some of the host's: it takes little */
    bool runs;      /**< false: there are too few rows, and what follows is not set */
    hit_sig own;    /**< the first one has all rows before, the last one all behind */
    hit_index rows; /**< that are written, of these */
    hit_chain_stream plan;
    hit_chain_narrow *narrow; /**< NULL: it is the only one, and runs all */
} hit_chain_share;

typedef struct hit_chain_cut {
    int shares;
    hit_index *weight; /**< of each share: of the rows it has as many beside the others; 1
                            at first */
    hit_chain_share *share;
    uint32_t written;       /**< by the launches planned last: storages, a bit each */
    double cost;            /**< of these: hit_chain_stream.cost of all shares */
    hit_deep_launch *work;  /**< of these; NULL: there is one share */
    hit_deep_use *work_use; /**< HIT_MAX_ARGS of each of them */
} hit_chain_cut;

/** @owner the caller: hit_chain_cut_destroy() @errors HIT_E_NOMEM */
hit_status hit_chain_cut_create(int shares, hit_chain_cut **cut);
/** Accepts NULL in *cut; sets it to NULL. */
void hit_chain_cut_destroy(hit_chain_cut **cut);

/** Why several devices cannot share the first @p launches launches of a chain; NULL: they
 * can, and any of them that follow each other. Pure, as all below. */
const char *hit_chain_cut_refused(const hit_skew *chain,
                                  const hit_chain_launch *const launch[], int launches);
/** Plan what each share does, as hit_chain_stream_plan() does for one device; the limit
 * of memory is that of each. The launches must not be refused. False: they do not fit, or
 * move more bytes together than each of them alone. */
bool hit_chain_cut_plan(hit_chain_cut *cut, const hit_chain_stream_request *request);
/** The same where more of the @p count launches of a block follow, as many at a time:
 * what they overwrite need not go out. request->dead is for those that nothing follows.
 */
bool hit_chain_cut_plan_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                              int count);
/** How many of the launches are best run at a time, a multiple of @p period where that
 * fits: those whose bytes, per launch, cost least where the same launches follow them. 0:
 * not even one fits. */
int hit_chain_cut_group(hit_chain_cut *cut, const hit_chain_stream_request *request,
                        int period);
/** The bytes that cross by the plan, in both directions. */
uint64_t hit_chain_cut_bytes(const hit_chain_cut *cut);

/** Of the rows @p box of a storage those that lie on @p side of the share. */
hit_domain hit_chain_share_side(const hit_chain_share *share, int storage, hit_domain box,
                                hit_chain_side side);
/** What the share needs on @p side as it is before the launches begin, and another share
 * may send meanwhile. */
hit_domain hit_chain_cut_halo(const hit_chain_cut *cut, const hit_chain_share *share,
                              int storage, hit_chain_side side);

#endif
