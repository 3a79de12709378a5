/* SPDX-License-Identifier: MIT
 * The operations of PTX that the executor knows, as one list: U, B, S, P and T make
 * something of those with one operand, two, a value and a shift, two and a predicate, and
 * three. (identifier, name, type of the result, type of the operands, value) */
#ifndef TESTS_SUPPORT_PTX_OPERATIONS_H
#define TESTS_SUPPORT_PTX_OPERATIONS_H

#define PTX_COMPARED(B, t, type)                                                         \
    B(setp_eq_##t, "setp.eq." #t, pred, type, a == b)                                    \
    B(setp_ne_##t, "setp.ne." #t, pred, type, a != b)                                    \
    B(setp_lt_##t, "setp.lt." #t, pred, type, a < b)                                     \
    B(setp_le_##t, "setp.le." #t, pred, type, a <= b)                                    \
    B(setp_gt_##t, "setp.gt." #t, pred, type, a > b)                                     \
    B(setp_ge_##t, "setp.ge." #t, pred, type, a >= b)

/* ne: both are numbers; the others with u hold where one is none, too */
#define PTX_COMPARED_REAL(B, t, type)                                                    \
    B(setp_eq_##t, "setp.eq." #t, pred, type, a == b)                                    \
    B(setp_ne_##t, "setp.ne." #t, pred, type, a<b || a> b)                               \
    B(setp_lt_##t, "setp.lt." #t, pred, type, a < b)                                     \
    B(setp_le_##t, "setp.le." #t, pred, type, a <= b)                                    \
    B(setp_gt_##t, "setp.gt." #t, pred, type, a > b)                                     \
    B(setp_ge_##t, "setp.ge." #t, pred, type, a >= b)                                    \
    B(setp_equ_##t, "setp.equ." #t, pred, type, !(a < b || a > b))                       \
    B(setp_neu_##t, "setp.neu." #t, pred, type, a != b)                                  \
    B(setp_ltu_##t, "setp.ltu." #t, pred, type, !(a >= b))                               \
    B(setp_leu_##t, "setp.leu." #t, pred, type, !(a > b))                                \
    B(setp_gtu_##t, "setp.gtu." #t, pred, type, !(a <= b))                               \
    B(setp_geu_##t, "setp.geu." #t, pred, type, !(a < b))                                \
    B(setp_num_##t, "setp.num." #t, pred, type, !isnan(a) && !isnan(b))                  \
    B(setp_nan_##t, "setp.nan." #t, pred, type, isnan(a) || isnan(b))

#define PTX_BITS(U, B, S, P, n, type)                                                    \
    U(mov_b##n, "mov.b" #n, type, type, a)                                               \
    U(mov_u##n, "mov.u" #n, type, type, a)                                               \
    U(mov_s##n, "mov.s" #n, type, type, a)                                               \
    U(not_b##n, "not.b" #n, type, type, ~a)                                              \
    B(and_b##n, "and.b" #n, type, type, a &b)                                            \
    B(or_b##n, "or.b" #n, type, type, a | b)                                             \
    B(xor_b##n, "xor.b" #n, type, type, a ^ b)                                           \
    S(shl_b##n, "shl.b" #n, type, type, b >= (n) ? 0 : (uint64_t)a << b)                 \
    P(selp_b##n, "selp.b" #n, type, type, p ? a : b)                                     \
    P(selp_u##n, "selp.u" #n, type, type, p ? a : b)                                     \
    P(selp_s##n, "selp.s" #n, type, type, p ? a : b)                                     \
    B(setp_eq_b##n, "setp.eq.b" #n, pred, type, a == b)                                  \
    B(setp_ne_b##n, "setp.ne.b" #n, pred, type, a != b)

/* unsigned arithmetic: what does not fit is cut off, as in the ISA */
#define PTX_INTEGER(B, t, type, utype)                                                   \
    B(add_##t, "add." #t, utype, utype, a + b)                                           \
    B(sub_##t, "sub." #t, utype, utype, a - b)                                           \
    B(mul_lo_##t, "mul.lo." #t, utype, utype, (uint64_t)a *b)                            \
    B(min_##t, "min." #t, type, type, a < b ? a : b)                                     \
    B(max_##t, "max." #t, type, type, a > b ? a : b)                                     \
    PTX_COMPARED(B, t, type)

#define PTX_SIGNED(U, S, t, n, type, utype)                                              \
    U(neg_##t, "neg." #t, utype, utype, 0 - a)                                           \
    U(abs_##t, "abs." #t, utype, type, a < 0 ? 0 - (utype)a : (utype)a)                  \
    S(shr_##t, "shr." #t, type, type, a >> (b < (n) ? b : (n)-1))

#define PTX_WIDE(B, T, t, type, wide)                                                    \
    B(mul_wide_##t, "mul.wide." #t, wide, type, (wide)a *(wide)b)                        \
    T(mad_wide_##t, "mad.wide." #t, wide, type, (wide)a *(wide)b + c)

#define PTX_PRODUCT(B, T, t, type, utype, wide)                                          \
    T(mad_lo_##t, "mad.lo." #t, utype, utype, a *b + c)                                  \
    B(mul_hi_##t, "mul.hi." #t, type, type, ((wide)a * (wide)b) >> 8 * sizeof(a))        \
    B(div_##t, "div." #t, type, type, div_##type(a, b))                                  \
    B(rem_##t, "rem." #t, type, type, rem_##type(a, b))

#define PTX_REAL(U, B, P, T, t, type, f)                                                 \
    U(mov_##t, "mov." #t, type, type, a)                                                 \
    B(add_##t, "add.rn." #t, type, type, a + b)                                          \
    B(sub_##t, "sub.rn." #t, type, type, a - b)                                          \
    B(mul_##t, "mul.rn." #t, type, type, a *b)                                           \
    B(plain_add_##t, "add." #t, type, type, a + b)                                       \
    B(plain_sub_##t, "sub." #t, type, type, a - b)                                       \
    B(plain_mul_##t, "mul." #t, type, type, a *b)                                        \
    B(div_##t, "div.rn." #t, type, type, a / b)                                          \
    U(rcp_##t, "rcp.rn." #t, type, type, 1 / a)                                          \
    U(sqrt_##t, "sqrt.rn." #t, type, type, __builtin_sqrt##f(a))                         \
    T(fma_##t, "fma.rn." #t, type, type, __builtin_fma##f(a, b, c))                      \
    U(neg_##t, "neg." #t, type, type, -a)                                                \
    U(abs_##t, "abs." #t, type, type, __builtin_fabs##f(a))                              \
    B(min_##t, "min." #t, type, type, least_##type(a, b))                                \
    B(max_##t, "max." #t, type, type, most_##type(a, b))                                 \
    P(selp_##t, "selp." #t, type, type, p ? a : b)                                       \
    PTX_COMPARED_REAL(B, t, type)

#define PTX_CONVERTED(U, t, type)                                                        \
    U(cvt_##t##_u8, "cvt." #t ".u8", type, uint8_t, a)                                   \
    U(cvt_##t##_s8, "cvt." #t ".s8", type, int8_t, a)                                    \
    U(cvt_##t##_u16, "cvt." #t ".u16", type, uint16_t, a)                                \
    U(cvt_##t##_s16, "cvt." #t ".s16", type, int16_t, a)                                 \
    U(cvt_##t##_u32, "cvt." #t ".u32", type, uint32_t, a)                                \
    U(cvt_##t##_s32, "cvt." #t ".s32", type, int32_t, a)                                 \
    U(cvt_##t##_u64, "cvt." #t ".u64", type, uint64_t, a)                                \
    U(cvt_##t##_s64, "cvt." #t ".s64", type, int64_t, a)

#define PTX_CONVERTED_REAL(U, t, type)                                                   \
    U(cvt_##t##_of_u16, "cvt.rn." #t ".u16", type, uint16_t, a)                          \
    U(cvt_##t##_of_s16, "cvt.rn." #t ".s16", type, int16_t, a)                           \
    U(cvt_##t##_of_u32, "cvt.rn." #t ".u32", type, uint32_t, a)                          \
    U(cvt_##t##_of_s32, "cvt.rn." #t ".s32", type, int32_t, a)                           \
    U(cvt_##t##_of_u64, "cvt.rn." #t ".u64", type, uint64_t, a)                          \
    U(cvt_##t##_of_s64, "cvt.rn." #t ".s64", type, int64_t, a)                           \
    U(cvt_s32_of_##t, "cvt.rzi.s32." #t, int32_t, type, fitted_int32_t(a))               \
    U(cvt_u32_of_##t, "cvt.rzi.u32." #t, uint32_t, type, fitted_uint32_t(a))             \
    U(cvt_s64_of_##t, "cvt.rzi.s64." #t, int64_t, type, fitted_int64_t(a))               \
    U(cvt_u64_of_##t, "cvt.rzi.u64." #t, uint64_t, type, fitted_uint64_t(a))

#define PTX_OPERATIONS(U, B, S, P, T)                                                    \
    PTX_BITS(U, B, S, P, 16, uint16_t)                                                   \
    PTX_BITS(U, B, S, P, 32, uint32_t)                                                   \
    PTX_BITS(U, B, S, P, 64, uint64_t)                                                   \
    PTX_INTEGER(B, u16, uint16_t, uint16_t)                                              \
    PTX_INTEGER(B, s16, int16_t, uint16_t)                                               \
    PTX_INTEGER(B, u32, uint32_t, uint32_t)                                              \
    PTX_INTEGER(B, s32, int32_t, uint32_t)                                               \
    PTX_INTEGER(B, u64, uint64_t, uint64_t)                                              \
    PTX_INTEGER(B, s64, int64_t, uint64_t)                                               \
    PTX_SIGNED(U, S, s16, 16, int16_t, uint16_t)                                         \
    PTX_SIGNED(U, S, s32, 32, int32_t, uint32_t)                                         \
    PTX_SIGNED(U, S, s64, 64, int64_t, uint64_t)                                         \
    S(shr_u16, "shr.u16", uint16_t, uint16_t, b >= 16 ? 0 : a >> b)                      \
    S(shr_u32, "shr.u32", uint32_t, uint32_t, b >= 32 ? 0 : a >> b)                      \
    S(shr_u64, "shr.u64", uint64_t, uint64_t, b >= 64 ? 0 : a >> b)                      \
    PTX_WIDE(B, T, u16, uint16_t, uint32_t)                                              \
    PTX_WIDE(B, T, s16, int16_t, int32_t)                                                \
    PTX_WIDE(B, T, u32, uint32_t, uint64_t)                                              \
    PTX_WIDE(B, T, s32, int32_t, int64_t)                                                \
    PTX_PRODUCT(B, T, u32, uint32_t, uint32_t, uint64_t)                                 \
    PTX_PRODUCT(B, T, s32, int32_t, uint32_t, int64_t)                                   \
    PTX_PRODUCT(B, T, u64, uint64_t, uint64_t, uint128_t)                                \
    PTX_PRODUCT(B, T, s64, int64_t, uint64_t, int128_t)                                  \
    PTX_REAL(U, B, P, T, f32, float, f)                                                  \
    PTX_REAL(U, B, P, T, f64, double, )                                                  \
    PTX_CONVERTED(U, u8, uint8_t)                                                        \
    PTX_CONVERTED(U, s8, int8_t)                                                         \
    PTX_CONVERTED(U, u16, uint16_t)                                                      \
    PTX_CONVERTED(U, s16, int16_t)                                                       \
    PTX_CONVERTED(U, u32, uint32_t)                                                      \
    PTX_CONVERTED(U, s32, int32_t)                                                       \
    PTX_CONVERTED(U, u64, uint64_t)                                                      \
    PTX_CONVERTED(U, s64, int64_t)                                                       \
    PTX_CONVERTED_REAL(U, f32, float)                                                    \
    PTX_CONVERTED_REAL(U, f64, double)                                                   \
    U(cvt_f64_f32, "cvt.f64.f32", double, float, a)                                      \
    U(cvt_f32_f64, "cvt.rn.f32.f64", float, double, a)                                   \
    U(mov_pred, "mov.pred", pred, pred, a)                                               \
    U(not_pred, "not.pred", pred, pred, !a)                                              \
    B(and_pred, "and.pred", pred, pred, a &&b)                                           \
    B(or_pred, "or.pred", pred, pred, a || b)                                            \
    B(xor_pred, "xor.pred", pred, pred, a != b)                                          \
    U(to_global, "cvta.to.global.u64", uint64_t, uint64_t, a)                            \
    U(to_local, "cvta.to.local.u64", uint64_t, uint64_t, a)                              \
    U(to_shared, "cvta.to.shared.u64", uint64_t, uint64_t, a)                            \
    U(of_param, "cvta.param.u64", uint64_t, uint64_t, a)                                 \
    U(of_local, "cvta.local.u64", uint64_t, uint64_t, a)                                 \
    U(of_shared, "cvta.shared.u64", uint64_t, uint64_t, a)

#endif
