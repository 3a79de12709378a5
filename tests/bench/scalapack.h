/* SPDX-License-Identifier: MIT
 * What benchmarks call of ScaLAPACK and of the OpenBLAS below it, for comparison. */
#ifndef TESTS_BENCH_SCALAPACK_H
#define TESTS_BENCH_SCALAPACK_H

/* NOLINTBEGIN(readability-identifier-naming): theirs */
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *block, const int *me, const int *first,
            const int *processes);
void descinit_(int desc[9], const int *m, const int *n, const int *mb, const int *nb,
               const int *row, const int *column, const int *context, const int *ld,
               int *info);
void pdgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k,
             const double *alpha, const double *a, const int *ia, const int *ja,
             const int da[9], const double *b, const int *ib, const int *jb,
             const int db[9], const double *beta, double *c, const int *ic, const int *jc,
             const int dc[9]);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja,
              const int desc[9], int *info);
/* NOLINTEND(readability-identifier-naming) */

#endif
