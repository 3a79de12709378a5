/* SPDX-License-Identifier: MIT
 * For kernel files (*.k.c): HIT_KERNEL, HIT_BOX_KERNEL and the accessors of their bodies.
 * A kernel file is compiled by the C compiler and, where CUDA is on, a second time by
 * nvcc; its body must be both C and C++. CMake: hit_add_kernels(target heat.k.c). */
#ifndef HIT_KERNEL_H
#define HIT_KERNEL_H

#include "hit/kernel_macros.h"
#include "hit/kernel_rows.h"
#include "patterns/kernel.h"

#define HIT_UNUSED __attribute__((unused))
#define HIT_NOINLINE __attribute__((noinline))
#define HIT_COLD __attribute__((noinline, cold))
#ifdef __CUDACC__
#define HIT_INLINE __host__ __device__ __forceinline__
#else
#define HIT_INLINE inline __attribute__((always_inline, unused))
#endif
#ifdef __cplusplus
#define HIT_RESTRICT __restrict__
#else
#define HIT_RESTRICT restrict
#endif

/** The type of a local variable of a HIT_VECTOR_KERNEL: that of what it begins with. */
#ifdef __cplusplus
#define hit_auto auto
#else
#define hit_auto __auto_type /* C23 has auto */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-auto-type"
#endif
#endif

/** Element (i, j, ...) of tile argument @p name in a kernel's body, by GLOBAL indices:
 * read or assigned like a variable. `hit(total)` is the element of a 0-dimensional tile.
 */
#define hit(...) HIT_CAT(HIT_AT_, HIT_COUNT(__VA_ARGS__))(__VA_ARGS__)
#if !defined(HIT_KERNEL_CHECKED_HALF) && !defined(HIT_KERNEL_VECTOR_HALF)
#define HIT_AT_1(name) hit_p_##name[0]
#define HIT_AT_2(name, i) hit_p_##name[hit_slot_at1(hit_s_##name, (i))]
#define HIT_AT_3(name, i, j) hit_p_##name[hit_slot_at2(hit_s_##name, (i), (j))]
#define HIT_AT_4(name, i, j, k) hit_p_##name[hit_slot_at3(hit_s_##name, (i), (j), (k))]
#define HIT_AT_5(name, i, j, k, l)                                                       \
    hit_p_##name[hit_slot_at4(hit_s_##name, (i), (j), (k), (l))]
#endif

/** The first and last index of dimension @p dim of the tile given as argument @p name:
 * the limits of what ":" allows a body to touch. */
#define hit_begin(name, dim) (HIT_SLOT_OF(hit_s_##name)->begin[dim])
#define hit_end(name, dim) (HIT_SLOT_OF(hit_s_##name)->end[dim])

/* floor(x / step); most steps are 1 or 2 */
static HIT_INLINE hit_index hit_slot_step(hit_index x, hit_index step)
{
    if (step == 1) return x;
#ifndef __CUDACC__
    if ((step & (step - 1)) == 0) return x >> __builtin_ctzll((unsigned long long)step);
#endif
    return (x >= 0 ? x : x - step + 1) / step;
}

static HIT_INLINE hit_index hit_slot_at1(const hit_place *p, hit_index i)
{
    const hit_slot *s = HIT_SLOT_OF(p);

    if (s->dense) return i;
    return hit_slot_step(i, s->step[0]) * s->stride[0];
}

static HIT_INLINE hit_index hit_slot_at2(const hit_place *p, hit_index i, hit_index j)
{
    const hit_slot *s = HIT_SLOT_OF(p);

    if (s->dense) return HIT_ROW_AT(p, 1) + ((i - HIT_FROM(p, 0)) * s->stride[0] + j);
    return hit_slot_step(i, s->step[0]) * s->stride[0] +
           hit_slot_step(j, s->step[1]) * s->stride[1];
}

static HIT_INLINE hit_index hit_slot_at3(const hit_place *p, hit_index i, hit_index j,
                                         hit_index k)
{
    const hit_slot *s = HIT_SLOT_OF(p);

    if (s->dense) {
        return HIT_ROW_AT(p, 2) + ((i - HIT_FROM(p, 0)) * s->stride[0] +
                                   (j - HIT_FROM(p, 1)) * s->stride[1] + k);
    }
    return hit_slot_at2(p, i, j) + hit_slot_step(k, s->step[2]) * s->stride[2];
}

