//! Places of all keys and values of a TOML text, for readers of other files that report errors as
//! exactly as scenarios do.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One step from the root of a TOML text to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a table.
    Key(String),
    /// An element of an array, from 0.
    Index(usize),
}

/// A value and where it stands: lines and columns (in characters) from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Path from the root.
    pub path: Vec<Step>,
    /// Place of its key; for an element of an array, the place of the element.
    pub key: (usize, usize),
    /// Place of the value.
    pub value: (usize, usize),
}

/// All keys and elements of `text` with their places, outer before inner; empty if the text is not
/// TOML.
pub fn places(text: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    if let Ok(root) = DeTable::parse(text) {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let mut walk = Walk { text, line_starts, found: &mut found };
        walk.table(root.get_ref(), &[]);
    }
    found
}

struct Walk<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
    found: &'a mut Vec<Placed>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>, path: &[Step]) {
        for (key, node) in table {
            let path = [path, &[Step::Key(key.get_ref().to_string())]].concat();
            self.value(node, key.span().start, &path);
        }
    }

    fn value(&mut self, node: &Spanned<DeValue<'_>>, key: usize, path: &[Step]) {
        let (key, value) = (self.place(key), self.place(node.span().start));
        self.found.push(Placed { path: path.to_owned(), key, value });
        match node.get_ref() {
            DeValue::Table(table) => self.table(table, path),
            DeValue::Array(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    let path = [path, &[Step::Index(at)]].concat();
                    self.value(element, element.span().start, &path);
                }
            }
            _ => {}
        }
    }

    fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= byte);
        let start = self.line_starts[line - 1];
        (line, self.text[start..byte].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, path: &[&str]) -> ((usize, usize), (usize, usize)) {
        let steps: Vec<Step> = path
            .iter()
            .map(|word| word.parse().map_or_else(|_| Step::Key((*word).to_owned()), Step::Index))
            .collect();
        let placed = places(text)
            .into_iter()
            .find(|placed| placed.path == steps)
            .expect("it is in the text");
        (placed.key, placed.value)
    }

    #[test]
    fn a_key_stands_where_it_is_written_and_its_value_behind_it() {
        let text = "[study]\nscenario = \"a.toml\"\n[factor.window]\nlevels = [\n  1,\n  2]\n";
        assert_eq!(of(text, &["study", "scenario"]), ((2, 1), (2, 12)));
        assert_eq!(of(text, &["factor", "window"]).0, (3, 9));
        assert_eq!(of(text, &["factor", "window", "levels", "1"]).1, (6, 3));
    }

    #[test]
    fn tables_in_an_array_stand_at_their_headers() {
        let text = "[[row]]\na = 1\n[[row]]\nb = { c = 2 }\n";
        assert_eq!(of(text, &["row", "1"]).0, (3, 1));
        assert_eq!(of(text, &["row", "1", "b", "c"]), ((4, 7), (4, 11)));
    }

    #[test]
    fn what_is_not_toml_has_no_places() {
        assert_eq!(places("a = ["), []);
    }
}
