/* SPDX-License-Identifier: MIT
 * Any head of a .npy file is refused with the reason, or is printed and read back. */
#include "hit/io/npy_impl.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hit_npy_head head;
    hit_npy_head again;
    char printed[4096];
    size_t length;

    if (hit_npy_parse("fuzzed", text, size, &head) == HIT_OK) {
        length = hit_npy_print(&head, printed, sizeof(printed));
        FUZZ_ASSERT(length > 0 && length % 64 == 0);
        FUZZ_ASSERT(hit_npy_parse("printed", printed, length, &again) == HIT_OK);
        FUZZ_ASSERT(head.dims == again.dims && head.fortran == again.fortran);
        FUZZ_ASSERT(strcmp(head.type, again.type) == 0);
        FUZZ_ASSERT(memcmp(head.extent, again.extent,
                           sizeof(hit_index) * (size_t)head.dims) == 0);
    } else {
        FUZZ_ASSERT(strstr(hit_status_text(), "fuzzed") != NULL);
    }
    free(text);
    return 0;
}
