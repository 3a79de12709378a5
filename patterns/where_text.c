/* SPDX-License-Identifier: MIT
 * Inequalities as text, whose sides are read as patterns are, and compared. */
#include "hit/data/hash.h"
#include "patterns/parse.h"
#include "patterns/where.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_TEXT = 200 /* of a side */
};

typedef struct reader {
    const hit_kernel *kernel;
    const char *text;
    const char *at;
    const hit_index *number;
    hit_index alternative;
    hit_where *where;
} reader;

static hit_status refuse(const reader *r, const char *expected)
{
    return HIT_FAIL(HIT_E_PATTERN,
                    "expected %s in HIT_WHERE(\"%.300s\") but found \"%.40s\"", expected,
                    r->text, r->at);
}

static size_t word_length(const char *at)
{
    return strspn(at, "0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                      "abcdefghijklmnopqrstuvwxyz");
}

static bool is_word(const char *at, const char *word)
{
    const size_t length = word_length(at);

    return length == strlen(word) && strncmp(at, word, length) == 0;
}

/* A side ends before a sign of comparison, what joins chains, or the end of the text. */
static size_t side_length(const char *at)
{
    const char *end = at;

    while (*end != '\0' && strchr("<>=,", *end) == NULL) {
        const size_t length = word_length(end);

        if (is_word(end, "and") || is_word(end, "or")) break;
        end += length > 0 ? length : 1;
    }
    return (size_t)(end - at);
}

static hit_status read_side(reader *r, hit_affine *side)
{
    const size_t length = side_length(r->at);
    char text[MOST_TEXT + 3];
    hit_pattern pattern;
    hit_range range;
    int dims;

    if (length > MOST_TEXT) return refuse(r, "sums of at most 200 characters");
    (void)snprintf(text, sizeof(text), "[%.*s]", (int)length, r->at);
    if (strspn(r->at, " \t\n") == length) return refuse(r, "a sum of indices and values");
    if (hit_kernel_parse(r->kernel, text, r->number, &pattern) != HIT_OK) {
        return HIT_FAIL(HIT_E_PATTERN, "HIT_WHERE(\"%.300s\"): %s", r->text,
                        hit_status_text());
    }
    range = pattern.access[0].range[0];
    dims = pattern.count == 1 ? pattern.tile_dims : 0;
    hit_pattern_clear(&pattern);
    if (dims != 1 || range.begin.infinite || range.begin.fold != HIT_FOLD_NONE ||
        strchr(text, ':') != NULL) {
        return refuse(r, "a sum of indices and values, without /, % and :");
    }
    *side = range.begin;
    r->at += length;
    return HIT_OK;
}

/* less + apart <= more */
static hit_status add(reader *r, const hit_affine *less, const hit_affine *more,
                      int apart)
{
    hit_inequality *made = &r->where->of[r->where->count];

    if (r->where->count == HIT_MAX_INEQUALITIES) {
        return refuse(r, "at most 32 inequalities");
    }
    r->where->count++;
    *made = (hit_inequality){.offset = more->offset - less->offset - apart,
                             .alternative = r->alternative};
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        made->coef[d] = more->coef[d] - less->coef[d];
    }
    return HIT_OK;
}

static bool is_sign(char c)
{
    return c == '<' || c == '>' || c == '=';
}

static hit_status read_comparison(reader *r, char sign[2])
{
    sign[0] = r->at[0];
    sign[1] = r->at[0] != '\0' && r->at[1] == '=' ? '=' : ' ';
    if (!is_sign(sign[0]) || (sign[0] == '=' && sign[1] != '=')) {
        return refuse(r, "<=, <, >=, > or ==");
    }
    r->at += sign[1] == '=' ? 2 : 1;
    return HIT_OK;
}

/* "i - 2 <= j < i + b" */
static hit_status read_chain(reader *r)
{
    hit_affine left;
    hit_affine right;
    char sign[2];

    HIT_TRY(read_side(r, &left));
    do {
        HIT_TRY(read_comparison(r, sign));
        HIT_TRY(read_side(r, &right));
        if (sign[0] != '>') HIT_TRY(add(r, &left, &right, sign[1] != '='));
        if (sign[0] != '<') HIT_TRY(add(r, &right, &left, sign[1] != '='));
        left = right;
    } while (is_sign(*r->at));
    return HIT_OK;
}

/* False: the text ends. */
static bool read_joint(reader *r)
{
    const bool other = is_word(r->at, "or");

    if (*r->at == '\0') return false;
    r->at += *r->at == ',' ? 1 : word_length(r->at);
    r->alternative += other;
    return true;
}

hit_status hit_where_parse(const hit_kernel *kernel, const char *text,
                           const hit_index number[], hit_where *where)
{
    reader r = {kernel, text, text, number, 0, where};

    where->text = text;
    where->count = 0;
    do {
        HIT_TRY(read_chain(&r));
    } while (read_joint(&r));
    return HIT_OK;
}

bool hit_where_equal(const hit_where *a, const hit_where *b)
{
    if (a == NULL || b == NULL) return a == b;
    return a->count == b->count &&
           memcmp(a->of, b->of, (size_t)a->count * sizeof(a->of[0])) == 0;
}

uint64_t hit_where_hash(uint64_t hash, const hit_where *where)
{
    if (where == NULL) return hash;
    return hit_hash(hit_hash_word(hash, (uint64_t)where->count), where->of,
                    (size_t)where->count * sizeof(where->of[0]));
}
