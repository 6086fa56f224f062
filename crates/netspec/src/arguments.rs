//! Arguments: bytes, microseconds, seconds, and distributions of sizes and periods.
//!
//! | function | of | arguments |
//! |---|---|---|
//! | `uniform` | sizes, periods | `min`, `max` |
//! | `exponential` | sizes, periods | `mean`; of periods `lambda` in its place, and `min` |
//! | `pareto` | sizes | `min`, `shape`, `max` |
//! | `lognormal` | sizes | `median`, `sigma`, `max` |
//! | `ftpItemSize`, `WWWItemSize` | sizes | `min`, which means nothing, `max` |
//! | names that end in `Interarrival` | periods | `lambda`, `min` |
//! | `ftpNOfItems` | repeats | `min`, which is 1 |
//!
//! Sizes are bytes, periods microseconds and λ is per microsecond, as in the manual: λ = 0.00001 is
//! a mean of 0.1 s above `min`. Sizes with names are those of the sources `ftp` and `www`, since
//! the manual calls its own *fixed* and does not print them.

use crate::script::{Named, Value};
use cellway_sim::engine::RandomSpan;
use cellway_sim::scenario::{Fault, did_you_mean, nearest, one_of};
use cellway_sim::traffic::{
    ExponentialSize, FtpPlan, Lognormal, Pareto, Size, SizeDistribution, SizeRange, WwwPlan,
};
use cellway_sim::units::{Bytes, Span, quoted};

/// The arguments of a word, all with known names.
pub(crate) struct Arguments<'s> {
    of: &'s Value,
}

impl<'s> Arguments<'s> {
    pub(crate) fn of(value: &'s Value, known: &[&str]) -> Result<Self, Fault> {
        for Named { name, .. } in &value.arguments {
            if known.is_empty() {
                let message = format!(
                    "unknown argument {} of {}, which has none",
                    quoted(&name.text),
                    quoted(&value.word.text)
                );
                return Err(Fault::new(&name.at, message));
            }
            if !known.contains(&name.text.as_str()) {
                let what =
                    format!("argument {} of {}", quoted(&name.text), quoted(&value.word.text));
                return Err(Fault::unknown(&name.at, &what, &name.text, known));
            }
        }
        Ok(Self { of: value })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'s Value> {
        self.of.arguments.iter().find(|one| one.name.text == name).map(|one| &one.value)
    }

    pub(crate) fn required(&self, name: &str, expected: &str) -> Result<&'s Value, Fault> {
        self.get(name).ok_or_else(|| {
            let of = &self.of.word;
            let message = format!("`{}` needs `{name}`; expected {expected}", of.text);
            Fault::new(&of.at, message)
        })
    }

    /// A number without arguments of its own, if it is there.
    fn plain<T>(&self, name: &str, read: impl Fn(&Value, &str) -> Result<T, Fault>) -> Fallible<T> {
        self.get(name).map(|value| read(value, name)).transpose()
    }

    pub(crate) fn bytes(&self, name: &str) -> Fallible<Bytes> {
        self.plain(name, bytes)
    }

    pub(crate) fn seconds(&self, name: &str) -> Fallible<Span> {
        self.plain(name, |value, name| span(value, name, ("s", "seconds", "10")))
    }

    fn microseconds(&self, name: &str) -> Fallible<Span> {
        self.plain(name, microseconds)
    }

    pub(crate) fn count(&self, name: &str, max: u64) -> Fallible<u64> {
        self.plain(name, |value, name| {
            let count = digits(value).and_then(|digits| digits.parse().ok());
            let expected = format!("a whole number from 1 to {max}");
            let count = count.filter(|count| (1..=max).contains(count));
            count.ok_or_else(|| misread(value, name, &expected))
        })
    }

    /// Number of periods. A session of FTP, one in each period, has one item here, so that the
    /// number of items is no limit.
    pub(crate) fn repeats(&self, max: u64) -> Fallible<u64> {
        match self.get("repeats").filter(|value| value.word.text == "ftpNOfItems") {
            Some(items) => one_item(items).map(|()| None),
            None => self.count("repeats", max),
        }
    }

    fn number(&self, name: &str) -> Fallible<f64> {
        self.plain(name, |value, name| {
            let number = decimal(value).and_then(|text| text.parse::<f64>().ok());
            let number = number.filter(|number| *number > 0.0 && number.is_finite());
            number.ok_or_else(|| misread(value, name, "a number above 0, such as `1.2`"))
        })
    }
}

