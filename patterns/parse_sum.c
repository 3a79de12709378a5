/* SPDX-License-Identifier: MIT
 * The text form of access patterns: numbers, names and sums of them, and what is told of
 * a text that is wrong. */
#include "hit/base/text.h"
#include "patterns/parse_impl.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How much of the text a message shows before and after the caret. */
enum {
    BEFORE = 48,
    AFTER = 24
};

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char one_column(char c)
{
    if (is_space(c)) return ' ';
    if (c < ' ' || c > '~') return '?';
    return c;
}

/* The caret must stand under its place: every byte that is not printed as one column is
 * replaced. */
hit_status hit_parse_fail(const hit_parser *in, size_t at, const char *format, ...)
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
hit_status hit_parse_expected(const hit_parser *in, const char *wanted)
{
    unsigned char c = (unsigned char)in->text[in->at];

    if (c == '\0') {
        return hit_parse_fail(in, in->at, "expected %s, found the end of the text",
                              wanted);
    }
    if (c < ' ' || c > '~') {
        return hit_parse_fail(in, in->at, "expected %s, found the byte 0x%02x", wanted,
                              c);
    }
    return hit_parse_fail(in, in->at, "expected %s, found '%c'", wanted, c);
}

/* The next character that is not a space, which is not taken. */
char hit_parse_peek(hit_parser *in)
{
    while (is_space(in->text[in->at])) {
        in->at++;
    }
    return in->text[in->at];
}

bool hit_parse_take(hit_parser *in, char c)
{
    if (hit_parse_peek(in) != c) return false;
    in->at++;
    return true;
}

static hit_status parse_number(hit_parser *in, hit_index *value)
{
    hit_index number = 0;

    if (!hit_parse_is_digit(hit_parse_peek(in))) {
        return hit_parse_expected(in, "a number");
    }

    size_t start = in->at;
    for (; hit_parse_is_digit(in->text[in->at]); in->at++) {
        hit_index digit = in->text[in->at] - '0';
        if (number > (HIT_PATTERN_MAX - digit) / 10) {
            return hit_parse_fail(in, start,
                                  "expected a number up to 2^60, found a larger one");
        }
        number = 10 * number + digit;
    }
    if (hit_parse_is_letter(in->text[in->at])) {
        return hit_parse_fail(in, in->at, "expected '*' between a number and a name");
    }
    *value = number;
    return HIT_OK;
}

static hit_status fail_unknown(const hit_parser *in, size_t start)
{
    const hit_pattern_names *names = in->names;
    char known[240] = "";

    for (int k = 0; k < names->dims; k++) {
        const char *name = names->index[k];

        hit_text_add(known, sizeof known, "%s%s", k > 0 ? ", " : "",
                     name[0] != '\0' ? name : "none");
    }
    for (int k = 0; k < names->values; k++) {
        hit_text_add(known, sizeof known, "%s%s", k > 0 ? ", " : "; whole values are ",
                     names->value[k].name);
    }
    for (int k = 0; k < names->sources; k++) {
        hit_text_add(known, sizeof known, "%s%s",
                     k > 0 ? ", " : "; arguments with numbers that are only read are ",
                     names->source[k].name);
    }
    return hit_parse_fail(in, start, "unknown index '%.*s'; the indices are %s",
                          in->at - start > 40 ? 40 : (int)(in->at - start),
                          in->text + start, known);
}

/* Is the name that was read from @p start on this one? */
static bool is_name(const hit_parser *in, size_t start, const char *name)
{
    const size_t length = in->at - start;

    return strncmp(name, in->text + start, length) == 0 && name[length] == '\0';
}

static hit_status multiply(const hit_parser *in, size_t start, hit_index by,
                           hit_product *term)
{
    hit_index factor = 0;

    if (by > HIT_PATTERN_MAX || by < -HIT_PATTERN_MAX) {
        return hit_parse_fail(in, start, "expected a number up to 2^60, found %" PRId64,
                              by);
    }
    if (__builtin_mul_overflow(term->factor, by, &factor) || factor > HIT_PATTERN_MAX ||
        factor < -HIT_PATTERN_MAX) {
        return hit_parse_fail(in, start,
                              "expected a product up to 2^60, found a larger one");
    }
    term->factor = factor;
    return HIT_OK;
}

