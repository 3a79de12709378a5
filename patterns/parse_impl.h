/* SPDX-License-Identifier: MIT
 * Internal to the parser of patterns. */
#ifndef PATTERNS_PARSE_IMPL_H
#define PATTERNS_PARSE_IMPL_H

#include "patterns/parse.h"

typedef struct hit_parser {
    const char *text;
    size_t at; /* the next character to read */
    const hit_pattern_names *names;
    bool valued;  /* a value was read since a range began */
    bool indexed; /* an index was read since a term began, with whatever factor */
    bool looks;   /* a lookup may stand here: in an end of a range, outside of brackets */
    int depth;    /* of lookups in each other */
    hit_lookup *lookup; /* of the end that is read; NULL: it has none */
    hit_lookup *made;   /* all of the pattern */
} hit_parser;

/* What a term is made of. */
typedef struct hit_product {
    hit_index factor;
    int dim;     /* -1: it has no index */
    bool looked; /* it is a lookup */
} hit_product;

/* Of names, whatever the locale. */
static inline bool hit_parse_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool hit_parse_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* parse_sum.c */

/** HIT_E_PATTERN: what is wrong, and the text with a caret under character @p at. */
hit_status hit_parse_fail(const hit_parser *in, size_t at, const char *format, ...)
    HIT_PRINTF(3, 4);
/** "expected @p wanted, found what is there". */
hit_status hit_parse_expected(const hit_parser *in, const char *wanted);
/** The next character that is not a space, which is not taken. */
char hit_parse_peek(hit_parser *in);
bool hit_parse_take(hit_parser *in, char c);
hit_status hit_parse_product(hit_parser *in, hit_product *term);
hit_status hit_parse_affine(hit_parser *in, hit_affine *affine);

/* parse.c */

/** The name of @p source was read, from @p start on: read the box behind it, if there is
 * one, and keep it in in->lookup. */
hit_status hit_parse_lookup(hit_parser *in, size_t start,
                            const hit_pattern_source *source);

#endif
