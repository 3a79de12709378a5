/* SPDX-License-Identifier: MIT
 * Access patterns as values: constructors, questions about their form, and printing.
 * [Torres2013] section III.C; differs: expressions may use any index with any
 * coefficient, begin and end separately, and a pattern is a union of expressions. What
 * can be planned is asked, not assumed. */
#include "hit/base/alloc.h"
#include "hit/base/text.h"
#include "hit/data/sig.h"
#include "patterns/lookup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

hit_status hit_pattern_init(int index_dims, int tile_dims, hit_pattern *pattern)
{
    if (index_dims < 0 || index_dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a launch of 0 to %d dimensions, found %d",
                        HIT_MAX_DIMS, index_dims);
    }
    if (tile_dims < 0 || tile_dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a tile of 0 to %d dimensions, found %d",
                        HIT_MAX_DIMS, tile_dims);
    }
    *pattern = (hit_pattern){.index_dims = index_dims, .tile_dims = tile_dims};
    return HIT_OK;
}

void hit_pattern_clear(hit_pattern *pattern)
{
    hit_lookups_clear(&pattern->lookups);
    free(pattern->access);
    *pattern = (hit_pattern){0};
}

static bool too_large(hit_index value)
{
    return value > HIT_PATTERN_MAX || value < -HIT_PATTERN_MAX;
}

static hit_status affine_check(const hit_affine *affine, int index_dims, int dim)
{
    if (affine->infinite) return HIT_OK;
    if (affine->fold != HIT_FOLD_NONE && (affine->by < 1 || too_large(affine->by))) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "dimension %d: expected a divisor of 1 to 2^60, found %" PRId64,
                        dim, affine->by);
    }
    if (too_large(affine->offset) || too_large(affine->inner)) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "dimension %d: expected an offset up to 2^60, found %" PRId64,
                        dim, too_large(affine->offset) ? affine->offset : affine->inner);
    }
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (too_large(affine->coef[k])) {
            return HIT_FAIL(
                HIT_E_PATTERN,
                "dimension %d: expected a coefficient up to 2^60, found %" PRId64, dim,
                affine->coef[k]);
        }
        if (k >= index_dims && affine->coef[k] != 0) {
            return HIT_FAIL(
                HIT_E_PATTERN,
                "dimension %d: expected indices 0 to %d of the launch, found %d", dim,
                index_dims - 1, k);
        }
    }
    return HIT_OK;
}

static hit_status range_check(const hit_range *range, int index_dims, int dim)
{
    HIT_TRY(affine_check(&range->begin, index_dims, dim));
    HIT_TRY(affine_check(&range->end, index_dims, dim));
    if (range->stride < 1 || too_large(range->stride)) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "dimension %d: expected a stride of 1 to 2^60, found %" PRId64,
                        dim, range->stride);
    }
    return HIT_OK;
}

/* Sides that are alike have the same numbers: infinite ones have none, and of what is
 * folded as much as can be stands outside. */
static hit_affine affine_normal(const hit_affine *affine)
{
    hit_affine normal = *affine;

    if (affine->infinite) return (hit_affine){.infinite = true};
    normal.inner = 0;
    if (affine->fold == HIT_FOLD_NONE) {
        normal.by = 0;
        return normal;
    }
    normal.inner =
        affine->inner - hit_index_floor_div(affine->inner, affine->by) * affine->by;
    if (affine->fold == HIT_FOLD_QUOTIENT) {
        normal.offset += hit_index_floor_div(affine->inner, affine->by);
    }
    return normal;
}

static bool has_index(const hit_affine *affine)
{
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (affine->coef[k] != 0) return true;
    }
    return false;
}

hit_affine hit_affine_fold(const hit_affine *sum, hit_fold fold, hit_index by)
{
    hit_affine made = *sum;

    if (fold == HIT_FOLD_QUOTIENT && by == 1) return made;
    made.fold = fold;
    made.by = by;
    made.inner = sum->offset;
    made.offset = 0;
    made = affine_normal(&made);
    if (has_index(sum)) return made;
    return (hit_affine){.offset =
                            made.offset + (fold == HIT_FOLD_REMAINDER ? made.inner : 0)};
}

bool hit_affine_is_parallel(const hit_affine *a, const hit_affine *b)
{
    if (a->infinite || b->infinite || a->fold != b->fold) return false;
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (a->coef[k] != b->coef[k]) return false;
    }
    return a->fold == HIT_FOLD_NONE || (a->inner == b->inner && a->by == b->by);
}

