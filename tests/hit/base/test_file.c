/* SPDX-License-Identifier: MIT
 * Files that are whole or not there: what a draft replaces, what it never touches, and
 * what is told when it cannot be written. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): fork, mkdtemp */
#include "hit/base/file.h"
#include "tests/support/check_main.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static void set_up(void)
{
    (void)snprintf(folder, sizeof(folder), "/tmp/hit-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *at(const char *name)
{
    static char path[4][512];
    static int turn;

    turn = (turn + 1) % 4;
    (void)snprintf(path[turn], sizeof(path[turn]), "%s/%s", folder, name);
    return path[turn];
}

/* The number of files in the folder; they are removed with it if @p clears. */
static int files(bool clears)
{
    DIR *all = opendir(folder);
    const struct dirent *entry;
    int count = 0;

    while ((entry = readdir(all)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (clears) (void)remove(at(entry->d_name));
        count++;
    }
    (void)closedir(all);
    return count;
}

static void tear_down(void)
{
    (void)files(true);
    (void)rmdir(folder);
}

static hit_status write_text(const char *path, const char *text, hit_status status)
{
    hit_draft draft;

    HIT_TRY(hit_draft_open(path, &draft));
    (void)fputs(text, draft.stream);
    return hit_draft_close(&draft, status);
}

static bool holds(const char *path, const char *text)
{
    char found[256] = "";
    FILE *file = fopen(path, "r");

    if (file == NULL) return false;
    (void)fread(found, 1, sizeof(found) - 1, file);
    (void)fclose(file);
    return strcmp(found, text) == 0;
}

START_TEST(a_draft_replaces_a_file_when_it_is_whole)
{
    hit_draft draft;

    ck_assert_int_eq(write_text(at("f"), "old", HIT_OK), HIT_OK);
    ck_assert_int_eq(hit_draft_open(at("f"), &draft), HIT_OK);
    (void)fputs("new", draft.stream);
    (void)fflush(draft.stream);
    ck_assert(holds(at("f"), "old"));
    ck_assert_int_eq(hit_draft_close(&draft, HIT_OK), HIT_OK);
    ck_assert(holds(at("f"), "new"));
    ck_assert_int_eq(files(false), 1);
}
END_TEST

START_TEST(a_failure_leaves_the_file_that_was_there_and_no_draft)
{
    ck_assert_int_eq(write_text(at("f"), "old", HIT_OK), HIT_OK);
    ck_assert_int_eq(write_text(at("f"), "new", HIT_E_LIMIT), HIT_E_LIMIT);
    ck_assert(holds(at("f"), "old"));
    ck_assert_int_eq(write_text(at("g"), "new", HIT_E_LIMIT), HIT_E_LIMIT);
    ck_assert_int_eq(files(false), 1);
}
END_TEST

/* The limit on the size of files stands for a full disk: it needs no rights. */
START_TEST(a_file_that_cannot_be_written_is_told_with_the_reason_of_the_system)
{
    static char much[200000];
    struct rlimit kept;
    struct rlimit small;

    memset(much, 'x', sizeof(much) - 1);
    ck_assert_int_eq(write_text(at("f"), "old", HIT_OK), HIT_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){1000, kept.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(write_text(at("f"), much, HIT_OK), HIT_E_IO);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &kept), 0);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "/f: cannot be written: File too"));
    ck_assert(holds(at("f"), "old"));
    ck_assert_int_eq(files(false), 1);

    ck_assert_int_eq(write_text(at("no/f"), "new", HIT_OK), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "f: cannot be written: No such"));
    ck_assert_int_eq(write_text(folder, "new", HIT_OK), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), ": cannot be written: Is a dir"));
}
END_TEST

static hit_status reserve(const char *path, uint64_t size)
{
    const int handle = open(path, O_WRONLY);
    const hit_status status = hit_file_reserve(handle, size, "name");

    (void)close(handle);
    return status;
}

START_TEST(room_that_is_not_there_is_told_before_it_is_written)
{
    struct rlimit kept;
    struct rlimit small;
    struct stat found;

    ck_assert_int_eq(write_text(at("f"), "old", HIT_OK), HIT_OK);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = (struct rlimit){100000, kept.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(reserve(at("f"), 200000), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "name: cannot be written: File too"));
    ck_assert(holds(at("f"), "old"));
    ck_assert_int_eq(reserve(at("f"), 90000), HIT_OK);
    ck_assert_int_eq(reserve("/dev/null", 90000), HIT_OK);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &kept), 0);
    ck_assert_int_eq(stat(at("f"), &found), 0);
    ck_assert_int_eq(found.st_size, 90000);
}
END_TEST

