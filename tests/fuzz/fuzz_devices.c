/* SPDX-License-Identifier: MIT
 * Any HIT_DEVICES is refused with the reason, or is a list whose items are printed and
 * read back the same. */
#include "hit/device/device.h"
#include "tests/fuzz/fuzz.h"

enum {
    MOST = 8
};

static void check_printing(const hit_device_spec *spec)
{
    hit_device_spec again;
    char text[1024];
    char second[1024];
    int count = 0;

    hit_device_print(spec, text, sizeof(text));
    FUZZ_ASSERT(hit_device_parse(text, NULL, 1, &again, &count) == HIT_OK && count == 1);
    hit_device_print(&again, second, sizeof(second));
    FUZZ_ASSERT(strcmp(text, second) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hit_device_spec spec[MOST];
    int count = 0;

    if (hit_device_parse(text, NULL, MOST, spec, &count) == HIT_OK) {
        FUZZ_ASSERT(count >= 1 && count <= MOST);
        for (int k = 0; k < count; k++) {
            check_printing(&spec[k]);
        }
    } else {
        FUZZ_ASSERT(strlen(hit_status_text()) > 0);
    }
    free(text);
    return 0;
}
