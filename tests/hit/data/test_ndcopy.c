/* SPDX-License-Identifier: MIT
 * Strided copies against element-by-element copies: random views (selections of larger
 * row-major arrays, strided, up to 4 dimensions), random remaps, element sizes with and
 * without a loop of their own. The whole target array is compared, so that a byte too
 * many is seen as well. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/ndcopy.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    CASES = 20000
};

/* One end of a copy: a row-major array over a root domain, of which a view selects a
 * part. */
typedef struct place {
    hit_domain root;
    hit_view view;
    char *bytes;
    size_t total;
} place;

static char *take(size_t size_bytes)
{
    void *memory = NULL;
    ck_assert_int_eq(hit_memory_take(size_bytes, "a test", &memory), HIT_OK);
    return memory;
}

/* Where element x of a row-major array lies, without any function under test. */
static size_t offset_of(const hit_domain *root, size_t size_bytes, const hit_index x[])
{
    hit_index element = 0;
    for (int d = 0; d < root->dims; d++) {
        hit_sig sig = root->sig[d];
        hit_index count = (sig.end - sig.begin) / sig.stride + 1;
        element = element * count + (x[d] - sig.begin) / sig.stride;
    }
    return (size_t)element * size_bytes;
}

/* A random signature that holds sig: finer by a divisor of the stride, longer at both
 * ends. */
static hit_sig around(hit_random *random, hit_sig sig)
{
    hit_index stride = hit_random_index(random, 1, 3);
    if (sig.begin != sig.end) stride = hit_index_gcd(sig.stride, stride);
    return hit_sig_make(sig.begin - stride * hit_random_index(random, 0, 2),
                        sig.end + stride * hit_random_index(random, 0, 2), stride);
}

static hit_domain domain_around(hit_random *random, const hit_domain *domain)
{
    hit_domain wide = {.dims = domain->dims};
    for (int d = 0; d < domain->dims; d++) {
        bool tight = hit_random_index(random, 0, 2) == 0; /* so that runs merge */
        wide.sig[d] = tight ? domain->sig[d] : around(random, domain->sig[d]);
    }
    return wide;
}

/* A view that holds domain, within an array of random bytes. */
static place random_place(hit_random *random, const hit_domain *domain, size_t size_bytes)
{
    hit_domain selected = domain_around(random, domain);
    place made = {.root = domain_around(random, &selected)};

    made.total = (size_t)hit_domain_count(&made.root) * size_bytes;
    made.bytes = take(made.total);
    for (size_t i = 0; i < made.total; i++) {
        made.bytes[i] = (char)(hit_random_next(random) & 0x7f);
    }
    hit_view whole = hit_view_make(&made.root, size_bytes, made.bytes);
    made.view = hit_view_select(&whole, &selected);
    return made;
}

static void clear(const place *used)
{
    void *memory = used->bytes;
    hit_memory_release(&memory);
}

static hit_remap random_remap(hit_random *random)
{
    hit_remap remap = hit_remap_identity();
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        hit_index kind = hit_random_index(random, 0, 5);
        remap.sign[d] = kind == 0 ? 0 : kind == 1 ? -1 : 1;
        remap.offset[d] = hit_random_index(random, -9, 9);
    }
    return remap;
}

static void source_of(const hit_remap *remap, int dims, const hit_index x[],
                      hit_index y[])
{
    for (int d = 0; d < dims; d++) {
        y[d] = remap->sign[d] * x[d] + remap->offset[d];
    }
}

/* The copy done element by element, into the array wanted, which starts as to. */
static bool copy_slowly(const place *from, const place *to, const hit_domain *domain,
                        const hit_remap *remap, char *wanted)
{
    size_t size_bytes = to->view.size_bytes;
    hit_index x[HIT_MAX_DIMS] = {0};
    hit_index y[HIT_MAX_DIMS] = {0};
    bool right = true;

    memcpy(wanted, to->bytes, to->total);
    for (bool more = hit_domain_first(domain, x); more;
         more = hit_domain_next(domain, x)) {
        source_of(remap, domain->dims, x, y);
        char *target = wanted + offset_of(&to->root, size_bytes, x);
        const char *source = from->bytes + offset_of(&from->root, size_bytes, y);
        memcpy(target, source, size_bytes);
        right = right && hit_view_at(&from->view, y) == source;
    }
    return right;
}

