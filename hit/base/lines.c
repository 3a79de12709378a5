/* SPDX-License-Identifier: MIT
 * Text that grows, and text files as people write them. */
#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 256 << 20 /* a device file has no end */
};

void hit_growing_add(hit_growing *g, const char *format, ...)
{
    size_t more = 64; /* characters; if they are not enough, as many as it takes */
    va_list args;

    for (bool fits = false; !fits && g->status == HIT_OK;) {
        size_t room;

        g->status = hit_memory_grow(g->used + more + 1, &g->room, 1, "a text", &g->text);
        if (g->status != HIT_OK) break;
        room = g->room - g->used;
        va_start(args, format);
        more = (size_t)hit_text_vprint(g->text + g->used, room, format, args);
        va_end(args);
        fits = more < room;
    }
    if (g->status == HIT_OK) g->used += more;
}

hit_status hit_growing_end(hit_growing *g, char **text)
{
    if (g->status != HIT_OK) {
        free(g->text);
        g->text = NULL;
    }
    *text = g->text;
    return g->status;
}

static hit_status cannot(const char *what, const char *path)
{
    return HIT_FAIL(HIT_E_IO, "expected %s in %s: %s", what, path, strerror(errno));
}

/* All of an open file, with a final zero. */
static hit_status read_all(FILE *file, const char *path, const char *what, char **text)
{
    size_t room = 4096;
    size_t size = 0;

    for (;;) {
        HIT_TRY(hit_memory_resize(room + 1, 1, path, text));
        size += fread(*text + size, 1, room - size, file);
        if (size < room || room >= MOST_BYTES) break;
        room *= 2;
    }
    if (ferror(file)) return cannot(what, path);
    (*text)[size] = '\0';
    if (size < MOST_BYTES && strlen(*text) == size) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "expected text of less than %d bytes in %s", MOST_BYTES,
                    path);
}

hit_status hit_lines_load(const char *path, const char *what, char **text)
{
    FILE *file = fopen(path, "rb");
    char *all = NULL;
    hit_status st;

    if (file == NULL) return cannot(what, path);
    st = read_all(file, path, what, &all);
    (void)fclose(file);
    if (st == HIT_OK) {
        *text = all;
    } else {
        free(all);
    }
    return st;
}

hit_status hit_lines_tell(const hit_lines *lines, hit_status status)
{
    return HIT_FAIL(status, "%s:%d: %s", lines->name, lines->line, hit_status_text());
}

/* Is it the header, but for blanks? */
static bool is_header(const char *line, const char *header)
{
    for (; *header != '\0'; header++) {
        if (*header == ' ') {
            line += strspn(line, " \t");
        } else if (*line++ != *header) {
            return false;
        }
    }
    return *line == '\0' || isspace((unsigned char)*line);
}

hit_status hit_lines_begin(hit_lines *lines, const char *name, const char *text,
                           const char *header)
{
    const size_t length = strcspn(text, "\n");

    lines->name = name;
    lines->at = text;
    lines->line = 1;
    if (is_header(text, header)) return HIT_OK;
    return HIT_FAIL_AT(lines, "expected \"%s\" but found \"%.*s\"", header,
                       length < 40 ? (int)length : 40, text);
}

/* Cut the line, up to its end or a '#', into words. */
static hit_status split(hit_lines *lines)
{
    const char *at = lines->at;
    const char *end = at + strcspn(at, "#\n");

    for (lines->words = 0; at < end; at++) {
        size_t size = 0;

        while (at + size < end && !isspace((unsigned char)at[size])) {
            size++;
        }
        if (size == 0) continue;
        if (size >= HIT_WORD_BYTES) {
            return HIT_FAIL_AT(lines,
                               "expected a word of less than %d characters but found "
                               "\"%.20s...\"",
                               HIT_WORD_BYTES, at);
        }
        if (lines->words == HIT_LINE_WORDS) {
            return HIT_FAIL_AT(lines, "expected at most %d words", HIT_LINE_WORDS);
        }
        memcpy(lines->word[lines->words], at, size);
        lines->word[lines->words++][size] = '\0';
        at += size;
    }
    return HIT_OK;
}

hit_status hit_lines_next(hit_lines *lines, bool *more)
{
    do {
        const size_t length = strcspn(lines->at, "\n");

        *more = lines->at[length] == '\n';
        if (!*more) return HIT_OK;
        lines->at += length + 1;
        lines->line++;
        HIT_TRY(split(lines));
    } while (lines->words == 0);
    return HIT_OK;
}
