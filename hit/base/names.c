/* SPDX-License-Identifier: MIT
 * Which known name is meant: the one with the fewest characters added, left out, changed
 * or swapped with the next one (optimal string alignment), if these are at most a third
 * of what was found; capital letters are no change. */
#include "hit/base/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST = 63 /* names beyond that are near to none */
};

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/** The fewest changes between two texts of at most LONGEST characters. */
static size_t changes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST + 1]; /* of the last three characters of a, in turn */

    for (size_t j = 0; j <= b_length; j++) {
        row[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        const size_t *before = row[(i - 1) % 3];
        size_t *now = row[i % 3];

        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t kept = before[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);

            now[j] = least_of(kept, 1 + least_of(before[j], now[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                now[j] = least_of(now[j], 1 + row[(i - 2) % 3][j - 2]);
            }
        }
    }
    return row[a_length % 3][b_length];
}

void hit_names_begin(hit_names *names, const char *found, size_t length)
{
    *names = (hit_names){.found = found, .length = length, .least = length / 3 + 1};
    if (length < 2) names->least = 0;
}

void hit_names_add(hit_names *names, const char *name)
{
    const size_t length = strlen(name);
    const size_t between = names->used > 0 ? 2 : 0;

    if (length <= LONGEST && names->length <= LONGEST) {
        const size_t needed = changes(names->found, names->length, name, length);

        if (needed < names->least) {
            names->least = needed;
            names->nearest = name;
        }
    }
    if (names->used + between + length + 4 >= sizeof(names->list)) return;
    memcpy(names->list + names->used, ", ", between);
    names->last = names->used + between;
    memcpy(names->list + names->last, name, length + 1);
    names->used = names->last + length;
}

const char *hit_names_list(hit_names *names)
{
    char *last = names->list + names->last;

    if (names->last == 0) return names->list;
    memmove(last + 2, last, strlen(last) + 1);
    memcpy(last - 2, " or ", strlen(" or ")); /* NOLINT: more text follows */
    return names->list;
}

const char *hit_names_hint(hit_names *names)
{
    if (names->nearest == NULL) return "";
    (void)snprintf(names->hint, sizeof(names->hint), "; did you mean \"%s\"?",
                   names->nearest);
    return names->hint;
}
