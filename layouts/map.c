/* SPDX-License-Identifier: MIT
 * Blocks by a map of the program's: a file says which rank has which block, a line of
 * ranks for each row of blocks. One process reads it; in the text of the layout it is
 * the option owners=, with ';' between rows. With repeat=1 a map is a pattern that is
 * laid beside itself, as those of the literature are. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>
#include <string.h>

typedef struct map {
    hit_dealt dealt;
    hit_index repeat;  /**< 1: it is */
    hit_index rows;    /**< of the map; those of the blocks unless it is repeated */
    hit_index columns; /**< 0 before the first row */
    hit_index count;
    int *owner; /**< row by row */
} map;

/** Where a row is read, for messages. */
typedef struct place {
    const hit_layout_spec *spec;
    const char *path; /**< NULL: option owners= */
    int line;
} place;

static hit_status tell(const place *at, const char *expected, hit_index wanted,
                       const char *found, size_t length)
{
    const int shown = length < 40 ? (int)length : 40;

    if (at->path == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout map: row %d of owners=: expected %s %lld but found "
                        "\"%.*s\"",
                        at->line, expected, (long long)wanted, shown, found);
    }
    return HIT_FAIL(HIT_E_ARG, "%s:%d: expected %s %lld but found \"%.*s\"", at->path,
                    at->line, expected, (long long)wanted, shown, found);
}

/** Room for the ranks of @p text, of which each takes a character and one behind it. */
static hit_status make_room(map *m, const char *text)
{
    return hit_memory_zeroed(strlen(text) / 2 + 1, sizeof *m->owner, &m->owner);
}

/** Read a row of ranks, from @p text to before @p end, with characters of @p between
 * between them. */
static hit_status read_row(map *m, const place *at, const char *text, const char *end,
                           const char *between)
{
    const char *next = text;
    hit_index found = 0;

    if (m->columns == 0 && m->repeat == 0) m->columns = m->dealt.count[1];
    while (next < end) {
        const char *word = next;
        hit_index rank;

        if (!hit_number_next(&next, 0, at->spec->ranks - 1, &rank) ||
            (next < end && strchr(between, *next) == NULL)) {
            size_t length = strcspn(word, between);

            if (length > (size_t)(end - word)) length = (size_t)(end - word);
            return tell(at, "ranks from 0 to", at->spec->ranks - 1, word, length);
        }
        m->owner[m->count++] = (int)rank;
        found++;
        while (next < end && strchr(between, *next) != NULL) {
            next++;
        }
    }
    m->rows++;
    if (m->columns == 0) m->columns = found;
    if (found == m->columns && found > 0) return HIT_OK;
    return tell(at, "a rank for each block of the row, of which there are", m->columns,
                text, (size_t)(end - text));
}

static hit_status check_rows(const map *m, const char *where)
{
    if (m->repeat == 1 ? m->rows > 0 : m->rows == m->dealt.count[0]) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected a row of ranks for each of %lld rows of blocks but "
                    "found %lld%s",
                    where, (long long)m->dealt.count[0], (long long)m->rows,
                    m->repeat == 1 ? "" : "; with repeat=1 a map is a pattern");
}

/** Is there no block that needs an owner? */
static bool is_void(const map *m)
{
    return m->dealt.count[0] == 0 || m->dealt.count[1] == 0;
}

static hit_status read_options(const hit_layout_spec *spec, map *m)
{
    HIT_TRY(hit_layout_one_of(spec, "file", "owners"));
    HIT_TRY(hit_layout_option_index(spec, "repeat", 0, 1, &m->repeat));
    return hit_dealt_read(spec, &m->dealt);
}

/* ---- the file ---- */

static hit_status read_file(const hit_layout_spec *spec, const char *path, map *m)
{
    place at = {.spec = spec, .path = path, .line = 1};
    char *text;
    hit_status st;

    HIT_TRY(hit_lines_load(path, "a map", &text));
    st = make_room(m, text);
    for (const char *line = text; *line != '\0' && st == HIT_OK; at.line++) {
        const size_t length = strcspn(line, "\n");
        const char *begin = line + strspn(line, " \t\r");
        const char *end = line + strcspn(line, "#\n");

        if (begin < end) st = read_row(m, &at, begin, end, " \t\r,");
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    free(text);
    return st == HIT_OK ? check_rows(m, path) : st;
}

/** The options again, with owners= in place of file=. */
static hit_status write_options(const hit_layout_spec *spec, const map *m, char **options)
{
    const char *const kept[] = {"block", "dims", "repeat"};
    hit_growing text = {.text = NULL};

    hit_growing_add(&text, "%s", ""); /* where nothing follows */
    for (int k = 0; k < 3; k++) {
        const char *value = hit_layout_option(spec, kept[k], NULL);

        if (value == NULL) continue;
        hit_growing_add(&text, "%s%s=%s", text.used > 0 ? "," : "", kept[k], value);
    }
    for (hit_index k = 0; k < m->count; k++) {
        if (k == 0) hit_growing_add(&text, "%sowners=", text.used > 0 ? "," : "");
        if (k > 0) hit_growing_add(&text, k % m->columns == 0 ? ";" : ",");
        hit_growing_add(&text, "%d", m->owner[k]);
    }
    return hit_growing_end(&text, options);
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    const char *path = hit_layout_option(spec, "file", NULL);
    map m = {.count = 0};
    hit_status st;

    HIT_TRY(read_options(spec, &m));
    if (path == NULL) return HIT_OK;
    st = read_file(spec, path, &m);
    if (st == HIT_OK) st = write_options(spec, &m, options);
    free(m.owner);
    return st;
}

/* ---- the layout ---- */

static void destroy(void *state)
{
    map *m = state;

    free(m->owner);
    free(m);
}

static hit_status read_owners(const hit_layout_spec *spec, map *m)
{
    const char *text = hit_layout_option(spec, "owners", "");
    place at = {.spec = spec, .line = 1};

    HIT_TRY(make_room(m, text));
    for (; *text != '\0'; at.line++) {
        const char *end = text + strcspn(text, ";");

        HIT_TRY(read_row(m, &at, text, end, ","));
        text = end + (*end == ';' ? 1 : 0);
    }
    return is_void(m) && m->rows == 0 ? HIT_OK : check_rows(m, "layout map: owners=");
}

static int rank_at(const hit_dealt *dealt, hit_index row, hit_index column)
{
    const map *m = (const void *)dealt;

    return m->owner[row % m->rows * m->columns + column % m->columns];
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    map *m;

    HIT_TRY(hit_memory_zeroed(1, sizeof *m, &m));
    *state = m;
    m->dealt.rank = rank_at;
    HIT_TRY(read_options(spec, m));
    return read_owners(spec, m);
}

const hit_layout_ops hit_layout_map = {
    .name = "map",
    .options = (const char *const[]){"file", "owners", "repeat", "block", "dims", NULL},
    .help =
        "file=FILE (a line of ranks for each row of blocks) or owners=R,R,...;... (the "
        "same), block=B or B0xB1 (elements of a block; default 64), "
        "repeat=1 (the map is a pattern that is laid beside itself), "
        "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    .destroy = destroy,
    .part = hit_dealt_part,
    HIT_DEALT_OPS,
    .resolve = resolve,
};
