/* SPDX-License-Identifier: MIT
 * The algorithms of `hit partition` whose answers are not shares: rectangles of a plane,
 * owners of panels, shapes. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/model/fpm_time.h"
#include "hit/tool/tool.h"
#include "layouts/partition/algorithms.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    MOST_PANELS = 100000000
};

/** The speeds, if all models are constant and without a cap: then algorithms for speeds
 * are exact. *speed is NULL if not. */
static hit_status take_speeds(const hit_tool_request *r, double **speed)
{
    *speed = NULL;
    for (int i = 0; i < r->models; i++) {
        if (hit_fpm_kind_of(r->model[i]) != HIT_FPM_CONSTANT ||
            hit_fpm_cap(r->model[i]) < INT64_MAX) {
            return HIT_OK;
        }
    }
    HIT_TRY(hit_memory_zeroed((size_t)r->models, sizeof **speed, speed));
    for (int i = 0; i < r->models; i++) {
        (*speed)[i] = hit_fpm_point_at(r->model[i], 0).value;
    }
    return HIT_OK;
}

/* ---- rectangles ---- */

static hit_status read_grid(const hit_tool_request *r, hit_plane *plane)
{
    const hit_number_shape shape = {'x', 0, 2};
    hit_index size[2];
    int count = 0;

    if (r->grid != NULL) {
        HIT_TRY(hit_number_list("--grid", r->grid, &shape, &count, size));
    }
    if (count != 2) return HIT_FAIL(HIT_E_ARG, "expected --grid ROWSxCOLUMNS");
    plane->rows = size[0];
    plane->columns = size[1];
    return HIT_OK;
}

static void print_rects_json(const hit_plane *plane, const hit_rect rect[])
{
    hit_json line = hit_tool_ok();

    hit_json_list(&line, "rects");
    for (int i = 0; i < plane->parts; i++) {
        const hit_index side[] = {rect[i].row, rect[i].column, rect[i].height,
                                  rect[i].width};

        hit_json_indices(&line, NULL, 4, side);
    }
    hit_json_end(&line);
    hit_json_real(&line, "makespan_s", "%.17g", hit_plane_makespan(plane, rect));
    hit_json_real(&line, "half_perimeter", "%.17g",
                  hit_plane_half_perimeter(plane, rect));
    hit_json_end_line(&line);
}

static void print_rects(const hit_tool_request *r, const hit_plane *plane,
                        const hit_rect rect[])
{
    printf("makespan        %.6g s\nhalf-perimeter  %.17g\n",
           hit_plane_makespan(plane, rect), hit_plane_half_perimeter(plane, rect));
    hit_say(stdout, "%7s %10s %10s %10s %10s %14s  %s\n", "process", "row", "column",
            "height", "width", "seconds", "model");
    for (int i = 0; i < r->models; i++) {
        hit_say(stdout,
                "%7d %10" PRId64 " %10" PRId64 " %10" PRId64 " %10" PRId64
                " %14.6g  %s\n",
                i, rect[i].row, rect[i].column, rect[i].height, rect[i].width,
                hit_fpm_time(r->model[i], rect[i].height * rect[i].width), r->path[i]);
    }
}

static hit_status answer_rects(const hit_tool_request *r,
                               hit_status (*partition)(const hit_plane *, hit_rect[]))
{
    hit_plane plane = {.parts = r->models, .fpm = (const hit_fpm *const *)r->model};
    double *speed;
    hit_rect *rect;
    hit_status st;

    HIT_TRY(read_grid(r, &plane));
    HIT_TRY(take_speeds(r, &speed));
    if (speed != NULL) plane.fpm = NULL;
    plane.speed = speed;
    st = hit_memory_zeroed((size_t)r->models, sizeof *rect, &rect);
    if (st == HIT_OK) st = partition(&plane, rect);
    if (st == HIT_OK && r->json) print_rects_json(&plane, rect);
    if (st == HIT_OK && !r->json) print_rects(r, &plane, rect);
    free(rect);
    free(speed);
    return st;
}

hit_status hit_tool_columns(const hit_tool_request *r)
{
    return answer_rects(r, hit_partition_columns);
}

hit_status hit_tool_grid(const hit_tool_request *r)
{
    return answer_rects(r, hit_partition_grid);
}

/* ---- ordered sets ---- */

