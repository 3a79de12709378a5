/* SPDX-License-Identifier: MIT
 * Kernels by name: those of the library, and those that a program adds, so that a text
 * such as "fpm2d:kernel=heat" can say which. */
#ifndef HIT_LAUNCH_CATALOGUE_H
#define HIT_LAUNCH_CATALOGUE_H

#include "patterns/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Add a kernel of the program: afterwards it is found by its name, before one of the
 * library.
 * @owner *kernel is borrowed until hit_close() @errors HIT_E_ARG another kernel of that
 * name was added; HIT_E_NOMEM */
HIT_API hit_status hit_kernel_register(hit_context *context, const hit_kernel *kernel);
/** The kernel of that name; the program's, or the library's, whose names may lack the
 * type ("heat": heat_float, then heat_double).
 * @param context may be NULL: the library's only
 * @errors HIT_E_ARG there is none (lists the known ones) */
HIT_API hit_status hit_kernel_find(const hit_context *context, const char *name,
                                   const hit_kernel **kernel);
/** What times depend on besides kernel and device: "hit 0.1.0, gcc 12.2.0, OpenBLAS
 * 0.3.21". */
HIT_API void hit_build_text(char *text, size_t size);

/** The kernels that come with the library (kernels/table.c), and how many. */
extern HIT_API const hit_kernel *const hit_kernel_table[];
extern HIT_API const int hit_kernel_table_count;

/** Write which library multiplies on the host, with which kernels and why (in kernels/):
 * "OpenBLAS 0.3.21 ..., SkylakeX kernels, OpenBLAS's own choice", or "plain C" with the
 * reason. Never more than @p size bytes. */
HIT_API void hit_gemm_library(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
