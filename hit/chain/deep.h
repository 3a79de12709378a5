/* SPDX-License-Identifier: MIT
 * Internal: chains over processes. Each process runs a launch on its own elements and on
 * some of its neighbours' around them, so that later launches find what they read without
 * a message. What is run twice gives the same bits. Axes in which elements are not
 * shared among processes have margins of 0. */
#ifndef HIT_CHAIN_DEEP_H
#define HIT_CHAIN_DEEP_H

#include "hit/chain/chain.h"

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
    hit_deep_use use[HIT_MAX_ARGS];
    hit_margin extra; /**< hit_deep_extend() sets it: it runs so far beyond a part */
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

#endif
