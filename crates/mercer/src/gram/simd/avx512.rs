//! Vectors of 512 bits: AVX-512 (F and DQ).

use std::arch::x86_64::*;

use crate::gram::simd::vector::Vector;

/// Sixteen f32.
#[derive(Clone, Copy)]
pub(super) struct F32(__m512);

/// Eight f64.
#[derive(Clone, Copy)]
pub(super) struct F64(__m512d);

/// A call of intrinsics.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: vectors of this file are only used inside `dispatch`'s function for AVX-512; what is
        // read or written, the caller vouches for.
        unsafe { $e }
    };
}

impl Vector for F32 {
    type Element = f32;
    type Mask = __mmask16;
    type Sum = [__m512d; 2];
    const LANES: usize = 16;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        F32(op!(_mm512_set1_ps(value)))
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        F32(op!(_mm512_loadu_ps(from)))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        op!(_mm512_storeu_ps(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f32(self, to: *mut f32) {
        op!(_mm512_storeu_ps(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f64(self, to: *mut f64) {
        op!({
            _mm512_storeu_pd(to, _mm512_cvtps_pd(_mm512_castps512_ps256(self.0)));
            _mm512_storeu_pd(to.add(8), _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(self.0)));
        })
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        F32(op!(_mm512_add_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        F32(op!(_mm512_sub_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        F32(op!(_mm512_mul_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        F32(op!(_mm512_div_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        F32(op!(_mm512_min_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        F32(op!(_mm512_max_ps(self.0, other.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        F32(op!(_mm512_abs_ps(self.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        F32(op!(_mm512_sqrt_ps(self.0)))
    }
    #[inline(always)]
    fn fma(self, factor: Self, addend: Self) -> Self {
        F32(op!(_mm512_fmadd_ps(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn round(self) -> Self {
        F32(op!(_mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0)))
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        F32(op!(_mm512_scalef_ps(self.0, n.0)))
    }
    #[inline(always)]
    fn less(self, other: Self) -> __mmask16 {
        op!(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __mmask16 {
        op!(_mm512_cmp_ps_mask::<_CMP_EQ_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn or(a: __mmask16, b: __mmask16) -> __mmask16 {
        a | b
    }
    #[inline(always)]
    fn bits(mask: __mmask16) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn select(mask: __mmask16, yes: Self, no: Self) -> Self {
        F32(op!(_mm512_mask_blend_ps(mask, no.0, yes.0)))
    }
    #[inline(always)]
    unsafe fn load_sum(from: *const f64) -> [__m512d; 2] {
        op!([_mm512_loadu_pd(from), _mm512_loadu_pd(from.add(8))])
    }
    #[inline(always)]
    unsafe fn store_sum(sum: [__m512d; 2], to: *mut f64) {
        op!({
            _mm512_storeu_pd(to, sum[0]);
            _mm512_storeu_pd(to.add(8), sum[1]);
        })
    }
    #[inline(always)]
    fn add_to_sum(self, weight: f64, sum: [__m512d; 2]) -> [__m512d; 2] {
        op!({
            let weight = _mm512_set1_pd(weight);
            let low = _mm512_cvtps_pd(_mm512_castps512_ps256(self.0));
            let high = _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(self.0));
            [_mm512_fmadd_pd(weight, low, sum[0]), _mm512_fmadd_pd(weight, high, sum[1])]
        })
    }
}

impl Vector for F64 {
    type Element = f64;
    type Mask = __mmask8;
    type Sum = __m512d;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        F64(op!(_mm512_set1_pd(value)))
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        F64(op!(_mm512_loadu_pd(from)))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        op!(_mm512_storeu_pd(to, self.0))
    }
    #[inline(always)]
    unsafe fn store_f32(self, to: *mut f32) {
        op!(_mm256_storeu_ps(to, _mm512_cvtpd_ps(self.0)))
    }
    #[inline(always)]
    unsafe fn store_f64(self, to: *mut f64) {
        op!(_mm512_storeu_pd(to, self.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        F64(op!(_mm512_add_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        F64(op!(_mm512_sub_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        F64(op!(_mm512_mul_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        F64(op!(_mm512_div_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        F64(op!(_mm512_min_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        F64(op!(_mm512_max_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        F64(op!(_mm512_abs_pd(self.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        F64(op!(_mm512_sqrt_pd(self.0)))
    }
    #[inline(always)]
    fn fma(self, factor: Self, addend: Self) -> Self {
        F64(op!(_mm512_fmadd_pd(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn round(self) -> Self {
        F64(op!(_mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0)))
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        F64(op!(_mm512_scalef_pd(self.0, n.0)))
    }
    #[inline(always)]
    fn less(self, other: Self) -> __mmask8 {
        op!(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __mmask8 {
        op!(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, other.0))
    }
    #[inline(always)]
    fn or(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }
    #[inline(always)]
    fn bits(mask: __mmask8) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn select(mask: __mmask8, yes: Self, no: Self) -> Self {
        F64(op!(_mm512_mask_blend_pd(mask, no.0, yes.0)))
    }
    #[inline(always)]
    unsafe fn load_sum(from: *const f64) -> __m512d {
        op!(_mm512_loadu_pd(from))
    }
    #[inline(always)]
    unsafe fn store_sum(sum: __m512d, to: *mut f64) {
        op!(_mm512_storeu_pd(to, sum))
    }
    #[inline(always)]
    fn add_to_sum(self, weight: f64, sum: __m512d) -> __m512d {
        op!(_mm512_fmadd_pd(_mm512_set1_pd(weight), self.0, sum))
    }
}
