//! Methods of an enum that call the method of the same name of its variant.

/// Declares methods inside an `impl` of an enum: first `[Its, Variants]`, then methods as a trait
/// declares them, with their comments. Each calls the method of the same name, with the same
/// arguments, of the value that the variant holds.
macro_rules! delegate {
    ($variants:tt) => {};
    (
        $variants:tt
        $(#[$note:meta])* $scope:vis fn $name:ident(&self $(, $of:ident: $Of:ty)*) $(-> $Out:ty)?;
        $($rest:tt)*
    ) => {
        $(#[$note])*
        $scope fn $name(&self $(, $of: $Of)*) $(-> $Out)? {
            delegate!(@ self, $variants, $name, ($($of),*))
        }
        delegate! { $variants $($rest)* }
    };
    (
        $variants:tt
        $(#[$note:meta])*
        $scope:vis fn $name:ident(&mut self $(, $of:ident: $Of:ty)*) $(-> $Out:ty)?;
        $($rest:tt)*
    ) => {
        $(#[$note])*
        $scope fn $name(&mut self $(, $of: $Of)*) $(-> $Out)? {
            delegate!(@ self, $variants, $name, ($($of),*))
        }
        delegate! { $variants $($rest)* }
    };
    (@ $this:ident, [$($Variant:ident),+ $(,)?], $name:ident, $arguments:tt) => {
        match $this {
            $(Self::$Variant(one) => one.$name $arguments,)+
        }
    };
}

pub(crate) use delegate;
