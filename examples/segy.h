/* SPDX-License-Identifier: MIT
 * SEG-Y as a file format of a program's own. */
#ifndef EXAMPLES_SEGY_H
#define EXAMPLES_SEGY_H

#include "hit/plugin.h"

/** Traces, a column of the tile each, as floats of IEEE (format 5); for writing. Files
 * with either kind of floats are read. The tile has samples along dimension 0, whose axis
 * says how many seconds are between two; the axis of dimension 1 says where the receivers
 * are, in metres. */
extern const hit_format segy;
/** The same, with IBM's floats (format 1), which old programs want. */
extern const hit_format segy_ibm;

#endif
