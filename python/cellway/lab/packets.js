/* Packets of a run on the drawn path.

   Instants at hosts are those of the run, and so are those of losses that were recorded. Between
   them a packet takes the time of each line and its delay; what is left of its time it waits before
   the line that leaves its flow the least, and an answer before the slowest of its way. */
import { inkOf, longestDelay, lossesOf } from "./panels.js";

const SVG = "http://www.w3.org/2000/svg";
const POINTS = 64;
const SIDE = 6;

/* Points of the line of an edge, with the direction to its left. */
function shapeOf(line) {
  const length = line.getTotalLength();
  const points = Array.from({ length: POINTS + 1 }, (_, at) =>
    line.getPointAtLength((at * length) / POINTS)
  );
  return points.map(({ x, y }, at) => {
    const one = points[Math.max(0, at - 1)];
    const other = points[Math.min(POINTS, at + 1)];
    const size = Math.hypot(other.x - one.x, other.y - one.y) || 1;
    return [x, y, (other.y - one.y) / size, (one.x - other.x) / size];
  });
}

/* The hops of packets from the origin, or of answers, and that before which they wait. */
function wayOf(way, isAnswer) {
  const hops = way.hops.map(([edge, box, delay, there, back]) => ({
    edge,
    box,
    delay,
    rate: isAnswer ? back : there,
    isBack: isAnswer,
  }));
  if (!isAnswer) return { hops, waits: way.waits };
  hops.reverse();
  const slower = (at, { rate }, other) => (rate < hops[at].rate ? other : at);
  return { hops, waits: hops.reduce(slower, 0) };
}

/* Packets of a flow with what they need on their way, in the order in which they were sent. */
function prepared(column, sizes, { hops, waits }, { losses, delay, end }) {
  const { time, value } = column;
  let longest = delay;
  for (let at = 0; at < time.length; at += 1)
    if (value[at] > time[at]) longest = Math.max(longest, value[at] - time[at]);
  let next = 0;
  const found = Array.from(time, (sent, at) => {
    const times = hops.map((hop) => (8 * sizes.value[at]) / hop.rate + hop.delay);
    const whole = times.reduce((total, one) => total + one, 0);
    const isSeen = value[at] > sent;
    if (isSeen) {
      const wait = Math.max(0, value[at] - sent - whole);
      const pace = Math.min(1, (value[at] - sent) / whole);
      return { sent, times, wait, pace, waits, end: value[at] };
    }
    const isUnderWay = sent + Math.max(longest, whole) > end;
    while (next < losses.length && losses[next] < sent) next += 1;
    const lostAt = isUnderWay ? null : losses[next] ?? null;
    if (lostAt !== null && lostAt < sent + whole + longest) next += 1;
    return { sent, times, wait: longest, pace: 1, waits, end: lostAt ?? sent + whole, isUnderWay };
  });
  return { found, longest: Math.max(longest, ...found.map((one) => one.end - one.sent)) };
}

/* Hop, part of it, and whether it waits; null before it was sent and after its end. */
function placeOf(packet, instant) {
  let left = instant - packet.sent;
  if (left < 0 || instant >= packet.end) return null;
  for (let hop = 0; hop < packet.times.length; hop += 1) {
    if (hop === packet.waits) {
      if (left < packet.wait) return { hop, part: 0, waits: true };
      left -= packet.wait;
    }
    const time = packet.times[hop] * packet.pace;
    if (left < time) return { hop, part: left / time, waits: false };
    left -= time;
  }
  return null;
}

/* A layer of dots above the lines of a drawing. */
export class PacketLayer {
  #svg;
  #places;
  #shapes = new Map();
  #layer = document.createElementNS(SVG, "g");
  #flows = [];

