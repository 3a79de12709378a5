/* SPDX-License-Identifier: MIT
 * Printing and scanning with '.' in numbers, whatever locale the program has set: for
 * models and messages. What goes to a file is printed by hit/base/quote.h. */
#ifndef HIT_BASE_TEXT_H
#define HIT_BASE_TEXT_H

#include "hit/base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/** snprintf(), and vsnprintf(). */
int hit_text_print(char *text, size_t size, const char *format, ...) HIT_PRINTF(3, 4);
int hit_text_vprint(char *text, size_t size, const char *format, va_list args)
    HIT_PRINTF(3, 0);
/** snprintf() behind what @p text holds already; at most @p size characters in all. */
void hit_text_add(char *text, size_t size, const char *format, ...) HIT_PRINTF(3, 4);
void hit_text_vadd(char *text, size_t size, const char *format, va_list args)
    HIT_PRINTF(3, 0);
/** Add @p count numbers with @p between between them. */
void hit_text_add_numbers(char *text, size_t size, const char *between, int count,
                          const hit_index number[]);

/** "10 x 20", "a scalar". @p text is for the former. */
const char *hit_text_shape(int dims, const hit_index extent[], char *text, size_t size);

/** A text that grows; {.text = NULL} is none. A failure stays: what is added afterwards
 * is left out, and the end tells. */
typedef struct hit_growing {
    char *text;
    size_t used;
    size_t room;
    hit_status status;
} hit_growing;

/** snprintf() behind what is there. */
void hit_growing_add(hit_growing *growing, const char *format, ...) HIT_PRINTF(2, 3);
/** All of it, if something was added. @owner *text is the caller's, NULL after a failure:
 * free() @errors HIT_E_NOMEM */
hit_status hit_growing_end(hit_growing *growing, char **text);

/** Does @p word come next? Then *at goes behind it. */
bool hit_text_skip(const char **at, const char *word);
/** sscanf(). */
int hit_text_scan(const char *text, const char *format, ...)
    __attribute__((__format__(__scanf__, 2, 3)));
/** strtod(), without blanks or '+' before the number. @p end is @p text if there is no
 * number; "inf" and "nan" are numbers. */
double hit_text_real(const char *text, const char **end);
/** Read "5%" or "5" as 0.05. False: it is no finite number of 0 or more. */
bool hit_text_percent(const char *text, double *share);

#endif
