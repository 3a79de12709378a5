/* SPDX-License-Identifier: MIT
 * The text form of access patterns; the grammar is in parse.h. One pass, one function per
 * rule, no backtracking, and no recursion but for lookups, at most some in each other, so
 * that any text is read in time and memory proportional to its length. The papers have no
 * text form: there, expressions are filled in by a front end. */
#include "hit/base/memory.h"
#include "patterns/lookup.h"
#include "patterns/parse_impl.h"

#include <inttypes.h>

enum {
    DEEPEST = 4 /* lookups in each other */
};

static hit_status parse_box(hit_parser *in, hit_access *access, int *ranges);

/* The box behind the name of an argument. */
static hit_status parse_elements(hit_parser *in, hit_pattern *at)
{
    const hit_parser before = *in;
    hit_access access;
    int ranges = 0;

    in->depth++;
    HIT_TRY(parse_box(in, &access, &ranges));
    in->depth--;
    in->valued = before.valued;
    in->indexed = before.indexed;
    in->lookup = before.lookup;
    in->looks = before.looks;
    HIT_TRY(hit_pattern_init(in->names->dims, ranges, at));
    return hit_pattern_add(at, &access);
}

/* Those of its own pattern. */
static hit_status parse_own(const hit_parser *in, const hit_pattern_source *source,
                            hit_pattern *at)
{
    hit_pattern_names names = *in->names;

    names.depth = in->depth + 1;
    return hit_pattern_parse_with(source->pattern, &names, at);
}

hit_status hit_parse_lookup(hit_parser *in, size_t start,
                            const hit_pattern_source *source)
{
    hit_lookup *lookup = NULL;

    if (!in->looks || in->lookup != NULL) {
        return hit_parse_fail(
            in, start,
            "expected %.40s alone as an end of a range, or with numbers that "
            "are added or subtracted",
            source->name);
    }
    if (in->depth >= DEEPEST) {
        return hit_parse_fail(
            in, start,
            "expected at most %d arguments that lead from one to the next, "
            "found more",
            DEEPEST);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *lookup, &lookup));
    lookup->next = in->made;
    in->made = lookup;
    HIT_TRY(hit_memory_zeroed(1, sizeof *lookup->at, &lookup->at));
    lookup->name = source->name;
    lookup->arg = source->arg;
    lookup->values = source->values;
    lookup->limits = source->limits;
    lookup->own = hit_parse_peek(in) != '[';
    HIT_TRY(lookup->own ? parse_own(in, source, lookup->at)
                        : parse_elements(in, lookup->at));
    in->lookup = lookup;
    return HIT_OK;
}

/* An end of a range; *lookup: it stands in data. */
static hit_status parse_end(hit_parser *in, hit_affine *end, const hit_lookup **lookup)
{
    size_t start;

    (void)hit_parse_peek(in);
    start = in->at;
    in->lookup = NULL;
    HIT_TRY(hit_parse_affine(in, end));
    *lookup = in->lookup;
    if (in->lookup == NULL) return HIT_OK;
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (end->coef[k] == 0) continue;
        return hit_parse_fail(
            in, start,
            "expected only numbers beside what stands in data, found an index");
    }
    in->lookup->offset = end->offset;
    *end = (hit_affine){.infinite = true};
    return HIT_OK;
}

static hit_status parse_stride(hit_parser *in, hit_index *stride)
{
    hit_product term;

    if (hit_parse_peek(in) == '-') return hit_parse_expected(in, "a stride >= 1");

    size_t start = in->at;
    HIT_TRY(hit_parse_product(in, &term));
    if (term.dim >= 0) {
        return hit_parse_fail(in, start, "expected a stride without an index, found one");
    }
    if (term.factor < 1) {
        return hit_parse_fail(in, start, "expected a stride >= 1, found %" PRId64,
                              term.factor);
    }
    *stride = term.factor;
    return HIT_OK;
}

