//! Columns of a file that are the times and the values of a list.
//!
//! `{ file = "trace.csv", columns = ["t_s", "owd_ms"], units = ["s", "ms"], time_from = "first" }`:
//! the first of the two columns is the time, the second the value. A column is given by its name in
//! the first line of the file, or by its number from 1. Without `columns` the file must have two. A
//! unit stands here, or in brackets in the first line; a field of a column without a unit is a
//! quantity.
//!
//! Fields are separated by tabs, semicolons or commas, whichever the first line has; they may stand
//! in double quotes. Where columns are chosen, a row without a value is left out.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::language::fault::{Fault, did_you_mean, nearest};
use crate::language::tree::{Node, wrong_type};
use crate::units::{Measured, Span, measured, quoted};

/// The keys beside `file`.
const KEYS: [&str; 4] = ["file", "columns", "units", "time_from"];
const FORM: &str = "`{ file = \"NAME.csv\" }`, and `columns`, `units` or `time_from` beside `file`";

/// Columns of a file that are a list, and their units.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    chosen: Option<[Column; 2]>,
    units: [String; 2],
    /// Times are counted from the time of the first row.
    from_first: bool,
}

#[derive(Clone, Debug)]
enum Column {
    Named(String),
    /// Index from 0.
    Numbered(usize),
}

/// A field of a line, and the position of its first byte as faults count it.
struct Field<'t> {
    text: &'t str,
    at: usize,
}

impl Field<'_> {
    fn fault(&self, message: String) -> Fault {
        Fault::new(&(self.at..self.at + self.text.len()), message)
    }
}

impl Columns {
    /// Reads the keys beside `file` in `table`, whose list is called `name`.
    pub(super) fn read(table: &DeTable<'_>, whole: &Node<'_>, name: &str) -> Result<Self, Fault> {
        let known = |key: &&str| KEYS.contains(key);
        if table.get("file").is_none() || !table.keys().all(|key| known(&&**key.get_ref())) {
            let message = format!("`{name}` is a table; expected {FORM}");
            return Err(Fault::new(&whole.span(), message));
        }
        let mut read = Self::default();
        if let Some(node) = table.get("columns") {
            let wanted = "two columns, by their names or numbers, such as `[\"t_s\", \"owd_ms\"]`";
            read.chosen = Some(two(node, "columns", wanted, Column::of)?);
        }
        if let Some(node) = table.get("units") {
            let wanted = "two units such as `[\"s\", \"ms\"]`";
            read.units = two(node, "units", wanted, |unit| unit.as_str().map(str::to_owned))?;
        }
        if let Some(node) = table.get("time_from") {
            if node.get_ref().as_str() != Some("first") {
                return Err(wrong_type(
                    node,
                    "`\"first\"`, to count from the first row",
                    "time_from",
                ));
            }
            read.from_first = true;
        }
        Ok(read)
    }

    /// The pairs of `text`, whose first byte has the position `start` in faults. If values `hold`,
    /// the first pair stands at zero.
    pub(super) fn list(
        &self,
        text: &str,
        start: usize,
        name: &str,
        holds: bool,
    ) -> Result<Node<'static>, Fault> {
        let (first, is_empty) = (Cell::new(None), Cell::new(true));
        let mut rows = Rows { columns: self, name, holds, table: None, first, is_empty };
        let mut pairs = DeArray::new();
        let mut at = start;
        for line in text.split_inclusive('\n') {
            let blank = |sign| matches!(sign, ' ' | '\r' | '\n');
            let content = line.split('#').next().unwrap_or_default().trim_end_matches(blank);
            let unmarked = content.trim_start_matches('\u{feff}');
            if !unmarked.trim().is_empty() {
                let from = at + content.len() - unmarked.len();
                rows.row(unmarked, from)?.into_iter().for_each(|pair| pairs.push(pair));
            }
            at += line.len();
        }
        Ok(Spanned::new(start..at, DeValue::Array(pairs)))
    }
}

impl Column {
    fn of(value: &DeValue<'_>) -> Option<Self> {
        let number = || value.as_integer()?.as_str().parse().ok().filter(|&number| number > 0);
        let named = value.as_str().map(|name| Self::Named(name.to_owned()));
        named.or_else(|| number().map(|number: usize| Self::Numbered(number - 1)))
    }
}

