/* SPDX-License-Identifier: MIT
 * Names of statuses and the text of the last failure. The text is the one thing in the
 * library that is neither a constant nor hangs on a context: it is purely diagnostic,
 * statuses themselves carry no state, and failures can happen before there is a context.
 * It is per thread, so that device threads do not write over each other's words. */
#include "hit/base/status.h"

#include "hit/base/quote.h"
#include "hit/base/status_impl.h"

#include <string.h>

static _Thread_local hit_status last_status;
static _Thread_local char last_text[HIT_STATUS_TEXT_BYTES];
static _Thread_local uint64_t failures;

const char *hit_status_name(hit_status status)
{
    static const char *const name[HIT_STATUS_COUNT] = {
        [HIT_OK] = "HIT_OK",
        [HIT_E_ARG] = "HIT_E_ARG",
        [HIT_E_PATTERN] = "HIT_E_PATTERN",
        [HIT_E_NOMEM] = "HIT_E_NOMEM",
        [HIT_E_LIMIT] = "HIT_E_LIMIT",
        [HIT_E_ABSENT] = "HIT_E_ABSENT",
        [HIT_E_DEVICE] = "HIT_E_DEVICE",
        [HIT_E_COMM] = "HIT_E_COMM",
        [HIT_E_IO] = "HIT_E_IO",
        [HIT_E_PEER] = "HIT_E_PEER",
        [HIT_E_INTERNAL] = "HIT_E_INTERNAL",
        [HIT_E_CHECK] = "HIT_E_CHECK",
    };

    if ((int)status < 0 || status >= HIT_STATUS_COUNT) return "unknown status";
    return name[status];
}

const char *hit_status_text(void)
{
    return last_text;
}

uint64_t hit_status_failures(void)
{
    return failures;
}

hit_status hit_status_fail(hit_status status, const char *file, int line,
                           const char *format, ...)
{
    char text[HIT_STATUS_TEXT_BYTES]; /* the last text may be among the arguments */
    va_list args;

    va_start(args, format);
    hit_quote_vprint(text, sizeof(text), HIT_LANGUAGE_LINE, format, args);
    va_end(args);

#ifdef NDEBUG
    (void)file;
    (void)line;
#else /* for those who work on the library; without the path of the machine it was built \
         on */
    const char *slash = strrchr(file, '/');
    size_t used = strlen(text);
    snprintf(text + used, sizeof(text) - used, " (%s:%d)",
             slash == NULL ? file : slash + 1, line);
#endif
    memcpy(last_text, text, sizeof(last_text));
    last_status = status;
    failures++;
    return status;
}

void hit_first_store(hit_first *first, hit_status failure)
{
    first->status = failure;
    memcpy(first->text, last_text, sizeof(first->text));
}

void hit_first_recall(const hit_first *first)
{
    memcpy(last_text, first->text, sizeof(last_text));
    last_status = first->status;
    failures++;
}

void hit_status_report(hit_status status, const char *call, const char *file, int line)
{
    /* a text that belongs to an older, different failure would mislead */
    const char *text = status == last_status ? last_text : "";

    hit_say(stderr, "%s:%d: %s: %s%s%s\n", file, line, call, hit_status_name(status),
            text[0] == '\0' ? "" : ": ", text);
}
