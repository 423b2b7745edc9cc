//! Which vector instructions the processor has, found out at run time.

use crate::error::{Error, Result};

/// A level of vector instructions; each has its own micro-kernels.
///
/// Results are the same bits on one level, whatever the thread count; they may differ in the last bits
/// between levels.
///
/// ```
/// use mercer::resources::InstructionSet;
/// assert!(InstructionSet::Scalar.is_available());
/// assert!(InstructionSet::strongest() >= InstructionSet::Scalar);
/// assert_eq!(InstructionSet::Avx512.name(), "avx512");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionSet {
    /// Portable code, for any processor.
    Scalar,
    /// AVX2 with fused multiply–add.
    Avx2,
    /// AVX-512 (F, DQ, BW and VL).
    Avx512,
}

impl InstructionSet {
    /// All levels, weakest first.
    pub const ALL: [InstructionSet; 3] =
        [InstructionSet::Scalar, InstructionSet::Avx2, InstructionSet::Avx512];

    /// The name used by the environment variable `MERCER_SIMD`.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Scalar => "scalar",
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
        }
    }

    /// Whether this processor can run it.
    pub fn is_available(self) -> bool {
        match self {
            InstructionSet::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => {
                InstructionSet::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The strongest level of this processor.
    pub fn strongest() -> Self {
        InstructionSet::ALL
            .into_iter()
            .rev()
            .find(|level| level.is_available())
            .unwrap_or(InstructionSet::Scalar)
    }

    /// The level that `MERCER_SIMD` (`scalar`, `avx2` or `avx512`) asks for, or the strongest one.
    ///
    /// ```
    /// use mercer::resources::InstructionSet;
    /// // Without `MERCER_SIMD`, the strongest that this processor has.
    /// assert!(InstructionSet::from_environment()?.is_available());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InstructionSet`] if the variable holds another word or the processor lacks that level:
    /// there is no silent fallback.
    pub fn from_environment() -> Result<Self> {
        match std::env::var("MERCER_SIMD") {
            Ok(word) if !word.is_empty() => Self::parse(&word),
            _ => Ok(Self::strongest()),
        }
    }

    /// The level of this name.
    ///
    /// ```
    /// use mercer::resources::InstructionSet;
    /// assert_eq!(InstructionSet::parse("scalar")?, InstructionSet::Scalar);
    /// assert!(InstructionSet::parse("mmx").is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`InstructionSet::from_environment`].
    pub fn parse(word: &str) -> Result<Self> {
        let Some(level) = InstructionSet::ALL.into_iter().find(|level| level.name() == word) else {
            let problem = "expected scalar, avx2 or avx512";
            return Err(Error::InstructionSet { asked: word.to_string(), problem });
        };
        if !level.is_available() {
            let problem = "this processor does not have these instructions";
            return Err(Error::InstructionSet { asked: word.to_string(), problem });
        }
        Ok(level)
    }
}
