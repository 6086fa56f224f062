//! The variant keys of the language, each read into its type of the resolved scenario.

use crate::language::choice::{Choice, no_parameters, word};
use crate::language::fault::{At, Fault};
use crate::language::keys::Kind;
use crate::language::part::{Part, Value};
use crate::language::tree::{Node, Read, Section};
use crate::scenario::part::rate_of_cells::{cell_rate, of_line};
use crate::scenario::read::cell_time;
use crate::scenario::read::rate_control::{
    abr, overload_average, queue_control, rate_allocation, segmentation_room, use_it_or_lose_it,
};
use crate::scenario::resolved::{
    Buffer, CcrFrom, DrainRate, Excess, Gfr, OverloadAverage, Pacing, QueueControl, RateAllocation,
    Room, SegmentationRoom, Service, TargetOf, Traffic, UseItOrLoseIt,
};
use crate::units::{CellsOrPackets, Layer, LayeredRate, Rate};

/// Implements [`Read`] and the way back for a key whose variants are words only.
macro_rules! words {
    ($type:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl Read for $type {
            fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
                match word(node, kind, place)? {
                    $($word => Ok(Self::$variant),)+
                    other => unreachable!("`{other}` is a word of the language without a meaning"),
                }
            }
        }

        impl Value for $type {
            fn write(&self) -> String {
                format!("\"{}\"", self.word())
            }
        }

        impl $type {
            /// The word of the language for it.
            pub(crate) const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}

words!(TargetOf { Link = "link", Remainder = "remainder" });
words!(DrainRate { AbrCapacity = "abr_capacity", Link = "link" });
words!(CcrFrom { RmCell = "rm_cell", Measurement = "measured" });
words!(Excess { Equal = "equal", ByMcr = "by_mcr" });

/// Implements [`Read`] for a key with parameters: a function of the choice made.
macro_rules! variants {
    ($type:ty, $from_choice:ident) => {
        impl Read for $type {
            fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
                let nothing = no_parameters();
                $from_choice(&Choice::of(node, kind, place, &nothing)?)
            }
        }
    };
}

variants!(Buffer, buffer);
variants!(Traffic, traffic);
variants!(Service, service);
variants!(UseItOrLoseIt, use_it_or_lose_it);
variants!(SegmentationRoom, segmentation_room);
variants!(RateAllocation, rate_allocation);
variants!(OverloadAverage, overload_average);
variants!(QueueControl, queue_control);

fn buffer(choice: &Choice<'_>) -> Result<Buffer, Fault> {
    match choice.name {
        "per_port" => choice.value().map(Buffer::PerPort),
        "per_vc" => choice.value().map(Buffer::PerVc),
        "shared" => choice.value().map(Buffer::Shared),
        _ => choice.section().map(|_| Buffer::Infinite),
    }
}

fn traffic(choice: &Choice<'_>) -> Result<Traffic, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "ttcp" => Ok(Traffic::Ttcp {
            write: parameters.value("write")?,
            total: parameters.written("total")?.map(|found| found.value),
        }),
        "cbr" => Ok(Traffic::Cbr { cell_rate: steady_rate(&parameters)? }),
        "poisson" => Ok(Traffic::Poisson { cell_rate: source_rate(&parameters)? }),
        "on_off" => Ok(Traffic::OnOff {
            cell_rate: steady_rate(&parameters)?,
            period: parameters.value("period")?,
            duty_cycle: parameters.value("duty_cycle")?,
        }),
        "exponential_on_off" => {
            let cell_rate = steady_rate(&parameters)?;
            let on =
                cell_time::check_burst(&parameters.spanned("on")?, cell_rate, parameters.place())?;
            Ok(Traffic::ExponentialOnOff { cell_rate, on, off: parameters.value("off")? })
        }
        _ => Ok(Traffic::Greedy),
    }
}

fn source_rate(parameters: &Section<'_>) -> Result<Rate, Fault> {
    rate_of_cells(&parameters.spanned("rate")?, &format!("{}.rate", parameters.place()))
}

/// Of cells that are equally far apart.
fn steady_rate(parameters: &Section<'_>) -> Result<Rate, Fault> {
    let (written, place) = (parameters.spanned("rate")?, format!("{}.rate", parameters.place()));
    cell_time::check(rate_of_cells(&written, &place)?, &written, &place)
}

fn rate_of_cells(written: &At<LayeredRate>, place: &str) -> Result<Rate, Fault> {
    cell_rate(written.value).ok_or_else(|| of_line(written, place))
}

fn service(choice: &Choice<'_>) -> Result<Service, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "abr" => return abr(&parameters).map(Service::Abr),
        "gfr" => return Gfr::read(&parameters).map(Service::Gfr),
        "vbr" => return Ok(Service::Vbr),
        "cbr" => return Ok(Service::Cbr),
        _ => {}
    }
    let pacing = parameters.written::<LayeredRate>("pace")?.map(|written| {
        let place = format!("{}.pace", parameters.place());
        cell_time::check(rate_of_cells(&written, &place)?, &written, &place)?;
        Ok(match written.value.layer {
            Layer::Payload => Pacing::OfPayload(written.value.rate),
            Layer::Cell | Layer::Line => Pacing::OfCell(written.value.rate),
        })
    });
    Ok(Service::Ubr { pace: pacing.transpose()? })
}

impl Read for Room {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        Ok(match CellsOrPackets::read(node, kind, place)? {
            CellsOrPackets::Cells(cells) => Self::Cells(cells),
            CellsOrPackets::Packets(packets) => Self::Packets(packets),
        })
    }
}
