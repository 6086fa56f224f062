//! Words of a text, from left to right.

use super::error::Fault;

/// A place in a text whose comments are blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The text from an earlier place to this one.
    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Passes spaces within a line.
    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|letter| letter == ' ' || letter == '\t' || letter == '\r');
    }

    /// Passes spaces and ends of lines.
    pub(super) fn skip_blank(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes these letters if they come next.
    pub(super) fn take(&mut self, letters: &str) -> bool {
        let is_next = self.rest().starts_with(letters);
        self.at += if is_next { letters.len() } else { 0 };
        is_next
    }

    pub(super) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes letters, digits and underscores.
    pub(super) fn word(&mut self) -> &'t str {
        self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    }

    /// Takes the rest of the line.
    pub(super) fn line(&mut self) -> &'t str {
        self.take_while(|letter| letter != '\n')
    }

    /// Takes all before `end`, and `end`.
    pub(super) fn until(&mut self, end: &str) -> Result<&'t str, Fault> {
        let rest = self.rest();
        let Some(length) = rest.find(end) else {
            return Err(self.fault(format!("nothing ends this; expected `{end}` behind it")));
        };
        self.at += length + end.len();
        Ok(&rest[..length])
    }

    /// Takes a whole number of at most 32 bits, `noun` in a fault.
    pub(super) fn number(&mut self, noun: &str) -> Result<u32, Fault> {
        let before = *self;
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        digits.parse().map_err(|_| before.unexpected(&format!("{noun}, a number below 2^32")))
    }

    /// Takes these letters, which have to be here.
    pub(super) fn require(&mut self, letters: &str, expected: &str) -> Result<(), Fault> {
        if self.take(letters) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Ends a statement: nothing else may be in its line.
    pub(super) fn end_line(&mut self) -> Result<(), Fault> {
        self.skip_spaces();
        match self.peek() {
            None | Some('\n') => Ok(()),
            Some(_) => Err(self.unexpected("the end of the line")),
        }
    }

    /// Fault at this place.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { at: self.at, message: message.into() }
    }

    /// Fault: something else was expected here.
    pub(super) fn unexpected(&self, expected: &str) -> Fault {
        let word = self
            .rest()
            .trim_start_matches([' ', '\t'])
            .split([' ', '\t', '\n', ','])
            .next()
            .unwrap_or_default();
        let found = if word.is_empty() { "nothing".to_owned() } else { format!("`{word}`") };
        self.fault(format!("{found} is not accepted here; expected {expected}"))
    }
}

/// The text with blanks in place of comments: `/* ... */`, and `//` or `#` to the end of a line
/// where a word could begin.
pub(super) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_quoted = false;
    while let Some(letter) = rest.chars().next() {
        let is_word_start = kept.chars().next_back().is_none_or(char::is_whitespace);
        let length = match letter {
            _ if is_quoted => 0,
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '#' if is_word_start => rest.find('\n').unwrap_or(rest.len()),
            _ => 0,
        };
        if length == 0 {
            is_quoted = if letter == '\n' { false } else { is_quoted ^ (letter == '"') };
            kept.push(letter);
            rest = &rest[letter.len_utf8()..];
        } else {
            // One blank for each octet, so that places stay.
            kept.extend(
                rest[..length].bytes().map(|octet| if octet == b'\n' { '\n' } else { ' ' }),
            );
            rest = &rest[length..];
        }
    }
    kept
}
