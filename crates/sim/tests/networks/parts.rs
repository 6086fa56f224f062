//! Parts of a random scenario: buffers with their policies, services, transports, sources.

use super::dice::Dice;
use cellway_sim::tcp::Recovery;

/// Policies that look at each VC alone or at the queue as it is: with any buffer.
const OF_ANY_BUFFER: [&str; 8] = [
    "\"tail\"",
    "\"ppd\"",
    "{ epd = { threshold = LOW } }",
    "{ step = { threshold = LOW } }",
    "{ priority = { low = LOW, high = HIGH } }",
    "{ pie = { target = \"1 ms\", update = \"500 us\", max_burst = \"2 ms\", ecn = true, \
     mean_frame = \"500 B\" } }",
    "{ cobalt = { target = \"1 ms\", interval = \"5 ms\", ecn = true } }",
    "{ codel = { target = \"1 ms\", interval = \"5 ms\", ecn = true } }",
];

/// Policies that look at several VCs: not with a buffer for each.
const OF_COMMON_BUFFER: [&str; 9] = [
    "{ selective_drop = { threshold = LOW } }",
    "{ fba = { threshold = LOW, z = 0.3 } }",
    "{ red = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1 } }",
    "{ fred = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1, min_per_vc = LOW } }",
    "{ virtual_queuing = { threshold = LOW } }",
    "{ vq_dynamic_epd = { threshold = LOW } }",
    "{ vq_mcr = { threshold = LOW, interval = \"3 ms\" } }",
    "{ ered = { min_threshold = LOW, max_threshold = HIGH, weight = 0.1, marked_max_threshold = \
     HIGH } }",
    "{ dfba = { low = LOW, high = HIGH, alpha = 0.3, z = \"one_minus_share\" } }",
];

/// Policies for packets alone.
const OF_PACKETS: [&str; 11] = [
    "{ fq_codel = { target = \"1 ms\", interval = \"5 ms\", quantum = \"300 B\", \
     queues.hashed = 3 } }",
    "{ fq_codel = { queues = \"per_flow\", drop_batch = 2, ecn = true } }",
    "{ fq_pie = { target = \"1 ms\", update = \"500 us\", max_burst = \"2 ms\", ecn = true, \
     mean_frame = \"500 B\", queues.hashed = 3 } }",
    "{ cake = { target = \"1 ms\", interval = \"5 ms\", isolation = \"dual_source\", \
     ecn = true } }",
    "{ cake = { target = \"1 ms\", interval = \"5 ms\", tins = \"diffserv4\", overhead = \"20 B\", \
     framing = \"ptm\", rate = \"2 Mbit/s of line\" } }",
    "{ fq_step = { threshold = LOW, quantum = \"300 B\", drop_batch = 3 } }",
    "{ dual_pi2 = { target = \"1 ms\", update = \"500 us\", min_threshold = \"100 us\" } }",
    "{ dual_pi2 = { target = \"2 ms\", update = \"1 ms\", alpha = 2.0, beta = 40.0, \
     scheduler.time_shifted = \"4 ms\" } }",
    "{ abc = { delta = \"5 ms\", delay_threshold = \"1 ms\", window = \"2 ms\" } }",
    "{ xcp = { interval = \"5 ms\", window = \"2 ms\" } }",
    "{ rcp = { initial = 0.5, update = \"2 ms\", window = \"2 ms\" } }",
];

/// True if a policy has queues of its own, which no scheduler serves.
pub(crate) fn has_queues(drop: &str) -> bool {
    drop.contains("{ fq_") || drop.contains("cake") || drop.contains("dual_pi2")
}

/// A buffer as it stands in the file, what it admits at one port if that is one number, and a
/// policy that goes with it.
pub(crate) struct Buffered {
    pub(crate) buffer: String,
    pub(crate) drop: String,
    pub(crate) most: Option<u64>,
}

/// A buffer of at most `most` units.
pub(crate) fn buffered(dice: &mut Dice, unit: &str, most: u64) -> Buffered {
    let sharing = dice.pick(&["per_port", "per_port", "per_vc", "shared", "infinite"]);
    let room = dice.between(1, most);
    let mut policies = OF_ANY_BUFFER.to_vec();
    if sharing != "per_vc" {
        policies.extend(OF_COMMON_BUFFER);
    }
    if sharing != "per_vc" && unit == "packet" {
        policies.extend(OF_PACKETS);
    }
    let policy = policies[dice.place(policies.len())];
    let (a, b) = (dice.between(0, 100), dice.between(0, 100));
    let threshold = |percent: u64| match sharing {
        "infinite" => format!("\"{} {unit}\"", 1 + percent * room / 100),
        _ => format!("{:?}", percent as f64 / 100.0),
    };
    let buffer = match sharing {
        "infinite" => "\"infinite\"".to_owned(),
        _ => format!("{{ {sharing} = \"{room} {unit}\" }}"),
    };
    let most = matches!(sharing, "per_port" | "shared").then_some(room);
    Buffered {
        buffer,
        drop: policy.replace("LOW", &threshold(a.min(b))).replace("HIGH", &threshold(a.max(b))),
        most,
    }
}

