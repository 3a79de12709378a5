/* SPDX-License-Identifier: MIT
 * Models in files. A writer holds a lock on the folder while it reads the old points and
 * renames the new file into place: no points are lost, and readers, who take no lock, see
 * the old file or the new one. The key is written into the file and compared, as two keys
 * could have the same hash, and somebody may have copied files about. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#define _DEFAULT_SOURCE         /* flock */

#include "hit/model/store.h"

#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/data/hash.h"
#include "hit/model/fpm_file.h"
#include "hit/model/fpm_impl.h"
#include "hit/model/store_impl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static hit_status fail_io(const char *what, const char *path)
{
    return HIT_FAIL(HIT_E_IO, "%s %s: %s", what, path, strerror(errno));
}

/* @owner the caller: free() */
static hit_status join(const char *a, const char *b, char **path)
{
    const size_t size = strlen(a) + strlen(b) + 1;

    HIT_TRY(hit_memory_zeroed(size, 1, path));
    (void)snprintf(*path, size, "%s%s", a, b);
    return HIT_OK;
}

hit_status hit_store_folder(char **folder)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (cache != NULL && cache[0] == '/') return join(cache, "/hit/models", folder);
    if (home != NULL && home[0] == '/') return join(home, "/.cache/hit/models", folder);
    return HIT_FAIL(HIT_E_IO,
                    "expected XDG_CACHE_HOME or HOME to be an absolute path, for models");
}

/* ---- names and keys ---- */

void hit_store_name(const hit_model_key *key, char name[64])
{
    uint64_t number = hit_hash_text(HIT_HASH_START, key->kernel);
    int used = 0;

    number = hit_hash_text(hit_hash_text(number, key->device), key->build);
    for (const char *at = key->kernel;
         used < 40 && (isalnum((unsigned char)*at) != 0 || *at == '_' || *at == '-');
         at++) {
        name[used++] = *at;
    }
    (void)snprintf(name + used, (size_t)(64 - used), "-%016llx",
                   (unsigned long long)number);
}

/* The rest of the line of @p text that begins with "# WORD ". */
static void read_note(const char *text, const char *word, char *to, size_t size)
{
    char begin[32];
    const char *at;
    size_t length;

    to[0] = '\0';
    (void)snprintf(begin, sizeof(begin), "\n# %s ", word);
    at = strstr(text, begin);
    if (at == NULL) return;
    at += strlen(begin);
    length = strcspn(at, "\n");
    if (length >= size) length = size - 1;
    memcpy(to, at, length);
    to[length] = '\0';
}

static hit_status check_key(const hit_model_key *key)
{
    const char *const text[] = {key->kernel, key->device, key->build};

    for (int k = 0; k < 3; k++) {
        if (text[k][0] != '\0' && strchr(text[k], '\n') == NULL) continue;
        return HIT_FAIL(HIT_E_ARG, "expected a line for the model's %s but found \"%s\"",
                        (const char *const[]){"kernel", "device", "build"}[k], text[k]);
    }
    return HIT_OK;
}

/* ---- files ---- */

static const char *const ending[] = {".fpm", ".tiles"};
static const char tiles_header[] = "# hit tiles 1";

const char *hit_store_ending(hit_store_kind kind)
{
    return ending[kind];
}

/* @owner *text: free() */
static hit_status read_path(const char *path, hit_model_key *key, char **text)
{
    HIT_TRY(hit_fpm_read_text(path, text));
    read_note(*text, "kernel", key->kernel, sizeof(key->kernel));
    read_note(*text, "device", key->device, sizeof(key->device));
    read_note(*text, "build", key->build, sizeof(key->build));
    return HIT_OK;
}

/* The path of the file of that name in the store. @owner the caller: free() */
static hit_status path_of(hit_store_kind kind, const char *name, char **path)
{
    char file[80];
    char *folder;
    hit_status st;

    if (strlen(name) >= 64 || strchr(name, '/') != NULL) {
        return HIT_FAIL(HIT_E_IO, "expected the name of a model but found \"%.80s\"",
                        name);
    }
    (void)snprintf(file, sizeof(file), "/%s%s", name, ending[kind]);
    HIT_TRY(hit_store_folder(&folder));
    st = join(folder, file, path);
    free(folder);
    return st;
}

static hit_status path_of_key(hit_store_kind kind, const hit_model_key *key, char **path)
{
    char name[64];

    HIT_TRY(check_key(key));
    hit_store_name(key, name);
    return path_of(kind, name, path);
}