type Fallible<T> = Result<Option<T>, Fault>;

fn misread(value: &Value, name: &str, expected: &str) -> Fault {
    let message = format!("`{name}`: found {}; expected {expected}", quoted(&value.word.text));
    Fault::new(&value.word.at, message)
}

fn one_item(items: &Value) -> Result<(), Fault> {
    let least = Arguments::of(items, &["min"])?.get("min");
    match least.filter(|least| digits(least) != Some("1")) {
        Some(least) => Err(misread(least, "min", "`1`: a session has one item here")),
        None => Ok(()),
    }
}

fn digits(value: &Value) -> Option<&str> {
    decimal(value).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A decimal number without a sign and without arguments.
fn decimal(value: &Value) -> Option<&str> {
    let text = value.word.text.as_str();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (is_number && text.len() <= 24 && value.arguments.is_empty()).then_some(text)
}

fn bytes(value: &Value, name: &str) -> Result<Bytes, Fault> {
    const MOST: u64 = 1_000_000_000_000_000;
    let size = digits(value).and_then(|digits| digits.parse().ok());
    let size = size.filter(|size| (1..=MOST).contains(size));
    size.map(Bytes).ok_or_else(|| misread(value, name, "a number of bytes, such as `131072`"))
}

pub(crate) fn microseconds(value: &Value, name: &str) -> Result<Span, Fault> {
    span(value, name, ("us", "microseconds", "10000"))
}

fn span(
    value: &Value,
    name: &str,
    (unit, word, example): (&str, &str, &str),
) -> Result<Span, Fault> {
    let span = decimal(value).and_then(|text| format!("{text} {unit}").parse::<Span>().ok());
    let span = span.filter(|span| !span.is_zero());
    span.ok_or_else(|| misread(value, name, &format!("a number of {word}, such as `{example}`")))
}

const OF_SIZES: [&str; 6] =
    ["uniform", "exponential", "pareto", "lognormal", "ftpItemSize", "WWWItemSize"];
const OF_PERIODS: [&str; 6] = [
    "uniform",
    "exponential",
    "ftpSessionInterarrival",
    "telnetSessionInterarrival",
    "voiceSessionInterarrival",
    "WWWRequestInterarrival",
];

fn is_number(value: &Value) -> bool {
    value.word.text.starts_with(|first: char| first.is_ascii_digit())
}

fn unknown(value: &Value, name: &str, number: &str, functions: &[&str]) -> Fault {
    let word = &value.word.text;
    let message = format!(
        "`{name}`: unknown distribution {}; expected {number} or {}",
        quoted(word),
        one_of(functions)
    );
    Fault::new(&value.word.at, message).with_hint(nearest(word, functions).map(did_you_mean))
}

/// Reads `blocksize`.
pub(crate) fn size(value: &Value, name: &str) -> Result<Size, Fault> {
    if is_number(value) {
        return bytes(value, name).map(Size::Fixed);
    }
    let bytes_of = |arguments: &Arguments<'_>, name: &str| {
        arguments.required(name, "a number of bytes").and_then(|value| bytes(value, name))
    };
    let distribution = match value.word.text.as_str() {
        "uniform" => {
            let found = Arguments::of(value, &["min", "max"])?;
            let ends = [bytes_of(&found, "min")?, bytes_of(&found, "max")?];
            SizeDistribution::Uniform(SizeRange(ends))
        }
        "exponential" => {
            let mean = bytes_of(&Arguments::of(value, &["mean"])?, "mean")?;
            SizeDistribution::Exponential(ExponentialSize { mean })
        }
        "pareto" => {
            let found = Arguments::of(value, &["min", "shape", "max"])?;
            let (shape, max) = (found.number("shape")?, found.bytes("max")?);
            let plan = Pareto::above(bytes_of(&found, "min")?);
            let shape = shape.unwrap_or(plan.shape);
            SizeDistribution::Pareto(Pareto { shape, max: max.unwrap_or(plan.max), ..plan })
        }
        "lognormal" => {
            let found = Arguments::of(value, &["median", "sigma", "max"])?;
            let (sigma, max) = (found.number("sigma")?, found.bytes("max")?);
            let plan = Lognormal::around(bytes_of(&found, "median")?);
            let sigma = sigma.unwrap_or(plan.sigma);
            SizeDistribution::Lognormal(Lognormal { sigma, max: max.unwrap_or(plan.max), ..plan })
        }
        "ftpItemSize" => return up_to(FtpPlan::files(), value),
        "WWWItemSize" => return up_to(WwwPlan::pages(), value),
        _ => return Err(unknown(value, name, "a number of bytes", &OF_SIZES)),
    };
    Ok(Size::Drawn(distribution))
}

