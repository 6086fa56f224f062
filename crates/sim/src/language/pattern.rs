//! Names by pattern: `*` stands for any part of a name, also an empty one.

/// True if `pattern` matches `name`.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let tail = parts.pop().unwrap_or_default();
    // The first match leaves most for the parts that follow.
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        for (pattern, name) in [
            ("*", "an2.edc-side"),
            ("an2.*", "an2.edc-side"),
            ("*.edc-side", "an2.edc-side"),
            ("bulk[*]", "bulk[13]"),
            ("a*b*c", "abbc"),
            ("bulk", "bulk"),
            ("bulk*", "bulk"),
            ("**", ""),
            ("*a*", "ba"),
        ] {
            assert!(fits(pattern, name), "{pattern} and {name}");
        }
        for (pattern, name) in [
            ("an2.*", "an20.a"),
            ("bulk", "bulk[1]"),
            ("a*a", "a"),
            ("a*b*c", "acb"),
            ("*ab*b", "ab"),
            ("", "a"),
        ] {
            assert!(!fits(pattern, name), "{pattern} and {name}");
        }
    }
}
