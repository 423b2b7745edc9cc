//! A group of sparse items spread over the lanes of vectors, and its inner products with others.

use crate::gram::simd::{Element, Group, Unit, group_width};
use crate::gram::sparse::rows::Rows;

/// Room for the computation of one piece.
#[derive(Default)]
pub(super) struct Scratch<E> {
    /// Place of each column of the data in `spread`; 0 where the group has nothing.
    pub places: Vec<u32>,
    pub spread: Vec<E>,
    /// Columns of the data that have a place.
    pub present: Vec<u32>,
    pub group: Vec<usize>,
    pub width: usize,
    pub norms: Vec<E>,
    pub doubts: Vec<E>,
    pub other_norms: Vec<E>,
    pub other_doubts: Vec<E>,
    /// `[other item][lane]`
    pub values: Vec<E>,
    pub refused: Vec<u32>,
    pub anew: Vec<E>,
}

pub(super) fn scratch<E: Element>(places: usize) -> Scratch<E> {
    Scratch { places: vec![0; places], ..Scratch::default() }
}

/// Writes a group of items into `spread` and notes their places.
pub(super) fn spread<E: Element>(rows: &Rows<E>, group: &[usize], width: usize, scratch: &mut Scratch<E>) {
    for column in scratch.present.drain(..) {
        scratch.places[column as usize] = 0;
    }
    scratch.spread.clear();
    scratch.spread.resize(width, E::default());
    for (lane, &item) in group.iter().enumerate() {
        let (columns, values) = rows.item(item);
        for (&column, &value) in columns.iter().zip(values) {
            let place = &mut scratch.places[column as usize];
            if *place == 0 {
                *place = (scratch.spread.len() / width) as u32;
                scratch.present.push(column);
                scratch.spread.resize(scratch.spread.len() + width, E::default());
            }
            scratch.spread[*place as usize * width + lane] = value;
        }
    }
}

/// Inner products of the group that is spread out with these items.
pub(super) fn meet<E: Element>(unit: Unit, others: &Rows<E>, items: &[usize], scratch: &mut Scratch<E>) {
    Group {
        unit,
        width: scratch.width,
        spread: &scratch.spread,
        places: &scratch.places,
        offsets: &others.offsets,
        indices: &others.indices,
        values: &others.values,
        items,
        dots: &mut scratch.values,
    }
    .run();
}

/// Makes norms inner products of the items with themselves, to the bit.
pub(super) fn own_norms<E: Element>(rows: &mut Rows<E>, places: usize, unit: Unit) {
    let mut scratch = scratch(places);
    let all: Vec<usize> = (0..rows.count()).collect();
    for group in all.chunks(group_width::<E>(unit, usize::MAX)) {
        scratch.width = group_width::<E>(unit, group.len());
        let width = scratch.width;
        spread(rows, group, width, &mut scratch);
        scratch.values.clear();
        scratch.values.resize(width * group.len(), E::default());
        meet(unit, rows, group, &mut scratch);
        for (lane, &i) in group.iter().enumerate() {
            rows.norms[i] = scratch.values[lane * width + lane];
        }
    }
}
