//! Meaning of one test: its traffic, or that it receives, its protocol, and its ends.

use std::ops::Range;

use crate::arguments::{Arguments, microseconds, period, size};
use crate::script::{Test, Value};
use crate::text::Word;
use cellway_sim::scenario::{Fault, did_you_mean, nearest, one_of};
use cellway_sim::traffic::{
    Burst, BurstQueued, ConferencePlan, FullPlan, MAX_REPEATS, Mpeg, MpegPlan, Size, TimedBlocks,
    Traffic, Videoconference,
};
use cellway_sim::units::{Bytes, Span, quoted};

/// A test whose statements have been read.
#[derive(Clone, Debug)]
pub(crate) struct Meant {
    pub(crate) role: Role,
    pub(crate) protocol: Protocol,
    pub(crate) own: Port,
    pub(crate) peer: Port,
    pub(crate) at: Range<usize>,
    /// Place of the value of `type`.
    pub(crate) type_at: Range<usize>,
    /// Place of the value of `protocol`, or of the test.
    pub(crate) protocol_at: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Role {
    Source(Traffic),
    /// Datagrams at the rate of the interface.
    UdpFull(FullPlan),
    Sink,
}

impl Role {
    /// Returns the value of `type`.
    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Source(traffic) => traffic.word(),
            Self::UdpFull(_) => "full",
            Self::Sink => "sink",
        }
    }

    /// Duration of a source, if it is known.
    pub(crate) fn lasts(&self) -> Option<Span> {
        match self {
            Self::Source(traffic) => traffic.lasts(),
            Self::UdpFull(plan) => plan.duration,
            Self::Sink => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Protocol {
    pub(crate) is_tcp: bool,
    /// Socket buffer of the end.
    pub(crate) window: Option<Bytes>,
    /// The flow of the scenario whose settings the connection has.
    pub(crate) flow: Option<Word>,
}

/// A host and a port there.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    pub(crate) host: Word,
    pub(crate) number: u16,
}

impl Port {
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.host.text == other.host.text && self.number == other.number
    }

    pub(crate) fn text(&self) -> String {
        format!("{}:{}", self.host.text, self.number)
    }
}

pub(crate) fn meaning(test: &Test) -> Result<Meant, Fault> {
    let find = |name: &str| {
        let found = test.statements.iter().find(|statement| statement.name.text == name);
        found.map(|statement| &statement.value)
    };
    let required = |name: &str, expected: &str| {
        find(name).ok_or_else(|| {
            let message = format!("`test` needs `{name}`; expected for instance `{expected};`");
            Fault::new(&test.at, message)
        })
    };
    let kind = required("type", "type = full (blocksize = 131072, duration = 10)")?;
    let own = port(required("own", "own = ku:45000")?, "own")?;
    let peer = port(required("peer", "peer = edc:45000")?, "peer")?;
    if let Some(host) = test.host.as_ref().filter(|host| host_of(&host.text) != own.host.text) {
        let message = format!(
            "the test runs at {}, and its `own` is at {}; expected one host",
            quoted(&host.text),
            quoted(&own.host.text)
        );
        return Err(Fault::new(&own.host.at, message));
    }
    let protocol = find("protocol");
    let protocol_at = protocol.map_or(&test.at, |value| &value.word.at).clone();
    let protocol =
        protocol.map_or(Ok(Protocol { is_tcp: true, window: None, flow: None }), read)?;
    let role = role(kind, &protocol)?;
    let (at, type_at) = (test.at.clone(), kind.word.at.clone());
    Ok(Meant { role, protocol, own, peer, at, type_at, protocol_at })
}

