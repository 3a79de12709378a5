/* SPDX-License-Identifier: MIT
 * How every function of the library says what went wrong. */
#ifndef HIT_BASE_STATUS_H
#define HIT_BASE_STATUS_H

#include "hit/base/types.h"

#include <stdlib.h>

HIT_C_BEGIN

typedef enum hit_status {
    HIT_OK = 0,
    HIT_E_ARG,      /**< an argument is not what the function expects */
    HIT_E_PATTERN,  /**< an access pattern is wrong or leaves its tile */
    HIT_E_NOMEM,    /**< the system has no more memory */
    HIT_E_LIMIT,    /**< one block does not fit the memory limit of its device */
    HIT_E_ABSENT,   /**< not built in, or not there on this machine */
    HIT_E_DEVICE,   /**< a device failed */
    HIT_E_COMM,     /**< a message could not be carried out */
    HIT_E_IO,       /**< a file could not be read or written */
    HIT_E_PEER,     /**< another process failed in the same collective call */
    HIT_E_INTERNAL, /**< a bug of the library */
    HIT_E_CHECK,    /**< a kernel does not do what it declares (HIT_CHECK, HIT_COMPARE) */
    HIT_STATUS_COUNT
} hit_status;

/** The name of a status, as it is written in C: "HIT_E_ARG". */
HIT_API const char *hit_status_name(hit_status status);

/** The text of the last failure on this thread: what was expected, what was found; in
 * debug builds also where in the library.
 *
 * @owner the library's; valid until the next failure on this thread
 */
HIT_API const char *hit_status_text(void);

/** Record the text of a failure; use HIT_FAIL(). Returns @p status. */
HIT_API hit_status hit_status_fail(hit_status status, const char *file, int line,
                                   const char *format, ...) HIT_PRINTF(4, 5);

/** Print the last failure with the place of the call that failed; used by HIT_MUST(). */
HIT_API void hit_status_report(hit_status status, const char *call, const char *file,
                               int line);

/** Record a failure where it is first seen: `return HIT_FAIL(HIT_E_ARG, "...", ...)`.
 * Its value is @p status, in a form that compilers and analysers see to be a failure. */
#define HIT_FAIL(status, ...)                                                            \
    (hit_status_fail((status), __FILE__, __LINE__, __VA_ARGS__), (status))

/** Return from the calling function if @p call fails. */
#define HIT_TRY(call)                                                                    \
    do {                                                                                 \
        hit_status hit_try_ = (call);                                                    \
        if (hit_try_ != HIT_OK) return hit_try_;                                         \
    } while (0)

/** Store the status of @p call and go to @p label if it fails. */
#define HIT_TRY_GOTO(status, call, label)                                                \
    do {                                                                                 \
        (status) = (call);                                                               \
        if ((status) != HIT_OK) goto label;                                              \
    } while (0)

/** For programs, not for libraries: print the failure and exit. */
#define HIT_MUST(call)                                                                   \
    do {                                                                                 \
        hit_status hit_must_ = (call);                                                   \
        if (hit_must_ != HIT_OK) {                                                       \
            hit_status_report(hit_must_, #call, __FILE__, __LINE__);                     \
            exit(EXIT_FAILURE);                                                          \
        }                                                                                \
    } while (0)

HIT_C_END

#endif
