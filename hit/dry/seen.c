/* SPDX-License-Identifier: MIT
 * Launches are found again by place, classes by what a launch does at any place. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/dry/dry_impl.h"

#include <stdlib.h>

typedef struct place {
    const hit_known_kernel *known;
    hit_domain domain;
    uint64_t key;
    int of; /* class */
    hit_preview_parts parts;
} place;

struct hit_seen {
    int classes;
    hit_seen_class *class;
    int places;
    place *place;
    int last; /* that was counted */
    hit_table classes_by_key;
    hit_table places_by_key;
};

hit_status hit_seen_create(hit_seen **seen)
{
    return hit_memory_zeroed(1, sizeof **seen, seen);
}

void hit_seen_destroy(hit_seen **seen)
{
    if (*seen == NULL) return;
    for (int k = 0; k < (*seen)->classes; k++) {
        hit_rates_clear(&(*seen)->class[k].rates);
    }
    for (int k = 0; k < (*seen)->places; k++) {
        hit_preview_parts_clear(&(*seen)->place[k].parts);
    }
    hit_table_clear(&(*seen)->classes_by_key);
    hit_table_clear(&(*seen)->places_by_key);
    free((*seen)->class);
    free((*seen)->place);
    free(*seen);
    *seen = NULL;
}

int hit_seen_again(hit_seen *seen, const hit_known_kernel *known,
                   const hit_domain *domain, uint64_t key)
{
    for (int k = hit_table_first(&seen->places_by_key, key); k >= 0;
         k = hit_table_next(&seen->places_by_key, k)) {
        const place *one = &seen->place[k];

        if (one->key == key && one->known == known &&
            hit_domain_equal(&one->domain, domain)) {
            seen->class[one->of].times++;
            seen->last = k;
            return one->of;
        }
    }
    return -1;
}

static bool same_figure(hit_figure a, hit_figure b)
{
    return a.sum == b.sum && a.most == b.most;
}

static bool same_time(hit_forecast a, hit_forecast b)
{
    return a.lacks == b.lacks && a.first_s == b.first_s && a.again_s == b.again_s;
}

/* Where the indices lie does not matter. */
static bool same_preview(const hit_preview *a, const hit_preview *b)
{
    for (int d = 0; d < HIT_MAX_DEVICES; d++) {
        const hit_device_preview *one = &a->device[d];
        const hit_device_preview *other = &b->device[d];

        if (!same_figure(one->indices, other->indices) ||
            one->peak_bytes != other->peak_bytes || !same_time(one->time, other->time)) {
            return false;
        }
    }
    return a->processes == b->processes && same_figure(a->indices, b->indices) &&
           same_figure(a->messages, b->messages) &&
           same_figure(a->message_bytes, b->message_bytes) &&
           same_figure(a->superblocks, b->superblocks) &&
           same_figure(a->bytes_in, b->bytes_in) &&
           same_figure(a->bytes_out, b->bytes_out) && a->peak_bytes == b->peak_bytes &&
           same_time(a->time, b->time);
}

static bool same_extents(const hit_domain *a, const hit_domain *b)
{
    if (a->dims != b->dims) return false;
    for (int d = 0; d < a->dims; d++) {
        if (hit_sig_count(a->sig[d]) != hit_sig_count(b->sig[d])) return false;
    }
    return true;
}

static uint64_t class_key(const hit_seen_class *class)
{
    const hit_preview *preview = &class->preview;
    uint64_t key = hit_hash_word(HIT_HASH_START, (uintptr_t) class->known);

    for (int d = 0; d < class->domain.dims; d++) {
        key = hit_hash_word(key, (uint64_t)hit_sig_count(class->domain.sig[d]));
    }
    key = hit_hash_word(key, preview->message_bytes.sum);
    return hit_hash_word(key, preview->bytes_in.sum);
}

static int find_class(const hit_seen *seen, const hit_seen_class *like, uint64_t key)
{
    int k = hit_table_first(&seen->classes_by_key, key);

    for (; k >= 0; k = hit_table_next(&seen->classes_by_key, k)) {
        const hit_seen_class *one = &seen->class[k];

        if (one->key == key && one->known == like->known &&
            same_extents(&one->domain, &like->domain) &&
            same_preview(&one->preview, &like->preview)) {
            break;
        }
    }
    return k;
}

hit_status hit_seen_add(hit_seen *seen, hit_seen_class *found, uint64_t key,
                        hit_preview_parts *parts, int *of)
{
    const uint64_t class_of = class_key(found);
    int number = find_class(seen, found, class_of);

    HIT_TRY(hit_memory_resize((size_t)seen->places + 1, sizeof *seen->place, "a dry run",
                              &seen->place));
    HIT_TRY(hit_table_reserve(&seen->places_by_key, seen->places + 1, "a dry run"));
    if (number < 0) {
        HIT_TRY(hit_table_reserve(&seen->classes_by_key, seen->classes + 1, "a dry run"));
        HIT_TRY(hit_memory_resize((size_t)seen->classes + 1, sizeof *seen->class,
                                  "a dry run", &seen->class));
        number = seen->classes++;
        seen->class[number] = *found;
        seen->class[number].key = class_of;
        hit_table_put(&seen->classes_by_key, class_of, number);
        found->rates = (hit_rates){.kernel = NULL};
    }
    seen->class[number].times++;
    seen->class[number].places++;
    seen->place[seen->places] = (place){found->known, found->domain, key, number, *parts};
    *parts = (hit_preview_parts){0};
    seen->last = seen->places;
    hit_table_put(&seen->places_by_key, key, seen->places++);
    *of = number;
    return HIT_OK;
}

hit_preview_parts *hit_seen_parts(const hit_seen *seen)
{
    return &seen->place[seen->last].parts;
}

int hit_seen_classes(const hit_seen *seen)
{
    return seen->classes;
}

hit_seen_class *hit_seen_at(const hit_seen *seen, int number)
{
    return &seen->class[number];
}
