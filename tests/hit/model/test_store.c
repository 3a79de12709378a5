/* SPDX-License-Identifier: MIT
 * The store of models: found again, checked, and safe against writers at the same time.
 */
#define _DEFAULT_SOURCE /* setenv, fork, mkdtemp, flock */

#include "hit/base/clock.h"
#include "hit/model/store.h"
#include "hit/model/store_impl.h"
#include "tests/support/check_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const hit_model_key key = {"heat *x*", "host, 2 cores", "hit 0.1.0"};
static int syncs;

/* the linker's name for what is called in place of fsync(), which may take long */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
int __wrap_fsync(int handle);

int __wrap_fsync(int handle)
{
    (void)handle;
    syncs++;
    return 0;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static char folder[] = "/tmp/hit-store-XXXXXX";

static hit_fpm *model(double units, double seconds)
{
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    HIT_MUST(hit_fpm_add(fpm, units, seconds, 5));
    return fpm;
}

static void add(const hit_model_key *to, double units, double seconds)
{
    hit_fpm *fpm = model(units, seconds);

    HIT_MUST(hit_store_add(NULL, to, fpm));
    hit_fpm_destroy(&fpm);
}

static void clear(void)
{
    hit_model_entry *entry = NULL;
    int count = 0;

    HIT_MUST(hit_store_list(&count, &entry));
    for (int k = 0; k < count; k++) {
        HIT_MUST(hit_store_remove(entry[k].name));
    }
    free(entry);
}

static char *path_of(const hit_model_key *of)
{
    static char path[256];
    char name[64];

    hit_store_name(of, name);
    (void)snprintf(path, sizeof(path), "%s/hit/models/%s.fpm", folder, name);
    return path;
}

START_TEST(what_was_added_is_found_and_merged)
{
    hit_model_key other = key;
    hit_fpm *fpm = NULL;

    clear();
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_ptr_null(fpm);
    add(&key, 1000, 2);
    add(&key, 3000, 4);
    add(&key, 1005, 3); /* within 1 %: the old one is forgotten */
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 2);
    ck_assert_double_eq_tol(hit_fpm_point_at(fpm, 0).units, 1005, 1e-9);
    ck_assert_double_eq_tol(hit_fpm_point_time(fpm, 0), 3, 1e-12);
    ck_assert_double_eq_tol(hit_fpm_point_at(fpm, 0).reps, 5, 1e-12);
    ck_assert_double_eq_tol(hit_fpm_point_time(fpm, 1), 4, 1e-12);
    hit_fpm_destroy(&fpm);
    (void)snprintf(other.device, sizeof(other.device), "host, 3 cores");
    HIT_MUST(hit_store_find(&other, &fpm));
    ck_assert_ptr_null(fpm);
}
END_TEST

START_TEST(files_say_whose_model_they_are)
{
    hit_model_key wide = {"gemm_double *x* k=256", "host, 2 cores", "hit 0.1.0"};
    hit_model_entry *entry = NULL;
    hit_model_entry one;
    hit_fpm *fpm = NULL;
    int count = 0;

    clear();
    add(&key, 1000, 2);
    add(&wide, 1000, 2);
    HIT_MUST(hit_store_list(&count, &entry));
    ck_assert_int_eq(count, 2);
    ck_assert_str_eq(entry[0].key.kernel, wide.kernel);
    ck_assert_str_eq(entry[1].key.kernel, key.kernel);
    ck_assert_str_eq(entry[1].key.device, key.device);
    ck_assert_str_eq(entry[1].key.build, key.build);
    ck_assert_int_eq(strncmp(entry[1].name, "heat-", 5), 0);
    HIT_MUST(hit_store_read(entry[1].name, &one, &fpm));
    ck_assert_str_eq(one.key.kernel, key.kernel);
    hit_fpm_destroy(&fpm);
    free(entry);
    ck_assert_int_eq(hit_store_read("no-such-model", &one, &fpm), HIT_E_IO);
    ck_assert_int_eq(hit_store_read("../key", &one, &fpm), HIT_E_IO);
    ck_assert_int_eq(hit_store_remove("no-such-model"), HIT_E_IO);
}
END_TEST