hit_status hit_pattern_add(hit_pattern *pattern, const hit_access *access)
{
    hit_access normal = {0};

    for (int d = 0; d < pattern->tile_dims; d++) {
        const hit_range *range = &access->range[d];
        HIT_TRY(range_check(range, pattern->index_dims, d));
        normal.range[d] = (hit_range){.begin = affine_normal(&range->begin),
                                      .end = affine_normal(&range->end),
                                      .stride = range->stride,
                                      .low = range->low,
                                      .high = range->high};
        normal.looks_up |= range->low != NULL || range->high != NULL;
    }
    /* The room doubles whenever the count is a power of two: a capacity need not be kept.
     */
    if ((pattern->count & (pattern->count - 1)) == 0) {
        const size_t room = pattern->count > 0 ? 2 * (size_t)pattern->count : 1;

        if (room > INT32_MAX) {
            return HIT_FAIL(HIT_E_NOMEM, "expected a pattern of less expressions");
        }
        HIT_TRY(hit_memory_resize(room, sizeof *pattern->access, "a pattern",
                                  &pattern->access));
    }
    pattern->access[pattern->count++] = normal;
    return HIT_OK;
}

hit_range hit_range_follow(int dim, hit_index from, hit_index to)
{
    hit_range range = {.begin = {.offset = from}, .end = {.offset = to}, .stride = 1};

    range.begin.coef[dim] = 1;
    range.end.coef[dim] = 1;
    return range;
}

hit_range hit_range_fixed(hit_index from, hit_index to)
{
    return (hit_range){.begin = {.offset = from}, .end = {.offset = to}, .stride = 1};
}

hit_range hit_range_all(void)
{
    return (hit_range){
        .begin = {.infinite = true}, .end = {.infinite = true}, .stride = 1};
}

bool hit_range_is_void(const hit_range *range)
{
    return hit_affine_is_parallel(&range->begin, &range->end) &&
           range->end.offset < range->begin.offset;
}

hit_status hit_pattern_point(int dims, hit_pattern *pattern)
{
    hit_pattern point = {0};
    hit_access access = {0};
    hit_status st;

    HIT_TRY(hit_pattern_init(dims, dims, &point));
    for (int d = 0; d < dims; d++) {
        access.range[d] = hit_range_follow(d, 0, 0);
    }
    HIT_TRY_GOTO(st, hit_pattern_add(&point, &access), clear_point);
    *pattern = point;
    return HIT_OK;

clear_point:
    hit_pattern_clear(&point);
    return st;
}

/* Why a range is neither fixed nor a follower of one index with coefficient 1; NULL if it
 * is. */
static const char *irregular(const hit_range *range)
{
    int used = 0;

    if (range->low != NULL || range->high != NULL) return "it stands in data";
    if (range->begin.fold != HIT_FOLD_NONE || range->end.fold != HIT_FOLD_NONE) {
        return "it follows a quotient or a remainder";
    }
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        hit_index b = range->begin.coef[k];
        hit_index e = range->end.coef[k];
        if (b == 0 && e == 0) continue;
        if (range->begin.infinite || range->end.infinite) {
            return "one side follows an index, the other is the tile's limit";
        }
        if (b != e) return "begin and end follow different indices or coefficients";
        if (b != 1) return "an index has a coefficient that is not 1";
        if (++used > 1) return "it follows more than one index";
    }
    return NULL;
}

bool hit_pattern_is_regular(const hit_pattern *pattern, char *why, size_t size)
{
    for (int a = 0; a < pattern->count; a++) {
        for (int d = 0; d < pattern->tile_dims; d++) {
            const char *reason = irregular(&pattern->access[a].range[d]);
            if (!reason) continue;
            if (why) {
                (void)snprintf(why, size, "expression %d, dimension %d: %s", a, d,
                               reason);
            }
            return false;
        }
    }
    return true;
}

bool hit_pattern_uses(const hit_pattern *pattern, int dim)
{
    for (int a = 0; a < pattern->count; a++) {
        for (int d = 0; d < pattern->tile_dims; d++) {
            const hit_range *range = &pattern->access[a].range[d];
            if (range->begin.coef[dim] != 0 || range->end.coef[dim] != 0) return true;
            if (hit_range_looks_along(range, dim)) return true;
        }
    }
    return false;
}

