/* SPDX-License-Identifier: MIT
 * Figures and predicted times as text. A time that is not known is said to be so, with
 * the commands after which it is. */
#include "hit/dry/dry_time.h"

#include "hit/base/text.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LACKS = 3
};

static const struct {
    hit_lack lack;
    const char *name;
    const char *remedy;
} known[LACKS] = {
    {HIT_LACKS_KERNEL, "kernel", "HIT_PLAN=measure"},
    {HIT_LACKS_COPIES, "copies", "HIT_PLAN=measure"},
    {HIT_LACKS_MESSAGES, "messages", "mpiexec -n 2 hit model measure links"},
};

void hit_dry_print_figure(const char *name, const char *unit, hit_figure figure)
{
    printf("  %-14s %" PRIu64 "%s in all, %" PRIu64 "%s at most on one process\n", name,
           figure.sum, unit, figure.most, unit);
}

void hit_dry_json_figure(const char *name, hit_figure figure)
{
    printf(", \"%s\": {\"sum\": %" PRIu64 ", \"most\": %" PRIu64 "}", name, figure.sum,
           figure.most);
}

void hit_dry_print_time(hit_forecast time)
{
    const char *between = ":";

    if (time.lacks == 0) {
        hit_text_write(stdout, "  %-14s %.3g s", "predicted time", time.first_s);
        if (time.again_s < time.first_s) {
            hit_text_write(stdout, ", %.3g s with its tiles on the device", time.again_s);
        }
        printf("\n");
        return;
    }
    printf("  %-14s not known", "predicted time");
    for (int k = 0; k < LACKS; k++) {
        if ((time.lacks & (unsigned)known[k].lack) == 0) continue;
        printf("%s %s not measured (%s)", between, known[k].name, known[k].remedy);
        between = ",";
    }
    printf("\n");
}

void hit_dry_json_time(hit_forecast time)
{
    const char *between = "";

    if (time.lacks == 0) {
        hit_text_write(stdout, ", \"predicted_s\": %.9g, \"again_s\": %.9g", time.first_s,
                       time.again_s);
        return;
    }
    printf(", \"predicted_s\": null, \"not_measured\": [");
    for (int k = 0; k < LACKS; k++) {
        if ((time.lacks & (unsigned)known[k].lack) == 0) continue;
        printf("%s\"%s\"", between, known[k].name);
        between = ", ";
    }
    printf("]");
}

void hit_dry_print_total(hit_forecast all)
{
    if (all.lacks == 0) {
        hit_text_write(stdout, "predicted time in all: %.3g s\n", all.first_s);
    } else {
        printf("predicted time in all: not known\n");
    }
}

hit_forecast hit_dry_add_times(hit_forecast all, hit_forecast time, uint64_t times)
{
    all.first_s += time.first_s + (double)(times - 1) * time.again_s;
    all.again_s = all.first_s;
    all.lacks |= time.lacks;
    return all;
}
