/* SPDX-License-Identifier: MIT
 * Sets of elements, a bit each, in the order of the rows of a domain. */
#include "hit/data/marks.h"

#include "hit/base/memory.h"
#include "hit/data/domain_set.h"

#include <stdlib.h>
#include <string.h>

struct hit_marks {
    int references;
    int words;
    hit_domain domain;
    uint64_t word[];
};

hit_status hit_marks_create(const hit_domain *domain, hit_marks **made)
{
    const size_t words = ((size_t)hit_domain_count(domain) + 63) / 64;

    HIT_TRY(hit_memory_zeroed(1, sizeof(**made) + words * sizeof(uint64_t), made));
    (*made)->references = 1;
    (*made)->words = (int)words;
    (*made)->domain = *domain;
    return HIT_OK;
}

void hit_marks_add(hit_marks *marks, const hit_index at[])
{
    const uint64_t place = hit_domain_place(&marks->domain, at);

    marks->word[place / 64] |= (uint64_t)1 << place % 64;
}

bool hit_marks_have(const hit_marks *marks, const hit_index at[])
{
    const uint64_t place = hit_domain_place(&marks->domain, at);

    return (marks->word[place / 64] >> place % 64 & 1) != 0;
}

uint64_t hit_marks_count(const hit_marks *marks)
{
    uint64_t count = 0;

    for (int k = 0; k < marks->words; k++) {
        count += (uint64_t)__builtin_popcountll(marks->word[k]);
    }
    return count;
}

uint64_t *hit_marks_words(hit_marks *marks, int *count)
{
    *count = marks->words;
    return marks->word;
}

void hit_marks_zero(const hit_marks *marks, const hit_view *view, const hit_domain *box)
{
    const hit_domain both = hit_domain_intersect(box, &marks->domain);

    HIT_FOR_EACH (at, both) {
        if (hit_marks_have(marks, at)) memset(hit_view_at(view, at), 0, view->size_bytes);
    }
}

hit_marks *hit_marks_share(hit_marks *marks)
{
    if (marks != NULL) marks->references++;
    return marks;
}

void hit_marks_release(hit_marks **marks)
{
    if (*marks != NULL && --(*marks)->references == 0) free(*marks);
    *marks = NULL;
}
