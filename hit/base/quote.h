/* SPDX-License-Identifier: MIT
 * Text in another language: names of files, kernels and tiles, labels, and what others
 * wrote, as what they are and nothing else. Whatever leaves the library for a reader with
 * a language of its own, a terminal too, is printed by these; lint.quote looks. */
#ifndef HIT_BASE_QUOTE_H
#define HIT_BASE_QUOTE_H

#include "hit/base/types.h"

#include <stdarg.h>
#include <stdio.h>

typedef enum hit_language {
    HIT_LANGUAGE_LINE,   /**< for people, at a terminal or in a file of lines: a control
                            character is written "\x1b", so that it does nothing and a line
                            stays one */
    HIT_LANGUAGE_JSON,   /**< a string, with its quotes */
    HIT_LANGUAGE_XML,    /**< text between tags or an attribute's, as in SVG */
    HIT_LANGUAGE_GNUPLOT /**< a string, with its quotes */
} hit_language;

/** fprintf(), with '.' in numbers whatever the locale, of which each %s and %c is quoted
 * in @p language; the rest of @p format is the caller's, in that language. A width counts
 * what is printed, a precision what is quoted. Bytes that are no UTF-8 are shown
 * (lines), or replaced by U+FFFD. */
void hit_quote_write(FILE *file, hit_language language, const char *format, ...)
    HIT_PRINTF(3, 4);
/** vsnprintf() of the same kind. */
void hit_quote_vprint(char *text, size_t size, hit_language language, const char *format,
                      va_list args) HIT_PRINTF(4, 0);
/** Lines: what a person reads. */
void hit_say(FILE *file, const char *format, ...) HIT_PRINTF(2, 3);
/** A text of several lines, each of them quoted. */
void hit_say_lines(FILE *file, const char *lines);

#endif
