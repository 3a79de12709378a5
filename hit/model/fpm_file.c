/* SPDX-License-Identifier: MIT
 * Reading and writing models.
 * FuPerMod writes times for all models; here the kind says what the second column is,
 * since speeds are what people have and compare. */
#include "hit/model/fpm_file.h"

#include "hit/base/alloc.h"
#include "hit/base/number.h"
#include "hit/base/text.h"
#include "hit/model/fpm_file_impl.h"
#include "hit/model/fpm_impl.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 4,            /* one more than any line may have */
    WORD_BYTES = 64,      /* of a number or a keyword */
    FILE_MOST = 256 << 20 /* bytes: a device file has no end */
};

static const char HEADER[] = "# hit model 1";
static const char *const KIND[] = {"constant", "functional", "table"};

typedef struct reader {
    const char *name;
    int line;
    int kind; /**< -1 before its line */
    bool has_cap;
    hit_index cap;
    size_t count;
    size_t capacity;
    hit_fpm_point *point;
} reader;

typedef struct words {
    int count;
    char word[WORDS][WORD_BYTES];
} words;

#define FAIL_AT(r, ...) fail_at((r), HIT_FAIL(HIT_E_ARG, __VA_ARGS__))

/** Put the place before the text of the last failure. */
static hit_status fail_at(const reader *r, hit_status status)
{
    return HIT_FAIL(status, "%s:%d: %s", r->name, r->line, hit_status_text());
}

/** Cut @p line, up to its end or a '#', into words. */
static hit_status split(const reader *r, const char *line, size_t length, words *w)
{
    const char *comment = memchr(line, '#', length);
    const char *end = comment != NULL ? comment : line + length;

    w->count = 0;
    while (line < end) {
        size_t size = 0;

        while (line + size < end && !isspace((unsigned char)line[size])) {
            size++;
        }
        if (size >= WORD_BYTES) {
            return FAIL_AT(r,
                           "expected a word of less than %d characters but found "
                           "\"%.20s...\"",
                           WORD_BYTES, line);
        }
        if (size > 0) {
            if (w->count == WORDS - 1) {
                return FAIL_AT(r, "expected the end of the line but found \"%.*s\"",
                               (int)size, line);
            }
            memcpy(w->word[w->count], line, size);
            w->word[w->count++][size] = '\0';
        }
        line += size + 1;
    }
    return HIT_OK;
}

/* "inf" and "nan" too: hit_fpm_check() says what a model may have. */
static hit_status read_real(const reader *r, const char *word, double *number)
{
    const char *end;

    *number = hit_text_real(word, &end);
    if (end != word && *end == '\0') return HIT_OK;
    return FAIL_AT(r, "expected a number but found \"%s\"", word);
}

static hit_status read_kind(reader *r, const words *w)
{
    if (r->kind >= 0) return FAIL_AT(r, "expected one line with the kind, found two");
    for (int kind = 0; w->count == 2 && kind < 3; kind++) {
        if (strcmp(w->word[1], KIND[kind]) == 0) r->kind = kind;
    }
    if (r->kind >= 0) return HIT_OK;
    return FAIL_AT(r, "expected kind constant, functional or table but found \"%s\"",
                   w->count > 1 ? w->word[1] : "");
}

static hit_status read_cap(reader *r, const words *w)
{
    const char *at = w->word[1];
    hit_index whole;
    double cap;

    if (r->has_cap) return FAIL_AT(r, "expected at most one cap, found two");
    if (w->count != 2) return FAIL_AT(r, "expected one number after cap");
    HIT_TRY(read_real(r, w->word[1], &cap));
    if (!(cap >= 0.0)) return FAIL_AT(r, "expected a cap >= 0 but found %g", cap);
    r->has_cap = true;
    r->cap = cap < 0x1p63 ? (hit_index)cap : INT64_MAX;
    /* above 2^53 to the last digit */
    if (hit_number_next(&at, 0, INT64_MAX, &whole) && *at == '\0') r->cap = whole;
    return HIT_OK;
}

static hit_status add_point(reader *r, const hit_fpm_point *point)
{
    if (hit_fpm_check((hit_fpm_kind)r->kind, point) != HIT_OK) {
        return fail_at(r, HIT_E_ARG);
    }
    HIT_TRY(hit_memory_grow(r->count + 1, &r->capacity, sizeof *r->point, "points",
                            &r->point));
    r->point[r->count++] = *point;
    return HIT_OK;
}

static hit_status read_speed(reader *r, const words *w)
{
    hit_fpm_point point = {1.0, 0.0, 1.0};

    if (r->kind != HIT_FPM_CONSTANT) {
        return FAIL_AT(r, "expected two numbers in a %s model but found \"speed\"",
                       KIND[r->kind]);
    }
    if (w->count != 2) return FAIL_AT(r, "expected one number after speed");
    if (r->count > 0) return FAIL_AT(r, "expected one speed, found two");
    HIT_TRY(read_real(r, w->word[1], &point.value));
    return add_point(r, &point);
}

static hit_status read_point(reader *r, const words *w)
{
    hit_fpm_point point = {.reps = 1.0};

    if (r->kind == HIT_FPM_CONSTANT) {
        return FAIL_AT(r,
                       "expected \"speed\" or \"cap\" in a constant model but found "
                       "\"%s\"",
                       w->word[0]);
    }
    HIT_TRY(read_real(r, w->word[0], &point.units));
    if (w->count < 2) return FAIL_AT(r, "expected two numbers but found one");
    HIT_TRY(read_real(r, w->word[1], &point.value));
    if (w->count == 3) HIT_TRY(read_real(r, w->word[2], &point.reps));
    return add_point(r, &point);
}

