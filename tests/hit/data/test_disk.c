/* SPDX-License-Identifier: MIT
 * Disk as a memory: copies from and to it against copies in memory, with random boxes of
 * up to 3 dimensions; its text; room; reads and writes that fail. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/disk.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CASES = 400,
    MOST = 3 << 20 /* bytes of an array */
};

static hit_disk *open_disk(const char *text)
{
    hit_disk *disk = NULL;

    ck_assert_msg(hit_disk_open(text, false, &disk) == HIT_OK, "%s", hit_status_text());
    return disk;
}

static char *take(size_t size_bytes)
{
    char *made = NULL;

    ck_assert_int_eq(hit_memory_zeroed(size_bytes, 1, &made), HIT_OK);
    return made;
}

static void scramble(hit_random *random, char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 64) { /* enough to tell a line from another */
        bytes[i] = (char)(hit_random_next(random) & 0x7f);
    }
}

/* An array whose rows are long or short, of at most MOST bytes. */
static hit_domain random_root(hit_random *random, size_t size_bytes)
{
    hit_domain root = {.dims = (int)hit_random_index(random, 1, 3)};
    hit_index left = MOST / (hit_index)size_bytes;

    for (int d = 0; d < root.dims; d++) {
        const hit_index most = d == root.dims - 1 ? left : left < 40 ? left : 40;
        const hit_index count = hit_random_index(random, 1, most);

        root.sig[d] = hit_sig_make(0, count - 1, 1);
        left /= count;
    }
    return root;
}

static hit_domain random_box(hit_random *random, const hit_domain *root)
{
    hit_domain box = {.dims = root->dims};

    for (int d = 0; d < root->dims; d++) {
        const hit_index a = hit_random_index(random, 0, root->sig[d].end);
        const hit_index b = hit_random_index(random, 0, root->sig[d].end);
        const hit_index stride = hit_random_index(random, 0, 5) == 0 ? 2 : 1;

        box.sig[d] = hit_sig_make(a < b ? a : b, a < b ? b : a, stride);
    }
    return box;
}

START_TEST(copies_are_those_of_memory)
{
    hit_random random = hit_random_start(11);
    const int cases = hit_random_cases(CASES);
    hit_disk *disk = open_disk("path=/tmp,memory=4MiB");
    void *memory = NULL;
    char *on_disk;
    char *plain[2] = {take(MOST), take(MOST)}; /* as it should be on the disk; beside */
    char *beside = take(MOST);

    ck_assert_int_eq(hit_disk_take(disk, MOST, "a test", &memory), HIT_OK);
    on_disk = memory;
    for (int n = 0; n < cases; n++) {
        const size_t size_bytes = (size_t)1 << hit_random_index(&random, 0, 4);
        const hit_domain root = random_root(&random, size_bytes);
        const hit_domain box = random_box(&random, &root);
        const hit_view there = hit_view_make(&root, size_bytes, on_disk);
        const hit_view here = hit_view_make(&box, size_bytes, beside);
        const hit_ndcopy in = hit_ndcopy_make(&there, &here, &box, NULL);
        const hit_ndcopy out = hit_ndcopy_make(&here, &there, &box, NULL);

        memcpy(plain[1], beside, MOST);
        scramble(&random, on_disk, MOST / 8); /* as a program does that has a pointer */
        memcpy(plain[0], on_disk, MOST);
        hit_disk_expect(disk, &in, there.data);
        hit_disk_copy(disk, &in, there.data, here.data);
        hit_ndcopy_run(&in, plain[0], plain[1]);
        ck_assert_msg(memcmp(beside, plain[1], MOST) == 0, "case %d: read", n);
        scramble(&random, beside, MOST);
        hit_disk_copy(disk, &out, here.data, there.data);
        hit_ndcopy_run(&out, beside, plain[0]);
        ck_assert_msg(memcmp(on_disk, plain[0], MOST) == 0, "case %d: written", n);
    }
    ck_assert_int_eq(hit_disk_told(disk), HIT_OK);
    ck_assert(hit_disk_give(&disk, on_disk));
    hit_disk_close(&disk);
    free(plain[0]);
    free(plain[1]);
    free(beside);
}
END_TEST

