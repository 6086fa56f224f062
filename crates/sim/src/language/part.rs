//! Parts: what is chosen or set in one place of a file, declared once with its type.
//!
//! [`part!`] makes a struct, the keys of a table and the way to read and write it of one list of
//! fields; [`variants!`] makes an enum and the words that choose among its variants. The comment of
//! a field or variant is its meaning in the reference.
//!
//! ```ignore
//! part! {
//!     /// Parameters of Selective Drop.
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub struct FairShare {
//!         /// R: up to so many in the buffer every frame is admitted.
//!         threshold: Threshold = required("0.8"),
//!         /// Z: how much of its equal share a VC may have above the threshold.
//!         z: f64 = default("0.8", "0.5") as Kind::Number(ABOVE_ZERO_TO_ONE),
//!         /// Where it is measured.
//!         place: Option<Place> = absent("at the output", "\"input\""),
//!         red: Red = flat(Red),
//!     }
//!     finish FairShare::checked;
//! }
//! variants! {
//!     /// `switch.drop`.
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub enum Drop {
//!         /// A cell is lost when there is no room.
//!         Tail = "tail",
//!         /// Selective Drop: above a threshold, frames of VCs with more than their share.
//!         SelectiveDrop(FairShare) = "selective_drop",
//!         /// The same for all.
//!         Constant(f64) = "constant" value("0.5") as Kind::Number(ZERO_TO_ONE),
//!     }
//! }
//! ```
//!
//! The texts of a field are TOML: its default (bare, if it is a quantity or a word) or what its
//! absence means, and an example, which is not the default. `as` narrows what the type accepts, and
//! is needed where the type alone does not say it. The keys of the part that a `flat` field names
//! stand among those of the struct. `finish` completes what was read, and refuses what does not go
//! together; `except` names the keys that are not written, `last` one that is written last.

use crate::language::fault::Fault;
use crate::language::keys::{Key, Kind};
use crate::language::tree::{Read, Section};
use crate::units::{Bytes, Cells, CellsOrPackets, Span};

/// A type that says by itself what its key accepts.
pub(crate) trait Typed {
    const KIND: Kind;
}

/// What is read from one value, and written as TOML that reads back to it.
pub(crate) trait Value: Read {
    fn write(&self) -> String;
}

/// Keys with their values as TOML.
pub(crate) type Entries = Vec<(&'static str, String)>;

/// The keys of a table, or some of them, and the value that they make together.
pub(crate) trait Part {
    type Value;

    const KEYS: &'static [Key];

    fn read(section: &Section<'_>) -> Result<Self::Value, Fault>;

    fn write(value: &Self::Value, entries: &mut Entries);
}

/// A variant with its keys: `{ red = { weight = 0.002 } }`, or the word alone if it has none.
pub(crate) fn variant_of_keys<P: Part>(word: &str, value: &P::Value) -> String {
    let mut entries = Entries::new();
    P::write(value, &mut entries);
    if entries.is_empty() {
        return format!("\"{word}\"");
    }
    let keys: Vec<String> = entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {word} = {{ {} }} }}", keys.join(", "))
}

/// How many keys there are in all `groups`.
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
    let mut keys = [groups[0][0]; COUNT];
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

/// The key may be absent.
impl<T: Typed> Typed for Option<T> {
    const KIND: Kind = T::KIND;
}

impl Typed for Cells {
    const KIND: Kind = Kind::Cells;
}

impl Typed for CellsOrPackets {
    const KIND: Kind = Kind::Room;
}

impl Typed for bool {
    const KIND: Kind = Kind::Boolean;
}

/// Implements [`Value`] for types that their text is enough for: bare, or in quotes.
macro_rules! written {
    ($pattern:literal: $($type:ty),+) => {
        $(impl Value for $type {
            fn write(&self) -> String {
                format!($pattern, self)
            }
        })+
    };
}

written!("{}": bool, u32, u64, f64);
written!("\"{}\"": Span, Bytes, Cells, CellsOrPackets);

/// A struct as a part; see the [module](self) for an example.
macro_rules! part {
    (
        $(#[$attribute:meta])*
        pub struct $Part:ident {
            $(
                $(#[doc = $meaning:literal])*
                $field:ident: $type:ty = $form:ident $(($($said:tt),+))? $(as $kind:expr)?,
            )+
        }
        $(finish $finish:path;)?
        $(except $except:path;)?
        $(last $last:ident;)?
    ) => {
        $(#[$attribute])*
        pub struct $Part {
            $($(#[doc = $meaning])* pub $field: $type,)+
        }

        impl Part for $Part {
            type Value = Self;

            const KEYS: &'static [Key] = {
                const GROUPS: &[&[Key]] = &[$(
                    keys_of!(
                        $form($($($said),+)?) $field, concat!($($meaning),*), $type $(, $kind)?
                    )
                ),+];
                const KEYS: [Key; total(GROUPS)] = joined(GROUPS);
                &KEYS
            };

            fn read(
                section: &Section<'_>,
            ) -> Result<Self, Fault> {
                let read = Self { $($field: read_field!($form($($($said),+)?) $field section),)+ };
                $(let read = $finish(read, section)?;)?
                Ok(read)
            }

            fn write(value: &Self, entries: &mut Entries) {
                $(write_field!($form($($($said),+)?) $field value entries);)+
                $(entries.retain(|(key, _)| !$except(value, key));)?
                $(entries.sort_by_key(|(key, _)| *key == stringify!($last));)?
            }
        }
    };
}

/// The keys of one field of a [`part!`].
macro_rules! keys_of {
    (required($example:literal) $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?) => {
        &[Key::required(stringify!($field), kind_of!($type $(, $kind)?), $example, $meaning.trim_ascii())]
    };
    (default($default:literal, $example:literal) $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?) => {
        &[Key::with_default(
            stringify!($field), kind_of!($type $(, $kind)?), $default, $example, $meaning.trim_ascii()
        )]
    };
    (absent($absence:literal, $example:literal) $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?) => {
        &[Key::optional(
            stringify!($field), kind_of!($type $(, $kind)?), $absence, $example, $meaning.trim_ascii()
        )]
    };
    (flat($Part:ident) $field:ident, $meaning:expr, $type:ty) => {
        <$Part as Part>::KEYS
    };
}

/// What the key of a field accepts: what is said, else what the type says.
macro_rules! kind_of {
    ($type:ty) => {
        <$type as Typed>::KIND
    };
    ($type:ty, $kind:expr) => {
        $kind
    };
}

/// One field of a [`part!`] out of its table.
macro_rules! read_field {
    (flat($Part:ident) $field:ident $section:ident) => {
        <$Part as Part>::read($section)?
    };
    (absent($($said:tt),+) $field:ident $section:ident) => {
        $section.written(stringify!($field))?.map(|found| found.value)
    };
    ($form:ident($($said:tt),+) $field:ident $section:ident) => {
        $section.value(stringify!($field))?
    };
}

/// One field of a [`part!`] into the entries of its table.
macro_rules! write_field {
    (flat($Part:ident) $field:ident $value:ident $entries:ident) => {
        <$Part as Part>::write(&$value.$field, $entries)
    };
    (absent($($said:tt),+) $field:ident $value:ident $entries:ident) => {
        $entries
            .extend($value.$field.as_ref().map(|value| (stringify!($field), Value::write(value))))
    };
    ($form:ident($($said:tt),+) $field:ident $value:ident $entries:ident) => {
        $entries.push((stringify!($field), Value::write(&$value.$field)))
    };
}

/// An enum as the words that choose among its variants; see the [module](self) for an example.
macro_rules! variants {
    (
        $(#[$attribute:meta])*
        pub enum $Choice:ident {
            $(
                $(#[doc = $meaning:literal])+
                $variant:ident $(($type:ty))? = $word:literal $(value($example:literal) as $kind:expr)?,
            )+
        }
    ) => {
        $(#[$attribute])*
        pub enum $Choice {
            $($(#[doc = $meaning])+ $variant $(($type))?,)+
        }

        impl $Choice {
            /// The word of the language for it.
            pub const fn word(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $word,)+
                }
            }
        }

        impl Typed for $Choice {
            const KIND: Kind = Kind::Variants(&[$(
                variant_of!($word, concat!($($meaning),+) $(, $type)? $(, $example, $kind)?)
            ),+]);
        }

        impl Read for $Choice {
            fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
                let nothing = no_parameters();
                let choice = Choice::of(node, kind, place, &nothing)?;
                match choice.name {
                    $($word => read_variant!(choice $variant $(, $type)? $(, $example)?),)+
                    other => unreachable!("`{other}` is a word of another type"),
                }
            }
        }

        impl Value for $Choice {
            fn write(&self) -> String {
                match self {
                    $(pattern_of!($variant, value $(, $type)?) => {
                        write_variant!($word, value $(, $type)? $(, $example)?)
                    })+
                }
            }
        }
    };
}

/// One word of [`variants!`] in the table of its key.
macro_rules! variant_of {
    ($word:literal, $meaning:expr) => {
        Variant::word($word, $meaning.trim_ascii())
    };
    ($word:literal, $meaning:expr, $type:ty) => {
        Variant::table($word, <$type as Part>::KEYS, $meaning.trim_ascii())
    };
    ($word:literal, $meaning:expr, $type:ty, $example:literal, $kind:expr) => {
        Variant::value($word, $kind, $example, $meaning.trim_ascii())
    };
}

/// The variant that was chosen, with what stands behind its word.
macro_rules! read_variant {
    ($choice:ident $variant:ident) => {
        $choice.section().map(|_| Self::$variant)
    };
    ($choice:ident $variant:ident, $type:ty) => {
        <$type as Part>::read(&$choice.section()?).map(Self::$variant)
    };
    ($choice:ident $variant:ident, $type:ty, $example:literal) => {
        $choice.value().map(Self::$variant)
    };
}

/// A variant as a pattern that binds what it holds, if it holds something.
macro_rules! pattern_of {
    ($variant:ident, $value:ident) => {
        Self::$variant
    };
    ($variant:ident, $value:ident, $type:ty) => {
        Self::$variant($value)
    };
}

/// A variant as TOML.
macro_rules! write_variant {
    ($word:literal, $value:ident) => {
        concat!("\"", $word, "\"").to_owned()
    };
    ($word:literal, $value:ident, $type:ty) => {
        variant_of_keys::<$type>($word, $value)
    };
    ($word:literal, $value:ident, $type:ty, $example:literal) => {
        format!("{{ {} = {} }}", $word, Value::write($value))
    };
}

/// What a file with parts needs.
pub(crate) mod prelude {
    pub(crate) use super::{Entries, Part, Typed, Value, joined, total, variant_of_keys};
    pub(crate) use super::{
        keys_of, kind_of, part, pattern_of, read_field, read_variant, variant_of, variants,
        write_field, write_variant,
    };
    pub(crate) use crate::language::choice::{Choice, no_parameters};
    pub(crate) use crate::language::fault::Fault;
    pub(crate) use crate::language::keys::{Key, Kind, Variant};
    pub(crate) use crate::language::kinds::*;
    pub(crate) use crate::language::tree::{Node, Read, Section};
}

pub(crate) use {
    keys_of, kind_of, part, pattern_of, read_field, read_variant, variant_of, variants,
    write_field, write_variant,
};