static HIT_INLINE hit_index hit_slot_at4(const hit_place *p, hit_index i, hit_index j,
                                         hit_index k, hit_index l)
{
    const hit_slot *s = HIT_SLOT_OF(p);

    if (s->dense) {
        return HIT_ROW_AT(p, 3) + ((i - HIT_FROM(p, 0)) * s->stride[0] +
                                   (j - HIT_FROM(p, 1)) * s->stride[1] +
                                   (k - HIT_FROM(p, 2)) * s->stride[2] + l);
    }
    return hit_slot_at3(p, i, j, k) + hit_slot_step(l, s->step[3]) * s->stride[3];
}

/* Does @p pattern begin with the first index, as in "[i-1:i+1, j]"? Its rows are then as
 * far from each other as those of the box. @p open is "[i". Texts are literals. */
static HIT_INLINE int hit_row_follows(const char *pattern, const char *open)
{
    return __builtin_strncmp(pattern, open, __builtin_strlen(open)) == 0;
}

#if !defined(__CUDACC__) && !defined(HIT_KERNEL_CHECKED_HALF)
/* The same number. The compiler does not see what it was made of: it would undo the
 * subtractions of hit_slot_at2() and the others. */
static HIT_INLINE hit_index hit_opaque(hit_index x)
{
    __asm__("" : "+r"(x));
    return x;
}

/* Let @p p count from where a row begins: from indices row[0], ... but for the last of
 * the @p dims, if the tile follows those. It may have more dimensions than the kernel has
 * indices, "[i, j, 0:2]": of the others it counts from 0. */
static HIT_INLINE void hit_place_row(hit_place *p, const hit_index row[], int dims,
                                     int follows)
{
    const hit_index *stride = p->slot.stride;

    if (!follows || dims < 2) return;
    p->from[0] = row[0];
    p->at[1] = p->at[2] = p->at[3] = hit_opaque(row[0] * stride[0]);
    if (dims < 3) return;
    p->from[1] = row[1];
    p->at[2] = p->at[3] = hit_opaque(row[0] * stride[0] + row[1] * stride[1]);
    if (dims < 4) return;
    p->from[2] = row[2];
    p->at[3] = hit_opaque(row[0] * stride[0] + row[1] * stride[1] + row[2] * stride[2]);
}
#endif

/* How many indices of a row lie before a whole vector begins, fewer than it has, if what
 * a kernel of @p dims indices writes at the first one is element row[0], row[1], ... of a
 * tile of as many dimensions. Where it is another element rows are cut at other places,
 * which is as right. Ends of rows of small elements cost more than they gain. */
static HIT_INLINE hit_index hit_row_lead(const void *base, const hit_slot *s,
                                         const hit_index row[], int dims, size_t size)
{
    uintptr_t at = (uintptr_t)base;

    if (size < sizeof(float) || s->stride[dims - 1] != 1) return 0;
    for (int d = 0; d < dims; d++) {
        at += (uintptr_t)row[d] * (uintptr_t)s->stride[d] * size;
    }
    return (hit_index)(-at % HIT_VECTOR_BYTES / size);
}

/* Do neighbours in the first index share much of what they read by @p pattern? They do if
 * it reaches to both sides, "i-r:i+r": @p low is "i-", @p high is ":i+". In kernels of
 * two indices @p near is "i-1:i+1", else NULL: three rows stay in the nearest cache
 * anyway. Texts are literals: the compiler knows the answer. */
static HIT_INLINE int hit_row_shares(const char *pattern, const char *low,
                                     const char *high, const char *near)
{
    return __builtin_strstr(pattern, low) != NULL &&
           __builtin_strstr(pattern, high) != NULL &&
           (near == NULL || __builtin_strstr(pattern, near) == NULL);
}

#ifdef HIT_KERNEL_CUDA
#define HIT_CUDA_DECLARE(name) hit_status name##_cuda(const hit_run *run);
#define HIT_CUDA_POINTER(name) name##_cuda
#else
#define HIT_CUDA_DECLARE(name)
#define HIT_CUDA_POINTER(name) NULL
#endif

#ifdef HIT_KERNEL_CHECKED
#define HIT_CHECKED_DECLARE(name) hit_status name##_checked(const hit_run *run);
#define HIT_CHECKED_POINTER(name) name##_checked
#else
#define HIT_CHECKED_DECLARE(name)
#define HIT_CHECKED_POINTER(name) NULL
#endif

