/* SPDX-License-Identifier: MIT
 * The text form of access patterns; the grammar is in parse.h. One pass, one function per
 * rule, no backtracking and no recursion, so that any text is read in time and memory
 * proportional to its length. The papers have no text form: there, expressions are filled
 * in by a front end. */
#include "patterns/parse.h"

#include "hit/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct parser {
    const char *text;
    size_t at; /* the next character to read */
    const hit_pattern_names *names;
    bool valued;  /* a value was read since a range began */
    bool indexed; /* an index was read since a term began, with whatever factor */
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
    const hit_pattern_names *names = in->names;
    char known[240] = "";

    for (int k = 0; k < names->dims; k++) {
        hit_text_add(known, sizeof known, "%s%s", k > 0 ? ", " : "", names->index[k]);
    }
    for (int k = 0; k < names->values; k++) {
        hit_text_add(known, sizeof known, "%s%s", k > 0 ? ", " : "; whole values are ",
                     names->value[k].name);
    }
    return fail_at(in, start, "unknown index '%.*s'; the indices are %s",
                   in->at - start > 40 ? 40 : (int)(in->at - start), in->text + start,
                   known);
}

/* Is the name that was read from @p start on this one? */
static bool is_name(const parser *in, size_t start, const char *name)
{
    const size_t length = in->at - start;

    return strncmp(name, in->text + start, length) == 0 && name[length] == '\0';
}

/* What a term is made of. */
typedef struct product {
    hit_index factor;
    int dim; /* -1: it has no index */
} product;

static hit_status multiply(const parser *in, size_t start, hit_index by, product *term)
{
    hit_index factor = 0;

    if (by > HIT_PATTERN_MAX || by < -HIT_PATTERN_MAX) {
        return fail_at(in, start, "expected a number up to 2^60, found %" PRId64, by);
    }
    if (__builtin_mul_overflow(term->factor, by, &factor) || factor > HIT_PATTERN_MAX ||
        factor < -HIT_PATTERN_MAX) {
        return fail_at(in, start, "expected a product up to 2^60, found a larger one");
    }
    term->factor = factor;
    return HIT_OK;
}

static hit_status parse_name(parser *in, product *term)
{
    const hit_pattern_names *names = in->names;
    const size_t start = in->at;

    while (is_letter(in->text[in->at]) || is_digit(in->text[in->at])) {
        in->at++;
    }
    for (int k = 0; k < names->dims; k++) {
        if (!is_name(in, start, names->index[k])) continue;
        if (term->dim >= 0) {
            return fail_at(in, start, "expected one index in a product, found another");
        }
        term->dim = k;
        in->indexed = true;
        return HIT_OK;
    }
    for (int k = 0; k < names->values; k++) {
        if (!is_name(in, start, names->value[k].name)) continue;
        in->valued = true;
        return multiply(in, start, names->value[k].number, term);
    }
    return fail_unknown(in, start);
}

static hit_status parse_factor(parser *in, product *term)
{
    const char c = peek(in);
    const size_t start = in->at;
    hit_index number = 0;

    if (is_letter(c)) return parse_name(in, term);
    if (!is_digit(c)) return fail_found(in, "a name or a number");
    HIT_TRY(parse_number(in, &number));
    return multiply(in, start, number, term);
}

static hit_status parse_product(parser *in, product *term)
{
    *term = (product){1, -1};
    do {
        HIT_TRY(parse_factor(in, term));
    } while (take(in, '*'));
    return HIT_OK;
}

/* A factor is within HIT_PATTERN_MAX, and so is each sum: adding them cannot overflow. */
static hit_status add(const parser *in, size_t start, hit_index number, hit_index *sum)
{
    *sum += number;
    if (*sum > HIT_PATTERN_MAX || *sum < -HIT_PATTERN_MAX) {
        return fail_at(in, start, "expected a sum up to 2^60, found a larger one");
    }
    return HIT_OK;
}

static hit_status parse_plain_term(parser *in, bool minus, hit_affine *sum)
{
    product term;

    (void)peek(in);
    size_t start = in->at;
    HIT_TRY(parse_product(in, &term));
    return add(in, start, minus ? -term.factor : term.factor,
               term.dim < 0 ? &sum->offset : &sum->coef[term.dim]);
}

/* Is there a sign, and which? */
static bool take_sign(parser *in, bool *minus)
{
    *minus = take(in, '-');
    return *minus || take(in, '+');
}

static hit_status parse_sum(parser *in, hit_affine *sum)
{
    bool minus = take(in, '-');

    do {
        HIT_TRY(parse_plain_term(in, minus, sum));
    } while (take_sign(in, &minus));
    return take(in, ')') ? HIT_OK : fail_found(in, "'+', '-' or ')'");
}

static hit_status parse_fold(parser *in, hit_affine *sum, bool *is_written)
{
    const hit_fold fold = take(in, '/')   ? HIT_FOLD_QUOTIENT
                          : take(in, '%') ? HIT_FOLD_REMAINDER
                                          : HIT_FOLD_NONE;
    product by = {1, -1};

    *is_written = fold != HIT_FOLD_NONE;
    if (fold == HIT_FOLD_NONE) return HIT_OK;
    (void)peek(in);
    size_t start = in->at;
    HIT_TRY(parse_factor(in, &by));
    if (by.dim >= 0) {
        return fail_at(in, start, "expected a divisor without an index, found one");
    }
    if (by.factor < 1) {
        return fail_at(in, start, "expected a divisor >= 1, found %" PRId64, by.factor);
    }
    *sum = hit_affine_fold(sum, fold, by.factor);
    return HIT_OK;
}

