//! Pages of the World Wide Web with their objects: the HTML is requested first, and when it has
//! arrived and is parsed, all its objects are requested at once on the same connection, as HTTP/2
//! multiplexes them (RFC 9113 §5). When the last byte of the last object has arrived, the page is
//! loaded; the user reads it, and goes on to the next.
//!
//! With several `connections` they are those of HTTP/1.1 instead (`fetch.rs`): the HTML comes on
//! the first, the others open when there are objects for them, and all stay open for the next page.
//!
//! The load time runs from the start of the flow for the first page, so that with `tcp.handshake`
//! it counts the handshake from the first SYN, and from the request of the HTML for the others,
//! whose connection is open.
//!
//! Source: the traffic model of 3GPP2 C.R1002-0, also of IEEE 802.16m-08/004r5 §10 (quoted from
//! memory, certain of the numbers, as the test of the means shows): HTML lognormal with μ = 8.37
//! and σ = 1.37 up to 2 MB; objects lognormal with μ = 6.17 and σ = 2.36 up to 2 MB; their number a
//! Pareto of shape 1.1 from 2 to 55, cut off there, less 2, that is 5.64 on average; reading 30 s,
//! exponential. It is of 2003: pages of 2020s have about 70 objects and 2 MB (an assumption of
//! ours, the size of the medians that surveys of the web report), which
//! `objects = { fixed = 70 }, object = { lognormal = { median = "10 kB", sigma = 1.4 } }`
//! resembles.
//!
//! Departures: requests are 350 B with all headers; parsing takes no time unless it is given, where
//! the source has 0.13 s; sizes below 50 and 100 B are drawn, too; the server sends the objects one
//! after the other, which changes no load time, since that is of the last byte.

use super::AnyApplication;
use super::application::{Application, Offer, PageCounters, Writes};
use super::asked::{Asked, Server};
use super::fetch::Fetcher;
use super::size::{Size, WRITE_SIZE};
use super::source::Site;
use crate::engine::{RandomSpan, Stream};
use crate::language::interval::{Bound, Interval};
use crate::language::part::prelude::*;
use crate::units::Time;

const SHAPE: Interval = Interval { min: Bound::From(0.1), max: Bound::From(100.0) };

part! {
    /// Parameters of pages with objects.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PagePlan {
        /// Bytes of a request.
        request: Size = default("350 B", "\"500 B\"") as WRITE_SIZE,
        /// Bytes of the HTML.
        html: Size = default(
            "{ lognormal = { median = \"4316 B\", sigma = 1.37, max = \"2 MB\" } }",
            "\"30 kB\""
        ) as WRITE_SIZE,
        /// Number of objects of a page, apart from the HTML.
        objects: Objects = default("pareto", "{ fixed = 70 }"),
        /// Bytes of an object.
        object: Size = default(
            "{ lognormal = { median = \"478 B\", sigma = 2.36, max = \"2 MB\" } }",
            "{ lognormal = { median = \"10 kB\", sigma = 1.4, max = \"2 MB\" } }"
        ) as WRITE_SIZE,
        /// Time from the arrival of the HTML to the requests of its objects.
        parsing: RandomSpan = default("0 s", "{ exponential = { mean = \"130 ms\" } }"),
        /// Time from a loaded page to the request of the next.
        reading: RandomSpan = default("{ exponential = { mean = \"30 s\" } }", "\"5 s\""),
        /// Number of pages.
        pages: Option<u64> = absent("until the flow stops", "20")
            as Kind::Integer { min: 1, max: 1_000_000_000 },
        /// TCP connections, each of which requests an object when its last one is complete.
        connections: Option<u64> = absent("one, and all objects are requested at once", "6")
            as Kind::Integer { min: 1, max: 64 },
    }
}

variants! {
    /// `flow.traffic.page.objects`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Objects {
        /// The same for each page.
        Fixed(u64) = "fixed" value("70") as Kind::Integer { min: 0, max: 100_000 },
        /// Pareto, cut off at a maximum, less its minimum.
        Pareto(ParetoObjects) = "pareto",
    }
}

part! {
    /// Parameters of Pareto numbers.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ParetoObjects {
        /// k: minimum, which is subtracted from a draw.
        min: u64 = default("2", "1") as Kind::Integer { min: 1, max: 100_000 },
        /// α: the smaller, the heavier the tail.
        shape: f64 = default("1.1", "1.5") as Kind::Number(SHAPE),
        /// m: a draw above it counts as this.
        max: u64 = default("55", "100") as Kind::Integer { min: 1, max: 100_000 },
    }
    finish ParetoObjects::checked;
}

impl ParetoObjects {
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        if self.min <= self.max {
            return Ok(self);
        }
        let message = format!(
            "`{}.max` of {} is below `min`, which is {}; expected at least that",
            section.place(),
            self.max,
            self.min
        );
        Err(Fault::new(&section.place_below("max", &[]), message))
    }
}