static void print_owners(const hit_tool_request *r, hit_index panels, const int owner[],
                         double seconds)
{
    if (r->json) {
        hit_json line = hit_tool_ok();

        hit_json_list(&line, "owner");
        for (hit_index j = 0; j < panels; j++) {
            hit_json_whole(&line, NULL, owner[j]);
        }
        hit_json_end(&line);
        hit_json_real(&line, "time_s", "%.17g", seconds);
        hit_json_end_line(&line);
        return;
    }
    printf("all steps   %.6g s\nowners of panels 0..%" PRId64 "\n", seconds, panels - 1);
    for (hit_index j = 0; j < panels; j++) {
        printf(j % 20 == 19 || j == panels - 1 ? "%d\n" : "%d ", owner[j]);
    }
}

/** One height for all steps, or NULL where the command line does not say. */
static hit_status read_heights(const hit_tool_request *r, hit_index panels,
                               hit_index **height)
{
    hit_index same;

    *height = NULL;
    if (r->height == NULL) return HIT_OK;
    HIT_TRY(hit_tool_number("--height", r->height, 1, &same));
    HIT_TRY(hit_memory_zeroed((size_t)panels, sizeof **height, height));
    for (hit_index k = 0; k < panels; k++) {
        (*height)[k] = same;
    }
    return HIT_OK;
}

static hit_status find_owners(const hit_tool_request *r, hit_index panels,
                              const hit_index height[], int owner[])
{
    const hit_fpm *const *model = (const hit_fpm *const *)r->model;
    double *speed;
    hit_status st;

    HIT_TRY(take_speeds(r, &speed));
    if (speed == NULL) {
        return hit_partition_ordered_fpm(panels, height, r->models, model, owner);
    }
    st = hit_partition_ordered(panels, r->models, speed, owner);
    free(speed);
    return st;
}

hit_status hit_tool_ordered(const hit_tool_request *r)
{
    const hit_fpm *const *model = (const hit_fpm *const *)r->model;
    hit_index panels;
    hit_index *height;
    int *owner = NULL;
    hit_status st;

    HIT_TRY(hit_tool_number("--panels", r->panels, 0, &panels));
    if (panels > MOST_PANELS) {
        return HIT_FAIL(HIT_E_ARG, "expected --panels at most %d but found %s",
                        MOST_PANELS, r->panels);
    }
    HIT_TRY(read_heights(r, panels, &height));
    st = hit_memory_zeroed((size_t)panels, sizeof *owner, &owner);
    if (st == HIT_OK) st = find_owners(r, panels, height, owner);
    if (st == HIT_OK) {
        print_owners(r, panels, owner,
                     hit_partition_ordered_time(panels, height, r->models, model, owner));
    }
    free(height);
    free(owner);
    return st;
}

/* ---- shapes ---- */

static void print_shapes_json(const hit_tool_request *r, const hit_index share[],
                              int count, const hit_shape shape[], int best)
{
    hit_json line = hit_tool_ok();

    hit_json_indices(&line, "d", r->models, share);
    hit_json_list(&line, "shapes");
    for (int k = 0; k < count; k++) {
        hit_json_object(&line, NULL);
        hit_json_text(&line, "name", shape[k].name);
        hit_json_real(&line, "volume", "%.17g", shape[k].volume);
        hit_json_end(&line);
    }
    hit_json_end(&line);
    hit_json_text(&line, "choice", shape[best].name);
    hit_json_end_line(&line);
}

static void print_shapes(int count, const hit_shape shape[], int best)
{
    hit_say(stdout, "%-28s %18s\n", "shape", "elements sent");
    for (int k = 0; k < count; k++) {
        if (isfinite(shape[k].volume)) {
            hit_say(stdout, "%-28s %18.0f%s\n", shape[k].name, shape[k].volume,
                    k == best ? "  least" : "");
        } else {
            hit_say(stdout, "%-28s %18s\n", shape[k].name, "not possible");
        }
    }
}

hit_status hit_tool_shapes(const hit_tool_request *r)
{
    const hit_fpm *const *model = (const hit_fpm *const *)r->model;
    hit_shape shape[HIT_MOST_SHAPES];
    hit_index share[3];
    hit_index side;
    int count;
    int best;

    if (r->models != 2 && r->models != 3) {
        return HIT_FAIL(HIT_E_ARG, "expected 2 or 3 models but found %d", r->models);
    }
    HIT_TRY(hit_tool_number("--grid", r->grid, 1, &side));
    if (side > INT64_C(1) << 31) {
        return HIT_FAIL(HIT_E_ARG, "expected --grid at most 2^31 but found %s", r->grid);
    }
    HIT_TRY(hit_partition_fpm(side * side, r->models, model, share, NULL));
    HIT_TRY(hit_partition_shapes(side, r->models, share, &count, shape, &best));
    if (r->json) {
        print_shapes_json(r, share, count, shape, best);
    } else {
        print_shapes(count, shape, best);
    }
    return HIT_OK;
}
