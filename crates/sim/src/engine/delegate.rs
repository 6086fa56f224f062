//! Methods of an enum that are those of whichever variant it is.

/// Inside an `impl` of an enum: `[Its, Variants]`, and then methods as a trait declares them, with
/// their comments. Each calls the method of that name, and of these arguments, of what the variant
/// holds.
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
        $(#[$note:meta])* $scope:vis fn $name:ident(&mut self $(, $of:ident: $Of:ty)*) $(-> $Out:ty)?;
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
