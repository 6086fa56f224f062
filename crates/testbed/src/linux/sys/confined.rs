//! Programs confined to a host of a scenario: in its network namespace, and in namespaces of their
//! own for processes, mounts and the name of the machine.
//!
//! Three processes are forked. The first follows the death of the thread that started it, waits for
//! the second, and ends with its code. The second is the first process of the new namespace: when
//! it ends, all others there are killed, those that became daemons among them. The third becomes
//! the program. Between fork and exec nothing takes memory or a lock.

use std::convert::Infallible;
use std::ffi::{CStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::libc;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::prctl;
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::{Mode, fchmod};
use nix::sys::wait::{WaitStatus, wait, waitpid};
use nix::unistd::{ForkResult, Pid, fork, getppid, sethostname, setpgid, write};

/// Surroundings of a program.
#[derive(Debug)]
pub(in crate::linux) struct Surroundings {
    /// Network namespace.
    pub(in crate::linux) network: OwnedFd,
    /// Name of the machine.
    pub(in crate::linux) name: OsString,
    /// Content of `/etc/hosts`.
    pub(in crate::linux) hosts: String,
    /// True for a process group of its own, which signals of the terminal do not reach.
    pub(in crate::linux) is_apart: bool,
}

/// Code of a process that a signal ended, as shells give it.
const BY_SIGNAL: i32 = 128;
/// Signals that are for the program alone.
const FOR_PROGRAM: [Signal; 6] = [
    Signal::SIGINT,
    Signal::SIGTERM,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGTSTP,
    Signal::SIGTTOU,
];

/// Confines what `command` starts. It must be started by a thread that lives as long as the program
/// may.
pub(in crate::linux) fn confine(command: &mut Command, surroundings: Surroundings) {
    let parent = Pid::this();
    // SAFETY: the function takes neither memory nor locks, also where it forks.
    unsafe { command.pre_exec(move || Ok(surroundings.enter(parent)?)) };
}

impl Surroundings {
    /// Enters the namespaces; returns in the third process only.
    fn enter(&self, parent: Pid) -> Result<(), Errno> {
        if self.is_apart {
            setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        }
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        if getppid() != parent {
            return Err(Errno::ESRCH);
        }
        setns(&self.network, CloneFlags::CLONE_NEWNET)?;
        unshare(CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWUTS)?;
        sethostname(&self.name)?;
        // SAFETY: the process has one thread, and the child calls functions of the system alone.
        if let ForkResult::Parent { child } = unsafe { fork() }? {
            let Err(error) = follow(child);
            return Err(error);
        }
        prctl::set_pdeathsig(Signal::SIGKILL)?;
        self.mount()?;
        // SAFETY: as above.
        if let ForkResult::Parent { child } = unsafe { fork() }? {
            let Err(error) = reap(child);
            return Err(error);
        }
        Ok(())
    }

    /// Mounts the table of hosts, and the processes of the namespace. The table lies in memory that
    /// no other process sees, and that is gone with the last one in the namespace.
    fn mount(&self) -> Result<(), Errno> {
        const NONE: Option<&CStr> = None;
        let quiet = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
        let (hosts, processes) = (c"/etc/hosts", c"/proc");
        mount(NONE, c"/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)?;
        mount(Some(c"tmpfs"), processes, Some(c"tmpfs"), quiet, NONE)?;
        let flags = OFlag::O_CREAT | OFlag::O_WRONLY | OFlag::O_CLOEXEC;
        let readable = Mode::from_bits_truncate(0o644);
        let table = open(c"/proc/hosts", flags, readable)?;
        fchmod(&table, readable)?;
        write(&table, self.hosts.as_bytes())?;
        mount(Some(c"/proc/hosts"), hosts, NONE, MsFlags::MS_BIND, NONE)?;
        umount2(processes, MntFlags::MNT_DETACH)?;
        mount(Some(c"proc"), processes, Some(c"proc"), quiet, NONE)
    }
}

/// Waits for a child and ends with its code.
fn follow(child: Pid) -> Result<Infallible, Errno> {
    keep_out()?;
    loop {
        match waitpid(child, None) {
            Ok(status) => leave_with(status),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Waits for all processes of the namespace, and ends with the code of the `child`.
fn reap(child: Pid) -> Result<Infallible, Errno> {
    keep_out()?;
    loop {
        match wait() {
            Ok(status) if status.pid() == Some(child) => leave_with(status),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Leaves signals to the program, and closes all files but those of the program's own streams:
/// others wait for their ends.
fn keep_out() -> Result<(), Errno> {
    for one in FOR_PROGRAM {
        // SAFETY: no handler is installed.
        unsafe { signal(one, SigHandler::SigIgn) }?;
    }
    // SAFETY: nothing in this process uses these descriptors any more.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
    Errno::result(closed).map(drop)
}

/// Ends the process if another one has ended.
fn leave_with(status: WaitStatus) {
    let code = match status {
        WaitStatus::Exited(_, code) => code,
        WaitStatus::Signaled(_, signal, _) => BY_SIGNAL + signal as i32,
        _ => return,
    };
    // SAFETY: it ends the process without running anything of it.
    unsafe { libc::_exit(code) }
}

/// Path of a program that can be started, looked for as a shell does.
pub(in crate::linux) fn path_of(program: &str) -> io::Result<std::path::PathBuf> {
    use std::path::{Path, PathBuf};
    let is_program = |path: &Path| {
        path.is_file() && nix::unistd::access(path, nix::unistd::AccessFlags::X_OK).is_ok()
    };
    let places = if program.contains('/') {
        vec![PathBuf::from(program)]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).map(|folder| folder.join(program)).collect()
    };
    let found = places.into_iter().find(|path| is_program(path));
    found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such program"))
}
