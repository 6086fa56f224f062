//! Programs of a measurement as processes: a thread starts them, passes on what they print, and
//! ends them. It starts them itself, since they die with the thread that did.
//!
//! A program starts when the one before it has a socket, has ended, or is a second old: a server
//! that is named first is there for its clients.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cellway_sim::units::{Span, Time};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::place::Namespace;
use super::sys::confined::{Surroundings, confine, path_of};
use crate::clock::Clock;
use crate::program::{Program, Role};
use crate::record::ProgramFacts;

/// Milliseconds between two looks at the programs.
const LOOK: u8 = 10;
/// Longest time that a program is waited for before the next one starts.
const PATIENCE: Span = Span::from_seconds(1);
/// Time that a program has to end by itself once it is told to.
const GRACE: Span = Span::from_milliseconds(300);
/// Last lines of standard error that are kept.
const KEPT_LINES: usize = 10;
/// Longest line that is passed on as one.
const LONGEST_LINE: usize = 4096;
/// Code of a program that cannot be started, as shells have it.
const CANNOT_START: i32 = 126;
/// Code of a program that is killed.
const KILLED: i32 = 128 + Signal::SIGKILL as i32;
/// Kinds of sockets in `/proc/net`.
const SOCKETS: [&str; 8] = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6", "icmp", "icmp6"];

/// A program and its surroundings.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) program: Program,
    pub(super) namespace: Arc<Namespace>,
    pub(super) surroundings: Surroundings,
}

/// Programs that run; dropping it ends them.
#[derive(Debug)]
pub(super) struct Children {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Vec<ProgramFacts>>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// True once the programs have to end.
    is_over: AtomicBool,
    /// True once the program with the terminal has ended.
    shell_ended: AtomicBool,
}

impl Children {
    /// Starts the programs, in order.
    pub(super) fn start(programs: Vec<Prepared>, clock: Clock) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let work = move || Run::new(programs, clock, &of_thread).run();
        let thread = thread::Builder::new().name("cellway-programs".to_owned()).spawn(work)?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// True once the program with the terminal has ended.
    pub(super) fn shell_has_ended(&self) -> bool {
        self.shared.shell_ended.load(Ordering::Acquire)
    }

    /// Ends all programs that still run.
    pub(super) fn end(mut self) -> Vec<ProgramFacts> {
        self.join()
    }

    fn join(&mut self) -> Vec<ProgramFacts> {
        self.shared.is_over.store(true, Ordering::Release);
        let joined = self.thread.take().map(JoinHandle::join);
        // A panic there was reported when it happened.
        joined.and_then(Result::ok).unwrap_or_default()
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.join();
    }
}

/// Fails with the first program that is not there.
pub(super) fn require_there(programs: &[Program]) -> Result<(), String> {
    for Program { host, words, .. } in programs {
        let Some(first) = words.first() else {
            return Err(format!("no program for `{host}`; expected its name and arguments"));
        };
        path_of(first).map_err(|error| format!("`{first}` at `{host}`: {error}"))?;
    }
    Ok(())
}

/// State of the thread.
#[derive(Debug)]
struct Run<'t> {
    waiting: std::vec::IntoIter<Prepared>,
    running: Vec<Running>,
    /// Namespace of the latest program, and its sockets before that was started.
    latest: Option<(Arc<Namespace>, usize)>,
    clock: Clock,
    shared: &'t Shared,
    /// True once the programs were told to end: the end of one is then no longer its own.
    is_told: bool,
}

/// A program that was started.
#[derive(Debug)]
struct Running {
    facts: ProgramFacts,
    role: Role,
    started_at: Time,
    child: Option<Child>,
    outputs: Vec<Output>,
}

impl<'t> Run<'t> {
    fn new(programs: Vec<Prepared>, clock: Clock, shared: &'t Shared) -> Self {
        let waiting = programs.into_iter();
        Self { waiting, running: Vec::new(), latest: None, clock, shared, is_told: false }
    }

    fn run(mut self) -> Vec<ProgramFacts> {
        while !self.shared.is_over.load(Ordering::Acquire) {
            if self.is_next_due()
                && let Some(next) = self.waiting.next()
            {
                self.start(next);
            }
            self.look();
        }
        self.tell();
        let patience = self.clock.now() + GRACE;
        let beside = |running: &Running| running.role == Role::Beside && running.runs();
        while self.running.iter().any(beside) && self.clock.now() < patience {
            self.look();
        }
        self.kill();
        self.running.into_iter().map(|running| running.facts).collect()
    }

    /// True if the latest program is ready, as far as that is known.
    fn is_next_due(&self) -> bool {
        let (Some(latest), Some((namespace, before))) = (self.running.last(), &self.latest) else {
            return true;
        };
        !latest.runs()
            || self.clock.now() >= latest.started_at + PATIENCE
            || sockets_in(namespace) > *before
    }

    fn start(&mut self, Prepared { program, namespace, surroundings }: Prepared) {
        let before = sockets_in(&namespace);
        let started_at = self.clock.now();
        let mut running = Running {
            facts: ProgramFacts {
                host: program.host.clone(),
                command: program.command(),
                started_s: started_at.seconds_f64(),
                ended_s: None,
                code: None,
                last_errors: Vec::new(),
            },
            role: program.role,
            started_at,
            child: None,
            outputs: Vec::new(),
        };
        match spawn(&program, surroundings) {
            Ok(mut child) => {
                running.outputs = Output::of(&mut child);
                running.child = Some(child);
            }
            Err(error) => {
                let said = format!("it did not start: {error}");
                pass_on(&program.host, &said);
                running.facts.last_errors.push(said);
                running.end(started_at, CANNOT_START, self.shared);
            }
        }
        self.running.push(running);
        self.latest = Some((namespace, before));
    }

