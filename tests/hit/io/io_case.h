/* SPDX-License-Identifier: MIT
 * What the tests of files share: a folder that all processes see, tiles whose elements
 * say where they are, and claims that are asserted when all processes are done. */
#ifndef TESTS_HIT_IO_IO_CASE_H
#define TESTS_HIT_IO_IO_CASE_H

#include "hit/hit.h"
#include "tests/support/check_main.h"

/** Make the folder; its files are named by io_path(). @collective */
void io_begin(hit_context *hit);
/** Remove the folder and what is in it. */
void io_end(hit_context *hit);
/** The path of a file in the folder; valid until the next call. */
const char *io_path(const char *name);
/** The number of files in the folder that are not yet what they are to be. @collective */
int io_drafts(hit_context *hit);

/** Run @p suite with a context, the folder, and the tile *field in blocks over @p domain;
 * answers how many tests failed. */
int io_run(int *argc, char ***argv, Suite *suite, hit_context **hit, hit_tile **field,
           hit_domain domain, hit_type type);

/** Remember the first claim that is wrong; io_assert() asserts that there was none. */
void io_claim(bool right, const char *what, const char *where);
void io_assert(void);

/** The element of @p type at position @p position of the array, in *element. */
void io_element(hit_type type, hit_index position, void *element);
/** A tile over @p domain whose layout is @p text. */
hit_tile *io_tile(hit_context *hit, const char *text, hit_domain domain, hit_type type);
/** Set every element of this process, or see whether all are as io_fill() sets them. */
void io_fill(hit_tile *tile);
bool io_filled(hit_tile *tile);

/** Write a file of the folder on this process, or read at most @p room bytes of one. */
void io_put(const char *name, const char *data, size_t size);
size_t io_get(const char *name, char *data, size_t room);
/** In a file of text, @p from becomes @p to; what it was is in @p kept. */
void io_change(const char *name, const char *from, const char *to, char kept[8192]);

#endif
