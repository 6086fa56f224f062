//! Families and their members: a member with a section of its own takes its place among the others.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// A section under a name of the user's: a single one, a family, or a piece of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T> {
    /// Name as in the file.
    pub name: String,
    /// Number of members of the whole family.
    pub count: Option<u64>,
    /// Members that this section describes; a single section is number 1 of 1.
    pub numbers: Range<u64>,
    /// Contents of the section.
    pub body: T,
}

impl<T> Named<T> {
    /// Makes a single section, or with a `count` a whole family.
    pub fn new(name: impl Into<String>, count: Option<u64>, body: T) -> Self {
        Self { name: name.into(), count, numbers: 1..count.unwrap_or(1) + 1, body }
    }

    /// The names of the members, in order.
    pub(crate) fn members(&self) -> Vec<String> {
        let name = &self.name;
        match self.count {
            Some(_) => self.numbers.clone().map(|number| format!("{name}[{number}]")).collect(),
            None => vec![name.clone()],
        }
    }
}

/// The name that a reference means in a section's member with this number: `src[3]` for `src[*]`.
pub(crate) fn member_of(reference: &str, number: u64) -> String {
    match reference.strip_suffix("[*]") {
        Some(base) => format!("{base}[{number}]"),
        None => reference.to_owned(),
    }
}

/// The sections in order, families cut where a member is written out: `bulk` of 5 beside `bulk[3]`
/// is members 1 and 2 of the family, then the section `bulk[3]`, then members 4 and 5. A family
/// without other members keeps an empty piece, since references name it.
pub(crate) fn in_place<T: Clone>(sections: Vec<Named<T>>) -> Vec<Named<T>> {
    let count_of: BTreeMap<String, u64> = sections
        .iter()
        .filter_map(|section| Some((section.name.clone(), section.count?)))
        .collect();
    let mut own: BTreeMap<(String, u64), Named<T>> = BTreeMap::new();
    let mut others = Vec::new();
    for section in sections {
        let member = split_member(&section.name).filter(|_| section.count.is_none());
        match member
            .filter(|(base, number)| count_of.get(*base).is_some_and(|count| number <= count))
        {
            Some((base, number)) => drop(own.insert((base.to_owned(), number), section)),
            None => others.push(section),
        }
    }
    let mut in_place = Vec::new();
    for section in others {
        cut(section, &mut own, &mut in_place);
    }
    in_place
}

fn cut<T: Clone>(
    mut section: Named<T>,
    own: &mut BTreeMap<(String, u64), Named<T>>,
    in_place: &mut Vec<Named<T>>,
) {
    let name = section.name.clone();
    let numbers: Vec<u64> = own
        .range((name.clone(), 0)..=(name.clone(), u64::MAX))
        .map(|((_, number), _)| *number)
        .filter(|_| section.count.is_some())
        .collect();
    for number in numbers {
        let mut earlier = section.clone();
        earlier.numbers.end = number;
        section.numbers.start = number + 1;
        if !earlier.numbers.is_empty() || number == 1 {
            in_place.push(earlier);
        }
        in_place.extend(own.remove(&(name.clone(), number)));
    }
    if !section.numbers.is_empty() {
        in_place.push(section);
    }
}

/// `src[3]` as `src` and 3.
pub(crate) fn split_member(name: &str) -> Option<(&str, u64)> {
    let (base, number) = name.strip_suffix(']')?.split_once('[')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits && !number.starts_with('0');
    if canonical { number.parse().ok().map(|number| (base, number)) } else { None }
}

/// Names in order, with consecutive members of one family as one entry: `[("page", 1..=100)]`. A
/// name that is no member has no numbers.
pub(crate) fn runs_of_members<'a>(
    names: &[&'a str],
) -> Vec<(&'a str, Option<RangeInclusive<u64>>)> {
    let mut runs: Vec<(&str, Option<RangeInclusive<u64>>)> = Vec::new();
    for name in names {
        let Some((base, number)) = split_member(name) else {
            runs.push((name, None));
            continue;
        };
        match runs.last_mut() {
            Some((family, Some(numbers))) if *family == base && numbers.end() + 1 == number => {
                *numbers = *numbers.start()..=number;
            }
            _ => runs.push((base, Some(number..=number))),
        }
    }
    runs
}

/// Ascending numbers as text: `1..2, 4..100`.
pub(crate) fn ranges(numbers: &[u64]) -> String {
    let mut ranges: Vec<RangeInclusive<u64>> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(range) if range.end() + 1 == number => *range = *range.start()..=number,
            _ => ranges.push(number..=number),
        }
    }
    let shown = ranges.iter().map(|range| match (range.start(), range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}..{last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_follow_each_other_are_one_range() {
        let names = ["a", "page[1]", "page[2]", "page[3]", "page[5]", "web[6]", "page"];
        let runs = [
            ("a", None),
            ("page", Some(1..=3)),
            ("page", Some(5..=5)),
            ("web", Some(6..=6)),
            ("page", None),
        ];
        assert_eq!(runs_of_members(&names), runs);
        assert_eq!(ranges(&[1, 2, 4, 5, 6, 9]), "1..2, 4..6, 9");
    }
}