#ifndef HIT_KERNEL_STRICT
#define HIT_KERNEL_STRICT 0
#endif

/* The hit_type of a C type; only the host's half, which is C, has the table. */
#define HIT_TYPE_OF(c_type)                                                              \
    {                                                                                    \
        HIT_KIND_OF(*(c_type *)0), sizeof(c_type)                                        \
    }

#define HIT_KERNEL_TABLE(name, index, box, ...)                                          \
    HIT_ORDERED_TABLE(name, index, box, (none), __VA_ARGS__)
#define HIT_ORDERED_TABLE(name_, index_, box, order_, prepare_, alongs_, along_,         \
                          checked_, ...)                                                 \
    _Static_assert(HIT_COUNT index_ <= HIT_MAX_DIMS,                                     \
                   "a kernel has at most HIT_MAX_DIMS indices");                         \
    HIT_CUDA_DECLARE(name_)                                                              \
    static hit_status name_##_host(const hit_run *run);                                  \
    static const hit_kernel_arg name_##_args[] = {HIT_EACH(HIT_ENTRY, __VA_ARGS__)};     \
    static const hit_operations name_##_operations;                                      \
    static const hit_kernel_on name_##_on;                                               \
    static const hit_kernel_threads name_##_threads;                                     \
    static const hit_kernel_rows name_##_hit_rows;                                       \
    extern const hit_kernel name_;                                                       \
    const hit_kernel name_ = {.name = #name_,                                            \
                              .dims = HIT_COUNT index_,                                  \
                              .index = {HIT_EACH(HIT_INDEX_NAME, HIT_STRIP index_)},     \
                              .args = HIT_COUNT(__VA_ARGS__),                            \
                              .arg = name_##_args,                                       \
                              .whole_box = box,                                          \
                              .prepare = prepare_,                                       \
                              .alongs = (int)(alongs_),                                  \
                              .along = along_,                                           \
                              .host = name_##_host,                                      \
                              .cuda = (0 HIT_EACH(HIT_OR_ORDER, HIT_STRIP order_)        \
                                           HIT_EACH(HIT_OR_REDUCE, __VA_ARGS__))         \
                                          ? (hit_kernel_function)0                       \
                                          : HIT_CUDA_POINTER(name_),                     \
                              .checked = checked_,                                       \
                              .c_type = {HIT_EACH(HIT_TYPE_TEXT, __VA_ARGS__)},          \
                              .reduction = {HIT_EACH(HIT_REDUCTION_ENTRY, __VA_ARGS__)}, \
                              .operations = &name_##_operations,                         \
                              .on = &name_##_on,                                         \
                              .own_threads = &name_##_threads,                           \
                              .rows = &name_##_hit_rows,                                 \
                              .order = {HIT_EACH(HIT_ORDER, HIT_STRIP order_)},          \
                              .strict = HIT_KERNEL_STRICT,                               \
                              .constant = &name_};

/** Say how many floating-point operations kernel @p name of this file does for each
 * index, so that HIT_PROFILE=1 tells GFLOP/s: `HIT_OPERATIONS(axpy, 2);`. With
 * HIT_OPERATIONS_ALONG it is that many for each index and each element of dimension @p
 * dim of tile argument number @p arg, counted from 0: a product does
 * `HIT_OPERATIONS_ALONG(gemm, 2, 1, 1);`, a multiplication and an addition for each
 * element of a row of A. What is counted: hit_operations. Optional; before or after the
 * kernel. */
#define HIT_OPERATIONS(name, count)                                                      \
    static HIT_UNUSED const hit_operations name##_operations = {(count), 0, {0, 0}}
#define HIT_OPERATIONS_ALONG(name, count, arg, dim)                                      \
    static HIT_UNUSED const hit_operations name##_operations = {0, (count),              \
                                                                HIT_ALONG(arg, dim)}
/** Say on which devices kernel @p name of this file may run, as HIT_ON() does for one
 * launch: `HIT_RUNS_ON(potrf, "host");`. Optional; before or after the kernel. */
#define HIT_RUNS_ON(name, kinds)                                                         \
    static HIT_UNUSED const hit_kernel_on name##_on = {(kinds)}
