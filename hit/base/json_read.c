/* SPDX-License-Identifier: MIT
 * Reading JSON (RFC 8259) in place. The check goes over all of the text once, so that
 * what looks for values afterwards meets nothing else. */
#include "hit/base/input.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST_DEPTH = 64
};

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\n\r");
}

/* Each of these returns what comes behind; NULL: it is none. */

static const char *skip_text(const char *at)
{
    if (*at++ != '"') return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at != '\\') continue;
        at++;
        if (*at == '\0' || strchr("\"\\/bfnrtu", *at) == NULL) return NULL;
        for (int k = 0; *at == 'u' && k < 4; k++) {
            if (!isxdigit((unsigned char)at[k + 1])) return NULL;
        }
    }
    return at + 1;
}

static const char *skip_digits(const char *at)
{
    const size_t count = strspn(at, "0123456789");

    return count > 0 ? at + count : NULL;
}

static const char *skip_number(const char *at)
{
    if (*at == '-') at++;
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (at != NULL && *at == '.') at = skip_digits(at + 1);
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        at++;
        at = skip_digits(*at == '+' || *at == '-' ? at + 1 : at);
    }
    return at;
}

static const char *skip_word(const char *at)
{
    static const char *const word[] = {"true", "false", "null"};

    for (int k = 0; k < 3; k++) {
        if (strncmp(at, word[k], strlen(word[k])) == 0) return at + strlen(word[k]);
    }
    return NULL;
}

static const char *skip_key(const char *at)
{
    at = skip_text(at);
    if (at != NULL) at = skip_blanks(at);
    return at != NULL && *at == ':' ? skip_blanks(at + 1) : NULL;
}

static const char *skip_simple(const char *at)
{
    if (*at == '"') return skip_text(at);
    return *at == '-' || isdigit((unsigned char)*at) ? skip_number(at) : skip_word(at);
}

/* Without recursion: what is open is a bit of each level. */
typedef struct open_levels {
    uint64_t lists;
    int depth;
} open_levels;

static char end_of_level(const open_levels *in)
{
    return in->lists & 1 ? ']' : '}';
}

/* Behind the bracket and blanks. */
static const char *open_level(open_levels *in, const char *at, bool *is_empty)
{
    if (in->depth == MOST_DEPTH) return NULL;
    in->lists = in->lists << 1 | (*at == '[');
    in->depth++;
    at = skip_blanks(at + 1);
    *is_empty = *at == end_of_level(in);
    return at;
}

/* Behind a value: what ends there, and then a comma where something is still open. */
static const char *close_levels(open_levels *in, const char *at, const char **wrong)
{
    while (in->depth > 0) {
        at = skip_blanks(at);
        if (*at == ',') return at + 1;
        *wrong = at;
        if (*at != end_of_level(in)) return NULL;
        in->lists >>= 1;
        in->depth--;
        at++;
    }
    return at;
}

static const char *skip_value(const char *at, const char **wrong)
{
    open_levels in = {0};

    do {
        bool is_over = true;

        *wrong = at;
        at = *at == '{' || *at == '[' ? open_level(&in, at, &is_over) : skip_simple(at);
        if (at != NULL && is_over) at = close_levels(&in, at, wrong);
        if (at == NULL || in.depth == 0) return at;
        at = skip_blanks(at);
        if (!(in.lists & 1)) at = skip_key(at);
    } while (at != NULL);
    return NULL;
}

hit_status hit_json_check(const char *name, const char *text, hit_json_value *value)
{
    const char *const begin = skip_blanks(text);
    const char *wrong;
    const char *end = skip_value(begin, &wrong);

    if (end != NULL && *skip_blanks(end) == '\0') {
        *value = (hit_json_value){begin, (size_t)(end - begin)};
        return HIT_OK;
    }
    if (end != NULL) wrong = skip_blanks(end);
    return HIT_FAIL(HIT_E_IO, "%s: expected JSON but found \"%.20s\" at byte %td", name,
                    wrong, wrong - text);
}

bool hit_json_next(hit_json_items *items)
{
    const char *const all = items->of.text;
    const char *now = items->at;
    const char *wrong;

    items->key = (hit_json_value){0};
    if (all == NULL || (*all != '{' && *all != '[')) return false;
    now = skip_blanks(now == NULL ? all + 1 : now);
    if (*now == ',') now = skip_blanks(now + 1);
    if (*now == ']' || *now == '}') return false;
    if (*all == '{') {
        items->key = (hit_json_value){now, (size_t)(skip_text(now) - now)};
        now = skip_key(now);
    }
    items->at = skip_value(now, &wrong);
    items->value = (hit_json_value){now, (size_t)(items->at - now)};
    return true;
}

hit_json_value hit_json_member(hit_json_value object, const char *key)
{
    hit_json_items members = {.of = object};

    while (hit_json_next(&members)) {
        if (hit_json_is(members.key, key)) return members.value;
    }
    return (hit_json_value){0};
}

bool hit_json_is(hit_json_value value, const char *text)
{
    return value.size == strlen(text) + 2 && value.text[0] == '"' &&
           memcmp(value.text + 1, text, value.size - 2) == 0;
}

bool hit_json_read_text(hit_json_value value, char *text, size_t size)
{
    if (value.size < 2 || value.text[0] != '"' || value.size - 2 >= size ||
        memchr(value.text, '\\', value.size) != NULL) {
        return false;
    }
    memcpy(text, value.text + 1, value.size - 2);
    text[value.size - 2] = '\0';
    return true;
}

bool hit_json_read_whole(hit_json_value value, hit_index *number)
{
    const char *at = value.text;

    return at != NULL && hit_number_next(&at, INT64_MIN, INT64_MAX, number) &&
           at == value.text + value.size;
}

int hit_json_read_list(hit_json_value value, int most, hit_index number[])
{
    hit_json_items items = {.of = value};
    int count = 0;

    if (value.text == NULL || *value.text != '[') return -1;
    while (hit_json_next(&items)) {
        if (count == most || !hit_json_read_whole(items.value, &number[count++])) {
            return -1;
        }
    }
    return count;
}