/* coef . x + offset. */
static void write_sum(const hit_affine *affine, hit_index offset,
                      const char *const names[], int index_dims, char *text, size_t size)
{
    const char *plus = "";

    for (int k = 0; k < index_dims; k++) {
        hit_index coef = affine->coef[k];
        if (coef == 0) continue;
        hit_text_add(text, size, "%s", coef < 0 ? "-" : plus);
        if (coef != 1 && coef != -1) {
            hit_text_add(text, size, "%" PRId64 "*", coef < 0 ? -coef : coef);
        }
        hit_text_add(text, size, "%s", names[k]);
        plus = "+";
    }
    if (*plus != '\0' && offset == 0) return;
    hit_text_add(text, size, *plus == '\0' ? "%" PRId64 : "%+" PRId64, offset);
}

/* Does coef . x + offset stand in brackets where it is divided? "i" and "2*i" do not. */
static bool is_sum(const hit_affine *affine, hit_index offset)
{
    int terms = offset != 0;

    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (affine->coef[k] != 0) terms += affine->coef[k] < 0 ? 2 : 1;
    }
    return terms > 1;
}

static void write_affine(const hit_affine *affine, const char *const names[],
                         int index_dims, char *text, size_t size)
{
    bool brackets;

    if (affine->infinite) return;
    if (affine->fold == HIT_FOLD_NONE) {
        write_sum(affine, affine->offset, names, index_dims, text, size);
        return;
    }
    brackets = is_sum(affine, affine->inner);
    hit_text_add(text, size, "%s", brackets ? "(" : "");
    write_sum(affine, affine->inner, names, index_dims, text, size);
    hit_text_add(text, size, "%s%c%" PRId64, brackets ? ")" : "",
                 affine->fold == HIT_FOLD_QUOTIENT ? '/' : '%', affine->by);
    if (affine->offset != 0) hit_text_add(text, size, "%+" PRId64, affine->offset);
}

static void write_range(const hit_range *range, const char *const names[], int index_dims,
                        char *text, size_t size)
{
    bool single = hit_affine_is_parallel(&range->begin, &range->end) &&
                  range->begin.offset == range->end.offset;

    single = single || (range->low != NULL && range->low == range->high);
    write_affine(&range->begin, names, index_dims, text, size);
    if (range->low != NULL) hit_lookup_print(range->low, names, text, size);
    if (single && range->stride == 1) return;
    hit_text_add(text, size, ":");
    write_affine(&range->end, names, index_dims, text, size);
    if (range->high != NULL) hit_lookup_print(range->high, names, text, size);
    if (range->stride != 1) hit_text_add(text, size, ":%" PRId64, range->stride);
}

void hit_pattern_print(const hit_pattern *pattern, const char *const names[], char *text,
                       size_t size)
{
    if (size == 0) return;
    text[0] = '\0';
    for (int a = 0; a < pattern->count; a++) {
        const bool reads = a > 0 && a == pattern->count - pattern->only_read;

        hit_text_add(text, size, reads ? " <- [" : a > 0 ? " [" : "[");
        for (int d = 0; d < pattern->tile_dims; d++) {
            if (d > 0) hit_text_add(text, size, ", ");
            write_range(&pattern->access[a].range[d], names, pattern->index_dims, text,
                        size);
        }
        hit_text_add(text, size, "]");
    }
}

static bool affine_is_moved(const hit_affine *from, const hit_affine *to,
                            const hit_index *by)
{
    if (from->infinite && to->infinite) return true;
    if (!hit_affine_is_parallel(from, to)) return false;
    return by == NULL || to->offset - from->offset == *by;
}

bool hit_pattern_is_moved(const hit_pattern *from, const hit_pattern *to, bool whole)
{
    if (from->tile_dims != to->tile_dims || from->count != to->count) return false;
    if (from->only_read != to->only_read) return false;
    for (int t = 0; t < from->tile_dims; t++) {
        const hit_index by =
            to->access[0].range[t].begin.offset - from->access[0].range[t].begin.offset;
        const hit_index *all = whole ? &by : NULL;

        for (int k = 0; k < from->count; k++) {
            const hit_range *a = &from->access[k].range[t];
            const hit_range *b = &to->access[k].range[t];

            if (a->stride != b->stride) return false;
            if (!affine_is_moved(&a->begin, &b->begin, all)) return false;
            if (!affine_is_moved(&a->end, &b->end, all)) return false;
        }
    }
    return true;
}

bool hit_pattern_traverses(const hit_pattern *pattern, int dim)
{
    for (int i = 0; i < pattern->count; i++) {
        const hit_range *range = &pattern->access[i].range[dim];

        if (range->begin.infinite || range->end.infinite) return true;
    }
    return false;
}
