/* SPDX-License-Identifier: MIT
 * HIT_CHECKPOINT="every=10min,keep=2,at=SIGUSR1,path=FOLDER". */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/io/io_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    double seconds;
} unit[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};

/* "10min", "0.5s" */
static hit_status read_time(const char *key, const char *value, double *seconds)
{
    const char *end = value;
    const double number = hit_text_real(value, &end);

    for (size_t u = 0; u < sizeof(unit) / sizeof(unit[0]) && end != value; u++) {
        if (strcmp(end, unit[u].name) != 0 || !(number > 0) || isinf(number)) continue;
        *seconds = number * unit[u].seconds;
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected %s= a time such as 30s, 10min, 2h or 1d%s but "
                    "found \"%s\"",
                    key, strcmp(key, "every") == 0 ? ", or steps such as 100steps" : "",
                    value);
}

static hit_status read_every(const char *value, hit_checkpoint_options *options)
{
    const char *at = value;
    hit_index steps;

    options->every_s = INFINITY;
    options->every_steps = INT64_MAX;
    if (hit_number_next(&at, 1, INT64_MAX / 2, &steps) && strcmp(at, "steps") == 0) {
        options->every_steps = steps;
        return HIT_OK;
    }
    return read_time("every", value, &options->every_s);
}

static hit_status read_signals(const char *value, unsigned *signals)
{
    for (const char *at = value;; at++) {
        const size_t length = strcspn(at, "+");
        int k = 0;

        while (k < HIT_SIGNALS && (strlen(hit_signal_table[k].name) != length ||
                                   strncmp(hit_signal_table[k].name, at, length) != 0)) {
            k++;
        }
        if (k == HIT_SIGNALS) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected at= names of signals with + between them, SIGTERM, "
                            "SIGUSR1, SIGUSR2, SIGINT, SIGHUP, but found \"%s\"",
                            value);
        }
        *signals |= 1U << k;
        at += length;
        if (*at == '\0') return HIT_OK;
    }
}

static hit_status copy(const char *key, const char *value, char *text, size_t size)
{
    if ((size_t)snprintf(text, size, "%s", value) < size) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected %s= less than %zu characters but found %zu", key,
                    size, strlen(value));
}

static hit_status read_memory(const char *value, hit_checkpoint_options *options)
{
    options->has_memory = true;
    options->memory_bytes = 0;
    if (strcmp(value, "0") == 0) return HIT_OK;
    if (hit_memory_parse(value, &options->memory_bytes) == HIT_OK) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected memory= a size: %s", hit_status_text());
}

static hit_status read_format(const char *value, hit_checkpoint_options *options)
{
    if (strcmp(value, "npy") != 0 && strcmp(value, "hdf5") != 0) {
        return HIT_FAIL(HIT_E_ARG, "expected format=hdf5 or format=npy but found \"%s\"",
                        value);
    }
    if (strcmp(value, "hdf5") == 0 && !hit_hdf5_is_there()) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected format=npy, since hit was built without HDF5");
    }
    return copy("format", value, options->format, sizeof(options->format));
}

static hit_status read_one(void *of, const char *key, const char *value)
{
    hit_checkpoint_options *options = of;

    if (strcmp(key, "every") == 0) return read_every(value, options);
    if (strcmp(key, "limit") == 0) return read_time("limit", value, &options->limit_s);
    if (strcmp(key, "at") == 0) return read_signals(value, &options->signals);
    if (strcmp(key, "keep") == 0) {
        return hit_number_read("keep=", value, 1, 1000000, &options->keep);
    }
    if (strcmp(key, "memory") == 0) return read_memory(value, options);
    if (strcmp(key, "format") == 0) return read_format(value, options);
    if (strcmp(key, "path") == 0) {
        return copy(key, value, options->path, sizeof(options->path));
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected an option path, every, keep, memory, at, limit or format "
                    "but found \"%s\"",
                    key);
}

hit_status hit_checkpoint_options_read(const char *text, hit_checkpoint_options *options)
{
    hit_status status;

    *options = (hit_checkpoint_options){
        .every_s = 600, .every_steps = INT64_MAX, .limit_s = INFINITY, .keep = 2};
    (void)snprintf(options->format, sizeof(options->format), "%s",
                   hit_hdf5_is_there() ? "hdf5" : "npy");
    status = hit_option_each("options", text, read_one, options);
    if (status == HIT_OK && options->path[0] == '\0') {
        status = HIT_FAIL(HIT_E_ARG, "expected path=FOLDER among the options");
    }
    if (status == HIT_OK || status == HIT_E_NOMEM) return status;
    return HIT_FAIL(status, "HIT_CHECKPOINT: %s", hit_status_text());
}
