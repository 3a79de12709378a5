/* SPDX-License-Identifier: MIT
 * Any options of any layout are refused with the reason, or give parts that are disjoint,
 * cover the domain, and belong to their owners. The first bytes choose the plug-in, the
 * number of ranks and the domain. */
#include "hit/data/region.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"
#include "tests/fuzz/fuzz.h"

static void check_part(const hit_layout *layout, int rank, hit_index *elements)
{
    hit_region part = {0};

    FUZZ_ASSERT(hit_layout_part(layout, rank, &part) == HIT_OK);
    for (int k = 0; k < part.count; k++) {
        hit_index x[HIT_MAX_DIMS] = {0};

        FUZZ_ASSERT(hit_domain_check(&part.part[k]) == HIT_OK);
        *elements += hit_domain_count(&part.part[k]);
        for (bool more = hit_domain_first(&part.part[k], x); more;
             more = hit_domain_next(&part.part[k], x)) {
            FUZZ_ASSERT(hit_layout_owner(layout, x) == rank); /* so parts are disjoint */
        }
    }
    hit_region_clear(&part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const hit_sig sig[] = {{-3, 27, 5}, {0, 10, 1}, {4, 8, 2}, {1, 2, 1}};
    hit_domain domain = {0};
    hit_layout *layout = NULL;
    hit_index elements = 0;
    char *text;
    int ranks;

    if (size < 3) return 0;
    ranks = 1 + data[1] % 9;
    domain.dims = data[2] % (HIT_MAX_DIMS + 1);
    memcpy(domain.sig, sig, sizeof(hit_sig) * (size_t)domain.dims);
    text = fuzz_text(data + 3, size - 3);
    if (strchr(text, '/') == NULL && /* no files of the system as models */
        hit_layout_plan(hit_layout_table[data[0] % hit_layout_table_count], domain, ranks,
                        text, &layout) == HIT_OK) {
        for (int rank = 0; rank < ranks; rank++) {
            check_part(layout, rank, &elements);
        }
        FUZZ_ASSERT(elements == hit_domain_count(&domain));
        hit_layout_destroy(&layout);
    }
    free(text);
    return 0;
}