static hit_status parse_range(hit_parser *in, hit_range *range)
{
    *range = (hit_range){.stride = 1};
    in->valued = false;
    if (hit_parse_peek(in) == ':') {
        range->begin.infinite = true;
    } else {
        HIT_TRY(parse_end(in, &range->begin, &range->low));
    }
    if (!hit_parse_take(in, ':')) {
        range->end = range->begin;
        range->high = range->low;
        return HIT_OK;
    }

    char c = hit_parse_peek(in);
    size_t end = in->at;
    if (c == ':' || c == ',' || c == ']' || c == '\0') {
        range->end.infinite = true;
    } else {
        HIT_TRY(parse_end(in, &range->end, &range->high));
    }
    if (hit_range_is_void(range) && !in->valued) {
        return hit_parse_fail(in, end,
                              "the end of this range is always before its begin");
    }
    if (!hit_parse_take(in, ':')) return HIT_OK;
    if (range->low != NULL || range->high != NULL) {
        return hit_parse_fail(in, end,
                              "expected no stride of a range that stands in data");
    }
    return parse_stride(in, &range->stride);
}

static hit_status parse_box(hit_parser *in, hit_access *access, int *ranges)
{
    int count = 0;

    *access = (hit_access){0};
    if (!hit_parse_take(in, '[')) return hit_parse_expected(in, "'['");
    if (hit_parse_take(in, ']')) {
        *ranges = 0;
        return HIT_OK;
    }
    do {
        (void)hit_parse_peek(in);
        if (count == HIT_MAX_DIMS) {
            return hit_parse_fail(in, in->at, "expected at most %d dimensions",
                                  HIT_MAX_DIMS);
        }
        HIT_TRY(parse_range(in, &access->range[count]));
        count++;
    } while (hit_parse_take(in, ','));
    if (!hit_parse_take(in, ']')) return hit_parse_expected(in, "',' or ']'");
    *ranges = count;
    return HIT_OK;
}

/* The first box says how many dimensions the tile has. */
static hit_status parse_next_box(hit_parser *in, hit_pattern *pattern)
{
    hit_access access;
    int ranges = 0;

    (void)hit_parse_peek(in);
    size_t start = in->at;
    HIT_TRY(parse_box(in, &access, &ranges));
    if (pattern->count == 0) {
        HIT_TRY(hit_pattern_init(in->names->dims, ranges, pattern));
    }
    if (ranges != pattern->tile_dims) {
        return hit_parse_fail(in, start,
                              "expected %d dimensions as in the first box, found %d",
                              pattern->tile_dims, ranges);
    }
    return hit_pattern_add(pattern, &access);
}

static hit_status parse_boxes(hit_parser *in, hit_pattern *pattern)
{
    do {
        HIT_TRY(parse_next_box(in, pattern));
    } while (hit_parse_peek(in) != '\0' && hit_parse_peek(in) != '<');
    return HIT_OK;
}

static hit_status parse_all(hit_parser *in, hit_pattern *pattern)
{
    int written;

    HIT_TRY(parse_boxes(in, pattern));
    if (!hit_parse_take(in, '<')) return HIT_OK;
    if (in->text[in->at] != '-') return hit_parse_expected(in, "'-' behind '<'");
    in->at++;
    written = pattern->count;
    HIT_TRY(parse_boxes(in, pattern));
    pattern->only_read = pattern->count - written;
    return hit_parse_peek(in) == '\0' ? HIT_OK : hit_parse_expected(in, "'['");
}

hit_status hit_pattern_parse_with(const char *text, const hit_pattern_names *names,
                                  hit_pattern *pattern)
{
    hit_parser in = {.text = text, .names = names, .depth = names->depth};
    hit_pattern read = {0};
    hit_status st;

    if (!text) {
        return HIT_FAIL(HIT_E_PATTERN, "expected the text of a pattern, found NULL");
    }
    if (names->dims < 1 || names->dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a launch of 1 to %d dimensions, found %d",
                        HIT_MAX_DIMS, names->dims);
    }
    HIT_TRY_GOTO(st, parse_all(&in, &read), clear_read);
    read.lookups = in.made;
    *pattern = read;
    return HIT_OK;

clear_read:
    hit_lookups_clear(&in.made);
    hit_pattern_clear(&read);
    return st;
}

hit_status hit_pattern_parse(const char *text, int dims, const char *const names[],
                             hit_pattern *pattern)
{
    const hit_pattern_names all = {.dims = dims, .index = names};

    return hit_pattern_parse_with(text, &all, pattern);
}
