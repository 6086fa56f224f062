//! Variants: exactly one of several keys, or the bare name of one that needs no parameters.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::fault::{Fault, did_you_mean, nearest, one_of};
use crate::language::keys::{Body, Key, Kind, Presence, Variant};
use crate::language::tree::{Node, Read, Section, wrong_type};
use crate::units::quoted;

/// The variant that a value selects, and its parameters.
pub(crate) struct Choice<'d> {
    pub(crate) name: &'static str,
    body: Body,
    variants: &'static [Variant],
    parameters: &'d Node<'d>,
    header: Range<usize>,
    place: String,
}

impl<'d> Choice<'d> {
    /// Reads the choice that `node` makes among the variants of `kind`. `nothing` stands for
    /// parameters that are not written.
    pub(crate) fn of(
        node: &'d Node<'d>,
        kind: Kind,
        place: &str,
        nothing: &'d Node<'d>,
    ) -> Result<Self, Fault> {
        let Some(variants) = kind.choices() else { unreachable!("`{place}` is not a variant") };
        match node.get_ref() {
            DeValue::String(name) => {
                let variant = find_variant(variants, name, &node.span(), kind, place)?;
                if variant.is_bare_word() {
                    return Ok(Self::new(variant, variants, nothing, node.span(), place));
                }
                let message = format!(
                    "`{place}`: {} needs parameters; expected {}",
                    quoted(name),
                    kind.accepted()
                );
                Err(Fault::new(&node.span(), message).with_hint(Some(shape_hint(place, variant))))
            }
            DeValue::Table(table) => {
                let key = only_key(table, node, kind, place)?;
                let (key, parameters) =
                    table.get_key_value(key.as_str()).expect("the key is the table's");
                let variant = find_variant(variants, key.get_ref(), &key.span(), kind, place)?;
                Ok(Self::new(variant, variants, parameters, key.span(), place))
            }
            _ => Err(wrong_type(node, &kind.accepted(), place)),
        }
    }

    /// The one value behind the variant's name.
    pub(crate) fn value<T: Read>(&self) -> Result<T, Fault> {
        let Body::Value(kind, _) = self.body else { unreachable!("`{}` has keys", self.place) };
        T::read(self.parameters, kind, &self.place)
    }

    /// Reads the table behind the variant's name with `read`.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Section<'d>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let Body::Keys(keys) = self.body else { unreachable!("`{}` has a value", self.place) };
        let section = Section::open(self.parameters, keys, &self.place, &self.header)?;
        section.read(read).map_err(|fault| match self.hint_of_others(keys) {
            Some(hint) => fault.with_hint(Some(hint)),
            None => fault,
        })
    }

    /// Hint at the other variants that have the first key unknown to this one.
    fn hint_of_others(&self, keys: &[Key]) -> Option<String> {
        let DeValue::Table(table) = self.parameters.get_ref() else { return None };
        let has = |keys: &[Key], name: &str| keys.iter().any(|key| key.name == name);
        let unknown = table.keys().filter(|key| !has(keys, key.get_ref()));
        let name = unknown.min_by_key(|key| key.span().start)?.get_ref();
        let others = self
            .variants
            .iter()
            .filter(|variant| matches!(variant.body, Body::Keys(of_other) if has(of_other, name)));
        let others: Vec<String> = others.map(|variant| quoted(variant.name)).collect();
        (!others.is_empty()).then(|| format!("{} have {}", others.join(", "), quoted(name)))
    }

    fn new(
        variant: &Variant,
        variants: &'static [Variant],
        parameters: &'d Node<'d>,
        header: Range<usize>,
        place: &str,
    ) -> Self {
        let place = format!("{place}.{}", variant.name);
        Self { name: variant.name, body: variant.body, variants, parameters, header, place }
    }
}

/// An empty table, for the parameters of a variant written as a bare word.
pub(crate) fn no_parameters<'d>() -> Node<'d> {
    Spanned::new(0..0, DeValue::Table(DeTable::new()))
}

fn find_variant(
    variants: &'static [Variant],
    name: &str,
    at: &Range<usize>,
    kind: Kind,
    place: &str,
) -> Result<&'static Variant, Fault> {
    variants.iter().find(|variant| variant.name == name).ok_or_else(|| {
        let names: Vec<&str> = variants.iter().map(|variant| variant.name).collect();
        let message =
            format!("`{place}`: unknown variant {}; expected {}", quoted(name), kind.accepted());
        let hint = nearest(name, &names).map(did_you_mean);
        Fault::new(at, message).with_hint(hint)
    })
}

/// The name of the only key; a second key is an error.
fn only_key(
    table: &DeTable<'_>,
    node: &Node<'_>,
    kind: Kind,
    place: &str,
) -> Result<String, Fault> {
    let mut keys: Vec<_> = table.keys().collect();
    keys.sort_by_key(|key| key.span().start);
    match keys[..] {
        [only] => Ok(only.get_ref().clone().into_owned()),
        [] => {
            let message = format!("`{place}` names no variant; expected {}", kind.accepted());
            Err(Fault::new(&node.span(), message))
        }
        [_, second, ..] => {
            let names: Vec<&str> = keys.iter().map(|key| key.get_ref().as_ref()).collect();
            let count = names.len();
            let message = format!(
                "`{place}` has {count} variants, {}; expected {}",
                listed(&names),
                kind.accepted()
            );
            Err(Fault::new(&second.span(), message))
        }
    }
}

fn listed(names: &[&str]) -> String {
    one_of(names).trim_start_matches("one of ").to_owned()
}

/// Hint that shows a variant, named without its parameters, as it must be written.
fn shape_hint(place: &str, variant: &Variant) -> String {
    let example = match variant.body {
        Body::Value(_, example) => example.to_owned(),
        Body::Keys(keys) => {
            let required = keys.iter().filter(|key| matches!(key.presence, Presence::Required));
            let written: Vec<String> =
                required.map(|key| format!("{} = {}", key.name, key.example)).collect();
            format!("{{ {} }}", written.join(", "))
        }
    };
    let key = place.rsplit('.').next().unwrap_or(place);
    format!("write for instance `{key} = {{ {} = {example} }}`", variant.name)
}
