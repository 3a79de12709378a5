/* SPDX-License-Identifier: MIT
 * Alignment and failures of allocations, and sizes in bytes as text. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "tests/support/check_main.h"

#include <string.h>

START_TEST(buffers_start_at_a_cache_line_or_a_huge_page)
{
    const size_t mib = 1048576;
    const size_t sizes[] = {1, 63, 64, 65, 4096, 2 * mib - 1, 2 * mib, 5 * mib + 1};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        void *memory = NULL;
        ck_assert_int_eq(hit_memory_take(sizes[i], "a test", &memory), HIT_OK);
        uintptr_t align = sizes[i] >= 2 * mib ? 2 * mib : 64;
        ck_assert_uint_eq((uintptr_t)memory % align, 0);
        memset(memory, 1, sizes[i]);
        hit_memory_release(&memory);
        ck_assert_ptr_null(memory);
    }
}
END_TEST

START_TEST(nothing_is_a_valid_size)
{
    void *memory = NULL;
    ck_assert_int_eq(hit_memory_take(0, "a test", &memory), HIT_OK);
    ck_assert_ptr_nonnull(memory);
    hit_memory_release(&memory);
    hit_memory_release(&memory); /* accepts NULL */
    ck_assert_int_eq(hit_memory_zeroed(0, 8, &memory), HIT_OK);
    ck_assert_ptr_nonnull(memory);
    hit_memory_release(&memory);
}
END_TEST

START_TEST(what_is_not_there_may_be_freed)
{
    char other = 0;
    void *memory = &other;

    ck_assert_int_eq(hit_memory_zeroed(SIZE_MAX, 2, &memory), HIT_E_NOMEM);
    ck_assert_ptr_null(memory);
}
END_TEST

START_TEST(zeroed_memory_is_zero)
{
    int *number = NULL;
    ck_assert_int_eq(hit_memory_zeroed(1000, sizeof(*number), &number), HIT_OK);
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum |= number[i];
    }
    ck_assert_int_eq(sum, 0);
    free(number);
}
END_TEST

START_TEST(an_array_grows_and_keeps_what_it_has)
{
    int *number = NULL;
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(
            hit_memory_resize((size_t)i + 1, sizeof(int), "numbers", &number), HIT_OK);
        number[i] = i;
    }
    for (int i = 0; i < 1000; i++) {
        ck_assert_int_eq(number[i], i);
    }
    int *before = number;
    ck_assert_int_eq(hit_memory_resize(SIZE_MAX / 4 + 2, 4, "numbers", &number),
                     HIT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no memory for numbers"));
    ck_assert_ptr_eq(number, before);
    free(number);
}
END_TEST

START_TEST(what_cannot_be_had_is_named)
{
    int here = 0;
    void *memory = &here;
    ck_assert_int_eq(hit_memory_take(SIZE_MAX, "tile now", &memory), HIT_E_NOMEM);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "tile now"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "16 EiB"));
    ck_assert_int_eq(hit_memory_take(SIZE_MAX - (1 << 20), "tile", &memory), HIT_E_NOMEM);
    ck_assert_ptr_eq(memory, &here);
}
END_TEST

START_TEST(the_peak_follows_what_is_touched)
{
    const size_t size_bytes = (size_t)64 << 20;
    size_t before = hit_memory_peak_bytes();
    void *memory = NULL;
    ck_assert_int_eq(hit_memory_take(size_bytes, "a test", &memory), HIT_OK);
    memset(memory, 1, size_bytes);
    size_t after = hit_memory_peak_bytes();
    hit_memory_release(&memory);
    if (before == 0) return; /* unknown on this system */
    ck_assert_uint_ge(after, size_bytes);
    ck_assert_uint_ge(after, before);
}
END_TEST

START_TEST(memory_of_a_dry_run_may_be_larger_than_the_machine)
{
    const size_t all = hit_memory_machine_bytes();
    const size_t sizes[] = {0, 1, 1 << 20, 2 << 20, all > 0 ? 4 * all : 8 << 20};

    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
        void *memory = NULL;
        char *byte;

        ck_assert_int_eq(hit_memory_reserve(sizes[k], "a tile", &memory), HIT_OK);
        byte = memory;
        if (sizes[k] > 0) {
            ck_assert_int_eq(byte[sizes[k] / 2], 0);
            ck_assert_int_eq(byte[sizes[k] - 1]++, 0);
        }
        hit_memory_unreserve(&memory, sizes[k]);
        ck_assert_ptr_null(memory);
        hit_memory_unreserve(&memory, sizes[k]);
    }
    void *memory = NULL;
    ck_assert_int_eq(hit_memory_reserve(SIZE_MAX / 2, "a tile", &memory), HIT_E_NOMEM);
    ck_assert_ptr_null(memory);
}
END_TEST