static hit_status expect_key(const char *path, const hit_model_key *key,
                             const hit_model_key *found)
{
    if (hit_model_key_equal(key, found)) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected the model of \"%s\" on \"%s\" by \"%s\" but found that "
                    "of \"%s\" on \"%s\" by \"%s\"",
                    path, key->kernel, key->device, key->build, found->kernel,
                    found->device, found->build);
}

static bool is_absent(const char *path)
{
    return access(path, F_OK) != 0 && errno == ENOENT;
}

/* What the store has of a key: its model, or the text of its tiles; NULL: nothing.
 * @owner *fpm: hit_fpm_destroy(), *text: free() */
static hit_status find(hit_store_kind kind, const hit_model_key *key, hit_fpm **fpm,
                       char **text)
{
    hit_model_key found;
    hit_lines lines;
    char *path;
    hit_status st = HIT_OK;

    *text = NULL;
    HIT_TRY(path_of_key(kind, key, &path));
    if (!is_absent(path)) {
        st = read_path(path, &found, text);
        if (st == HIT_OK && kind == HIT_STORE_SPEED) {
            st = hit_fpm_parse(*text, path, fpm);
        } else if (st == HIT_OK) {
            st = hit_lines_begin(&lines, path, *text, tiles_header);
        }
        if (st == HIT_OK) st = expect_key(path, key, &found);
    }
    free(path);
    if (st == HIT_OK && kind == HIT_STORE_TILES) return HIT_OK;
    free(*text);
    *text = NULL;
    if (st != HIT_OK && kind == HIT_STORE_SPEED) hit_fpm_destroy(fpm);
    return st;
}

hit_status hit_store_find(const hit_model_key *key, hit_fpm **fpm)
{
    hit_fpm *found = NULL;
    char *text;

    HIT_TRY(find(HIT_STORE_SPEED, key, &found, &text));
    *fpm = found;
    return HIT_OK;
}

hit_status hit_store_find_tiles(const hit_model_key *key, char **text)
{
    return find(HIT_STORE_TILES, key, NULL, text);
}

static hit_status read_named(hit_store_kind kind, const char *name,
                             hit_model_entry *entry, char **text)
{
    char *path;
    hit_status st;

    HIT_TRY(path_of(kind, name, &path));
    st = read_path(path, &entry->key, text);
    free(path);
    entry->kind = kind;
    if (st == HIT_OK && name != entry->name) {
        (void)snprintf(entry->name, sizeof(entry->name), "%s", name);
    }
    return st;
}

hit_status hit_store_read(const char *name, hit_model_entry *entry, hit_fpm **fpm)
{
    char *text = NULL;
    hit_status st;

    HIT_TRY(read_named(HIT_STORE_SPEED, name, entry, &text));
    st = hit_fpm_parse(text, name, fpm);
    free(text);
    return st;
}

hit_status hit_store_read_text(const char *name, hit_model_entry *entry, char **text)
{
    for (int kind = 0;; kind++) {
        char *path;
        bool other;

        HIT_TRY(path_of((hit_store_kind)kind, name, &path));
        other = kind + 1 < HIT_STORE_KINDS && is_absent(path);
        free(path);
        if (!other) return read_named((hit_store_kind)kind, name, entry, text);
    }
}

hit_status hit_store_remove(const char *name)
{
    int removed = 0;

    for (int kind = 0; kind < HIT_STORE_KINDS; kind++) {
        char *path;
        hit_status st = HIT_OK;

        HIT_TRY(path_of((hit_store_kind)kind, name, &path));
        if (unlink(path) == 0) {
            removed++;
        } else if (errno != ENOENT || (removed == 0 && kind == HIT_STORE_KINDS - 1)) {
            st = fail_io("cannot remove", path);
        }
        free(path);
        HIT_TRY(st);
    }
    return HIT_OK;
}

/* ---- writing ---- */

/* Make all folders of a path. */
static hit_status make_folders(char *path)
{
    for (char *at = path + 1;; at++) {
        const char end = *at;

        if (end != '/' && end != '\0') continue;
        *at = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            return fail_io("cannot make folder", path);
        }
        *at = end;
        if (end == '\0') return HIT_OK;
    }
}

/* The lock, once no other process has it. Who has it may be stopped: it is asked for
 * again and again. */
static hit_status wait_for_lock(const hit_clock *clock, const char *path, int lock)
{
    const double patience_s = 1;
    const double begin_s = hit_clock_now(clock);

    while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        const double now_s = hit_clock_now(clock);

        if (errno != EWOULDBLOCK && errno != EINTR) return fail_io("cannot lock", path);
        if (now_s - begin_s > patience_s) {
            return HIT_FAIL(HIT_E_IO,
                            "cannot lock %s: another process has had it for %g s", path,
                            patience_s);
        }
        hit_clock_wait_until(clock, now_s + 0.005);
    }
    return HIT_OK;
}

