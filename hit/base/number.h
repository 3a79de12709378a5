/* SPDX-License-Identifier: MIT
 * Numbers in options, on the command line and in the environment. */
#ifndef HIT_BASE_NUMBER_H
#define HIT_BASE_NUMBER_H

#include "hit/base/status.h"

#include <stdbool.h>

/** Read the digits at *at, after an optional '-', and go past them; false: there are
 * none, or the number is not from @p low to @p high (*at and *number stay). */
bool hit_number_next(const char **at, hit_index low, hit_index high, hit_index *number);

/** Read all of @p text as one whole number. @p what names it in the error text:
 * "expected a whole number >= 1 for --reps but found "x"".
 * @errors HIT_E_ARG @p text (NULL: nothing) is no such number */
hit_status hit_number_read(const char *what, const char *text, hit_index low,
                           hit_index high, hit_index *number);

/** Read all of @p text as one number such as "0.05", with '.' in every locale.
 * @errors HIT_E_ARG it is none, or not from @p low to @p high; never a NaN */
hit_status hit_number_read_real(const char *what, const char *text, double low,
                                double high, double *number);

/** 1 to @p most numbers >= @p low with @p separator between them: "100x200". */
typedef struct hit_number_shape {
    char separator;
    hit_index low;
    int most;
} hit_number_shape;

/** Read all of @p text as such numbers. @errors HIT_E_ARG it is not that */
hit_status hit_number_list(const char *what, const char *text,
                           const hit_number_shape *shape, int *count, hit_index number[]);

#endif