START_TEST(what_is_no_regular_file_is_written_itself_and_stays)
{
    struct stat found;
    char text[8] = "";
    int ends[2];
    char name[32];

    ck_assert_int_eq(symlink("/dev/full", at("full")), 0);
    ck_assert_int_eq(write_text(at("full"), "text", HIT_OK), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "No space left on device"));
    ck_assert_int_eq(write_text("/dev/full", "text", HIT_OK), HIT_E_IO);
    ck_assert_int_eq(stat(at("full"), &found), 0);
    ck_assert(S_ISCHR(found.st_mode));
    ck_assert_int_eq(write_text("/dev/null", "text", HIT_E_LIMIT), HIT_E_LIMIT);
    ck_assert(stat("/dev/null", &found) == 0 && S_ISCHR(found.st_mode));

    ck_assert_int_eq(pipe(ends), 0);
    (void)snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
    ck_assert_int_eq(write_text(name, "text", HIT_OK), HIT_OK);
    ck_assert_int_eq(read(ends[0], text, sizeof(text)), 4);
    ck_assert_str_eq(text, "text");
    (void)close(ends[0]);
    (void)close(ends[1]);
    ck_assert_int_eq(files(false), 1);
}
END_TEST

START_TEST(links_and_permissions_stay)
{
    struct stat found;

    ck_assert_int_eq(write_text(at("f"), "old", HIT_OK), HIT_OK);
    ck_assert_int_eq(chmod(at("f"), 0640), 0);
    ck_assert_int_eq(symlink("f", at("link")), 0);
    ck_assert_int_eq(write_text(at("link"), "new", HIT_OK), HIT_OK);
    ck_assert(lstat(at("link"), &found) == 0 && S_ISLNK(found.st_mode));
    ck_assert(holds(at("f"), "new"));
    ck_assert(stat(at("f"), &found) == 0 && (found.st_mode & 0777) == 0640);
}
END_TEST

START_TEST(names_may_be_as_long_as_the_system_allows)
{
    char name[256];

    memset(name, 'x', 255);
    name[255] = '\0';
    ck_assert_int_eq(write_text(at(name), "text", HIT_OK), HIT_OK);
    ck_assert(holds(at(name), "text"));
}
END_TEST

START_TEST(of_several_writers_each_has_a_draft_and_the_last_whole_file_stays)
{
    enum {
        WRITERS = 4,
        ROUNDS = 50,
        LENGTH = 200
    };
    char text[LENGTH + 1] = "";
    pid_t child[WRITERS];
    bool whole = false;

    for (int k = 0; k < WRITERS; k++) {
        child[k] = fork();
        ck_assert_int_ge(child[k], 0);
        if (child[k] != 0) continue;
        memset(text, 'a' + k, LENGTH);
        for (int round = 0; round < ROUNDS; round++) {
            if (write_text(at("f"), text, HIT_OK) != HIT_OK) _exit(1);
        }
        _exit(0);
    }
    for (int k = 0; k < WRITERS; k++) {
        int code = -1;

        ck_assert_int_eq(waitpid(child[k], &code, 0), child[k]);
        ck_assert_int_eq(code, 0);
        memset(text, 'a' + k, LENGTH);
        whole = whole || holds(at("f"), text);
    }
    ck_assert(whole);
    ck_assert_int_eq(files(false), 1);
}
END_TEST

START_TEST(drafts_of_killed_programs_are_removed_and_of_living_ones_are_not)
{
    hit_draft mine;
    pid_t child;
    int code;

    ck_assert_int_eq(hit_draft_open(at("mine"), &mine), HIT_OK);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        hit_draft draft;

        _exit(hit_draft_open(at("f"), &draft) != HIT_OK);
    }
    ck_assert_int_eq(waitpid(child, &code, 0), child);
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(files(false), 2);
    ck_assert_int_eq(write_text(at("f"), "text", HIT_OK), HIT_OK);
    ck_assert_int_eq(files(false), 2); /* f and the draft of mine */
    ck_assert_int_eq(hit_draft_close(&mine, HIT_OK), HIT_OK);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("file");
    TCase *c = tcase_create("all");

    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, a_draft_replaces_a_file_when_it_is_whole);
    tcase_add_test(c, a_failure_leaves_the_file_that_was_there_and_no_draft);
    tcase_add_test(c,
                   a_file_that_cannot_be_written_is_told_with_the_reason_of_the_system);
    tcase_add_test(c, room_that_is_not_there_is_told_before_it_is_written);
    tcase_add_test(c, what_is_no_regular_file_is_written_itself_and_stays);
    tcase_add_test(c, links_and_permissions_stay);
    tcase_add_test(c, names_may_be_as_long_as_the_system_allows);
    tcase_add_test(c, of_several_writers_each_has_a_draft_and_the_last_whole_file_stays);
    tcase_add_test(c, drafts_of_killed_programs_are_removed_and_of_living_ones_are_not);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