impl Objects {
    fn draw(self, stream: &mut Stream) -> u64 {
        match self {
            Self::Fixed(number) => number,
            Self::Pareto(ParetoObjects { min, shape, max }) => {
                let draw = min as f64 * libm::pow(1.0 - stream.unit(), -1.0 / shape);
                ((draw.min(max as f64) + 0.5) as u64).saturating_sub(min)
            }
        }
    }
}

impl Writes for PagePlan {
    type Application = Box<Browser>;

    fn application(&self, site: &Site<'_>) -> Box<Browser> {
        let stream = site.stream;
        Box::new(Browser {
            requests: (self.request.clone(), stream("requests")),
            html: (self.html.clone(), stream("HTML")),
            objects: (self.objects, stream("objects")),
            object: (self.object.clone(), stream("sizes of objects")),
            parsing: (self.parsing, stream("parsing")),
            reading: (self.reading, stream("reading")),
            left: self.pages,
            asked: site.asked.clone(),
            fetcher: (self.connections > Some(1)).then(|| Fetcher::new(site.asked)),
            end: 0,
            due: 0,
            due_objects: 0,
            state: State::Reading(site.start),
            counters: PageCounters::default(),
            completed: None,
        })
    }

    fn has_responses(&self) -> bool {
        true
    }

    fn responder(&self, site: &Site<'_>) -> Option<AnyApplication> {
        Some(AnyApplication::Server(Box::new(Server::new(site.asked))))
    }
}

/// The application that loads pages.
#[derive(Debug)]
pub struct Browser {
    requests: (Size, Stream),
    html: (Size, Stream),
    objects: (Objects, Stream),
    object: (Size, Stream),
    parsing: (RandomSpan, Stream),
    reading: (RandomSpan, Stream),
    /// Pages that are still to be requested; `None` for no limit.
    left: Option<u64>,
    asked: Asked,
    /// Takes objects one after the other, if there are further connections.
    fetcher: Option<Fetcher>,
    /// Bytes of all that was asked for.
    end: u64,
    /// Bytes of requests to write now.
    due: u64,
    /// Objects that they ask for.
    due_objects: u64,
    state: State,
    counters: PageCounters,
    /// The instant at which the load of the page began that has just ended.
    completed: Option<Time>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// The next page is requested at this instant.
    Reading(Time),
    /// The HTML is on its way; the load began at this instant.
    Html(Time),
    /// Objects are requested at the second instant; the load began at the first.
    Parsing(Time, Time),
    /// Objects are on their way; the load began at this instant.
    Objects(Time),
    /// No page is left.
    Done,
}

impl Browser {
    fn ask(&mut self, response: u64) {
        let request = self.requests.0.draw(&mut self.requests.1);
        self.asked.ask(request, response);
        self.due += request;
        self.end += response;
        if let Some(fetcher) = &mut self.fetcher {
            fetcher.expect(response);
        }
    }

    fn ask_for_objects(&mut self) {
        for _ in 0..self.objects.0.draw(&mut self.objects.1) {
            let size = self.object.0.draw(&mut self.object.1);
            if self.fetcher.is_some() {
                let request = self.requests.0.draw(&mut self.requests.1);
                self.asked.objects.add(request, size);
            } else {
                self.ask(size);
                self.due_objects += 1;
            }
        }
    }

    fn on_loaded(&mut self, since: Time, now: Time) -> State {
        self.completed = Some(since);
        self.counters.loads.push(now - since);
        if self.left == Some(0) {
            return State::Done;
        }
        State::Reading(now.saturating_add(self.reading.0.draw(&mut self.reading.1)))
    }

    /// Does what is due; true if the state has changed.
    fn go_on(&mut self, now: Time, delivered: Option<u64>) -> bool {
        let end = self.fetcher.as_ref().map_or(self.end, Fetcher::end);
        let is_whole = delivered.is_some_and(|delivered| delivered >= end);
        let has_objects =
            if self.fetcher.is_some() { self.asked.objects.is_empty() } else { is_whole };
        self.state = match self.state {
            State::Html(since) if is_whole => {
                let parsing = self.parsing.0.draw(&mut self.parsing.1);
                State::Parsing(since, now.saturating_add(parsing))
            }
            State::Parsing(since, at) if at <= now => {
                self.ask_for_objects();
                State::Objects(since)
            }
            State::Objects(since) if has_objects => self.on_loaded(since, now),
            State::Reading(at) if at <= now => {
                self.left = self.left.map(|left| left - 1);
                let size = self.html.0.draw(&mut self.html.1);
                self.ask(size);
                State::Html(now)
            }
            _ => return false,
        };
        true
    }
}

