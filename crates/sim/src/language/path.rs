//! Paths of `--set`: keys between dots, in which a name may be a pattern such as `taxi-*`.

use toml_edit::Key as PathKey;

use crate::language::family::split_member;
use crate::language::pattern::fits;

/// The keys of a dotted path, without their quotes; `None` if it is no path.
///
/// TOML reads each key, except bare ones with a `*` and members such as `bulk[3]`: these are no
/// bare keys of TOML, and a second pair of quotes within those of a shell is easily forgotten.
pub(super) fn segments(path: &str) -> Option<Vec<String>> {
    between_dots(path).into_iter().map(|part| key(part.trim())).collect()
}

/// True if a value set at `pattern` may stand at `name`: a family is set for its members too, and
/// all members together at the family.
pub(super) fn reaches(pattern: &str, name: &str) -> bool {
    let base = split_member(name).map(|(base, _)| base);
    let family = pattern.strip_suffix("[*]");
    [Some(name), base]
        .into_iter()
        .flatten()
        .any(|name| fits(pattern, name) || family.is_some_and(|family| fits(family, name)))
}

/// Cuts a path at the dots that are outside of quotes.
fn between_dots(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, letter) in path.char_indices() {
        match quote {
            None if letter == '.' => {
                parts.push(&path[start..at]);
                start = at + 1;
            }
            None => quote = (letter == '"' || letter == '\'').then_some(letter),
            Some('"') if is_escaped || letter == '\\' => is_escaped = !is_escaped,
            Some(open) if open == letter => quote = None,
            Some(_) => {}
        }
    }
    parts.push(&path[start..]);
    parts
}

fn key(part: &str) -> Option<String> {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-*".contains(letter);
    let is_number =
        |number: &str| number == "*" || number.bytes().all(|digit| digit.is_ascii_digit());
    let member = part.strip_suffix(']').and_then(|part| part.split_once('['));
    let name = member
        .filter(|(_, number)| !number.is_empty() && is_number(number))
        .map_or(part, |(base, _)| base);
    if !name.is_empty() && name.chars().all(is_bare) {
        return Some(part.to_owned());
    }
    match PathKey::parse(part).ok()?.as_slice() {
        [key] => Some(key.get().to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_in_quotes_divide_nothing() {
        let found = |path| segments(path).map(|keys| keys.join("|"));
        assert_eq!(found("link.taxi-*.rate").as_deref(), Some("link|taxi-*|rate"));
        assert_eq!(found(" flow . \"a.*[2]\" . 'b.c' ").as_deref(), Some("flow|a.*[2]|b.c"));
        assert_eq!(found(r#"flow."a\".b".start"#).as_deref(), Some("flow|a\".b|start"));
        assert_eq!(found("flow.bulk[3].start").as_deref(), Some("flow|bulk[3]|start"));
        assert_eq!(found("flow.b*[*].start").as_deref(), Some("flow|b*[*]|start"));
        for no_path in
            ["", "link..rate", "a b.c", "link.\"x.rate", "link.x[].rate", "link.x[2]y.rate", ".a"]
        {
            assert_eq!(found(no_path), None, "{no_path}");
        }
    }
}
