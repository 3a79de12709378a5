/* SPDX-License-Identifier: MIT
 * Tiles and files. The processes write and read together, each a stretch of the file, in
 * rounds of bounded memory: no process ever holds a whole tile, and the file does not
 * depend on layout or number of processes. In a dry run nothing is read or written. */
#ifndef HIT_IO_IO_H
#define HIT_IO_IO_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** Write the elements of @p tile, in row-major order, as an array with one extent per
 * dimension: how many elements the tile has there. Indices and strides are not stored. A
 * file that exists is replaced once the new one is complete: until then it is written
 * under a name of its own in the same folder, so that of several programs that write the
 * same path the last one stays, whole.
 *
 * @param options NULL, or of these with commas between them:
 *   - format=npy|hdf5|vtkhdf|zarr: default as the path ends, .npy, .h5, .hdf5, .vtkhdf
 *     or .zarr
 *   - dataset=NAME: hdf5, vtkhdf, zarr: the array's place in the file, default the tile's
 *     name
 *   - add=yes: hdf5, vtkhdf: put the array into a copy of a file that exists, which then
 *     takes its place; zarr: into the store
 *   - time=T: vtkhdf, zarr: the tile is the step of that time of an array with time in
 *     front, which is added or replaced
 *   - chunks=AxB: zarr: elements of a chunk, default about 16 MiB
 *   - shards=CxD: zarr: elements of a file, whole chunks; default: one
 *   - compress=zstd: zarr: each chunk
 *   - buffer=SIZE: memory of each process for one round, default 32MiB, at most 1GiB
 * @collective yes, with the same path and options on all processes
 * @errors HIT_E_ARG an option, an ending; HIT_E_IO what the system says; HIT_E_ABSENT
 * built without HDF5, or zstd; HIT_E_NOMEM; HIT_E_PEER. A file that was there is
 * unchanged then
 */
HIT_API hit_status hit_tile_write(hit_tile *tile, const char *path, const char *options);

/** The reverse; format=, dataset= and buffer= as above, and step=K for a step of an array
 * with time in front, from the last one where K is negative. The array in the file must
 * have the extents and the element type of the tile; HIT_BYTES() elements are opaque
 * (NumPy: void) and agree in size.
 * @collective yes
 * @errors as above, and HIT_E_IO the file has another array: expected and found; it is
 * cut off. What the tile holds is not worth anything if reading failed half-way
 */
HIT_API hit_status hit_tile_read(hit_tile *tile, const char *path, const char *options);

HIT_C_END

#endif
