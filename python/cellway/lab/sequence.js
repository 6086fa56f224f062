/* Time-sequence diagram of one flow, from the packets of a window. */
import { element } from "./elements.js";
import { longestDelay } from "./panels.js";

const UNITS = [["MiB", 2 ** 20], ["KiB", 2 ** 10]];

function panelOf({ packets: run, run: series, window, name: side }, flow, colour) {
  const sent = run.columns.get(`${flow}.packets.sequence`);
  if (!sent || sent.value[0] < 0) return null;
  const seen = run.columns.get(`${flow}.packets`);
  const sizes = run.columns.get(`${flow}.packets.size`);
  const heard = run.columns.get(`${flow}.answers.sequence`);
  const arrival = run.columns.get(`${flow}.answers`);
  const last = sent.value.at(-1);
  const [unit, size] = UNITS.find(([, one]) => last >= 10 * one) ?? UNITS[1];
  const kinds = { sent: [], again: [], lost: [] };
  const longest = longestDelay(series, flow) || Infinity;
  let highest = -1;
  sent.time.forEach((time, at) => {
    const isLost = Number.isNaN(seen.value[at]) && time + longest < window[1];
    const isAgain = sent.value[at] <= highest && sizes.value[at] > 60;
    kinds[isLost ? "lost" : isAgain ? "again" : "sent"].push([time, sent.value[at] / size]);
    highest = Math.max(highest, sent.value[at]);
  });
  const acks = [];
  heard?.value.forEach((value, at) => {
    if (arrival.value[at] <= window[1]) acks.push([arrival.value[at], value / size]);
  });
  const line = (name, ink, points, more) => ({
    name,
    colour: ink,
    t: points.map(([time]) => time),
    v: points.map(([, value]) => value),
    ...more,
  });
  const all = [...Object.values(kinds).flat(), ...acks].map(([, value]) => value);
  const bottom = Math.min(...all);
  const top = Math.max(...all);
  const room = 0.03 * (top - bottom) || 1;
  return {
    title: `Time and sequence of ${flow}, ${side}`,
    unit,
    top: top + room,
    bottom: bottom - room,
    limits: [],
    lines: [
      line("sent", colour, kinds.sent, { dots: 4 }),
      line("sent again", "--ink", kinds.again, { dots: 6 }),
      line("lost", "--loss", kinds.lost, { dots: 6 }),
      line("acknowledged", "--quiet", acks.sort((one, other) => one[0] - other[0]), {}),
    ],
  };
}

/* A choice of a flow with a transport, and its diagram on each side, each with axes of its own. */
export class SequenceView {
  #select = element("select");
  #tools = element("p", { className: "tools", hidden: true }, "Time and sequence of", this.#select);
  #charts = element("div", { className: "row" });
  #drawn = new Map();
  #sides = [];
  #go;

  constructor(place, go) {
    this.#go = go;
    this.#select.setAttribute("aria-label", "flow of the time-sequence diagram");
    this.#select.addEventListener("change", () => this.#sides.forEach((side) => this.#draw(side)));
    place.append(this.#tools, this.#charts);
  }

  /* Sides have `packets` of a `window`, their `run`, its `flows` and what `explain` says. */
  show(sides) {
    this.#sides = sides;
    this.#offer(sides[0]);
    sides.forEach((side) => this.#draw(side));
  }

  /* The diagram of a side, by its name, is no longer that of its setting. */
  wait(name) {
    this.#drawn.get(name)?.chart.figure.classList.add("stale");
  }

  #offer({ flows, explained, run }) {
    const rate = (name) => run.summary.flows[name].throughput_bits_per_second;
    const offered = explained.flows
      .filter(({ tcp, name }) => tcp && flows.colours.has(name))
      .map(({ name }) => name);
    const before = Array.from(this.#select.options, ({ value }) => value);
    if (offered.join() === before.join()) return;
    const options = offered.map((name) => element("option", { value: name, textContent: name }));
    this.#select.replaceChildren(...options);
    this.#select.value = [...offered].sort((one, other) => rate(other) - rate(one))[0] ?? "";
    this.#tools.hidden = offered.length === 0;
  }

  #draw(side) {
    const { name, window, flows } = side;
    const flow = this.#select.value;
    const panel = flow && panelOf(side, flow, flows.colours.get(flow));
    const known = this.#drawn.get(name);
    if (!panel) {
      known?.chart.remove();
      this.#drawn.delete(name);
    } else if (known) {
      known.board.span = window;
      known.chart.show(panel, window);
      known.chart.figure.classList.remove("stale");
    } else this.#begin(name, panel, window);
  }

  #begin(name, panel, window) {
    const board = new ChartBoard({ span: window, key: `sequence ${name}` });
    const chart = board.add(this.#charts, panel);
    board.pick = this.#go;
    if (name === "A") this.#charts.prepend(chart.figure);
    this.#drawn.set(name, { board, chart });
  }
}
