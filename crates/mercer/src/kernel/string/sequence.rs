//! What strings are made of.

/// A string of symbols: characters of `str`, bytes of `[u8]`, tokens of `[u32]`.
///
/// Characters are Unicode's: `"é"` is one symbol in a `str` and two in its bytes. O(n) to list.
///
/// ```
/// use mercer::kernel::string::Sequence;
/// assert_eq!("né".symbols(), [110, 233]);
/// assert_eq!("né".as_bytes().symbols(), [110, 195, 169]);
/// assert_eq!([7u32, 1].symbols(), [7, 1]);
/// ```
pub trait Sequence: Send + Sync {
    /// The symbols, in their order.
    fn symbols(&self) -> Vec<u32>;
}

impl Sequence for str {
    fn symbols(&self) -> Vec<u32> {
        self.chars().map(u32::from).collect()
    }
}

impl Sequence for [u8] {
    fn symbols(&self) -> Vec<u32> {
        self.iter().map(|&byte| u32::from(byte)).collect()
    }
}

impl Sequence for [u32] {
    fn symbols(&self) -> Vec<u32> {
        self.to_vec()
    }
}
