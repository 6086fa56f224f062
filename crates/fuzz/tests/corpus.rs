//! Every target on its corpus, and on random changes of it for `FUZZ_SECONDS`, half a second if not
//! said. The changes are always the same ones; how many are tried depends on the machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cellway_fuzz::{TARGETS, target};

/// Octets that mean something somewhere.
const WORDS: [&[u8]; 12] = [
    b"0",
    b"-1",
    b"9999999999999999999",
    b"1e309",
    b"\"",
    b"[",
    b"{",
    b"= ",
    b"\n",
    b"\0",
    b"\xff",
    b"ms",
];
/// Longest input.
const LONGEST: usize = 8192;

struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// `octets` with one to five changes, some of them pieces of `other`.
fn changed(octets: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut octets = octets.to_vec();
    for _ in 0..=chance.below(5) {
        let at = chance.below(octets.len() + 1);
        let end = (at + chance.below(20)).min(octets.len());
        match chance.below(6) {
            0 => drop(octets.drain(at..end)),
            1 => drop(octets.splice(at..at, WORDS[chance.below(WORDS.len())].iter().copied())),
            2 => {
                let from = chance.below(other.len() + 1);
                let piece = &other[from..(from + chance.below(60)).min(other.len())];
                octets.splice(at..end, piece.iter().copied());
            }
            3 => octets.insert(at, chance.below(256) as u8),
            _ => {
                if let Some(octet) = octets.get_mut(at) {
                    *octet = chance.below(256) as u8;
                }
            }
        }
    }
    octets.truncate(LONGEST);
    octets
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a file")).collect()
}

#[expect(clippy::disallowed_methods, reason = "a driver: the clock only decides when to stop")]
fn fuzz(name: &str) {
    let (run, corpus) = (target(name).run, corpus(name));
    assert!(!corpus.is_empty());
    for octets in &corpus {
        run(octets);
    }
    let seconds = std::env::var("FUZZ_SECONDS").map_or(0.5, |text| text.parse().expect("seconds"));
    let (began, mut chance, mut executions) = (Instant::now(), Chance(1996), 0);
    while began.elapsed() < Duration::from_secs_f64(seconds) {
        let [one, other] = [0, 1].map(|_| &corpus[chance.below(corpus.len())]);
        let octets = changed(one, other, &mut chance);
        let caught = std::panic::catch_unwind(|| run(&octets));
        if let Err(panic) = caught {
            let file = std::env::temp_dir().join(format!("cellway-fuzz-{name}"));
            fs::write(&file, &octets).expect("a place for the input");
            eprintln!("the input is in {}", file.display());
            std::panic::resume_unwind(panic);
        }
        executions += 1;
    }
    println!("{name}: {executions} executions");
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            fuzz(stringify!($name));
        })*

        #[test]
        fn every_target_is_here() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($name)),*]);
        }
    };
}

tests! { scenario lists netspec script protocol wire connection port engine }
