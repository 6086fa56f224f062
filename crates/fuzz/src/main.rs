//! The target named by the variable `TARGET` under libFuzzer; arguments are those of libFuzzer.

#![no_main]

use std::sync::LazyLock;

use cellway_fuzz::{Target, target};

static CHOSEN: LazyLock<Target> =
    LazyLock::new(|| target(&std::env::var("TARGET").unwrap_or_default()));

libfuzzer_sys::fuzz_target!(|octets: &[u8]| (CHOSEN.run)(octets));
