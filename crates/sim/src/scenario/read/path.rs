//! Paths of `--set`: keys between dots, in which a name may be a pattern such as `taxi-*`.

use toml_edit::Key as PathKey;

/// The keys of a dotted path, without their quotes; `None` if it is no path.
///
/// TOML reads each key, but for the bare ones with a `*`: that is TOML's no bare key, and a second pair of quotes
/// within those of a shell is easily forgotten.
pub(super) fn segments(path: &str) -> Option<Vec<String>> {
    between_dots(path).into_iter().map(|part| key(part.trim())).collect()
}

/// Whether `pattern`, in which `*` stands for any run of characters, is all of `name`. Names have no `*`.
pub(super) fn is_match(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(rest) = pieces.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    // The first place that fits leaves the most for the pieces behind it.
    pieces.all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// Cut at the dots that are outside of quotes.
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
    if !part.is_empty() && part.chars().all(is_bare) {
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
    fn a_star_is_any_run_of_characters() {
        for (pattern, name) in [
            ("*", "x"),
            ("taxi*", "taxi"),
            ("*-side", "ku-side"),
            ("a*b*c", "aXbbYc"),
            ("**", ""),
            ("*a*", "ba"),
        ] {
            assert!(is_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("taxi", "taxi-1"),
            ("taxi*", "a-taxi"),
            ("a*a", "a"),
            ("*ab*b", "ab"),
            ("a*b*c", "acb"),
            ("", "x"),
        ] {
            assert!(!is_match(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn dots_in_quotes_divide_nothing() {
        let found = |path| segments(path).map(|keys| keys.join("|"));
        assert_eq!(found("link.taxi-*.rate").as_deref(), Some("link|taxi-*|rate"));
        assert_eq!(found(" flow . \"a.*[2]\" . 'b.c' ").as_deref(), Some("flow|a.*[2]|b.c"));
        assert_eq!(found(r#"flow."a\".b".start"#).as_deref(), Some("flow|a\".b|start"));
        for no_path in ["", "link..rate", "a b.c", "link.\"x.rate", "link.x[2].rate", ".a"] {
            assert_eq!(found(no_path), None, "{no_path}");
        }
    }
}
