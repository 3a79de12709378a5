/* SPDX-License-Identifier: MIT
 * The macros of hit/hit.h that are made of C's compound literals and _Generic, as C++
 * templates: a C++ program writes the same text. Kernel files stay C. */
#ifndef HIT_HIT_CXX_H
#define HIT_HIT_CXX_H

#ifdef __cplusplus

#include "hit/launch/launch.h"

#include <type_traits>

#undef hit_box_of
#undef hit_domain_of
#undef hit_launch
#undef hit_launch_on
#undef HIT_AT
#undef HIT_ON
#undef HIT_RESULT
#undef HIT_VALUE
#undef HIT_WHERE

template <class... Index> inline hit_domain hit_domain_of(Index... size)
{
    static_assert(sizeof...(size) <= HIT_MAX_DIMS,
                  "hit_domain_of: expected at most HIT_MAX_DIMS sizes");
    const hit_index sizes[] = {static_cast<hit_index>(size)...};

    return hit_domain_of_sizes(static_cast<int>(sizeof...(size)), sizes);
}

template <class... Index> inline hit_domain hit_box_of(Index... end)
{
    static_assert(
        sizeof...(end) % 2 == 0 && sizeof...(end) <= 2 * HIT_MAX_DIMS,
        "hit_box_of: expected begin and end of at most HIT_MAX_DIMS dimensions");
    const hit_index ends[] = {static_cast<hit_index>(end)..., 0};
    const int dims = static_cast<int>(sizeof...(end) / 2);
    hit_index first[HIT_MAX_DIMS] = {};
    hit_index last[HIT_MAX_DIMS] = {};

    for (int d = 0; d < dims; d++) {
        first[d] = ends[2 * d];
        last[d] = ends[2 * d + 1];
    }
    return hit_domain_box(dims, first, last);
}

template <class... Index> inline void *hit_view_at_index(const hit_view *view, Index... x)
{
    const hit_index index[] = {static_cast<hit_index>(x)...};

    return hit_view_at(view, index);
}
#define HIT_AT(view, type, ...)                                                          \
    (*static_cast<type *>(hit_view_at_index(&(view), __VA_ARGS__)))

template <class Value, bool = std::is_enum<Value>::value> struct hit_whole_of {
    typedef Value type;
};
template <class Value> struct hit_whole_of<Value, true> {
    typedef typename std::underlying_type<Value>::type type;
};

/** Of a type without a row in HIT_KINDS: a whole number, or bytes. */
template <class Value> struct hit_kind_of {
    typedef typename hit_whole_of<Value>::type whole;
    static const hit_kind kind =
        std::is_integral<whole>::value
            ? HIT_KIND_OF_WHOLE(sizeof(whole), std::is_signed<whole>::value)
            : HIT_KIND_BYTES;
};
#define HIT_KIND_OF_ROW(KIND, name, c_type, letter)                                      \
    template <> struct hit_kind_of<c_type> {                                             \
        static const hit_kind kind = HIT_KIND_##KIND;                                    \
    };
HIT_KINDS(HIT_KIND_OF_ROW)

/** @p value is read before the launch returns: a temporary lives long enough. */
template <class Value> inline hit_arg hit_value(const Value &value)
{
    return hit_arg{nullptr, &value, {hit_kind_of<Value>::kind, sizeof(Value)}};
}
#define HIT_VALUE(c) hit_value(c)

/** As the macro of C: a reduction's number for the program's variable. */
template <class Value> inline hit_arg hit_result(Value *pointer)
{
    return hit_arg{
        nullptr, pointer, {hit_kind_of<Value>::kind, sizeof(Value) | HIT_RESULT_MARK}};
}
#define HIT_RESULT(pointer) hit_result(pointer)

inline hit_arg hit_on_devices(const char *devices)
{
    return hit_arg{nullptr, devices, {HIT_KIND_BYTES, 0}};
}
#define HIT_ON(devices) hit_on_devices(devices)

inline hit_arg hit_arg_where(const char *text)
{
    return hit_arg{nullptr, text, {HIT_KIND_INT8, 0}};
}
#define HIT_WHERE(text) hit_arg_where(text)

inline hit_arg hit_arg_of(hit_tile *tile)
{
    return hit_arg_tile(tile);
}
inline hit_arg hit_arg_of(const hit_arg &value)
{
    return value;
}

template <class... Arg>
inline hit_status hit_launch_on(hit_context *context, hit_layout *layout,
                                const hit_kernel *kernel, hit_domain domain, Arg... arg)
{
    const hit_arg args[] = {hit_arg_of(arg)...};

    return hit_launch_args(context, layout, kernel, domain,
                           static_cast<int>(sizeof...(arg)), args);
}
template <class... Arg>
inline hit_status hit_launch(hit_context *context, const hit_kernel *kernel,
                             hit_domain domain, Arg... arg)
{
    return hit_launch_on(context, nullptr, kernel, domain, arg...);
}

#endif

#endif
