//! The language of scripts: faults at their places, and statements that are skipped.

use cellway_stack::script::{Report, Script, run_model};

const OPENING: &str = "--tcp mss = \"1000 B\"
0 listen(3, 1) = 0
+0 < S 0:0(0) win 65535 <mss 1000>
+0 > S. 0:0(0) ack 1 <mss 1000>
+0 < . 1:1(0) ack 1 win 65535
+0 accept(3, ..., ...) = 4
";

fn played(text: &str) -> Report {
    let script = Script::parse("s.pkt", text).unwrap_or_else(|fault| panic!("{fault}"));
    run_model(&script).expect("our own TCP starts")
}

/// The fault of our own TCP against what follows the opening.
fn fault(rest: &str) -> String {
    let (line, why) = played(&format!("{OPENING}{rest}")).fault.expect("it fails");
    format!("{line}: {why}")
}

#[test]
fn faults_of_the_text_have_places() {
    let cases = [
        ("0 listen(3, 1) = 0\n+0 < S 0:0(0) wim 5\n", "s.pkt:2:15: `wim` is not accepted here"),
        (
            "0 listen(3, 1) = 0\n+0 < S 0:5(0)\n",
            "s.pkt:2:10: `5(0)` is not accepted here; expected 0",
        ),
        (
            "0 listen(3, 1) = 0\n+0 < Q 0:0(0)\n",
            "s.pkt:2:6: `Q` is not accepted here; expected flags",
        ),
        ("0 listen(3, 1) = 0\n0 < S 0:0(0) <mms 5>\n", "s.pkt:2:15: `mms` is not accepted here"),
        ("0 listen(3, 1) = 0\n/* a\nb */ + > S 0:0(0)\n", "s.pkt:3:7: `>` is not accepted here"),
        ("--tcp recovery = \"sax\"\n0 listen(3, 1) = 0\n", "s.pkt:1:18: "),
        ("--tcp recovery\n", "s.pkt:1:7: no key of TCP; expected `--tcp KEY = VALUE`"),
        ("+0 > S 0:0(0)\n", "s.pkt:1:1: no call opens a connection"),
        ("0 listen(3, 1 = 0\n", "s.pkt:1:10: nothing ends these arguments"),
        ("0 write(3, ..., many) = 0\n", "s.pkt:1:3: argument 3 of write is `many`"),
        ("+0.2~+0.1 > S 0:0(0)\n", "s.pkt:1:7: a range that ends before it begins"),
        ("0 %{ assert\n", "s.pkt:1:5: nothing ends this; expected `}%`"),
    ];
    for (text, expected) in cases {
        let fault = Script::parse("s.pkt", text).expect_err(text).to_string();
        assert!(fault.starts_with(expected), "{fault}\nnot {expected}");
    }
}

#[test]
fn differences_name_the_field_and_both_values() {
    assert_eq!(
        fault("+0 < . 1:501(500) ack 1 win 65535\n+.2 > . 1:1(0) ack 401\n"),
        "8: ack is 501, not 401"
    );
    assert_eq!(
        fault("+0 < . 1:501(500) ack 1 win 65535\n+.1 > . 1:1(0) ack 501\n"),
        "8: nothing was sent until 0.104000"
    );
    assert_eq!(
        fault("+0 < . 1:501(500) ack 1 win 65535\n+.3 > . 1:1(0) ack 501\n"),
        "8: its instant is 0.200000, not 0.300000"
    );
    assert_eq!(
        fault("+0 write(4, ..., 1000) = 1000\n"),
        "7: the script ends, and packets are left that nothing expects"
    );
    assert_eq!(fault("+0 read(4, ..., 10) = 10\n"), "7: 0 octets are there to read, not 10");
    assert_eq!(fault("+0 %{ assert cwnd == 2 }%\n"), "7: cwnd is 3000");
    let resent = "+0 write(4, ..., 500) = 500\n+0 > FP. 1:502(501) ack 1 win 1 <sackOK>\n";
    let fault = fault(resent);
    let expected = "8: flags is ., not F.; length is 500, not 501; win is 65535, not 1; \
                    options is <>, not <sackOK>";
    assert_eq!(fault, expected);
}

#[test]
fn other_statements_are_skipped_and_named() {
    let text = "--ip_version=ipv4
`sysctl -q net.ipv4.tcp_sack=1
 net.ipv4.tcp_ecn=0`
0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0
+0 bind(3, {sa_family = AF_INET, sin_port = htons(1), sin_addr = inet_addr(\"0.0.0.0\")},
        16) = 0
+0 listen(3, 1) = 0 # a comment
+.1...0.4 accept(3, ..., ...) = -1 EAGAIN (Resource temporarily unavailable)
+.1 < S 0:0(0) win 65535 <mss 1000,nop,nop,sackOK,nop,wscale 7>
+0 > S. 0:0(0) ack 1 <...>
+.1 < . 1:1(0) ack 1 win 1000
+0 accept(3, ..., ...) = 4
+0 < icmp unreachable [1:1(0)]
+0 getsockopt(4, SOL_TCP, TCP_INFO, [...], [...]) = 0
+0 %{ print(tcpi_rto) }%
+0 %{ assert tcpi_rto == 1000000, tcpi_rto }%
* write(4, ..., 1000) = 1000
+0~+.001 > P. 1:1001(1000) ack 1
+0 %{
assert tcpi_snd_cwnd == 3, tcpi_snd_cwnd
assert tcpi_unacked == 1
}%
";
    let report = played(text);
    assert_eq!(report.fault, None);
    let skipped: Vec<usize> = report.skipped.iter().map(|skipped| skipped.line).collect();
    assert_eq!(skipped, [1, 2, 5, 9, 14, 15, 16, 17]);
}

/// The first was a panic, and the others began another connection.
#[test]
fn calls_that_no_socket_takes_are_failures() {
    assert_eq!(
        fault("+0 close(4) = 0\n+0 > F. 1:1(0) ack 1\n+0 write(4, ..., 1) = 1\n"),
        "9: the application has ended its stream before"
    );
    let again = "7: there is one connection in a script, and it is open";
    assert_eq!(fault("+0 listen(3, 1) = 0\n"), again);
    assert_eq!(fault("+0 connect(5, ..., ...) = 0\n"), again);
}