  constructor(svg, places) {
    this.#svg = svg;
    this.#places = places;
    this.#layer.setAttribute("class", "packets");
    this.#layer.setAttribute("aria-hidden", "true");
    const first = [...svg.children].find((one) => one.tagName !== "path") ?? null;
    svg.insertBefore(this.#layer, first);
  }

  /* Takes the packets of a window; `colours` has those of flows. */
  load(run, series, colours, window) {
    this.#layer.replaceChildren();
    this.#flows = Object.entries(this.#places.ways).flatMap(([name, way]) =>
      ["packets", "answers"].flatMap((word) => {
        const column = run.columns.get(`${name}.${word}`);
        if (!column || !way.hops.length) return [];
        const isAnswer = word === "answers";
        const own = wayOf(way, isAnswer);
        const losses = isAnswer ? [] : lossesOf(series, name);
        const sizes = run.columns.get(`${name}.${word}.size`);
        const colour = inkOf(colours, name);
        const delay = isAnswer ? 0 : longestDelay(series, name);
        const packets = prepared(column, sizes, own, { losses, delay, end: window[1] });
        return [{ name, isAnswer, hops: own.hops, ...packets, line: this.#line(colour, word) }];
      })
    );
  }

  /* Dots at an instant; the numbers of packets that move and that wait. */
  draw(instant) {
    const counts = { moving: 0, waiting: 0, queues: new Map() };
    this.#flows.forEach((flow) => this.#drawFlow(flow, instant, counts));
    return counts;
  }

  /* The instant nearest to another, in one direction, at which a packet was sent. */
  sentNear(instant, by) {
    const all = this.#flows.filter((flow) => !flow.isAnswer).flatMap(({ found }) => found);
    const times = all.map(({ sent }) => sent);
    const after = times.filter((time) => by * (time - instant) > 1e-9);
    return after.length ? by * Math.min(...after.map((time) => by * time)) : null;
  }

  #drawFlow(flow, instant, counts) {
    const dots = [];
    let at = firstFrom(flow.found, instant - flow.longest);
    for (; at < flow.found.length && flow.found[at].sent <= instant; at += 1) {
      const place = placeOf(flow.found[at], instant);
      if (!place) continue;
      if (place.waits) {
        counts.waiting += 1;
        const { edge } = flow.hops[place.hop];
        const those = counts.queues.get(edge) ?? new Map();
        counts.queues.set(edge, those.set(flow.name, (those.get(flow.name) ?? 0) + 1));
        if (partOf(this.#svg, `fill${edge}`) && !flow.isAnswer) continue;
      } else counts.moving += 1;
      dots.push(this.#pointOf(flow.hops[place.hop], place.part));
    }
    flow.line.setAttribute("d", dots.join(""));
  }

  #lineOf(edge) {
    return partOf(this.#svg, `edge${edge}`);
  }

  #shape(edge) {
    if (!this.#shapes.has(edge)) this.#shapes.set(edge, shapeOf(this.#lineOf(edge)));
    return this.#shapes.get(edge);
  }

  /* The left side of the way is that of the packet, so that answers have a lane of their own. */
  #pointOf(hop, part) {
    const starts = this.#lineOf(hop.edge).dataset.from === String(hop.box);
    const isOnward = starts !== hop.isBack;
    const at = Math.round((isOnward ? part : 1 - part) * POINTS);
    const [x, y, left, up] = this.#shape(hop.edge)[at];
    const side = isOnward ? SIDE : -SIDE;
    return `M${(x + side * left).toFixed(1)} ${(y + side * up).toFixed(1)}h0`;
  }

  #line(colour, name) {
    const made = document.createElementNS(SVG, "path");
    made.setAttribute("class", `dots ${name}`);
    made.style.stroke = colour;
    this.#layer.append(made);
    return made;
  }
}

/* Number of the first packet that was sent at `instant` or later. */
function firstFrom(packets, instant) {
  let low = 0;
  let high = packets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packets[middle].sent < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Parts of the bars of queues by the flows whose packets wait; `queues` counts them by edge. */
export function shareBars(svg, queues, colours) {
  svg.querySelectorAll("rect.share").forEach((one) => one.remove());
  queues.forEach((counts, edge) => {
    const bar = partOf(svg, `fill${edge}`);
    if (!bar) return;
    const whole = [...counts.values()].reduce((total, one) => total + one, 0);
    const width = Number(bar.getAttribute("width"));
    let left = Number(bar.getAttribute("x"));
    [...counts].forEach(([name, count]) => {
      const part = bar.cloneNode();
      part.removeAttribute("id");
      part.setAttribute("class", "share live");
      part.setAttribute("x", String(left));
      part.setAttribute("width", String((width * count) / whole));
      part.style.fill = inkOf(colours, name);
      left += (width * count) / whole;
      bar.after(part);
    });
  });
}