START_TEST(a_file_of_another_key_or_of_none_is_refused_and_replaced)
{
    hit_model_key other = key;
    hit_fpm *fpm = NULL;
    FILE *file;

    clear();
    (void)snprintf(other.build, sizeof(other.build), "hit 0.2.0");
    add(&other, 1000, 2);
    {
        char from[256];

        (void)snprintf(from, sizeof(from), "%s", path_of(&other));
        ck_assert_int_eq(rename(from, path_of(&key)), 0);
    }
    ck_assert_int_eq(hit_store_find(&key, &fpm), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "hit 0.2.0"));
    file = fopen(path_of(&key), "w");
    (void)fputs("# hit model 1\nkind functional\n12 ab\n", file);
    (void)fclose(file);
    ck_assert_int_eq(hit_store_find(&key, &fpm), HIT_E_ARG);
    ck_assert_ptr_null(fpm);
    add(&key, 1000, 2);
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 1);
    hit_fpm_destroy(&fpm);
}
END_TEST

/* Beside models of speed, and told apart from them. */
START_TEST(tiles_are_found_by_their_key)
{
    const hit_model_key tiles = {"tiles_heat 90x90", "host, 2 cores", "hit 0.1.0"};
    const hit_model_key other = {"tiles_heat 80x80", "host, 2 cores", "hit 0.1.0"};
    hit_model_entry *entry = NULL;
    hit_model_entry one;
    char *text = NULL;
    char path[256];
    char name[64];
    int count = 0;

    clear();
    HIT_MUST(hit_store_find_tiles(&tiles, &text));
    ck_assert_ptr_null(text);
    add(&key, 1000, 2);
    HIT_MUST(hit_store_put_tiles(NULL, &tiles, "old\n"));
    HIT_MUST(hit_store_put_tiles(NULL, &tiles, "4 8 1e-10 1\nend\n"));
    HIT_MUST(hit_store_find_tiles(&tiles, &text));
    ck_assert_ptr_nonnull(strstr(text, "# kernel tiles_heat 90x90\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n4 8 1e-10 1\nend\n"));
    ck_assert_ptr_null(strstr(text, "old"));
    free(text);
    HIT_MUST(hit_store_find_tiles(&other, &text));
    ck_assert_ptr_null(text);

    HIT_MUST(hit_store_list(&count, &entry));
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(entry[0].kind, HIT_STORE_SPEED);
    ck_assert_int_eq(entry[1].kind, HIT_STORE_TILES);
    ck_assert_str_eq(entry[1].key.kernel, tiles.kernel);
    HIT_MUST(hit_store_read_text(entry[1].name, &one, &text));
    ck_assert_int_eq(one.kind, HIT_STORE_TILES);
    free(text);

    /* that of another key, and what is something else */
    (void)snprintf(path, sizeof(path), "%s/hit/models/%s.tiles", folder, entry[1].name);
    hit_store_name(&other, name);
    {
        char to[256];

        (void)snprintf(to, sizeof(to), "%s/hit/models/%s.tiles", folder, name);
        ck_assert_int_eq(rename(path, to), 0);
        ck_assert_int_eq(hit_store_find_tiles(&other, &text), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "tiles_heat 90x90"));
        (void)snprintf(path, sizeof(path), "%s", path_of(&key));
        ck_assert_int_eq(rename(path, to), 0);
        ck_assert_int_eq(hit_store_find_tiles(&other, &text), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "# hit tiles 1"));
    }
    ck_assert_ptr_null(text);
    HIT_MUST(hit_store_remove(name));
    ck_assert_int_eq(hit_store_remove(name), HIT_E_IO);
    free(entry);
}
END_TEST

static double played_s;

static double played_now(void)
{
    return played_s;
}

static void played_wait(double end_s)
{
    played_s = end_s;
}

