//! Traffic of flows: applications of TCP connections, and sources of raw cells or of datagrams,
//! which need no connection; a source may write to one, too.
//!
//! An application or a source of ours is a file here with its parameters, its `mod` line and its
//! line in the list `traffic!` below. One from outside implements [`Application`] or [`Spacing`]
//! and is given to [`Builder::application`](crate::Builder::application) or
//! [`Builder::source`](crate::Builder::source).

mod adaptation;
mod adaptive_video;
mod application;
mod asked;
mod bernoulli;
mod burst;
mod call;
mod cbr;
mod datagrams;
mod dscp;
mod exponential_on_off;
mod fetch;
mod frames;
mod ftp;
mod full;
mod game;
mod greedy;
mod heavy_tails;
mod ladder;
mod live;
mod mpeg;
mod on_off;
mod page;
mod playback;
mod poisson;
mod relay;
mod request_response;
mod schedule;
mod sends;
mod size;
mod source;
mod timed_writes;
mod transfer;
mod ttcp;
mod video;
mod videoconference;
mod voice;
mod www;

pub use adaptation::{
    Adaptation, AdaptationRule, AnyRule, BufferBased, BufferBasedPlan, Facts, RateBased,
    RateBasedPlan,
};
pub use adaptive_video::{AdaptiveVideoPlan, Player};
pub use application::{Application, BlockCounters, Offer, PageCounters, Write, Writes};
pub use asked::{Asked, Server};
pub use bernoulli::{Bernoulli, Slots};
pub use burst::{BlockWrites, Blocks, Burst, BurstQueued, Ticks, TimedBlocks};
pub use call::{Call, CallPlan};
pub use cbr::{Cbr, Constant};
pub use datagrams::DatagramSource;
pub use dscp::Dscp;
pub use exponential_on_off::{ExponentialBursts, ExponentialOnOff};
pub use fetch::Fetcher;
pub use frames::Sizes;
pub use ftp::{Ftp, FtpPlan};
pub use full::{Full, FullPlan, MAX_REPEATS};
pub use game::{Game, GamePlan};
pub use greedy::Greedy;
pub use heavy_tails::{Lognormal, Pareto};
pub use ladder::Ladder;
pub use live::{Live, LivePlan};
pub use mpeg::{Mpeg, MpegFrames, MpegPlan};
pub use on_off::{OnOff, PeriodicBursts};
pub use page::{Browser, Objects, PagePlan, ParetoObjects};
pub use playback::PlaybackCounters;
pub use poisson::{Exponential, Poisson};
pub use relay::{Relay, RelayPlan};
pub use request_response::{Client, RequestResponsePlan, Responder};
pub use schedule::{ListedWrites, SchedulePlan};
pub use sends::{Offered, Sends};
pub use size::{ExponentialSize, MAX_DATAGRAM, Mix, Size, SizeDistribution, SizeRange};
pub use source::{Instants, OwnSpacing, Site, Source, Spacing};
pub use timed_writes::TimedWrites;
pub use ttcp::{Ttcp, TtcpPlan};
pub use video::{FramePlan, Video};
pub use videoconference::{ConferenceFrames, ConferencePlan, Videoconference};
pub use voice::{Voice, VoicePlan};
pub use www::WwwPlan;

use crate::engine::delegate;
use crate::language::part::prelude::*;
use crate::pdu::IpVersion;
use crate::units::{Span, Time};

/// The load of a source of raw cells or datagrams, known before a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceLoad {
    /// Load of a link while it sends at its maximum rate.
    pub offered: Offered,
    /// The keys below `traffic` that lead to that rate.
    pub keys: [&'static str; 2],
    /// Fraction of the time in which it sends at that rate.
    pub busy_part: f64,
    /// Time from one to the next at that rate.
    pub interval: Span,
    /// True if it sends at random instants.
    pub is_random: bool,
    /// The maximum time from one to the next, picoseconds.
    pub max_gap: u128,
}

impl SourceLoad {
    fn of(source: &dyn Source, word: &'static str, ip: IpVersion) -> Self {
        let interval = source.interval();
        Self {
            offered: source.sends().load(ip),
            keys: [word, source.rate_key()],
            busy_part: source.busy_part(),
            interval,
            is_random: source.is_random(),
            max_gap: source.max_gap(interval.picoseconds() as u128),
        }
    }
}

