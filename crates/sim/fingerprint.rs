//! Fingerprint of the model: what its sources say to the compiler, and the packages pinned for it.
//!
//! Comments, white space and code under `#[cfg(test)]` change no result and do not count. Of the
//! packages only those count that a manifest pins with `=`: they calculate. The others read and
//! write text. The manifest of the published crate has its own versions, that of the repository
//! those of the workspace: both give the same name.

use std::collections::{BTreeMap, BTreeSet};

/// Identifies the model of these `sources`, text by path below `src`, and the `pinned` packages:
/// FNV-1a, 64 bit.
pub(crate) fn fingerprint(sources: &BTreeMap<String, String>, pinned: &[String]) -> u64 {
    let mut tests = BTreeSet::new();
    let mut code = BTreeMap::new();
    for (path, text) in sources {
        let text = text.replace('\r', "");
        code.insert(path, without_tests(&tokens(&text), path, &mut tests));
    }
    let is_test =
        |path: &str| path.match_indices(['/', '.']).any(|(at, _)| tests.contains(&path[..at]));
    code.retain(|path, _| !is_test(path));
    let words = code.iter().flat_map(|(path, code)| std::iter::once(*path).chain(code));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in words.chain(pinned).flat_map(|word| word.bytes().chain([0])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// The dependencies of the package of `manifest` that are pinned, such as `libm 0.2.16`, in the
/// order of their names. Versions that it leaves to its workspace are those of `workspace`.
pub(crate) fn pinned(manifest: &str, workspace: &str) -> Vec<String> {
    let shared = requirements(workspace);
    let own = requirements(manifest).into_iter();
    own.filter_map(|(name, version)| {
        let version = version.or_else(|| shared.get(&name)?.clone())?;
        Some(format!("{name} {version}"))
    })
    .collect()
}

/// The dependencies of a manifest by name, each with the version that it is pinned to.
fn requirements(manifest: &str) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let exact = value.split_once("\"=").and_then(|(_, version)| version.split('"').next());
        let key = key.trim().trim_end_matches(".workspace");
        match (section, section.strip_prefix("dependencies.")) {
            ("dependencies" | "workspace.dependencies", _) => {
                found.insert(key.to_owned(), exact.map(str::to_owned));
            }
            (_, Some(name)) if key == "version" => {
                found.insert(name.to_owned(), exact.map(str::to_owned));
            }
            _ => {}
        }
    }
    found
}

/// The code of the file at `path` that is built into the simulator. Modules of tests that stand in
/// files of their own are added to `tests`, each by its path without an ending.
fn without_tests(tokens: &[&str], path: &str, tests: &mut BTreeSet<String>) -> Vec<String> {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&CFG_TEST) {
            kept.push(tokens[at].to_owned());
            at += 1;
            continue;
        }
        let end = end_of_item(tokens, at + CFG_TEST.len());
        tests.extend(module_file(&tokens[at + CFG_TEST.len()..end], path));
        at = end;
    }
    kept
}

/// The index behind the item, with its attributes, that begins at `from`.
fn end_of_item(tokens: &[&str], from: usize) -> usize {
    let mut depth = 0_usize;
    for at in from..tokens.len() {
        match tokens[at] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            "}" if depth == 1 => {
                return if tokens.get(at + 1) == Some(&";") { at + 2 } else { at + 1 };
            }
            ")" | "]" | "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The file of `mod NAME;` in the file at `path`, without its ending.
fn module_file(item: &[&str], path: &str) -> Option<String> {
    let [.., "mod", name, ";"] = item else { return None };
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let named = item.windows(3).find(|words| words[..2] == ["path", "="]);
    let inside = match (named, file) {
        (Some(words), _) => words[2].trim_matches('"').trim_end_matches(".rs").to_owned(),
        (None, "mod.rs" | "lib.rs") => (*name).to_owned(),
        (None, _) => format!("{}/{name}", file.trim_end_matches(".rs")),
    };
    Some(if folder.is_empty() { inside } else { format!("{folder}/{inside}") })
}

/// Words, numbers, texts and single signs of Rust, without comments and white space.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = comment(rest).unwrap_or_else(|| {
            let length = literal(rest).or_else(|| word(rest)).unwrap_or(first.len_utf8());
            tokens.push(&rest[..length]);
            length
        });
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The length of a comment, with what is nested in it.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut open = 0_usize;
    let mut at = 0;
    while text.starts_with("/*") && at < text.len() {
        match text.as_bytes().get(at..at + 2) {
            Some(b"/*") => (open, at) = (open + 1, at + 2),
            Some(b"*/") => (open, at) = (open - 1, at + 2),
            _ => at += 1,
        }
        if open == 0 {
            return Some(at);
        }
    }
    text.starts_with("/*").then_some(text.len())
}

/// The length of a text, a character or a lifetime.
fn literal(text: &str) -> Option<usize> {
    let start = text.find(|sign| !matches!(sign, 'b' | 'c' | 'r')).filter(|&start| start < 3)?;
    let (prefix, quoted) = text.split_at(start);
    if prefix.ends_with('r') {
        let hashes = quoted.len() - quoted.trim_start_matches('#').len();
        let inside = quoted[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text.len() - inside.len() + inside.find(&end)? + end.len());
    }
    let quote = quoted.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
    let mut signs = quoted.char_indices().skip(1);
    if quote == '\'' && !quoted[1..].starts_with('\\') {
        let (after, _) = signs.nth(1)?;
        let is_character = quoted[after..].starts_with('\'');
        return Some(start + if is_character { after + 1 } else { 1 });
    }
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => _ = signs.next(),
            sign if sign == quote => return Some(start + at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a name or a number.
fn word(text: &str) -> Option<usize> {
    let end = text.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
    Some(end.unwrap_or(text.len())).filter(|&length| length > 0)
}
