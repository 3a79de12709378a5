/* SPDX-License-Identifier: MIT
 * libFuzzer target: any text is either refused or read, printed, and read back the same;
 * and what was read can be applied to domains without overflow. */
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>

static const char *const names[] = {"i", "j", "k"};

static char *print(const hit_pattern *pattern)
{
    /* a range has up to six coefficients, four offsets, two divisors and a stride of 20
     * characters */
    size_t size =
        (size_t)pattern->count * (4 + 384 * (size_t)pattern->tile_dims) + sizeof("<- ");
    char *text = malloc(size);

    FUZZ_ASSERT(text);
    hit_pattern_print(pattern, names, text, size);
    FUZZ_ASSERT(strlen(text) + 1 < size);
    return text;
}

static void check_printing(const hit_pattern *pattern)
{
    char *text = print(pattern);
    hit_pattern again;

    FUZZ_ASSERT(hit_pattern_parse(text, 3, names, &again) == HIT_OK);
    FUZZ_ASSERT(again.count == pattern->count && again.tile_dims == pattern->tile_dims);
    FUZZ_ASSERT(again.only_read == pattern->only_read);
    char *second = print(&again);
    FUZZ_ASSERT(strcmp(text, second) == 0);
    hit_pattern_clear(&again);
    free(second);
    free(text);
}

static void check_transform(const hit_pattern *pattern)
{
    hit_domain index = {.dims = 3, .sig = {{-3, 9, 1}, {0, INT64_MAX - 1, 2}, {7, 7, 1}}};
    hit_domain tile = {.dims = pattern->tile_dims};

    for (int d = 0; d < tile.dims; d++) {
        tile.sig[d] = hit_sig_make(INT64_MIN + d, INT64_MAX - d, d + 1);
    }
    hit_domain cover = hit_pattern_cover(pattern, &tile, &index);
    for (int a = 0; a < pattern->count; a++) {
        hit_domain one = hit_access_apply(&pattern->access[a], &tile, &index);
        FUZZ_ASSERT(hit_domain_check(&one) == HIT_OK);
        FUZZ_ASSERT(hit_domain_inside(&one, &cover));
    }
    if (pattern->count == 1) (void)hit_pattern_is_exact(pattern, &tile, &index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hit_pattern pattern;

    if (hit_pattern_parse(text, 3, names, &pattern) == HIT_OK) {
        (void)hit_pattern_is_regular(&pattern, NULL, 0);
        check_printing(&pattern);
        check_transform(&pattern);
        hit_pattern_clear(&pattern);
    } else {
        FUZZ_ASSERT(strchr(hit_status_text(), '^'));
    }
    free(text);
    return 0;
}
