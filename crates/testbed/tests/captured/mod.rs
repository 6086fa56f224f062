//! Captures of measurements, read by `tshark`.

use std::fs;
use std::process::Command;

/// A packet of TCP in a capture, as `tshark` reads it.
pub(crate) struct CapturedPacket {
    /// Time of the run.
    pub(crate) at_s: f64,
    /// Bytes of data.
    pub(crate) bytes: u64,
    /// True if it has the CE codepoint.
    pub(crate) is_marked: bool,
    /// True if its checksums are right and nothing of it is malformed.
    pub(crate) is_whole: bool,
    /// True if the analysis of sequence numbers takes it for a retransmission or finds a gap.
    pub(crate) is_sent_again: bool,
}

/// Reads a pcapng file.
pub(crate) fn packets_of(file: &[u8]) -> Vec<CapturedPacket> {
    let path = std::env::temp_dir().join(format!("cellway-{}.pcapng", std::process::id()));
    fs::write(&path, file).expect("a file");
    let fields = [
        "frame.time_epoch",
        "tcp.len",
        "ip.dsfield.ecn",
        "ip.checksum.status",
        "tcp.checksum.status",
        "tcp.checksum",
        "_ws.malformed",
        "tcp.analysis.retransmission",
        "tcp.analysis.lost_segment",
    ];
    let said = Command::new("tshark")
        .args(["-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-T", "fields"])
        // Else the sender's port, by chance that of a protocol, makes tshark read the data by it.
        .args(["-d", "tcp.port==5001,data"])
        .args(fields.iter().flat_map(|field| ["-e", field]))
        .arg("-r")
        .arg(&path)
        .output()
        .expect("tshark");
    fs::remove_file(&path).expect("the file");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    String::from_utf8_lossy(&said.stdout).lines().map(packet_of).collect()
}

fn packet_of(line: &str) -> CapturedPacket {
    let [at, bytes, ecn, ip, tcp, checksum, malformed, again, lost] =
        <[&str; 9]>::try_from(line.split('\t').collect::<Vec<_>>()).expect("nine fields");
    // A status of 1 is a checksum that is right. Zero has two forms (RFC 1071): of 65536 segments
    // the kernel sends one with all ones, which tshark takes for wrong.
    let is_right = ip == "1" && (tcp == "1" || checksum == "0xffff");
    let bytes = bytes.parse().expect("a segment");
    CapturedPacket {
        at_s: at.parse::<f64>().expect("a time") - 1e9,
        bytes,
        is_marked: ecn == "3",
        is_whole: is_right && malformed.is_empty(),
        is_sent_again: !again.is_empty() || !lost.is_empty(),
    }
}