START_TEST(copies_equal_element_by_element_copies)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 40};
    hit_random random = hit_random_start(401);
    for (int n = 0; n < CASES; n++) {
        int dims = n % 5;
        hit_domain domain = hit_random_domain(&random, dims, -3, dims < 3 ? 9 : 2, 4);
        size_t size_bytes = sizes[hit_random_index(&random, 0, 10)];
        hit_remap remap = random_remap(&random);
        hit_domain image = hit_remap_apply(&remap, &domain);
        if (hit_domain_is_empty(&domain)) continue;
        place from = random_place(&random, &image, size_bytes);
        place to = random_place(&random, &domain, size_bytes);
        char *wanted = take(to.total);
        bool found = copy_slowly(&from, &to, &domain, &remap, wanted);
        ck_assert(found);

        hit_ndcopy copy = hit_ndcopy_make(&from.view, &to.view, &domain, &remap);
        hit_ndcopy_run(&copy, from.view.data, to.view.data);
        ck_assert_msg(memcmp(to.bytes, wanted, to.total) == 0, "case %d: %d dims of %zu",
                      n, dims, size_bytes);
        ck_assert_uint_eq(hit_ndcopy_bytes(&copy),
                          (size_t)hit_domain_count(&domain) * size_bytes);
        void *memory = wanted;
        hit_memory_release(&memory);
        clear(&from);
        clear(&to);
    }
}
END_TEST

START_TEST(images_are_the_set_of_all_sources)
{
    hit_random random = hit_random_start(402);
    for (int n = 0; n < CASES; n++) {
        hit_domain domain = hit_random_domain(&random, 1, -20, 20, 5);
        hit_remap remap = random_remap(&random);
        hit_domain image = hit_remap_apply(&remap, &domain);
        bool is_source[81] = {false};
        bool right = hit_domain_check(&image) == HIT_OK;
        hit_index x[1];
        hit_index y[1];
        bool more = hit_domain_first(&domain, x);
        for (; more; more = hit_domain_next(&domain, x)) {
            source_of(&remap, 1, x, y);
            is_source[y[0] + 40] = true;
        }
        for (y[0] = -40; y[0] <= 40; y[0]++) {
            right = right && hit_domain_has(&image, y) == is_source[y[0] + 40];
        }
        ck_assert(right);
    }
}
END_TEST

/* Copy a part of one array 0..9 x 0..19 x 0..29 of doubles to another. */
static hit_ndcopy copy_of(hit_domain part)
{
    hit_domain whole = hit_domain_of(10, 20, 30);
    hit_view view = hit_view_make(&whole, 8, NULL);
    return hit_ndcopy_make(&view, &view, &part, NULL);
}

START_TEST(contiguous_dimensions_become_one_run)
{
    hit_ndcopy copy = copy_of(hit_domain_of(10, 20, 30));
    ck_assert_int_eq(copy.dims, 0);
    ck_assert_uint_eq(copy.run_bytes, 48000);
    copy = copy_of(hit_domain_of(3, 20, 30)); /* planes */
    ck_assert_int_eq(copy.dims, 0);
    ck_assert_uint_eq(copy.run_bytes, 14400);
    copy = copy_of(hit_domain_of(3, 5, 30)); /* whole rows */
    ck_assert_int_eq(copy.dims, 1);
    ck_assert_uint_eq(copy.run_bytes, 1200);
    copy = copy_of(hit_domain_of(1, 5, 7)); /* a box in one plane */
    ck_assert_int_eq(copy.dims, 1);
    ck_assert_int_eq(copy.count[0], 5);
    ck_assert_uint_eq(copy.run_bytes, 56);
    copy =
        copy_of(hit_domain_of(10, 20, 1)); /* a face of columns: one loop over all rows */
    ck_assert_int_eq(copy.dims, 1);
    ck_assert_int_eq(copy.count[0], 200);
    ck_assert_int_eq(copy.from_stride[0], 240);
    ck_assert_uint_eq(copy.run_bytes, 8);
    copy = copy_of(hit_domain_of(3, 5, 7));
    ck_assert_int_eq(copy.dims, 2);
    ck_assert_int_eq(copy.count[0], 3);
    ck_assert_int_eq(copy.count[1], 5);
    ck_assert_int_eq(copy.to_stride[0], 4800);
}
END_TEST

