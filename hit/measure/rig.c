/* SPDX-License-Identifier: MIT
 * Long parts are measured by pieces of one shape. Tried and dropped: bands of rows, of
 * which a product copies as much as it computes, the more the shorter they are; a product
 * with few columns of A, which runs at the speed of memory, not of the cores. */
#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/measure/measure_impl.h"
#include "hit/run/live.h"
#include "hit/tile/tile_move.h"
#include "patterns/parse.h"

#include <math.h>
#include <stdlib.h>

/* What a kernel of whole boxes factors or solves with has to be regular, and to stay so
 * when it runs again on what it left: a unit matrix, and of row numbers those that change
 * nothing. */
static hit_status set_unit(hit_tile *tile, hit_type type)
{
    const bool numbers = type.kind == HIT_KIND_INT32 || type.kind == HIT_KIND_INT64;
    const char zero[HIT_MAX_NUMBER_BYTES] = {0};
    hit_view view;

    HIT_TRY(hit_tile_fill(tile, zero));
    if (hit_tile_pieces(tile) == 0) return HIT_OK;
    HIT_TRY(hit_tile_map(tile, 0, HIT_READ_WRITE, &view));
    for (hit_index k = 0; k < hit_sig_count(view.domain.sig[1]); k++) {
        const hit_index row = numbers ? 0 : k;
        const hit_index x[] = {hit_sig_at(view.domain.sig[0], row),
                               hit_sig_at(view.domain.sig[1], k)};

        if (row >= hit_sig_count(view.domain.sig[0])) break;
        hit_type_set(type, numbers ? (double)k : 1, hit_view_at(&view, x));
    }
    return HIT_OK;
}

static hit_status make_tile(hit_rig *rig, int arg)
{
    const hit_kernel *kernel = rig->trial->kernel;
    const hit_imagine launch = {kernel, rig->trial->whole, *rig->part, rig->trial->extent,
                                rig->trial->args};
    hit_pattern pattern;
    hit_domain domain;
    hit_layout *layout = NULL;
    hit_status st;

    HIT_TRY(hit_kernel_pattern(kernel, arg, rig->number, &pattern));
    st = hit_imagine_tile(&launch, arg, &pattern, &domain);
    hit_pattern_clear(&pattern);
    HIT_TRY(st);
    HIT_TRY(hit_layout_create(rig->alone, domain, "single", &layout));
    st = hit_tile_create(layout, kernel->arg[arg].type, kernel->arg[arg].name,
                         &rig->args[arg].tile);
    hit_layout_destroy(&layout);
    if (st == HIT_OK && kernel->whole_box && domain.dims == 2 &&
        kernel->arg[arg].type.kind != HIT_KIND_BYTES) {
        st = set_unit(rig->args[arg].tile, kernel->arg[arg].type);
    } else if (st == HIT_OK) {
        st = hit_tile_fill(rig->args[arg].tile, rig->ones[arg]);
    }
    rig->args[arg].type = kernel->arg[arg].type;
    return st;
}

/* Those of the launch, or ones. */
static hit_status make_values(hit_rig *rig)
{
    const hit_kernel *kernel = rig->trial->kernel;

    for (int k = 0; k < kernel->args; k++) {
        const hit_kernel_arg *arg = &kernel->arg[k];

        HIT_TRY(hit_memory_zeroed(1, arg->type.size_bytes, &rig->ones[k]));
        hit_type_set(arg->type, 1, rig->ones[k]);
        if (arg->mode != HIT_MODE_VALUE) continue;
        if (rig->trial->args != NULL && rig->trial->args[k].value != NULL) {
            rig->args[k] = rig->trial->args[k];
        } else {
            rig->args[k] = (hit_arg){.value = rig->ones[k], .type = arg->type};
        }
        (void)hit_type_convert(rig->args[k].type, rig->args[k].value, HIT_INT64,
                               &rig->number[k]);
    }
    return HIT_OK;
}

static hit_status make_args(hit_rig *rig)
{
    const hit_kernel *kernel = rig->trial->kernel;

    HIT_TRY(make_values(rig));
    for (int k = 0; k < kernel->args; k++) {
        if (kernel->arg[k].mode != HIT_MODE_VALUE) HIT_TRY(make_tile(rig, k));
    }
    return HIT_OK;
}

static void cut_pieces(hit_rig *rig)
{
    const hit_context *context = rig->alone;
    bool whole = rig->trial->piece == 0;

    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        whole = whole || !hit_device_in_place(device);
    }
    rig->pieces = hit_pieces_cut(rig->part, whole ? INFINITY : (double)rig->trial->piece);
}

hit_status hit_rig_open(hit_context *context, hit_device *device, hit_rig *rig)
{
    HIT_TRY(hit_launcher_open_child(context, &hit_executor_live, rig->trial->spare,
                                    device, &rig->alone));
    if (hit_domain_is_empty(rig->part)) return HIT_OK;
    cut_pieces(rig);
    rig->runs = 1;
    return make_args(rig);
}

void hit_rig_close(hit_rig *rig)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        hit_tile_destroy(&rig->args[k].tile);
        free(rig->ones[k]);
    }
    hit_launcher_close_child(&rig->alone);
}

hit_status hit_rig_time(hit_rig *rig, double *seconds)
{
    const double start_s = hit_clock_now(&rig->alone->clock);
    double indices = 0;

    for (int k = 0; k < rig->runs; k++) {
        const hit_domain piece = hit_pieces_take(&rig->pieces);

        indices += (double)hit_domain_count(&piece);
        HIT_TRY(hit_launch_args(rig->alone, NULL, rig->trial->kernel, piece,
                                rig->trial->kernel->args, rig->args));
        HIT_TRY(hit_stations_finish_deferred(
            rig->alone->stations)); /* one is not to run beside others */
    }
    HIT_TRY(hit_wait(rig->alone));
    *seconds = (hit_clock_now(&rig->alone->clock) - start_s) *
               ((double)hit_domain_count(rig->part) / indices);
    return HIT_OK;
}
