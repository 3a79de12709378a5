/* SPDX-License-Identifier: MIT
 * The table of the bank. */
#include "tests/hit/check/bank.h"

/* clang-format off */
#define PAIR(name) extern const hit_kernel wrong_##name, right_##name
PAIR(left);
PAIR(right);
PAIR(reach);
PAIR(corner);
PAIR(transposed);
PAIR(row);
PAIR(column);
PAIR(coefficient);
PAIR(odd);
PAIR(own);
PAIR(fixed);
PAIR(triangle);
PAIR(strided);
PAIR(other);
PAIR(above);
PAIR(hyper);
PAIR(plane);
PAIR(diagonal);
PAIR(mirror);
PAIR(gather);
PAIR(flat);
PAIR(half);
PAIR(sometimes);
PAIR(adds);
PAIR(keeps);
PAIR(zero);
PAIR(padded);
PAIR(members);
PAIR(turned);
PAIR(shift);
PAIR(rewrites);
PAIR(compares);
PAIR(marks);
PAIR(scalar);
PAIR(rows);
PAIR(greatest);
PAIR(least);
PAIR(bins);
PAIR(blocks);
PAIR(wide);
PAIR(boxed);
PAIR(extra);
extern const hit_kernel wrong_beyond;
extern const hit_kernel wrong_count;
extern const hit_kernel wrong_overlap;
extern const hit_kernel wrong_race;
extern const hit_kernel wrong_scatter;
extern const hit_kernel wrong_pointer;
extern const hit_kernel wrong_unused;
extern const hit_kernel wrong_product;
extern const hit_kernel wrong_assign;
extern const hit_kernel wrong_keep;
extern const hit_kernel wrong_box_past;
extern const hit_kernel wrong_box_above;
extern const hit_kernel wrong_box_skips;
extern const hit_kernel wrong_box_adds;
extern const hit_kernel wrong_box_writes;
extern const hit_kernel wrong_box_compares;
extern const hit_kernel line, star, four, rows, transpose, twice, evens, shifted, product, totals, ahead, right_box;

