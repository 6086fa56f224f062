//! Places of a measurement: network namespaces without a name, TUN devices in them, addresses,
//! routes and settings. Nothing is persistent: all of it lasts as long as the descriptors of this
//! process, however that ends, and nothing of the host's own network is touched.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::thread;

use cellway_sim::scenario::AckRule;
use nix::sched::{CloneFlags, setns, unshare};

use super::sys;
use crate::kernel::{HEADERS, KernelPlan};
use crate::sysctls::Sysctls;

/// Packets that may wait in a device; more are lost, and counted.
const QUEUE_LENGTH: u32 = 20_000;

/// Least and first sizes of buffers of sockets, bytes: the kernel's own.
const LEAST_BUFFER: u64 = 4096;
const SENT: u64 = 16 << 10;
/// Room of a sending buffer beyond two windows.
const MORE: u64 = 1 << 20;

/// A network namespace.
#[derive(Debug)]
pub(super) struct Namespace(File);

impl Namespace {
    /// Makes a namespace with these settings, without IPv6.
    fn with(sysctls: &Sysctls) -> io::Result<Self> {
        let made = thread::scope(|scope| scope.spawn(make).join());
        let namespace = Self(made.expect("the thread does not panic")?);
        namespace.inside(|| {
            // Router solicitations would be packets on the path, too.
            for interfaces in ["all", "default"] {
                let file = format!("/proc/sys/net/ipv6/conf/{interfaces}/disable_ipv6");
                write_setting(&file, 1, true)?;
            }
            for (name, value) in sysctls.iter() {
                let file = format!("/proc/sys/net/ipv4/{name}");
                write_setting(&file, value, Sysctls::may_be_missing(name))?;
            }
            Ok(())
        })?;
        Ok(namespace)
    }

    /// Makes a namespace for programs: a host with a loopback device and buffers for `window`.
    pub(super) fn for_programs(sysctls: &Sysctls, window: u64) -> io::Result<Self> {
        let namespace = Self::with(sysctls)?;
        namespace.inside(|| {
            set_buffers(window)?;
            configure("link set lo up\n")
        })?;
        Ok(namespace)
    }

    /// A descriptor of the namespace.
    pub(super) fn descriptor(&self) -> io::Result<OwnedFd> {
        self.0.as_fd().try_clone_to_owned()
    }

    /// Packets that its devices lost because nobody read them in time.
    pub(super) fn lost_in_devices(&self) -> io::Result<u64> {
        self.inside(lost_here)
    }

    /// Calls `work` in a thread inside the namespace. Sockets that it makes stay inside.
    pub(super) fn inside<T: Send>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send,
    ) -> io::Result<T> {
        let enter = || {
            setns(&self.0, CloneFlags::CLONE_NEWNET)?;
            work()
        };
        thread::scope(|scope| scope.spawn(enter).join()).expect("the thread does not panic")
    }
}

/// Moves this thread, which then ends, to a new namespace.
fn make() -> io::Result<File> {
    unshare(CloneFlags::CLONE_NEWNET)?;
    File::open("/proc/thread-self/ns/net")
}

/// Writes a setting of the namespace of this thread.
fn write_setting(file: &str, value: u32, may_be_missing: bool) -> io::Result<()> {
    match fs::write(file, value.to_string()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && may_be_missing => Ok(()),
        written => {
            written.map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))
        }
    }
}

/// Addresses of a flow of at most 47 500: at its origin, and at its destination.
pub(super) fn addresses_of(number: usize) -> [Ipv4Addr; 2] {
    let (high, low) = (number / 250, number % 250);
    [1, 2].map(|end| Ipv4Addr::new(10, 64 + high as u8, 1 + low as u8, end))
}

/// Namespaces by host and settings.
#[derive(Debug, Default)]
pub(super) struct Places {
    namespaces: BTreeMap<(usize, Sysctls), Namespace>,
}

