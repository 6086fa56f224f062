//! `variants!`: an enum as the words that choose among its variants; see [`part`](super::part) for
//! an example.

/// An enum as the words that choose among its variants; see [`part`](crate::language::part) for an
/// example.
macro_rules! variants {
    (
        $(#[$attribute:meta])*
        $visible:vis enum $Choice:ident {
            $(
                $(#[doc = $meaning:literal])+
                $variant:ident $(($type:ty))?
                    = $word:literal $(value($example:literal) as $kind:expr)?,
            )+
        }
    ) => {
        $(#[$attribute])*
        $visible enum $Choice {
            $($(#[doc = $meaning])+ $variant $(($type))?,)+
        }

        impl $Choice {
            /// Returns the word of the language for this variant.
            $visible const fn word(&self) -> &'static str {
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
                let word = self.word();
                match self {
                    $(pattern_of!($variant, value $(, $type)?) => {
                        write_variant!(word, value $(, $type)? $(, $example)?)
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

/// The chosen variant, with the value that stands behind its word.
macro_rules! read_variant {
    ($choice:ident $variant:ident) => {
        $choice.read(|_| Ok(Self::$variant))
    };
    ($choice:ident $variant:ident, $type:ty) => {
        $choice.read(<$type as Part>::read).map(Self::$variant)
    };
    ($choice:ident $variant:ident, $type:ty, $example:literal) => {
        $choice.value().map(Self::$variant)
    };
}

/// A variant as a pattern that binds its value, if it has one.
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
    ($word:ident, $value:ident) => {
        format!("\"{}\"", $word)
    };
    ($word:ident, $value:ident, $type:ty) => {
        variant_of_keys::<$type>($word, $value)
    };
    ($word:ident, $value:ident, $type:ty, $example:literal) => {
        format!("{{ {} = {} }}", $word, Value::write($value))
    };
}

pub(crate) use {pattern_of, read_variant, variant_of, variants, write_variant};
