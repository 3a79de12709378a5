/* SPDX-License-Identifier: MIT
 * Python's literals, as far as heads of NumPy may have them: strings (without
 * backslashes), whole numbers, True, False, None, and tuples, lists and dictionaries of
 * them. */
#include "hit/io/npy_impl.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST_DEPTH = 50 /* brackets in brackets */
};

typedef struct reader {
    const char *path;
    const char *text;
    const char *at;
    bool longs;
    bool inside; /**< of the dictionary */
    int depth;
} reader;

static hit_status expected(const reader *r, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: expected %s at byte %td of its head", r->path, what,
                    r->at - r->text);
}

/* Blanks, comments and ends of lines, which mean nothing inside of brackets. */
static void skip(reader *r)
{
    for (;; r->at++) {
        r->at += strspn(r->at, " \t\f\r\n");
        if (r->at[0] == '\\' && r->at[1] == '\n' && r->inside) continue;
        if (r->at[0] != '#') return;
        r->at += strcspn(r->at, "\n");
        if (r->at[0] == '\0') return;
    }
}

static bool takes(reader *r, char c)
{
    skip(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

/* ---- strings ---- */

/* The letters before a quote; NULL in *quote if no string begins here. */
static bool begins_string(const reader *r, const char **quote)
{
    const size_t letters = strspn(r->at, "uUrRbB");

    *quote = r->at + letters;
    return letters <= 2 && (**quote == '\'' || **quote == '"');
}

/* Letters that Python knows: u, r, b, and r with b. */
static bool knows_prefix(const char *prefix, size_t length, bool *bytes)
{
    char small[3] = "";

    for (size_t k = 0; k < length; k++) {
        small[k] = (char)tolower((unsigned char)prefix[k]);
    }
    *bytes = strchr(small, 'b') != NULL;
    return length < 2 || strcmp(small, "br") == 0 || strcmp(small, "rb") == 0;
}

/* What is between the quotes, one or three on each side. */
static hit_status read_quoted(reader *r, hit_npy_value *value)
{
    const char quote = *r->at;
    const bool three = r->at[1] == quote && r->at[2] == quote;
    size_t used = strlen(value->text);

    for (r->at += three ? 3 : 1;; r->at++) {
        if (*r->at == '\0' || (!three && *r->at == '\n')) {
            return expected(r, "the end of a string");
        }
        if (*r->at == '\\') return expected(r, "a string without backslashes");
        if (*r->at == quote && (!three || (r->at[1] == quote && r->at[2] == quote))) {
            break;
        }
        if (used + 1 < sizeof(value->text)) value->text[used++] = *r->at;
    }
    r->at += three ? 3 : 1;
    return HIT_OK;
}

/* Strings that follow each other are one. */
static hit_status read_string(reader *r, hit_npy_value *value)
{
    const char *quote;
    bool first = true;

    for (; begins_string(r, &quote); first = false) {
        bool bytes = false;

        if (!knows_prefix(r->at, (size_t)(quote - r->at), &bytes) ||
            (!first && bytes != (value->kind == HIT_NPY_OTHER))) {
            return expected(r, "a string");
        }
        value->kind = bytes ? HIT_NPY_OTHER : HIT_NPY_STRING;
        r->at = quote;
        HIT_TRY(read_quoted(r, value));
        skip(r);
    }
    return HIT_OK;
}

/* ---- numbers ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static int read_base(reader *r)
{
    static const struct {
        char letter[3];
        int base;
    } known[] = {{"xX", 16}, {"oO", 8}, {"bB", 2}};

    for (int k = 0; r->at[0] == '0' && r->at[1] != '\0' && k < 3; k++) {
        if (strchr(known[k].letter, r->at[1]) == NULL) continue;
        r->at += 2;
        return known[k].base;
    }
    return 10;
}

/* Digits, with single _ between them; no 0 in front of others. */
static hit_status read_digits(reader *r, hit_npy_value *value)
{
    const bool zero = *r->at == '0';
    const int base = read_base(r);
    bool bar = base != 10; /* may follow */
    bool small = true;
    bool digit = false;

    for (; digit_of(*r->at) < base || (*r->at == '_' && bar); r->at++) {
        digit = bar = *r->at != '_';
        if (!digit) continue;
        if (value->number >= INT64_MAX / 16) small = false;
        if (small) value->number = base * value->number + digit_of(*r->at);
    }
    if (!digit || (base == 10 && zero && value->number != 0)) {
        return expected(r, "a whole number");
    }
    if (!small) value->number = -1;
    return HIT_OK;
}

static hit_status read_number(reader *r, hit_npy_value *value)
{
    const bool negative = *r->at == '-';

    if (negative || *r->at == '+') r->at++;
    skip(r);
    HIT_TRY(read_digits(r, value));
    value->kind = HIT_NPY_NUMBER;
    if (negative && value->number != 0) value->number = -1;
    if (r->longs) {
        const char *const end = r->at;

        skip(r);
        r->at = *r->at == 'L' ? r->at + 1 : end;
    }
    if (*r->at != '\0' &&
        strchr(".eEjJ", *r->at) != NULL) { /* a number of another kind */
        r->at += strspn(r->at, "0123456789_.eEjJ");
        value->kind = HIT_NPY_OTHER;
    }
    if (isalnum((unsigned char)*r->at) || *r->at == '_') {
        return expected(r, "a whole number");
    }
    return HIT_OK;
}

static hit_status read_word(reader *r, hit_npy_value *value)
{
    static const char *const word[] = {"False", "True", "None"};
    const size_t length =
        strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    for (int k = 0; k < 3; k++) {
        if (strlen(word[k]) == length && strncmp(r->at, word[k], length) == 0) {
            value->kind = k < 2 ? HIT_NPY_TRUTH : HIT_NPY_OTHER;
            value->number = k;
            r->at += length;
            return HIT_OK;
        }
    }
    return expected(r, "a value");
}

/* ---- values of values ---- */

static hit_status read_value(reader *r, hit_npy_value *value);

/* Behind an opening bracket. One value in ( ) is that value, unless a comma follows. */
static hit_status read_items(reader *r, char close, hit_npy_value *value)
{
    hit_npy_value whole = {.kind = close == ')' ? HIT_NPY_TUPLE : HIT_NPY_OTHER};
    bool comma = true;

    while (!takes(r, close)) {
        hit_npy_value item = {0};
        if (!comma) return expected(r, "a comma or the end of a bracket");
        HIT_TRY(read_value(r, &item));
        comma = takes(r, ',');
        if (close == ')' && whole.count == 0 && !comma) {
            *value = item;
            return takes(r, close) ? HIT_OK : expected(r, "a comma or a bracket");
        }
        if (whole.count < HIT_NPY_MAX_DIMS) {
            whole.item[whole.count] = item.kind == HIT_NPY_NUMBER ? item.number : -1;
        }
        whole.count++;
    }
    *value = whole;
    return HIT_OK;
}

/* The value of a head's own for a key; NULL: there is none. */
static hit_npy_value *place_of(hit_npy_dict *dict, const hit_npy_value *key)
{
    if (key->kind != HIT_NPY_STRING) return NULL;
    if (strcmp(key->text, "descr") == 0) return &dict->type;
    if (strcmp(key->text, "fortran_order") == 0) return &dict->fortran;
    return strcmp(key->text, "shape") == 0 ? &dict->shape : NULL;
}

/* Behind {. @p dict: NULL inside of a value, where keys mean nothing. */
static hit_status read_pairs(reader *r, hit_npy_dict *dict)
{
    bool comma = true;

    while (!takes(r, '}')) {
        hit_npy_value key = {0};
        hit_npy_value value = {0};
        hit_npy_value *place;

        if (!comma) return expected(r, "a comma or }");
        HIT_TRY(read_value(r, &key));
        if (!takes(r, ':')) return expected(r, "a colon");
        HIT_TRY(read_value(r, &value));
        comma = takes(r, ',');
        if (dict == NULL) continue;
        place = place_of(dict, &key);
        if (place == NULL) {
            return HIT_FAIL(HIT_E_IO,
                            "%s: expected the keys descr, fortran_order and shape in its "
                            "head but found another one",
                            r->path);
        }
        *place = value;
    }
    return HIT_OK;
}

static hit_status read_bracket(reader *r, hit_npy_value *value)
{
    const char open = *r->at++;
    hit_status status;

    if (r->depth == MOST_DEPTH) return expected(r, "fewer brackets");
    r->depth++;
    if (open == '{') {
        value->kind = HIT_NPY_OTHER;
        status = read_pairs(r, NULL);
    } else {
        status = read_items(r, open == '(' ? ')' : ']', value);
    }
    r->depth--;
    return status;
}

static hit_status read_value(reader *r, hit_npy_value *value)
{
    const char *quote;

    skip(r);
    if (begins_string(r, &quote)) return read_string(r, value);
    if (*r->at != '\0' && strchr("([{", *r->at) != NULL) return read_bracket(r, value);
    if (*r->at != '\0' && strchr("+-0123456789", *r->at) != NULL) {
        return read_number(r, value);
    }
    return read_word(r, value);
}

/* Outside of brackets blanks at the begin of a line mean something to Python, and NumPy
 * tries again without them where there may be long numbers. */
static bool is_indented(const char *from, const char *end)
{
    const char *line = end;

    while (line > from && (line[-1] == ' ' || line[-1] == '\t')) {
        line--;
    }
    return line < end && line > from && line[-1] == '\n';
}

hit_status hit_npy_dict_read(const char *path, const char *text, bool longs,
                             hit_npy_dict *dict)
{
    reader r = {path, text, text, longs, false, 0};
    int around = 0;

    *dict = (hit_npy_dict){0};
    r.at += strspn(text, " \t");
    text = r.at;
    skip(&r);
    if (is_indented(text, r.at)) return expected(&r, "no blank");
    while (takes(&r, '(')) {
        around++;
    }
    if (!takes(&r, '{')) return expected(&r, "a dictionary");
    r.inside = true;
    HIT_TRY(read_pairs(&r, dict));
    r.inside = false;
    while (around > 0 && takes(&r, ')')) {
        around--;
    }
    text = r.at;
    skip(&r);
    return *r.at == '\0' && around == 0 && (longs || !is_indented(text, r.at))
               ? HIT_OK
               : expected(&r, "the end");
}
