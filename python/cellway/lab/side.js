/* Words of one setting: its command line, its derived numbers, its faults, its results. */
import { element } from "./elements.js";
import { inkOf } from "./panels.js";

const CELL = 53;
const quoted = (word) =>
  /^[\w./:=,+@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
const short = (value, digits = 3) => String(Number(value.toPrecision(digits)));

export function rateText(bits) {
  if (bits >= 1e9) return `${short(bits / 1e9, 4)} Gbit/s`;
  if (bits >= 1e5) return `${short(bits / 1e6, 4)} Mbit/s`;
  return `${short(bits / 1e3, 4)} kbit/s`;
}

const timeText = (seconds) =>
  seconds >= 1 ? `${short(seconds)} s` : seconds >= 1e-3 ? `${short(seconds * 1e3)} ms`
    : `${short(seconds * 1e6)} µs`;

/* The command that gives the numbers of a setting. */
export function commandOf(file, sets) {
  const words = ["cellway", "run", file];
  sets.forEach(([key, value]) => words.push("--set", `${key}=${value}`));
  return words.map(quoted).join(" ");
}

/* The first flow with a transport, its bottleneck, and the port there. */
function watched({ flows, links, ports }) {
  const flow = flows.find(({ tcp, bottleneck }) => tcp && bottleneck);
  if (!flow) return null;
  const from = flow.path[flow.hops.findIndex(({ link }) => link === flow.bottleneck.at)];
  const line = links.find((link) => link.name === flow.bottleneck.at && link.from === from);
  const port = ports.find(({ link, node }) => link === flow.bottleneck.at && node === from);
  return { flow, port, line };
}

/* A buffer beside the BDP, and the time that it takes when it is full. */
function bufferOf({ flow: { tcp }, port, line }) {
  const size = port.queues[0].buffer.size;
  if (!size) return ["buffer without limit"];
  const isOfCells = port.unit === "cell";
  const bdp = isOfCells ? tcp.bandwidth_delay_cells : tcp.bandwidth_delay_bytes / tcp.mss_bytes;
  const bits = 8 * (isOfCells ? CELL : tcp.mss_bytes / tcp.payload_share);
  const rate = (isOfCells && line.cell_bits_per_second) || line.line_bits_per_second;
  const delay = timeText((size * bits) / rate);
  return [`buffer / BDP ${short(size / bdp)}`, `largest queueing delay ${delay}`];
}

/* Round trip and BDP as `explain` has them, the buffer at the bottleneck, and the longest delay. */
export function derivedOf(explained, run) {
  const found = watched(explained);
  const said = [];
  if (found) {
    const { name, tcp, bottleneck } = found.flow;
    said.push(`Round trip of ${name} without queues ${timeText(tcp.unloaded_rtt_seconds)}`);
    const cells = tcp.bandwidth_delay_cells;
    const units = cells ? `${short(cells)} cells`
      : `${short(tcp.bandwidth_delay_bytes / tcp.mss_bytes)} segments`;
    const bytes = `${short(tcp.bandwidth_delay_bytes / 1024)} KiB`;
    said.push(`BDP at ${bottleneck.at} ${bytes} (${units})`);
    if (found.port) said.push(...bufferOf(found));
  }
  const worst = run && worstDelay(run);
  if (worst) {
    const seen = `${timeText(worst.delay)} (${worst.name})`;
    said.push(`longest one-way delay after the warm-up ${seen}`);
  }
  return said.join("; ");
}

const DELAY = ".one_way_delay";

/* The longest one-way delay of a flow after the warm-up, seconds; undefined without packets. */
function delayOf(run, name) {
  const series = run.columns.get(`${name}${DELAY}`);
  const warmUp = run.summary.warm_up_s ?? 0;
  const seen = (series?.value ?? []).filter(
    (value, at) => Number.isFinite(value) && series.time[at] > warmUp
  );
  return seen.length ? seen.reduce((most, one) => Math.max(most, one)) : undefined;
}

/* The flow with the longest one-way delay after the warm-up, and that delay; null without any. */
export function worstDelay(run) {
  const flows = [...run.columns.keys()].filter((name) => name.endsWith(DELAY));
  const delays = flows
    .map((name) => name.slice(0, -DELAY.length))
    .map((name) => ({ name, delay: delayOf(run, name) }))
    .filter(({ delay }) => delay !== undefined);
  return delays.length
    ? delays.reduce((most, one) => (one.delay > most.delay ? one : most)) : null;
}

const LINES = [
  ["throughput", ({ flow }) => rateText(flow.throughput_bits_per_second)],
  ["longest delay", ({ run, name }) => {
    const delay = delayOf(run, name);
    return delay !== undefined && timeText(delay);
  }],
  ["segments sent again", ({ flow, hasTcp }) => hasTcp && String(flow.retransmitted_segments)],
  ["timeouts", ({ flow, hasTcp }) => hasTcp && String(flow.timeouts)],
];
const MOST = 12;

/* Names of flows: those with a colour, and then others, as people count. */
function listed(run, colours) {
  const names = Object.keys(run.summary.flows ?? {});
  const rest = names.filter((name) => !colours.has(name));
  rest.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  return [...colours.keys(), ...rest];
}

/* A table of the flows of both settings, side by side. */
export function numbersTable(place, runs, colours) {
  const sides = Object.keys(runs);
  const names = listed(Object.values(runs)[0], colours);
  const head = element("tr", {}, element("th", { scope: "col", textContent: "flow" }));
  LINES.forEach(([title]) =>
    sides.forEach((side) =>
      head.append(element("th", { scope: "col", className: "n", textContent: `${title}, ${side}` }))
    )
  );
  const rows = names.slice(0, MOST).map((name) => {
    const mark = element("span", { className: "mark" });
    mark.style.background = colours.has(name) ? inkOf(colours, name) : "none";
    const row = element("tr", {}, element("th", { scope: "row" }, mark, name));
    LINES.forEach(([, text]) =>
      sides.forEach((side) => {
        const run = runs[side];
        const flow = run.summary.flows?.[name];
        const said = flow && text({ flow, run, name, hasTcp: run.columns.has(`${name}.cwnd`) });
        const cell = element("td", { className: "n", textContent: said || "–" });
        cell.dataset.side = side;
        row.append(cell);
      })
    );
    return row;
  });
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  place.replaceChildren(table);
  if (names.length > MOST)
    place.append(element("p", { textContent: `${MOST} of ${names.length} flows.` }));
}
