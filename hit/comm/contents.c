/* SPDX-License-Identifier: MIT
 * A short memory of what was sent: a tile, its version, and where it lies. */
#include "hit/comm/exchange.h"

#include <string.h>

bool hit_contents_seen(hit_contents *contents, const hit_content *content)
{
    if (content == NULL) return false;
    for (int k = 0; k < HIT_CONTENTS; k++) {
        hit_content *seen = &contents->seen[k];

        if (seen->memory == content->memory) {
            const bool same =
                seen->tile == content->tile && seen->version == content->version;

            *seen = *content;
            return same;
        }
    }
    contents->seen[contents->oldest] = *content;
    contents->oldest = (contents->oldest + 1) % HIT_CONTENTS;
    return false;
}

void hit_contents_forget(hit_contents *contents)
{
    memset(contents->seen, 0, sizeof(contents->seen));
}

/* HIT_CONTENTS: nowhere. */
static int find(const hit_contents *contents, uint64_t memory)
{
    int k = 0;

    while (k < HIT_CONTENTS && contents->missing[k] != memory) {
        k++;
    }
    return k;
}

void hit_contents_miss(hit_contents *contents, uint64_t memory)
{
    const int empty = find(contents, 0);

    if (memory == 0 || find(contents, memory) < HIT_CONTENTS) return;
    contents->missing[empty < HIT_CONTENTS ? empty : 0] = memory;
}

bool hit_contents_misses(const hit_contents *contents, uint64_t memory)
{
    return memory > 0 && find(contents, memory) < HIT_CONTENTS;
}

void hit_contents_complete(hit_contents *contents, uint64_t memory)
{
    const int at = find(contents, memory);

    if (memory > 0 && at < HIT_CONTENTS) contents->missing[at] = 0;
}
