/* SPDX-License-Identifier: MIT
 * The head of a .npy file: "\x93NUMPY", version, length, and a Python dictionary such as
 * {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } with blanks up to a
 * multiple of 64 bytes. The format: numpy/lib/format.py. */
#include "hit/io/npy_text.h"

#include "hit/base/kind.h"
#include "hit/base/text.h"

#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

void hit_npy_type(hit_type type, char text[32])
{
    const uint16_t one = 1;
    const char order = *(const unsigned char *)&one == 1 ? '<' : '>';
    const char letter = hit_kind_find(type.kind)->letter;

    (void)snprintf(text, 32, "%c%c%zu",
                   letter == 'V' || type.size_bytes == 1 ? '|' : order, letter,
                   type.size_bytes);
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
    if (byte[6] < 1 || byte[6] > 3) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected a .npy file of version 1 to 3 but found %d", path,
                        byte[6]);
    }
    if (byte[6] > 1) {
        from = 12;
        length += ((size_t)byte[10] << 16) + ((size_t)byte[11] << 24);
    }
    if (length > HIT_NPY_MOST - from || length < 2) {
        return HIT_FAIL(HIT_E_IO, "%s: expected a head of 2 to %d bytes but found %zu",
                        path, HIT_NPY_MOST, length);
    }
    *size = from + length;
    return HIT_OK;
}

/* What follows 'key': in the dictionary; NULL if there is none. */
static const char *find(const char *text, const char *key)
{
    const char *at = strstr(text, key);

    if (at == NULL) return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at != ':') return NULL;
    at++;
    return at + strspn(at, " ");
}

static hit_status read_type(const char *path, const char *text, hit_npy_head *head)
{
    const char *at = find(text, "'descr'");
    size_t length;

    if (at != NULL && *at == '[') {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected elements of one type but found a structure", path);
    }
    length = at != NULL && *at == '\'' ? strcspn(at + 1, "'") : 0;
    if (length == 0 || length >= sizeof(head->type) || at[1 + length] != '\'') {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no element type", path);
    }
    memcpy(head->type, at + 1, length);
    head->type[length] = '\0';
    return HIT_OK;
}

static hit_status read_shape(const char *path, const char *text, hit_npy_head *head)
{
    const char *at = find(text, "'shape'");

    if (at == NULL || *at != '(') {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no shape", path);
    }
    at++;
    for (at += strspn(at, " "); *at != ')'; at += strspn(at, " ,")) {
        hit_index extent = 0;
        const char *digit = at;

        for (; *digit >= '0' && *digit <= '9' && extent < INT64_MAX / 16; digit++) {
            extent = 10 * extent + (*digit - '0');
        }
        if (digit == at || (*digit != ',' && *digit != ')' && *digit != ' ')) {
            return HIT_FAIL(HIT_E_IO, "%s: expected whole numbers in its shape", path);
        }
        if (head->dims == HIT_NPY_MAX_DIMS) {
            return HIT_FAIL(HIT_E_IO, "%s: expected at most %d dimensions", path,
                            HIT_NPY_MAX_DIMS);
        }
        head->extent[head->dims++] = extent;
        at = digit;
    }
    return HIT_OK;
}

hit_status hit_npy_parse(const char *path, const char *text, size_t size,
                         hit_npy_head *head)
{
    char copy[HIT_NPY_MOST + 1];
    const char *order;
    size_t from;

    *head = (hit_npy_head){0};
    if (size < HIT_NPY_FIRST) return HIT_FAIL(HIT_E_IO, "%s: its head is cut off", path);
    HIT_TRY(hit_npy_size(path, text, &from));
    if (from != size) return HIT_FAIL(HIT_E_IO, "%s: its head is cut off", path);
    from = text[6] > 1 ? 12 : 10;
    memcpy(copy, text + from, size - from);
    copy[size - from] = '\0';
    HIT_TRY(read_type(path, copy, head));
    order = find(copy, "'fortran_order'");
    if (order == NULL ||
        (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) {
        return HIT_FAIL(HIT_E_IO, "%s: its head names no order", path);
    }
    head->fortran = *order == 'T';
    return read_shape(path, copy, head);
}
