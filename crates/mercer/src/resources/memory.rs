//! How much memory there is, and how much of it Mercer takes when nobody says.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Default limit for kernel values and what is made of them: a quarter of the memory that was free when it was first asked for, rounded
/// down to a power of two; 512 MiB where the system does not say.
///
/// Read once and rounded, so that what a process computes does not change with what else runs on the machine.
///
/// ```
/// use mercer::resources::default_budget;
/// assert!(default_budget().is_power_of_two());
/// ```
pub fn default_budget() -> u64 {
    const UNKNOWN: u64 = 512 << 20;
    static BUDGET: OnceLock<u64> = OnceLock::new();
    *BUDGET.get_or_init(|| available_memory().map_or(UNKNOWN, budget))
}

/// A quarter, rounded down to a power of two.
fn budget(free: u64) -> u64 {
    1 << (free / 4).max(1).ilog2()
}

/// Bytes of memory this process may use: the machine's, or its control group's limit where that is less.
///
/// `None` where the system does not say (other systems than Linux).
///
/// ```
/// use mercer::resources::available_memory;
/// if let Some(bytes) = available_memory() {
///     println!("{} MB may be used", bytes >> 20);
/// }
/// ```
pub fn available_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
    });
    let limits = control_group_limits();
    machine.into_iter().chain(limits).chain(address_space_left()).min()
}

/// What is left of a limit of the address space (`ulimit -v`), if there is one.
fn address_space_left() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit = line.split_whitespace().next()?.parse::<u64>().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let used = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let used = used.split_whitespace().next()?.parse::<u64>().ok()?.saturating_mul(1024);
    Some(limit.saturating_sub(used))
}

/// Limits of the control groups (version 2 and 1) this process is in, from the leaf to the root.
fn control_group_limits() -> Vec<u64> {
    let mut limits = Vec::new();
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (root, file) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max")
        } else if controllers.split(',').any(|c| c == "memory") {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            continue;
        };
        let mut folder = Path::new(root).join(path.trim_start_matches('/'));
        while folder.starts_with(root) {
            if let Ok(text) = fs::read_to_string(folder.join(file)) {
                limits.extend(text.trim().parse::<u64>().ok());
            }
            if !folder.pop() {
                break;
            }
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_a_quarter_rounded_down_to_a_power_of_two() {
        assert_eq!(budget(24 << 30), 4 << 30);
        assert_eq!(budget(16 << 30), 4 << 30);
        assert_eq!(budget((16 << 30) - 1), 2 << 30);
        assert_eq!(budget(0), 1);
        assert_eq!(default_budget(), default_budget());
    }
}
