/* SPDX-License-Identifier: MIT
 * Quoting, in the one place where all conversions of a format are seen: a caller cannot
 * forget it. What a format says itself is a literal of the program, and passes as it is.
 */
#include "hit/base/quote.h"

#include "hit/base/text.h"

#include <stdint.h>
#include <string.h>

/** Where it goes: to a file, or into a text of @p room bytes. */
typedef struct sink {
    FILE *file;
    char *text;
    size_t room;
    size_t used; /**< bytes, also those for which there is no room */
} sink;

static void put(sink *to, const char *bytes, size_t count)
{
    if (to->file != NULL) {
        (void)fwrite(bytes, 1, count, to->file);
    } else if (to->used + 1 < to->room) {
        const size_t left = to->room - 1 - to->used;

        memcpy(to->text + to->used, bytes, count < left ? count : left);
    }
    to->used += count;
}

/* ---- characters ---- */

/* The character at @p text, and its length in bytes; 0: it is no UTF-8. Of one that is
 * longer than @p limit only the length. */
static size_t decode(const char *text, size_t limit, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const size_t length = at[0] < 0x80   ? 1
                          : at[0] < 0xc2 ? 0
                          : at[0] < 0xe0 ? 2
                          : at[0] < 0xf0 ? 3
                          : at[0] < 0xf5 ? 4
                                         : 0;

    if (length > limit) return length;
    *code = length == 1 ? at[0] : at[0] & (0x7fU >> length);
    for (size_t k = 1; k < length; k++) {
        if ((at[k] & 0xc0) != 0x80) return 0; /* also the end */
        *code = *code << 6 | (at[k] & 0x3fU);
    }
    if (length > 1 && *code < least[length]) return 0;
    return *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ? 0 : length;
}

/* Does a terminal do something at this character, or show it elsewhere? */
static bool acts(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || (code & 0xfffe) == 0xfffe;
}

static bool is_plain(uint32_t code)
{
    return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') ||
           (code >= 'a' && code <= 'z') ||
           (code > 0 && code < 0x80 && strchr(" ._/:,=+-", (int)code) != NULL);
}

static void put_line(sink *to, uint32_t code)
{
    char escape[16];

    if (code == '\n') {
        (void)snprintf(escape, sizeof(escape), "\\n");
    } else if (code == '\t') {
        (void)snprintf(escape, sizeof(escape), "\\t");
    } else {
        (void)snprintf(escape, sizeof(escape), code < 0x80 ? "\\x%02x" : "\\u%04x", code);
    }
    put(to, escape, strlen(escape));
}

static void put_json(sink *to, uint32_t code)
{
    char escape[16];

    if (code == '"' || code == '\\') {
        (void)snprintf(escape, sizeof(escape), "\\%c", (int)code);
    } else {
        (void)snprintf(escape, sizeof(escape), "\\u%04x", code < 0x10000 ? code : 0xfffd);
    }
    put(to, escape, strlen(escape));
}

/* XML has no control characters but three. */
static void put_xml(sink *to, uint32_t code)
{
    const bool allowed = code == '\t' || code == '\n' || code == '\r' || code >= 0x20;
    char escape[16];

    if ((code & 0xfffe) == 0xfffe) code = 0xfffd;
    (void)snprintf(escape, sizeof(escape), "&#x%x;", allowed ? code : 0xfffd);
    put(to, escape, strlen(escape));
}

/* Without any of the characters that are special between double quotes: ", \, `, $, @. */
static void put_gnuplot(sink *to, const char *at, size_t length)
{
    char escape[8];

    for (size_t k = 0; k < length; k++) {
        (void)snprintf(escape, sizeof(escape), "\\%03o", (unsigned char)at[k]);
        put(to, escape, strlen(escape));
    }
}