START_TEST(mirrored_and_repeated_sources_have_negative_and_zero_strides)
{
    hit_domain line = hit_domain_of(10);
    hit_view view = hit_view_make(&line, 4, NULL);
    hit_remap remap = {.sign = {-1}, .offset = {9}};
    hit_ndcopy copy = hit_ndcopy_make(&view, &view, &line, &remap);
    ck_assert_int_eq(copy.dims, 1);
    ck_assert_int_eq(copy.from_stride[0], -4);
    ck_assert_int_eq(copy.from_offset, 36);
    remap.sign[0] = 0;
    copy = hit_ndcopy_make(&view, &view, &line, &remap);
    ck_assert_int_eq(copy.from_stride[0], 0);
    ck_assert_int_eq(copy.to_stride[0], 4);
}
END_TEST

START_TEST(any_strides_can_be_copied_between)
{
    hit_domain plane = hit_domain_of(5, 7);
    int16_t rows[5][7];
    int16_t columns[7][5];
    int16_t back[5][7];
    hit_view by_rows = hit_view_make(&plane, 2, rows);
    hit_view by_columns = hit_view_make(&plane, 2, columns);
    by_columns.stride_bytes[0] = 2;
    by_columns.stride_bytes[1] = 10;
    for (int i = 0; i < 35; i++) {
        rows[i / 7][i % 7] = (int16_t)i;
    }
    hit_ndcopy copy = hit_ndcopy_make(&by_rows, &by_columns, &plane, NULL);
    hit_ndcopy_run(&copy, rows, columns);
    bool right = true;
    for (int i = 0; i < 35; i++) {
        right = right && columns[i % 7][i / 7] == i;
    }
    ck_assert(right);
    copy = hit_ndcopy_make(&by_columns, &by_rows, &plane, NULL);
    hit_ndcopy_run(&copy, columns, back);
    ck_assert_int_eq(memcmp(rows, back, sizeof(rows)), 0);
    copy = hit_ndcopy_make(&by_columns, &by_columns, &plane, NULL);
    ck_assert_uint_eq(copy.run_bytes, 10);
    ck_assert_uint_eq(hit_ndcopy_bytes(&copy), 70);
}
END_TEST

START_TEST(an_empty_copy_touches_nothing)
{
    hit_ndcopy copy = copy_of(hit_domain_empty(3));
    hit_ndcopy_run(&copy, NULL, NULL);
    ck_assert_uint_eq(hit_ndcopy_bytes(&copy), 0);
}
END_TEST

START_TEST(selections_of_selections_lie_where_the_first_put_them)
{
    hit_domain whole = hit_domain_of(12, 12);
    char bytes[144];
    hit_view view = hit_view_make(&whole, 1, bytes);
    hit_domain even = whole;
    even.sig[0] = hit_sig_make(0, 10, 2);
    even.sig[1] = hit_sig_make(1, 11, 5);
    hit_view half = hit_view_select(&view, &even);
    hit_domain some = {.dims = 2, .sig = {hit_sig_make(2, 10, 4), hit_sig_make(6, 6, 1)}};
    hit_view few = hit_view_select(&half, &some);
    hit_index x[] = {10, 6};
    ck_assert_ptr_eq(hit_view_at(&view, x), bytes + 126);
    ck_assert_ptr_eq(hit_view_at(&half, x), bytes + 126);
    ck_assert_ptr_eq(hit_view_at(&few, x), bytes + 126);
    ck_assert_int_eq(few.stride_bytes[0], 48);
}
END_TEST