impl Places {
    /// The namespace of a host in which the kernel has these settings, made where it is missing.
    pub(super) fn of(&mut self, host: usize, sysctls: &Sysctls) -> io::Result<&Namespace> {
        let key = (host, sysctls.clone());
        if !self.namespaces.contains_key(&key) {
            self.namespaces.insert(key.clone(), Namespace::with(sysctls)?);
        }
        Ok(&self.namespaces[&key])
    }

    /// Packets that devices lost because nobody read them in time.
    pub(super) fn lost_in_devices(&self) -> io::Result<u64> {
        let lost = self.namespaces.values().map(Namespace::lost_in_devices);
        lost.sum()
    }
}

/// Packets lost by the devices of the namespace of this thread, sent and received.
fn lost_here() -> io::Result<u64> {
    let table = fs::read_to_string("/proc/thread-self/net/dev")?;
    let of_line = |line: &str| {
        let (_, numbers) = line.split_once(':')?;
        let numbers: Vec<u64> = numbers.split_whitespace().flat_map(str::parse).collect();
        Some(numbers.get(3)? + numbers.get(11)?)
    };
    Ok(table.lines().filter_map(of_line).sum())
}

/// Sets the buffers of sockets in the namespace of this thread, where programs set none: about this
/// window is offered, as the kernel counts memory rather than bytes, and sending buffers grow
/// beyond two of them.
fn set_buffers(window: u64) -> io::Result<()> {
    let room = |bytes: u64| bytes.clamp(LEAST_BUFFER, i32::MAX as u64 / 2);
    let (received, sent) = (room(window * 8 / 5), room(2 * window + MORE));
    fs::write("/proc/sys/net/ipv4/tcp_rmem", format!("{LEAST_BUFFER} {received} {received}"))?;
    fs::write("/proc/sys/net/ipv4/tcp_wmem", format!("{LEAST_BUFFER} {SENT} {sent}"))
}

/// Makes the device of an end of a flow of a measurement.
pub(super) fn make_device(
    number: usize,
    ends: [Ipv4Addr; 2],
    plan: &KernelPlan,
) -> io::Result<File> {
    device_with(number, ends, plan, "")
}

/// Makes the device of an end of a flow that is left to programs, whose sockets have congestion
/// control and window of the route.
pub(super) fn make_device_for_programs(
    number: usize,
    ends: [Ipv4Addr; 2],
    plan: &KernelPlan,
) -> io::Result<File> {
    let of_sockets = format!(" congctl {} window {}", plan.congestion, plan.window);
    device_with(number, ends, plan, &of_sockets)
}

/// Makes the device of an end of a flow in the namespace of this thread, with its address and the
/// route to the other end, which has `more` settings.
fn device_with(
    number: usize,
    [own, peer]: [Ipv4Addr; 2],
    plan: &KernelPlan,
    more: &str,
) -> io::Result<File> {
    let device = format!("flow{number}");
    let tun = sys::open_tun(&device)?;
    // The first window is offered before the socket has its clamp.
    let first_window = (plan.window / (plan.mtu - HEADERS)).max(1);
    let min_rto = plan.min_rto_ms.map_or(String::new(), |rto| format!(" rto_min {rto}ms"));
    let quickack = match plan.ack {
        AckRule::EverySegment => " quickack 1",
        AckRule::Delayed | AckRule::Quick(_) => "",
    };
    configure(&format!(
        "link set {device} txqueuelen {QUEUE_LENGTH} mtu {mtu} up\n\
         addr add {own}/32 dev {device}\n\
         route add {peer}/32 dev {device} src {own} initcwnd {cwnd} initrwnd {first_window}\
         {min_rto}{quickack}{more}\n",
        mtu = plan.mtu,
        cwnd = plan.initial_window
    ))?;
    Ok(tun)
}

/// Gives lines to `ip` in the namespace of this thread.
fn configure(lines: &str) -> io::Result<()> {
    let mut ip = Command::new("ip")
        .args(["-batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("ip (iproute2): {error}")))?;
    ip.stdin.take().expect("it is piped").write_all(lines.as_bytes())?;
    let ended = ip.wait_with_output()?;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    Err(io::Error::other(format!("ip (iproute2): {said}")))
}
