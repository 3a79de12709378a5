/* SPDX-License-Identifier: MIT
 * Launches: kernel x index domain x tiles. Messages, superblocks and devices are implied.
 */
#ifndef HIT_LAUNCH_LAUNCH_H
#define HIT_LAUNCH_LAUNCH_H

#include "hit/tile/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One actual argument of a launch; made by hit_launch() from a tile or by HIT_VALUE().
 */
typedef struct hit_arg {
    hit_tile *tile;    /**< NULL: a value */
    const void *value; /**< read before the launch returns */
    hit_type type;
} hit_arg;

HIT_API hit_arg hit_arg_tile(hit_tile *tile);
/* Inline: nothing is copied. */
HIT_API inline hit_arg hit_arg_value(hit_arg arg)
{
    return arg;
}

/** Pass a scalar or a small struct by value: HIT_VALUE(0.1f). Its type must be the
 * kernel's: 0.1 is a double and 0.1f a float. Only a whole number may be of another type
 * of whole number (int, size_t, an enum) that holds it: HIT_VALUE(3) for an int64_t. */
#define HIT_VALUE(c) ((hit_arg){NULL, (__typeof__(c)[1]){c}, HIT_VALUE_TYPE(c)})
#define HIT_VALUE_TYPE(c) ((hit_type){HIT_KIND_OF(c), sizeof(c)})

/** Pass the address of a variable for a reduction into "[]": HIT_RESULT(&most). When the
 * launch has returned it has the number, on every process. It costs what a tile of one
 * element and hit_tile_get() cost: the launch is waited for, and ends a chain; a loop
 * that needs the number now and then only should not ask for it at every step. In a dry
 * run it is 0. */
#define HIT_RESULT(pointer)                                                              \
    ((hit_arg){NULL,                                                                     \
               (pointer),                                                                \
               {HIT_KIND_OF(*(pointer)), sizeof *(pointer) | HIT_RESULT_MARK}})
/** In type.size_bytes of such an argument. */
#define HIT_RESULT_MARK (~(SIZE_MAX >> 1))

/** Behind the arguments of a launch that is placed by hand: HIT_ON("cuda"),
 * HIT_ON("host:1") for the second host device of the process, HIT_ON("gpu,core") for all
 * of two kinds. A launch goes to the devices that this and the kernel's HIT_RUNS_ON()
 * name; on several of them it is cut as ever. On a simulated machine kinds are those of
 * its file, and "host" is all that works in the host's memory. */
#define HIT_ON(devices) ((hit_arg){NULL, (devices), {HIT_KIND_BYTES, 0}})

/** Behind the arguments of a launch that runs some of the indices of its domain:
 * HIT_WHERE("j <= i"), HIT_WHERE("i - 2 <= j < i + b, k >= j"), HIT_WHERE("i < 8 or
 * j < 8"). The inequalities are of sums as in patterns, of the kernel's indices, of
 * numbers and of its values that are whole, which are alike on all processes; all of them
 * must hold, or all of another alternative. A side may be an argument that is only read,
 * of whole numbers: HIT_WHERE("wet == 1") asks of each index the element that it touches
 * by the argument's pattern. Other indices are not run: elements that only they touch are
 * not changed, and moved only where they lie in a box around what others of an
 * alternative touch (docs/kernel.md). */
#define HIT_WHERE(text) ((hit_arg){NULL, (text), {HIT_KIND_INT8, 0}})

/** Run @p kernel for every index of @p domain (a kernel of no index once, on
 * hit_domain_scalar()): `hit_launch(hit, &heat, inner, next, now, HIT_VALUE(c))`.
 * Arguments follow in the order of the kernel: tiles (hit_tile *) and HIT_VALUE(), and
 * HIT_ON() and HIT_WHERE() behind them. The kernel may go when the launch has returned;
 * one with equal functions and texts is the same kernel (hit_kernel_with_patterns()).
 *
 * The indices are split as the layout of the written tile, or of one that is read if its
 * pattern follows more indices; what a process needs and does not own comes by messages;
 * what does not fit the device's memory is cut into superblocks. Results are as if
 * launches ran one after another. A launch may return before the work is done: a GPU goes
 * on alone with what stays in its memory or is streamed through it, and the next launch
 * queues behind; copies of a staged host go on; on the threads of one process, launches
 * on parts of tiles run beside others. All that looks at tiles waits by itself; to take
 * the time, hit_wait() first. The value of a HIT_VALUE() is copied; memory behind a
 * pointer inside it is not.
 *
 * @collective yes: all processes launch the same kernels on the same tiles and domains,
 * in the same order
 * @errors HIT_E_ARG number or type of arguments, tiles of another context, a written
 * argument that touches elements which another one touches as well (docs/access.md);
 * HIT_E_PATTERN a wrong pattern, one that
 * leaves a tile without a boundary or writes outside one, or none that can split the
 * indices; HIT_E_LIMIT one index does not fit the device; HIT_E_ABSENT no implementation
 * for the device, or no device that HIT_ON() or HIT_RUNS_ON() names; HIT_E_CHECK where
 * HIT_CHECK or HIT_COMPARE finds something (docs/checking.md); HIT_E_NOMEM; HIT_E_PEER
 * another process could not plan; HIT_E_DEVICE, HIT_E_COMM and what a whole-box kernel
 * returns: on this process only
 */
#define hit_launch(context, kernel, domain, ...)                                         \
    hit_launch_args((context), NULL, (kernel), (domain), HIT_ARGS_COUNT(__VA_ARGS__),    \
                    (const hit_arg[]){HIT_ARGS(__VA_ARGS__)})
