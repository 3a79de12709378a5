/* SPDX-License-Identifier: MIT
 * What the libFuzzer targets share: preset fuzz, then fuzz.NAME. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_ASSERT(condition) ((condition) ? (void)0 : abort())

/** The input as text that ends with '\0'; for free(). */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    FUZZ_ASSERT(text);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
