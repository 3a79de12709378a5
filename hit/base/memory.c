/* SPDX-License-Identifier: MIT
 * Memory for elements, and sizes in bytes as text. Large buffers start at a huge page:
 * streaming kernels then miss the TLB less. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier): madvise */
#include "hit/base/memory.h"

#include "hit/base/number.h"
#include "hit/base/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

enum {
    LINE_BYTES = 64,
    PINNED_BYTES = 1 << 20, /* memory from this size on may be pinned, page by page ... */
    PAGE_BYTES = 64 << 10,  /* ... and shares no page then; the largest usual one */
    HUGE_BYTES = 2 << 20
};

static size_t alignment_of(size_t size_bytes)
{
    if (size_bytes >= HUGE_BYTES) return HUGE_BYTES;
    return size_bytes >= PINNED_BYTES ? PAGE_BYTES : LINE_BYTES;
}

hit_status hit_memory_take(size_t size_bytes, const char *what, void **memory)
{
    size_t align = alignment_of(size_bytes);
    size_t rounded = size_bytes == 0 ? align : (size_bytes + align - 1) / align * align;
    void *taken = rounded < size_bytes ? NULL : aligned_alloc(align, rounded);

    if (taken == NULL) {
        char text[32];
        hit_memory_print(size_bytes, text, sizeof(text));
        return HIT_FAIL(HIT_E_NOMEM, "no memory for %s: asked for %s (%zu bytes)", what,
                        text, size_bytes);
    }
#if defined(HAVE_POSIX) && defined(MADV_HUGEPAGE)
    /* a wish: a system without huge pages works as well */
    if (align == HUGE_BYTES) (void)madvise(taken, rounded, MADV_HUGEPAGE);
#endif
    *memory = taken;
    return HIT_OK;
}

void hit_memory_release(void **memory)
{
    free(*memory);
    *memory = NULL;
}

hit_status hit_memory_zeroed(size_t count, size_t size_bytes, void *memory_pointer)
{
    size_t total_bytes;
    void *taken = NULL;

    if (!__builtin_mul_overflow(count, size_bytes, &total_bytes)) {
        /* not calloc(0): it may answer NULL without having failed */
        taken = calloc(total_bytes == 0 ? 1 : total_bytes, 1);
    }
    if (taken == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for %zu objects of %zu bytes", count,
                        size_bytes);
    }
    memcpy(memory_pointer, &taken, sizeof(taken));
    return HIT_OK;
}

hit_status hit_memory_resize(size_t count, size_t size_bytes, const char *what,
                             void *array_pointer)
{
    void **array = array_pointer; /* a pointer to objects looks like one to void */
    size_t total_bytes;
    void *grown = NULL;

    if (!__builtin_mul_overflow(count, size_bytes, &total_bytes)) {
        grown = realloc(*array, total_bytes == 0 ? 1 : total_bytes);
    }
    if (grown == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for %s", what);
    *array = grown;
    return HIT_OK;
}

size_t hit_memory_machine_bytes(void)
{
#if defined(HAVE_POSIX) && defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);

    return pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : 0;
#else
    return 0;
#endif
}

size_t hit_memory_peak_bytes(void)
{
#if defined(HAVE_POSIX)
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
    return (size_t)usage.ru_maxrss;
#else
    return (size_t)usage.ru_maxrss * 1024;
#endif
#else
    return 0;
#endif
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