    /// Waits for output, passes it on, and sees who has ended.
    fn look(&mut self) {
        wait_for_output(&self.running);
        let now = self.clock.now();
        for running in &mut self.running {
            running.read();
            let ended = running.child.as_mut().and_then(|child| child.try_wait().ok().flatten());
            match ended {
                Some(_) if self.is_told => running.child = None,
                Some(status) => running.end(now, code_of(status), self.shared),
                None => {}
            }
        }
    }

    /// Tells all programs without a terminal to end.
    fn tell(&mut self) {
        self.is_told = true;
        let beside = self.running.iter().filter(|running| running.role == Role::Beside);
        for child in beside.filter_map(|running| running.child.as_ref()) {
            // One that has just ended needs no signal.
            let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGTERM);
        }
    }

    /// Kills the processes that follow programs, and with them all that the programs have started.
    fn kill(&mut self) {
        for running in &mut self.running {
            if let Some(mut child) = running.child.take() {
                // It is dead if it cannot be killed.
                let _ = child.kill();
                let _ = child.wait();
            }
            running.read();
        }
    }
}

impl Running {
    fn runs(&self) -> bool {
        self.child.is_some()
    }

    fn end(&mut self, now: Time, code: i32, shared: &Shared) {
        self.child = None;
        self.facts.ended_s = Some(now.seconds_f64());
        self.facts.code = Some(code);
        if self.role == Role::Shell {
            shared.shell_ended.store(true, Ordering::Release);
        }
    }

    /// Passes on what has been printed.
    fn read(&mut self) {
        let Self { facts, outputs, .. } = self;
        outputs.retain_mut(|output| {
            let is_open = output.read();
            while let Some(line) = output.line(is_open) {
                pass_on(&facts.host, &line);
                if output.is_error {
                    facts.last_errors.push(line);
                    let spare = facts.last_errors.len().saturating_sub(KEPT_LINES);
                    facts.last_errors.drain(..spare);
                }
            }
            is_open
        });
    }
}

/// Starts a program. One with a terminal has the streams of this process.
fn spawn(program: &Program, surroundings: Surroundings) -> io::Result<Child> {
    let mut command = Command::new(path_of(&program.words[0])?);
    command.arg0(&program.words[0]).args(&program.words[1..]);
    if program.role == Role::Beside {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }
    confine(&mut command, surroundings);
    command.spawn()
}

/// Exit code of the process that follows a program. A signal can only be that which kills it.
fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or(KILLED)
}

/// Prints a line behind the name of its host.
fn pass_on(host: &str, line: &str) {
    let mut said = String::new();
    let _ = writeln!(said, "{host}: {line}");
    // Nobody reads it if it cannot be written.
    let _ = io::stderr().write_all(said.as_bytes());
}

/// An output of a program.
#[derive(Debug)]
struct Output {
    stream: File,
    is_error: bool,
    /// Bytes since the last end of a line.
    held: Vec<u8>,
}

impl Output {
    /// Outputs of a program that are pipes.
    fn of(child: &mut Child) -> Vec<Self> {
        let out = child.stdout.take().map(|pipe| (OwnedFd::from(pipe), false));
        let error = child.stderr.take().map(|pipe| (OwnedFd::from(pipe), true));
        let output = |(pipe, is_error): (OwnedFd, bool)| {
            // Otherwise the pipe is only read when it says that it has something.
            let _ = fcntl(&pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK));
            Self { stream: pipe.into(), is_error, held: Vec::new() }
        };
        [out, error].into_iter().flatten().map(output).collect()
    }

    /// Reads what there is; false at the end.
    fn read(&mut self) -> bool {
        let mut block = [0; LONGEST_LINE];
        loop {
            match self.stream.read(&mut block) {
                Ok(0) => return false,
                Ok(read) => self.held.extend_from_slice(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
    }

    /// Takes the next line; the last one has no end while the output is open.
    fn line(&mut self, is_open: bool) -> Option<String> {
        let end = self.held.iter().position(|byte| *byte == b'\n');
        let length = match end {
            Some(end) => end + 1,
            None if self.held.len() >= LONGEST_LINE || !is_open => self.held.len(),
            None => 0,
        };
        let line: Vec<u8> = self.held.drain(..length).collect();
        (length > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
    }
}

/// Waits until a program has printed something, at most for the time between two looks.
fn wait_for_output(running: &[Running]) {
    let outputs = running.iter().flat_map(|running| &running.outputs);
    let mut polled: Vec<PollFd<'_>> =
        outputs.map(|output| PollFd::new(output.stream.as_fd(), PollFlags::POLLIN)).collect();
    match poll(&mut polled, PollTimeout::from(LOOK)) {
        Ok(_) | Err(Errno::EINTR) => {}
        Err(_) => thread::sleep(Duration::from_millis(LOOK.into())),
    }
}

/// Number of sockets in a namespace.
fn sockets_in(namespace: &Namespace) -> usize {
    let rows = |kind: &str| {
        let table = fs::read_to_string(format!("/proc/thread-self/net/{kind}"));
        table.map_or(0, |table| table.lines().count().saturating_sub(1))
    };
    namespace.inside(|| Ok(SOCKETS.map(rows).iter().sum())).unwrap_or(0)
}
