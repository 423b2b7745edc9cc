//! Which variables are solved together next.
//!
//! Part of the old set is kept, free variables first and then the newest: without that the method needs
//! an order of magnitude more sets. The rest are those that violate the optimality conditions most,
//! taken in turn from the two ends.

use crate::solver::variables::{Extremes, Variables};

/// In place of a member that was put aside.
const NOBODY: usize = usize::MAX;

/// The members of the working set. A member keeps its slot, and so its row of the Gram block, while it stays.
#[derive(Default)]
pub(in crate::solver) struct WorkingSet {
    /// Variable of each slot.
    pub members: Vec<usize>,
    /// Round in which each slot was last filled.
    since: Vec<u64>,
    /// Slots whose member is new in this round.
    pub fresh: Vec<usize>,
    round: u64,
}

impl WorkingSet {
    /// Takes all of `active`. `is_member` is a scratch array of flags, one per variable, all false.
    pub fn take_all(&mut self, active: &[usize], is_member: &mut [bool]) {
        self.round += 1;
        let kept: Vec<usize> = self.occupied().collect();
        kept.iter().for_each(|&slot| is_member[self.members[slot]] = true);
        let newcomers = active.iter().copied().filter(|&i| !is_member[i]).collect();
        kept.iter().for_each(|&slot| is_member[self.members[slot]] = false);
        self.replace(kept, newcomers);
    }

    /// Takes all of n variables, each in the slot of its number; none of them is fresh.
    pub fn take_in_order(&mut self, n: usize) {
        *self = WorkingSet {
            members: (0..n).collect(),
            since: vec![0; n],
            fresh: Vec::new(),
            round: self.round + 1,
        };
    }

    /// Chooses at most `size` members: some of the old ones, and of those that are no members as many as are wanted of
    /// the `most_violating`. `is_member` is a scratch array of flags, one per variable, all false.
    pub fn choose(
        &mut self,
        size: usize,
        is_member: &mut [bool],
        is_free: impl Fn(usize) -> bool,
        most_violating: impl FnOnce(usize, &mut [bool]) -> Vec<usize>,
    ) {
        self.round += 1;
        let kept = self.slots_to_keep(is_free, size);
        for &slot in &kept {
            is_member[self.members[slot]] = true;
        }
        let wanted = size.saturating_sub(kept.len());
        let newcomers = most_violating(wanted, is_member);
        for &slot in &kept {
            is_member[self.members[slot]] = false;
        }
        self.replace(kept, newcomers);
    }

    /// Forgets members that `still_active` rejects; the others keep their slots.
    pub fn retain(&mut self, still_active: impl Fn(usize) -> bool) {
        for member in &mut self.members {
            if *member != NOBODY && !still_active(*member) {
                *member = NOBODY;
            }
        }
    }

    /// Slots that have a member.
    fn occupied(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.members.len()).filter(|&slot| self.members[slot] != NOBODY)
    }

    fn slots_to_keep(&self, is_free: impl Fn(usize) -> bool, size: usize) -> Vec<usize> {
        let is_free = |slot: &usize| is_free(self.members[*slot]);
        let mut slots: Vec<usize> = self.occupied().collect();
        let free = slots.iter().filter(|slot| is_free(slot)).count();
        // Room for one pair of newcomers at least, or the worst violators could be left out for ever.
        let count = (size / 2).max(free.min(3 * size / 4)).min(size - 2).min(slots.len());
        // Free first, then the newest, then the lowest slot: a total order, so that the choice is unique.
        slots.sort_by_key(|slot| (!is_free(slot), u64::MAX - self.since[*slot], *slot));
        slots.truncate(count);
        slots.sort_unstable();
        slots
    }

    /// Puts newcomers into the slots that are not kept, then into new slots; surplus slots are dropped.
    fn replace(&mut self, kept: Vec<usize>, newcomers: Vec<usize>) {
        self.fresh.clear();
        let total = kept.len() + newcomers.len();
        let mut is_kept = vec![false; self.members.len()];
        for &slot in &kept {
            is_kept[slot] = true;
        }
        // A kept member whose slot lies beyond the new end moves down and counts as fresh.
        let mut homeless: Vec<(usize, u64)> = Vec::new();
        for slot in total..self.members.len() {
            if is_kept[slot] {
                homeless.push((self.members[slot], self.since[slot]));
            }
        }
        let mut arriving = newcomers.into_iter().map(|i| (i, self.round)).chain(homeless);
        self.members.resize(total, NOBODY);
        self.since.resize(total, 0);
        is_kept.resize(total, false);
        for slot in 0..total {
            if !is_kept[slot] {
                let (member, since) = arriving.next().expect("as many arrivals as empty slots");
                self.members[slot] = member;
                self.since[slot] = since;
                self.fresh.push(slot);
            }
        }
    }
}

/// The variables outside the set that violate most, in turn those that should grow and those that should
/// fall, and in turn from each group, the group with the largest gap first. `is_member` is as it was afterwards.
pub(super) fn most_violating(
    variables: &Variables<'_>,
    active: &[usize],
    extremes: &[Extremes],
    wanted: usize,
    is_member: &mut [bool],
) -> Vec<usize> {
    let groups = extremes.len();
    // Two lists per group: (how good, who), smaller is better.
    let mut lists: Vec<Vec<(f64, usize)>> = vec![Vec::new(); 2 * groups];
    for &i in active {
        if is_member[i] {
            continue;
        }
        let g = variables.problem.groups.of(i);
        if variables.can_grow(i) {
            let up = variables.up_score(i);
            if up < extremes[g].highest_low {
                lists[2 * g].push((up, i));
            }
        }
        if variables.can_fall(i) {
            let low = variables.low_score(i);
            if low > extremes[g].lowest_up {
                lists[2 * g + 1].push((-low, i));
            }
        }
    }
    let by_score = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    for list in &mut lists {
        if list.len() > wanted && wanted > 0 {
            list.select_nth_unstable_by(wanted - 1, by_score);
            list.truncate(wanted);
        }
        list.sort_unstable_by(by_score);
    }
    let mut chosen = Vec::with_capacity(wanted);
    let mut heads = vec![0; lists.len()];
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by(|&a, &b| extremes[b / 2].gap().total_cmp(&extremes[a / 2].gap()));
    while chosen.len() < wanted {
        let before = chosen.len();
        for &at in &order {
            let (list, head) = (&lists[at], &mut heads[at]);
            while *head < list.len() {
                let (_, i) = list[*head];
                *head += 1;
                // A free variable may stand in both lists of its group.
                if !is_member[i] {
                    if chosen.len() < wanted {
                        chosen.push(i);
                        is_member[i] = true;
                    }
                    break;
                }
            }
        }
        if chosen.len() == before {
            break;
        }
    }
    chosen.iter().for_each(|&i| is_member[i] = false);
    chosen
}
