/* SPDX-License-Identifier: MIT
 * What is known of the kinds of elements. What needs their C types elsewhere (reductions,
 * kernels, the types of HDF5) is beside its use, from the rows of HIT_KINDS, too. */
#include "hit/base/kind.h"

#include "hit/base/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ROW(KIND, name, c_type, letter) {#name, #c_type, sizeof(c_type), #letter[0]},

static const hit_kind_info table[] = {{"plain bytes", "...", 0, 'V'}, HIT_KINDS(ROW)};

const hit_kind_info *hit_kind_find(hit_kind kind)
{
    const bool known = (size_t)kind < HIT_KIND_COUNT;

    return &table[known ? kind : HIT_KIND_BYTES];
}

const char *hit_kind_name(hit_kind kind)
{
    return hit_kind_find(kind)->name;
}

const char *hit_kind_type_name(hit_type type, char text[32])
{
    if (type.kind != HIT_KIND_BYTES) return hit_kind_name(type.kind);
    text[0] = '\0';
    hit_text_add(text, 32, "%zu bytes", type.size_bytes);
    return text;
}

void hit_kind_numpy_name(hit_kind kind, char text[16])
{
    const hit_kind_info *of = hit_kind_find(kind);
    const char *stem = of->letter == 'f'   ? "float"
                       : of->letter == 'e' ? "float"
                       : of->letter == 'E' ? "bfloat"
                       : of->letter == 'i' ? "int"
                       : of->letter == 'u' ? "uint"
                       : of->letter == 'c' ? "complex"
                                           : "bool";

    text[0] = '\0';
    if (of->letter != 'V') hit_text_add(text, 16, "%s", stem);
    if (strchr("fiuceE", of->letter) != NULL) {
        hit_text_add(text, 16, "%zu", 8 * of->size_bytes);
    }
}

/* ---- a number as each type, by the letter of its row ---- */

/* A whole number as 64 bits, with its sign. */
typedef struct whole {
    bool negative;
    uint64_t bits;
} whole;

/* The range of whole numbers of a type. */
#define MOST_i(c_type) ((uint64_t)INT64_MAX >> (64 - 8 * sizeof(c_type)))
#define MOST_u(c_type) (UINT64_MAX >> (64 - 8 * sizeof(c_type)))
#define LEAST_i(c_type) (-(int64_t)MOST_i(c_type) - 1)

#define CUT_f(c_type, number) (c_type)(number)
#define CUT_WHOLE(c_type, number, least, most)                                           \
    ((number) >= (double)(most)   ? (c_type)(most)                                       \
     : (number) > (double)(least) ? (c_type)(number)                                     \
                                  : (c_type)(least))
#define CUT_i(c_type, number) CUT_WHOLE(c_type, number, LEAST_i(c_type), MOST_i(c_type))
#define CUT_u(c_type, number) CUT_WHOLE(c_type, number, 0, MOST_u(c_type))
#define CUT_b(c_type, number) ((number) > 0)
#define CUT_c(c_type, number) (c_type)(number)
#define CUT_e(c_type, number) hit_half_from_float((float)(number))
#define CUT_E(c_type, number) hit_bfloat16_from_float((float)(number))

/* A number that is too large becomes the largest one. */
#define SET(KIND, name, c_type, letter)                                                  \
    case HIT_KIND_##KIND: {                                                              \
        const c_type cut = CUT_##letter(c_type, number);                                 \
        memcpy(element, &cut, sizeof(cut));                                              \
        break;                                                                           \
    }

void hit_type_set(hit_type type, double number, void *element)
{
    switch (type.kind) {
        HIT_KINDS(SET)
    case HIT_KIND_BYTES:
        memset(element, 0, type.size_bytes);
        break;
    }
}

double hit_type_unit(hit_type type)
{
    const bool complex = hit_kind_is_complex(type.kind);

    if (!hit_kind_is_real(type.kind) && !complex) return 0;
    if (type.kind == HIT_KIND_HALF) return 0x1p-10;
    if (type.kind == HIT_KIND_BFLOAT16) return 0x1p-7;
    return type.size_bytes / (complex ? 2 : 1) == sizeof(float) ? (double)FLT_EPSILON
                                                                : DBL_EPSILON;
}

#define NUMBER_f(x) (double)(x)
#define NUMBER_i(x) (double)(x)
#define NUMBER_u(x) (double)(x)
#define NUMBER_b(x) (double)(x)
#define NUMBER_c(x) (double)(x)
#define NUMBER_e(x) (double)hit_half_to_float(x)
#define NUMBER_E(x) (double)hit_bfloat16_to_float(x)
#define GET(KIND, name, c_type, letter)                                                  \
    case HIT_KIND_##KIND: {                                                              \
        c_type found;                                                                    \
        memcpy(&found, element, sizeof(found));                                          \
        return NUMBER_##letter(found);                                                   \
    }

double hit_type_get(hit_type type, const void *element)
{
    switch (type.kind) {
        HIT_KINDS(GET)
    case HIT_KIND_BYTES:
        break;
    }
    return 0;
}

