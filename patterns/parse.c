/* SPDX-License-Identifier: MIT
 * The text form of access patterns; the grammar is in parse.h. One pass, one function per
 * rule, no backtracking and no recursion, so that any text is read in time and memory
 * proportional to its length. The papers have no text form: there, expressions are filled
 * in by a front end. */
#include "patterns/parse.h"

#include "hit/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
    const char *text;
    size_t at; /* the next character to read */
    int dims;
    const char *const *names;
} parser;

/* How much of the text a message shows before and after the caret. */
enum {
    BEFORE = 48,
    AFTER = 24
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static hit_status fail_at(const parser *in, size_t at, const char *format, ...)
    HIT_PRINTF(3, 4);

static char one_column(char c)
{
    if (is_space(c)) return ' ';
    if (c < ' ' || c > '~') return '?';
    return c;
}

/* The caret must stand under its place: every byte that is not printed as one column is
 * replaced. */
static hit_status fail_at(const parser *in, size_t at, const char *format, ...)
{
    char what[256];
    char shown[BEFORE + AFTER + 1];
    size_t first = at > BEFORE ? at - BEFORE : 0;
    size_t count = 0;

    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof what, format, args);
    va_end(args);

    while (count < sizeof shown - 1 && in->text[first + count] != '\0') {
        shown[count] = one_column(in->text[first + count]);
        count++;
    }
    shown[count] = '\0';
    return HIT_FAIL(HIT_E_PATTERN, "%s\n  %s%s%s\n  %*s^", what, first > 0 ? "..." : "",
                    shown, in->text[first + count] != '\0' ? "..." : "",
                    (int)(at - first) + (first > 0 ? 3 : 0), "");
}

/* "expected @p wanted, found what is there". */
static hit_status fail_found(const parser *in, const char *wanted)
{
    unsigned char c = (unsigned char)in->text[in->at];

    if (c == '\0') {
        return fail_at(in, in->at, "expected %s, found the end of the text", wanted);
    }
    if (c < ' ' || c > '~') {
        return fail_at(in, in->at, "expected %s, found the byte 0x%02x", wanted, c);
    }
    return fail_at(in, in->at, "expected %s, found '%c'", wanted, c);
}

/* The next character that is not a space, which is not taken. */
static char peek(parser *in)
{
    while (is_space(in->text[in->at])) {
        in->at++;
    }
    return in->text[in->at];
}

static bool take(parser *in, char c)
{
    if (peek(in) != c) return false;
    in->at++;
    return true;
}

static hit_status parse_number(parser *in, hit_index *value)
{
    hit_index number = 0;

    if (!is_digit(peek(in))) return fail_found(in, "a number");

    size_t start = in->at;
    for (; is_digit(in->text[in->at]); in->at++) {
        hit_index digit = in->text[in->at] - '0';
        if (number > (HIT_PATTERN_MAX - digit) / 10) {
            return fail_at(in, start, "expected a number up to 2^60, found a larger one");
        }
        number = 10 * number + digit;
    }
    if (is_letter(in->text[in->at])) {
        return fail_at(in, in->at, "expected '*' between a number and a name");
    }
    *value = number;
    return HIT_OK;
}

static hit_status fail_unknown(const parser *in, size_t start)
{
    char known[120] = "";

    for (int k = 0; k < in->dims; k++) {
        hit_text_add(known, sizeof known, "%s%s", k > 0 ? ", " : "", in->names[k]);
    }
    return fail_at(in, start, "unknown index '%.*s'; the indices are %s",
                   in->at - start > 40 ? 40 : (int)(in->at - start), in->text + start,
                   known);
}

static hit_status parse_name(parser *in, int *dim)
{
    if (!is_letter(peek(in))) return fail_found(in, "a name");

    size_t start = in->at;
    while (is_letter(in->text[in->at]) || is_digit(in->text[in->at])) {
        in->at++;
    }
    for (int k = 0; k < in->dims; k++) {
        const char *name = in->names[k];
        size_t length = in->at - start;
        if (strncmp(name, in->text + start, length) == 0 && name[length] == '\0') {
            *dim = k;
            return HIT_OK;
        }
    }
    return fail_unknown(in, start);
}

/* dim is -1 if the term has no name */
static hit_status parse_factors(parser *in, hit_index *factor, int *dim)
{
    char c = peek(in);

    *factor = 1;
    *dim = -1;
    if (is_digit(c)) {
        HIT_TRY(parse_number(in, factor));
        return take(in, '*') ? parse_name(in, dim) : HIT_OK;
    }
    if (is_letter(c)) {
        HIT_TRY(parse_name(in, dim));
        return take(in, '*') ? parse_number(in, factor) : HIT_OK;
    }
    return fail_found(in, "a name or a number");
}