/** Say that the whole-box kernel @p name has threads of its own: `HIT_OWN_THREADS(solve,
 * enter);`. Then @p function, a hit_status(const hit_group *), is called by the thread
 * that will call the kernel, once for each device, and confines them:
 * `omp_set_num_threads (group->threads)`, then in a parallel region
 * `group->bind(group->self, omp_get_thread_num())`. The kernel gets all threads of a
 * device. */
#define HIT_OWN_THREADS(name, function)                                                  \
    static HIT_UNUSED const hit_kernel_threads name##_threads = {(function)}
/** Say that many launches of kernel @p name of this file have HIT_WHERE() with rows of
 * few elements, triangles and bands: `HIT_BY_ROWS(rank_one);`. Its loops are compiled
 * once more, to go from row to row by themselves; else each row is a call. Optional;
 * before or after a HIT_KERNEL or HIT_ORDERED_KERNEL. */
#if defined(HIT_KERNEL_HOST_HALF) && !defined(__cplusplus)
#define HIT_BY_ROWS(name)                                                                \
    static hit_status name##_hit_by_rows(const hit_run *hit_run_,                        \
                                         const hit_ranges *ranges);                      \
    static HIT_UNUSED const hit_kernel_rows name##_hit_rows = {name##_hit_by_rows}
#else
#define HIT_BY_ROWS(name) extern const hit_kernel name
#endif
/** Dimension @p dim of tile argument number @p arg, counted from 0. */
#define HIT_ALONG(arg, dim)                                                              \
    {                                                                                    \
        arg, dim                                                                         \
    }

/** Say how elements of @p type, a name, are reduced, before the kernels that have
 * arguments (reduce, type, ...). @p start_of, a void(type *), makes an element that
 * changes nothing of one whose bytes are 0; @p combine_of, a void(type *onto, const type
 * *from), combines two. They are HIT_INLINE. Combining is associative and commutative:
 * its order is not fixed. An element has at most HIT_MAX_REDUCED_BYTES bytes. For a
 * program's struct, such as a value and its place, or for a number: a product. Runs on
 * host devices only. */
#if defined(HIT_KERNEL_HOST_HALF) && !defined(__cplusplus)
#define HIT_REDUCTION(type, start_of, combine_of)                                        \
    _Static_assert(                                                                      \
        sizeof(type) <= HIT_MAX_REDUCED_BYTES,                                           \
        "an element that is reduced has at most HIT_MAX_REDUCED_BYTES bytes");           \
    static void type##_start_all(void *elements, hit_index count)                        \
    {                                                                                    \
        for (hit_index hit_k = 0; hit_k < count; hit_k++) {                              \
            start_of((type *)elements + hit_k);                                          \
        }                                                                                \
    }                                                                                    \
    static void type##_combine_all(void *onto, const void *from, hit_index count)        \
    {                                                                                    \
        for (hit_index hit_k = 0; hit_k < count; hit_k++) {                              \
            combine_of((type *)onto + hit_k, (const type *)from + hit_k);                \
        }                                                                                \
    }                                                                                    \
    static HIT_UNUSED const hit_reduction type##_reduction = {type##_start_all,          \
                                                              type##_combine_all}
