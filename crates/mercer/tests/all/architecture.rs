//! The modules of the library stand in a row and each uses only modules to its left; the faces depend on the library alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules at the root of the crate, left to right.
const MODULES: [&str; 10] =
    ["error", "resources", "linalg", "data", "kernel", "gram", "solver", "machine", "evaluation", "io"];

/// Modules that may use less than all that stand to their left.
const STRICTER: [(&str, &[&str]); 1] = [("solver", &["error", "resources", "linalg", "gram"])];

/// Crates that are faces of the library.
const FACES: [&str; 2] = ["mercer-cli", "mercer-python"];

fn allowed(module: &str) -> BTreeSet<&'static str> {
    if let Some((_, modules)) = STRICTER.iter().find(|(name, _)| *name == module) {
        return modules.iter().copied().collect();
    }
    MODULES.iter().copied().take_while(|name| *name != module).collect()
}

/// The words and marks of Rust code, without comments and texts.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if let Some(length) = raw_text(rest) {
            length
        } else if first == '"' {
            quoted(rest)
        } else if first == '\'' {
            character(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(rest[..length].to_string());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".into());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of `r"…"` or `r#"…"#` at the start, if there is one.
fn raw_text(source: &str) -> Option<usize> {
    let inside = source.strip_prefix('r').or_else(|| source.strip_prefix("br"))?;
    let hashes = inside.len() - inside.trim_start_matches('#').len();
    inside[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = source.len() - inside.len() + hashes + 1;
    Some(source[start..].find(&end).map_or(source.len(), |at| start + at + end.len()))
}

/// The length of the text in quotes at the start.
fn quoted(source: &str) -> usize {
    let mut escaped = false;
    for (at, c) in source.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    source.len()
}

/// The length of the character or the mark of a lifetime at the start.
fn character(source: &str) -> usize {
    let mut chars = source.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => source[3..].find('\'').map_or(source.len(), |at| at + 4),
        Some(_) if chars.next().is_some_and(|(_, c)| c == '\'') => {
            source[1..].find('\'').map_or(1, |at| at + 2)
        }
        _ => 1,
    }
}

/// All paths in the code of a file that start at `crate`, `self` or `super`, from the root of the crate on.
fn paths(file_module: &[String], source: &str) -> Vec<Vec<String>> {
    let tokens = tokens(source);
    let (mut found, mut inner, mut depth, mut at) = (Vec::new(), Vec::<(String, usize)>::new(), 0, 0);
    while at < tokens.len() {
        let word = |ahead: usize| tokens.get(at + ahead).map_or("", String::as_str);
        match word(0) {
            "mod" if word(2) == "{" => {
                inner.push((word(1).to_string(), depth));
                depth += 1;
                at += 3;
            }
            "{" => {
                depth += 1;
                at += 1;
            }
            "}" => {
                depth -= 1;
                if inner.last().is_some_and(|(_, outside)| *outside == depth) {
                    inner.pop();
                }
                at += 1;
            }
            start @ ("crate" | "self" | "super") if word(1) == "::" => {
                let mut base: Vec<String> = match start {
                    "crate" => Vec::new(),
                    _ => file_module
                        .iter()
                        .cloned()
                        .chain(inner.iter().map(|(name, _)| name.clone()))
                        .collect(),
                };
                if start == "super" {
                    base.pop();
                }
                at += 2;
                tree(&tokens, &mut at, base, &mut found);
            }
            _ => at += 1,
        }
    }
    found
}

/// The paths of `a::{b, c::d}`, behind what stands before it.
fn tree(tokens: &[String], at: &mut usize, mut base: Vec<String>, found: &mut Vec<Vec<String>>) {
    loop {
        match tokens.get(*at).map(String::as_str) {
            Some("{") => {
                *at += 1;
                while *at < tokens.len() && tokens[*at] != "}" {
                    tree(tokens, at, base.clone(), found);
                    while tokens.get(*at).is_some_and(|token| token != "," && token != "}") {
                        *at += 1;
                    }
                    *at += usize::from(tokens.get(*at).is_some_and(|token| token == ","));
                }
                *at += 1;
                return;
            }
            Some("super") => _ = base.pop(),
            Some("self") => {}
            Some(name) => base.push(name.to_string()),
            None => return,
        }
        *at += 1;
        if tokens.get(*at).is_none_or(|token| token != "::") {
            found.push(base);
            return;
        }
        *at += 1;
    }
}

/// The path of a file's module from the root of the crate on.
fn module_of(inside: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        inside.with_extension("").iter().map(|name| name.to_str().unwrap().to_string()).collect();
    if names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

fn wrong_edges(inside: &Path, source: &str) -> BTreeSet<String> {
    let own = module_of(inside);
    let allowed = allowed(&own[0]);
    let used = paths(&own, source).into_iter().filter_map(|path| path.into_iter().next());
    used.filter(|used| *used != own[0] && MODULES.contains(&&used[..]) && !allowed.contains(&used[..]))
        .collect()
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

#[test]
fn every_module_uses_only_modules_to_its_left() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&source, &mut files);
    let mut seen = BTreeSet::new();
    for file in files {
        let inside = file.strip_prefix(&source).unwrap();
        let module = module_of(inside).remove(0);
        if module == "lib" {
            continue;
        }
        let shown = inside.display();
        assert!(MODULES.contains(&&module[..]), "{shown}: {module} has no place in the row of modules");
        let wrong = wrong_edges(inside, &fs::read_to_string(&file).unwrap());
        assert!(wrong.is_empty(), "{shown} uses {wrong:?}, which {module} may not see");
        seen.insert(module);
    }
    assert_eq!(seen.len(), MODULES.len(), "{seen:?}");
}

/// Neither face depends on the other, nor on what tests are made of.
#[test]
fn faces_depend_on_the_library_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for face in FACES {
        let manifest = fs::read_to_string(crates.join(face).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        let own: Vec<&str> = dependencies.lines().filter(|line| line.starts_with("mercer")).collect();
        assert_eq!(own, ["mercer.workspace = true"], "{face}");
    }
}

#[test]
fn a_wrong_edge_is_noticed() {
    let wrong =
        |file: &str, source: &str| wrong_edges(Path::new(file), source).into_iter().collect::<Vec<_>>();
    assert_eq!(wrong("solver/mod.rs", "use crate::data::Items;"), ["data"]);
    assert_eq!(wrong("kernel/mod.rs", "use crate::{error::{Error, Result}, gram::Gram, kernel};"), ["gram"]);
    assert_eq!(wrong("kernel/text/mod.rs", "use super::super::gram::Gram;"), ["gram"]);
    assert_eq!(wrong("kernel/mod.rs", "use super::{data::{Items, Row}, io::{self, Model}};"), ["io"]);
    assert_eq!(
        wrong("data/rows.rs", "fn f() -> crate::kernel::Kernel { crate::io::load() }"),
        ["io", "kernel"]
    );
    assert_eq!(wrong("linalg/a.rs", "mod tests { use super::super::super::data::Items; }"), ["data"]);
    // In an inner module `super` is the file's own.
    assert!(wrong("error.rs", "mod tests { use super::gram; }\nuse self::data;").is_empty());
    assert!(wrong("gram/mod.rs", "/// [`Svc`](crate::machine::Svc)\nuse crate::kernel::Kernel;").is_empty());
    assert!(
        wrong("gram/mod.rs", "/* crate::io */ const A: &str = \"\\\"crate::io::x\"; const B: char = '\"';")
            .is_empty()
    );
    assert!(
        wrong("gram/mod.rs", "const A: &str = r#\"\" crate::io::x \"#; fn f<'a>(_: &'a str, _: char) {}")
            .is_empty()
    );
}
