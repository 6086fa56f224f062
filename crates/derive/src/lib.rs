//! Derive of `Shaped`: the struct that holds a number says its name, unit, meaning and presence.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, GenericArgument, Ident, Lit,
    LitStr, Meta, PathArguments, Result, Token, Type, parse_macro_input,
};

/// Units by the ending of a name, with `_` before it.
const ENDINGS: [(&str, &str); 6] = [
    ("_bits_per_second", "bit/s"),
    ("_cells_per_second", "cell/s"),
    ("_seconds", "s"),
    ("_bytes", "B"),
    ("_queue", "cell"),
    ("_s", "s"),
];
/// Units that `#[unit]` may name.
const UNITS: [&str; 9] =
    ["1", "s", "B", "bit/s", "cell", "cell/s", "cell/ms", "datagram/s", DIFFERING];
/// Unit of a number whose unit a field beside it implies.
const DIFFERING: &str = "differs";

/// Implements `Shaped`: a table of the fields. The unit of a number comes from the ending of its
/// name or from `#[unit("…")]`, its meaning from the doc comment, its name and presence from
/// serde's `rename` and `skip_serializing_if`. A field with an `f64` must have a unit. An enum of
/// words is a word.
#[proc_macro_derive(Shaped, attributes(unit))]
pub fn shaped(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// The implementation, or the faults of all fields together.
fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let data = match &input.data {
        Data::Struct(data) => data,
        Data::Enum(words) if words.variants.iter().all(|word| word.fields.is_empty()) => {
            return Ok(shape_of(&input.ident, &quote!(Word)));
        }
        _ => return Err(Error::new(input.span(), "`Shaped` is derived for a struct or for words")),
    };
    let Fields::Named(named) = &data.fields else {
        return Err(Error::new(input.span(), "`Shaped` is derived for fields with names"));
    };
    let mut fields = Vec::new();
    let mut faults: Option<Error> = None;
    for described in named.named.iter().map(describe) {
        match (described, &mut faults) {
            (Ok(field), _) => fields.push(field),
            (Err(fault), Some(faults)) => faults.combine(fault),
            (Err(fault), None) => faults = Some(fault),
        }
    }
    let name = input.ident.to_string();
    let table = quote!(Table(#name, &[#(#fields),*]));
    faults.map_or_else(|| Ok(shape_of(&input.ident, &table)), Err)
}

/// The implementation for a type of this shape.
fn shape_of(name: &Ident, shape: &TokenStream) -> TokenStream {
    quote! {
        impl ::cellway_sim::result::Shaped for #name {
            const SHAPE: ::cellway_sim::result::Shape = ::cellway_sim::result::Shape::#shape;
        }
    }
}

/// The constant of one field.
fn describe(field: &Field) -> Result<TokenStream> {
    let ident = field.ident.as_ref().expect("fields with names were asked for");
    let (renamed, may_lack) = of_serde(&field.attrs)?;
    let name = renamed.unwrap_or_else(|| ident.to_string());
    let unit = match unit_said(&field.attrs)? {
        Some(unit) => Some(unit),
        None => unit_of_name(&ident.to_string()).map(str::to_owned),
    };
    if unit.is_none() && is_real(&field.ty) {
        let endings = ENDINGS.map(|(ending, _)| ending).join(", ");
        let message =
            format!("`{ident}` has no unit: `#[unit(\"…\")]` or one of {endings} is expected");
        return Err(Error::new(ident.span(), message));
    }
    let unit = unit.filter(|unit| unit != DIFFERING);
    let unit = unit.map_or_else(|| quote!(None), |unit| quote!(Some(#unit)));
    let (meaning, r#type) = (meaning(&field.attrs), &field.ty);
    Ok(quote! {
        ::cellway_sim::result::Field {
            name: #name,
            unit: #unit,
            meaning: #meaning,
            may_lack: #may_lack,
            shape: <#r#type as ::cellway_sim::result::Shaped>::SHAPE,
        }
    })
}

/// True for `f64`, alone or within `Option` and the like. A pair is no number.
fn is_real(given: &Type) -> bool {
    let Type::Path(path) = given else { return false };
    path.path.segments.last().is_some_and(|last| match &last.arguments {
        PathArguments::AngleBracketed(inside) => inside
            .args
            .iter()
            .any(|argument| matches!(argument, GenericArgument::Type(inside) if is_real(inside))),
        _ => last.ident == "f64",
    })
}

fn unit_of_name(name: &str) -> Option<&'static str> {
    let name = format!("_{name}");
    ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, unit)| *unit)
}

/// The unit that `#[unit]` names.
fn unit_said(attributes: &[Attribute]) -> Result<Option<String>> {
    let Some(attribute) = attributes.iter().find(|one| one.path().is_ident("unit")) else {
        return Ok(None);
    };
    let unit: LitStr = attribute.parse_args()?;
    if UNITS.contains(&unit.value().as_str()) {
        return Ok(Some(unit.value()));
    }
    let message = format!("unknown unit; one of {} is expected", UNITS.join(", "));
    Err(Error::new(unit.span(), message))
}

/// The name that serde writes instead, and whether it leaves out the field at times.
fn of_serde(attributes: &[Attribute]) -> Result<(Option<String>, bool)> {
    let (mut renamed, mut may_lack) = (None, false);
    for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
        for meta in attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            match (&meta, text(&meta)) {
                (Meta::NameValue(said), Some(name)) if said.path.is_ident("rename") => {
                    renamed = Some(name);
                }
                (Meta::NameValue(said), _) if said.path.is_ident("skip_serializing_if") => {
                    may_lack = true;
                }
                _ => return Err(Error::new(meta.span(), "`Shaped` does not read this")),
            }
        }
    }
    Ok((renamed, may_lack))
}

/// The doc comment in one line.
fn meaning(attributes: &[Attribute]) -> String {
    let documented = attributes.iter().filter(|one| one.path().is_ident("doc"));
    let lines: Vec<String> = documented.filter_map(|one| text(&one.meta)).collect();
    lines.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// The text of `name = "text"`.
fn text(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(said) => match &said.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let input: DeriveInput = syn::parse_str(text).expect("a struct");
        let faults = implementation(&input).err().into_iter().flatten();
        faults.map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn all_reals_without_unit_are_reported_at_once() {
        let found = faults(
            "struct Found { mean: f64, max: Option<f64>, above: BTreeMap<u64, f64>, rate_s: f64,
             #[unit(\"1\")] share: f64, count: u64, pairs: Vec<(f64, f64)> }",
        );
        let names: Vec<&str> = found.iter().filter_map(|fault| fault.split('`').nth(1)).collect();
        assert_eq!(names, ["mean", "max", "above"], "{found:?}");
    }

    #[test]
    fn an_enum_of_words_is_a_word_and_another_is_refused() {
        assert!(faults("enum Limit { Link, Window }").is_empty());
        assert_eq!(faults("enum Limit { Link(u64) }").len(), 1);
    }

    #[test]
    fn an_unknown_unit_and_an_unknown_attribute_of_serde_are_refused() {
        let found = faults(
            "struct Found { #[unit(\"ms\")] mean: f64, #[serde(flatten)] inside: Inside,
             #[serde(rename = \"p99.9\", skip_serializing_if = \"Option::is_none\")] p_s: f64 }",
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("unknown unit; one of 1, s, "), "{found:?}");
    }
}
