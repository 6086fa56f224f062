//! Words and signs of a script, with their places. A comment goes from `#` to the end of its line.

use std::ops::Range;

use cellway_sim::scenario::Fault;
use cellway_sim::units::quoted;

/// A word of a script, and its bytes in the text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'t> {
    Word(&'t str),
    Sign(char),
    End,
}

const SIGNS: &str = "{}()=,;";

/// Reader of a text from the left.
pub(crate) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token and its place.
    fn peek(&self) -> (Token<'t>, Range<usize>) {
        let start = self.start();
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return (Token::End, start..start) };
        if SIGNS.contains(first) {
            return (Token::Sign(first), start..start + 1);
        }
        let is_end =
            |letter: char| letter.is_whitespace() || letter == '#' || SIGNS.contains(letter);
        let length = rest.find(is_end).unwrap_or(rest.len());
        (Token::Word(&rest[..length]), start..start + length)
    }

    /// The start of the next token, behind blanks and comments.
    fn start(&self) -> usize {
        let mut rest = self.text[self.at..].trim_start();
        while rest.starts_with('#') {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = rest[end..].trim_start();
        }
        self.text.len() - rest.len()
    }

    /// Takes this sign, if it is next.
    pub(crate) fn takes(&mut self, sign: char) -> bool {
        let (token, at) = self.peek();
        let is_next = token == Token::Sign(sign);
        if is_next {
            self.at = at.end;
        }
        is_next
    }

    /// True if no token is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.peek().0 == Token::End
    }

    /// Takes the next word; `None` if the next token is no word.
    pub(crate) fn word(&mut self) -> Option<Word> {
        let (token, at) = self.peek();
        let Token::Word(text) = token else { return None };
        self.at = at.end;
        Some(Word { text: text.to_owned(), at })
    }

    /// Fault of a next token that is not the `expected` one.
    pub(crate) fn unexpected(&self, expected: &str) -> Fault {
        let (token, at) = self.peek();
        let found = match token {
            Token::Word(word) => quoted(word),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the script".to_owned(),
        };
        Fault::new(&at, format!("found {found}; expected {expected}"))
    }
}
