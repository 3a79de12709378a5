/* SPDX-License-Identifier: MIT
 * Options that have a value for each rank: numbers, and files with models. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_file.h"
#include "layouts/layouts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_layout_dims(const hit_layout_spec *spec, int dims[2])
{
    hit_index dim[HIT_MAX_DIMS] = {0, 1};
    int count;

    if (spec->domain.dims < 2) {
        return HIT_LAYOUT_FAIL(spec, "expected at least 2 dimensions but found %d",
                               spec->domain.dims);
    }
    HIT_TRY(hit_layout_option_list(spec, "dims", ',', &count, dim));
    if (count != 0 && (count != 2 || dim[0] == dim[1] || dim[0] >= spec->domain.dims ||
                       dim[1] >= spec->domain.dims)) {
        return HIT_LAYOUT_FAIL(
            spec, "expected dims= two different dimensions below %d but found \"%s\"",
            spec->domain.dims, hit_layout_option(spec, "dims", ""));
    }
    dims[0] = (int)dim[0];
    dims[1] = (int)dim[1];
    return HIT_OK;
}

hit_status hit_layout_one_of(const hit_layout_spec *spec, const char *a, const char *b)
{
    if (hit_layout_option(spec, a, NULL) == NULL) return HIT_OK;
    if (hit_layout_option(spec, b, NULL) == NULL) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected %s= or %s= but found both", a, b);
}

hit_status hit_layout_find(const hit_layout_spec *spec, char **options)
{
    const hit_layout_needs *needs = spec->ops->of;
    static const char *const by[] = {"speeds", "models", "weights", "energy", "within"};
    hit_growing text = {.text = NULL};
    hit_status st;

    for (size_t k = 0; k < sizeof by / sizeof by[0]; k++) {
        HIT_TRY(hit_layout_one_of(spec, by[k], needs->what));
    }
    if (hit_layout_option(spec, needs->what, NULL) != NULL) return HIT_OK;
    st = needs->find(spec, &text);
    if (st == HIT_OK) return hit_growing_end(&text, options);
    free(text.text);
    return st;
}

/* ---- lists ---- */

/** Called for each element of a list, from @p text to before @p end; false: it is none.
 */
typedef bool element_reader(const char *text, const char *end, int number, void *to);

static bool read_real(const char *text, const char *end, int number, void *to)
{
    const char *stop;

    ((double *)to)[number] = hit_text_real(text, &stop);
    return stop == end && stop != text;
}

static bool read_whole(const char *text, const char *end, int number, void *to)
{
    return hit_number_next(&text, 0, INT64_MAX, (hit_index *)to + number) && text == end;
}

static hit_status read_list(const hit_layout_spec *spec, const char *key, int count,
                            element_reader *read, const char *what, void *to)
{
    const char *at = hit_layout_option(spec, key, NULL);
    int found = 0;

    while (at != NULL) {
        const char *end = at + strcspn(at, ",");

        if (found < count && !read(at, end, found, to)) {
            return HIT_LAYOUT_FAIL(
                spec, "expected %s= %s with ',' between them but found \"%.*s\"", key,
                what, end - at < 40 ? (int)(end - at) : 40, at);
        }
        found++;
        at = *end == ',' ? end + 1 : NULL;
    }
    if (found == count) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected %s= %d %s but found %d", key, count, what,
                           found);
}

/** Some of the work is for somebody. */
static hit_status check_reals(const hit_layout_spec *spec, const char *key,
                              const double value[])
{
    bool some = false;

    for (int rank = 0; rank < spec->ranks; rank++) {
        if (!(value[rank] >= 0) || isinf(value[rank])) {
            return HIT_LAYOUT_FAIL(spec,
                                   "expected %s= numbers >= 0 but found %g for rank %d",
                                   key, value[rank], rank);
        }
        some = some || value[rank] > 0;
    }
    if (some) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected %s= a number > 0 but all %d are 0", key,
                           spec->ranks);
}

