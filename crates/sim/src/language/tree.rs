//! Typed values of a parsed TOML tree that remembers the places of all values.
//!
//! The tree is walked directly instead of through serde: then a missing key, an unknown variant and
//! two variants at once are reported at the very key or value, in the words of the table of keys.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::fault::{At, Fault, Place, did_you_mean, nearest};
use crate::language::faults::{Faults, all};
use crate::language::keys::{Key, Kind, Presence};
use crate::units::{QuantityError, quoted};

/// A value of the tree.
pub(crate) type Node<'d> = Spanned<DeValue<'d>>;

/// First position that faults use for bytes of files that a scenario names: no scenario is as long.
pub(crate) const FIRST_OF_FILES: usize = usize::MAX / 2;

/// Type that can be read from a value of some [`Kind`]; `place` names the value in messages.
pub(crate) trait Read: Sized {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault>;
}

/// A table and the keys that it may have. Unknown and missing keys are found when it is read.
#[derive(Clone)]
pub(crate) struct Section<'d> {
    table: &'d DeTable<'d>,
    keys: &'static [Key],
    place: String,
    /// Name of the user's under which the table stands, if any.
    name: String,
    at: Range<usize>,
    /// Values of keys that are not written, and the key of the preset that stands for them.
    preset: (&'static str, Values),
}

/// Keys with values, written as those of a [`Presence::Default`].
type Values = &'static [(&'static str, &'static str)];

impl<'d> Section<'d> {
    /// Opens a table; `header` is the place of its name, at which missing keys are reported.
    pub(crate) fn open(
        node: &'d Node<'d>,
        keys: &'static [Key],
        place: &str,
        header: &Range<usize>,
    ) -> Result<Self, Fault> {
        let DeValue::Table(table) = node.get_ref() else {
            return Err(wrong_type(node, "a table", place));
        };
        Ok(Self::of_table(table, keys, place, header))
    }

    pub(crate) fn of_table(
        table: &'d DeTable<'d>,
        keys: &'static [Key],
        place: &str,
        header: &Range<usize>,
    ) -> Self {
        let (place, name) = (place.to_owned(), String::new());
        Self { table, keys, place, name, at: header.clone(), preset: ("", &[]) }
    }

    /// The same section as if the values of a preset had been written where `key` stands. Keys that
    /// are written, or their rivals, take precedence.
    pub(crate) fn with_preset(&self, key: &'static str, values: Values) -> Self {
        Self { preset: (key, values), ..self.clone() }
    }