static void put_character(sink *to, hit_language language, const char *at, size_t length,
                          uint32_t code)
{
    const bool harmless = !acts(code);

    if (language == HIT_LANGUAGE_LINE && !harmless) {
        put_line(to, code);
    } else if (language == HIT_LANGUAGE_JSON &&
               (!harmless || code == '"' || code == '\\')) {
        put_json(to, code);
    } else if (language == HIT_LANGUAGE_XML &&
               (!harmless || (code < 0x80 && strchr("<>&\"'", (int)code) != NULL))) {
        put_xml(to, code);
    } else if (language == HIT_LANGUAGE_GNUPLOT && !is_plain(code)) {
        put_gnuplot(to, at, length);
    } else {
        put(to, at, length);
    }
}

/* A byte that begins no character. */
static void put_byte(sink *to, hit_language language, unsigned char byte)
{
    static const char *const unknown[] = {
        [HIT_LANGUAGE_LINE] = "\\x%02x",
        [HIT_LANGUAGE_JSON] = "\\ufffd",
        [HIT_LANGUAGE_XML] = "&#xfffd;",
        [HIT_LANGUAGE_GNUPLOT] = "?",
    };
    char escape[16];

    (void)snprintf(escape, sizeof(escape), unknown[language], byte);
    put(to, escape, strlen(escape));
}

/** At most @p most bytes of @p text. */
static void put_quoted(sink *to, hit_language language, const char *text, size_t most)
{
    const bool quotes = language == HIT_LANGUAGE_JSON || language == HIT_LANGUAGE_GNUPLOT;
    size_t at = 0;

    if (quotes) put(to, "\"", 1);
    while (at < most && text[at] != '\0') {
        uint32_t code = 0;
        const size_t length = decode(text + at, most - at, &code);

        if (length > most - at) break;
        if (length == 0) {
            put_byte(to, language, (unsigned char)text[at]);
        } else {
            put_character(to, language, text + at, length, code);
        }
        at += length > 0 ? length : 1;
    }
    if (quotes) put(to, "\"", 1);
}

/* ---- formats ---- */

/** va_list may be an array: one that functions can hand on. */
typedef struct arguments {
    va_list list;
} arguments;

/** "%-10.3ld", less its kind. */
typedef struct conversion {
    char flags[8];
    int width;
    int precision; /**< -1: none */
    char length[4];
    char kind;
} conversion;

static int read_count(const char **at, arguments *args)
{
    int count = 0;

    if (**at == '*') {
        (*at)++;
        return va_arg(args->list, int);
    }
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        count = 10 * count + (**at - '0');
    }
    return count;
}

/* Up to what is not one of @p set. */
static void read_set(const char **at, const char *set, char *found, size_t size)
{
    const size_t count = strspn(*at, set);

    (void)snprintf(found, size, "%.*s", (int)count, *at);
    *at += count;
}

/* From behind the '%'. */
static const char *read_conversion(const char *at, arguments *args, conversion *c)
{
    *c = (conversion){.precision = -1};
    read_set(&at, "-+ #0", c->flags, sizeof(c->flags));
    c->width = read_count(&at, args);
    if (c->width < 0) {
        c->flags[0] = '-';
        c->flags[1] = '\0';
        c->width = -c->width;
    }
    if (*at == '.') {
        at++;
        c->precision = read_count(&at, args);
    }
    read_set(&at, "hlzjt", c->length, sizeof(c->length));
    c->kind = *at;
    return *at != '\0' ? at + 1 : at;
}

static void put_string(sink *to, hit_language language, const conversion *c,
                       const char *text)
{
    const size_t most = c->precision < 0 ? SIZE_MAX : (size_t)c->precision;
    const bool left = strchr(c->flags, '-') != NULL;
    sink measured = {NULL, NULL, 0, 0};
    size_t pad = 0;

    if (text == NULL) text = "(null)";
    if (language == HIT_LANGUAGE_LINE && text == hit_status_text()) {
        put(to, text, strlen(text)); /* was quoted when it was made, and may have lines */
        return;
    }
    put_quoted(&measured, language, text, most);
    if (measured.used < (size_t)c->width) pad = (size_t)c->width - measured.used;
    for (; !left && pad > 0; pad--) {
        put(to, " ", 1);
    }
    put_quoted(to, language, text, most);
    for (; pad > 0; pad--) {
        put(to, " ", 1);
    }
}

