/* SPDX-License-Identifier: MIT
 * Internal: launches of a chain on a device whose memory is smaller than their tiles.
 * Pieces of positions follow each other along the first axis; what a piece needs of a
 * tile is a band of rows, which slides. What the next piece still needs stays on the
 * device, so that every element comes in once and goes out once. */
#ifndef HIT_CHAIN_STREAM_H
#define HIT_CHAIN_STREAM_H

#include "hit/chain/chain.h"

enum {
    HIT_CHAIN_BUFFERS = 3, /* of one storage, at most */
    HIT_CHAIN_BOXES = 2 * HIT_MAX_DIMS
};

/** Rows of a tile, along the first axis: from begin to end - 1. */
typedef struct hit_chain_rows {
    hit_index begin;
    hit_index end;
} hit_chain_rows;

/** What is planned: the launches number @p first to @p first + @p launches - 1. */
typedef struct hit_chain_stream_request {
    const hit_skew *chain;
    const hit_chain_launch *const *launch;
    int first;
    int launches;
    /** Per storage, of its results those that are overwritten before they are read: they
     * need not go out. NULL: there are none. @shape HIT_CHAIN_STORAGES */
    const hit_domain *dead;
    /** Results in other rows need not go out, either. NULL: there are none. */
    const hit_chain_rows *own;
    /** Of each launch of the chain, the bytes that cross where it runs alone: launches
     * that run together never move more. NULL: not known. */
    const uint64_t *alone_bytes;
    size_t limit_bytes;
    double kept_cost; /**< of a byte that is copied on the device, beside one that crosses
                         to it or back */
} hit_chain_stream_request;

/** The memory of a GPU, whose copies are @p async, is many times as fast as its link. */
static inline double hit_chain_kept_cost(bool async)
{
    return async ? 1.0 / 16 : 1;
}

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
} hit_chain_stream;

/** Plan the pieces: as high as is worth it, in the memory that there is. Which bytes
 * cross does not depend on their height. False: not even the smallest piece fits, of
 * made->memory_bytes, or it would move more bytes than its launches do alone. Pure; all
 * tiles have strides 1.
 * @shape storages: below HIT_CHAIN_STORAGES */
bool hit_chain_stream_plan(const hit_chain_stream_request *request,
                           hit_chain_stream *made);
/** The same, whatever its launches move alone, with what takes time beside them: bytes,
 * weighted. */
bool hit_chain_stream_fit(const hit_chain_stream_request *request, hit_chain_stream *made,
                          double *cost);
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

#endif