/* @owner *lock: close() */
static hit_status take_lock(const hit_clock *clock, const char *folder, int *lock)
{
    char *path;
    hit_status st = HIT_OK;

    HIT_TRY(join(folder, "/.lock", &path));
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*lock < 0) st = fail_io("cannot open", path);
    if (*lock >= 0) {
        st = wait_for_lock(clock, path, *lock);
        if (st != HIT_OK) (void)close(*lock);
    }
    free(path);
    return st;
}

/* Points of @p old that are not within 1 % of one of @p new, and all of @p new. */
static hit_status merge(const hit_fpm *old, const hit_fpm *new, hit_fpm **merged)
{
    const size_t count = old != NULL ? hit_fpm_count(old) : 0;

    HIT_TRY(hit_fpm_copy(new, merged));
    for (size_t k = 0; k < count; k++) {
        const hit_fpm_point point = hit_fpm_point_at(old, k);
        bool replaced = !(point.units >= 1 && point.value > 0);

        for (size_t n = 0; n < hit_fpm_count(new) && !replaced; n++) {
            const double units = hit_fpm_point_at(new, n).units;

            replaced = fabs(units - point.units) <= 0.01 * point.units;
        }
        if (replaced) continue;
        HIT_TRY(
            hit_fpm_add(*merged, point.units, hit_fpm_point_time(old, k), point.reps));
    }
    return HIT_OK;
}

/* Write a new file of a key beside the old one and put it in its place: a model, or lines
 * of tiles. */
static hit_status replace(hit_store_kind kind, const hit_model_key *key,
                          const hit_fpm *fpm, const char *lines)
{
    char notes[640];
    hit_draft draft;
    char *path;
    hit_status st;

    (void)snprintf(notes, sizeof(notes), "# kernel %s\n# device %s\n# build %s\n",
                   key->kernel, key->device, key->build);
    HIT_TRY(path_of_key(kind, key, &path));
    st = hit_draft_open(path, &draft);
    if (st == HIT_OK) {
        draft.spare = true;
        if (kind == HIT_STORE_SPEED) {
            st = hit_fpm_write_noted(fpm, notes, draft.stream);
        } else {
            hit_say(draft.stream, "%s\n", tiles_header);
            hit_say_lines(draft.stream, notes);
            hit_say_lines(draft.stream, lines);
        }
        st = hit_draft_close(&draft, st);
    }
    free(path);
    return st;
}

static hit_status add_locked(const hit_model_key *key, const void *measured)
{
    hit_fpm *old = NULL;
    hit_fpm *merged = NULL;
    hit_status st = hit_store_find(key, &old);

    if (st == HIT_E_ARG) st = HIT_OK; /* what is no model of this key is replaced */
    if (st == HIT_OK) st = merge(old, measured, &merged);
    if (st == HIT_OK) st = replace(HIT_STORE_SPEED, key, merged, NULL);
    hit_fpm_destroy(&old);
    hit_fpm_destroy(&merged);
    return st;
}

static hit_status put_locked(const hit_model_key *key, const void *lines)
{
    return replace(HIT_STORE_TILES, key, NULL, lines);
}

/* Write while no other process does. */
static hit_status write_alone(const hit_clock *clock,
                              hit_status (*write)(const hit_model_key *key,
                                                  const void *what),
                              const hit_model_key *key, const void *what)
{
    char *folder;
    int lock;
    hit_status st;

    HIT_TRY(hit_store_folder(&folder));
    st = make_folders(folder);
    if (st == HIT_OK) st = take_lock(clock, folder, &lock);
    if (st == HIT_OK) {
        st = write(key, what);
        (void)close(lock);
    }
    free(folder);
    return st;
}

hit_status hit_store_add(const hit_clock *clock, const hit_model_key *key,
                         const hit_fpm *measured)
{
    HIT_TRY(check_key(key));
    if (hit_fpm_kind_of(measured) != HIT_FPM_FUNCTIONAL) {
        return HIT_FAIL(HIT_E_ARG, "expected a functional model to store");
    }
    if (hit_fpm_count(measured) == 0) return HIT_OK;
    return write_alone(clock, add_locked, key, measured);
}

hit_status hit_store_put_tiles(const hit_clock *clock, const hit_model_key *key,
                               const char *lines)
{
    HIT_TRY(check_key(key));
    return write_alone(clock, put_locked, key, lines);
}
