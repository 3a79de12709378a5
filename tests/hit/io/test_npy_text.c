/* SPDX-License-Identifier: MIT
 * Heads of .npy files: what is printed is read back; what is wrong is refused by name. */
#include "hit/io/npy_impl.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

/* A head around a dictionary of the test's own. */
static hit_status parse(const char *dictionary, hit_npy_head *head)
{
    char text[512];
    const size_t length = strlen(dictionary);

    memcpy(text, "\x93NUMPY\1\0", 8);
    text[8] = (char)length;
    text[9] = 0;
    memcpy(text + 10, dictionary, length);
    return hit_npy_parse("f.npy", text, 10 + length, head);
}

START_TEST(heads_are_read_back)
{
    for (int dims = 0; dims <= HIT_NPY_MAX_DIMS; dims++) {
        hit_npy_head head = {.dims = dims, .fortran = dims % 2 == 1};
        hit_npy_head found;
        char text[2048];
        size_t size;

        hit_npy_type(dims % 3 == 0 ? HIT_DOUBLE : HIT_TYPE(HIT_KIND_BYTES, 12),
                     head.type);
        for (int d = 0; d < dims; d++) {
            head.extent[d] = ((hit_index)1 << (d + 20)) + d;
        }
        size = hit_npy_print(&head, text, sizeof(text));
        ck_assert_uint_gt(size, 0);
        ck_assert_uint_eq(size % 64, 0);
        ck_assert_int_eq(text[size - 1], '\n');
        ck_assert_int_eq(hit_npy_parse("f.npy", text, size, &found), HIT_OK);
        ck_assert_str_eq(found.type, head.type);
        ck_assert_int_eq(found.fortran, head.fortran);
        ck_assert_int_eq(found.dims, dims);
        ck_assert_mem_eq(found.extent, head.extent, sizeof(hit_index) * (size_t)dims);
    }
}
END_TEST

START_TEST(wrong_heads_are_refused_with_the_reason)
{
    static const struct {
        const char *dictionary;
        const char *reason;
    } wrong[] = {
        {"{'fortran_order': False, 'shape': (3,), }", "names no element type"},
        {"{'descr': '', 'fortran_order': False, 'shape': (3,), }",
         "names no element type"},
        {"{'descr': '<f4", "expected the end of a string at byte 14 of its head"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }",
         "a structure"},
        {"{'descr': '<f4', 'shape': (3,), }", "names no order"},
        {"{'descr': '<f4', 'fortran_order': 7, 'shape': (3,), }", "names no order"},
        {"{'descr': '<f4', 'fortran_order': False, }", "names no shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3, }", "names no shape"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, -1), }", "whole numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, ",
         "expected a value at byte "},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)", "a comma or }"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,) 7}", "a comma or }"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", "a comma or a"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (03, 4)}", "a whole number"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (12)}", "names no shape"},
        {"{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (3,)}", "a value"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
         "another one"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} {}", "the end"},
        {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
         "a dict"},
        {"{'shape':((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
         "fewer brackets"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
         "whole numbers"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "at most 32 dimensions"},
    };

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        hit_npy_head head;

        ck_assert_int_eq(parse(wrong[k].dictionary, &head), HIT_E_IO);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].reason) != NULL, "%s: %s",
                      wrong[k].dictionary, hit_status_text());
    }
}
END_TEST

START_TEST(all_spellings_of_python_are_read)
{
    static const char *const right[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }",
        "{\"shape\":\t(3,4),\n'descr':u'<f4','fortran_order':False}\n\n",
        "{'descr': '<f4', 'shape': (3L, 4L), 'fortran_order': False, }",
        "{'shape': (7,), 'descr': r'<f4', 'fortran_order': (False), 'shape': (3, 4)}",
        "({'descr': '<' 'f4', 'fortran_order': False, 'shape': (0x3, (4))}) # a comment",
    };

    for (size_t k = 0; k < sizeof(right) / sizeof(right[0]); k++) {
        hit_npy_head head;

        ck_assert_msg(parse(right[k], &head) == HIT_OK, "%s", hit_status_text());
        ck_assert_str_eq(head.type, "<f4");
        ck_assert(!head.fortran && head.dims == 2);
        ck_assert(head.extent[0] == 3 && head.extent[1] == 4);
    }
}
END_TEST

