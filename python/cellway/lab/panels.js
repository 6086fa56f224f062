/* Panels of two answers, row by row; both sides of a row have one unit and one axis. */
import { data } from "./data.js";

const MOST_PORTS = 3;
const FEW = 0.05;
const MOST_BINS = 100;
const RATES = [["Gbit/s", 1e9], ["Mbit/s", 1e6], ["kbit/s", 1e3]];

/* Columns by name, and the parts of the summary that pictures need. */
export function opened(answer) {
  const columns = new Map(answer.columns.map((one) => [one.name, one]));
  return { answer, columns, summary: answer.summary ? JSON.parse(answer.summary) : null };
}

/* Colours of flows as in figures of `run`: of the fastest and the slowest, in the order of results.
   They are names of properties of the style. */
export function coloursOf(run) {
  const flows = Object.entries(run.summary.flows ?? {});
  const drawn = ["arrived", "cwnd", "one_way_delay"];
  const known = flows.filter(([name]) => drawn.some((one) => run.columns.has(`${name}.${one}`)));
  const rate = ([, flow]) => flow.throughput_bits_per_second;
  const order = [...known].sort((one, other) => rate(other) - rate(one));
  const { most, slowest } = data.colours;
  const ends = [...order.slice(0, most - slowest), ...order.slice(-slowest)];
  const kept = order.length > most ? ends : order;
  const shown = known.filter((flow) => kept.includes(flow));
  return {
    colours: new Map(shown.map(([name], place) => [name, `--flow${place}`])),
    note: known.length > shown.length ? ` (${shown.length} of ${known.length} flows)` : "",
  };
}

/* Colour of a flow in a style; that of a flow without one is quiet. */
export const inkOf = (colours, name) => `var(${colours.get(name) ?? "--quiet"})`;

/* A curve; where nothing was recorded, the value before holds. */
function line(column, name, colour, scale, more = {}) {
  const values = column.mean ?? column.value;
  const t = [];
  const v = [];
  column.time.forEach((time, at) => {
    if (!Number.isFinite(values[at])) return;
    t.push(time);
    v.push(values[at] * scale);
  });
  return { name, colour, t, v, ...more };
}

function ofFlows(run, quantity, { colours }, scale) {
  const found = [];
  colours.forEach((colour, name) => {
    const column = run.columns.get(`${name}.${quantity}`);
    if (column && column.time.length) found.push(line(column, name, colour, scale));
  });
  return found;
}

const greatest = (lines) =>
  lines.reduce((most, { v }) => v.reduce((high, one) => (one > high ? one : high), most), 0);

/* A row of panels with one axis; null where no side has a line. */
function row(key, title, unit, sides, limits = {}) {
  const tops = Object.values(sides).map(greatest);
  if (Object.values(sides).every((lines) => lines.length === 0)) return null;
  const ends = Object.values(limits).flat().map(([, value]) => value);
  const top = 1.08 * Math.max(...tops);
  const near = ends.filter((value) => value <= 1.4 * top).map((value) => 1.2 * value);
  const end = Math.max(top, ...near) || 1;
  const panels = Object.entries(sides).map(([side, lines]) => [
    side,
    { title: `${title}, ${side}`, unit, top: end, limits: limits[side] ?? [], lines },
  ]);
  return { key, title, panels: Object.fromEntries(panels) };
}

const each = (runs, make) =>
  Object.fromEntries(Object.entries(runs).map(([side, run]) => [side, make(run, side)]));

function windows(runs, flows) {
  const scale = 1 / 1024;
  const lines = each(runs, (run) => {
    const solid = ofFlows(run, "cwnd", flows, scale);
    const top = 1.1 * greatest(solid);
    const dashed = ofFlows(run, "ssthresh", flows, scale)
      .map((one) => ({ ...one, v: one.v.map((value) => (value > top ? null : value)) }))
      .filter((one) => one.v.some((value) => value !== null))
      .map((one) => ({ ...one, name: `${one.name} ssthresh`, dashed: true, unnamed: true }));
    return [...solid, ...dashed];
  });
  return row("cwnd", `Congestion window and (dashed) ssthresh${flows.note}`, "KiB", lines);
}

/* The fullest queues, those of the links that leave the least first. */
function queues(runs, places) {
  const found = new Map();
  Object.values(runs).forEach(({ columns }) =>
    columns.forEach((column, name) => {
      const port = name.endsWith(".queue") ? name.slice(0, -".queue".length) : null;
      const most = port ? column.value.reduce((high, one) => Math.max(high, one), 0) : 0;
      if (most > 1) found.set(port, Math.max(most, found.get(port) ?? 0));
    })
  );
  const edges = Object.values(places)[0]?.edges ?? [];
  const tight = new Set(
    edges.filter((edge) => edge.tight).flatMap((edge) => edge.ports.map(({ name }) => name))
  );
  const fullest = Math.max(...[...found.values()]);
  const busy = [...found].filter(([, most]) => most > FEW * fullest);
  const rank = ([port, most]) => (tight.has(port) ? 1e12 : 0) + most;
  const order = busy.sort((one, other) => rank(other) - rank(one)).slice(0, MOST_PORTS);
  return order.map(([port]) => queue(runs, places, port));
}

