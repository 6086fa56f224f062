//! Reno with timeouts and a limited window (Padhye, Firoiu, Towsley, Kurose: "Modeling TCP
//! throughput: a simple model and its empirical validation", ACM SIGCOMM 1998).
//!
//! Time passes in rounds of a round trip. After the first loss of a round the rest of that round is
//! lost, too; other rounds are independent. `p` is therefore the probability that a segment is the
//! first of its round to be lost. A loss is repaired by duplicate acknowledgements or, with the
//! probability Q, by a timeout; timeouts in a row double up to 64 times the first.
//!
//! Equation (32) gives the rate sent, retransmissions included, and equation (37) the rate
//! received. The exact Q of equation (24) is used, not its approximation min(1, 3/w);
//! [`approximate_sent`] is the short form that is often quoted.

use super::{check, check_acked, check_window};
use crate::range::{OutOfRange, positive};

/// Parameters of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// RTT, seconds.
    pub round_trip: f64,
    /// `T_0`, seconds: the first timeout of a row.
    pub timeout: f64,
    /// b, segments that one acknowledgement is for.
    pub segments_per_ack: f64,
    /// `W_m`, segments; infinite if it does not limit.
    pub max_window: f64,
}

/// Segments per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// B(p): sent, retransmissions included.
    pub sent: f64,
    /// T(p): received.
    pub received: f64,
}

/// The rates at the loss `loss`.
pub fn rates(connection: &Connection, loss: f64) -> Result<Rates, OutOfRange> {
    let Connection { round_trip, timeout, segments_per_ack: b, max_window } = *connection;
    check(loss, round_trip)?;
    positive("timeout", timeout)?;
    check_acked(b)?;
    check_window(max_window)?;
    let unlimited = mean_peak(loss, b);
    let is_limited = unlimited >= max_window;
    let window = unlimited.min(max_window);
    let rounds = if is_limited {
        b / 8.0 * window + (1.0 - loss) / (loss * window) + 2.0
    } else {
        b / 2.0 * window + 1.0
    };
    let timeouts = by_timeout(loss, window);
    let seconds = round_trip * rounds + timeouts * timeout * backed_off(loss) / (1.0 - loss);
    let until_loss = (1.0 - loss) / loss;
    Ok(Rates {
        sent: (until_loss + window + timeouts / (1.0 - loss)) / seconds,
        received: (until_loss + window / 2.0 + timeouts) / seconds,
    })
}

/// Rate sent by the approximation of equation (33): at most a window per round trip, and
/// `1 / (R √(2bp/3) + T_0 min(1, 3 √(3bp/8)) p (1 + 32 p²))`.
pub fn approximate_sent(connection: &Connection, loss: f64) -> Result<f64, OutOfRange> {
    // The range is that of the full formula.
    rates(connection, loss)?;
    let Connection { round_trip, timeout, segments_per_ack: b, max_window } = *connection;
    let avoidance = round_trip * (2.0 * b * loss / 3.0).sqrt();
    let by_timeout = (3.0 * (3.0 * b * loss / 8.0).sqrt()).min(1.0);
    let timeouts = timeout * by_timeout * loss * (1.0 + 32.0 * loss * loss);
    Ok((1.0 / (avoidance + timeouts)).min(max_window / round_trip))
}

/// E[W]: the mean window at a loss, equation (13).
fn mean_peak(p: f64, b: f64) -> f64 {
    let offset = (2.0 + b) / (3.0 * b);
    offset + (8.0 * (1.0 - p) / (3.0 * b * p) + offset * offset).sqrt()
}

/// Q(w): the probability that a loss in a window of w leads to a timeout, equation (24).
fn by_timeout(p: f64, window: f64) -> f64 {
    let kept = 1.0 - p;
    let cubed = kept * kept * kept;
    let few = 1.0 - cubed;
    let rest = 1.0 + cubed * (1.0 - libm::pow(kept, (window - 3.0).max(0.0)));
    (few * rest / (1.0 - libm::pow(kept, window))).min(1.0)
}

/// f(p): the mean duration of a row of timeouts in units of the first, before division by 1 - p,
/// equation (29).
fn backed_off(p: f64) -> f64 {
    1.0 + p * (1.0 + p * (2.0 + p * (4.0 + p * (8.0 + p * (16.0 + p * 32.0)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: Connection = Connection {
        round_trip: 0.2,
        timeout: 2.0,
        segments_per_ack: 2.0,
        max_window: f64::INFINITY,
    };

    /// By hand at p = 0.02, b = 2: W = 2/3 + sqrt(98/1.5 + 4/9) = 8.7768, Q = 0.3995 from kept³ =
    /// 0.941192, f = 1.02083.
    #[test]
    fn a_loss_of_two_percent_by_hand() {
        let window = mean_peak(0.02, 2.0);
        assert!((window - (2.0 / 3.0 + (65.333_333 + 0.444_444_f64).sqrt())).abs() < 1e-5);
        let kept: f64 = 0.98;
        let few = 1.0 - libm::pow(kept, 3.0);
        let by_hand = few * (1.0 + libm::pow(kept, 3.0) * (1.0 - libm::pow(kept, window - 3.0)))
            / (1.0 - libm::pow(kept, window));
        assert!((by_timeout(0.02, window) - by_hand).abs() < 1e-12);
        assert!((backed_off(0.02) - 1.020_833).abs() < 1e-5);
        let rates = rates(&PATH, 0.02).unwrap();
        let seconds = 0.2 * (window + 1.0) + by_hand * 2.0 * backed_off(0.02) / 0.98;
        assert!((rates.sent - (49.0 + window + by_hand / 0.98) / seconds).abs() < 1e-9);
        assert!(rates.received < rates.sent);
    }

    /// If timeouts are rare the formula becomes the square-root law.
    #[test]
    fn small_losses_leave_the_square_root_law() {
        let few = rates(&PATH, 1e-6).unwrap().sent;
        let law = super::super::square_root::rate(1e-6, 0.2, 2.0).unwrap();
        assert!((few / law - 1.0).abs() < 0.01, "{few} {law}");
    }

    /// p = 0.02, b = 2 by hand: 0.2 √(0.08/3) = 0.032660; 2 · 3 √0.015 · 0.02 · 1.0128 = 0.014885.
    #[test]
    fn the_approximation_by_hand() {
        let sent = approximate_sent(&PATH, 0.02).unwrap();
        assert!((sent - 1.0 / (0.032_660 + 0.014_885)).abs() < 1e-3, "{sent}");
        let limited = Connection { max_window: 3.0, ..PATH };
        assert!((approximate_sent(&limited, 0.02).unwrap() - 15.0).abs() < 1e-12);
    }

    /// Within 15 % where windows are not small.
    #[test]
    fn the_approximation_is_near_the_formula() {
        for loss in [1e-5, 1e-4, 1e-3, 1e-2] {
            let full = rates(&PATH, loss).unwrap().sent;
            let near = approximate_sent(&PATH, loss).unwrap();
            assert!((near / full - 1.0).abs() < 0.15, "{loss} {near} {full}");
        }
    }

    /// Without losses the rate is a window per round trip.
    #[test]
    fn the_window_limits_what_losses_do_not() {
        let limited = Connection { max_window: 20.0, ..PATH };
        assert!((rates(&limited, 1e-9).unwrap().sent / 100.0 - 1.0).abs() < 1e-3);
        let error = rates(&Connection { max_window: 0.0, ..PATH }, 0.1).unwrap_err();
        assert_eq!(error.to_string(), "max_window is 0; expected at least 1");
    }
}