/** As hit_launch(), with the indices split as @p layout (whose domain must hold them). */
#define hit_launch_on(context, layout, kernel, domain, ...)                              \
    hit_launch_args((context), (layout), (kernel), (domain),                             \
                    HIT_ARGS_COUNT(__VA_ARGS__),                                         \
                    (const hit_arg[]){HIT_ARGS(__VA_ARGS__)})
/** As hit_launch_on(), for arguments made at run time; @p layout may be NULL. */
HIT_API hit_status hit_launch_args(hit_context *context, hit_layout *layout,
                                   const hit_kernel *kernel, hit_domain domain, int count,
                                   const hit_arg args[]);

/** Wait until everything launched so far is done. @errors HIT_E_DEVICE what went wrong on
 * the device after a launch returned, and what a whole-box kernel returned then: reported
 * by the first call that waits. If that call is hit_launch(), its launch is not executed.
 */
HIT_API hit_status hit_wait(hit_context *context);

enum {
    HIT_CHAIN_ANY = 0, /**< as many launches as the library likes */
    HIT_CHAIN_OFF = 1
};

/** From here on, let chains of launches that are blocked in time (docs/chain.md) have at
 * most @p launches launches, HIT_CHAIN_ANY or HIT_CHAIN_OFF; the environment's HIT_CHAIN
 * is a limit to that. Results of strict kernels do not depend on it. On several processes
 * there are no chains before this call, or a number in HIT_CHAIN, and on one process none
 * of launches that read beyond periodic boundaries. It promises that all processes write
 * tiles, by hit_tile_map(), at the same places among the launches. Where
 * they do not a later launch, or another collective call, fails on all of them with
 * HIT_E_COMM and names the tile; then there are no chains until the next hit_chain().
 * @collective yes: at the same place among the launches, with the same number
 * @errors HIT_E_ARG a negative number, or unlike ones; as hit_wait() */
HIT_API hit_status hit_chain(hit_context *context, int launches);

/* What a launch cannot take goes here: the compiler's error has these names. */
typedef struct hit_tile_or_hit_value {
    char unused;
} hit_tile_or_hit_value;
typedef struct hit_launch_expects {
    hit_arg (*a_tile_or_hit_value)(hit_tile_or_hit_value found);
} hit_launch_expects;

#define HIT_ARG(a)                                                                       \
    _Generic((a), hit_tile *                                                             \
             : hit_arg_tile, hit_arg                                                     \
             : hit_arg_value, default                                                    \
             : ((const hit_launch_expects *)NULL)->a_tile_or_hit_value)(a)
#define HIT_ARGS(...) HIT_ARGS_CAT(HIT_ARGS_, HIT_ARGS_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define HIT_ARGS_CAT(a, b) HIT_ARGS_CAT_(a, b)
#define HIT_ARGS_CAT_(a, b) a##b
#define HIT_ARGS_COUNT(...)                                                              \
    HIT_ARGS_COUNT_(__VA_ARGS__, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4,   \
                    3, 2, 1, 0)
#define HIT_ARGS_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, count,     \
                        ...)                                                             \
    count
#define HIT_ARGS_1(a) HIT_ARG(a)
#define HIT_ARGS_2(a, ...) HIT_ARG(a), HIT_ARGS_1(__VA_ARGS__)
#define HIT_ARGS_3(a, ...) HIT_ARG(a), HIT_ARGS_2(__VA_ARGS__)
#define HIT_ARGS_4(a, ...) HIT_ARG(a), HIT_ARGS_3(__VA_ARGS__)
#define HIT_ARGS_5(a, ...) HIT_ARG(a), HIT_ARGS_4(__VA_ARGS__)
#define HIT_ARGS_6(a, ...) HIT_ARG(a), HIT_ARGS_5(__VA_ARGS__)
#define HIT_ARGS_7(a, ...) HIT_ARG(a), HIT_ARGS_6(__VA_ARGS__)
#define HIT_ARGS_8(a, ...) HIT_ARG(a), HIT_ARGS_7(__VA_ARGS__)
#define HIT_ARGS_9(a, ...) HIT_ARG(a), HIT_ARGS_8(__VA_ARGS__)
#define HIT_ARGS_10(a, ...) HIT_ARG(a), HIT_ARGS_9(__VA_ARGS__)
#define HIT_ARGS_11(a, ...) HIT_ARG(a), HIT_ARGS_10(__VA_ARGS__)
#define HIT_ARGS_12(a, ...) HIT_ARG(a), HIT_ARGS_11(__VA_ARGS__)
#define HIT_ARGS_13(a, ...) HIT_ARG(a), HIT_ARGS_12(__VA_ARGS__)
#define HIT_ARGS_14(a, ...) HIT_ARG(a), HIT_ARGS_13(__VA_ARGS__)
#define HIT_ARGS_15(a, ...) HIT_ARG(a), HIT_ARGS_14(__VA_ARGS__)
#define HIT_ARGS_16(a, ...) HIT_ARG(a), HIT_ARGS_15(__VA_ARGS__)
#define HIT_ARGS_17(a, ...) HIT_ARG(a), HIT_ARGS_16(__VA_ARGS__) /* with HIT_ON() */
#define HIT_ARGS_18(a, ...) HIT_ARG(a), HIT_ARGS_17(__VA_ARGS__) /* and HIT_WHERE() */

#ifdef __cplusplus
}
#endif

#endif
