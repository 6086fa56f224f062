/* Time-sequence diagram of one flow, from the packets of a window. */
import { element } from "./elements.js";
import { longestDelay } from "./panels.js";

const KIB = 1024;

function panelOf({ packets: run, run: series, window, name: side }, flow, colour) {
  const sent = run.columns.get(`${flow}.packets.sequence`);
  if (!sent || sent.value[0] < 0) return null;
  const seen = run.columns.get(`${flow}.packets`);
  const sizes = run.columns.get(`${flow}.packets.size`);
  const heard = run.columns.get(`${flow}.answers.sequence`);
  const arrival = run.columns.get(`${flow}.answers`);
  const kinds = { sent: [], again: [], lost: [] };
  const longest = longestDelay(series, flow) || Infinity;
  let highest = -1;
  sent.time.forEach((time, at) => {
    const isLost = Number.isNaN(seen.value[at]) && time + longest < window[1];
    const isAgain = sent.value[at] <= highest && sizes.value[at] > 60;
    kinds[isLost ? "lost" : isAgain ? "again" : "sent"].push([time, sent.value[at] / KIB]);
    highest = Math.max(highest, sent.value[at]);
  });
  const acks = [];
  heard?.value.forEach((value, at) => {
    if (arrival.value[at] <= window[1]) acks.push([arrival.value[at], value / KIB]);
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
    unit: "KiB",
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
export function sequenceView(place, go) {
  let chosen = "";

  function offeredBy({ flows, explained, run }) {
    const rate = (name) => run.summary.flows[name].throughput_bits_per_second;
    const offered = explained.flows
      .filter(({ tcp, name }) => tcp && flows.colours.has(name))
      .map(({ name }) => name);
    const [fastest = ""] = [...offered].sort((one, other) => rate(other) - rate(one));
    if (!offered.includes(chosen)) chosen = fastest;
    return offered;
  }

  function choice(offered, sides) {
    const select = element("select");
    select.setAttribute("aria-label", "flow of the time-sequence diagram");
    offered.forEach((name) => select.append(element("option", { value: name, textContent: name })));
    select.value = chosen;
    select.addEventListener("change", () => {
      chosen = select.value;
      show(sides);
    });
    return element("p", { className: "tools" }, "Time and sequence of", select);
  }

  /* Sides have `packets` of a `window`, their `run`, its `flows` and what `explain` says. */
  function show(sides) {
    const offered = offeredBy(sides[0]);
    place.replaceChildren();
    if (!chosen) return;
    const charts = element("div", { className: "row" });
    place.append(choice(offered, sides), charts);
    sides.forEach((side) => {
      const panel = panelOf(side, chosen, side.flows.colours.get(chosen));
      if (!panel) return;
      const board = chartBoard({ span: side.window, key: `sequence ${side.name}` });
      board.pick = go;
      board.add(charts, panel);
    });
  }

  return { show };
}
