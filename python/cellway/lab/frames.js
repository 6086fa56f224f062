/* Frames of a run for its drawn path, from columns: the quantities that `path.js` shows. */
import { data } from "./data.js";
import { binWidth, lossesOf, rates } from "./panels.js";

const COUNT = data.frames;
const rounded = (value) => (Number.isFinite(value) ? Number(value.toPrecision(3)) : null);

/* Number of the frame of an instant. */
export function frameAt(instant, span) {
  const frame = Math.floor((COUNT * (instant - span[0])) / (span[1] - span[0]));
  return Math.min(COUNT - 1, Math.max(0, frame));
}

/* The instant in the middle of a frame. */
export const middleOf = (frame, span) => span[0] + ((frame + 0.5) * (span[1] - span[0])) / COUNT;

/* The largest value of each frame, of a value that holds until the next. */
function mosts({ time, value }, span) {
  const found = new Array(COUNT).fill(NaN);
  const width = (span[1] - span[0]) / COUNT;
  let at = 0;
  let held = NaN;
  for (let frame = 0; frame < COUNT; frame += 1) {
    let most = held;
    while (at < time.length && time[at] < span[0] + (frame + 1) * width) {
      held = value[at];
      most = Number.isNaN(most) ? held : Math.max(most, held);
      at += 1;
    }
    found[frame] = most;
  }
  return found;
}

/* Values that hold in the middles of frames. */
function held(time, value, span) {
  const width = (span[1] - span[0]) / COUNT;
  let at = -1;
  return Array.from({ length: COUNT }, (_, frame) => {
    while (at + 1 < time.length && time[at + 1] <= span[0] + (frame + 0.5) * width) at += 1;
    return at < 0 ? NaN : value[at];
  });
}

function sum(several) {
  return several[0].map((_, at) => {
    const known = several.map((one) => one[at]).filter((one) => Number.isFinite(one));
    return known.length ? known.reduce((total, one) => total + one, 0) : NaN;
  });
}

const quantity = (values, unit, more = {}) => ({ unit, v: values.map(rounded), ...more });

function queueOf(run, edge, span) {
  const ports = edge.ports.map((port) => [port, run.columns.get(`${port.name}.queue`)]);
  const recorded = ports.filter(([, column]) => column);
  if (!recorded.length) return null;
  const several = recorded.map(([, column]) => mosts(column, span));
  const values = several[0].map((_, at) => Math.max(...several.map((one) => one[at] || 0)));
  const full = recorded[0][0].full ?? Math.max(1, ...values);
  return quantity(values, `${recorded[0][1].unit}s`, { full, several: recorded.length > 1 });
}

function lossesOn(run, edge, span) {
  const places = new Set(edge.losses);
  const counts = new Array(COUNT).fill(0);
  run.columns.forEach(({ time }, name) => {
    const place = name.split(/\.lost_(?:at|on)\./)[1];
    if (!places.has(place)) return;
    time.forEach((instant) => (counts[frameAt(instant, span)] += 1));
  });
  return quantity(counts, "lost");
}

function edgeOf(run, edge, ratesOf, span) {
  const crossing = edge.flows.map(ratesOf).filter(Boolean);
  const queue = queueOf(run, edge, span);
  const found = { lost: lossesOn(run, edge, span) };
  if (queue) found.queue = queue;
  if (crossing.length) {
    const megabits = sum(crossing).map((one) => one / 1e6);
    found.rate = quantity(megabits, "Mbit/s", { full: edge.rate / 1e6 });
  }
  return found;
}

function boxOf(run, box, ratesOf, span) {
  const windows = box.flows.map((name) => run.columns.get(`${name}.cwnd`)).filter(Boolean);
  const sent = box.flows.map(ratesOf).filter(Boolean);
  const found = {};
  if (windows.length) {
    const values = sum(windows.map(({ time, value }) => held(time, value, span)));
    const kib = values.map((one) => one / 1024);
    found.window = quantity(kib, "KiB", { several: windows.length > 1 });
  }
  if (sent.length) found.rate = quantity(sum(sent).map((one) => one / 1e6), "Mbit/s");
  return found;
}

export function framesOf(places, run, span) {
  const width = binWidth(span, []);
  const known = new Map();
  const ratesOf = (name) => {
    const column = run.columns.get(`${name}.arrived`);
    if (column && !known.has(name)) {
      const { t, v } = rates(column, span, width);
      known.set(name, held(t, v, span));
    }
    return known.get(name);
  };
  const edges = places.edges.map((edge, at) => [at, edgeOf(run, edge, ratesOf, span)]);
  const boxes = Object.entries(places.boxes).map(([at, box]) => [
    at,
    boxOf(run, box, ratesOf, span),
  ]);
  return { edges: Object.fromEntries(edges), boxes: Object.fromEntries(boxes), count: COUNT };
}

/* Instants of all losses of TCP segments, in order. */
export function allLosses(run) {
  const flows = Object.keys(run.summary.flows ?? {});
  return flows.flatMap((name) => lossesOf(run, name)).sort((one, other) => one - other);
}
