//! Parts: each is the set of keys of one place in a file, declared once with its type.
//!
//! [`part!`] makes three things of one list of fields: a struct, the keys of a table, and the code
//! that reads and writes it. [`variants!`] makes an enum and the words that choose among its
//! variants. The comment of a field or variant is its meaning in the reference.
//!
//! ```text
//! part! {
//!     /// Parameters of Selective Drop.
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub struct FairShare {
//!         /// R: queue up to which every frame is accepted.
//!         threshold: Threshold = required("0.8"),
//!         /// Z: how much of its equal share a VC may have above the threshold.
//!         z: f64 = default("0.8", "0.5") as Kind::Number(ABOVE_ZERO_TO_ONE),
//!         /// Place of the measurement.
//!         place: Option<Place> = absent("at the output", "\"input\""),
//!         red: Red = flat(Red),
//!     }
//!     finish FairShare::checked;
//! }
//! variants! {
//!     /// `switch.drop`.
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub enum Drop {
//!         /// Discards a cell or packet that arrives while the buffer is full.
//!         Tail = "tail",
//!         /// Selective Drop: above a threshold, frames of VCs with more than their share.
//!         SelectiveDrop(FairShare) = "selective_drop",
//!         /// The same for all.
//!         Constant(f64) = "constant" value("0.5") as Kind::Number(ZERO_TO_ONE),
//!     }
//! }
//! ```
//!
//! The texts of a field are TOML: its default (bare, if it is a quantity or a word) or the meaning
//! of its absence, and an example, which is not the default. `as` narrows what the type accepts,
//! and is needed where the type alone does not say it. The keys of the part that a `flat` field
//! names stand among those of the struct. `or_default` means `absent` for a type that has a default
//! value. A `section` stands under a header of its own; with one text it is required. The `name` of
//! a section under a name of the user's is a field and no key; with `family` the section may have a
//! count. `preset` names a type with keys (`KEYS`) that stand for values of others (`fill`).
//! `finish` completes the value that was read, and refuses combinations that are not accepted;
//! `except` names the keys that are not written, `last` one that is written last.
//! `except` names the keys that are not written, `last` one that is written last.

use toml::de::DeTable;

use crate::language::family::{Named, in_place};
use crate::language::fault::Fault;
use crate::language::faults::Faults;
use crate::language::keys::{Key, Kind};
use crate::language::kinds::COUNT;
use crate::language::tree::{Read, Section};
use crate::units::{Bytes, Cells, CellsOrPackets, Packets, Span};

/// A type that determines what its key accepts.
pub(crate) trait Typed {
    const KIND: Kind;
}

/// A type that is read from one value, and written as TOML that reads back to it.
pub(crate) trait Value: Read {
    fn write(&self) -> String;
}

/// Contents under a header: a section, an optional section, or several by name.
pub(crate) trait Table: Sized {
    const KIND: Kind;

    fn of(section: &Section<'_>, key: &str) -> Result<Self, Fault>;

    fn write_tables(&self, key: &str, tables: &mut Vec<TableText>);
}

/// A table as text; its header has only the last key.
pub(crate) struct TableText {
    pub(crate) header: String,
    pub(crate) entries: Entries,
    pub(crate) tables: Vec<Self>,
}

impl TableText {
    fn of<P: Part>(header: String, value: &P::Value) -> Self {
        let (mut entries, mut tables) = (Entries::new(), Vec::new());
        P::write(value, &mut entries);
        P::write_tables(value, &mut tables);
        Self { header, entries, tables }
    }

    /// Writes the table as TOML, under the whole `header`.
    pub(crate) fn write(&self, header: &str, out: &mut String) {
        out.extend(["[", header, "]\n"]);
        for (key, value) in &self.entries {
            out.extend([key, " = ", value.as_str(), "\n"]);
        }
        for table in &self.tables {
            table.write(&format!("{header}.{}", table.header), out);
        }
    }
}

/// A required section.
impl<P: Part<Value = Self>> Table for P {
    const KIND: Kind = Kind::Section(P::KEYS);

    fn of(section: &Section<'_>, key: &str) -> Result<Self, Fault> {
        P::read_whole(&section.required(key)?)
    }

    fn write_tables(&self, key: &str, tables: &mut Vec<TableText>) {
        tables.push(TableText::of::<P>(key.to_owned(), self));
    }
}

impl<P: Part<Value = P>> Table for Option<P> {
    const KIND: Kind = Kind::Section(P::KEYS);

    fn of(section: &Section<'_>, key: &str) -> Result<Self, Fault> {
        section.section(key)?.map(|section| P::read_whole(&section)).transpose()
    }

    fn write_tables(&self, key: &str, tables: &mut Vec<TableText>) {
        tables.extend(self.iter().map(|value| TableText::of::<P>(key.to_owned(), value)));
    }
}

impl<P: Part<Value = P> + Clone> Table for Vec<Named<P>> {
    const KIND: Kind = Kind::Named(P::KEYS);

    fn of(section: &Section<'_>, key: &str) -> Result<Self, Fault> {
        let read = |section: &Section<'_>| {
            let mut faults = Faults::default();
            let is_family = has_key(P::KEYS, COUNT.name);
            let count = is_family.then(|| faults.keep(section.written(COUNT.name))).flatten();
            let body = faults.keep(P::read(section));
            faults.none()?;
            let count = count.flatten().map(|count| count.value);
            Ok(Named::new(section.name(), count, body.expect("there was no fault")))
        };
        section.named(key, |section| section.read(read)).map(in_place)
    }

    fn write_tables(&self, key: &str, tables: &mut Vec<TableText>) {
        // The other pieces of a family are in its one section.
        for one in self.iter().filter(|one| one.numbers.start == 1) {
            let mut table = TableText::of::<P>(format!("{key}.\"{}\"", one.name), &one.body);
            let count = one.count.map(|count| (COUNT.name, count.write()));
            table.entries.splice(0..0, count);
            tables.push(table);
        }
    }
}

fn has_key(keys: &[Key], name: &str) -> bool {
    keys.iter().any(|key| key.name == name)
}

/// Keys with their values as TOML.
pub(crate) type Entries = Vec<(&'static str, String)>;

/// The keys of a table, or some of them, with the type of the value that they make together.
pub(crate) trait Part {
    type Value;

    const KEYS: &'static [Key];

    /// Reads a table that may have other keys.
    fn read(section: &Section<'_>) -> Result<Self::Value, Fault>;

    /// Reads a table that may have no others.
    fn read_whole(section: &Section<'_>) -> Result<Self::Value, Fault> {
        section.read(Self::read)
    }

    fn write(value: &Self::Value, entries: &mut Entries);

    /// Writes the sections under headers of their own.
    fn write_tables(_value: &Self::Value, _tables: &mut Vec<TableText>) {}
}

/// The value of a part of which nothing is written; no key of it may be required.
pub(crate) fn defaults<P: Part>() -> P::Value {
    let empty = DeTable::new();
    P::read_whole(&Section::of_table(&empty, P::KEYS, "", &(0..0)))
        .expect("every key has a default")
}

/// A variant with its keys as TOML: `{ red = { weight = 0.002 } }`, or the word alone if it has
/// none.
pub(crate) fn variant_of_keys<P: Part>(word: &str, value: &P::Value) -> String {
    let mut entries = Entries::new();
    P::write(value, &mut entries);
    if entries.is_empty() {
        return format!("\"{word}\"");
    }
    format!("{{ {word} = {} }}", inline(&entries))
}

/// True if the value is its default, which need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A table as TOML on one line.
pub(crate) fn inline(entries: &Entries) -> String {
    let keys: Vec<String> = entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// Number of keys in all `groups`.
pub(crate) const fn total(groups: &[&[Key]]) -> usize {
    let mut count = 0;
    let mut at = 0;
    while at < groups.len() {
        count += groups[at].len();
        at += 1;
    }
    count
}

/// The keys of all `groups`, in order.
pub(crate) const fn joined<const COUNT: usize>(groups: &[&'static [Key]]) -> [Key; COUNT] {
    let mut keys = [Key::required("", Kind::Boolean, "", ""); COUNT];
    let (mut count, mut at) = (0, 0);
    while at < groups.len() {
        let mut within = 0;
        while within < groups[at].len() {
            keys[count] = groups[at][within];
            count += 1;
            within += 1;
        }
        at += 1;
    }
    keys
}

/// A key that may be absent.
impl<T: Typed> Typed for Option<T> {
    const KIND: Kind = T::KIND;
}

impl Typed for Cells {
    const KIND: Kind = Kind::Cells;
}

impl Typed for Packets {
    const KIND: Kind = Kind::Packets;
}

impl Typed for CellsOrPackets {
    const KIND: Kind = Kind::Room;
}

impl Typed for bool {
    const KIND: Kind = Kind::Boolean;
}

/// Implements [`Value`] for types with a `Display` that is read back: bare, or in quotes.
macro_rules! written {
    ($pattern:literal: $($type:ty),+) => {
        $(impl Value for $type {
            fn write(&self) -> String {
                format!($pattern, self)
            }
        })+
    };
}

written!("{}": bool, u32, u64, usize, f64);
written!("\"{}\"": String, Span, Bytes, Cells, CellsOrPackets, Packets);

impl Value for [String; 2] {
    fn write(&self) -> String {
        let [first, second] = self;
        format!("[{}, {}]", first.write(), second.write())
    }
}

/// A list of values as TOML.
impl<T: Value> Value for Vec<T>
where
    Self: Read,
{
    fn write(&self) -> String {
        let values: Vec<String> = self.iter().map(Value::write).collect();
        format!("[{}]", values.join(", "))
    }
}

/// Imports for a file that declares parts.
pub(crate) mod prelude {
    pub(crate) use super::{
        Entries, Part, Table, TableText, Typed, Value, defaults, inline, is_default, joined, total,
        variant_of_keys,
    };
    pub(crate) use crate::language::choice::{Choice, no_parameters};
    pub(crate) use crate::language::fault::Fault;
    pub(crate) use crate::language::faults::Faults;
    pub(crate) use crate::language::keys::{Key, Kind, Variant};
    pub(crate) use crate::language::kinds::*;
    pub(crate) use crate::language::struct_part::{
        keys_of, kind_of, part, read_field, write_field, write_tables,
    };
    pub(crate) use crate::language::tree::{Node, Read, Section};
    pub(crate) use crate::language::variants::{
        pattern_of, read_variant, variant_of, variants, write_variant,
    };
}