START_TEST(sizes_are_read_in_powers_of_ten_and_of_two)
{
    const struct {
        const char *text;
        size_t size_bytes;
    } good[] = {
        {"4096", 4096},
        {"1", 1},
        {"7B", 7},
        {"16 MB", 16000000},
        {"512MiB", 536870912},
        {"1.5GiB", 1610612736},
        {" 2 kB ", 2000},
        {"2KB", 2000},
        {"2kib", 2048},
        {"0.5KiB", 512},
        {".25 KiB", 256},
        {"3.KiB", 3072},
        {"1GB", 1000000000},
        {"1TB", 1000000000000},
        {"2TiB", (size_t)2 << 40},
        {"9007199254740993", 9007199254740993}, /* 2^53 + 1 */
        {"4611686018427387905", 4611686018427387905},
        {"9223372036854775807", SIZE_MAX / 2},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        size_t found = 0;
        hit_status st = hit_memory_parse(good[i].text, &found);
        ck_assert_msg(st == HIT_OK && found == good[i].size_bytes, "%s is %zu",
                      good[i].text, found);
    }
}
END_TEST

START_TEST(what_is_no_size_is_refused_with_its_text)
{
    const char *bad[] = {"",
                         " ",
                         "MiB",
                         "-5",
                         "+5",
                         "0",
                         "0.5",
                         "0MiB",
                         "12Mi",
                         "12 M",
                         "12xB",
                         "1 2",
                         "1.2.3",
                         ".",
                         "nan",
                         "inf",
                         "0x10",
                         "1e9",
                         "1,5GiB",
                         "5MiB x",
                         "9EiB",
                         "1e400",
                         "8388608TiB",
                         "64 MiBs",
                         "MB 5",
                         "9223372036854775808",
                         "18446744073709551616"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        size_t found = 123;
        hit_status st = hit_memory_parse(bad[i], &found);
        ck_assert_msg(st == HIT_E_ARG, "\"%s\" is %zu", bad[i], found);
        ck_assert_uint_eq(found, 123);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), bad[i]));
    }
}
END_TEST

START_TEST(sizes_are_written_in_the_largest_unit)
{
    const struct {
        uint64_t bytes;
        const char *text;
    } known[] = {
        {0, "0 B"},
        {1, "1 B"},
        {1023, "1023 B"},
        {1024, "1 KiB"},
        {1500, "1.46 KiB"},
        {1536, "1.5 KiB"},
        {1076, "1.05 KiB"},
        {1048575, "1 MiB"}, /* not 1024 KiB */
        {1048576, "1 MiB"},
        {536870912, "512 MiB"},
        {UINT64_C(3) << 40, "3 TiB"},
        {UINT64_MAX, "16 EiB"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        char text[32];
        hit_memory_print(known[i].bytes, text, sizeof(text));
        ck_assert_str_eq(text, known[i].text);
        text[3] = '#';
        hit_memory_print(known[i].bytes, text, 3);
        ck_assert_int_eq(text[2], '\0');
        ck_assert_int_eq(text[3], '#');
    }
}
END_TEST

START_TEST(what_is_written_can_be_read)
{
    hit_random random = hit_random_start(501);
    for (int n = 0; n < 5000; n++) {
        uint64_t bytes =
            1 + (hit_random_next(&random) >> hit_random_index(&random, 16, 63));
        char text[32];
        size_t found = 0;
        hit_memory_print(bytes, text, sizeof(text));
        ck_assert_int_eq(hit_memory_parse(text, &found), HIT_OK);
        double error = (double)found / (double)bytes - 1;
        ck_assert_msg(error < 0.006 && error > -0.006, "%s", text);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("memory");
    TCase *memory = tcase_create("memory");

    tcase_add_test(memory, buffers_start_at_a_cache_line_or_a_huge_page);
    tcase_add_test(memory, nothing_is_a_valid_size);
    tcase_add_test(memory, what_is_not_there_may_be_freed);
    tcase_add_test(memory, zeroed_memory_is_zero);
    tcase_add_test(memory, an_array_grows_and_keeps_what_it_has);
    tcase_add_test(memory, what_cannot_be_had_is_named);
    tcase_add_test(memory, the_peak_follows_what_is_touched);
    tcase_add_test(memory, memory_of_a_dry_run_may_be_larger_than_the_machine);
    tcase_add_test(memory, sizes_are_read_in_powers_of_ten_and_of_two);
    tcase_add_test(memory, what_is_no_size_is_refused_with_its_text);
    tcase_add_test(memory, sizes_are_written_in_the_largest_unit);
    tcase_add_test(memory, what_is_written_can_be_read);
    suite_add_tcase(all, memory);
    return all;
}

int main(void)
{
    return check_run(suite());
}