/// Sets the maximum of a size, if one is given. The manual has a `min`, which is ignored: smaller
/// sizes are rare here.
fn up_to(size: Size, value: &Value) -> Result<Size, Fault> {
    let found = Arguments::of(value, &["min", "max"])?;
    found.bytes("min")?;
    Ok(match (size, found.bytes("max")?) {
        (Size::Drawn(SizeDistribution::Lognormal(plan)), Some(max)) => {
            Size::Drawn(SizeDistribution::Lognormal(Lognormal { max, ..plan }))
        }
        (size, _) => size,
    })
}

/// Reads `period`.
pub(crate) fn period(value: &Value, name: &str) -> Result<RandomSpan, Fault> {
    if is_number(value) {
        return microseconds(value, name).map(RandomSpan::Fixed);
    }
    if value.word.text == "uniform" {
        let found = Arguments::of(value, &["min", "max"])?;
        let end = |name| {
            let end = found.required(name, "a number of microseconds");
            end.and_then(|value| microseconds(value, name))
        };
        let (min, max) = (end("min")?, end("max")?);
        if min < max {
            return Ok(RandomSpan::uniform(min, max));
        }
        let max = found.required("max", "")?;
        return Err(misread(max, "max", "more than `min`"));
    }
    if !OF_PERIODS.contains(&value.word.text.as_str()) {
        return Err(unknown(value, name, "a number of microseconds", &OF_PERIODS));
    }
    let found = Arguments::of(value, &["mean", "lambda", "min"])?;
    let min = found.microseconds("min")?.unwrap_or(Span::ZERO);
    let mean = match (found.microseconds("mean")?, found.number("lambda")?) {
        (Some(mean), None) => mean,
        (None, Some(lambda)) => mean_of(lambda, found.required("lambda", "")?)?,
        _ => {
            let message = format!(
                "`{}` needs one of `mean`, in microseconds, and `lambda`, per microsecond",
                value.word.text
            );
            return Err(Fault::new(&value.word.at, message));
        }
    };
    Ok(RandomSpan::exponential(mean, min))
}

/// Mean of an exponential distribution with λ per microsecond.
fn mean_of(lambda: f64, value: &Value) -> Result<Span, Fault> {
    let picoseconds = 1e6 / lambda;
    if (1.0..1e18).contains(&picoseconds) {
        return Ok(Span::from_picoseconds((picoseconds + 0.5) as i64));
    }
    Err(misread(value, "lambda", "a rate per microsecond, such as `0.00001`"))
}
