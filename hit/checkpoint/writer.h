/* SPDX-License-Identifier: MIT
 * Internal: a thread that writes files while the program goes on. What it is given is
 * copied, and so much at most as it has room for: then the program waits for it. It calls
 * neither MPI nor HDF5. */
#ifndef HIT_CHECKPOINT_WRITER_H
#define HIT_CHECKPOINT_WRITER_H

#include "hit/io/io_impl.h"

typedef struct hit_writer hit_writer;

/** @p room_bytes: of copies, at most, but for one stretch; 0: there is no thread, and
 * all is written by the caller, as where there is no memory for a copy.
 * @owner *writer is the caller's: hit_writer_close() @errors HIT_E_NOMEM */
hit_status hit_writer_open(size_t room_bytes, hit_writer **writer);
/** Write @p stretch. One thread calls this, and all below; any thread may ask
 * hit_writer_is_idle() and hit_writer_written(). hit_writer_wait() returns a failure;
 * nothing is written after the first one. */
void hit_writer_add(hit_writer *writer, const hit_stretch *stretch);
/** Close *file, and bring it to disk, when what was added before is written. Sets it to
 * NULL, which it accepts. */
void hit_writer_end_file(hit_writer *writer, hit_file **file);
/** For an array whose elements @p writer is to write. */
hit_sink hit_writer_sink(hit_writer *writer);
/** Does nothing that was given wait to be carried out? */
bool hit_writer_is_idle(hit_writer *writer);
/** The bytes that are written. */
uint64_t hit_writer_written(hit_writer *writer);
/** The bytes that were added when there was no room for them. */
uint64_t hit_writer_waited(const hit_writer *writer);
/** Until all is done. @errors the first failure: HIT_E_IO with the system's reason */
hit_status hit_writer_wait(hit_writer *writer);
/** After all is done. Accepts NULL in *writer; sets it to NULL. */
void hit_writer_close(hit_writer **writer);

#endif