START_TEST(its_memory_is_cleared_and_its_own)
{
    hit_disk *disk = open_disk("memory=1MiB,path=/tmp");
    void *memory[3] = {NULL};
    char other[64];

    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(hit_disk_take(disk, (size_t)(k + 1) << 20, "t", &memory[k]),
                         HIT_OK);
        for (size_t i = 0; i < (size_t)(k + 1) << 20; i++) {
            if (((char *)memory[k])[i] != 0) ck_abort_msg("not cleared");
        }
        memset(memory[k], k + 1, (size_t)(k + 1) << 20);
    }
    hit_disk_behind(disk, memory[1], 2 << 20);
    ck_assert_int_eq(((char *)memory[1])[12345], 2);
    ck_assert(hit_disk_holds(disk, (char *)memory[2] + 77));
    ck_assert(!hit_disk_holds(disk, other));
    ck_assert(!hit_disk_give(&disk, other));
    ck_assert(hit_disk_give(&disk, memory[0]));
    ck_assert(!hit_disk_holds(disk, memory[0]));
    ck_assert_int_eq(hit_disk_take(disk, 1 << 20, "t", &memory[0]), HIT_OK);
    ck_assert_int_eq(((char *)memory[0])[0], 0);
    for (int k = 0; k < 3; k++) {
        ck_assert(hit_disk_give(&disk, memory[k]));
    }
    hit_disk_close(&disk);
    ck_assert_ptr_null(disk);
}
END_TEST

START_TEST(memory_outlives_the_context)
{
    hit_disk *disk = open_disk("path=/tmp,memory=1MiB");
    void *memory = NULL;

    ck_assert_int_eq(hit_disk_take(disk, 1 << 20, "t", &memory), HIT_OK);
    hit_disk_close(&disk);
    memset(memory, 1, 1 << 20);
    ck_assert(!hit_disk_give(&disk, &memory));
    ck_assert(hit_disk_give(&disk, memory)); /* and the rest with it */
    ck_assert_ptr_null(disk);
    ck_assert(!hit_disk_give(&disk, &memory));
}
END_TEST

/* The file is one for both: what the child gives back the parent still has. */
START_TEST(a_child_gives_back_its_own)
{
    hit_disk *disk = open_disk("path=/tmp,memory=1MiB");
    void *memory = NULL;
    int status = -1;
    pid_t child;

    ck_assert_int_eq(hit_disk_take(disk, 1 << 20, "t", &memory), HIT_OK);
    memset(memory, 1, 1 << 20);
    child = fork();
    if (child == 0) _exit(hit_disk_give(&disk, memory) ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    for (size_t i = 0; i < 1 << 20; i++) {
        if (((char *)memory)[i] != 1) ck_abort_msg("lost");
    }
    ck_assert(hit_disk_give(&disk, memory));
    hit_disk_close(&disk);
}
END_TEST

START_TEST(a_wrong_text_is_an_error)
{
    static const struct {
        const char *text;
        hit_status status;
        const char *says;
    } wrong[] = {
        {"path=/tmp", HIT_E_ARG, "memory="},
        {"memory=4GiB", HIT_E_ARG, "path="},
        {"path=/tmp,memory=lots", HIT_E_ARG, "\"lots\""},
        {"path=/tmp,memory=4kB", HIT_E_ARG, "1 MiB"},
        {"path=/tmp,memory=1MiB,speed=3", HIT_E_ARG, "\"speed\""},
        {"/tmp", HIT_E_ARG, "/tmp"},
        {"path=/no/such/folder,memory=1MiB", HIT_E_IO, "/no/such/folder"},
    };

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        hit_disk *disk = NULL;

        ck_assert_int_eq(hit_disk_open(wrong[k].text, false, &disk), wrong[k].status);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].says) != NULL, "%s: %s",
                      wrong[k].text, hit_status_text());
        ck_assert_ptr_null(disk);
    }
}
END_TEST

START_TEST(a_plan_makes_no_file)
{
    hit_disk *disk = NULL;

    ck_assert_int_eq(hit_disk_open("path=/no/such/folder,memory=1MiB", true, &disk),
                     HIT_OK);
    ck_assert(hit_disk_wants(disk, 1 << 20));
    hit_disk_close(&disk);
}
END_TEST