/** One number for each rank; all 1 when the option is not given. */
static hit_status read_reals(const hit_layout_spec *spec, const char *key, double value[])
{
    if (hit_layout_option(spec, key, NULL) != NULL) {
        HIT_TRY(read_list(spec, key, spec->ranks, read_real, "numbers", value));
        return check_reals(spec, key, value);
    }
    for (int rank = 0; rank < spec->ranks; rank++) {
        value[rank] = 1.0;
    }
    return HIT_OK;
}

hit_status hit_layout_wholes(const hit_layout_spec *spec, const char *key, int count,
                             hit_index value[])
{
    return read_list(spec, key, count, read_whole, "whole numbers", value);
}

/* ---- speeds and models ---- */

/** Load the model of the file from @p text to before @p end. */
static hit_status load(const char *text, const char *end, hit_index elements,
                       hit_fpm **model)
{
    const size_t length = (size_t)(end - text);
    hit_fpm *units;
    char *path;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(length + 1, 1, &path));
    memcpy(path, text, length);
    st = hit_fpm_load(path, &units);
    free(path);
    if (st != HIT_OK) return st;
    st = hit_partition_scale(units, elements, model);
    hit_fpm_destroy(&units);
    return st;
}

static hit_status load_all(const hit_layout_spec *spec, const char *key,
                           hit_index elements, hit_fpm *models[])
{
    const char *at = hit_layout_option(spec, key, "");
    int found = 0;

    while (at != NULL) {
        const char *end = at + strcspn(at, ",");

        if (found < spec->ranks) HIT_TRY(load(at, end, elements, &models[found]));
        found++;
        at = *end == ',' ? end + 1 : NULL;
    }
    for (int rank = 1; found == 1 && rank < spec->ranks; rank++) {
        HIT_TRY(hit_fpm_copy(models[0], &models[rank]));
    }
    if (found == 1 || found == spec->ranks) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected %s= 1 or %d files but found %d", key,
                           spec->ranks, found);
}

hit_status hit_layout_models(const hit_layout_spec *spec, const char *key,
                             hit_index elements, hit_fpm ***models)
{
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof **models, models));
    return load_all(spec, key, elements, *models);
}

hit_status hit_layout_pace_read(const hit_layout_spec *spec, hit_index elements,
                                hit_layout_pace *pace)
{
    *pace = (hit_layout_pace){NULL, NULL};
    HIT_TRY(hit_layout_one_of(spec, "speeds", "models"));
    if (hit_layout_option(spec, "models", NULL) != NULL) {
        return hit_layout_models(spec, "models", elements, &pace->models);
    }
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *pace->speed, &pace->speed));
    return read_reals(
        spec, hit_layout_option(spec, "weights", NULL) != NULL ? "weights" : "speeds",
        pace->speed);
}

void hit_layout_pace_clear(const hit_layout_spec *spec, hit_layout_pace *pace)
{
    hit_partition_models_clear(spec->ranks, &pace->models);
    free(pace->speed);
}

hit_status hit_layout_shares(const hit_layout_spec *spec, int a, int b,
                             hit_partition_function *partition, hit_index share[])
{
    hit_index count = hit_sig_count(spec->domain.sig[a]);
    hit_layout_pace pace;
    hit_status st = hit_layout_pace_read(spec, hit_layout_elements(spec, a, b), &pace);

    if (b >= 0) count *= hit_sig_count(spec->domain.sig[b]);
    if (st == HIT_OK && pace.speed != NULL) {
        st = hit_partition_cpm(count, spec->ranks, pace.speed, share);
    } else if (st == HIT_OK) {
        st = partition(count, spec->ranks, (const hit_fpm *const *)pace.models, share,
                       NULL);
    }
    hit_layout_pace_clear(spec, &pace);
    return st;
}

hit_index hit_layout_elements(const hit_layout_spec *spec, int a, int b)
{
    hit_domain others = spec->domain;
    hit_index count;

    others.sig[a] = hit_sig_make(0, 0, 1);
    if (b >= 0) others.sig[b] = hit_sig_make(0, 0, 1);
    count = hit_domain_count(&others);
    return count > 0 ? count : 1;
}