/// Parts that a switch of cells has beside its buffer.
pub(crate) fn switching(dice: &mut Dice) -> String {
    let scheduler = dice.pick(&[
        "\"fifo\"",
        "\"fifo\"",
        "\"wfq\"",
        "{ wfq = { excess = \"equal\" } }",
        "{ drr = { quantum = \"48 B\", share = \"by_mcr\" } }",
    ]);
    let in_service = dice.pick(&["counted", "counted", "not_counted"]);
    let erica = match dice.between(0, 3) {
        0 => "{ }".to_owned(),
        1 => format!(
            "{{ interval = \"{} us\", \
             interval_cells = 1000000 }}",
            dice.between(50, 3000)
        ),
        2 => "{ interval_cells = 30, overload_average = { ratio = { weight = 0.3 } }, \
              delta = 0 }"
            .to_owned(),
        _ => "{ activity_decay = 0.9, backward_activity = true, ccr = \"measured\", \
              excess = \"by_mcr\" }"
            .to_owned(),
    };
    let allocator = match dice.between(0, 5) {
        0 => "\"none\"".to_owned(),
        1 => format!("{{ efci = {{ threshold = \"{} cell\" }} }}", dice.between(1, 60)),
        2 => {
            "{ relative_rate = { no_increase = \"20 cell\", congestion = \"60 cell\" } }".to_owned()
        }
        3 => format!("{{ erica = {erica} }}"),
        _ => format!("{{ erica_plus = {erica} }}"),
    };
    format!(
        "scheduler = {scheduler}\nin_service = \"{in_service}\"\nrate_allocator = {allocator}\n"
    )
}

/// A transport whose clocks are quick enough to matter in a short run.
pub(crate) fn tcp(dice: &mut Dice) -> String {
    let timers = dice.pick(&[
        "{ bsd = { slow = \"7 ms\", fast = \"3 ms\", min_rto = \"14 ms\" } }",
        "{ bsd = { slow = \"500 ms\", fast = \"20 ms\", min_rto = \"1 s\" } }",
        "{ fine = { min_rto = \"10 ms\", initial_rto = \"30 ms\", ack_delay = \"4 ms\" } }",
        "{ fine = { min_rto = \"10 ms\", initial_rto = \"30 ms\", samples = \"each\" } }",
    ]);
    let more = buffers_and_options(&mut dice.apart());
    let threshold = if dice.one_in(3) { ", initial_ssthresh = \"8 KiB\"" } else { "" };
    let text = format!(
        "{{ mss = \"{} B\", window = \"{} KiB\", recovery = \"{}\", timers = {timers}, ack = \
         \"{}\", handshake = {}, \
         initial_window = {}, avoidance = \"{}\", window_scaling = {}{threshold}{more} }}",
        dice.pick(&["40", "512", "1460", "1460", "9140"]),
        dice.pick(&["1", "8", "32", "64", "100"]),
        dice.pick(Recovery::ALL).word(),
        dice.pick(&["every_segment", "delayed", "quick"]),
        dice.one_in(3),
        dice.pick(&["1", "2", "10"]),
        dice.pick(&["standard", "bsd_extra", "counted"]),
        dice.one_in(2),
    );
    with_rate_header(text, &mut dice.apart())
}

/// A transport whose rule of losses has room for it, with a congestion header every other time.
fn with_rate_header(text: String, dice: &mut Dice) -> String {
    if !text.contains("recovery = \"new_reno") || dice.one_in(2) {
        return text;
    }
    let law = dice.pick(&["xcp", "rcp"]);
    text.replace("bsd_extra", "standard").replacen('{', &format!("{{ congestion = \"{law}\", "), 1)
}

