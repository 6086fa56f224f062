//! What uses a TCP connection.

use crate::tcp::Connection;

/// The application at one end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Application {
    /// Always has more to send.
    Forever,
    /// Sends this many bytes.
    Total(u64),
    /// Receives.
    Receiver,
}

impl Application {
    /// Hands over what there is to send once the connection is opened.
    pub fn begin(self, connection: &mut Connection) {
        match self {
            Self::Forever => connection.write_forever(),
            Self::Total(bytes) => connection.write(bytes),
            Self::Receiver => {}
        }
    }

    /// Whether all that it had to send has been acknowledged.
    #[inline]
    pub fn is_through(self, connection: &Connection) -> bool {
        matches!(self, Self::Total(bytes) if connection.acked() >= bytes)
    }
}
