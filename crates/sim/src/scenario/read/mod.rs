//! From TOML to typed values in range, each at its exact place in the file.

mod variants;
