/* SPDX-License-Identifier: MIT
 * Reading and writing models.
 * FuPerMod writes times for all models; here the kind says what the second column is,
 * since speeds are what people have and compare. */
#include "hit/model/fpm_file.h"

#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/model/fpm_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORDS = 3, /* of a line */
    NUMBER_BYTES = 64
};

static const char header[] = "# hit model 1";
static const char *const KIND[] = {"constant", "functional", "table"};

typedef struct reader {
    hit_lines in;
    int kind; /**< -1 before its line */
    bool has_cap;
    hit_index cap;
    size_t count;
    size_t capacity;
    hit_fpm_point *point;
} reader;

/* "inf" and "nan" too: hit_fpm_check() says what a model may have. */
static hit_status read_real(const reader *r, const char *word, double *number)
{
    const char *end;

    *number = hit_text_real(word, &end);
    if (end != word && *end == '\0') return HIT_OK;
    return HIT_FAIL_AT(&r->in, "expected a number but found \"%s\"", word);
}

static hit_status read_kind(reader *r)
{
    if (r->kind >= 0) {
        return HIT_FAIL_AT(&r->in, "expected one line with the kind, found two");
    }
    for (int kind = 0; r->in.words == 2 && kind < 3; kind++) {
        if (strcmp(r->in.word[1], KIND[kind]) == 0) r->kind = kind;
    }
    if (r->kind >= 0) return HIT_OK;
    return HIT_FAIL_AT(&r->in,
                       "expected kind constant, functional or table but found \"%s\"",
                       r->in.words > 1 ? r->in.word[1] : "");
}

static hit_status read_cap(reader *r)
{
    const char *at = r->in.word[1];
    hit_index whole;
    double cap;

    if (r->has_cap) return HIT_FAIL_AT(&r->in, "expected at most one cap, found two");
    if (r->in.words != 2) return HIT_FAIL_AT(&r->in, "expected one number after cap");
    HIT_TRY(read_real(r, r->in.word[1], &cap));
    if (!(cap >= 0.0)) {
        return HIT_FAIL_AT(&r->in, "expected a cap >= 0 but found %g", cap);
    }
    r->has_cap = true;
    r->cap = cap < 0x1p63 ? (hit_index)cap : INT64_MAX;
    /* above 2^53 to the last digit */
    if (hit_number_next(&at, 0, INT64_MAX, &whole) && *at == '\0') r->cap = whole;
    return HIT_OK;
}

static hit_status add_point(reader *r, const hit_fpm_point *point)
{
    if (hit_fpm_check((hit_fpm_kind)r->kind, point) != HIT_OK) {
        return hit_lines_tell(&r->in, HIT_E_ARG);
    }
    HIT_TRY(HIT_ONE_MORE(r->point, r->count, r->capacity, "points"));
    r->point[r->count++] = *point;
    return HIT_OK;
}

static hit_status read_speed(reader *r)
{
    hit_fpm_point point = {1.0, 0.0, 1.0};

    if (r->kind != HIT_FPM_CONSTANT) {
        return HIT_FAIL_AT(&r->in,
                           "expected two numbers in a %s model but found \"speed\"",
                           KIND[r->kind]);
    }
    if (r->in.words != 2) return HIT_FAIL_AT(&r->in, "expected one number after speed");
    if (r->count > 0) return HIT_FAIL_AT(&r->in, "expected one speed, found two");
    HIT_TRY(read_real(r, r->in.word[1], &point.value));
    return add_point(r, &point);
}

static hit_status read_point(reader *r)
{
    hit_fpm_point point = {.reps = 1.0};

    if (r->kind == HIT_FPM_CONSTANT) {
        return HIT_FAIL_AT(&r->in,
                           "expected \"speed\" or \"cap\" in a constant model but found "
                           "\"%s\"",
                           r->in.word[0]);
    }
    HIT_TRY(read_real(r, r->in.word[0], &point.units));
    if (r->in.words < 2) return HIT_FAIL_AT(&r->in, "expected two numbers but found one");
    HIT_TRY(read_real(r, r->in.word[1], &point.value));
    if (r->in.words == 3) HIT_TRY(read_real(r, r->in.word[2], &point.reps));
    return add_point(r, &point);
}