impl Application for Box<Browser> {
    fn on_delivered(&mut self, now: Time, delivered: u64) {
        if let Some(fetcher) = &mut self.fetcher {
            fetcher.on_delivered(now, delivered);
        }
        // A new page begins with the next write: a flow that has stopped requests no more.
        while !matches!(self.state, State::Reading(_)) && self.go_on(now, Some(delivered)) {}
    }

    fn poll(&mut self, now: Time, _acked: u64) -> Offer {
        while !matches!(self.state, State::Html(_)) && self.go_on(now, None) {}
        if let Some(fetcher) = &mut self.fetcher {
            self.due += fetcher.next();
        }
        // A flow that has stopped writes no request, and asks for nothing.
        self.counters.objects_asked += std::mem::take(&mut self.due_objects);
        let offer = Offer::bytes(std::mem::take(&mut self.due));
        match self.state {
            State::Reading(at) | State::Parsing(_, at) => offer.and_again_at(at),
            _ => offer,
        }
    }

    fn is_through(&self, _acked: u64) -> bool {
        self.state == State::Done
    }

    fn take_completed(&mut self) -> Option<Time> {
        self.completed.take()
    }

    fn is_wanted(&self) -> bool {
        let fetches = self.fetcher.as_ref().is_some_and(Fetcher::is_wanted);
        let is_loaded = matches!(self.state, State::Objects(_)) && self.asked.objects.is_empty();
        self.fetcher.is_some() && (fetches || is_loaded)
    }

    fn pages(&self) -> Option<PageCounters> {
        let mut counters = self.counters.clone();
        counters.objects_asked += self.asked.objects.requested();
        Some(counters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bytes, Span};

    fn at(milliseconds: i64) -> Time {
        Time::ZERO + Span::from_milliseconds(milliseconds)
    }

    /// HTML of 1000 bytes and three objects of 200, by hand: requests, parsing, load times,
    /// reading.
    #[test]
    fn objects_are_requested_when_the_html_is_parsed() {
        let plan = PagePlan {
            request: Size::Fixed(Bytes(100)),
            html: Size::Fixed(Bytes(1000)),
            objects: Objects::Fixed(3),
            object: Size::Fixed(Bytes(200)),
            parsing: RandomSpan::Fixed(Span::from_milliseconds(5)),
            reading: RandomSpan::Fixed(Span::from_milliseconds(50)),
            pages: Some(2),
            connections: None,
        };
        let site = Site::bare(at(10), Time::MAX);
        let mut browser = plan.application(&site);
        assert_eq!(browser.poll(at(10), 0), Offer::bytes(100));
        browser.on_delivered(at(20), 1000);
        assert_eq!(browser.poll(at(20), 100), Offer::NOTHING.and_again_at(at(25)));
        browser.on_delivered(at(25), 1000);
        assert_eq!(browser.poll(at(25), 100), Offer::bytes(300));
        browser.on_delivered(at(31), 1599);
        assert_eq!(browser.take_completed(), None);
        browser.on_delivered(at(32), 1600);
        assert_eq!(browser.take_completed(), Some(at(10)));
        assert_eq!(browser.poll(at(32), 400), Offer::NOTHING.and_again_at(at(82)));
        assert_eq!(browser.poll(at(82), 400), Offer::bytes(100));
        browser.on_delivered(at(90), 2600);
        browser.poll(at(95), 500);
        browser.on_delivered(at(99), 3200);
        assert!(browser.is_through(800));
        let loads = [22, 17].map(Span::from_milliseconds).to_vec();
        assert_eq!(browser.pages(), Some(PageCounters { loads, objects_asked: 6 }));
    }

    /// A flow that stops while its HTML arrives is told of the arrival and does not write any more:
    /// it has asked for no object.
    #[test]
    fn objects_that_are_not_requested_do_not_count() {
        let html = Size::Fixed(Bytes(1000));
        let plan = PagePlan { html, objects: Objects::Fixed(3), ..defaults::<PagePlan>() };
        let mut browser = plan.application(&Site::bare(at(0), Time::MAX));
        browser.poll(at(0), 0);
        browser.on_delivered(at(20), 1000);
        assert_eq!(browser.pages(), Some(PageCounters::default()));
        browser.poll(at(20), 0);
        assert_eq!(browser.pages().map(|pages| pages.objects_asked), Some(3));
    }

    /// Numbers of objects have the mean of the source, 5.64, and its maximum, 53.
    #[test]
    fn a_page_has_five_and_a_half_objects_on_average() {
        let mut stream = Stream::new(1, "objects");
        let objects = defaults::<PagePlan>().objects;
        let drawn: Vec<u64> = (0..200_000).map(|_| objects.draw(&mut stream)).collect();
        let mean = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        assert!((mean - 5.64).abs() < 0.1, "{mean}");
        assert_eq!(drawn.iter().max(), Some(&53));
    }
}
