//! Memory that is used again.

use std::sync::{Mutex, PoisonError};

/// A place for values of K. Who needs many matrices one after the other puts them into the same one: memory that is new to a process
/// has to be cleared by the system, page by page, which takes longer than to copy into it.
///
/// ```
/// use mercer::gram::{PrecomputedGram, Room, SymmetricGram, hold};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 2.0, 5.0], 2)?;
/// let mut room = Room::default();
/// for item in 0..2 {
///     let part = hold(&gram, &[item], mercer::resources::InstructionSet::strongest(), &mut room)?;
///     assert_eq!(part.diagonal(), &gram.diagonal()[item..=item]);
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Room {
    pub(super) single: Vec<f32>,
    pub(super) double: Vec<f64>,
}

/// Rooms that nobody is in.
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<Vec<Room>>);

impl Rooms {
    /// One that was used before, if there is one.
    pub fn take(&self) -> Room {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub fn give_back(&self, room: Room) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(room);
    }
}
