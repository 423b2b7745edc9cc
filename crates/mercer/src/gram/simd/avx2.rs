//! Vectors of 256 bits: AVX2 with fused multiply–add.

use std::arch::x86_64::*;

use crate::gram::simd::vector::Vector;

/// Eight f32.
#[derive(Clone, Copy)]
pub(super) struct F32(__m256);

/// Four f64.
#[derive(Clone, Copy)]
pub(super) struct F64(__m256d);

/// A call of intrinsics.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: vectors of this file are only used inside `dispatch`'s function for AVX2 and FMA; what is
        // read or written, the caller vouches for.
        unsafe { $e }
    };
}

impl Vector for F32 {
    type Element = f32;
    type Mask = __m256;
    type Sum = [__m256d; 2];
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        F32(op!(_mm256_set1_ps(value)))
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        F32(op!(_mm256_loadu_ps(from)))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        op!(_mm256_storeu_ps(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f32(self, to: *mut f32) {
        op!(_mm256_storeu_ps(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f64(self, to: *mut f64) {
        op!({
            _mm256_storeu_pd(to, _mm256_cvtps_pd(_mm256_castps256_ps128(self.0)));
            _mm256_storeu_pd(to.add(4), _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0)));
        })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        F32(op!(_mm256_add_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        F32(op!(_mm256_sub_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        F32(op!(_mm256_mul_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        F32(op!(_mm256_div_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        F32(op!(_mm256_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        F32(op!(_mm256_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        F32(op!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        F32(op!(_mm256_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn fma(self, factor: Self, addend: Self) -> Self {
        F32(op!(_mm256_fmadd_ps(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn round(self) -> Self {
        F32(op!(_mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0)))
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        F32(op!({
            let exponent = _mm256_slli_epi32::<23>(_mm256_cvtps_epi32(n.0));
            _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(self.0), exponent))
        }))
    }
    #[inline(always)]
    fn less(self, other: Self) -> __m256 {
        op!(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m256 {
        op!(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn or(a: __m256, b: __m256) -> __m256 {
        op!(_mm256_or_ps(a, b))
    }
    #[inline(always)]
    fn bits(mask: __m256) -> u32 {
        op!(_mm256_movemask_ps(mask)) as u32
    }
    #[inline(always)]
    fn select(mask: __m256, yes: Self, no: Self) -> Self {
        F32(op!(_mm256_blendv_ps(no.0, yes.0, mask)))
    }
    #[inline(always)]
    unsafe fn load_sum(from: *const f64) -> [__m256d; 2] {
        op!([_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(4))])
    }
    #[inline(always)]
    unsafe fn store_sum(sum: [__m256d; 2], to: *mut f64) {
        op!({
            _mm256_storeu_pd(to, sum[0]);
            _mm256_storeu_pd(to.add(4), sum[1]);
        })
    }
    #[inline(always)]
    fn add_to_sum(self, weight: f64, sum: [__m256d; 2]) -> [__m256d; 2] {
        op!({
            let weight = _mm256_set1_pd(weight);
            let low = _mm256_cvtps_pd(_mm256_castps256_ps128(self.0));
            let high = _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0));
            [_mm256_fmadd_pd(weight, low, sum[0]), _mm256_fmadd_pd(weight, high, sum[1])]
        })
    }
}

impl Vector for F64 {
    type Element = f64;
    type Mask = __m256d;
    type Sum = __m256d;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        F64(op!(_mm256_set1_pd(value)))
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        F64(op!(_mm256_loadu_pd(from)))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        op!(_mm256_storeu_pd(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f32(self, to: *mut f32) {
        op!(_mm_storeu_ps(to, _mm256_cvtpd_ps(self.0)))
    }
    #[inline(always)]
    unsafe fn store_f64(self, to: *mut f64) {
        op!(_mm256_storeu_pd(to, self.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        F64(op!(_mm256_add_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        F64(op!(_mm256_sub_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        F64(op!(_mm256_mul_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        F64(op!(_mm256_div_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        F64(op!(_mm256_min_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        F64(op!(_mm256_max_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        F64(op!(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        F64(op!(_mm256_sqrt_pd(self.0)))
    }
    #[inline(always)]
    fn fma(self, factor: Self, addend: Self) -> Self {
        F64(op!(_mm256_fmadd_pd(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn round(self) -> Self {
        F64(op!(_mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0)))
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        F64(op!({
            // There is no conversion to 64-bit integers; the low bits of n + 1.5 · 2⁵² are one.
            let n = _mm256_castpd_si256(_mm256_add_pd(n.0, _mm256_set1_pd(6755399441055744.0)));
            let exponent = _mm256_slli_epi64::<52>(n);
            _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(self.0), exponent))
        }))
    }
    #[inline(always)]
    fn less(self, other: Self) -> __m256d {
        op!(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m256d {
        op!(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn or(a: __m256d, b: __m256d) -> __m256d {
        op!(_mm256_or_pd(a, b))
    }
    #[inline(always)]
    fn bits(mask: __m256d) -> u32 {
        op!(_mm256_movemask_pd(mask)) as u32
    }
    #[inline(always)]
    fn select(mask: __m256d, yes: Self, no: Self) -> Self {
        F64(op!(_mm256_blendv_pd(no.0, yes.0, mask)))
    }
    #[inline(always)]
    unsafe fn load_sum(from: *const f64) -> __m256d {
        op!(_mm256_loadu_pd(from))
    }
    #[inline(always)]
    unsafe fn store_sum(sum: __m256d, to: *mut f64) {
        op!(_mm256_storeu_pd(to, sum))
    }
    #[inline(always)]
    fn add_to_sum(self, weight: f64, sum: __m256d) -> __m256d {
        op!(_mm256_fmadd_pd(_mm256_set1_pd(weight), self.0, sum))
    }
}
