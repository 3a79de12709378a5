/* SPDX-License-Identifier: MIT
 * Internal: text files as people write them, such as models and machines: a header, and
 * lines of words with blanks between them. What follows a '#' is a comment. */
#ifndef HIT_BASE_LINES_H
#define HIT_BASE_LINES_H

#include "hit/base/status.h"

#include <stdbool.h>

enum {
    HIT_LINE_WORDS = 64, /**< at most */
    HIT_WORD_BYTES = 64  /**< with the final zero */
};

/** A text that is being read. */
typedef struct hit_lines {
    const char *name; /**< of the file, for texts */
    const char *at;   /**< where the line begins; borrowed */
    int line;         /**< its number, from 1 */
    int words;
    char word[HIT_LINE_WORDS][HIT_WORD_BYTES];
} hit_lines;

/** All of the file @p path, which is to hold @p what: "a model".
 * @owner *text is the caller's: free()
 * @errors HIT_E_IO the system's reason, or it is no text; HIT_E_NOMEM */
hit_status hit_lines_load(const char *path, const char *what, char **text);
/** Begin with @p text, whose first line is @p header, but for blanks. @errors HIT_E_ARG
 */
hit_status hit_lines_begin(hit_lines *lines, const char *name, const char *text,
                           const char *header);
/** Go to the next line that has words; *more: is there one?
 * @errors HIT_E_ARG too many words, or one that is too long */
hit_status hit_lines_next(hit_lines *lines, bool *more);
/** Put the place before the text of the last failure: "FILE:3: ". Returns @p status. */
hit_status hit_lines_tell(const hit_lines *lines, hit_status status);

/** Fail at the current line. */
#define HIT_FAIL_AT(lines, ...) hit_lines_tell((lines), HIT_FAIL(HIT_E_ARG, __VA_ARGS__))

#endif
