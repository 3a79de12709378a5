/* SPDX-License-Identifier: MIT
 * Cleared memory, and sizes in bytes as text. Numbers are read and written without the C
 * library's floating-point conversions, which depend on the locale of the program. */
#include "hit/base/memory.h"

#include "hit/base/input.h"
#include "hit/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_memory_zeroed(size_t count, size_t size_bytes, void *memory_pointer)
{
    size_t total_bytes;
    void *taken = NULL;

    if (!__builtin_mul_overflow(count, size_bytes, &total_bytes)) {
        /* not calloc(0): it may answer NULL without having failed */
        taken = calloc(total_bytes == 0 ? 1 : total_bytes, 1);
    }
    memcpy(memory_pointer, &taken, sizeof(taken));
    if (taken != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_NOMEM, "no memory for %zu objects of %zu bytes", count,
                    size_bytes);
}

static bool equal_nocase(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    }
    return true;
}

/* The bytes of a unit of `length` characters; 0 if it is unknown. */
static long double unit_bytes(const char *text, size_t length)
{
    static const struct {
        const char *name;
        long double bytes;
    } unit[] = {
        {"", 1},       {"B", 1},         {"kB", 1e3L}, {"KiB", 0x1p10L},
        {"MB", 1e6L},  {"MiB", 0x1p20L}, {"GB", 1e9L}, {"GiB", 0x1p30L},
        {"TB", 1e12L}, {"TiB", 0x1p40L},
    };

    for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
        if (strlen(unit[i].name) != length) continue;
        if (equal_nocase(unit[i].name, text, length)) return unit[i].bytes;
    }
    return 0;
}

/* Digits with an optional fraction, no sign and no exponent; whole numbers are exact.
 * Returns the first character after it, or @p text if there is no number. */
static const char *read_digits(const char *text, long double *number)
{
    const char *end = text;
    hit_index whole;

    if (hit_number_next(&end, 0, INT64_MAX, &whole) && *end != '.') {
        *number = whole;
        return end;
    }
    *number = hit_text_real(text, &end);
    return end <= text + strspn(text, "0123456789.") ? end : text;
}

hit_status hit_memory_parse(const char *text, size_t *size_bytes)
{
    const char *at = text + strspn(text, " \t");
    long double value;
    const char *end = read_digits(at, &value);
    if (end == at) {
        return HIT_FAIL(HIT_E_ARG, "expected a size such as \"512MiB\" but found \"%s\"",
                        text);
    }
    at = end + strspn(end, " \t");
    size_t length = strcspn(at, " \t");
    long double unit = unit_bytes(at, length);
    if (unit == 0 || at[length + strspn(at + length, " \t")] != '\0') {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a unit of B, kB, KiB, MB, MiB, GB, GiB, TB or TiB "
                        "but found \"%s\" in \"%s\"",
                        at, text);
    }
    value *= unit;
    if (value < 1 || value > (long double)(SIZE_MAX / 2)) {
        return HIT_FAIL(HIT_E_ARG, "expected a size of 1 to %zu bytes but found \"%s\"",
                        SIZE_MAX / 2, text);
    }
    *size_bytes = (size_t)value;
    return HIT_OK;
}

void hit_memory_print(uint64_t bytes, char *text, size_t size)
{
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int k = 0;

    while (value >= 1023.995) { /* what two decimals would round up to 1024 */
        value /= 1024;
        k++;
    }
    unsigned hundredths = (unsigned)(value * 100 + 0.5);
    unsigned whole = hundredths / 100;
    unsigned rest = hundredths % 100;
    if (rest == 0) {
        snprintf(text, size, "%u %s", whole, unit[k]);
    } else if (rest % 10 == 0) {
        snprintf(text, size, "%u.%u %s", whole, rest / 10, unit[k]);
    } else {
        snprintf(text, size, "%u.%02u %s", whole, rest, unit[k]);
    }
}