/* What of an affine was read. By what is written, and not by the numbers of values in it:
 * what is valid for one number is for all. */
typedef struct progress {
    bool begun;
    bool indexed; /* an index ... */
    bool divided; /* ... that is divided */
} progress;

/* May a term follow what was read? */
static hit_status check_term(const parser *in, size_t start, bool minus,
                             const progress *term, const progress *read)
{
    if (term->divided && minus && (term->indexed || !read->begun)) {
        return fail_at(in, start,
                       "expected no '-' before what is divided: write (-i)/2, not -i/2");
    }
    if (read->indexed && term->indexed && (term->divided || read->divided)) {
        return fail_at(in, start,
                       "expected only numbers beside what is divided, found an index");
    }
    return HIT_OK;
}

/* The sum of what was read so far and one more term. */
static hit_status join(const parser *in, size_t start, bool minus, const hit_affine *term,
                       hit_affine *affine)
{
    const hit_index before = affine->offset;

    if (term->fold != HIT_FOLD_NONE) {
        *affine = *term;
        return add(in, start, before, &affine->offset);
    }
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        HIT_TRY(add(in, start, minus ? -term->coef[k] : term->coef[k], &affine->coef[k]));
    }
    return add(in, start, minus ? -term->offset : term->offset, &affine->offset);
}

static hit_status parse_term(parser *in, bool minus, progress *read, hit_affine *affine)
{
    const bool group = take(in, '(');
    progress now = {.begun = true};
    hit_affine term = {0};

    in->indexed = false;
    (void)peek(in);
    size_t start = in->at;
    HIT_TRY(group ? parse_sum(in, &term) : parse_plain_term(in, false, &term));
    if (group && peek(in) != '/' && in->text[in->at] != '%') {
        return fail_found(in, "'/' or '%' behind ')'");
    }
    HIT_TRY(parse_fold(in, &term, &now.divided));
    now.indexed = in->indexed;
    HIT_TRY(check_term(in, start, minus, &now, read));
    HIT_TRY(join(in, start, minus, &term, affine));
    *read = (progress){true, read->indexed || now.indexed,
                       read->divided || (now.divided && now.indexed)};
    return HIT_OK;
}

static hit_status parse_affine(parser *in, hit_affine *affine)
{
    bool minus = take(in, '-');
    progress read = {0};

    *affine = (hit_affine){0};
    do {
        HIT_TRY(parse_term(in, minus, &read, affine));
    } while (take_sign(in, &minus));
    return HIT_OK;
}

static hit_status parse_stride(parser *in, hit_index *stride)
{
    product term;

    if (peek(in) == '-') return fail_found(in, "a stride >= 1");

    size_t start = in->at;
    HIT_TRY(parse_product(in, &term));
    if (term.dim >= 0) {
        return fail_at(in, start, "expected a stride without an index, found one");
    }
    if (term.factor < 1) {
        return fail_at(in, start, "expected a stride >= 1, found %" PRId64, term.factor);
    }
    *stride = term.factor;
    return HIT_OK;
}

static hit_status parse_range(parser *in, hit_range *range)
{
    *range = (hit_range){.stride = 1};
    in->valued = false;
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
    if (hit_range_is_void(range) && !in->valued) {
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
    if (pattern->count == 0) {
        HIT_TRY(hit_pattern_init(in->names->dims, ranges, pattern));
    }
    if (ranges != pattern->tile_dims) {
        return fail_at(in, start, "expected %d dimensions as in the first box, found %d",
                       pattern->tile_dims, ranges);
    }
    return hit_pattern_add(pattern, &access);
}

static hit_status parse_boxes(parser *in, hit_pattern *pattern)
{
    do {
        HIT_TRY(parse_next_box(in, pattern));
    } while (peek(in) != '\0' && peek(in) != '<');
    return HIT_OK;
}

static hit_status parse_all(parser *in, hit_pattern *pattern)
{
    int written;

    HIT_TRY(parse_boxes(in, pattern));
    if (!take(in, '<')) return HIT_OK;
    if (in->text[in->at] != '-') return fail_found(in, "'-' behind '<'");
    in->at++;
    written = pattern->count;
    HIT_TRY(parse_boxes(in, pattern));
    pattern->only_read = pattern->count - written;
    return peek(in) == '\0' ? HIT_OK : fail_found(in, "'['");
}

hit_status hit_pattern_parse_with(const char *text, const hit_pattern_names *names,
                                  hit_pattern *pattern)
{
    parser in = {.text = text, .names = names};
    hit_pattern read = {0};
    hit_status st;

    if (!text) {
        return HIT_FAIL(HIT_E_PATTERN, "expected the text of a pattern, found NULL");
    }
    if (names->dims < 1 || names->dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a launch of 1 to %d dimensions, found %d",
                        HIT_MAX_DIMS, names->dims);
    }
    HIT_TRY_GOTO(st, parse_all(&in, &read), clear_read);
    *pattern = read;
    return HIT_OK;

clear_read:
    hit_pattern_clear(&read);
    return st;
}

hit_status hit_pattern_parse(const char *text, int dims, const char *const names[],
                             hit_pattern *pattern)
{
    const hit_pattern_names all = {.dims = dims, .index = names};

    return hit_pattern_parse_with(text, &all, pattern);
}