START_TEST(views_of_large_domains_have_64_bit_strides)
{
    hit_domain whole = hit_domain_of(1000, 3000000, 1000000);
    hit_view view = hit_view_make(&whole, 8, NULL);
    ck_assert_int_eq(view.stride_bytes[0], INT64_C(24000000000000));
    hit_domain last = hit_domain_box(3, (hit_index[]){999, 2999999, 999999},
                                     (hit_index[]){999, 2999999, 999999});
    hit_ndcopy copy = hit_ndcopy_make(&view, &view, &last, NULL);
    ck_assert_int_eq(copy.from_offset, INT64_C(24000000000000000) - 8);
}
END_TEST

/* Columns of what no cache of a core holds have loops of their own: to a buffer, back
 * from it, from column to column, and in the other order. */
START_TEST(columns_far_apart)
{
    const hit_domain plane = hit_domain_of(5000, 130);
    const hit_remap kinds[] = {hit_remap_identity(),
                               {.sign = {-1, 1}, .offset = {4999, 0}},
                               {.sign = {1, 0}, .offset = {0, 7}}};

    for (size_t size = 4; size <= 12; size += 4) {
        const size_t bytes = (size_t)hit_domain_count(&plane) * size;
        unsigned char *from = malloc(bytes);
        unsigned char *to = malloc(bytes);
        unsigned char *want = malloc(bytes);

        for (size_t k = 0; k < bytes; k++) {
            from[k] = (unsigned char)(k * 131 >> 3);
        }
        for (int k = 0; k < 9; k++) {
            const hit_remap *remap = &kinds[k % 3];
            hit_domain column = plane;
            hit_domain image = plane;
            hit_view source;
            hit_view target;
            hit_ndcopy copy;

            column.sig[1] = hit_sig_make(9, 9, 1);
            image.sig[1] =
                hit_sig_make(remap->sign[1] == 0 ? 7 : 9, remap->sign[1] == 0 ? 7 : 9, 1);
            source = hit_view_make(k / 3 == 1 ? &image : &plane, size, from);
            target = hit_view_make(k / 3 == 2 ? &column : &plane, size, to);
            memset(to, 0, bytes);
            memset(want, 0, bytes);
            for (hit_index i = 0; i < 5000; i++) {
                const hit_index at[2] = {i, 9};
                const hit_index other[2] = {remap->sign[0] < 0 ? 4999 - i : i,
                                            image.sig[1].begin};
                hit_view wanted = target;

                wanted.data = (char *)want;
                memcpy(hit_view_at(&wanted, at), hit_view_at(&source, other), size);
            }
            copy = hit_ndcopy_make(&source, &target, &column, remap);
            hit_ndcopy_run(&copy, from, to);
            ck_assert_msg(memcmp(to, want, bytes) == 0, "case %d of %zu bytes", k, size);
        }
        free(from);
        free(to);
        free(want);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("ndcopy");
    TCase *ndcopy = tcase_create("ndcopy");

    tcase_add_test(ndcopy, copies_equal_element_by_element_copies);
    tcase_add_test(ndcopy, images_are_the_set_of_all_sources);
    tcase_add_test(ndcopy, contiguous_dimensions_become_one_run);
    tcase_add_test(ndcopy, mirrored_and_repeated_sources_have_negative_and_zero_strides);
    tcase_add_test(ndcopy, any_strides_can_be_copied_between);
    tcase_add_test(ndcopy, an_empty_copy_touches_nothing);
    tcase_add_test(ndcopy, selections_of_selections_lie_where_the_first_put_them);
    tcase_add_test(ndcopy, views_of_large_domains_have_64_bit_strides);
    tcase_add_test(ndcopy, columns_far_apart);
    suite_add_tcase(all, ndcopy);
    return all;
}

int main(void)
{
    return check_run(suite());
}
