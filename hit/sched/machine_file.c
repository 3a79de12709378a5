/* SPDX-License-Identifier: MIT
 * Reading machine files: one thing a line, words with blanks between them, '#' begins a
 * comment. A word KEY=VALUE is an option of its line. */
#define _POSIX_C_SOURCE 200809L /* access */
#include "hit/sched/machine_file.h"

#include "hit/base/alloc.h"
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/sched/machine_reader.h"
#include "hit/sched/sched_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH = 4096
};

hit_status hit_machine_read_name(const hit_machine_reader *r, const char *word,
                                 char name[])
{
    if (strlen(word) >= HIT_MACHINE_NAME) {
        return HIT_FAIL_AT(&r->in,
                           "expected a name of less than %d characters but found \"%s\"",
                           HIT_MACHINE_NAME, word);
    }
    memcpy(name, word, strlen(word) + 1);
    return HIT_OK;
}

hit_status hit_machine_read_whole(const hit_machine_reader *r, const char *what,
                                  const char *word, int64_t low, int64_t high,
                                  int64_t *number)
{
    const char *at = word;

    if (hit_number_next(&at, low, high, number) && *at == '\0') return HIT_OK;
    return HIT_FAIL_AT(&r->in, "expected %s from %lld to %lld but found \"%s\"", what,
                       (long long)low, (long long)high, word);
}

/** The text after "KEY=" among the words from @p first on; NULL: it is not given. */
static const char *find_option(const hit_machine_reader *r, int first, const char *key)
{
    const char *value;

    for (int k = first; k < r->in.words; k++) {
        if (hit_option_is(r->in.word[k], key, &value)) return value;
    }
    return NULL;
}

static hit_status only_options(const hit_machine_reader *r, int first,
                               const char *const known[])
{
    const char *value;

    for (int k = first; k < r->in.words; k++) {
        int o = 0;

        while (known[o] != NULL && !hit_option_is(r->in.word[k], known[o], &value)) {
            o++;
        }
        if (known[o] == NULL) {
            return HIT_FAIL_AT(&r->in, "\"%s\" is no option of a %s", r->in.word[k],
                               r->in.word[0]);
        }
        if (find_option(r, k + 1, known[o]) != NULL) {
            return HIT_FAIL_AT(&r->in, "expected %s= once", known[o]);
        }
    }
    return HIT_OK;
}

/* -1: there is none. */
int hit_machine_find_kind(const hit_machine *machine, const char *name, size_t length)
{
    for (int k = 0; k < machine->kinds; k++) {
        const char *known = machine->kind[k].name;

        if (strncmp(known, name, length) == 0 && known[length] == '\0') return k;
    }
    return -1;
}

static int find_link(const hit_machine *machine, const char *name)
{
    for (int k = 0; k < machine->links; k++) {
        if (strcmp(machine->link[k].name, name) == 0) return k;
    }
    return -1;
}

/** A link that is not described yet has speed 0. */
static hit_status need_link(hit_machine_reader *r, const char *name, int *link)
{
    hit_machine *machine = r->machine;

    *link = find_link(machine, name);
    if (*link >= 0) return HIT_OK;
    HIT_TRY(HIT_ONE_MORE(machine->link, machine->links, machine->link_room, "a machine"));
    machine->link[machine->links] = (hit_machine_link){.lanes = 1};
    HIT_TRY(hit_machine_read_name(r, name, machine->link[machine->links].name));
    *link = machine->links++;
    return HIT_OK;
}

/** watts=BUSY idle=IDLE */
static hit_status read_power(const hit_machine_reader *r, hit_machine_kind *kind)
{
    const char *busy = find_option(r, 3, "watts");
    const char *idle = find_option(r, 3, "idle");

    if (busy == NULL && idle == NULL) return HIT_OK;
    if (busy == NULL || idle == NULL) {
        return HIT_FAIL_AT(&r->in, "expected watts= and idle=, or none of them");
    }
    if (hit_machine_number(busy, &kind->busy_w) && kind->busy_w > 0 &&
        hit_machine_number(idle, &kind->idle_w) && kind->idle_w >= 0 &&
        kind->idle_w <= kind->busy_w) {
        return HIT_OK;
    }
    return HIT_FAIL_AT(
        &r->in,
        "expected watts= above 0 and idle= from 0 to that but found \"%s\" "
        "and \"%s\"",
        busy, idle);
}