/// The host of a name; the part behind a dot names an interface.
fn host_of(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn port(value: &Value, name: &str) -> Result<Port, Fault> {
    Arguments::of(value, &[])?;
    let Word { text, at } = &value.word;
    let split = text.rsplit_once(':');
    let number = split.and_then(|(_, number)| number.parse().ok()).filter(|&number| number > 0);
    match (split, number) {
        (Some((host, _)), Some(number)) if !host_of(host).is_empty() => {
            let host = Word { text: host_of(host).to_owned(), at: at.clone() };
            Ok(Port { host, number })
        }
        _ => {
            let message =
                format!("`{name}`: found {}; expected host:port, such as `ku:45000`", quoted(text));
            Err(Fault::new(at, message))
        }
    }
}

fn read(value: &Value) -> Result<Protocol, Fault> {
    const KNOWN: [&str; 2] = ["tcp", "udp"];
    let word = &value.word;
    if !KNOWN.contains(&word.text.as_str()) {
        let what = format!("protocol {}", quoted(&word.text));
        return Err(Fault::unknown(&word.at, &what, &word.text, &KNOWN));
    }
    let found = Arguments::of(value, &["window", "flow"])?;
    let flow = found.get("flow").map(|flow| Arguments::of(flow, &[]).map(|_| flow.word.clone()));
    let (is_tcp, window) = (word.text == "tcp", found.bytes("window")?);
    Ok(Protocol { is_tcp, window, flow: flow.transpose()? })
}

fn role(value: &Value, protocol: &Protocol) -> Result<Role, Fault> {
    const KNOWN: [&str; 4] = ["full", "burst", "burstq", "sink"];
    match value.word.text.as_str() {
        "full" => {
            let plan = full(value)?;
            let blocks = Role::Source(Traffic::Full(plan.clone()));
            Ok(if protocol.is_tcp { blocks } else { Role::UdpFull(plan) })
        }
        "burst" => timed(value).map(Burst::new).map(Traffic::Burst).map(Role::Source),
        "burstq" => match video(value)? {
            Some(frames) => Ok(Role::Source(frames)),
            None => {
                timed(value).map(|plan| Role::Source(Traffic::BurstQueued(BurstQueued::new(plan))))
            }
        },
        // A sink reads all data at once, until none arrive.
        "sink" => {
            let found = Arguments::of(value, &["blocksize", "duration", "buffer"])?;
            found.bytes("blocksize")?;
            found.bytes("buffer")?;
            found.seconds("duration")?;
            Ok(Role::Sink)
        }
        word => {
            let message = format!("unknown type {}; expected {}", quoted(word), one_of(&KNOWN));
            let hint = nearest(word, &KNOWN).map(did_you_mean);
            Err(Fault::new(&value.word.at, message).with_hint(hint))
        }
    }
}

/// Traffic of video, whose frames depend on those before and are not drawn separately as blocks.
fn video(value: &Value) -> Result<Option<Traffic>, Fault> {
    let known = ["blocksize", "period", "duration", "buffer"];
    let block = value.arguments.iter().find(|argument| argument.name.text == "blocksize");
    let Some(frame) = block.map(|block| &block.value) else { return Ok(None) };
    let is_mpeg = match frame.word.text.as_str() {
        "VideoMPEGFrameSize" => true,
        "VideoTeleConferenceFrameSize" => false,
        _ => return Ok(None),
    };
    Arguments::of(frame, &[])?;
    let found = Arguments::of(value, &known)?;
    found.bytes("buffer")?;
    let duration = found.seconds("duration")?;
    let interval = found.get("period").map(|each| microseconds(each, "period")).transpose()?;
    Ok(Some(if is_mpeg {
        let plan = MpegPlan::default();
        let interval = interval.unwrap_or(plan.interval);
        Traffic::Mpeg(Mpeg::new(MpegPlan { interval, duration, ..plan }))
    } else {
        let plan = ConferencePlan::default();
        let interval = interval.unwrap_or(plan.interval);
        Traffic::Videoconference(Videoconference::new(ConferencePlan {
            interval,
            duration,
            ..plan
        }))
    }))
}

fn full(value: &Value) -> Result<FullPlan, Fault> {
    let found = Arguments::of(value, &["blocksize", "duration", "repeats", "buffer"])?;
    found.bytes("buffer")?;
    let block = found.get("blocksize").map(|value| size(value, "blocksize")).transpose()?;
    Ok(FullPlan {
        block: block.unwrap_or(Size::Fixed(Bytes(32 << 10))),
        duration: found.seconds("duration")?,
        repeats: found.count("repeats", MAX_REPEATS)?,
    })
}

fn timed(value: &Value) -> Result<TimedBlocks, Fault> {
    let known = ["blocksize", "period", "duration", "repeats", "buffer"];
    let found = Arguments::of(value, &known)?;
    // The buffer that blocks are copied from has no effect here.
    found.bytes("buffer")?;
    let block = found.required("blocksize", "a number of bytes, such as `blocksize = 43750`")?;
    let each = found.required("period", "a number of microseconds, such as `period = 10000`")?;
    Ok(TimedBlocks {
        block: size(block, "blocksize")?,
        period: period(each, "period")?,
        duration: found.seconds("duration")?,
        repeats: found.repeats(MAX_REPEATS)?,
    })
}