    /// Reads the values with `read`; fails with every fault of the keys and of the values.
    ///
    /// A misspelt key is not reported as missing too. If two keys are rivals, no value is read.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Self) -> Result<T, Fault>) -> Result<T, Fault> {
        let (unknown, meant) = self.unknown();
        let value = self.refuse_exclusive_keys().and_then(|()| read(self));
        let is_of_misspelt = |fault: &Fault| {
            let is_here = fault.place == Place::Bytes(self.at.clone());
            let names = |key: &&str| {
                [quoted(key), quoted(&format!("[{key}]"))]
                    .iter()
                    .any(|name| fault.message.contains(name.as_str()))
            };
            is_here && meant.iter().any(names)
        };
        let mut faults = Faults::default();
        faults.extend(unknown);
        let value = value.map_err(|fault| {
            faults.extend(fault.each().filter(|fault| !is_of_misspelt(fault)));
        });
        faults.none()?;
        Ok(value.expect("a fault that is left out is that of a misspelt key, which is there"))
    }

    /// The value of a key that is required or has a default.
    pub(crate) fn value<T: Read>(&self, name: &str) -> Result<T, Fault> {
        self.spanned(name).map(|found| found.value)
    }

    /// Like `value`, with its place in the text; a default has the place of the header.
    pub(crate) fn spanned<T: Read>(&self, name: &str) -> Result<At<T>, Fault> {
        if let Some(found) = self.written(name)? {
            return Ok(found);
        }
        let key = self.key(name);
        let default = match key.presence {
            Presence::Default(default) => default,
            Presence::Required => return Err(self.missing(name)),
            Presence::Optional(_) => unreachable!("`{name}` is optional"),
        };
        let node = default_node(key.kind, default);
        let value = T::read(&node, key.kind, &self.place_of(name))?;
        Ok(At { value, at: self.at.clone() })
    }

    /// The value of a key if it is written in the text.
    pub(crate) fn written<T: Read>(&self, name: &str) -> Result<Option<At<T>>, Fault> {
        let Some(node) = self.node(name) else { return self.of_preset(name) };
        let value = T::read(node, self.key(name).kind, &self.place_of(name))?;
        Ok(Some(At { value, at: node.span() }))
    }

    fn of_preset<T: Read>(&self, name: &str) -> Result<Option<At<T>>, Fault> {
        let (preset, values) = self.preset;
        let key = self.key(name);
        let is_set = key.excludes.is_some_and(|excludes| self.node(excludes).is_some());
        let Some((_, value)) = values.iter().find(|(key, _)| *key == name && !is_set) else {
            return Ok(None);
        };
        let value = T::read(&default_node(key.kind, value), key.kind, &self.place_of(name))?;
        Ok(Some(At { value, at: self.place_below(preset, &[]) }))
    }

    /// The section under a key.
    pub(crate) fn required(&self, name: &str) -> Result<Section<'d>, Fault> {
        self.section(name)?.ok_or_else(|| self.missing(name))
    }

    /// The section under a key, if it is written.
    pub(crate) fn section(&self, name: &str) -> Result<Option<Section<'d>>, Fault> {
        let Some((key, node)) = self.table.get_key_value(name) else { return Ok(None) };
        let Kind::Section(keys) = self.key(name).kind else {
            unreachable!("`{name}` is not a section")
        };
        Section::open(node, keys, &self.place_of(name), &key.span()).map(Some)
    }

    /// Reads the sections under the user's names below a key with `read`, in the order of the text.
    pub(crate) fn named<T>(
        &self,
        name: &str,
        read: impl Fn(&Section<'d>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let Some(node) = self.node(name) else { return Ok(Vec::new()) };
        let Kind::Named(keys) = self.key(name).kind else { unreachable!("`{name}` has no names") };
        let DeValue::Table(table) = node.get_ref() else {
            return Err(wrong_type(node, "a table of tables", &self.place_of(name)));
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let place = self.place_of(name);
        let sections =
            entries.into_iter().map(|(key, node)| Self::one_named(&place, key, node, keys));
        all(sections.map(|section| read(&section?)))
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The name of the user's under which the table stands.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Place of the table's name.
    pub(crate) fn at(&self) -> &Range<usize> {
        &self.at
    }

    /// Place of the value that `keys` lead to in the value of a key, else of that value, else of
    /// the table.
    pub(crate) fn place_below(&self, name: &str, keys: &[&str]) -> Range<usize> {
        let Some(value) = self.node(name) else { return self.at.clone() };
        let below = keys.iter().try_fold(value, |value, key| value.get_ref().get(*key));
        below.unwrap_or(value).span()
    }

    fn one_named(
        parent: &str,
        key: &Spanned<Cow<'d, str>>,
        node: &'d Node<'d>,
        keys: &'static [Key],
    ) -> Result<Section<'d>, Fault> {
        let name = key.get_ref().clone().into_owned();
        let place = format!("{parent}.{}", quoted(&name).trim_matches('`'));
        Ok(Section { name, ..Section::open(node, keys, &place, &key.span())? })
    }

    /// Place of a key as a byte of the text; a key that is not written stands behind all others.
    pub(crate) fn place_of_key(&self, name: &str) -> usize {
        self.table.get_key_value(name).map_or(usize::MAX, |(key, _)| key.span().start)
    }

    fn node(&self, name: &str) -> Option<&'d Node<'d>> {
        self.table.get(name)
    }

    fn key(&self, name: &str) -> &'static Key {
        let key = self.keys.iter().find(|key| key.name == name);
        key.unwrap_or_else(|| unreachable!("`{name}` is not a key of `{}`", self.place))
    }

    fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }

    fn here(&self) -> String {
        if self.place.is_empty() { "the file".to_owned() } else { format!("`{}`", self.place) }
    }

    /// Every unknown key in the order of the text, and the known keys that were probably meant.
    fn unknown(&self) -> (Vec<Fault>, Vec<&'static str>) {
        let known: Vec<&str> = self.keys.iter().map(|key| key.name).collect();
        let unknown = self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let mut unknown: Vec<_> = unknown.collect();
        unknown.sort_by_key(|key| key.span().start);
        let meant = unknown.iter().filter_map(|key| nearest(key.get_ref(), &known)).collect();
        let faults = unknown.into_iter().map(|key| {
            let word = key.get_ref();
            if known.is_empty() {
                let here = self.here();
                let message = format!("unknown key {} in {here}, which has no keys", quoted(word));
                return Fault::new(&key.span(), message);
            }
            let what = format!("key {} in {}", quoted(word), self.here());
            Fault::unknown(&key.span(), &what, word, &known)
        });
        (faults.collect(), meant)
    }

    fn refuse_exclusive_keys(&self) -> Result<(), Fault> {
        for key in self.keys {
            let Some(excludes) = key.excludes else { continue };
            let (Some((one, _)), Some((other, _))) =
                (self.table.get_key_value(key.name), self.table.get_key_value(excludes))
            else {
                continue;
            };
            let second = if one.span().start > other.span().start { one } else { other };
            let message = format!(
                "{} has both `{}` and `{excludes}`; expected one of them",
                self.here(),
                key.name
            );
            return Err(Fault::new(&second.span(), message));
        }
        Ok(())
    }

    fn missing(&self, name: &str) -> Fault {
        let message = match self.key(name).kind {
            Kind::Section(_) => format!("missing section `[{name}]` in {}", self.here()),
            kind => {
                format!("missing key `{name}` in {}; expected {}", self.here(), kind.accepted())
            }
        };
        Fault::new(&self.at, message)
    }
}