/** device NAME COUNT [memory=BYTES link=NAME window=N watts=W idle=W] */
static hit_status read_device(hit_machine_reader *r)
{
    static const char *const known[] = {"memory", "link", "window",
                                        "watts",  "idle", NULL};
    hit_machine_kind kind = {.threads = 1, .link = -1};
    const char *memory = find_option(r, 3, "memory");
    const char *link = find_option(r, 3, "link");
    const char *window = find_option(r, 3, "window");
    const char *star;
    int64_t number;
    size_t bytes;

    if (r->in.words < 3) return HIT_FAIL_AT(&r->in, "expected device NAME COUNT");
    HIT_TRY(only_options(r, 3, known));
    HIT_TRY(hit_machine_read_name(r, r->in.word[1], kind.name));
    HIT_TRY(hit_machine_read_whole(r, "a number of devices", r->in.word[2], 0,
                                   HIT_MACHINE_DEVICES, &number));
    kind.count = (int)number;
    if (hit_machine_find_kind(r->machine, kind.name, strlen(kind.name)) >= 0) {
        return HIT_FAIL_AT(&r->in, "expected a device once but found %s again",
                           kind.name);
    }
    star = strchr(kind.name, '*');
    if (star != NULL) {
        HIT_TRY(hit_machine_read_whole(r, "a number of cores", star + 1, 1, 1 << 20,
                                       &number));
        kind.threads = (int)number;
        kind.is_group = true;
    }
    if ((memory == NULL) != (link == NULL)) {
        return HIT_FAIL_AT(&r->in, "expected memory= and link=, or none of them");
    }
    if (memory != NULL && link != NULL) {
        if (hit_memory_parse(memory, &bytes) != HIT_OK) {
            return hit_lines_tell(&r->in, HIT_E_ARG);
        }
        kind.bytes = (int64_t)bytes;
        kind.window = 2;
        HIT_TRY(need_link(r, link, &kind.link));
    }
    if (window != NULL && link == NULL) {
        return HIT_FAIL_AT(&r->in, "expected memory= and link= beside window=");
    }
    if (window != NULL) {
        HIT_TRY(hit_machine_read_whole(r, "a window", window, 0, HIT_MACHINE_WINDOW - 1,
                                       &number));
        kind.window = (int)number;
    }
    HIT_TRY(read_power(r, &kind));
    return hit_machine_add_kind(r->machine, &kind);
}

/** The @p count options of a line, from word @p first on. */
hit_status hit_machine_read_numbers(const hit_machine_reader *r, int first, int count,
                                    const hit_machine_number_option of[], int64_t value[])
{
    const char *known[HIT_MACHINE_NUMBERS + 1] = {NULL};

    for (int k = 0; k < count; k++) {
        known[k] = of[k].key;
    }
    HIT_TRY(only_options(r, first, known));
    for (int k = 0; k < count; k++) {
        const char *text = find_option(r, first, of[k].key);

        value[k] = of[k].otherwise;
        if (text == NULL && value[k] >= 0) continue;
        HIT_TRY(hit_machine_read_whole(r, of[k].key, text != NULL ? text : "nothing",
                                       of[k].low, of[k].high, &value[k]));
    }
    return HIT_OK;
}

/** link NAME in=BYTES/S out=BYTES/S [lanes=N in_ns=NS out_ns=NS peer=0|1] */
static hit_status read_link(hit_machine_reader *r)
{
    static const hit_machine_number_option of[] = {
        {"lanes", 1, HIT_MACHINE_DEVICES, 1}, {"in", 1, INT64_MAX, -1},
        {"in_ns", 0, INT64_MAX / 4, 0},       {"out", 1, INT64_MAX, -1},
        {"out_ns", 0, INT64_MAX / 4, 0},      {"peer", 0, 1, 0}};
    int64_t value[HIT_MACHINE_NUMBERS];
    int link;
    hit_machine_link *made;

    if (r->in.words < 2) {
        return HIT_FAIL_AT(&r->in, "expected link NAME in=SPEED out=SPEED");
    }
    HIT_TRY(hit_machine_read_numbers(r, 2, 6, of, value));
    HIT_TRY(need_link(r, r->in.word[1], &link));
    made = &r->machine->link[link];
    if (made->in_bytes_per_s > 0) {
        return HIT_FAIL_AT(&r->in, "expected a link once but found %s again", made->name);
    }
    made->lanes = (int)value[0];
    made->in_bytes_per_s = value[1];
    made->in_ns = value[2];
    made->out_bytes_per_s = value[3];
    made->out_ns = value[4];
    made->peer = value[5] != 0;
    return HIT_OK;
}

