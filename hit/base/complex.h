/* SPDX-License-Identifier: MIT
 * Complex numbers, real part before imaginary part: C's own in C, a struct with the same
 * operators in C++ and CUDA, so that the body of a kernel is one text for both. */
#ifndef HIT_BASE_COMPLEX_H
#define HIT_BASE_COMPLEX_H

#ifndef __cplusplus

typedef float _Complex hit_complex_float;
typedef double _Complex hit_complex_double;

/** re + im i. */
static inline hit_complex_float hit_complexf(float re, float im)
{
    const union {
        float part[2];
        hit_complex_float number;
    } made = {{re, im}};

    return made.number;
}
static inline hit_complex_double hit_complex(double re, double im)
{
    const union {
        double part[2];
        hit_complex_double number;
    } made = {{re, im}};

    return made.number;
}
/** The real part, the imaginary part, and the conjugate, of any complex number. */
#define hit_re(number) (__extension__ __real__(number))
#define hit_im(number) (__extension__ __imag__(number))
#define hit_conj(number) (__extension__ ~(number))

#else

#ifdef __CUDACC__
#define HIT_COMPLEX_INLINE __host__ __device__ inline
#else
#define HIT_COMPLEX_INLINE inline
#endif

template <class Real> struct hit_complex_of {
    Real re;
    Real im;

    hit_complex_of() = default;
    HIT_COMPLEX_INLINE hit_complex_of(Real real, Real imaginary = 0)
        : re(real), im(imaginary)
    {
    }
    friend HIT_COMPLEX_INLINE hit_complex_of operator+(hit_complex_of a, hit_complex_of b)
    {
        return hit_complex_of(a.re + b.re, a.im + b.im);
    }
    friend HIT_COMPLEX_INLINE hit_complex_of operator-(hit_complex_of a, hit_complex_of b)
    {
        return hit_complex_of(a.re - b.re, a.im - b.im);
    }
    friend HIT_COMPLEX_INLINE hit_complex_of operator-(hit_complex_of a)
    {
        return hit_complex_of(-a.re, -a.im);
    }
    friend HIT_COMPLEX_INLINE hit_complex_of operator*(hit_complex_of a, hit_complex_of b)
    {
        return hit_complex_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
    friend HIT_COMPLEX_INLINE hit_complex_of operator/(hit_complex_of a, hit_complex_of b)
    {
        const Real size = b.re * b.re + b.im * b.im;
        return hit_complex_of((a.re * b.re + a.im * b.im) / size,
                              (a.im * b.re - a.re * b.im) / size);
    }
    friend HIT_COMPLEX_INLINE bool operator==(hit_complex_of a, hit_complex_of b)
    {
        return a.re == b.re && a.im == b.im;
    }
    friend HIT_COMPLEX_INLINE bool operator!=(hit_complex_of a, hit_complex_of b)
    {
        return !(a == b);
    }
    HIT_COMPLEX_INLINE hit_complex_of &operator+=(hit_complex_of b)
    {
        return *this = *this + b;
    }
    HIT_COMPLEX_INLINE hit_complex_of &operator-=(hit_complex_of b)
    {
        return *this = *this - b;
    }
    HIT_COMPLEX_INLINE hit_complex_of &operator*=(hit_complex_of b)
    {
        return *this = *this * b;
    }
};

typedef hit_complex_of<float> hit_complex_float;
typedef hit_complex_of<double> hit_complex_double;

HIT_COMPLEX_INLINE hit_complex_float hit_complexf(float re, float im)
{
    return hit_complex_float(re, im);
}
HIT_COMPLEX_INLINE hit_complex_double hit_complex(double re, double im)
{
    return hit_complex_double(re, im);
}
template <class Real> HIT_COMPLEX_INLINE Real hit_re(hit_complex_of<Real> number)
{
    return number.re;
}
template <class Real> HIT_COMPLEX_INLINE Real hit_im(hit_complex_of<Real> number)
{
    return number.im;
}
template <class Real>
HIT_COMPLEX_INLINE hit_complex_of<Real> hit_conj(hit_complex_of<Real> number)
{
    return hit_complex_of<Real>(number.re, -number.im);
}

#endif

#endif