/* Who has the lock may be stopped for ever. */
START_TEST(a_lock_that_another_one_keeps_is_waited_for_by_the_clock)
{
    const hit_clock clock = {played_now, played_wait};
    hit_fpm *fpm = model(1000, 2);
    char *text = NULL;
    char path[256];
    int lock;

    clear();
    add(&key, 3000, 4);
    (void)snprintf(path, sizeof(path), "%s/hit/models/.lock", folder);
    lock = open(path, O_RDWR | O_CLOEXEC);
    ck_assert_int_eq(flock(lock, LOCK_EX), 0);
    ck_assert_int_eq(hit_store_add(&clock, &key, fpm), HIT_E_IO);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "another process has had it for 1 s"));
    ck_assert_double_ge(played_s, 1);
    ck_assert_double_le(played_s, 1.1);
    ck_assert_int_eq(hit_store_put_tiles(&clock, &key, "end\n"), HIT_E_IO);
    HIT_MUST(hit_store_find_tiles(&key, &text));
    ck_assert_ptr_null(text);
    (void)close(lock);
    HIT_MUST(hit_store_add(&clock, &key, fpm));
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 2);
    hit_fpm_destroy(&fpm);
    ck_assert_int_eq(syncs, 0);
}
END_TEST

/* A clock that stands still: patience without an end, however busy the machine is. */
static double stopped_now(void)
{
    return 0;
}

static void nap(double end_s)
{
    (void)end_s;
    (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static const hit_clock stopped = {stopped_now, nap};

/* Readers must never see half a file, and no point may be lost. */
START_TEST(writers_at_the_same_time_lose_nothing)
{
    enum {
        WRITERS = 6,
        POINTS = 25
    };
    hit_fpm *fpm = NULL;
    int failures = 0;
    int files = 0;
    DIR *all;

    clear();
    for (int w = 0; w < WRITERS; w++) {
        if (fork() != 0) continue;
        for (int k = 0; k < POINTS; k++) {
            hit_fpm *mine = model(pow(1.03, POINTS * w + k) * 1000, 1 + w);

            if (hit_store_add(&stopped, &key, mine) != HIT_OK) _exit(1);
            hit_fpm_destroy(&mine);
            if (hit_store_find(&key, &mine) != HIT_OK || mine == NULL) _exit(2);
            hit_fpm_destroy(&mine);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = 0;

        (void)wait(&status);
        failures += status != 0;
    }
    ck_assert_int_eq(failures, 0);
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), WRITERS * POINTS);
    hit_fpm_destroy(&fpm);
    {
        char path[256];

        (void)snprintf(path, sizeof(path), "%s/hit/models", folder);
        all = opendir(path);
    }
    while (readdir(all) != NULL) {
        files++;
    }
    (void)closedir(all);
    ck_assert_int_eq(files, 4); /* ., .., the lock, the model; no drafts */
}
END_TEST

START_TEST(wrong_keys_models_and_places_are_refused)
{
    hit_model_key none = key;
    hit_fpm *fpm = NULL;

    none.device[0] = '\0';
    ck_assert_int_eq(hit_store_find(&none, &fpm), HIT_E_ARG);
    (void)snprintf(none.device, sizeof(none.device), "two\nlines");
    ck_assert_int_eq(hit_store_find(&none, &fpm), HIT_E_ARG);
    HIT_MUST(hit_fpm_constant(1, &fpm));
    ck_assert_int_eq(hit_store_add(NULL, &key, fpm), HIT_E_ARG);
    hit_fpm_destroy(&fpm);
    (void)setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    fpm = model(1, 1);
    ck_assert_int_eq(hit_store_add(NULL, &key, fpm), HIT_E_IO);
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_store_find(&key, &fpm));
    ck_assert_ptr_null(fpm);
    (void)setenv("XDG_CACHE_HOME", "relative", 1);
    (void)setenv("HOME", "", 1);
    ck_assert_int_eq(hit_store_find(&key, &fpm), HIT_E_IO);
    (void)setenv("XDG_CACHE_HOME", folder, 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("model store");
    TCase *tc = tcase_create("all");

    tcase_add_test(tc, what_was_added_is_found_and_merged);
    tcase_add_test(tc, files_say_whose_model_they_are);
    tcase_add_test(tc, a_file_of_another_key_or_of_none_is_refused_and_replaced);
    tcase_add_test(tc, tiles_are_found_by_their_key);
    tcase_add_test(tc, a_lock_that_another_one_keeps_is_waited_for_by_the_clock);
    tcase_add_test(tc, writers_at_the_same_time_lose_nothing);
    tcase_add_test(tc, wrong_keys_models_and_places_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    char command[64];
    int code;

    if (mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0) return 1;
    code = check_run(suite());
    (void)snprintf(command, sizeof(command), "rm -r %s", folder);
    return system(command) != 0 ? 1 : code;
}