static hit_machine_kernel *find_kernel(const hit_machine_reader *r, const char *name)
{
    return hit_machine_kernel_find(r->machine, name, strlen(name));
}

/** kernel NAME FACTOR: "2", "4/3" */
static hit_status read_kernel(hit_machine_reader *r)
{
    hit_machine *machine = r->machine;
    hit_machine_kernel kernel = {.denominator = 1};
    int64_t number;
    char *slash;

    if (r->in.words != 3) {
        return HIT_FAIL_AT(&r->in, "expected kernel NAME OPERATIONS/BLOCK^3");
    }
    if (find_kernel(r, r->in.word[1]) != NULL) {
        return HIT_FAIL_AT(&r->in, "expected a kernel once but found %s again",
                           r->in.word[1]);
    }
    HIT_TRY(hit_machine_read_name(r, r->in.word[1], kernel.name));
    slash = strchr(r->in.word[2], '/');
    if (slash != NULL) {
        *slash = '\0';
        HIT_TRY(
            hit_machine_read_whole(r, "a number below '/'", slash + 1, 1, 1000, &number));
        kernel.denominator = (int)number;
    }
    HIT_TRY(hit_machine_read_whole(r, "a number of operations", r->in.word[2], 0, 1000,
                                   &number));
    kernel.numerator = (int)number;
    HIT_TRY(HIT_ONE_MORE(machine->kernel, machine->kernels, machine->kernel_room,
                         "a machine"));
    machine->kernel[machine->kernels++] = kernel;
    return HIT_OK;
}

/** host_only KERNEL... */
static hit_status read_host_only(hit_machine_reader *r)
{
    for (int w = 1; w < r->in.words; w++) {
        hit_machine_kernel *kernel = find_kernel(r, r->in.word[w]);

        if (kernel == NULL) {
            return HIT_FAIL_AT(&r->in,
                               "expected a kernel that a line above names but found %s",
                               r->in.word[w]);
        }
        kernel->host_only = true;
    }
    return HIT_OK;
}

/** "9.61", or a product: "36.46x28.80". */
static hit_status read_gflops(const hit_machine_reader *r, char *word, double *gflops)
{
    char *times = strchr(word, 'x');
    double factor = 1.0;
    bool good;

    if (times != NULL) *times = '\0';
    good = hit_machine_number(word, gflops) && *gflops > 0.0 &&
           (times == NULL || (hit_machine_number(times + 1, &factor) && factor > 0.0));
    *gflops *= factor;
    if (good && isfinite(*gflops)) return HIT_OK;
    if (times != NULL) *times = 'x';
    return HIT_FAIL_AT(&r->in, "expected a speed in GFLOP/s above 0 but found \"%s\"",
                       word);
}

/** speed|time|rate KERNEL KIND NUMBER|* VALUE: all but the value; *number is 0 for '*'.
 */
hit_status hit_machine_read_whose(const hit_machine_reader *r, char kernel[],
                                  char device[], int64_t *number)
{
    *number = 0;
    if (r->in.words != 5) {
        return HIT_FAIL_AT(&r->in, "expected %s KERNEL KIND %s NUMBER", r->in.word[0],
                           strcmp(r->in.word[0], "rate") == 0 ? "INDICES" : "BLOCK");
    }
    HIT_TRY(hit_machine_read_name(r, r->in.word[1], kernel));
    HIT_TRY(hit_machine_read_name(r, r->in.word[2], device));
    if (strcmp(r->in.word[3], "*") == 0) return HIT_OK;
    if (strcmp(r->in.word[0], "rate") == 0) {
        return hit_machine_read_whole(r, "a number of indices", r->in.word[3], 1,
                                      INT64_MAX, number);
    }
    return hit_machine_read_whole(r, "a block", r->in.word[3], 1, 1 << 20, number);
}