/// Parameters of traffic, as far as they are asked before a run.
#[derive(Clone, Copy)]
enum Parameters<'a> {
    /// Data without end, which has none.
    Greedy,
    /// An application of a connection.
    Application(&'a dyn Writes),
    /// A source of raw cells, datagrams or writes.
    Source(&'a dyn Source),
}

impl<'a> Parameters<'a> {
    /// The source; `None` for an application.
    fn source(self) -> Option<&'a dyn Source> {
        match self {
            Self::Greedy | Self::Application(_) => None,
            Self::Source(plan) => Some(plan),
        }
    }

    /// The application with parameters; `None` for a source.
    fn application(self) -> Option<&'a dyn Writes> {
        match self {
            Self::Greedy | Self::Source(_) => None,
            Self::Application(plan) => Some(plan),
        }
    }
}

impl Traffic {
    /// Makes the application at the other end of a connection; `None` if that only receives.
    pub fn responder(&self, site: &Site<'_>) -> Option<AnyApplication> {
        self.parameters().application()?.responder(site)
    }

    /// Load of raw cells or datagrams; `None` for traffic that writes on a connection.
    pub fn load(&self, ip: IpVersion) -> Option<SourceLoad> {
        self.source(ip).filter(|load| !matches!(load.offered, Offered::Writes { .. }))
    }

    /// Load of a source, also of one that writes; `None` for an application.
    pub fn source(&self, ip: IpVersion) -> Option<SourceLoad> {
        self.parameters().source().map(|plan| SourceLoad::of(plan, self.word(), ip))
    }

    /// Sizes of its datagrams in sequence; `None` for an application, or cells.
    pub fn sizes(&self, site: &Site<'_>) -> Option<Sizes> {
        self.parameters().source()?.sizes(site)
    }

    /// Time for which it sends or writes from the start of its flow, if that is given.
    pub fn lasts(&self) -> Option<Span> {
        match self.parameters() {
            Parameters::Greedy => None,
            Parameters::Application(plan) => plan.lasts(),
            Parameters::Source(plan) => plan.lasts(),
        }
    }

    /// Time after which its datagrams are late, if it has one of its own.
    pub fn deadline(&self) -> Option<Span> {
        self.parameters().source()?.deadline()
    }

    /// True if it sends blocks without a connection, which are counted.
    pub fn counts_blocks(&self) -> bool {
        self.parameters().source().is_some_and(source::Source::counts_blocks)
    }

    /// True if the other end writes, too, and response times are counted.
    pub fn has_responses(&self) -> bool {
        self.parameters().application().is_some_and(application::Writes::has_responses)
    }

    /// Payload of its datagrams; `None` for raw cells, or an application.
    pub fn datagram(&self) -> Option<&Size> {
        self.parameters().source()?.sends().datagram.as_ref()
    }
}

