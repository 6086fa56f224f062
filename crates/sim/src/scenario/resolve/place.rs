//! Places of compared values: keys of sections, as messages name them and as they are found again.

use std::fmt;

use crate::language::fault::Fault;
use crate::language::key_path::KeyPath;

/// A section under a name of the user's.
#[derive(Clone, Copy)]
pub(super) struct Owner<'n> {
    pub(super) kind: &'static str,
    pub(super) name: &'n str,
}

impl<'n> Owner<'n> {
    pub(super) const fn new(kind: &'static str, name: &'n str) -> Self {
        Self { kind, name }
    }

    pub(super) const fn key(self, key: &'static str) -> KeyOf<'n> {
        KeyOf { owner: self, key }
    }

    pub(super) fn path(self) -> KeyPath {
        KeyPath::new(&[self.kind, self.name])
    }

    /// A fault of the section as a whole.
    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        Fault::at_key(self.path(), message)
    }
}

/// A key of a section.
#[derive(Clone, Copy)]
pub(super) struct KeyOf<'n> {
    pub(super) owner: Owner<'n>,
    pub(super) key: &'static str,
}

impl<'n> KeyOf<'n> {
    /// Reference by the name of a node under the key.
    pub(super) const fn reference(self, name: &'n str) -> Reference<'n> {
        Reference { name, key: self, element: None }
    }

    /// References by the two names in the list under the key.
    pub(super) fn elements(self, [first, second]: &'n [String; 2]) -> [Reference<'n>; 2] {
        [(first, 0), (second, 1)]
            .map(|(name, element)| Reference { element: Some(element), ..self.reference(name) })
    }

    pub(super) fn path(self) -> KeyPath {
        KeyPath::new(&[self.owner.kind, self.owner.name, self.key])
    }

    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        self.fault_below(&[], message)
    }

    /// A fault of the value that `keys` lead to below the key.
    pub(super) fn fault_below(self, keys: &[&str], message: impl Into<String>) -> Fault {
        let mut path = self.path();
        path.extend(keys);
        Fault::at_key(path, message)
    }
}

/// The name of a node under a key, or in the list there.
#[derive(Clone, Copy)]
pub(super) struct Reference<'n> {
    pub(super) name: &'n str,
    pub(super) key: KeyOf<'n>,
    pub(super) element: Option<usize>,
}

impl Reference<'_> {
    pub(super) fn fault(self, message: impl Into<String>) -> Fault {
        let path = self.key.path();
        let path = match self.element {
            Some(element) => path.element(element),
            None => path,
        };
        Fault::at_key(path, message)
    }
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)
    }
}

impl fmt::Display for KeyOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.owner, self.key)
    }
}
