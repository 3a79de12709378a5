/* SPDX-License-Identifier: MIT
 * Numbers in options, on the command line and in the environment. */
#include "hit/base/input.h"
#include "hit/base/text.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>

bool hit_number_next(const char **at, hit_index low, hit_index high, hit_index *number)
{
    const char *digits = **at == '-' ? *at + 1 : *at;
    char *end;
    long long value;

    if (*digits < '0' || *digits > '9') return false;
    errno = 0;
    value = strtoll(*at, &end, 10);
    if (errno != 0 || value < low || value > high) return false;
    *at = end;
    *number = value;
    return true;
}

hit_status hit_number_read(const char *what, const char *text, hit_index low,
                           hit_index high, hit_index *number)
{
    const char *at = text != NULL ? text : "";
    hit_index value;

    if (hit_number_next(&at, low, high, &value) && *at == '\0') {
        *number = value;
        return HIT_OK;
    }
    if (high == INT64_MAX) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a whole number >= %" PRId64
                        " for %s but found \"%.40s\"",
                        low, what, text != NULL ? text : "");
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected a whole number from %" PRId64 " to %" PRId64
                    " for %s but found \"%.40s\"",
                    low, high, what, text != NULL ? text : "");
}

hit_status hit_number_read_real(const char *what, const char *text, double low,
                                double high, double *number)
{
    const char *end;
    const double value = hit_text_real(text, &end);

    if (end != text && *end == '\0' && value >= low && value <= high) {
        *number = value;
        return HIT_OK;
    }
    if (low <= -DBL_MAX) {
        return HIT_FAIL(HIT_E_ARG, "expected a number for %s but found \"%.40s\"", what,
                        text);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected a number from %g to %g for %s but found \"%.40s\"", low,
                    high, what, text);
}

hit_status hit_number_list(const char *what, const char *text,
                           const hit_number_shape *shape, int *count, hit_index number[])
{
    const char *at = text;
    int found = 0;

    while (found < shape->most &&
           hit_number_next(&at, shape->low, INT64_MAX, &number[found])) {
        found++;
        if (*at == '\0') {
            *count = found;
            return HIT_OK;
        }
        if (*at++ != shape->separator) break;
    }
    if (shape->most == 1) {
        return hit_number_read(what, text, shape->low, INT64_MAX, number);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected at most %d whole numbers >= %" PRId64
                    " with '%c' between them for %s but found \"%.40s\"",
                    shape->most, shape->low, shape->separator, what, text);
}