#define IMAGINARY_c(x) (double)hit_im(x)
#define IMAGINARY_f(x) ((void)(x), 0.0)
#define IMAGINARY_i(x) IMAGINARY_f(x)
#define IMAGINARY_u(x) IMAGINARY_f(x)
#define IMAGINARY_b(x) IMAGINARY_f(x)
#define IMAGINARY_e(x) IMAGINARY_f(x)
#define IMAGINARY_E(x) IMAGINARY_f(x)
#define GET_IMAGINARY(KIND, name, c_type, letter)                                        \
    case HIT_KIND_##KIND: {                                                              \
        c_type found;                                                                    \
        memcpy(&found, element, sizeof(found));                                          \
        return IMAGINARY_##letter(found);                                                \
    }

double hit_type_imaginary(hit_type type, const void *element)
{
    switch (type.kind) {
        HIT_KINDS(GET_IMAGINARY)
    case HIT_KIND_BYTES:
        break;
    }
    return 0;
}

double hit_type_apart(hit_type type, const void *one, const void *other)
{
    const double re = other != NULL ? hit_type_get(type, other) : 0;
    const double im = other != NULL ? hit_type_imaginary(type, other) : 0;

    return fmax(fabs(hit_type_get(type, one) - re),
                fabs(hit_type_imaginary(type, one) - im));
}

#define WHOLE_f(x) return false
#define WHOLE_c(x) return false
#define WHOLE_e(x) return false
#define WHOLE_E(x) return false
#define WHOLE_i(x)                                                                       \
    *number = (whole)                                                                    \
    {                                                                                    \
        (x) < 0, (uint64_t)(x)                                                           \
    }
#define WHOLE_u(x)                                                                       \
    *number = (whole)                                                                    \
    {                                                                                    \
        false, (x)                                                                       \
    }
#define WHOLE_b(x) WHOLE_u(x)
#define READ(KIND, name, c_type, letter)                                                 \
    case HIT_KIND_##KIND: {                                                              \
        c_type found;                                                                    \
        memcpy(&found, element, sizeof(found));                                          \
        WHOLE_##letter(found);                                                           \
        return true;                                                                     \
    }

static bool read_whole(hit_type type, const void *element, whole *number)
{
    switch (type.kind) {
        HIT_KINDS(READ)
    case HIT_KIND_BYTES:
        break;
    }
    return false;
}

#define FITS_f(c_type, number) ((void)(number), false)
#define FITS_c(c_type, number) ((void)(number), false)
#define FITS_e(c_type, number) ((void)(number), false)
#define FITS_E(c_type, number) ((void)(number), false)
#define FITS_u(c_type, number) (!(number).negative && (number).bits <= MOST_u(c_type))
#define FITS_b(c_type, number) (!(number).negative && (number).bits <= 1)
#define FITS_i(c_type, number)                                                           \
    ((number).negative ? (int64_t)(number).bits >= LEAST_i(c_type)                       \
                       : (number).bits <= MOST_i(c_type))
/* What a row's type is made of: numbers of 16 bits are structs. */
#define BITS_f(c_type) c_type
#define BITS_c(c_type) c_type
#define BITS_i(c_type) c_type
#define BITS_u(c_type) c_type
#define BITS_b(c_type) c_type
#define BITS_e(c_type) uint16_t
#define BITS_E(c_type) uint16_t
#define WRITE(KIND, name, c_type, letter)                                                \
    case HIT_KIND_##KIND:                                                                \
        return FITS_##letter(c_type, number) &&                                          \
               store(&(const c_type){(BITS_##letter(c_type))number.bits},                \
                     sizeof(c_type), converted);

static bool store(const void *element, size_t size_bytes, void *to)
{
    memcpy(to, element, size_bytes);
    return true;
}

bool hit_type_convert(hit_type from, const void *element, hit_type to, void *converted)
{
    whole number = {false, 0};

    if (!read_whole(from, element, &number)) return false;
    switch (to.kind) {
        HIT_KINDS(WRITE)
    case HIT_KIND_BYTES:
        break;
    }
    return false;
}

void hit_type_print(hit_type type, const void *element, char *text, size_t size)
{
    const double real = hit_type_get(type, element);
    const int digits = hit_type_unit(type) > DBL_EPSILON ? 9 : 17;
    whole number = {false, 0};

    if (hit_kind_is_complex(type.kind)) {
        (void)hit_text_print(text, size, "%.*g%+.*gi", digits, real, digits,
                             hit_type_imaginary(type, element));
        return;
    }
    if (hit_kind_is_real(type.kind)) {
        (void)hit_text_print(text, size, "%.*g", digits, real);
        return;
    }
    if (read_whole(type, element, &number)) {
        (void)hit_text_print(text, size, "%s%" PRIu64, number.negative ? "-" : "",
                             number.negative ? 0 - number.bits : number.bits);
        return;
    }
    text[0] = '\0';
    for (size_t k = 0; k < type.size_bytes && k < 16; k++) {
        hit_text_add(text, size, "%02x", ((const unsigned char *)element)[k]);
    }
}
