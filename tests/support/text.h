/* SPDX-License-Identifier: MIT
 * Texts that the library wrote: into files, and to a stream of a test. */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include "hit/context.h"

#include <stdio.h>

/** The whole of a file of less than 1 MiB; ends the process if there is none.
 * @owner the caller: free() */
char *text_of_file(const char *path);
/** What was written to @p file, which is closed; at most @p size - 1 bytes. */
void text_of_stream(FILE *file, char *text, size_t size);
/** How often @p text has @p word. */
int text_count(const char *text, const char *word);

enum {
    TEXT_FOLDER = 32
};
/** A new folder, that of process 0. @collective yes */
void text_folder_open(hit_context *hit, char folder[TEXT_FOLDER]);
/** The number of files in it; process 0 removes it with them. @collective yes */
int text_folder_close(hit_context *hit, const char folder[TEXT_FOLDER]);

#endif
