/* SPDX-License-Identifier: MIT
 * Printing and scanning with '.' in numbers. The thread that calls gets the locale "C"
 * for the time of one call (POSIX uselocale()): the locale of the program and of its
 * other threads stays as it is. Without POSIX, numbers are those of the program's locale.
 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): uselocale */
#include "hit/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

typedef struct borrowed {
    locale_t own;    /**< what the thread had */
    locale_t points; /**< numbers with '.'; 0: there is no memory for it */
} borrowed;

static borrowed enter(void)
{
    borrowed b = {.points = newlocale(LC_ALL_MASK, "C", (locale_t)0)};

    if (b.points != (locale_t)0) b.own = uselocale(b.points);
    return b;
}

static void leave(borrowed b)
{
    if (b.points == (locale_t)0) return;
    (void)uselocale(b.own);
    freelocale(b.points);
}
#else
typedef int borrowed;

static borrowed enter(void)
{
    return 0;
}

static void leave(borrowed b)
{
    (void)b;
}
#endif

int hit_text_vprint(char *text, size_t size, const char *format, va_list args)
{
    const borrowed b = enter();
    const int count = vsnprintf(text, size, format, args);

    leave(b);
    return count;
}

int hit_text_print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    int count;

    va_start(args, format);
    count = hit_text_vprint(text, size, format, args);
    va_end(args);
    return count;
}

void hit_text_vadd(char *text, size_t size, const char *format, va_list args)
{
    const size_t used = strlen(text);

    (void)hit_text_vprint(text + used, size - used, format, args);
}

void hit_text_add(char *text, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    hit_text_vadd(text, size, format, args);
    va_end(args);
}

void hit_text_add_numbers(char *text, size_t size, const char *between, int count,
                          const hit_index number[])
{
    for (int k = 0; k < count; k++) {
        hit_text_add(text, size, "%s%" PRId64, k > 0 ? between : "", number[k]);
    }
}

const char *hit_text_shape(int dims, const hit_index extent[], char *text, size_t size)
{
    if (dims == 0) return "a scalar";
    text[0] = '\0';
    hit_text_add_numbers(text, size, " x ", dims, extent);
    return text;
}

bool hit_text_skip(const char **at, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

int hit_text_scan(const char *text, const char *format, ...)
{
    const borrowed b = enter();
    va_list args;
    int count;

    va_start(args, format);
    count = vsscanf(text, format, args);
    va_end(args);
    leave(b);
    return count;
}

double hit_text_real(const char *text, const char **end)
{
    const borrowed b = enter();
    char *after = NULL;
    double number = 0;

    *end = text;
    if (*text > ' ' && *text != '+') {
        number = strtod(text, &after);
        *end = after;
    }
    leave(b);
    return number;
}

bool hit_text_percent(const char *text, double *share)
{
    const char *end;
    const double percent = hit_text_real(text, &end);

    if (end == text || (*end != '\0' && strcmp(end, "%") != 0)) return false;
    *share = percent / 100;
    return percent >= 0 && isfinite(percent);
}