#else
/* What combines is the host's; its functions are used here, too. */
#define HIT_REDUCTION(type, start_of, combine_of)                                        \
    static HIT_UNUSED void (*const type##_starts)(type *) = (start_of);                  \
    static HIT_UNUSED void (*const type##_combines)(type *, const type *) = (combine_of)
#endif

#define HIT_KERNEL_BODY(name, index, ...)                                                \
    static HIT_INLINE void name##_body(HIT_BODY_PARAM HIT_EACH(HIT_PARAM, __VA_ARGS__)   \
                                           HIT_EACH(HIT_INDEX_PARAM, HIT_STRIP index))

/** Define a kernel: `HIT_KERNEL(name, (i, j), (mode, type, argument, "pattern")...,
 * (value, type, v)) { body }`. The body runs once for every index (i, j) of a launch, in
 * any order, on any device.
 *
 * - name: a global `const hit_kernel`; programs say `extern const hit_kernel name;`
 * - index: up to HIT_MAX_DIMS names; the last one runs fastest in memory. A kernel of no
 *   index, (), runs once, on hit_domain_scalar()
 * - mode: in, out, inout, sum, min, max, reduce (hit_mode), or value: a scalar or small
 *   struct
 * - pattern: the elements of the tile that index (i, j) touches: patterns/parse.h; it may
 *   name values that are whole numbers, alike on all processes
 *
 * In a reduction the body adds to hit(total): `hit(total) += ...`, and keeps the least or
 * greatest with min and max; with reduce it calls what HIT_REDUCTION() of the type has
 * as its combine. At most HIT_MAX_ARGS arguments, at least one of which is a
 * tile.
 */
#ifdef HIT_KERNEL_HOST_HALF
#define HIT_KERNEL(name, index, ...) HIT_KERNEL_LOOPS(name, index, 0, 1, __VA_ARGS__)
#define HIT_KERNEL_LOOPS(name, index, in_vectors, cuts, ...)                             \
    HIT_CHECKED_DECLARE(name)                                                            \
    HIT_KERNEL_TABLE(name, index, 0, NULL, 0, NULL, HIT_CHECKED_POINTER(name),           \
                     __VA_ARGS__)                                                        \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                           \
    static HIT_INLINE void name##_loop(                                                  \
        const hit_run *hit_run_, const int hit_dense_,                                   \
        const hit_index hit_inner_ HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                \
    {                                                                                    \
        HIT_LOOP_CONSTANTS(index, __VA_ARGS__)                                           \
        /* in any order over elements side by side? */                                   \
        const int hit_side_ = hit_free_ && hit_dense_ && hit_inner_ == 1;                \
        const int hit_cuts_ = hit_side_ && (cuts || !hit_shares_);                       \
        hit_index hit_from_ HIT_UNUSED = hit_run_->begin[0];                             \
        HIT_EACH(HIT_LOCAL_SLOT, __VA_ARGS__)                                            \
        if (HIT_MANY_REGISTERS && hit_side_ && hit_shares_ &&                            \
            hit_run_->stride[0] == 1) {                                                  \
            HIT_GROUPS(                                                                  \
                index, HIT_EACH(HIT_START, __VA_ARGS__),                                 \
                HIT_GROUP_OF(name##_body, index, HIT_EACH(HIT_ACTUAL, __VA_ARGS__)))     \
        }                                                                                \
        HIT_LOOPS(index, HIT_EACH(HIT_START, __VA_ARGS__),                               \
                  name##_body(hit_run_ HIT_EACH(HIT_ACTUAL, __VA_ARGS__)                 \
                                  HIT_INDEX_ACTUALS(index)))                             \
    }                                                                                    \
    HIT_KERNEL_HOST(name, index, in_vectors, __VA_ARGS__)                                \
    HIT_KERNEL_BY_ROWS(name, index, (1 HIT_EACH(HIT_AND_FREE, __VA_ARGS__)), 1,          \
                       __VA_ARGS__)                                                      \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)

/** A HIT_KERNEL that computes a vector of indices at a time, and shifts neighbours in a
 * row together in registers, which stencils in the caches of a core gain by. In its body
 * hit() is a vector of elements side by side, local variables are `const hit_auto`, and
 * the last index, which is no number here, stands in hit() alone: as `j`, `j - 1`, `j +
 * 4`. There are no conditions on elements and no calls of functions, and constants have
 * the type of the elements. All tiles have one type, float, double, int or hit_index;
 * none is reduced; what is written is written at the body's own index, "[i, j]" for (i,
 * j). Most else is an error of the compiler: docs/kernel.md. hit_add_kernels() compiles
 * what this needs; without that it is a HIT_KERNEL. */
#ifdef HIT_KERNEL_VECTORS
#define HIT_VECTOR_KERNEL(name, index, ...)                                              \
    int name##_vectors(const hit_run *hit_run_);                                         \
    HIT_KERNEL_LOOPS(name, index, name##_vectors(hit_run_), !HIT_SHIFTS, __VA_ARGS__)
#else
#define HIT_VECTOR_KERNEL(name, index, ...) HIT_KERNEL(name, index, __VA_ARGS__)
#endif

/** Define a kernel whose body does a whole box of indices at once, by calling a library:
 * the body is a function of `const hit_run *run` that returns a hit_status.
 * HIT_BOX_KERNEL defines the host implementation; a CUDA one is the function
 * name_cuda(const hit_run *) in another file of the same program, with HIT_KERNEL_CUDA
 * defined in this one. The body uses hit_run_address(). It cannot reduce: a launch
 * refuses the modes sum, min, max and reduce. */
#define HIT_BOX_KERNEL(name, index, ...)                                                 \
    HIT_KERNEL_TABLE(name, index, 1, NULL, 0, NULL, NULL, __VA_ARGS__)                   \
    static hit_status name##_host(const hit_run *run)

/** A whole-box kernel whose box may be cut: the threads of a host device each call it for
 * a part, with run->threads 1. @p prepare, a hit_status(void **) or NULL, is called
 * before, by one thread; what it leaves is in run->prepared. */
#define HIT_BOX_PARTS_KERNEL(name, index, prepare, ...)                                  \
    HIT_KERNEL_TABLE(name, index, 2, prepare, 0, NULL, NULL, __VA_ARGS__)                \
    static hit_status name##_host(const hit_run *run)

/** A HIT_BOX_PARTS_KERNEL that sums over a dimension it traverses, such as a product: @p
 * along lists (HIT_ALONG(argument's number, dimension)...), which are the same index.
 * What does not fit a device's memory is then cut along it, too: the body sums from
 * run->slot[argument].begin[dimension] to .end[dimension], and where run->later is set it
 * adds to what is in its `inout` arguments. */
#define HIT_BOX_SUM_KERNEL(name, index, along, prepare, ...)                             \
    static const hit_along name##_along[] = {HIT_STRIP along};                           \
    HIT_KERNEL_TABLE(name, index, 2, prepare, sizeof(name##_along) / sizeof(hit_along),  \
                     name##_along, NULL, __VA_ARGS__)                                    \
    static hit_status name##_host(const hit_run *run)
#else
#ifndef HIT_KERNEL_VECTOR_HALF
#define HIT_VECTOR_KERNEL(name, index, ...) HIT_KERNEL(name, index, __VA_ARGS__)
#endif
/* A whole-box kernel is the host's: it is checked from outside, and its file is best not
 * given to nvcc. What its body and its prepare() use is used there, too. */
#define HIT_BOX_KERNEL(name, index, ...)                                                 \
    HIT_BOX_PARTS_KERNEL(name, index, NULL, __VA_ARGS__)
#define HIT_BOX_SUM_KERNEL(name, index, along, prepare, ...)                             \
    HIT_BOX_PARTS_KERNEL(name, index, prepare, __VA_ARGS__)
#define HIT_BOX_PARTS_KERNEL(name, index, prepare, ...)                                  \
    static HIT_UNUSED hit_status (*const hit_prepare_of_##name)(void **) = (prepare);    \
    static HIT_UNUSED hit_status name##_host_only(const hit_run *run HIT_UNUSED)
#endif

/** For a HIT_BOX_KERNEL, such as the factor of one block: call @p function on all threads
 * of the device, `function(of, thread, threads)`, thread 0 being the caller. Within it
 * hit_run_barrier() waits until all are there. On one thread it is called once. */
static HIT_INLINE void hit_run_team(const hit_run *run,
                                    void (*function)(void *of, int thread, int threads),
                                    void *of)
{
    if (run->team != NULL) {
        run->team->run(run->team->self, function, of);
    } else {
        function(of, 0, 1);
    }
}

static HIT_INLINE void hit_run_barrier(const hit_run *run)
{
    if (run->team != NULL) run->team->barrier(run->team->self);
}

/** For whole-box kernels: the address of element (index[0], ...) of argument @p arg,
 * whose elements have @p size_bytes, in a tile of @p dims dimensions. */
static HIT_INLINE void *hit_run_address(const hit_run *run, int arg, int dims,
                                        const hit_index at[], size_t size_bytes)
{
    hit_index offset = 0;

    for (int d = 0; d < dims; d++) {
        offset += hit_slot_step(at[d], run->slot[arg].step[d]) * run->slot[arg].stride[d];
    }
    return (char *)run->slot[arg].base + offset * (hit_index)size_bytes;
}

#ifdef __CUDACC__
#include "hit/kernel_cuda.h"
#endif
#ifdef HIT_KERNEL_CHECKED_HALF
#include "hit/kernel_checked.h"
#endif
#ifdef HIT_KERNEL_VECTOR_HALF
#include "hit/kernel_vectors.h"
#endif
#include "hit/kernel_ordered.h"

#endif
