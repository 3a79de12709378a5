/* SPDX-License-Identifier: MIT
 * The little JSON that the tool writes: one object on one line. Bytes that are no UTF-8,
 * as file names may have, are written as U+FFFD, so that readers do not stumble. */
#include "hit/tool/json.h"

#include "hit/base/status.h"

#include <inttypes.h>
#include <stdio.h>

/** The length of the UTF-8 character at @p text; 0 if there is none. */
static int utf8_length(const unsigned char *text)
{
    int length = text[0] < 0x80   ? 1
                 : text[0] < 0xc2 ? 0
                 : text[0] < 0xe0 ? 2
                 : text[0] < 0xf0 ? 3
                 : text[0] < 0xf5 ? 4
                                  : 0;

    for (int k = 1; k < length; k++) {
        if ((text[k] & 0xc0) != 0x80) return 0; /* also the end */
    }
    return length;
}

void hit_json_text(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    (void)putchar('"');
    while (*at != '\0') {
        int length = utf8_length(at);

        if (length == 0) {
            (void)fputs("\\ufffd", stdout);
            at++;
        } else if (*at == '"' || *at == '\\') {
            printf("\\%c", *at++);
        } else if (*at < ' ') {
            printf("\\u%04x", (unsigned)*at++);
        } else {
            printf("%.*s", length, (const char *)at);
            at += length;
        }
    }
    (void)putchar('"');
}

void hit_json_failure(const char *status)
{
    printf("{\"status\": \"%s\", \"message\": ", status);
    hit_json_text(hit_status_text());
    printf("}\n");
}

void hit_json_numbers(hit_index count, const hit_index number[])
{
    (void)putchar('[');
    for (hit_index k = 0; k < count; k++) {
        printf("%s%" PRId64, k > 0 ? ", " : "", number[k]);
    }
    (void)putchar(']');
}
