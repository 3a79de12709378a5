/* SPDX-License-Identifier: MIT
 * Parts of tiles as matrices of BLAS: contiguous rows, one behind the other. */
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

#include <limits.h>

hit_sig hit_sig_of_index(const hit_run *run, int dim)
{
    return (hit_sig){run->begin[dim], run->end[dim], run->stride[dim]};
}

hit_sig hit_sig_of_slot(const hit_run *run, int arg, int dim)
{
    const hit_slot *slot = &run->slot[arg];

    return (hit_sig){slot->begin[dim], slot->end[dim], slot->step[dim]};
}

hit_status hit_matrix_read(const hit_run *run, int arg, const char *name,
                           const hit_sig of[2], size_t size_bytes, hit_matrix *found)
{
    const hit_slot *slot = &run->slot[arg];
    const hit_index first[2] = {of[0].begin, of[1].begin};
    const hit_index height = hit_sig_count(of[0]);
    const hit_index width = hit_sig_count(of[1]);
    hit_index row = of[0].stride / slot->step[0] * slot->stride[0];
    const hit_index column = of[1].stride / slot->step[1] * slot->stride[1];

    if (height > INT_MAX || width > INT_MAX) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected sizes up to %d but found %lld x %lld",
                        name, INT_MAX, (long long)height, (long long)width);
    }
    if (column != 1 && width > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected contiguous rows, but neighbours are %lld "
                        "elements apart; copy it to a tile of its own",
                        name, (long long)column);
    }
    if (height <= 1) row = width;
    if (row > INT_MAX || row < width) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected rows that are %lld to %d elements apart, "
                        "but they are %lld",
                        name, (long long)width, INT_MAX, (long long)row);
    }
    *found = (hit_matrix){.data = hit_run_address(run, arg, 2, first, size_bytes),
                          .rows = (int)height,
                          .columns = (int)width,
                          .ld = row > 0 ? (int)row : 1};
    return HIT_OK;
}

hit_status hit_matrix_read_all(const hit_run *run, int arg, const char *name,
                               size_t size_bytes, hit_matrix *found)
{
    const hit_sig of[2] = {hit_sig_of_slot(run, arg, 0), hit_sig_of_slot(run, arg, 1)};

    return hit_matrix_read(run, arg, name, of, size_bytes, found);
}

hit_status hit_matrix_read_square(const hit_run *run, const char *kernel,
                                  const char *name, size_t size_bytes, hit_matrix *a)
{
    HIT_TRY(hit_run_is_one(run, kernel));
    HIT_TRY(hit_matrix_read_all(run, 0, name, size_bytes, a));
    return hit_matrix_fits(a, name, a->rows, a->rows);
}

hit_status hit_matrix_read_columns(const hit_run *run, int arg, const char *name,
                                   size_t size_bytes, hit_matrix *found)
{
    const hit_sig of[2] = {hit_sig_of_slot(run, arg, 0), hit_sig_of_index(run, 0)};

    return hit_matrix_read(run, arg, name, of, size_bytes, found);
}

hit_status hit_matrix_fits(const hit_matrix *matrix, const char *name, int rows,
                           int columns)
{
    if (matrix->rows == rows && matrix->columns == columns) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected %d x %d but found %d x %d", name, rows,
                    columns, matrix->rows, matrix->columns);
}

hit_matrix hit_matrix_part(const hit_matrix *matrix, int row, int column, int rows,
                           int columns, size_t size_bytes)
{
    const ptrdiff_t before = (ptrdiff_t)row * matrix->ld + column;

    return (hit_matrix){.data = (char *)matrix->data + before * (ptrdiff_t)size_bytes,
                        .rows = rows,
                        .columns = columns,
                        .ld = matrix->ld};
}

hit_status hit_run_is_one(const hit_run *run, const char *name)
{
    if (run->begin[0] == run->end[0]) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected one index, as in hit_domain_of(1), but found %lld to "
                    "%lld",
                    name, (long long)run->begin[0], (long long)run->end[0]);
}
