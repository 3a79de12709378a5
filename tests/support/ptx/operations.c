/* SPDX-License-Identifier: MIT
 * What one instruction makes of its operands: exact arithmetic, IEEE, no approximations.
 */
#include "operations.h"

#include <math.h>
#include <string.h>

#include "ptx.h"

/* Values lie in rows as bits; what is above the width of a type is not looked at. */
#define GET(type, k) get_##type(w->row[one->from[k]][l])
#define INTEGER(type)                                                                    \
    static inline type get_##type(uint64_t bits)                                         \
    {                                                                                    \
        return (type)bits;                                                               \
    }                                                                                    \
    static inline uint64_t put_##type(type value)                                        \
    {                                                                                    \
        return (uint64_t)value;                                                          \
    }
typedef bool pred;
__extension__ typedef __int128 int128_t;
__extension__ typedef unsigned __int128 uint128_t;
INTEGER(pred)
INTEGER(uint8_t)
INTEGER(int8_t)
INTEGER(uint16_t)
INTEGER(int16_t)
INTEGER(uint32_t)
INTEGER(int32_t)
INTEGER(uint64_t)
INTEGER(int64_t)

static inline float get_float(uint64_t bits)
{
    const uint32_t half = (uint32_t)bits;
    float value;

    memcpy(&value, &half, sizeof(value));
    return value;
}

static inline uint64_t put_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline double get_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint64_t put_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names of types */
/* min and max answer the operand that is a number; -0 is less than 0. */
#define PICK(name, type, first)                                                          \
    static inline type name(type a, type b)                                              \
    {                                                                                    \
        if (isnan(a)) return b;                                                          \
        if (isnan(b)) return a;                                                          \
        if (a == 0 && b == 0) return (signbit(a) != 0) == (first) ? a : b;               \
        return (a < b) == (first) ? a : b;                                               \
    }
PICK(least_float, float, 1)
PICK(most_float, float, 0)
PICK(least_double, double, 1)
PICK(most_double, double, 0)

/* Numbers that do not fit become the nearest one that does; no number becomes `none`. */
#define FITTED(type, low, high, above, none)                                             \
    static inline type fitted_##type(double a)                                           \
    {                                                                                    \
        if (isnan(a)) return none;                                                       \
        if (a < (double)(low)) return low;                                               \
        return a >= (above) ? high : (type)a;                                            \
    }
FITTED(int32_t, INT32_MIN, INT32_MAX, 2147483648.0, 0)
FITTED(uint32_t, 0, UINT32_MAX, 4294967296.0, 0)
FITTED(int64_t, INT64_MIN, INT64_MAX, 9223372036854775808.0, INT64_MIN)
FITTED(uint64_t, 0, UINT64_MAX, 18446744073709551616.0, (uint64_t)1 << 63)

/* Division by 0 gives what the ISA leaves open. */
#define DIVIDED(type, unsigned_type)                                                     \
    static inline type div_##type(type a, type b)                                        \
    {                                                                                    \
        if (b == 0) return (type)-1;                                                     \
        return b == (type)-1 && (type)-1 < (type)1 ? (type)(0 - (unsigned_type)a)        \
                                                   : (type)(a / b);                      \
    }                                                                                    \
    static inline type rem_##type(type a, type b)                                        \
    {                                                                                    \
        return (type)(a - (type)((unsigned_type)div_##type(a, b) * (unsigned_type)b));   \
    }
DIVIDED(int32_t, uint32_t)
DIVIDED(uint32_t, uint32_t)
DIVIDED(int64_t, uint64_t)
DIVIDED(uint64_t, uint64_t)

/* One loop over all lanes where all take part, which the compiler makes vectors of. */
#define LANES(w, ...)                                                                    \
    if ((w)->mask == UINT32_MAX) {                                                       \
        for (int l = 0; l < PTX_LANES; l++) {                                            \
            __VA_ARGS__                                                                  \
        }                                                                                \
    } else {                                                                             \
        for (uint32_t rest = (w)->mask; rest != 0; rest &= rest - 1) {                   \
            const int l = __builtin_ctz(rest);                                           \
            __VA_ARGS__                                                                  \
        }                                                                                \
    }

#define UNARY(id, name, result, type, value)                                             \
    static void do_##id(ptx_warp *w, ptx_instruction *one)                               \
    {                                                                                    \
        LANES(w, const type a = GET(type, 0);                                            \
              w->row[one->to[0]][l] = put_##result((result)(value));)                    \
    }
#define BINARY(id, name, result, type, value)                                            \
    static void do_##id(ptx_warp *w, ptx_instruction *one)                               \
    {                                                                                    \
        LANES(w, const type a = GET(type, 0); const type b = GET(type, 1);               \
              w->row[one->to[0]][l] = put_##result((result)(value));)                    \
    }
#define SHIFT(id, name, result, type, value)                                             \
    static void do_##id(ptx_warp *w, ptx_instruction *one)                               \
    {                                                                                    \
        LANES(w, const type a = GET(type, 0); const uint32_t b = GET(uint32_t, 1);       \
              w->row[one->to[0]][l] = put_##result((result)(value));)                    \
    }
#define SELECT(id, name, result, type, value)                                            \
    static void do_##id(ptx_warp *w, ptx_instruction *one)                               \
    {                                                                                    \
        LANES(w, const type a = GET(type, 0); const type b = GET(type, 1);               \
              const pred p = GET(pred, 2);                                               \
              w->row[one->to[0]][l] = put_##result((result)(value));)                    \
    }
#define TERNARY(id, name, result, type, value)                                           \
    static void do_##id(ptx_warp *w, ptx_instruction *one)                               \
    {                                                                                    \
        LANES(w, const type a = GET(type, 0); const type b = GET(type, 1);               \
              const result c = GET(result, 2);                                           \
              w->row[one->to[0]][l] = put_##result((result)(value));)                    \
    }

PTX_OPERATIONS(UNARY, BINARY, SHIFT, SELECT, TERNARY)

/* NOLINTEND(bugprone-macro-parentheses) */

typedef struct operation {
    const char *name;
    int from;
    ptx_execute *execute;
} operation;

#define ENTRY_1(id, name, ...) {name, 1, do_##id},
#define ENTRY_2(id, name, ...) {name, 2, do_##id},
#define ENTRY_3(id, name, ...) {name, 3, do_##id},
static const operation operations[] = {
    PTX_OPERATIONS(ENTRY_1, ENTRY_2, ENTRY_2, ENTRY_3, ENTRY_3)};

ptx_execute *ptx_operation(const char *name, int *from)
{
    for (size_t k = 0; k < sizeof(operations) / sizeof(operations[0]); k++) {
        if (strcmp(operations[k].name, name) != 0) continue;
        *from = operations[k].from;
        return operations[k].execute;
    }
    return NULL;
}