function queue(runs, places, port) {
  let unit = "packets";
  const lines = each(runs, ({ columns }) => {
    const column = columns.get(`${port}.queue`);
    if (!column) return [];
    unit = `${column.unit}s`;
    return [line(column, "waiting", "--ink", 1)];
  });
  const limits = each(runs, (_, side) => {
    const ports = (places[side]?.edges ?? []).flatMap((edge) => edge.ports);
    const full = ports.find(({ name }) => name === port)?.full;
    return full ? [[`buffer: ${full}`, full]] : [];
  });
  return row(`queue ${port}`, `Queue of ${port}`, unit, lines, limits);
}

/* Seconds of a bin: 1, 2 or 5 times a power of ten, and several samples in each. */
export function binWidth(span, columns) {
  const grid = Math.max(0, ...columns.map(({ time }) => (time.length > 3 ? time[3] - time[2] : 0)));
  const least = Math.max((span[1] - span[0]) / MOST_BINS, 4 * grid * (1 - 1e-6));
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * power).find((width) => width >= least * (1 - 1e-9));
}

/* Bits per second of a column of bytes, in bins. */
export function rates({ time, value }, span, width) {
  const t = [];
  const v = [];
  let at = 0;
  let before = 0;
  for (let bin = 0; span[0] + bin * width < span[1] - 1e-9; bin += 1) {
    const start = span[0] + bin * width;
    const end = Math.min(start + width, span[1]);
    while (at < time.length && time[at] <= end + 1e-9) at += 1;
    const now = at ? value[at - 1] : 0;
    t.push(start);
    v.push((8 * (now - before)) / (end - start));
    before = now;
  }
  t.push(span[1]);
  v.push(v.at(-1));
  return { t, v };
}

function throughput(runs, flows, span) {
  const recorded = Object.values(runs).flatMap(({ columns }) =>
    [...flows.colours.keys()].map((name) => columns.get(`${name}.arrived`)).filter(Boolean)
  );
  if (!recorded.length) return null;
  const width = binWidth(span, recorded);
  const found = each(runs, ({ columns }) =>
    [...flows.colours].flatMap(([name, colour]) => {
      const column = columns.get(`${name}.arrived`);
      return column ? [{ name, colour, ...rates(column, span, width) }] : [];
    })
  );
  const most = Math.max(...Object.values(found).map(greatest));
  const [unit, size] = RATES.find(([, one]) => most >= 0.3 * one) ?? RATES[2];
  const lines = each(found, (ones) =>
    ones.map((one) => ({ ...one, v: one.v.map((value) => value / size) }))
  );
  Object.entries(runs).forEach(([side, { columns }]) => {
    const varying = [...columns].filter(([name]) => name.endsWith(".capacity")).slice(0, 1);
    varying.forEach(([name, column]) =>
      lines[side].push(line(column, name.replace(".", " "), "--quiet", 1 / size, { dashed: true }))
    );
  });
  const said = `${Number(width.toPrecision(3))} s`;
  return row("throughput", `Throughput as data arrive, in bins of ${said}`, unit, lines);
}

function delays(runs, flows) {
  const lines = each(runs, (run) => ofFlows(run, "one_way_delay", flows, 1e3));
  return row("delay", `One-way delay, largest since the last point${flows.note}`, "ms", lines);
}

/* The longest one-way delay of a flow that was recorded, or of all; 0 without any. */
export function longestDelay(run, flow = null) {
  let most = 0;
  run.columns.forEach(({ value }, name) => {
    if (flow === null ? name.endsWith(".one_way_delay") : name === `${flow}.one_way_delay`)
      value.forEach((one) => {
        if (one > most) most = one;
      });
  });
  return most;
}

/* Instants of a flow's losses, wherever they were, in order. */
export function lossesOf(run, flow) {
  const instants = [];
  run.columns.forEach(({ time }, name) => {
    if (name.startsWith(`${flow}.lost_at.`) || name.startsWith(`${flow}.lost_on.`))
      instants.push(...time);
  });
  return instants.sort((one, other) => one - other);
}

function losses(runs, flows, span) {
  const width = binWidth(span, []);
  const lines = each(runs, (run) =>
    [...flows.colours].flatMap(([name, colour]) => {
      if (!run.columns.has(`${name}.cwnd`)) return [];
      const bins = new Array(Math.ceil((span[1] - span[0]) / width - 1e-9)).fill(0);
      lossesOf(run, name).forEach((instant) => {
        bins[Math.min(bins.length - 1, Math.floor((instant - span[0]) / width))] += 1;
      });
      const t = bins.map((_, at) => span[0] + at * width);
      return [{ name, colour, t: [...t, span[1]], v: [...bins, bins.at(-1)] }];
    })
  );
  const said = `${Number(width.toPrecision(3))} s`;
  const made = row("losses", `Losses of TCP segments, in bins of ${said}`, "segments", lines);
  return made && Object.values(lines).some((ones) => greatest(ones) > 0) ? made : null;
}

/* All rows of the runs of A and B; `places` are the descriptions of their paths. */
export function rowsOf(runs, places, flows, span) {
  return [
    ...queues(runs, places),
    windows(runs, flows),
    throughput(runs, flows, span),
    delays(runs, flows),
    losses(runs, flows, span),
  ].filter(Boolean);
}