static hit_status read_line(reader *r, const char *line, size_t length)
{
    words w;

    HIT_TRY(split(r, line, length, &w));
    if (w.count == 0) return HIT_OK;
    if (strcmp(w.word[0], "kind") == 0) return read_kind(r, &w);
    if (r->kind < 0) {
        return FAIL_AT(r, "expected the kind first but found \"%s\"", w.word[0]);
    }
    if (strcmp(w.word[0], "cap") == 0) return read_cap(r, &w);
    if (strcmp(w.word[0], "speed") == 0) return read_speed(r, &w);
    return read_point(r, &w);
}

/** Is the first line the header, but for white space? */
static bool is_header(const char *line, size_t length)
{
    size_t at = 0;

    for (const char *want = HEADER; *want != '\0'; want++) {
        if (*want == ' ') {
            while (at < length && (line[at] == ' ' || line[at] == '\t')) {
                at++;
            }
        } else if (at == length || line[at++] != *want) {
            return false;
        }
    }
    return at == length || isspace((unsigned char)line[at]);
}

static hit_status read_lines(reader *r, const char *text)
{
    size_t length = strcspn(text, "\n");

    r->line = 1;
    if (!is_header(text, length)) {
        return FAIL_AT(r, "expected \"%s\" but found \"%.*s\"", HEADER,
                       length < 40 ? (int)length : 40, text);
    }
    while (text[length] == '\n') {
        text += length + 1;
        length = strcspn(text, "\n");
        r->line++;
        HIT_TRY(read_line(r, text, length));
    }
    if (r->kind < 0) return FAIL_AT(r, "expected a kind but found the end");
    if (r->count == 0) {
        return FAIL_AT(r, "expected %s but found the end",
                       r->kind == HIT_FPM_CONSTANT ? "a speed" : "at least one point");
    }
    return HIT_OK;
}

hit_status hit_fpm_parse(const char *text, const char *name, hit_fpm **fpm)
{
    reader r = {.name = name, .kind = -1};
    hit_fpm *made = NULL;
    hit_status st;

    HIT_TRY_GOTO(st, read_lines(&r, text), free_points);
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

hit_status hit_fpm_read_all(FILE *file, const char *path, char **text)
{
    size_t capacity = 4096;
    size_t size = 0;
    char *all = NULL;

    for (;;) {
        const hit_status status = hit_memory_resize(capacity + 1, 1, path, &all);

        if (status != HIT_OK) {
            free(all);
            return status;
        }
        size += fread(all + size, 1, capacity - size, file);
        if (size < capacity || capacity >= FILE_MOST) break;
        capacity *= 2;
    }
    all[size] = '\0';
    if (ferror(file) || size >= FILE_MOST || strlen(all) < size) {
        free(all);
        return HIT_FAIL(HIT_E_IO, "expected text of less than %d bytes in %s", FILE_MOST,
                        path);
    }
    if (size > 0 && all[size - 1] != '\n') {
        const char *last = strrchr(all, '\n');
        const hit_status status = HIT_FAIL(
            HIT_E_IO,
            "expected a newline at the end of %s but found \"%.40s\": is it whole?", path,
            last != NULL ? last + 1 : all);

        free(all);
        return status;
    }
    *text = all;
    return HIT_OK;
}

hit_status hit_fpm_load(const char *path, hit_fpm **fpm)
{
    FILE *file = fopen(path, "rb");
    char *text;
    hit_status st;

    if (file == NULL) {
        return HIT_FAIL(HIT_E_IO, "expected a model in %s: %s", path, strerror(errno));
    }
    st = hit_fpm_read_all(file, path, &text);
    (void)fclose(file);
    HIT_TRY(st);
    st = hit_fpm_parse(text, path, fpm);
    free(text);
    return st;
}

/** The shortest text that reads as @p number again. */
static void print_number(double number, char text[WORD_BYTES])
{
    const char *end;

    for (int digits = 15; digits <= 17; digits++) {
        (void)hit_text_print(text, WORD_BYTES, "%.*g", digits, number);
        if (!(hit_text_real(text, &end) < number || hit_text_real(text, &end) > number)) {
            break;
        }
    }
}

hit_status hit_fpm_write_noted(const hit_fpm *fpm, const char *notes, FILE *file)
{
    char units[WORD_BYTES];
    char value[WORD_BYTES];
    char reps[WORD_BYTES];

    (void)fprintf(file, "%s\n%skind %s\n", HEADER, notes, KIND[hit_fpm_kind_of(fpm)]);
    if (hit_fpm_cap(fpm) < INT64_MAX) {
        (void)fprintf(file, "cap %lld\n", (long long)hit_fpm_cap(fpm));
    }
    for (size_t k = 0; k < hit_fpm_count(fpm); k++) {
        hit_fpm_point point = hit_fpm_point_at(fpm, k);
        bool once = !(point.reps < 1.0 || point.reps > 1.0);

        print_number(point.units, units);
        print_number(point.value, value);
        print_number(point.reps, reps);
        if (hit_fpm_kind_of(fpm) == HIT_FPM_CONSTANT) {
            (void)fprintf(file, "speed %s\n", value);
        } else {
            (void)fprintf(file, "%s %s%s%s\n", units, value, once ? "" : " ",
                          once ? "" : reps);
        }
    }
    if (ferror(file)) return HIT_FAIL(HIT_E_IO, "a model could not be written");
    return HIT_OK;
}

hit_status hit_fpm_write(const hit_fpm *fpm, FILE *file)
{
    return hit_fpm_write_noted(fpm, "", file);
}
