//! `part!`: a struct as a table of keys; see [`part`](super::part) for an example.

/// A struct as a part; see [`part`](crate::language::part) for an example.
macro_rules! part {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $Part:ident {
            $(
                $(#[doc = $meaning:literal])*
                $field:ident: $type:ty = $form:ident $(($($said:tt),+))? $(as $kind:expr)?,
            )+
        }
        $(preset $Preset:ident;)?
        $(finish $finish:path;)?
        $(except $except:path;)?
        $(last $last:ident;)?
    ) => {
        $(#[$attribute])*
        $visible struct $Part {
            $($(#[doc = $meaning])* $visible $field: $type,)+
        }

        impl Part for $Part {
            type Value = Self;

            const KEYS: &'static [Key] = {
                const GROUPS: &[&[Key]] = &[$($Preset::KEYS,)? $(
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
                $(let section = &$Preset::fill(section)?;)?
                let mut faults = Faults::default();
                $(let $field = faults.keep(read_field!($form($($($said),+)?) $field section));)+
                faults.none()?;
                let read = Self { $($field: $field.expect("there was no fault"),)+ };
                $(let read = $finish(read, section)?;)?
                Ok(read)
            }

            fn write(value: &Self, entries: &mut Entries) {
                let _ = (value, &entries);
                $(write_field!($form($($($said),+)?) $field value entries);)+
                $(entries.retain(|(key, _)| !$except(value, key));)?
                $(entries.sort_by_key(|(key, _)| *key == stringify!($last));)?
            }

            fn write_tables(value: &Self, tables: &mut Vec<TableText>) {
                let _ = (value, &tables);
                $(write_tables!($form($($($said),+)?) $field value tables);)+
            }
        }
    };
}

/// The keys of one field of a [`part!`].
macro_rules! keys_of {
    (required($example:literal) $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?) => {
        &[Key::required(
            stringify!($field), kind_of!($type $(, $kind)?), $example, $meaning.trim_ascii()
        )]
    };
    (
        default($default:literal, $example:literal)
        $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?
    ) => {
        &[Key::with_default(
            stringify!($field), kind_of!($type $(, $kind)?), $default, $example,
            $meaning.trim_ascii()
        )]
    };
    (
        absent($absence:literal, $example:literal)
        $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?
    ) => {
        &[Key::optional(
            stringify!($field), kind_of!($type $(, $kind)?), $absence, $example,
            $meaning.trim_ascii()
        )]
    };
    (
        or_default($absence:literal, $example:literal)
        $field:ident, $meaning:expr, $type:ty $(, $kind:expr)?
    ) => {
        keys_of!(absent($absence, $example) $field, $meaning, $type $(, $kind)?)
    };
    (flat($Part:ident) $field:ident, $meaning:expr, $type:ty) => {
        <$Part as Part>::KEYS
    };
    (section($example:literal) $field:ident, $meaning:expr, $type:ty) => {
        &[Key::required(
            stringify!($field), <$type as Table>::KIND, $example, $meaning.trim_ascii()
        )]
    };
    (section($absence:literal, $example:literal) $field:ident, $meaning:expr, $type:ty) => {
        keys_of!(absent($absence, $example) $field, $meaning, $type, <$type as Table>::KIND)
    };
    (name() $field:ident, $meaning:expr, $type:ty) => {
        &[]
    };
    (family() $field:ident, $meaning:expr, $type:ty) => {
        &[COUNT]
    };
}

/// The kind of a field: that after `as`, else that of the type.
macro_rules! kind_of {
    ($type:ty) => {
        <$type as Typed>::KIND
    };
    ($type:ty, $kind:expr) => {
        $kind
    };
}

/// Reads one field of a [`part!`] from its table, or returns its faults.
macro_rules! read_field {
    (flat($Part:ident) $field:ident $section:ident) => {
        <$Part as Part>::read($section)
    };
    (absent($($said:tt),+) $field:ident $section:ident) => {
        $section.written(stringify!($field)).map(|found| found.map(|found| found.value))
    };
    (or_default($($said:tt),+) $field:ident $section:ident) => {
        $section
            .written(stringify!($field))
            .map(|found| found.map(|found| found.value).unwrap_or_default())
    };
    (section($($said:tt),+) $field:ident $section:ident) => {
        Table::of($section, stringify!($field))
    };
    ($form:ident() $field:ident $section:ident) => {
        Ok($section.name().to_owned())
    };
    ($form:ident($($said:tt),+) $field:ident $section:ident) => {
        $section.value(stringify!($field))
    };
}

/// Writes one field of a [`part!`] into the entries of its table.
macro_rules! write_field {
    (flat($Part:ident) $field:ident $value:ident $entries:ident) => {
        <$Part as Part>::write(&$value.$field, $entries)
    };
    (absent($($said:tt),+) $field:ident $value:ident $entries:ident) => {
        $entries
            .extend($value.$field.as_ref().map(|value| (stringify!($field), Value::write(value))))
    };
    (or_default($($said:tt),+) $field:ident $value:ident $entries:ident) => {
        if !is_default(&$value.$field) {
            $entries.push((stringify!($field), Value::write(&$value.$field)));
        }
    };
    (section($($said:tt),+) $field:ident $value:ident $entries:ident) => {};
    ($form:ident() $field:ident $value:ident $entries:ident) => {};
    ($form:ident($($said:tt),+) $field:ident $value:ident $entries:ident) => {
        $entries.push((stringify!($field), Value::write(&$value.$field)))
    };
}

/// Writes one field of a [`part!`] into the tables below its own.
macro_rules! write_tables {
    (section($($said:tt),+) $field:ident $value:ident $tables:ident) => {
        Table::write_tables(&$value.$field, stringify!($field), $tables)
    };
    (flat($Part:ident) $field:ident $value:ident $tables:ident) => {
        <$Part as Part>::write_tables(&$value.$field, $tables)
    };
    ($form:ident($($said:tt),*) $field:ident $value:ident $tables:ident) => {};
}

pub(crate) use {keys_of, kind_of, part, read_field, write_field, write_tables};
