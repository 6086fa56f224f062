/* The drawn paths of both settings at one instant, with the packets around it. */
import { SIDES } from "./controls.js";
import { element } from "./elements.js";
import { newest } from "./engine.js";
import { allLosses, frameAt, framesOf, middleOf } from "./frames.js";
import { PacketLayer, shareBars } from "./packets.js";
import { longestDelay, opened } from "./panels.js";
import { quietly } from "./quiet.js";
import { SequenceView } from "./sequence.js";
import { Transport } from "./transport.js";

const WANTED = 12000;
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

/* The nearest of some instants in one direction; null if there is none. */
function nearest(times, by) {
  const known = times.filter((one) => one != null);
  return known.length ? by * Math.min(...known.map((time) => by * time)) : null;
}

function holder(row, name) {
  const place = element("div", { className: "wide", tabIndex: 0 });
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `the path of setting ${name}`);
  Object.assign(place.dataset, { side: name, described: "" });
  const head = element("h3", { textContent: `Setting ${name}` });
  row.append(element("div", {}, head, place));
  return place;
}

export class PathRow {
  #row = document.getElementById("paths");
  #mark;
  #sides;
  #line;
  #sequence;

  /* `mark(instant)` hears of every instant that is shown. */
  constructor(engine, mark) {
    this.#mark = mark;
    this.#sides = Object.fromEntries(SIDES.map((name) => [name, this.#side(name, engine)]));
    document.getElementById("path-notes").textContent = NOTES;
    this.#line = new Transport(document.getElementById("transport"), {
      show: (instant) => this.#show(instant),
      step: (instant, by) =>
        nearest(this.#all().map(({ layer }) => layer?.sentNear(instant, by)), by),
      loss: (instant, by) =>
        nearest(this.#all().flatMap(({ losses }) => losses ?? [])
          .filter((time) => by * (time - instant) > 1e-9), by),
    });
    this.#sequence = new SequenceView(document.getElementById("sequence"), this.go);
  }

  go = (instant) => this.#line.go(instant);

  /* A finished run, and the description that is drawn of it. */
  show(name, { path, explained, job, run, flows, span }) {
    const side = this.#sides[name];
    Object.assign(side, { path, explained, job, run, flows, span });
    Object.assign(side, { losses: allLosses(run), packets: null, asked: null });
    if (!path) {
      side.place.textContent =
        "No path is drawn: it has no links, or more than a picture can show.";
      side.view = side.layer = null;
      return;
    }
    this.#draw(side);
    const isFirst = !side.isKnown;
    side.isKnown = true;
    if (isFirst && name === "A") this.#begin(side);
    else this.#line.run(span, this.#line.instant());
    side.packetsLater.ask();
  }

  /* The run of a side is about to be replaced. */
  wait(name) {
    const side = this.#sides[name];
    side.packetsLater.cancel();
    side.queue.stop();
    this.#sequence.wait(name);
  }

  #all() {
    return Object.values(this.#sides);
  }

  #side(name, engine) {
    const side = { name, place: holder(this.#row, name), queue: newest(engine.ask) };
    // Packets are asked for when nothing has changed for a while.
    side.packetsLater = quietly(() => this.#load(side));
    return side;
  }

  #draw(side) {
    side.place.innerHTML = side.path.svg;
    const svg = side.place.firstElementChild;
    const least = LEGIBLE * svg.width.baseVal.value;
    svg.style.minWidth = `${least}px`;
    this.#row.classList.toggle("long", least > this.#row.clientWidth / 2 - 20);
    side.view = pathView(svg, framesOf(side.path, side.run, side.span));
    side.layer = new PacketLayer(svg, side.path);
  }

  #begin({ view, span, explained }) {
    const flow = explained.flows.find(({ tcp }) => tcp);
    const pace = (flow?.tcp.unloaded_rtt_seconds ?? 0.1) / 3;
    this.#line.run(span, middleOf(view.striking(), span), pace);
  }

  async #load(side) {
    if (!side.layer) return;
    const { run, span, flows } = side;
    const instant = this.#line.instant();
    const width = widthOf(run, span);
    // Those that are on the way at this instant were sent up to a delay ago.
    const lead = Math.max(0.4 * width, 1.1 * longestDelay(run));
    const window = [Math.max(span[0], instant - lead), Math.min(span[1], instant + 0.6 * width)];
    side.asked = window;
    const job = { ...side.job, keep: "packets", window };
    const answer = await side.queue.want(job).catch(() => null);
    if (side.run !== run) return;
    if (!answer || answer.faults?.length) {
      // They are asked for again when something moves.
      if (side.asked === window) side.asked = side.window;
      return;
    }
    side.packets = opened(answer);
    side.window = window;
    side.layer.load(side.packets, run, flows.colours, window);
    this.#line.again();
    this.#sequence.show(this.#all().filter(({ packets }) => packets));
  }

  #show(instant) {
    this.#mark(instant);
    const words = this.#all().map((side) => this.#showSide(side, instant));
    return words.filter(Boolean).join("; ");
  }

  #showSide(side, instant) {
    if (!side.view) return "";
    const { view, layer, span, window, asked } = side;
    const words = view.show(frameAt(instant, span));
    const counts = layer.draw(instant);
    shareBars(side.place.firstElementChild, counts.queues, side.flows.colours);
    const near = asked ?? window;
    if (near && isOutside(instant, near, span, longestDelay(side.run))) side.packetsLater.ask();
    return [`setting ${side.name}`, ...words, `${counts.moving} packets on lines`].join(", ");
  }
}
