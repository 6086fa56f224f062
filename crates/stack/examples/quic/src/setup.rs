//! Configuration of quinn's endpoint and connection, with nothing random and no clock.

use std::fs::File;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use cellway_stack::{Greeting, Role, StackError};
use quinn_proto::congestion::{CubicConfig, NewRenoConfig};
use quinn_proto::{
    ClientConfig, ConnectionId, ConnectionIdGenerator, Endpoint, EndpointConfig, QlogConfig,
    ServerConfig, TimeSource, TransportConfig, VarInt,
};

use crate::seeded::{self, Numbers};
use crate::udp;

/// Octets of a connection identifier.
const IDENTIFIER: usize = 8;
/// Smallest datagram that a path must carry, RFC 9000 §14.
const SMALLEST: usize = 1200;

/// Congestion control of an end. BBR is left out, as quinn's draws from the machine's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    Cubic,
    NewReno,
}

/// Longest datagram of the scenario.
fn longest(facts: &Greeting) -> u16 {
    (facts.mtu as usize).saturating_sub(udp::HEADERS) as u16
}

/// Receive buffer of the scenario, a send buffer of twice that, and packets of the MTU: without a
/// search for it, and without an end for idle connections.
pub(crate) fn transport(
    facts: &Greeting,
    law: Law,
    qlog: Option<&str>,
    start: Instant,
) -> Result<Arc<TransportConfig>, StackError> {
    let window = VarInt::from_u64(facts.window).unwrap_or(VarInt::MAX);
    let mut config = TransportConfig::default();
    config
        .stream_receive_window(window)
        .receive_window(window)
        .send_window(2 * facts.window)
        .max_idle_timeout(None)
        .initial_mtu(longest(facts))
        .mtu_discovery_config(None)
        .enable_segmentation_offload(false);
    match law {
        Law::Cubic => {
            config.congestion_controller_factory(Arc::new(CubicConfig::default()));
        }
        Law::NewReno => {
            config.congestion_controller_factory(Arc::new(NewRenoConfig::default()));
        }
    }
    if let Some(prefix) = qlog {
        let name = format!("{prefix}-{}.sqlog", facts.role.name());
        let file = File::create(&name).map_err(|fault| failed(format!("{name}: {fault}")))?;
        let mut qlog = QlogConfig::default();
        qlog.writer(Box::new(file)).start_time(start);
        config.qlog_stream(qlog.into_stream());
    }
    Ok(Arc::new(config))
}

/// Makes the endpoint; that of a destination takes connections.
pub(crate) fn endpoint(
    facts: &Greeting,
    numbers: &Numbers,
    transport: Arc<TransportConfig>,
) -> Result<Endpoint, StackError> {
    if usize::from(longest(facts)) < SMALLEST {
        return Err(StackError::new("QUIC needs an MTU of 1228 octets (RFC 9000 §14)"));
    }
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &numbers.octets::<32>());
    let mut config = EndpointConfig::new(Arc::new(key));
    let own = numbers.clone();
    config
        .rng_seed(Some(numbers.octets()))
        .cid_generator(move || Box::new(Identifiers(own.clone())))
        .max_udp_payload_size(longest(facts))
        .map_err(failed)?;
    let server = match facts.role {
        Role::Origin => None,
        Role::Destination => {
            let tls = seeded::server(numbers).map_err(failed)?;
            let salt = ring::hkdf::Salt::new(ring::hkdf::HKDF_SHA256, &[]);
            let token_key = salt.extract(&numbers.octets::<32>());
            let mut server = ServerConfig::new(Arc::new(tls), Arc::new(token_key));
            server.transport_config(transport).time_source(Arc::new(Epoch));
            Some(Arc::new(server))
        }
    };
    Ok(Endpoint::new(Arc::new(config), server, true, None))
}

/// Configuration of a connection that an origin makes.
pub(crate) fn client(
    numbers: &Numbers,
    transport: Arc<TransportConfig>,
) -> Result<ClientConfig, StackError> {
    let mut client = ClientConfig::new(Arc::new(seeded::client(numbers).map_err(failed)?));
    let numbers = numbers.clone();
    client
        .transport_config(transport)
        .initial_dst_cid_provider(Arc::new(move || Identifiers(numbers.clone()).generate_cid()));
    Ok(client)
}

/// The fault of a configuration.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` wants it")]
pub(crate) fn failed(fault: impl ToString) -> StackError {
    StackError::new(fault.to_string())
}

/// Connection identifiers of the seed.
struct Identifiers(Numbers);

impl ConnectionIdGenerator for Identifiers {
    fn generate_cid(&mut self) -> ConnectionId {
        ConnectionId::new(&self.0.octets::<IDENTIFIER>())
    }

    fn cid_len(&self) -> usize {
        IDENTIFIER
    }

    fn cid_lifetime(&self) -> Option<Duration> {
        None
    }
}

/// Date of address tokens, which nobody uses twice.
struct Epoch;

impl TimeSource for Epoch {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
}