/// Parts that a transport has beside its window and its clocks.
fn buffers_and_options(dice: &mut Dice) -> String {
    let mut keys = String::new();
    if dice.one_in(3) {
        keys += ", nagle = true";
    }
    if dice.one_in(3) {
        keys += ", short_segments = \"linux\"";
    }
    if dice.one_in(3) {
        keys += ", tso_defer = true";
    }
    if dice.one_in(3) {
        let bytes = dice.between(1, 50_000);
        keys.extend([", send_buffer = \"", &bytes.to_string(), " B\""]);
    }
    if dice.one_in(3) {
        keys += ", timestamps = true";
    }
    if dice.one_in(3) {
        let echo = dice.pick(&["classic", "dctcp", "accurate", "abc"]);
        let l4s = dice.one_in(2).to_string();
        keys.extend([", ecn = true, ecn_echo = \"", echo, "\", l4s = ", &l4s]);
    }
    if dice.one_in(6) {
        keys += ", timestamp_clock = \"7 ms\"";
    }
    if dice.one_in(3) {
        keys +=
            dice.pick(&[", restart_after_idle = \"rfc5681\"", ", restart_after_idle = \"bsd\""]);
    }
    match dice.between(0, 5) {
        0 => {
            let kbit = dice.between(100, 20_000);
            keys + &format!(", reader.paced.rate = \"{kbit} kbit/s of payload\"")
        }
        1 => {
            let (bytes, period) = (dice.between(100, 20_000), dice.between(100, 9000));
            let (block, period) = (format!("\"{bytes} B\""), format!("\"{period} us\""));
            keys + &format!(", reader.periodic = {{ block = {block}, period = {period} }}")
        }
        _ => keys,
    }
}

/// A source of raw cells of at most this rate.
pub(crate) fn cells(dice: &mut Dice, peak_kbit: u64) -> String {
    let rate = format!("rate = \"{} kbit/s of cell\"", dice.between(peak_kbit / 10 + 1, peak_kbit));
    source(dice, &rate)
}

/// A source of datagrams that, with their headers, take at most this rate.
pub(crate) fn datagrams(dice: &mut Dice, peak_kbit: u64) -> String {
    let size = dice.pick(&[
        "\"160 B\"",
        "\"1472 B\"",
        "\"9000 B\"",
        "{ uniform = [\"1 B\", \"1472 B\"] }",
        "{ exponential = { mean = \"500 B\" } }",
        "{ mix = [[\"12 B\", 7], [\"548 B\", 4], [\"1472 B\", 1]] }",
    ]);
    let kbit = dice.between(peak_kbit / 10 + 1, peak_kbit / 2);
    source(dice, &format!("rate = \"{kbit} kbit/s of payload\", datagram = {size}"))
}

fn source(dice: &mut Dice, rate: &str) -> String {
    let mut slots = dice.apart();
    let usual = usual_source(dice, rate);
    if slots.one_in(6) {
        let percent = slots.between(1, 100) as f64 / 100.0;
        return format!("{{ bernoulli = {{ {rate}, probability = {percent:?} }} }}");
    }
    usual
}

fn usual_source(dice: &mut Dice, rate: &str) -> String {
    match dice.between(0, 3) {
        0 => format!("{{ cbr = {{ {rate} }} }}"),
        1 => format!("{{ poisson = {{ {rate} }} }}"),
        2 => {
            let duty = dice.between(1, 10) as f64 / 10.0;
            format!(
                "{{ on_off = {{ {rate}, period = \"{} us\", duty_cycle = {duty:?} }} }}",
                dice.between(500, 20_000)
            )
        }
        _ => format!(
            "{{ exponential_on_off = {{ {rate}, on = \"{} us\", off = \"{} us\" }} }}",
            dice.between(100, 9000),
            dice.between(100, 9000)
        ),
    }
}

/// Time that a host spends on segments and frames.
pub(crate) fn processing(dice: &mut Dice) -> String {
    if dice.one_in(2) {
        return String::new();
    }
    let sar = match dice.between(0, 2) {
        0 => "{ per_cell = \"0 s\" }".to_owned(),
        1 => "{ per_cell = \"0.7 us\" }".to_owned(),
        _ => "{ per_frame = \"31 us\" }".to_owned(),
    };
    let queue = if sar.contains("\"0 s\"") && dice.one_in(2) {
        format!("input_queue = \"{} packet\"\n", dice.between(1, 20))
    } else {
        String::new()
    };
    format!(
        "cpu_per_segment = \"{} us\"\nack_cost = \"{}\"\ncpu_order = \"{}\"\nsar = {sar}\n{queue}",
        dice.between(0, 300),
        dice.pick(&["charged", "included"]),
        dice.pick(&["arrival", "output_first"]),
    )
}

