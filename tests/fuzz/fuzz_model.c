/* SPDX-License-Identifier: MIT
 * Any text is refused with a reason, or is a model whose times are numbers no less than
 * 0 for any units. */
#include "hit/model/fpm_file.h"
#include "hit/model/fpm_time.h"
#include "tests/fuzz/fuzz.h"

static void check_model(const hit_fpm *model)
{
    static const hit_index units[] = {0, 1, 2, 7, 100, 12345, (hit_index)1 << 40};

    for (size_t k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
        FUZZ_ASSERT(hit_fpm_time(model, units[k]) >= 0); /* not NaN either */
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hit_fpm *model = NULL;

    if (hit_fpm_parse(text, "fuzzed", &model) == HIT_OK) {
        check_model(model);
        hit_fpm_destroy(&model);
    } else {
        FUZZ_ASSERT(model == NULL);
        FUZZ_ASSERT(strlen(hit_status_text()) > 0);
    }
    free(text);
    return 0;
}
