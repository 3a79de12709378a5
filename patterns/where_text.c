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

/* A side of a comparison. */
typedef struct side_of {
    hit_affine sum;
    hit_index source; /* the number in element source - 1 is added; 0: none is */
} side_of;

/* The element that an index touches of an argument. */
static hit_status take_source(reader *r, const hit_lookup *lookup, side_of *side)
{
    const hit_pattern *at = lookup->at;
    hit_where *where = r->where;
    int k = 0;

    for (int t = 0; t < at->tile_dims; t++) {
        const hit_range *range = &at->access[0].range[t];
        const hit_affine *begin = &range->begin;

        if (begin->infinite || !hit_affine_is_parallel(begin, &range->end) ||
            begin->offset != range->end.offset) {
            k = HIT_MAX_WHERE_SOURCES;
        }
    }
    if (!lookup->own || at->count != 1 || at->lookups != NULL || k > 0) {
        return refuse(r, "an argument by its name alone, of which an index touches one "
                         "element, as by \"[i, j]\",");
    }
    while (k < where->sources && where->source[k].arg != lookup->arg) {
        k++;
    }
    if (k == HIT_MAX_WHERE_SOURCES) return refuse(r, "at most 4 arguments");
    where->source[k] = (hit_where_source){.arg = lookup->arg,
                                          .dims = at->tile_dims,
                                          .type = r->kernel->arg[lookup->arg].type,
                                          .at = at->access[0]};
    if (k == where->sources) where->sources++;
    side->sum = (hit_affine){.offset = lookup->offset};
    side->source = k + 1;
    return HIT_OK;
}

/* Is there a tile argument in the side which data of it cannot be? */
static const char *find_no_source(const reader *r, size_t length)
{
    const hit_kernel *kernel = r->kernel;

    for (const char *at = r->at; at < r->at + length; at++) {
        const bool begins = at == r->at || word_length(at - 1) == 0;

        for (int k = 0; k < kernel->args && begins && word_length(at) > 0; k++) {
            if (kernel->arg[k].mode == HIT_MODE_VALUE) continue;
            if (!is_word(at, kernel->arg[k].name)) continue;
            if (!hit_kernel_is_source(kernel, k)) return kernel->arg[k].name;
        }
    }
    return NULL;
}

static hit_status read_side(reader *r, side_of *side)
{
    const size_t length = side_length(r->at);
    char text[MOST_TEXT + 3];
    hit_status status = HIT_OK;
    hit_pattern pattern;
    hit_range range;
    int dims;

    if (length > MOST_TEXT) return refuse(r, "sums of at most 200 characters");
    (void)snprintf(text, sizeof(text), "[%.*s]", (int)length, r->at);
    if (strspn(r->at, " \t\n") == length) return refuse(r, "a sum of indices and values");
    status = hit_kernel_parse(r->kernel, text, r->number, NULL, &pattern);
    if (status != HIT_OK) {
        if (status == HIT_E_PATTERN && find_no_source(r, length) != NULL) {
            return refuse(r, "arguments of mode in and of whole numbers");
        }
        return HIT_FAIL(status, "HIT_WHERE(\"%.300s\"): %s", r->text, hit_status_text());
    }
    range = pattern.access[0].range[0];
    dims = pattern.count == 1 && strchr(text, ':') == NULL ? pattern.tile_dims : 0;
    *side = (side_of){.sum = range.begin};
    if (dims == 1 && range.low != NULL) {
        status = take_source(r, range.low, side);
    } else if (dims != 1 || range.begin.infinite || range.begin.fold != HIT_FOLD_NONE) {
        status = refuse(r, "a sum of indices and values, without /, % and :");
    }
    hit_pattern_clear(&pattern);
    if (status == HIT_OK) r->at += length;
    return status;
}

/* less + apart <= more */
static hit_status add(reader *r, const side_of *less, const side_of *more, int apart)
{
    hit_inequality *made = &r->where->of[r->where->count];

    if (r->where->count == HIT_MAX_INEQUALITIES) {
        return refuse(r, "at most 32 inequalities");
    }
    if (less->source != 0 && more->source != 0) {
        return refuse(r, "an argument on one side of a comparison");
    }
    r->where->count++;
    *made = (hit_inequality){.offset = more->sum.offset - less->sum.offset - apart,
                             .alternative = r->alternative,
                             .source = more->source - less->source};
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        made->coef[d] = more->sum.coef[d] - less->sum.coef[d];
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
    side_of left;
    side_of right;
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
    hit_status status;

    where->text = text;
    where->count = 0;
    where->sources = 0;
    do {
        status = read_chain(&r);
    } while (status == HIT_OK && read_joint(&r));
    if (status != HIT_OK) where->count = 0; /* none are parsed */
    return status;
}

void hit_where_copy(hit_where *to, const hit_where *from)
{
    to->text = from->text;
    to->count = from->count;
    memcpy(to->of, from->of, (size_t)from->count * sizeof(to->of[0]));
    to->sources = from->sources;
    memcpy(to->source, from->source, (size_t)from->sources * sizeof(to->source[0]));
}

unsigned hit_where_looks_in(const hit_where *where)
{
    unsigned looked = 0;

    for (int k = 0; where != NULL && k < where->sources; k++) {
        looked |= 1u << where->source[k].arg;
    }
    return looked;
}

bool hit_where_same(const hit_where *a, const hit_where *b)
{
    if (a->sources != b->sources) return false;
    for (int k = 0; k < a->sources; k++) {
        if (a->source[k].arg != b->source[k].arg) return false;
    }
    return a->count == b->count &&
           memcmp(a->of, b->of, (size_t)a->count * sizeof(a->of[0])) == 0;
}

uint64_t hit_where_hash(uint64_t hash, const hit_where *where)
{
    if (where == NULL) return hash;
    for (int k = 0; k < where->sources; k++) {
        hash = hit_hash_word(hash, (uint64_t)where->source[k].arg);
    }
    return hit_hash(hit_hash_word(hash, (uint64_t)where->count), where->of,
                    (size_t)where->count * sizeof(where->of[0]));
}