START_TEST(without_a_text_there_is_none)
{
    hit_disk *disk = NULL;
    uint64_t moved[2] = {1, 1};

    ck_assert_int_eq(hit_disk_open(NULL, false, &disk), HIT_OK);
    ck_assert_int_eq(hit_disk_open("", false, &disk), HIT_OK);
    ck_assert_ptr_null(disk);
    ck_assert(!hit_disk_wants(disk, SIZE_MAX / 4));
    ck_assert(!hit_disk_holds(disk, &moved) && !hit_disk_give(&disk, &moved));
    hit_disk_behind(disk, &moved, sizeof(moved));
    hit_disk_moved(disk, moved);
    ck_assert(moved[0] == 0 && moved[1] == 0);
    ck_assert_int_eq(hit_disk_told(disk), HIT_OK);
    hit_disk_close(&disk);
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
    hit_disk *disk = open_disk("path=/tmp,memory=1MiB");
    void *memory = NULL;
    struct rlimit before;
    struct rlimit small;

    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 2 << 20;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(hit_disk_take(disk, 3 << 20, "tile now", &memory), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "tile now: no room for 3 MiB"));
    ck_assert_int_eq(hit_disk_take(disk, 2 << 20, "tile now", &memory), HIT_OK);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert(hit_disk_give(&disk, memory));
    hit_disk_close(&disk);
}
END_TEST

/* Columns of an array have parts of all its pages: these stay for those beside them. */
START_TEST(pages_stay_for_the_columns_beside)
{
    const hit_domain root = hit_domain_of(256, 4096);
    hit_disk *disk = open_disk("path=/tmp,memory=1MiB");
    void *memory = NULL;
    char *beside = take(1 << 20);

    ck_assert_int_eq(hit_disk_take(disk, 1 << 20, "t", &memory), HIT_OK);
    for (int narrow = 0; narrow < 2; narrow++) {
        const hit_domain box = hit_domain_of(256, narrow ? 100 : 4000);
        const hit_view there = hit_view_make(&root, 1, memory);
        const hit_view here = hit_view_make(&box, 1, beside);
        const hit_ndcopy copy = hit_ndcopy_make(&there, &here, &box, NULL);

        test_fault.fail_at = 0;
        test_fault_begin();
        hit_disk_copy(disk, &copy, there.data, here.data);
        test_fault.on = false;
        ck_assert((test_fault.count[FAULT_FILE] == 0) == narrow);
    }
    ck_assert(hit_disk_give(&disk, memory));
    hit_disk_close(&disk);
    free(beside);
}
END_TEST

/* The first failure is told ever after, whatever else goes well. @p call: of those that
 * read, write, and ask for what is on its way to the disk, in turn. */
static void try_failure(bool reads, int call)
{
    const hit_domain box = hit_domain_of(1 << 20);
    hit_disk *disk = open_disk("path=/tmp,memory=1MiB");
    void *memory = NULL;
    char *beside = take(1 << 20);
    hit_view view[2];
    hit_ndcopy copy;

    ck_assert_int_eq(hit_disk_take(disk, 1 << 20, "t", &memory), HIT_OK);
    view[0] = hit_view_make(&box, 1, reads ? memory : beside);
    view[1] = hit_view_make(&box, 1, reads ? beside : memory);
    copy = hit_ndcopy_make(&view[0], &view[1], &box, NULL);
    test_fault.kind = FAULT_FILE;
    test_fault.fail_at = call;
    test_fault_begin();
    hit_disk_copy(disk, &copy, view[0].data, view[1].data);
    test_fault.on = false;
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(hit_disk_told(disk), HIT_E_IO);
        ck_assert_ptr_nonnull(
            strstr(hit_status_text(),
                   reads ? "cannot be read at byte" : "cannot be written at byte"));
        hit_disk_copy(disk, &copy, view[0].data, view[1].data);
    }
    ck_assert(hit_disk_give(&disk, memory));
    hit_disk_close(&disk);
    free(beside);
}

START_TEST(a_failure_is_told_ever_after)
{
    try_failure(true, 3);
    try_failure(false, 3);
    try_failure(false, 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("disk");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, copies_are_those_of_memory);
    tcase_add_test(all, its_memory_is_cleared_and_its_own);
    tcase_add_test(all, memory_outlives_the_context);
    tcase_add_test(all, a_child_gives_back_its_own);
    tcase_add_test(all, a_wrong_text_is_an_error);
    tcase_add_test(all, a_plan_makes_no_file);
    tcase_add_test(all, without_a_text_there_is_none);
    tcase_add_test(all, a_full_disk_is_an_error);
    tcase_add_test(all, pages_stay_for_the_columns_beside);
    tcase_add_test(all, a_failure_is_told_ever_after);
    suite_add_tcase(made, all);
    return made;
}

int main(void)
{
    return check_run(suite());
}