START_TEST(names_of_types_are_known)
{
    static const struct {
        hit_kind kind;
        size_t size_bytes;
        const char *right[6];
        const char *wrong[6];
    } names[] = {
        {HIT_KIND_FLOAT, 4, {"f4", "=f4", "f", "single"}, {"f8", "F4", "f44", "f4 "}},
        {HIT_KIND_INT64, 8, {"i8", "=i8", "q", "int64"}, {"u8", "=int64", "i", ""}},
        {HIT_KIND_UINT8, 1, {"|u1", "<u1", ">u1", "B", "uint8"}, {"i1", "b", "|b1"}},
        {HIT_KIND_INT16, 2, {"i2", "h", "int16"}, {"u2", "|i1", "H"}},
        {HIT_KIND_UINT64, 8, {"u8", "Q", "L", "uint64"}, {"i8", "uint32"}},
        {HIT_KIND_BOOL, 1, {"|b1", "b1", "?", "bool"}, {"b", "i1", "u1"}},
        {HIT_KIND_COMPLEX_FLOAT, 8, {"c8", "=c8", "F", "complex64"}, {"f8", "c16", "D"}},
        {HIT_KIND_HALF, 2, {"f2", "=f2", "e", "half", "float16"}, {"f4", "i2", "V2"}},
        {HIT_KIND_BFLOAT16, 2, {"V2", "<V2", "|V2", "bfloat16"}, {"f2", "V12", "E"}},
        {HIT_KIND_BYTES, 12, {"|V12", "V12", "<V12"}, {"V1", "V", "V120", "|S12"}},
    };

    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        const hit_type type = {names[k].kind, names[k].size_bytes};

        for (int n = 0; names[k].right[n] != NULL; n++) {
            ck_assert_msg(hit_npy_type_is(type, names[k].right[n]), "%s",
                          names[k].right[n]);
        }
        for (int n = 0; names[k].wrong[n] != NULL; n++) {
            ck_assert_msg(!hit_npy_type_is(type, names[k].wrong[n]), "%s",
                          names[k].wrong[n]);
        }
    }
    ck_assert(hit_npy_type_is(HIT_FLOAT, "<f4") != hit_npy_type_is(HIT_FLOAT, ">f4"));
}
END_TEST

START_TEST(other_bytes_and_versions_are_refused)
{
    size_t size;

    ck_assert_int_eq(hit_npy_size("f.npy", "\x93NUMPX\1\0v\0{}", &size), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "other bytes"));
    ck_assert_int_eq(hit_npy_size("f.npy", "\x93NUMPY\4\0v\0{}", &size), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "3.0 but found 4.0"));
    ck_assert_int_eq(hit_npy_size("f.npy", "\x93NUMPY\1\1v\0{}", &size), HIT_E_IO);
    ck_assert_int_eq(hit_npy_size("f.npy", "\x93NUMPY\2\0v\0\0\0", &size), HIT_OK);
    ck_assert_uint_eq(size, 12 + 'v');
    ck_assert_int_eq(hit_npy_size("f.npy", "\x93NUMPY\2\0v\0\1\0", &size), HIT_E_IO);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("npy_text");
    TCase *c = tcase_create("all");

    tcase_add_test(c, heads_are_read_back);
    tcase_add_test(c, wrong_heads_are_refused_with_the_reason);
    tcase_add_test(c, all_spellings_of_python_are_read);
    tcase_add_test(c, names_of_types_are_known);
    tcase_add_test(c, other_bytes_and_versions_are_refused);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return check_run(suite());
}
