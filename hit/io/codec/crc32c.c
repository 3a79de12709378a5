/* SPDX-License-Identifier: MIT
 * A checksum is the rest of a polynomial over GF(2): that of a sum is the sum of the
 * rests, and a stretch with n bytes behind it is the stretch times x^(8n), so that parts
 * join in any order. Eight bytes at a time by tables: M. E. Kounavis, F. L. Berry, "A
 * systematic approach to building high performance software-based CRC generators", ISCC
 * 2005; they are made anew for each call, in 3 us, and small texts do without. Processors
 * with SSE 4.2 have an instruction for it. */
#include "hit/io/codec/codec.h"

#include <string.h>
#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

#define POLYNOMIAL UINT32_C(0x82f63b78) /* its bits in reverse; bit 31 is x^0 */
#define ONE UINT32_C(0x80000000)

enum {
    SMALL = 2048,      /* bytes */
    THIRDS = 32 << 10, /* bytes from which on it is worth it to join sums */
    TABLES = 8
};

static uint32_t times_x(uint32_t a)
{
    return a >> 1 ^ (POLYNOMIAL & (0 - (a & 1)));
}

static uint32_t times(uint32_t a, uint32_t b)
{
    uint32_t product = 0;

    for (uint32_t bit = ONE; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) product ^= b;
        b = times_x(b);
    }
    return product;
}

/* @p a with @p bytes zeros behind it. */
static uint32_t shifted(uint32_t a, uint64_t bytes)
{
    uint32_t power = ONE >> 8; /* x^8 */

    for (; bytes != 0; bytes >>= 1) {
        if ((bytes & 1) != 0) a = times(a, power);
        power = times(power, power);
    }
    return a;
}

static uint32_t add_byte(uint32_t crc, unsigned char byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) {
        crc = times_x(crc);
    }
    return crc;
}

static void make_tables(uint32_t table[TABLES][256])
{
    for (int byte = 0; byte < 256; byte++) {
        table[0][byte] = add_byte(0, (unsigned char)byte);
    }
    for (int t = 1; t < TABLES; t++) {
        for (int byte = 0; byte < 256; byte++) {
            const uint32_t before = table[t - 1][byte];

            table[t][byte] = before >> 8 ^ table[0][before & 255];
        }
    }
}

static uint32_t add_by_tables(uint32_t crc, const unsigned char *byte, size_t size)
{
    uint32_t table[TABLES][256];
    size_t k = 0;

    make_tables(table);
    for (; k + 8 <= size; k += 8) {
        const unsigned char *at = byte + k;

        crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
               (uint32_t)at[3] << 24;
        crc = table[7][crc & 255] ^ table[6][crc >> 8 & 255] ^ table[5][crc >> 16 & 255] ^
              table[4][crc >> 24] ^ table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^
              table[0][at[7]];
    }
    for (; k < size; k++) {
        crc = crc >> 8 ^ table[0][(crc ^ byte[k]) & 255];
    }
    return crc;
}

uint32_t hit_crc32c_add(uint32_t crc, const void *data, size_t size)
{
    const unsigned char *byte = data;

    if (size >= SMALL) return add_by_tables(crc, byte, size);
    for (size_t k = 0; k < size; k++) {
        crc = add_byte(crc, byte[k]);
    }
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static inline uint64_t
add_eight(uint64_t sum, const unsigned char *byte)
{
    uint64_t eight;

    memcpy(&eight, byte, sizeof(eight));
    return _mm_crc32_u64(sum, eight);
}

/* An instruction waits for the one before it, three cycles: so three sums at a time. */
__attribute__((target("sse4.2"))) static uint32_t
add_thirds(uint32_t crc, const unsigned char *byte, size_t third)
{
    uint64_t sum[] = {crc, 0, 0};

    for (size_t k = 0; k < third; k += 8) {
        sum[0] = add_eight(sum[0], byte + k);
        sum[1] = add_eight(sum[1], byte + third + k);
        sum[2] = add_eight(sum[2], byte + 2 * third + k);
    }
    sum[1] ^= shifted((uint32_t)sum[0], third);
    return (uint32_t)sum[2] ^ shifted((uint32_t)sum[1], third);
}

__attribute__((target("sse4.2"))) static uint32_t
add_by_instruction(uint32_t crc, const unsigned char *byte, size_t size)
{
    const size_t third = size >= THIRDS ? size / 24 * 8 : 0;
    uint64_t sum = third > 0 ? add_thirds(crc, byte, third) : crc;
    size_t k = 3 * third;

    for (; k + 8 <= size; k += 8) {
        sum = add_eight(sum, byte + k);
    }
    for (; k < size; k++) {
        sum = _mm_crc32_u8((uint32_t)sum, byte[k]);
    }
    return (uint32_t)sum;
}
#endif

static uint32_t add(uint32_t crc, const void *data, size_t size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) return add_by_instruction(crc, data, size);
#endif
    return hit_crc32c_add(crc, data, size);
}

uint32_t hit_crc32c(const void *data, size_t size)
{
    return ~add(UINT32_MAX, data, size);
}

uint32_t hit_crc32c_part(const void *data, size_t size, uint64_t behind)
{
    return shifted(add(0, data, size), behind);
}

uint32_t hit_crc32c_whole(uint32_t parts, uint64_t size)
{
    return ~(parts ^ shifted(UINT32_MAX, size));
}
