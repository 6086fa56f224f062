//! Faults of a scenario: one line each, with file, line, column, accepted values and a suggestion.

use std::fmt;
use std::ops::Range;

use crate::language::family::runs_of_members;
use crate::language::key_path::KeyPath;
use crate::units::quoted;

/// Error of a scenario that cannot be run: the first fault, and all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    /// The file, or the `--set` that brought the error in.
    pub origin: String,
    /// Line from 1; 0 when the error is not at a place of the file.
    pub line: usize,
    /// Column in characters from 1; 0 when the error is not at a place of the file.
    pub column: usize,
    /// Description of the fault and of what would be accepted.
    pub message: String,
    /// The word that was probably meant.
    pub hint: Option<String>,
    /// Further faults, in the order of the file; these have no others.
    pub others: Vec<Self>,
}

/// Maximum number of lines that an error is shown with.
const MOST_SHOWN: usize = 20;

impl ScenarioError {
    /// All faults, in the order of the file.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// Writes the line of this fault without the others.
    fn write_line(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

/// A line for each fault, cut to a readable number.
impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_line(f)?;
        for other in self.others.iter().take(MOST_SHOWN - 1) {
            f.write_str("\n")?;
            other.write_line(f)?;
        }
        match self.others.len().saturating_sub(MOST_SHOWN - 1) {
            0 => Ok(()),
            more => write!(f, "\n{}: and {more} more", self.origin),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// A fault in a text, and the faults that were found beside it. Readers of other formats make such
/// faults, too, so that their errors read like those of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Further faults in the order in which they were found; these have no others.
    others: Vec<Self>,
}

/// Place of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// These bytes of the text.
    Bytes(Range<usize>),
    /// The last in the text of these keys.
    Keys(Vec<KeyPath>),
}

impl Fault {
    /// Fault of these bytes of a text.
    pub fn new(at: &Range<usize>, message: impl Into<String>) -> Self {
        Self::at(Place::Bytes(at.clone()), message.into())
    }

    /// Fault of a value that is known by its keys alone.
    pub(crate) fn at_key(path: KeyPath, message: impl Into<String>) -> Self {
        Self::at(Place::Keys(vec![path]), message.into())
    }

    fn at(place: Place, message: String) -> Self {
        Self { place, message, hint: None, others: Vec::new() }
    }

    /// Adds another fault.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.others.extend(other.each());
        self
    }

    /// Iterates over the faults, this one first, each without others.
    pub(crate) fn each(mut self) -> impl Iterator<Item = Self> {
        let others = std::mem::take(&mut self.others);
        std::iter::once(self).chain(others)
    }

    /// Adds the key at `path`, which is at fault too; of the two, the later in the text is
    /// reported.
    pub(crate) fn or_at_key(mut self, path: KeyPath) -> Self {
        match &mut self.place {
            Place::Keys(paths) => paths.push(path),
            Place::Bytes(_) => unreachable!("a fault at bytes of the text has its place"),
        }
        self
    }

    /// True if its bytes are among those of `other`.
    pub(crate) fn is_inside(&self, other: &Self) -> bool {
        match (&self.place, &other.place) {
            (Place::Bytes(own), Place::Bytes(other)) => {
                other.start <= own.start && own.end <= other.end
            }
            _ => false,
        }
    }

    /// Fault of a `word` where only the `accepted` words are known.
    pub fn unknown(at: &Range<usize>, what: &str, word: &str, accepted: &[&str]) -> Self {
        let message = format!("unknown {what}; expected {}", one_of(accepted));
        Self::new(at, message).with_hint(nearest(word, accepted).map(did_you_mean))
    }

    /// Adds a hint, such as the nearest accepted word.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// A value and where it stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) at: Range<usize>,
}

/// Hint that names the word which was probably meant.
pub fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// Text such as "one of `a`, `b`", cut to a readable number of words.
pub fn one_of(accepted: &[&str]) -> String {
    const MOST: usize = 20;
    let named = families(accepted);
    let shown: Vec<&str> = named.iter().take(MOST).map(|(shown, _)| shown.as_str()).collect();
    let left: usize = named.iter().skip(MOST).map(|(_, count)| count).sum();
    match (accepted.len(), shown.join(", ")) {
        (0, _) => "none, for there are none".to_owned(),
        (1, only) => only,
        (_, all) if left == 0 => format!("one of {all}"),
        (_, first) => format!("one of {first} and {left} more"),
    }
}

/// Names as messages list them, with the number of names that each stands for. Three or more
/// members of a family are one: `` `page[1]` to `page[100]` ``.
fn families(names: &[&str]) -> Vec<(String, usize)> {
    let runs = runs_of_members(names).into_iter();
    let shown = runs.flat_map(|(name, numbers)| {
        let member = |number: &u64| quoted(&format!("{name}[{number}]"));
        match numbers {
            None => vec![(quoted(name), 1)],
            Some(numbers) if numbers.end() - numbers.start() >= 2 => {
                let count = numbers.end() - numbers.start() + 1;
                let ends = format!("{} to {}", member(numbers.start()), member(numbers.end()));
                vec![(ends, count as usize)]
            }
            Some(numbers) => numbers.map(|number| (member(&number), 1)).collect(),
        }
    });
    shown.collect()
}

/// The accepted word that is most like `word`, or `None` if all are too different.
pub fn nearest<'a>(word: &str, accepted: &[&'a str]) -> Option<&'a str> {
    // Nobody misspells a name of hundreds of characters; to compare these would only be slow.
    let length = word.chars().count();
    let comparable = accepted.iter().filter(|known| length <= 64 && known.len() <= 64);
    let measured = comparable.map(|known| (edits(word, known), *known));
    let (distance, known) = measured.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + length.max(known.len()) / 4 && distance < length).then_some(known)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, capitals
/// ignored.
fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().map(|letter| letter.to_ascii_lowercase()).collect();
    let b: Vec<char> = b.chars().map(|letter| letter.to_ascii_lowercase()).collect();
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_of_neighbours_is_one_edit() {
        assert_eq!(edits("dealy", "delay"), 1);
        assert_eq!(edits("Reno", "reno"), 0);
        assert_eq!(edits("", "reno"), 4);
    }

    #[test]
    fn only_similar_words_are_suggested() {
        assert_eq!(nearest("dealy", &["rate", "delay", "distance"]), Some("delay"));
        assert_eq!(nearest("zzz", &["rate", "delay"]), None);
        assert_eq!(nearest("x", &["y"]), None);
    }
}
