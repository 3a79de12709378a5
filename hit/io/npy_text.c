/* SPDX-License-Identifier: MIT
 * The head of a .npy file: "\x93NUMPY", version, length, and a Python dictionary such as
 * {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } with blanks up to a
 * multiple of 64 bytes. The format: module numpy.lib.format. */
#include "hit/base/kind.h"
#include "hit/base/text.h"
#include "hit/io/npy_impl.h"

#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

void hit_npy_type(hit_type type, char text[32])
{
    const uint16_t one = 1;
    const char order = *(const unsigned char *)&one == 1 ? '<' : '>';
    char letter = hit_kind_find(type.kind)->letter;

    if (letter == 'e') letter = 'f';
    if (letter == 'E') letter = 'V'; /* to NumPy itself bfloat16 is two bytes */
    (void)snprintf(text, 32, "%c%c%zu",
                   letter == 'V' || type.size_bytes == 1 ? '|' : order, letter,
                   type.size_bytes);
}

bool hit_npy_type_is(hit_type type, const char *text)
{
    static const struct {
        hit_kind kind;
        const char *name[5]; /* what numpy.dtype() knows beside float32 and <f4 */
    } known[] = {
        {HIT_KIND_FLOAT, {"f", "single"}},
        {HIT_KIND_DOUBLE, {"d", "double", "float"}},
        {HIT_KIND_INT8, {"b", "byte"}},
        {HIT_KIND_INT16, {"h", "short"}},
        {HIT_KIND_INT32, {"i", "intc"}},
        {HIT_KIND_INT64, {"q", "l", "int", "longlong"}},
        {HIT_KIND_UINT8, {"B", "ubyte"}},
        {HIT_KIND_UINT16, {"H", "ushort"}},
        {HIT_KIND_UINT32, {"I", "uintc"}},
        {HIT_KIND_UINT64, {"Q", "L", "uint", "ulonglong"}},
        {HIT_KIND_BOOL, {"?", "bool_"}},
        {HIT_KIND_COMPLEX_FLOAT, {"F", "csingle"}},
        {HIT_KIND_COMPLEX_DOUBLE, {"D", "cdouble", "complex"}},
        {HIT_KIND_HALF, {"e", "half"}},
    };
    const bool ordered = text[0] != '\0' && strchr("<>=|", text[0]) != NULL;
    const char *code = ordered ? text + 1 : text;
    char right[32];
    char name[16];

    hit_npy_type(type, right);
    hit_kind_numpy_name(type.kind, name);
    if ((text[0] == '<' || text[0] == '>') && right[0] != '|' && text[0] != right[0]) {
        return false; /* the other order of bytes */
    }
    if (code[0] == right[1] && strcmp(code + 1 + strspn(code + 1, "0"), right + 2) == 0) {
        return true;
    }
    if (strcmp(code, name) == 0 && name[0] != '\0') return !ordered;
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        const char *const *other = known[k].name;

        for (; known[k].kind == type.kind && *other != NULL; other++) {
            if (strcmp(code, *other) == 0) return !ordered || code[1] == '\0';
        }
    }
    return false;
}

size_t hit_npy_print(const hit_npy_head *head, char *text, size_t size)
{
    char shape[HIT_NPY_MAX_DIMS * 24] = "";
    size_t whole;
    int length;

    hit_text_add_numbers(shape, sizeof(shape), ", ", head->dims, head->extent);
    if (head->dims == 1) hit_text_add(shape, sizeof(shape), ","); /* a tuple is (3,) */
    length = snprintf(text + 10, size - 10,
                      "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", head->type,
                      head->fortran ? "True" : "False", shape);
    whole = (10 + (size_t)length + 1 + 63) / 64 * 64;
    if (whole > size) return 0;
    memset(text + 10 + length, ' ', whole - 10 - (size_t)length);
    text[whole - 1] = '\n';
    memcpy(text, magic, 6);
    text[6] = 1;
    text[7] = 0;
    text[8] = (char)((whole - 10) & 255);
    text[9] = (char)((whole - 10) >> 8);
    return whole;
}

hit_status hit_npy_size(const char *path, const char *first, size_t *size)
{
    const unsigned char *byte = (const unsigned char *)first;
    size_t length = byte[8] + ((size_t)byte[9] << 8);
    size_t from = 10;

    if (memcmp(first, magic, 6) != 0) {
        return HIT_FAIL(HIT_E_IO, "%s: expected a .npy file but found other bytes", path);
    }
    if (byte[6] < 1 || byte[6] > 3 || byte[7] != 0) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected a .npy file of version 1.0, 2.0 or 3.0 but found "
                        "%d.%d",
                        path, byte[6], byte[7]);
    }
    if (byte[6] > 1) {
        from = 12;
        length += ((size_t)byte[10] << 16) + ((size_t)byte[11] << 24);
    }
    if (length > HIT_NPY_MOST - HIT_NPY_FIRST || length < 2) {
        return HIT_FAIL(HIT_E_IO, "%s: expected a head of 2 to %d bytes but found %zu",
                        path, HIT_NPY_MOST - HIT_NPY_FIRST, length);
    }
    *size = from + length;
    return HIT_OK;
}

static hit_status read_type(const char *path, const hit_npy_value *type,
                            hit_npy_head *head)
{
    if (type->kind == HIT_NPY_OTHER || type->kind == HIT_NPY_TUPLE) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected elements of one type but found a structure", path);
    }
    if (type->kind != HIT_NPY_STRING || type->text[0] == '\0') {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no element type", path);
    }
    memcpy(head->type, type->text, sizeof(head->type));
    return HIT_OK;
}

static hit_status read_shape(const char *path, const hit_npy_value *shape,
                             hit_npy_head *head)
{
    if (shape->kind != HIT_NPY_TUPLE) {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no shape", path);
    }
    if (shape->count > HIT_NPY_MAX_DIMS) {
        return HIT_FAIL(HIT_E_IO, "%s: expected at most %d dimensions but found %d", path,
                        HIT_NPY_MAX_DIMS, shape->count);
    }
    for (int d = 0; d < shape->count; d++) {
        if (shape->item[d] < 0) {
            return HIT_FAIL(HIT_E_IO, "%s: expected whole numbers from 0 on in its shape",
                            path);
        }
        head->extent[head->dims++] = shape->item[d];
    }
    return HIT_OK;
}

hit_status hit_npy_parse(const char *path, const char *text, size_t size,
                         hit_npy_head *head)
{
    char copy[HIT_NPY_MOST + 1];
    hit_npy_dict dict;
    size_t from;

    *head = (hit_npy_head){0};
    if (size < HIT_NPY_FIRST) return HIT_FAIL(HIT_E_IO, "%s: its head is cut off", path);
    HIT_TRY(hit_npy_size(path, text, &from));
    if (from != size) return HIT_FAIL(HIT_E_IO, "%s: its head is cut off", path);
    from = text[6] > 1 ? 12 : 10;
    memcpy(copy, text + from, size - from);
    copy[size - from] = '\0';
    if (strlen(copy) != size - from) {
        return HIT_FAIL(HIT_E_IO, "%s: expected text in its head but found a zero", path);
    }
    HIT_TRY(hit_npy_dict_read(path, copy, text[6] < 3, &dict));
    HIT_TRY(read_type(path, &dict.type, head));
    if (dict.fortran.kind != HIT_NPY_TRUTH) {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no order", path);
    }
    head->fortran = dict.fortran.number != 0;
    return read_shape(path, &dict.shape, head);
}