/* A factor is within HIT_PATTERN_MAX, and so is each sum: adding them cannot overflow. */
static hit_status parse_term(parser *in, bool minus, hit_affine *affine)
{
    hit_index factor = 0;
    int dim = -1;

    (void)peek(in);
    size_t start = in->at;
    HIT_TRY(parse_factors(in, &factor, &dim));

    hit_index *sum = dim < 0 ? &affine->offset : &affine->coef[dim];
    *sum += minus ? -factor : factor;
    if (*sum > HIT_PATTERN_MAX || *sum < -HIT_PATTERN_MAX) {
        return fail_at(in, start, "expected a sum up to 2^60, found a larger one");
    }
    return HIT_OK;
}

static hit_status parse_affine(parser *in, hit_affine *affine)
{
    bool minus = take(in, '-');

    *affine = (hit_affine){0};
    HIT_TRY(parse_term(in, minus, affine));
    for (;;) {
        minus = take(in, '-');
        if (!minus && !take(in, '+')) return HIT_OK;
        HIT_TRY(parse_term(in, minus, affine));
    }
}

static hit_status parse_stride(parser *in, hit_index *stride)
{
    if (peek(in) == '-') return fail_found(in, "a stride >= 1");

    size_t start = in->at;
    HIT_TRY(parse_number(in, stride));
    if (*stride < 1) return fail_at(in, start, "expected a stride >= 1, found 0");
    return HIT_OK;
}

static hit_status parse_range(parser *in, hit_range *range)
{
    *range = (hit_range){.stride = 1};
    if (peek(in) == ':') {
        range->begin.infinite = true;
    } else {
        HIT_TRY(parse_affine(in, &range->begin));
    }
    if (!take(in, ':')) {
        range->end = range->begin;
        return HIT_OK;
    }

    char c = peek(in);
    size_t end = in->at;
    if (c == ':' || c == ',' || c == ']' || c == '\0') {
        range->end.infinite = true;
    } else {
        HIT_TRY(parse_affine(in, &range->end));
    }
    if (hit_range_is_void(range)) {
        return fail_at(in, end, "the end of this range is always before its begin");
    }
    if (take(in, ':')) HIT_TRY(parse_stride(in, &range->stride));
    return HIT_OK;
}

static hit_status parse_box(parser *in, hit_access *access, int *ranges)
{
    int count = 0;

    *access = (hit_access){0};
    if (!take(in, '[')) return fail_found(in, "'['");
    if (take(in, ']')) {
        *ranges = 0;
        return HIT_OK;
    }
    do {
        (void)peek(in);
        if (count == HIT_MAX_DIMS) {
            return fail_at(in, in->at, "expected at most %d dimensions", HIT_MAX_DIMS);
        }
        HIT_TRY(parse_range(in, &access->range[count]));
        count++;
    } while (take(in, ','));
    if (!take(in, ']')) return fail_found(in, "',' or ']'");
    *ranges = count;
    return HIT_OK;
}

/* The first box says how many dimensions the tile has. */
static hit_status parse_next_box(parser *in, hit_pattern *pattern)
{
    hit_access access;
    int ranges = 0;

    (void)peek(in);
    size_t start = in->at;
    HIT_TRY(parse_box(in, &access, &ranges));
    if (pattern->count == 0) HIT_TRY(hit_pattern_init(in->dims, ranges, pattern));
    if (ranges != pattern->tile_dims) {
        return fail_at(in, start, "expected %d dimensions as in the first box, found %d",
                       pattern->tile_dims, ranges);
    }
    return hit_pattern_add(pattern, &access);
}

hit_status hit_pattern_parse(const char *text, int dims, const char *const names[],
                             hit_pattern *pattern)
{
    parser in = {.text = text, .dims = dims, .names = names};
    hit_pattern read = {0};
    hit_status st;

    if (!text) {
        return HIT_FAIL(HIT_E_PATTERN, "expected the text of a pattern, found NULL");
    }
    if (dims < 1 || dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a launch of 1 to %d dimensions, found %d",
                        HIT_MAX_DIMS, dims);
    }
    do {
        HIT_TRY_GOTO(st, parse_next_box(&in, &read), clear_read);
    } while (peek(&in) != '\0');
    *pattern = read;
    return HIT_OK;

clear_read:
    hit_pattern_clear(&read);
    return st;
}
