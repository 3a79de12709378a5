/* SPDX-License-Identifier: MIT
 * Figures and predicted times as text. A time that is not known is said to be so, with
 * the commands after which it is. */
#include "hit/base/quote.h"
#include "hit/dry/dry_impl.h"

#include <inttypes.h>
#include <math.h>

enum {
    LACKS = 3
};

static const struct {
    hit_lack lack;
    const char *name;
    const char *remedy;
    const char *line; /* of a machine's file */
} known[LACKS] = {
    {HIT_LACKS_KERNEL, "kernel", "HIT_PLAN=measure", "rate"},
    {HIT_LACKS_COPIES, "copies", "HIT_PLAN=measure", "link"},
    {HIT_LACKS_MESSAGES, "messages", "mpiexec -n 2 hit model measure links", "network"},
};

void hit_dry_print_figure(FILE *out, const char *name, const char *unit,
                          hit_figure figure)
{
    hit_say(out, "  %-14s %" PRIu64 "%s in all, %" PRIu64 "%s at most on one process\n",
            name, figure.sum, unit, figure.most, unit);
}

void hit_dry_json_figure(hit_json *line, const char *name, hit_figure figure)
{
    hit_json_object(line, name);
    hit_json_count(line, "sum", figure.sum);
    hit_json_count(line, "most", figure.most);
    hit_json_end(line);
}

void hit_dry_print_time(hit_dry_style style, hit_forecast time)
{
    FILE *const out = style.out;
    const char *between = ":";

    if (time.lacks == 0) {
        hit_say(out, "  %-14s %.3g s", "predicted time", time.first_s);
        if (time.again_s < time.first_s) {
            hit_say(out, ", %.3g s with its tiles on the device", time.again_s);
        }
        hit_say(out, "\n");
        return;
    }
    hit_say(out, "  %-14s not known", "predicted time");
    for (int k = 0; k < LACKS; k++) {
        if ((time.lacks & (unsigned)known[k].lack) == 0) continue;
        if (style.cluster) {
            hit_say(out, "%s the machine has no line %s", between, known[k].line);
        } else {
            hit_say(out, "%s %s not measured (%s)", between, known[k].name,
                    known[k].remedy);
        }
        between = ",";
    }
    hit_say(out, "\n");
}

void hit_dry_json_time(hit_json *line, hit_forecast time)
{
    const bool is_known = time.lacks == 0;

    hit_json_real(line, "predicted_s", "%.9g", is_known ? time.first_s : NAN);
    if (is_known) {
        hit_json_real(line, "again_s", "%.9g", time.again_s);
        return;
    }
    hit_json_list(line, "not_measured");
    for (int k = 0; k < LACKS; k++) {
        if ((time.lacks & (unsigned)known[k].lack) == 0) continue;
        hit_json_text(line, NULL, known[k].name);
    }
    hit_json_end(line);
}

void hit_dry_print_total(FILE *out, hit_forecast all)
{
    if (all.lacks == 0) {
        hit_say(out, "predicted time in all: %.3g s\n", all.first_s);
    } else {
        hit_say(out, "predicted time in all: not known\n");
    }
}

hit_forecast hit_dry_add_times(hit_forecast all, hit_forecast time, uint64_t times)
{
    all.first_s += time.first_s + (double)(times - 1) * time.again_s;
    all.again_s = all.first_s;
    all.lacks |= time.lacks;
    return all;
}
