/* SPDX-License-Identifier: MIT
 * Reports as text. */
#include "hit/base/text.h"
#include "hit/check/check.h"

#include <inttypes.h>
#include <stdarg.h>

bool hit_report_first(hit_report *report)
{
    return report->count++ == 0;
}

void hit_report_add(hit_report *report, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    hit_text_vadd(report->text, sizeof(report->text), format, args);
    va_end(args);
}

void hit_report_write(hit_report *report, const hit_replica *replica, int k,
                      const char *format, ...)
{
    const hit_kernel *kernel = replica->kernel;
    va_list args;

    report->text[0] = '\0';
    hit_report_add(report, "kernel %s, argument %s, tile %s: ", kernel->name,
                   kernel->arg[k].name, replica->arg[k].tile);
    va_start(args, format);
    hit_text_vadd(report->text, sizeof(report->text), format, args);
    va_end(args);
}

void hit_report_finish(hit_report *report)
{
    if (report->count <= 1) return;
    hit_report_add(report, " (and %" PRIu64 " more report%s)", report->count - 1,
                   report->count == 2 ? "" : "s");
}
