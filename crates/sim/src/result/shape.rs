//! Shape of results, and of what is known before a run: numbers by path, with unit, meaning and
//! presence, without a run.

use std::collections::BTreeMap;

pub use cellway_derive::Shaped;

/// Value as it is written in JSON.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A number.
    Number,
    /// A whole number.
    Whole,
    /// A word, or a name of the user's.
    Word,
    /// True or false.
    Flag,
    /// A table: the name of its type, and its fields.
    Table(&'static str, &'static [Field]),
    /// A table with any keys: what stands for a key in a path, and the shape of each value.
    Named(&'static str, &'static Shape),
    /// A list. Tables with a `name` are found by it; the numbers of other lists have no path.
    List(&'static Shape),
    /// A list of two numbers.
    Pair,
    /// A value or null.
    Maybe(&'static Shape),
}

/// Field of a table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in JSON.
    pub name: &'static str,
    /// Base unit of a number; absent for counts.
    pub unit: Option<&'static str>,
    /// Doc comment of the field.
    pub meaning: &'static str,
    /// True if the field is left out at times.
    pub may_lack: bool,
    /// Shape of the value.
    pub shape: Shape,
}

/// Types with a [`Shape`]. A struct derives it. An `f64` has a unit, by the ending of its name or
/// by `#[unit]`:
///
/// ```
/// use cellway_sim::result::Shaped;
///
/// #[derive(Shaped)]
/// struct Found {
///     /// Mean of the delays.
///     mean_s: f64,
///     /// Fraction of the time.
///     #[unit("1")]
///     busy: Option<f64>,
/// }
/// ```
///
/// Without a unit it does not compile:
///
/// ```compile_fail
/// use cellway_sim::result::Shaped;
///
/// #[derive(Shaped)]
/// struct Found {
///     /// Mean of the delays.
///     mean: f64,
/// }
/// ```
pub trait Shaped {
    /// Shape of all values of the type.
    const SHAPE: Shape;
}

impl Shaped for f64 {
    const SHAPE: Shape = Shape::Number;
}

impl Shaped for u64 {
    const SHAPE: Shape = Shape::Whole;
}

impl Shaped for u32 {
    const SHAPE: Shape = Shape::Whole;
}

impl Shaped for usize {
    const SHAPE: Shape = Shape::Whole;
}

impl Shaped for String {
    const SHAPE: Shape = Shape::Word;
}

impl Shaped for &str {
    const SHAPE: Shape = Shape::Word;
}

impl Shaped for bool {
    const SHAPE: Shape = Shape::Flag;
}

impl Shaped for (f64, f64) {
    const SHAPE: Shape = Shape::Pair;
}

impl<T: Shaped> Shaped for Option<T> {
    const SHAPE: Shape = Shape::Maybe(&T::SHAPE);
}

impl<T: Shaped> Shaped for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);
}

impl<K: Key, T: Shaped> Shaped for BTreeMap<K, T> {
    const SHAPE: Shape = Shape::Named(K::PLACE, &T::SHAPE);
}

/// Keys of a table with any keys.
pub trait Key {
    /// Text in the place of such a key in a path.
    const PLACE: &'static str;
}

/// A name of the scenario.
impl Key for String {
    const PLACE: &'static str = "NAME";
}

/// A word of the language: a service class, an impairment.
impl Key for &str {
    const PLACE: &'static str = "WORD";
}

/// A count, such as the length of a queue.
impl Key for u64 {
    const PLACE: &'static str = "NUMBER";
}

/// Presence of a number in results; in a table with any keys, of that number in every entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Always.
    Always,
    /// There, or null.
    MayBeNull,
    /// There, or left out with its name, or with a table that it is in.
    MayLack,
}

/// Number of a summary, or of an explanation.
#[derive(Clone, Debug)]
pub struct NumberShape {
    /// Path, with `NAME`, `WORD` and `NUMBER` in the place of keys that runs differ in.
    pub path: String,
    /// Base unit; absent for counts. A `cell` is a packet where the part counts packets.
    pub unit: Option<&'static str>,
    /// Meaning, in the words of its doc comment.
    pub meaning: &'static str,
    /// Presence in the results.
    pub presence: Presence,
}

/// All numbers of a type, such as [`Summary`](super::Summary) or
/// [`Explanation`](crate::explain::Explanation), in the order of their paths.
pub fn numbers<T: Shaped>() -> Vec<NumberShape> {
    let mut found = Vec::new();
    if let Shape::Table(_, fields) = T::SHAPE {
        for field in fields {
            list(field, field.shape, field.name.to_owned(), Presence::Always, &mut found);
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Adds the numbers of `shape`, which is that of `field` or of what is inside it, at `path`.
fn list(field: &Field, shape: Shape, path: String, above: Presence, found: &mut Vec<NumberShape>) {
    let presence = if field.may_lack { Presence::MayLack } else { above };
    let Field { unit, meaning, .. } = *field;
    match shape {
        Shape::Number | Shape::Whole => {
            found.push(NumberShape { path, unit, meaning, presence });
        }
        Shape::List(table @ &Shape::Table(_, fields))
            if fields.iter().any(|inner| inner.name == "name") =>
        {
            list(field, *table, format!("{path}.{}", String::PLACE), presence, found);
        }
        Shape::Word | Shape::Flag | Shape::List(_) | Shape::Pair => {}
        Shape::Maybe(inside) => {
            list(field, *inside, path, presence.max(Presence::MayBeNull), found);
        }
        Shape::Named(place, inside) => {
            list(field, *inside, format!("{path}.{place}"), presence, found);
        }
        Shape::Table(_, fields) => {
            for inner in fields {
                list(inner, inner.shape, format!("{path}.{}", inner.name), presence, found);
            }
        }
    }
}