fn two<T>(
    node: &Node<'_>,
    key: &str,
    wanted: &str,
    read: impl Fn(&DeValue<'_>) -> Option<T>,
) -> Result<[T; 2], Fault> {
    let values = node.get_ref().as_array().filter(|values| values.len() == 2);
    let read = values.and_then(|both| Some([read(both[0].get_ref())?, read(both[1].get_ref())?]));
    read.ok_or_else(|| Fault::new(&node.span(), format!("`{key}`: expected {wanted}")))
}

/// Reader of the rows of one file, from its first line on.
struct Rows<'c> {
    columns: &'c Columns,
    name: &'c str,
    holds: bool,
    table: Option<Table>,
    /// The time of the first row, if the others are counted from it.
    first: Cell<Option<u128>>,
    /// True until a pair is read.
    is_empty: Cell<bool>,
}

/// Header: the contents of the first line.
struct Table {
    separator: char,
    /// Columns of the time and of the value, from 0.
    places: [usize; 2],
    units: [Option<String>; 2],
}

impl Rows<'_> {
    /// The pair of a line, if it has one.
    fn row(&mut self, line: &str, at: usize) -> Result<Option<Node<'static>>, Fault> {
        if self.table.is_none() {
            let (table, is_header) = self.table_of(line, at)?;
            self.table = Some(table);
            if is_header {
                return Ok(None);
            }
        }
        let table = self.table.as_ref().expect("the first line was read");
        let fields = fields(line, table.separator, at);
        let range = fields.first().map_or(at, |field| field.at)..at + line.len();
        let pair: Vec<_> = if self.columns.chosen.is_none() && fields.len() < 2 {
            // A number of fields other than two is reported as in any list.
            fields.iter().map(|field| text_of(field, field.text.to_owned())).collect()
        } else {
            let [time, value] = self.halves(&fields, table.places, &range)?;
            let units = table.units.each_ref().map(Option::as_deref);
            let instant = text_of(time, self.time(time, units[0])?);
            if self.columns.chosen.is_some() && value.text.is_empty() {
                return Ok(None);
            }
            self.is_empty.set(false);
            vec![instant, text_of(value, self.quantity(value, units[1])?)]
        };
        let mut array = DeArray::new();
        for half in pair {
            array.push(half);
        }
        Ok(Some(Spanned::new(range, DeValue::Array(array))))
    }

    /// The time and the value among the fields of the row in `range`.
    fn halves<'f, 't>(
        &self,
        fields: &'f [Field<'t>],
        places: [usize; 2],
        range: &Range<usize>,
    ) -> Result<[&'f Field<'t>; 2], Fault> {
        let found = fields.len();
        let wanted = match places.map(|place| fields.get(place)) {
            [Some(time), Some(value)] if self.columns.chosen.is_some() || found == 2 => {
                return Ok([time, value]);
            }
            [Some(_), Some(_)] => {
                "two, or the columns that count beside `file`: `columns = [\"TIME\", \"VALUE\"]`"
                    .to_owned()
            }
            _ => format!("at least {}", places[0].max(places[1]) + 1),
        };
        let found = counted(found);
        let message = format!("`{}`: a row of {found}; expected {wanted}", self.name);
        Err(Fault::new(range, message))
    }

    /// Reads the first line; true if it names the columns.
    fn table_of(&self, line: &str, at: usize) -> Result<(Table, bool), Fault> {
        let separator = ['\t', ';', ','].into_iter().find(|&sign| line.contains(sign));
        let separator = separator.unwrap_or(',');
        let fields = fields(line, separator, at);
        let numbered = [Column::Numbered(0), Column::Numbered(1)];
        let chosen = self.columns.chosen.as_ref().unwrap_or(&numbered);
        let mut places = [0, 1];
        for (place, column) in places.iter_mut().zip(chosen) {
            *place = match column {
                Column::Numbered(number) => *number,
                Column::Named(name) => self.place_of(name, &fields, at..at + line.len())?,
            };
        }
        let is_named = chosen.iter().any(|column| matches!(column, Column::Named(_)));
        let is_number = |field: &Field<'_>| {
            field.text.starts_with(|sign: char| sign.is_ascii_digit() || "+-.".contains(sign))
        };
        let is_header = is_named
            || line.trim_end().ends_with(']')
            || (fields.len() > 1 && !fields.iter().any(is_number));
        let bracketed = |place: usize| {
            let (_, unit) = fields.get(place)?.text.strip_suffix(']')?.rsplit_once('[')?;
            Some(unit.trim().to_owned())
        };
        let units = [0, 1].map(|which| match &self.columns.units[which][..] {
            "" => bracketed(places[which]).filter(|_| is_header),
            unit => Some(unit.to_owned()),
        });
        Ok((Table { separator, places, units }, is_header))
    }

    fn place_of(
        &self,
        name: &str,
        fields: &[Field<'_>],
        line: Range<usize>,
    ) -> Result<usize, Fault> {
        let bare = |field: &Field<'_>| {
            let (bare, _) = field.text.rsplit_once('[').unwrap_or((field.text, ""));
            bare.trim().to_owned()
        };
        let found = fields.iter().position(|field| field.text == name || bare(field) == name);
        found.ok_or_else(|| {
            let names: Vec<String> = fields.iter().map(bare).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let message = format!(
                "`{}`: this line names no column {}, and has {}; expected the names of the \
                 columns, one of them that",
                self.name,
                quoted(name),
                counted(fields.len())
            );
            Fault::new(&line, message).with_hint(nearest(name, &names).map(did_you_mean))
        })
    }

    /// The text of a time, or an error if it cannot stand in a run.
    fn time(&self, field: &Field<'_>, unit: Option<&str>) -> Result<String, Fault> {
        let known = unit.and_then(|unit| measured(field.text, unit));
        let Some(Measured { amount, base }) = known else {
            if self.columns.from_first {
                return Err(field.fault(format!(
                    "`{}`: not a number with a unit to count from the first row; expected a number \
                     in a column with a unit, `units = [\"s\", \"ms\"]` beside `file` or `time \
                     [s]` in the first line",
                    self.name
                )));
            }
            return self.quantity(field, unit);
        };
        if self.columns.from_first {
            let first = self.first.get().unwrap_or(amount);
            self.first.set(Some(first));
            let Some(since) = amount.checked_sub(first) else {
                let message = format!("`{}`: a time before that of the first row", self.name);
                return Err(field.fault(format!("{message}; expected times that do not go back")));
            };
            return Ok(format!("{since} {base}"));
        }
        let beyond = amount > Span::LONGEST.picoseconds() as u128;
        if beyond || (self.holds && self.is_empty.get() && amount > 0) {
            let wanted = if beyond {
                "beyond the longest time of a run, 100 d; expected times of the run"
            } else {
                "not the first instant of the run; expected `0`, as something must hold until then"
            };
            return Err(field.fault(format!(
                "`{}`: the first time is {wanted}, or `time_from = \"first\"` beside `file`, which \
                 counts from the first row",
                self.name
            )));
        }
        Ok(format!("{amount} {base}"))
    }

    /// The text of a quantity: a number in a column with a unit, or a quantity with its own.
    fn quantity(&self, field: &Field<'_>, unit: Option<&str>) -> Result<String, Fault> {
        let Some(unit) = unit else {
            if field.text.parse::<f64>().is_ok() {
                return Err(field.fault(format!(
                    "`{}`: a number in a column without a unit; expected `time [s], delay [ms]` in \
                     the first line, or `units = [\"s\", \"ms\"]` beside `file`",
                    self.name
                )));
            }
            return Ok(field.text.to_owned());
        };
        Ok(match measured(field.text, unit) {
            Some(Measured { amount, base }) if amount <= u64::MAX.into() => {
                format!("{amount} {base}")
            }
            _ => format!("{} {unit}", field.text),
        })
    }
}

fn counted(fields: usize) -> String {
    format!("{fields} field{}", if fields == 1 { "" } else { "s" })
}

fn text_of(field: &Field<'_>, text: String) -> Node<'static> {
    Spanned::new(field.at..field.at + field.text.len(), DeValue::String(Cow::Owned(text)))
}

/// The fields of a line that begins at byte `at`, without the space and quotes around them.
fn fields(line: &str, separator: char, at: usize) -> Vec<Field<'_>> {
    let mut is_quoted = false;
    let parts = line.split(|sign| {
        is_quoted ^= sign == '"';
        sign == separator && !is_quoted
    });
    let mut from = at;
    parts
        .map(|part| {
            let text = part.trim();
            let begin = from + (part.len() - part.trim_start().len());
            from += part.len() + separator.len_utf8();
            match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(text) => Field { text, at: begin + 1 },
                None => Field { text, at: begin },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