/// What a link does to its units; most do nothing.
pub(crate) fn impairments(dice: &mut Dice, packets: bool) -> String {
    if !dice.one_in(4) {
        return String::new();
    }
    let sojourn = dice.pick(&[
        "transitions = { to_bad = 0.01, to_good = 0.3 }",
        "units = { good = 300, bad = 1.5 }",
        "times = { good = \"5 ms\", bad = \"100 us\" }",
    ]);
    let when = dice.pick(&[
        "{ periodic = { every = \"7 ms\", lasts = \"900 us\", offset = \"1 ms\" } }",
        "{ listed = [[\"3 ms\", \"2 ms\"], [\"4 ms\", \"100 us\"], [\"20 ms\", \"1 ms\"]] }",
    ]);
    let mut kinds = vec![
        format!("loss = {}", dice.pick(&["0.001", "0.03", "1"])),
        format!("bit_errors = {}", dice.pick(&["1e-6", "1e-4", "0.3"])),
        format!("gilbert_elliott = {{ sojourn = {{ {sojourn} }}, bad_loss = 0.7 }}"),
        format!("outages = {{ when = {when}, units = \"{}\" }}", dice.pick(&["lost", "wait"])),
    ];
    if packets {
        let extra = dice.pick(&["10 us", "300 us", "9 ms"]);
        kinds.extend([
            format!("reorder = {{ probability = 0.1, extra_delay = \"{extra}\" }}"),
            format!("duplicate = {}", dice.pick(&["0.1", "1"])),
            format!("ack_thinning = {{ one_in = {} }}", dice.pick(&["2", "5"])),
        ]);
    }
    let mut chosen = Vec::new();
    for _ in 0..dice.between(1, 3) {
        chosen.push(kinds.swap_remove(dice.place(kinds.len())));
    }
    format!("impairments = {{ {} }}\n", chosen.join(", "))
}

/// How the rate of a link varies, if it does, below the slowest that there is.
/// A trace only where the line is `fast` enough for two packets in a millisecond.
pub(crate) fn capacity(dice: &mut Dice, packets: bool, fast: bool) -> String {
    if !dice.one_in(4) {
        return String::new();
    }
    let layer = if packets { "line" } else { "cell" };
    let [high, middle, low] = ["1000 kbit/s", "600 kbit/s", dice.pick(&["0 bit/s", "250 kbit/s"])]
        .map(|rate| format!("\"{rate} of {layer}\""));
    let process = match dice.between(0, if fast { 5 } else { 4 }) {
        5 => "mahimahi = { opportunities = [3, 9, 9, 14, 25] }".to_owned(),
        0 => format!(
            "two_state = {{ high = {high}, low = {low}, mean_high = \"4 ms\", \
             mean_low = \"2 ms\" }}"
        ),
        1 => format!(
            "two_state = {{ high = {high}, low = {low}, mean_high = \"9 ms\", mean_low = \"3 ms\", \
             slot = \"2500 us\" }}"
        ),
        2 if dice.one_in(2) => format!(
            "grants = {{ rate = {high}, period = \"5 ms\", aggregate = \"{} B\", \
             request_delay = \"{} ms\" }}",
            dice.pick(&["53", "300"]),
            dice.between(0, 9)
        ),
        2 => format!(
            "markov = {{ rates = [{high}, {middle}, {low}], generator = [[-500, 400, 100], [0, \
             -300, 300], [2000, 0, -2000]] }}"
        ),
        3 => format!(
            "slotted = {{ rates = [{high}, {low}, {middle}], transitions = [[0.2, 0.3, 0.5], [0.9, \
             0, 0.1], [0.5, 0, 0.5]], slot = \"{} us\" }}",
            dice.pick(&[300, 1000, 30_000])
        ),
        _ => format!(
            "steps = {{ rates = [[\"0 s\", {middle}], [\"2 ms\", {low}], [\"3500 us\", {high}]], \
             period = \"9 ms\" }}"
        ),
    };
    format!("capacity = {{ {process} }}\n")
}

/// The propagation of a link, which may vary in steps or evenly, up and down.
pub(crate) fn propagation(dice: &mut Dice) -> String {
    let fixed = dice.pick(&["3 us", "10 us", "100 us", "1 ms", "777 us", "2345 us"]);
    if !dice.one_in(5) {
        return format!("\"{fixed}\"");
    }
    let way = dice.pick(&["steps", "linear"]);
    format!(
        "{{ {way} = [[\"0 s\", \"{fixed}\"], [\"4 ms\", \"2 ms\"], [\"{} us\", \"{} us\"], \
         [\"17 ms\", \"{fixed}\"]] }}",
        dice.between(4001, 16_999),
        dice.between(1, 3000)
    )
}