/// The string of a quantity; for any other type of value an error shows an example.
pub(crate) fn text<'n>(node: &'n Node<'_>, kind: Kind, place: &str) -> Result<&'n str, Fault> {
    match node.get_ref() {
        DeValue::String(text) => Ok(text),
        DeValue::Integer(_) | DeValue::Float(_) => {
            let message =
                format!("`{place}`: a bare number has no unit; expected {}", kind.accepted());
            Err(Fault::new(&node.span(), message))
        }
        _ => Err(wrong_type(node, &kind.accepted(), place)),
    }
}

pub(crate) fn quantity<T: FromStr<Err = QuantityError>>(
    node: &Node<'_>,
    kind: Kind,
    place: &str,
) -> Result<T, Fault> {
    text(node, kind, place)?.parse().map_err(|error| misread(node, &error, place))
}

/// Fault of a quantity outside the range of its key.
pub(crate) fn out_of_range(node: &Node<'_>, place: &str, range: &str) -> Fault {
    let read = node.get_ref().as_str().map(quoted).unwrap_or_default();
    Fault::new(&node.span(), format!("`{place}`: {read} is out of range; expected {range}"))
}

/// Fault of a text that is no quantity. Text of a file that the scenario names is not shown: the
/// scenario may be a stranger's, and name any file.
pub(crate) fn misread(node: &Node<'_>, error: &QuantityError, place: &str) -> Fault {
    if node.span().start >= FIRST_OF_FILES {
        let message = format!("`{place}`: expected {} here", error.noun());
        return Fault::new(&node.span(), message);
    }
    let hint = error.suggestion().map(did_you_mean);
    Fault::new(&node.span(), format!("`{place}`: {}", error.message())).with_hint(hint)
}

pub(crate) fn wrong_type(node: &Node<'_>, expected: &str, place: &str) -> Fault {
    let found = match node.get_ref() {
        DeValue::String(_) if node.span().start >= FIRST_OF_FILES => "text".to_owned(),
        DeValue::String(text) => format!("the string {}", quoted(text)),
        DeValue::Integer(number) => format!("the integer {}", quoted(number.as_str())),
        DeValue::Float(number) => format!("the float {}", quoted(number.as_str())),
        DeValue::Boolean(value) => format!("`{value}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    };
    Fault::new(&node.span(), format!("`{place}` is {found}; expected {expected}"))
}

/// A default as a value of the tree: the table of keys has strings without quotes.
fn default_node(kind: Kind, default: &'static str) -> Node<'static> {
    let bare = match kind {
        Kind::Integer { .. }
        | Kind::PowerOfTwo { .. }
        | Kind::Number(_)
        | Kind::Boolean
        | Kind::Schedule { .. }
        | Kind::Words(_) => false,
        _ => !default.starts_with(['{', '[']),
    };
    if bare {
        return Spanned::new(0..0, DeValue::String(Cow::Borrowed(default)));
    }
    DeValue::parse(default).expect("the table of keys holds valid defaults")
}
