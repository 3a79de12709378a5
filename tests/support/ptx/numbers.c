/* SPDX-License-Identifier: MIT
 * Random elements of all kinds. */
#include "tests/support/ptx/numbers.h"

#include "hit/base/kind.h"

#include <math.h>
#include <string.h>

char numbers_letter(hit_type type)
{
#define LETTER(KIND, name, c_type, letter)                                               \
    case HIT_KIND_##KIND:                                                                \
        return #letter[0];
    switch (type.kind) {
        HIT_KINDS(LETTER)
    default:
        return '?';
    }
}

static bool is_unsigned(hit_type type)
{
    return numbers_letter(type) == 'u' || numbers_letter(type) == 'b';
}

/* Whole numbers up to @p most, so that sums do not depend on their order. */
static void whole_numbers(hit_random *random, hit_type type, hit_index most, char *to,
                          hit_index count)
{
    const hit_index low = is_unsigned(type) ? 0 : -most;
    hit_type part = type;

    if (numbers_letter(type) == 'c') { /* both parts of a complex number */
        part.size_bytes /= 2;
        part.kind = part.size_bytes == sizeof(float) ? HIT_KIND_FLOAT : HIT_KIND_DOUBLE;
        count *= 2;
    }
    for (hit_index k = 0; k < count; k++) {
        hit_type_set(part, (double)hit_random_index(random, low, most),
                     to + (size_t)k * part.size_bytes);
    }
}

void numbers_small(hit_random *random, hit_type type, char *to, hit_index count)
{
    whole_numbers(random, type, numbers_letter(type) == 'E' ? 1 : 9 /* of 8 digits */, to,
                  count);
}

/* Numbers of 16 bits with any digits, up to 8 times as large as others: where two of them
 * are added digits are lost, often half of what the last one counts. */
static void all_digits(hit_random *random, hit_type type, char *to, hit_index count)
{
    const int digits = numbers_letter(type) == 'E' ? 7 : 10; /* behind the leading 1 */
    const hit_index powers = (0x7fff >> digits) - 4;
    const hit_index low = hit_random_index(random, 0, powers) << digits;
    const hit_index most = low + ((hit_index)4 << digits) - 1;

    for (hit_index k = 0; k < count; k++) {
        const uint16_t bits = (uint16_t)(hit_random_index(random, low, most) |
                                         hit_random_index(random, 0, 1) << 15);
        memcpy(to + (size_t)k * sizeof(bits), &bits, sizeof(bits));
    }
}

void numbers_alone(hit_random *random, hit_type type, char *to, hit_index columns,
                   hit_index rows, int most)
{
    uint16_t number[2];

    if (strchr("eE", numbers_letter(type)) == NULL) return;
    memset(to, 0, (size_t)(rows * columns) * sizeof(number[0]));
    for (hit_index c = 0; c < columns; c++) {
        all_digits(random, type, (char *)number, 2);
        for (int k = 0; k < most; k++) {
            const hit_index at = hit_random_index(random, 0, rows - 1) * columns + c;
            memcpy(to + (size_t)at * sizeof(number[0]), &number[k], sizeof(number[0]));
        }
    }
}

/* Most are infinite: what is behind them decides. */
static void infinite(hit_random *random, hit_type type, char *to, hit_index count)
{
    const double all = hit_random_index(random, 0, 1) == 1 ? INFINITY : -INFINITY;

    for (hit_index k = 0; k < count; k++) {
        if (hit_random_index(random, 0, 3) == 0) continue;
        hit_type_set(type, all, to + (size_t)k * type.size_bytes);
    }
}

/* Numbers of 16 bits of which none is far from another, around those where their kind
 * changes: zeros of both signs, the largest without a leading 1, the largest one. */
static void neighbours(hit_random *random, hit_type type, char *to, hit_index count)
{
    static const unsigned ends[2][4] = {{0, 0x3ff, 0x400, 0x7bff},
                                        {0, 0x7f, 0x80, 0x7f7f}};
    const int of = numbers_letter(type) == 'E';
    const unsigned end = ends[of][hit_random_index(random, 0, 3)];
    const unsigned sign = (unsigned)hit_random_index(random, 0, 1) << 15;

    for (hit_index k = 0; k < count; k++) {
        const unsigned least = end < 2 ? 0 : end - 2;
        const unsigned size = least + (unsigned)hit_random_index(random, 0, 3);
        const uint16_t bits = (uint16_t)(size | sign);
        memcpy(to + (size_t)k * sizeof(bits), &bits, sizeof(bits));
    }
}

static void zeros(hit_random *random, hit_type type, char *to, hit_index count)
{
    for (hit_index k = 0; k < count; k++) {
        hit_type_set(type, hit_random_index(random, 0, 1) == 1 ? 0.0 : -0.0,
                     to + (size_t)k * type.size_bytes);
    }
}

/* Of unlike numbers the least and the largest show which were looked at. Those of
 * floating types have extremes among them, or are zeros, or neighbours, or infinite. */
void numbers_any(hit_random *random, hit_type type, char *to, hit_index count)
{
    static const double extremes[] = {NAN, INFINITY, -INFINITY, 1e-7, -65504, 0, -0.0};

    const hit_index which = hit_random_index(random, 0, 5);

    whole_numbers(random, type, 120, to, count);
    if (strchr("feE", numbers_letter(type)) == NULL) return;
    if (which == 0) zeros(random, type, to, count);
    if (which == 1 && type.size_bytes == 2) neighbours(random, type, to, count);
    if (which == 2 && type.size_bytes == 2) all_digits(random, type, to, count);
    if (which == 3) infinite(random, type, to, count);
    if (which < 4) return;
    for (hit_index k = hit_random_index(random, 0, 40); k < count; k += 31) {
        hit_type_set(type, extremes[hit_random_index(random, 0, 6)],
                     to + (size_t)k * type.size_bytes);
    }
}