const bank_case bank_wrong[] = {
    {"left", &wrong_left, {1, {{1, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a, tile a|index (1) touches (0)|\"[i:i+1]\" is 1:2 there|write (in, int64_t, a, \"[i-1:i]\")"},
    {"right", &wrong_right, {1, {{1, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (1) touches (2)|is 0:1 there|write (in, int64_t, a, \"[i-1:i+1]\")"},
    {"reach", &wrong_reach, {2, {{1, 8, 1}, {1, 8, 1}}},
     {{2, {{0, 9, 1}, {0, 10, 1}}}, {2, {{0, 9, 1}, {0, 10, 1}}}},
     "argument a|index (1, 1) touches (1, 3)|is 0:2 x 1:1 and 1:1 x 0:2 there|write (in, int64_t, a, \"[i-1:i+1, j] [i, j-1:j+2]\")"},
    {"corner", &wrong_corner, {2, {{1, 8, 1}, {1, 8, 1}}},
     {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}},
     "argument a|index (1, 1) touches (0, 0)|write (in, int64_t, a, \"[i-1:i, j-1:j]\")"},
    {"transposed", &wrong_transposed, {2, {{0, 8, 1}, {0, 8, 1}}},
     {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}},
     "argument a|index (0, 1) touches (1, 0)|write (in, int64_t, a, \"[j, i]\")"},
    {"row", &wrong_row, {1, {{0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}},
     "argument a|index (0) touches (0, 1)|write (in, int64_t, a, \"[i, :]\")"},
    {"column", &wrong_column, {2, {{0, 8, 1}, {0, 7, 1}}},
     {{2, {{0, 8, 1}, {0, 7, 1}}}, {2, {{0, 8, 1}, {0, 7, 1}}}},
     "argument a|index (0, 0) touches (1, 0)|write (in, int64_t, a, \"[:, j]\")"},
    {"coefficient", &wrong_coefficient, {1, {{0, 9, 1}}},
     {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (1) touches (2)|\"[i]\" is 1:1 there|write (in, int64_t, a, \"[2*i]\")"},
    {"own", &wrong_own, {1, {{1, 17, 2}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (1) touches (0)|write (inout, int64_t, a, \"[i] <- [i-1:i+1]\")"},
    {"odd", &wrong_odd, {1, {{0, 9, 1}}},
     {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) touches (1)|write (in, int64_t, a, \"[2*i:2*i+1]\")"},
    {"fixed", &wrong_fixed, {1, {{0, 9, 1}}},
     {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) touches (3)|is 0:2 there|write (in, int64_t, a, \"[0:3]\")"},
    {"triangle", &wrong_triangle, {1, {{0, 11, 1}}},
     {{1, {{0, 11, 1}}}, {1, {{0, 11, 1}}}},
     "argument a|index (0) touches (0)|write (in, int64_t, a, \"[0:i]\")"},
    {"strided", &wrong_strided, {1, {{0, 11, 1}}},
     {{1, {{0, 11, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) touches (3)|is 0:4:2 there|write (in, int64_t, a, \"[i:i+6:3]\")"},
    {"other", &wrong_other, {1, {{1, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b, tile b|index (1) touches (0)|write (in, int64_t, b, \"[i-1:i+1]\")"},
    {"above", &wrong_above, {3, {{0, 4, 1}, {1, 6, 1}, {1, 5, 1}}},
     {{3, {{0, 5, 1}, {0, 6, 1}, {0, 5, 1}}}, {3, {{0, 5, 1}, {0, 6, 1}, {0, 5, 1}}}},
     "argument a|index (0, 1, 1) touches (0, 0, 1)|write (in, int64_t, a, \"[i, j-1:j, k]\")"},
    {"hyper", &wrong_hyper, {4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}},
     {{4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}}, {4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}}},
     "argument a|index (0, 0, 0, 1) touches (1, 0, 0, 0)|write (in, int64_t, a, \"[l, j, k, i]\")"},
    {"plane", &wrong_plane, {3, {{0, 4, 1}, {0, 4, 1}, {0, 4, 1}}},
     {{3, {{0, 4, 1}, {0, 4, 1}, {0, 4, 1}}}, {2, {{0, 4, 1}, {0, 4, 1}}}},
     "argument a|touches (1, 0)|\"[i, j]\" is 0:0 x 0:0 there|write (in, int64_t, a, \"[k, i]\")"},
    {"diagonal", &wrong_diagonal, {1, {{0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 9, 1}}}},
     "argument a|index (0) touches (0, 0)|is 0:0 x 1:1 there|write (in, int64_t, a, \"[i, i]\")"},
    {"mirror", &wrong_mirror, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) touches (19)|write (in, int64_t, a, \"[-i+19]\")"},
    {"gather", &wrong_gather, {1, {{0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {1, {{0, 8, 1}}}, {1, {{0, 8, 1}}}},
     "argument a|touches|\"[i]\" is|which holds all that is touched"},
    {"flat", &wrong_flat, {1, {{0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 2, 1}}}},
     "argument a|index (0) touches (0, 1)|write (in, int64_t, a, \"[i, 1]\")"},
    {"half", &wrong_half, {1, {{0, 9, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}},
     "argument b|index (0) does not write (1), but mode out promises|write (out, int64_t, b, \"[2*i]\")"},
    {"sometimes", &wrong_sometimes, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|does not write|mode out promises|write (inout, int64_t, b, \""},
    {"adds", &wrong_adds, {2, {{0, 6, 1}, {0, 7, 1}}},
     {{2, {{0, 6, 1}, {0, 7, 1}}}, {2, {{0, 6, 1}, {0, 7, 1}}}},
     "argument b|index (0, 0) reads (0, 0) before it is written|write (inout, double, b, \"[i, j]\")"},
    {"keeps", &wrong_keeps, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|before it is written|write (inout, int64_t, b, \"[i]\")"},
    {"zero", &wrong_zero, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {0, {{0, 0, 1}}}},
     "argument b|reads (0) before it is written|write (inout, float, b, \"[i]\")"},
    {"padded", &wrong_padded, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|index (0) reads (0) before it is written|write (inout, bank_pair, b, \"[i]\")"},
    {"members", &wrong_members, {1, {{0, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|index (0) does not write (1)|write (out, bank_pair, b, \"[i]\")"},
    {"turned", &wrong_turned, {2, {{0, 8, 1}, {0, 8, 1}}},
     {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}},
     "argument b|index (0, 1) touches (1, 0)|write (out, int64_t, b, \"[j, i]\")"},
    {"shift", &wrong_shift, {1, {{0, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|index (0) touches (1)|write (out, int64_t, b, \"[i+1]\")"},
    {"rewrites", &wrong_rewrites, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) writes (0), but the mode is in"},
    {"compares", &wrong_compares, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {0, {{0, 0, 1}}}},
     "argument b|index (0) compares (0) with something before it is written|write (inout, int64_t, b, \"[i]\")"},
    {"marks", &wrong_marks, {1, {{0, 9, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}, {1, {{0, 9, 1}}}},
     "argument b|index (0) compares (1) with something before it is written|write (inout, int64_t, b, \"[2*i:2*i+1]\")"},
    {"scalar", &wrong_scalar, {1, {{0, 19, 1}}},
     {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}},
     "argument total|index (1) and index (0) both touch ()|mode sum"},
    {"rows", &wrong_rows, {2, {{0, 7, 1}, {0, 8, 1}}},
     {{1, {{0, 7, 1}}}, {2, {{0, 7, 1}, {0, 8, 1}}}},
     "argument total|index (0, 1) and index (0, 0) both touch (0)|mode sum"},
    {"greatest", &wrong_greatest, {2, {{0, 7, 1}, {0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {2, {{0, 7, 1}, {0, 8, 1}}}},
     "argument most|does not reduce into|mode sum adds|write (max, int64_t, most, \"[j]\")"},
    {"least", &wrong_least, {1, {{0, 19, 1}}},
     {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}},
     "argument best|does not reduce into ()|write (min, float, best, \"[]\")"},
    {"bins", &wrong_bins, {1, {{0, 19, 1}}},
     {{1, {{0, 2, 1}}}, {1, {{0, 19, 1}}}},
     "argument count|touches (2)|is 0:1 there"},
    {"blocks", &wrong_blocks, {1, {{0, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|index (0) does not write (1)|write (out, int64_t, b, \"[i]\")"},
    {"wide", &wrong_wide, {1, {{2, 17, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|no index touches [i-2], but \"[i-2:i+2]\" declares it (HIT_CHECK=loose: other launches touch it); write (in, int64_t, a, \"[i-1:i+1]\") (and 1 more report)"},
    {"boxed", &wrong_boxed, {2, {{1, 8, 1}, {1, 8, 1}}},
     {{2, {{0, 9, 1}, {0, 9, 1}}}, {2, {{0, 9, 1}, {0, 9, 1}}}},
     "argument a|no index touches [i-1, j-1]|write (in, int64_t, a, \"[i-1:i+1, j] [i, j-1:j+1]\") (and 3 more reports)"},
    {"extra", &wrong_extra, {1, {{0, 15, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|no index touches [i+3]|write (in, int64_t, a, \"[i]\")"},
    {"beyond", &wrong_beyond, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument a|index (0) touches (20)|is 0:19 there, and the tile is 0:19"},
    {"count", &wrong_count, {1, {{0, 8, 1}}},
     {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 2, 1}}}},
     "argument a|with 1 indices, but the tile has 2 dimensions"},
    {"overlap", &wrong_overlap, {1, {{0, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|index (1) and index (0) both touch (1)"},
    {"race", &wrong_race, {2, {{0, 7, 1}, {0, 8, 1}}},
     {{1, {{0, 7, 1}}}, {2, {{0, 7, 1}, {0, 8, 1}}}},
     "argument b|index (0, 1) and index (0, 0) both touch (0)"},
    {"scatter", &wrong_scatter, {1, {{0, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|several indices write the same elements of b|or reduce with sum, min or max"},
    {"pointer", &wrong_pointer, {1, {{1, 18, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument b|without naming it"},
    {"unused", &wrong_unused, {1, {{0, 19, 1}}},
     {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}},
     "argument c|no index touches it|leave the argument out"},
    {"product", &wrong_product, {1, {{0, 19, 1}}},
     {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}},
     "argument total|does not reduce into ()|mode sum adds"},
    {"assign", &wrong_assign, {1, {{0, 19, 1}}},
     {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}},
     "argument total|index (0) does not reduce into ()|mode sum adds|change total by += and -= only"},
    {"keep", &wrong_keep, {1, {{0, 19, 1}}},
     {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}},
     "argument best|index (0) does not reduce into ()|unless they find better|change best by if (x < hit(best)) hit(best) = x only"},
    {"box_past", &wrong_box_past, {2, {{0, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 8, 1}, {0, 6, 1}}}, {2, {{0, 8, 1}, {0, 5, 1}}}, {2, {{0, 8, 1}, {0, 6, 1}}}},
     "argument b|indices 0:7 x 0:6: element (8, 0) is written, but not declared|\"[i, j]\""},
    {"box_above", &wrong_box_above, {2, {{1, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}},
     "argument a|outside is read, but not declared"},
    {"box_skips", &wrong_box_skips, {2, {{0, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}},
     "argument b|element (7, 6) is not written, but the mode is out"},
    {"box_adds", &wrong_box_adds, {2, {{0, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}},
     "argument b|element (0, 0) is read before it is written"},
    {"box_compares", &wrong_box_compares, {2, {{0, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}},
     "argument b|element (0, 0) or another one is compared with something before it is written"},
    {"box_writes", &wrong_box_writes, {2, {{0, 7, 1}, {0, 6, 1}}},
     {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}},
     "argument a|element (0, 0) is written, but the mode is in"},
};
const int bank_wrong_count = (int)(sizeof(bank_wrong) / sizeof(bank_wrong[0]));

const bank_case bank_right[] = {
    {"right left", &right_left, {1, {{1, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right right", &right_right, {1, {{1, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right reach", &right_reach, {2, {{1, 8, 1}, {1, 8, 1}}}, {{2, {{0, 9, 1}, {0, 10, 1}}}, {2, {{0, 9, 1}, {0, 10, 1}}}}, NULL},
    {"right corner", &right_corner, {2, {{1, 8, 1}, {1, 8, 1}}}, {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}}, NULL},
    {"right transposed", &right_transposed, {2, {{0, 8, 1}, {0, 8, 1}}}, {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}}, NULL},
    {"right row", &right_row, {1, {{0, 8, 1}}}, {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}}, NULL},
    {"right column", &right_column, {2, {{0, 8, 1}, {0, 7, 1}}}, {{2, {{0, 8, 1}, {0, 7, 1}}}, {2, {{0, 8, 1}, {0, 7, 1}}}}, NULL},
    {"right coefficient", &right_coefficient, {1, {{0, 9, 1}}}, {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right own", &right_own, {1, {{1, 17, 2}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right odd", &right_odd, {1, {{0, 9, 1}}}, {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right fixed", &right_fixed, {1, {{0, 9, 1}}}, {{1, {{0, 9, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right triangle", &right_triangle, {1, {{0, 11, 1}}}, {{1, {{0, 11, 1}}}, {1, {{0, 11, 1}}}}, NULL},
    {"right strided", &right_strided, {1, {{0, 11, 1}}}, {{1, {{0, 11, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right other", &right_other, {1, {{1, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right above", &right_above, {3, {{0, 4, 1}, {1, 6, 1}, {1, 5, 1}}}, {{3, {{0, 5, 1}, {0, 6, 1}, {0, 5, 1}}}, {3, {{0, 5, 1}, {0, 6, 1}, {0, 5, 1}}}}, NULL},
    {"right hyper", &right_hyper, {4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}}, {{4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}}, {4, {{0, 3, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}}}}, NULL},
    {"right plane", &right_plane, {3, {{0, 4, 1}, {0, 4, 1}, {0, 4, 1}}}, {{3, {{0, 4, 1}, {0, 4, 1}, {0, 4, 1}}}, {2, {{0, 4, 1}, {0, 4, 1}}}}, NULL},
    {"right diagonal", &right_diagonal, {1, {{0, 8, 1}}}, {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 9, 1}}}}, NULL},
    {"right mirror", &right_mirror, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right gather", &right_gather, {1, {{0, 8, 1}}}, {{1, {{0, 8, 1}}}, {1, {{0, 8, 1}}}, {1, {{0, 8, 1}}}}, NULL},
    {"right flat", &right_flat, {1, {{0, 8, 1}}}, {{1, {{0, 8, 1}}}, {2, {{0, 8, 1}, {0, 2, 1}}}}, NULL},
    {"right half", &right_half, {1, {{0, 9, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}}, NULL},
    {"right sometimes", &right_sometimes, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right adds", &right_adds, {2, {{0, 6, 1}, {0, 7, 1}}}, {{2, {{0, 6, 1}, {0, 7, 1}}}, {2, {{0, 6, 1}, {0, 7, 1}}}}, NULL},
    {"right keeps", &right_keeps, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right zero", &right_zero, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {0, {{0, 0, 1}}}}, NULL},
    {"right padded", &right_padded, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right members", &right_members, {1, {{0, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right turned", &right_turned, {2, {{0, 8, 1}, {0, 8, 1}}}, {{2, {{0, 8, 1}, {0, 8, 1}}}, {2, {{0, 8, 1}, {0, 8, 1}}}}, NULL},
    {"right shift", &right_shift, {1, {{0, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right rewrites", &right_rewrites, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right compares", &right_compares, {1, {{0, 19, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}, {0, {{0, 0, 1}}}}, NULL},
    {"right marks", &right_marks, {1, {{0, 9, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}, {1, {{0, 9, 1}}}}, NULL},
    {"right scalar", &right_scalar, {1, {{0, 19, 1}}}, {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right rows", &right_rows, {2, {{0, 7, 1}, {0, 8, 1}}}, {{1, {{0, 7, 1}}}, {2, {{0, 7, 1}, {0, 8, 1}}}}, NULL},
    {"right greatest", &right_greatest, {2, {{0, 7, 1}, {0, 8, 1}}}, {{1, {{0, 8, 1}}}, {2, {{0, 7, 1}, {0, 8, 1}}}}, NULL},
    {"right least", &right_least, {1, {{0, 19, 1}}}, {{0, {{0, 0, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right bins", &right_bins, {1, {{0, 19, 1}}}, {{1, {{0, 2, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right blocks", &right_blocks, {1, {{0, 18, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right wide", &right_wide, {1, {{2, 17, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"right boxed", &right_boxed, {2, {{1, 8, 1}, {1, 8, 1}}}, {{2, {{0, 9, 1}, {0, 9, 1}}}, {2, {{0, 9, 1}, {0, 9, 1}}}}, NULL},
    {"right extra", &right_extra, {1, {{0, 15, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"line", &line, {1, {{3, 17, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 19, 1}}}}, NULL},
    {"star", &star, {2, {{2, 7, 1}, {1, 6, 1}}}, {{2, {{0, 9, 1}, {0, 10, 1}}}, {2, {{0, 9, 1}, {0, 10, 1}}}, {0, {{0, 0, 1}}}}, NULL},
    {"four", &four, {4, {{0, 2, 1}, {0, 3, 1}, {0, 2, 1}, {0, 1, 1}}}, {{4, {{0, 2, 1}, {0, 3, 1}, {0, 2, 1}, {0, 1, 1}}}, {4, {{0, 2, 1}, {0, 3, 1}, {0, 2, 1}, {0, 1, 1}}}}, NULL},
    {"rows", &rows, {1, {{0, 7, 1}}}, {{1, {{0, 7, 1}}}, {2, {{0, 7, 1}, {0, 4, 1}}}, {1, {{0, 4, 1}}}}, NULL},
    {"transpose", &transpose, {2, {{0, 6, 1}, {0, 8, 1}}}, {{2, {{0, 8, 1}, {0, 6, 1}}}, {2, {{0, 6, 1}, {0, 8, 1}}}}, NULL},
    {"twice", &twice, {1, {{0, 9, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}}, NULL},
    {"evens", &evens, {1, {{0, 9, 1}}}, {{1, {{0, 19, 1}}}, {1, {{0, 9, 1}}}}, NULL},
    {"shifted", &shifted, {2, {{0, 5, 1}, {1, 6, 1}}}, {{2, {{0, 7, 1}, {0, 7, 1}}}, {2, {{0, 7, 1}, {0, 7, 1}}}}, NULL},
    {"product", &product, {2, {{0, 5, 1}, {0, 6, 1}}}, {{2, {{0, 5, 1}, {0, 6, 1}}}, {2, {{0, 5, 1}, {0, 4, 1}}}, {2, {{0, 4, 1}, {0, 6, 1}}}}, NULL},
    {"totals", &totals, {2, {{0, 5, 1}, {0, 6, 1}}}, {{0, {{0, 0, 1}}}, {1, {{0, 6, 1}}}, {1, {{0, 5, 1}}}, {0, {{0, 0, 1}}}, {2, {{0, 5, 1}, {0, 6, 1}}}}, NULL},
    {"ahead", &ahead, {2, {{0, 5, 1}, {0, 6, 1}}}, {{0, {{0, 0, 1}}}, {2, {{0, 7, 1}, {0, 7, 1}}}}, NULL},
    {"right_box", &right_box, {2, {{0, 7, 1}, {0, 6, 1}}}, {{2, {{0, 7, 1}, {0, 6, 1}}}, {2, {{0, 7, 1}, {0, 5, 1}}}, {2, {{0, 7, 1}, {0, 6, 1}}}}, NULL},
};
const int bank_right_count = (int)(sizeof(bank_right) / sizeof(bank_right[0]));