static hit_status read_line(reader *r)
{
    const hit_lines *in = &r->in;

    if (in->words > MOST_WORDS) {
        return HIT_FAIL_AT(in, "expected the end of the line but found \"%s\"",
                           in->word[MOST_WORDS]);
    }
    if (strcmp(in->word[0], "kind") == 0) return read_kind(r);
    if (r->kind < 0) {
        return HIT_FAIL_AT(in, "expected the kind first but found \"%s\"", in->word[0]);
    }
    if (strcmp(in->word[0], "cap") == 0) return read_cap(r);
    if (strcmp(in->word[0], "speed") == 0) return read_speed(r);
    return read_point(r);
}

static hit_status read_lines(reader *r, const char *name, const char *text)
{
    bool more = true;

    HIT_TRY(hit_lines_begin(&r->in, name, text, header));
    while (more) {
        HIT_TRY(hit_lines_next(&r->in, &more));
        if (more) HIT_TRY(read_line(r));
    }
    if (r->kind < 0) return HIT_FAIL_AT(&r->in, "expected a kind but found the end");
    if (r->count > 0) return HIT_OK;
    return HIT_FAIL_AT(&r->in, "expected %s but found the end",
                       r->kind == HIT_FPM_CONSTANT ? "a speed" : "at least one point");
}

hit_status hit_fpm_parse(const char *text, const char *name, hit_fpm **fpm)
{
    reader r = {.kind = -1};
    hit_fpm *made = NULL;
    hit_status st;

    HIT_TRY_GOTO(st, read_lines(&r, name, text), free_points);
    HIT_TRY_GOTO(st, hit_fpm_create((hit_fpm_kind)r.kind, r.count, r.point, &made),
                 free_points);
    if (r.has_cap) HIT_TRY_GOTO(st, hit_fpm_set_cap(made, r.cap), destroy_made);
    free(r.point);
    *fpm = made;
    return HIT_OK;

destroy_made:
    hit_fpm_destroy(&made);
free_points:
    free(r.point);
    return st;
}

hit_status hit_fpm_read_text(const char *path, char **text)
{
    const char *last;
    hit_status st;
    char *all;

    HIT_TRY(hit_lines_load(path, "a model", &all));
    last = strrchr(all, '\n');
    last = last != NULL ? last + 1 : all;
    if (*last == '\0') {
        *text = all;
        return HIT_OK;
    }
    st = HIT_FAIL(HIT_E_IO,
                  "expected a newline at the end of %s but found \"%.40s\": is it whole?",
                  path, last);
    free(all);
    return st;
}

hit_status hit_fpm_load(const char *path, hit_fpm **fpm)
{
    char *text;
    hit_status st;

    HIT_TRY(hit_fpm_read_text(path, &text));
    st = hit_fpm_parse(text, path, fpm);
    free(text);
    return st;
}

/** The shortest text that reads as @p number again. */
static void print_number(double number, char text[NUMBER_BYTES])
{
    const char *end;

    for (int digits = 15; digits <= 17; digits++) {
        (void)hit_text_print(text, NUMBER_BYTES, "%.*g", digits, number);
        if (!(hit_text_real(text, &end) < number || hit_text_real(text, &end) > number)) {
            break;
        }
    }
}

hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file)
{
    char units[NUMBER_BYTES];
    char value[NUMBER_BYTES];
    char reps[NUMBER_BYTES];

    hit_say(file, "%s\n", header);
    hit_say_lines(file, notes);
    hit_say(file, "kind %s\n", KIND[hit_fpm_kind_of(fpm)]);
    if (hit_fpm_cap(fpm) < INT64_MAX) {
        hit_say(file, "cap %lld\n", (long long)hit_fpm_cap(fpm));
    }
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        hit_fpm_point point = hit_fpm_point_at(fpm, k);
        bool once = !(point.reps < 1.0 || point.reps > 1.0);

        print_number(point.units, units);
        print_number(point.value, value);
        print_number(point.reps, reps);
        if (hit_fpm_kind_of(fpm) == HIT_FPM_CONSTANT) {
            hit_say(file, "speed %s\n", value);
        } else {
            hit_say(file, "%s %s%s%s\n", units, value, once ? "" : " ", once ? "" : reps);
        }
    }
    if (ferror(file)) return HIT_FAIL(HIT_E_IO, "a model could not be written");
    return HIT_OK;
}

hit_status hit_fpm_write(const hit_fpm *fpm, FILE *file)
{
    return hit_fpm_write_noted(fpm, "", file);
}
