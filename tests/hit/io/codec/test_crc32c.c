/* SPDX-License-Identifier: MIT
 * Checksums beside one bit after the other, whole and joined from parts. */
#include "hit/io/codec/codec.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <string.h>

enum {
    MOST = 100000 /* bytes: also in thirds */
};

static unsigned char data[MOST];

static uint32_t bit_by_bit(const unsigned char *byte, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t k = 0; k < size; k++) {
        for (int bit = 0; bit < 8; bit++) {
            const uint32_t low = (crc ^ byte[k] >> bit) & 1;

            crc = crc >> 1 ^ low * UINT32_C(0x82f63b78);
        }
    }
    return ~crc;
}

static void fill(hit_random *random)
{
    for (int k = 0; k < MOST; k++) {
        data[k] = (unsigned char)hit_random_index(random, 0, 255);
    }
}

START_TEST(known_texts_have_their_checksums)
{
    unsigned char zeros[32] = {0}; /* RFC 3720, B.4 */
    unsigned char rising[32];

    for (int k = 0; k < 32; k++) {
        rising[k] = (unsigned char)k;
    }
    ck_assert_uint_eq(hit_crc32c("123456789", 9), 0xe3069283);
    ck_assert_uint_eq(hit_crc32c(zeros, 32), 0x8a9136aa);
    ck_assert_uint_eq(hit_crc32c(rising, 32), 0x46dd794e);
    ck_assert_uint_eq(hit_crc32c(zeros, 0), 0);
}
END_TEST

START_TEST(tables_and_instructions_give_what_bits_give)
{
    hit_random random = hit_random_start(1);

    fill(&random);
    for (int k = 0; k < 200; k++) {
        const size_t from = (size_t)hit_random_index(&random, 0, 30);
        const size_t size = (size_t)hit_random_index(&random, 0, MOST - 30);

        ck_assert_uint_eq(hit_crc32c(data + from, size), bit_by_bit(data + from, size));
        ck_assert_uint_eq(~hit_crc32c_add(UINT32_MAX, data + from, size),
                          bit_by_bit(data + from, size));
    }
}
END_TEST

START_TEST(parts_join_in_any_order)
{
    hit_random random = hit_random_start(1);

    fill(&random);
    for (int k = 0; k < 200; k++) {
        const size_t size = (size_t)hit_random_index(&random, 1, MOST);
        const size_t a = (size_t)hit_random_index(&random, 0, (hit_index)size);
        const size_t b = (size_t)hit_random_index(&random, (hit_index)a, (hit_index)size);
        uint32_t parts = hit_crc32c_part(data + b, size - b, 0);

        parts ^= hit_crc32c_part(data, a, size - a);
        parts ^= hit_crc32c_part(data + a, b - a, size - b);
        ck_assert_uint_eq(hit_crc32c_whole(parts, size), hit_crc32c(data, size));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crc32c");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, known_texts_have_their_checksums);
    tcase_add_test(tests, tables_and_instructions_give_what_bits_give);
    tcase_add_test(tests, parts_join_in_any_order);
    suite_add_tcase(suite, tests);
    return check_run(suite);
}