static int64_t next_signed(const char *length, arguments *args)
{
    if (strcmp(length, "ll") == 0) return va_arg(args->list, long long);
    if (length[0] == 'l') return va_arg(args->list, long);
    if (length[0] == 'j') return va_arg(args->list, intmax_t);
    if (length[0] == 'z' || length[0] == 't') return va_arg(args->list, ptrdiff_t);
    return va_arg(args->list, int);
}

static uint64_t next_unsigned(const char *length, arguments *args)
{
    if (strcmp(length, "ll") == 0) return va_arg(args->list, unsigned long long);
    if (length[0] == 'l') return va_arg(args->list, unsigned long);
    if (length[0] == 'j') return va_arg(args->list, uintmax_t);
    if (length[0] == 'z' || length[0] == 't') return va_arg(args->list, size_t);
    return va_arg(args->list, unsigned);
}

/* A number, or whatever else has nothing to be quoted. */
static void put_number(sink *to, const conversion *c, arguments *args)
{
    const bool whole = strchr("dixXuo", c->kind) != NULL;
    char format[32];
    char text[512];

    (void)snprintf(format, sizeof(format), "%%%s*.*%s%c", c->flags, whole ? "j" : "",
                   c->kind);
    if (c->kind == 'd' || c->kind == 'i') {
        (void)hit_text_print(text, sizeof(text), format, c->width, c->precision,
                             (intmax_t)next_signed(c->length, args));
    } else if (whole) {
        (void)hit_text_print(text, sizeof(text), format, c->width, c->precision,
                             (uintmax_t)next_unsigned(c->length, args));
    } else if (c->kind == 'p') {
        (void)snprintf(text, sizeof(text), "%p", va_arg(args->list, void *));
    } else {
        (void)hit_text_print(text, sizeof(text), format, c->width, c->precision,
                             va_arg(args->list, double));
    }
    put(to, text, strlen(text));
}

static void print(sink *to, hit_language language, const char *format, arguments *args)
{
    while (*format != '\0') {
        const size_t plain = strcspn(format, "%");
        conversion c;

        put(to, format, plain);
        format += plain;
        if (*format == '\0') return;
        format = read_conversion(format + 1, args, &c);
        if (c.kind == '%') {
            put(to, "%", 1);
        } else if (c.kind == 's') {
            put_string(to, language, &c, va_arg(args->list, const char *));
        } else if (c.kind == 'c') {
            const char one[] = {(char)va_arg(args->list, int), '\0'};

            put_string(to, language, &c, one);
        } else {
            put_number(to, &c, args);
        }
    }
}

void hit_quote_write(FILE *file, hit_language language, const char *format, ...)
{
    sink to = {file, NULL, 0, 0};
    arguments args;

    va_start(args.list, format);
    print(&to, language, format, &args);
    va_end(args.list);
}

void hit_say(FILE *file, const char *format, ...)
{
    sink to = {file, NULL, 0, 0};
    arguments args;

    va_start(args.list, format);
    print(&to, HIT_LANGUAGE_LINE, format, &args);
    va_end(args.list);
}

void hit_say_lines(FILE *file, const char *lines)
{
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");

        hit_say(file, "%.*s", (int)length, lines);
        lines += length;
        if (*lines == '\n') (void)fputc(*lines++, file);
    }
}

void hit_quote_vprint(char *text, size_t size, hit_language language, const char *format,
                      va_list args)
{
    sink to = {NULL, text, size, 0};
    arguments own;

    va_copy(own.list, args);
    print(&to, language, format, &own);
    va_end(own.list);
    if (size > 0) text[to.used < size ? to.used : size - 1] = '\0';
}
