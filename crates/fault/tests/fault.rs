//! Panics are caught, in one line each.

use cellway_fault::{Fault, guarded};

#[test]
fn what_finishes_is_handed_on() {
    assert_eq!(guarded(|| 53).unwrap(), 53);
}

#[test]
fn a_panic_is_one_line_with_its_place() {
    let broken = || assert_eq!(1, 2, "cells of\n  VC 3 are not conserved");
    let line = line!() - 1;
    let Fault(said) = guarded(broken).unwrap_err();
    let place = format!("(at {}:{line})", file!());
    assert!(said.contains("cells of VC 3 are not conserved") && said.ends_with(&place), "{said}");
    assert!(!said.contains('\n'), "{said}");
}

#[test]
fn overflow_is_a_fault_and_the_next_call_knows_nothing_of_it() {
    let far = std::hint::black_box(u64::MAX);
    assert!(guarded(|| far + 1).unwrap_err().0.starts_with("attempt to add with overflow"));
    assert_eq!(guarded(|| 1).unwrap(), 1);
}

#[test]
fn threads_break_apart_from_each_other() {
    let broken =
        (0..4).map(|n| std::thread::spawn(move || guarded(|| assert!(n == 2, "thread {n}"))));
    let said: Vec<bool> = broken.map(|thread| thread.join().unwrap().is_ok()).collect();
    assert_eq!(said, [false, false, true, false]);
}