/// Declares each application and each source in one line, `Variant(parameters) = "word"`: the enum
/// of a scenario, applications and spacings, dispatched statically, and their common methods.
macro_rules! traffic {
    (
        applications {
            $($(#[doc = $app_doc:literal])+ $App:ident($AppPlan:ty) = $app_word:literal,)+
        }
        sources {
            $($(#[doc = $doc:literal])+ $Raw:ident($Plan:ty) = $word:literal,)+
        }
    ) => {
        variants! {
            /// `flow.traffic`.
            #[derive(Clone, Debug, PartialEq)]
            pub enum Traffic {
                /// Data without end.
                Greedy = "greedy",
                $($(#[doc = $app_doc])+ $App($AppPlan) = $app_word,)+
                $($(#[doc = $doc])+ $Raw($Plan) = $word,)+
            }
        }

        impl Traffic {
            /// Makes the application that writes on a connection; `None` for a source of raw cells
            /// or datagrams.
            pub fn application(&self, site: &Site<'_>) -> Option<AnyApplication> {
                match self {
                    Self::Greedy => Some(AnyApplication::Greedy(Greedy::default())),
                    $(Self::$App(plan) => Some(AnyApplication::$App(plan.application(site))),)+
                    $(Self::$Raw(plan) => {
                        plan.application(site, AnySpacing::$Raw(plan.spacing(site)))
                    })+
                }
            }

            /// Makes the spacing of raw cells or datagrams; `None` for an application.
            pub fn spacing(&self, site: &Site<'_>) -> Option<AnySpacing> {
                match self {
                    Self::Greedy $(| Self::$App(_))+ => None,
                    $(Self::$Raw(plan) => Some(AnySpacing::$Raw(plan.spacing(site))),)+
                }
            }

            /// Makes the traffic of a flow without a transport.
            #[must_use]
            pub fn without_transport(self) -> Self {
                match self {
                    $(Self::$Raw(plan) => Self::$Raw(plan.without_transport()),)+
                    other => other,
                }
            }

            /// Parameters of the application, or of the source.
            fn parameters(&self) -> Parameters<'_> {
                match self {
                    Self::Greedy => Parameters::Greedy,
                    $(Self::$App(plan) => Parameters::Application(plan),)+
                    $(Self::$Raw(plan) => Parameters::Source(plan),)+
                }
            }
        }

        /// The applications of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnyApplication {
            /// Data without end.
            Greedy(Greedy),
            /// Writes of a source.
            TimedWrites(Box<TimedWrites>),
            /// Writes of blocks.
            BlockWrites(Box<BlockWrites>),
            /// The other end of requests.
            Responder(Box<Responder>),
            /// The other end of requests with content.
            Server(Box<Server>),
            /// A further connection of pages.
            Fetcher(Box<Fetcher>),
            $($(#[doc = $app_doc])+ $App(<$AppPlan as Writes>::Application),)+
            /// An application from outside.
            Own(Box<dyn Application>),
        }

        impl Application for AnyApplication {
            delegate! {
                [Greedy, TimedWrites, BlockWrites, Responder, Server, Fetcher, $($App,)+ Own]
                #[inline]
                fn poll(&mut self, now: Time, acked: u64) -> Offer;
                #[inline]
                fn is_through(&self, acked: u64) -> bool;
                #[inline]
                fn on_delivered(&mut self, now: Time, delivered: u64);
                fn take_completed(&mut self) -> Option<Time>;
                fn is_wanted(&self) -> bool;
                fn written_at_stop(&self, taken: u64) -> Option<u64>;
                fn blocks(&self, taken: u64) -> Option<BlockCounters>;
                fn pages(&self) -> Option<PageCounters>;
                fn playback(&self) -> Option<PlaybackCounters>;
            }
        }

        /// The spacings of the list, dispatched statically, and those from outside.
        #[derive(Debug)]
        pub enum AnySpacing {
            $($(#[doc = $doc])+ $Raw(<$Plan as Source>::Spacing),)+
            /// A spacing from outside.
            Own(OwnSpacing),
        }

        impl Spacing for AnySpacing {
            delegate! { [$($Raw,)+ Own]
                fn first(&mut self, start: Time) -> Time;
                // Called for every raw cell; with so many arms it is not inlined otherwise.
                #[inline(always)]
                fn next_after(&mut self, now: Time) -> Time;
                #[inline]
                fn constant_gap(&self) -> Option<Span>;
            }
        }
    };
}

traffic! {
    applications {
        /// The send buffer is kept full by blocks of one size.
        Ttcp(ttcp::TtcpPlan) = "ttcp",
        /// Consecutive blocks, each as soon as the previous one is written.
        Full(full::FullPlan) = "full",
        /// Listed writes, each at its instant.
        Schedule(schedule::SchedulePlan) = "schedule",
        /// Requests, their responses, and think times.
        RequestResponse(request_response::RequestResponsePlan) = "request_response",
        /// Bytes that arrive on other connections at the host that the flow comes from.
        Relay(relay::RelayPlan) = "relay",
        /// Pages, requested and read one after the other.
        Www(www::WwwPlan) = "www",
        /// Pages with their objects: the HTML, and then all objects at once.
        Page(page::PagePlan) = "page",
        /// Segments of video at bit rates that a player chooses.
        AdaptiveVideo(adaptive_video::AdaptiveVideoPlan) = "adaptive_video",
    }
    sources {
        /// Raw cells, datagrams or writes at a constant rate.
        Cbr(cbr::Cbr) = "cbr",
        /// Raw cells, datagrams or writes of a Poisson process.
        Poisson(poisson::Poisson) = "poisson",
        /// Raw cells, datagrams or writes in slots, each with the same probability.
        Bernoulli(bernoulli::Bernoulli) = "bernoulli",
        /// Raw cells, datagrams or writes in bursts of one length.
        OnOff(on_off::OnOff) = "on_off",
        /// Raw cells, datagrams or writes in bursts of random length.
        ExponentialOnOff(exponential_on_off::ExponentialOnOff) = "exponential_on_off",
        /// A block in each period, missed if the previous one is not written yet.
        Burst(burst::Burst) = "burst",
        /// A block in each period, queued behind those that are not written yet.
        BurstQueued(burst::BurstQueued) = "burstq",
        /// Files at random instants.
        Ftp(ftp::Ftp) = "ftp",
        /// Frames of MPEG video in groups of pictures.
        Mpeg(mpeg::Mpeg) = "mpeg",
        /// Frames of a video conference, which keep their size for a while.
        Videoconference(videoconference::Videoconference) = "videoconference",
        /// Packets of voice with silence suppression.
        Voice(voice::Voice) = "voice",
        /// Packets of a call, late after 150 ms.
        Call(call::Call) = "call",
        /// Packets of a game, late after 50 ms.
        Game(game::Game) = "game",
    }
}