/** speed|time KERNEL KIND BLOCK|* GFLOPS|NS */
static hit_status read_speed(hit_machine_reader *r)
{
    hit_machine *machine = r->machine;
    hit_machine_speed speed = {.block = 0};
    int64_t number;

    HIT_TRY(hit_machine_read_whose(r, speed.kernel, speed.device, &number));
    speed.block = (int)number;
    if (strcmp(r->in.word[0], "speed") == 0) {
        if (find_kernel(r, speed.kernel) == NULL) {
            return HIT_FAIL_AT(&r->in, "expected a line with the operations of %s before",
                               speed.kernel);
        }
        HIT_TRY(read_gflops(r, r->in.word[4], &speed.gflops));
    } else {
        HIT_TRY(hit_machine_read_whole(r, "nanoseconds", r->in.word[4], 0,
                                       INT64_MAX / 1000000, &speed.run_ns));
    }
    HIT_TRY(
        HIT_ONE_MORE(machine->speed, machine->speeds, machine->speed_room, "a machine"));
    machine->speed[machine->speeds++] = speed;
    return HIT_OK;
}

static hit_status read_line(hit_machine_reader *r)
{
    static const struct {
        const char *word;
        hit_status (*read)(hit_machine_reader *r);
    } known[] = {{"device", read_device},
                 {"link", read_link},
                 {"kernel", read_kernel},
                 {"host_only", read_host_only},
                 {"speed", read_speed},
                 {"time", read_speed},
                 {"rate", hit_machine_read_rate},
                 {"node", hit_machine_read_node},
                 {"network", hit_machine_read_network}};

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(known[k].word, r->in.word[0]) == 0) return known[k].read(r);
    }
    return HIT_FAIL_AT(&r->in,
                       "expected device, link, kernel, host_only, speed, time, rate, "
                       "node or network but found \"%s\"",
                       r->in.word[0]);
}

static hit_status read_lines(hit_machine_reader *r, const char *path, const char *text)
{
    bool more = true;

    HIT_TRY(hit_lines_begin(&r->in, path, text, "# hit machine 1"));
    while (more) {
        HIT_TRY(hit_lines_next(&r->in, &more));
        if (more) HIT_TRY(read_line(r));
    }
    for (int k = 0; k < r->machine->links; k++) {
        if (r->machine->link[k].in_bytes_per_s > 0) continue;
        return HIT_FAIL(HIT_E_ARG, "%s: expected a line that describes link %s", path,
                        r->machine->link[k].name);
    }
    return HIT_OK;
}

hit_status hit_machine_read(const char *path, hit_machine *machine)
{
    hit_machine made = {.predicted_percent = 100};
    hit_machine_reader r = {.machine = &made};
    char *text;
    hit_status st;

    HIT_TRY(hit_lines_load(path, "a machine", &text));
    st = read_lines(&r, path, text);
    free(text);
    if (st != HIT_OK) hit_machine_clear(&made);
    *machine = made;
    return st;
}

/* ---- machines that come with the library ---- */

hit_status hit_machine_find(const char *name, hit_machine *machine)
{
    const char *folder = getenv("HIT_MACHINES");
    char path[PATH];
    char file[PATH];

    if (strpbrk(name, "./") != NULL) return hit_machine_read(name, machine);
    if (folder != NULL &&
        snprintf(path, sizeof path, "%s/%s.machine", folder, name) < PATH &&
        access(path, R_OK) == 0) {
        return hit_machine_read(path, machine);
    }
    (void)snprintf(file, sizeof file, "machines/%s.machine", name);
    if (hit_share_find(file, path, sizeof path)) return hit_machine_read(path, machine);
    return HIT_FAIL(HIT_E_ARG,
                    "expected a machine file, or the name of one in $HIT_MACHINES or "
                    "share/hit/machines of the library, but found \"%s\"",
                    name);
}
