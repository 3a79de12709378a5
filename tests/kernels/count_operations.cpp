/* SPDX-License-Identifier: MIT
 * Do the kernels of the catalogue do as many operations as they declare? Their files are
 * compiled here with numbers that count what is done to them; hit/kernel.h is played. */
#include "hit/kernel_macros.h"
#include "kernels/kernels.h"

#include <cstdint>
#include <cstdio>

#define HIT_KERNEL_H /* what follows stands for it */
#define HIT_UNUSED __attribute__((unused))

enum {
    STEPS = 13 // elements of every dimension that a body loops over
};

static std::uint64_t done;
static int checked;
static int wrong;

template <typename real> struct counted {
    real value = 1;

    counted() = default;
    counted(real x) : value(x) {}
    template <typename other> explicit counted(counted<other> x) : value((real)x.value) {}

    static counted count(real x)
    {
        done++;
        return x;
    }
    friend counted operator+(counted a, counted b)
    {
        return count(a.value + b.value);
    }
    friend counted operator-(counted a, counted b)
    {
        return count(a.value - b.value);
    }
    friend counted operator*(counted a, counted b)
    {
        return count(a.value * b.value);
    }
    friend counted operator/(counted a, counted b)
    {
        return count(a.value / b.value);
    }
    friend counted operator-(counted a)
    {
        return -a.value;
    } // a sign is no operation
    friend bool operator<(counted a, counted b)
    {
        return a.value < b.value;
    }
    friend bool operator>(counted a, counted b)
    {
        return a.value > b.value;
    }
    counted &operator+=(counted x)
    {
        return *this = *this + x;
    }
    counted &operator*=(counted x)
    {
        return *this = *this * x;
    }
};

struct comparison {
    comparison(const char *kernel, std::uint64_t (*count)(), std::uint64_t declared)
    {
        const std::uint64_t found = count();

        checked++;
        if (found == declared) return;
        wrong++;
        std::printf("%s does %d operations but declares %d\n", kernel, (int)found,
                    (int)declared);
    }
};
#define hit(...) FIRST(__VA_ARGS__, )
#define FIRST(name, ...) name
#define hit_begin(name, dim) 0
#define hit_end(name, dim) (STEPS - 1)

#define HIT_OPERATIONS(name, operations)                                                 \
    static std::uint64_t name##_count();                                                 \
    static const comparison name##_compared(#name, name##_count, operations)
#define HIT_OPERATIONS_ALONG(name, operations, arg, dim)                                 \
    HIT_OPERATIONS(name, (operations)*STEPS)

#define HIT_VECTOR_KERNEL(name, index, ...) HIT_KERNEL(name, index, __VA_ARGS__)
#define hit_auto auto
#define MEMBER(k, arg) MEMBER_(HIT_STRIP arg, )
#define MEMBER_(...) MEMBER_OF(__VA_ARGS__)
#define MEMBER_OF(mode, type, name, ...) type name{};
#define HIT_KERNEL(name, index, ...)                                                     \
    struct name##_counted {                                                              \
        HIT_EACH(MEMBER, __VA_ARGS__)                                                    \
        void body(int HIT_EACH(HIT_INDEX_PARAM, HIT_STRIP index));                       \
    };                                                                                   \
    static HIT_UNUSED std::uint64_t name##_count()                                       \
    {                                                                                    \
        const hit_index hit_x0 HIT_UNUSED = 0;                                           \
        const hit_index hit_x1 HIT_UNUSED = 0;                                           \
        const hit_index hit_x2 HIT_UNUSED = 0;                                           \
        name##_counted kernel;                                                           \
                                                                                         \
        done = 0;                                                                        \
        kernel.body(0 HIT_INDEX_ACTUALS(index));                                         \
        return done;                                                                     \
    }                                                                                    \
    void name##_counted::body(int HIT_EACH(HIT_INDEX_PARAM, HIT_STRIP index))

/* the bodies mean numbers that count where they say float */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define float counted<float>
#define double counted<double>
#include "kernels/matvec.k.c"
#include "kernels/stencil.k.c"
#include "kernels/vector.k.c"
#include "kernels/wave.k.c"
#undef float
#undef double

int main()
{
    std::printf("%d kernels, %d wrong\n", checked, wrong);
    return checked < 16 || wrong > 0;
}
