/* The drawn paths of both settings at one instant, with the packets around it. */
import { SIDES } from "./controls.js";
import { element } from "./elements.js";
import { newest } from "./engine.js";
import { allLosses, framesOf } from "./frames.js";
import { packetLayer, shareBars } from "./packets.js";
import { longestDelay, opened } from "./panels.js";
import { sequenceView } from "./sequence.js";
import { transport } from "./transport.js";

const WANTED = 12000;
const QUIET = 250;
const LEGIBLE = 0.8;
const NOTES =
  "Dots are packets of the run, in the colours of their flows; small ones are acknowledgements. " +
  "The instants at which they leave and reach hosts, and those of recorded losses, are " +
  "simulated. " +
  "Between hosts a packet is drawn with the time of each line and its delay, and waits, for what " +
  "is left of its time, before the line that leaves its flow the least (of ABR: at its source). " +
  "Dots that touch are several packets. " +
  "Bars are queues, of their buffers, with the parts of flows; widths of lines are throughput. " +
  "Cells of sources without packets are not drawn.";

/* Simulated seconds whose packets are asked for at once: about `WANTED` of them. */
function widthOf(run, span) {
  const flows = Object.values(run.summary.flows ?? {});
  const bits = flows.reduce((total, flow) => total + flow.throughput_bits_per_second, 0);
  const width = (WANTED * 8 * 1000) / (3 * Math.max(bits, 1));
  return Math.min(span[1] - span[0], 10, Math.max(width, 0.02));
}

/* True if packets around an instant are not all in a window of the run. */
function isOutside(instant, [start, end], span, delay) {
  const room = 0.05 * (end - start);
  const isLate = end < span[1] && instant > end - room;
  return isLate || (start > span[0] && instant < start + Math.max(room, delay));
}

export function pathRow(engine, mark) {
  const row = document.getElementById("paths");
  const sides = Object.fromEntries(
    SIDES.map((name) => [name, { name, place: holder(name), queue: newest(engine.ask) }])
  );
  document.getElementById("path-notes").textContent = NOTES;
  const line = transport(document.getElementById("transport"), {
    show,
    step: (instant, by) =>
      nearest(Object.values(sides).map((one) => one.layer?.sentNear(instant, by)), by),
    loss: (instant, by) =>
      nearest(Object.values(sides).flatMap((one) => one.losses ?? [])
        .filter((time) => by * (time - instant) > 1e-9), by),
  });

  const sequence = sequenceView(document.getElementById("sequence"), line.go);

  function nearest(times, by) {
    const known = times.filter((one) => one != null);
    return known.length ? by * Math.min(...known.map((time) => by * time)) : null;
  }

  function holder(name) {
    const place = element("div", { className: "wide", tabIndex: 0 });
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", `the path of setting ${name}`);
    place.dataset.side = name;
    const head = element("h3", { textContent: `Setting ${name}` });
    row.append(element("div", {}, head, place));
    return place;
  }

  /* A finished run, and what is drawn of it. */
  function shown(name, found) {
    const side = sides[name];
    const { path, explained, job, run, flows, span } = found;
    Object.assign(side, { path, explained, job, run, flows, span });
    Object.assign(side, { losses: allLosses(run), packets: null, asked: null });
    if (!found.path) {
      side.place.textContent =
        "No path is drawn: it has no links, or more than a picture can show.";
      side.view = side.layer = null;
      return;
    }
    side.place.innerHTML = found.path.svg;
    const svg = side.place.firstElementChild;
    const least = LEGIBLE * svg.width.baseVal.value;
    svg.style.minWidth = `${least}px`;
    row.classList.toggle("long", least > row.clientWidth / 2 - 20);
    side.view = pathView(svg, framesOf(found.path, found.run, found.span));
    side.layer = packetLayer(svg, found.path);
    const isFirst = !side.isKnown;
    side.isKnown = true;
    if (isFirst && name === "A") begin(side);
    else line.run(found.span, line.instant());
    ask(side);
  }

  function begin({ view, span, explained }) {
    const step = (span[1] - span[0]) / 400;
    const flow = explained.flows.find(({ tcp }) => tcp);
    const pace = (flow?.tcp.unloaded_rtt_seconds ?? 0.1) / 3;
    line.run(span, span[0] + (view.striking() + 0.5) * step, pace);
  }

  /* Packets are asked for when nothing has changed for a while. */
  function ask(side) {
    clearTimeout(side.timer);
    side.timer = setTimeout(() => load(side), QUIET);
  }

  async function load(side) {
    if (!side.layer) return;
    const width = widthOf(side.run, side.span);
    // Those that are on the way at this instant were sent up to a delay ago.
    const lead = Math.max(0.4 * width, 1.1 * longestDelay(side.run));
    const start = Math.max(side.span[0], line.instant() - lead);
    const window = [start, Math.min(side.span[1], line.instant() + 0.6 * width)];
    const { run } = side;
    side.asked = window;
    const job = { ...side.job, keep: "packets", window };
    const answer = await side.queue.want(job).catch(() => null);
    if (!answer || answer.faults?.length || side.run !== run) return;
    side.packets = opened(answer);
    side.window = window;
    side.layer.load(side.packets, run, side.flows.colours, window);
    line.again();
    sequence.show(Object.values(sides).filter((one) => one.packets));
  }

  function show(instant) {
    mark(instant);
    const words = Object.values(sides).map((side) => showSide(side, instant));
    return words.filter(Boolean).join("; ");
  }

  function showSide(side, instant) {
    if (!side.view) return "";
    const { view, layer, span, window, asked } = side;
    const frame = Math.floor((400 * (instant - span[0])) / (span[1] - span[0]));
    const words = view.show(Math.min(399, Math.max(0, frame)));
    const counts = layer.draw(instant);
    shareBars(side.place.firstElementChild, counts.queues, side.flows.colours);
    const near = asked ?? window;
    if (near && isOutside(instant, near, span, longestDelay(side.run))) ask(side);
    return [`setting ${side.name}`, ...words, `${counts.moving} packets on lines`].join(", ");
  }

  /* The run of a side is about to be replaced. */
  function wait(name) {
    const side = sides[name];
    clearTimeout(side.timer);
    side.queue.stop();
  }

  return { show: shown, wait, go: line.go };
}
