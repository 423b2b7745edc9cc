//! The rooms stand in a row and each uses only rooms to its left.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Left to right.
const ROOMS: [&str; 11] = [
    "error",
    "resources",
    "linalg",
    "data",
    "kernel",
    "gram",
    "solver",
    "machine",
    "evaluation",
    "io",
    "plot",
];

/// Rooms that may use less than all that stands to their left.
const STRICTER: [(&str, &[&str]); 1] = [("solver", &["error", "resources", "linalg", "gram"])];

fn allowed(room: &str) -> BTreeSet<&'static str> {
    if let Some((_, rooms)) = STRICTER.iter().find(|(name, _)| *name == room) {
        return rooms.iter().copied().collect();
    }
    ROOMS.iter().copied().take_while(|name| *name != room).collect()
}

/// Rooms named by `crate::…` in code, comments left out: links in the docs may point to the right.
fn used_rooms(source: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        // `use crate::{a, b}` names several.
        if let Some(list) = rest.strip_prefix('{') {
            let end = list.find('}').unwrap_or(list.len());
            let names = list[..end].split(',').filter_map(|part| part.trim().split("::").next());
            rooms.extend(names.filter(|name| !name.is_empty()).map(str::to_string));
        } else {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            rooms.insert(name);
        }
    }
    rooms
}

fn files_below(path: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn wrong_edges(room: &str, source: &str) -> Vec<String> {
    let allowed = allowed(room);
    used_rooms(source)
        .into_iter()
        .filter(|used| used != room && ROOMS.contains(&used.as_str()) && !allowed.contains(used.as_str()))
        .collect()
}

#[test]
fn every_room_uses_only_rooms_to_its_left() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&source, &mut files);
    let mut checked = BTreeSet::new();
    for file in files {
        let inside = file.strip_prefix(&source).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let room = first.trim_end_matches(".rs");
        if room == "lib" {
            continue;
        }
        assert!(ROOMS.contains(&room), "{}: not a room of the plan in ARCHITECTURE.md", inside.display());
        let wrong = wrong_edges(room, &fs::read_to_string(&file).unwrap());
        assert!(wrong.is_empty(), "{} uses {wrong:?}, which {room} may not see", inside.display());
        checked.insert(room.to_string());
    }
    assert!(checked.len() >= 6, "{checked:?}");
}

#[test]
fn a_wrong_edge_is_noticed() {
    assert_eq!(wrong_edges("solver", "use crate::data::Items;"), ["data"]);
    assert_eq!(wrong_edges("kernel", "use crate::{error::Result, gram::Gram};"), ["gram"]);
    assert!(wrong_edges("gram", "/// [`Svc`](crate::machine::Svc)\nuse crate::kernel::Kernel;").is_empty());
}