static hit_status parse_name(hit_parser *in, hit_product *term)
{
    const hit_pattern_names *names = in->names;
    const size_t start = in->at;

    while (hit_parse_is_letter(in->text[in->at]) ||
           hit_parse_is_digit(in->text[in->at])) {
        in->at++;
    }
    for (int k = 0; k < names->dims; k++) {
        if (!is_name(in, start, names->index[k])) continue;
        if (term->dim >= 0) {
            return hit_parse_fail(in, start,
                                  "expected one index in a product, found another");
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
    for (int k = 0; k < names->sources; k++) {
        if (!is_name(in, start, names->source[k].name)) continue;
        term->looked = true;
        return hit_parse_lookup(in, start, &names->source[k]);
    }
    return fail_unknown(in, start);
}

static hit_status parse_factor(hit_parser *in, hit_product *term)
{
    const char c = hit_parse_peek(in);
    const size_t start = in->at;
    hit_index number = 0;

    if (hit_parse_is_letter(c)) return parse_name(in, term);
    if (!hit_parse_is_digit(c)) return hit_parse_expected(in, "a name or a number");
    HIT_TRY(parse_number(in, &number));
    return multiply(in, start, number, term);
}

hit_status hit_parse_product(hit_parser *in, hit_product *term)
{
    int factors = 0;

    (void)hit_parse_peek(in);
    size_t start = in->at;
    *term = (hit_product){1, -1, false};
    do {
        HIT_TRY(parse_factor(in, term));
        factors++;
    } while (hit_parse_take(in, '*'));
    if (!term->looked || factors == 1) return HIT_OK;
    return hit_parse_fail(in, start, "expected no factor beside what stands in data");
}

/* A factor is within HIT_PATTERN_MAX, and so is each sum: adding them cannot overflow. */
static hit_status add(const hit_parser *in, size_t start, hit_index number,
                      hit_index *sum)
{
    *sum += number;
    if (*sum > HIT_PATTERN_MAX || *sum < -HIT_PATTERN_MAX) {
        return hit_parse_fail(in, start, "expected a sum up to 2^60, found a larger one");
    }
    return HIT_OK;
}

static hit_status parse_plain_term(hit_parser *in, bool minus, hit_affine *sum)
{
    hit_product term;

    (void)hit_parse_peek(in);
    size_t start = in->at;
    HIT_TRY(hit_parse_product(in, &term));
    if (term.looked) return HIT_OK;
    return add(in, start, minus ? -term.factor : term.factor,
               term.dim < 0 ? &sum->offset : &sum->coef[term.dim]);
}

/* Is there a sign, and which? */
static bool take_sign(hit_parser *in, bool *minus)
{
    *minus = hit_parse_take(in, '-');
    return *minus || hit_parse_take(in, '+');
}

static hit_status parse_sum(hit_parser *in, hit_affine *sum)
{
    bool minus = hit_parse_take(in, '-');

    do {
        HIT_TRY(parse_plain_term(in, minus, sum));
    } while (take_sign(in, &minus));
    return hit_parse_take(in, ')') ? HIT_OK : hit_parse_expected(in, "'+', '-' or ')'");
}

static hit_status parse_fold(hit_parser *in, hit_affine *sum, bool *is_written)
{
    const hit_fold fold = hit_parse_take(in, '/')   ? HIT_FOLD_QUOTIENT
                          : hit_parse_take(in, '%') ? HIT_FOLD_REMAINDER
                                                    : HIT_FOLD_NONE;
    hit_product by = {1, -1, false};

    *is_written = fold != HIT_FOLD_NONE;
    if (fold == HIT_FOLD_NONE) return HIT_OK;
    (void)hit_parse_peek(in);
    size_t start = in->at;
    HIT_TRY(parse_factor(in, &by));
    if (by.dim >= 0) {
        return hit_parse_fail(in, start,
                              "expected a divisor without an index, found one");
    }
    if (by.factor < 1) {
        return hit_parse_fail(in, start, "expected a divisor >= 1, found %" PRId64,
                              by.factor);
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
static hit_status check_term(const hit_parser *in, size_t start, bool minus,
                             const progress *term, const progress *read)
{
    if (term->divided && minus && (term->indexed || !read->begun)) {
        return hit_parse_fail(
            in, start, "expected no '-' before what is divided: write (-i)/2, not -i/2");
    }
    if (read->indexed && term->indexed && (term->divided || read->divided)) {
        return hit_parse_fail(
            in, start, "expected only numbers beside what is divided, found an index");
    }
    return HIT_OK;
}

/* The sum of what was read so far and one more term. */
static hit_status join(const hit_parser *in, size_t start, bool minus,
                       const hit_affine *term, hit_affine *affine)
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

static hit_status parse_term(hit_parser *in, bool minus, progress *read,
                             hit_affine *affine)
{
    const bool group = hit_parse_take(in, '(');
    const hit_lookup *before = in->lookup;
    progress now = {.begun = true};
    hit_affine term = {0};

    in->indexed = false;
    in->looks = !group && !minus;
    (void)hit_parse_peek(in);
    size_t start = in->at;
    HIT_TRY(group ? parse_sum(in, &term) : parse_plain_term(in, false, &term));
    if (group && hit_parse_peek(in) != '/' && in->text[in->at] != '%') {
        return hit_parse_expected(in, "'/' or '%' behind ')'");
    }
    in->looks = false;
    HIT_TRY(parse_fold(in, &term, &now.divided));
    if (now.divided && in->lookup != before) {
        return hit_parse_fail(in, start, "expected no divisor of what stands in data");
    }
    now.indexed = in->indexed;
    HIT_TRY(check_term(in, start, minus, &now, read));
    HIT_TRY(join(in, start, minus, &term, affine));
    *read = (progress){true, read->indexed || now.indexed,
                       read->divided || (now.divided && now.indexed)};
    return HIT_OK;
}

hit_status hit_parse_affine(hit_parser *in, hit_affine *affine)
{
    bool minus = hit_parse_take(in, '-');
    progress read = {0};

    *affine = (hit_affine){0};
    do {
        HIT_TRY(parse_term(in, minus, &read, affine));
    } while (take_sign(in, &minus));
    return HIT_OK;
}
