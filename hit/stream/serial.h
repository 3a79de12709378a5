/* SPDX-License-Identifier: MIT
 * Internal to hit/stream: superblocks one at a time. */
#ifndef HIT_STREAM_SERIAL_H
#define HIT_STREAM_SERIAL_H

#include "hit/stream/stream.h"

/** Move in, run, and move out superblock number stream->done. */
hit_status hit_serial_next(hit_stream *stream);

#endif
