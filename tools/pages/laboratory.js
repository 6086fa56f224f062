/* Laboratories in the text of a page: a control runs the scenario again, and the curves follow.

   The simulator is fetched when the first of them comes into view. */
import { engines, newest } from "./engine.js";

const HERE = new URL(".", document.currentScript.src);
const SIZE = { least: 320, height: 240, left: 52, right: 10, top: 10, bottom: 34 };
const SHOWN = { byte: ["KiB", 1024], s: ["ms", 1e-3], "bit/s": ["Mbit/s", 1e6] };
const MOST = 1200;
const spoken = (value) => String(Number(value.toPrecision(3)));

let simulator = null;

window.cellwayKeeps = (id, textContent) =>
  document.head.append(
    Object.assign(document.createElement("script"), {
      id,
      textContent,
      type: "application/octet-stream",
    })
  );

/* Fetches the simulator once; a page opened from a disk takes scripts alone. */
function fetched() {
  simulator ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = new URL("simulator.js", HERE);
    script.onload = done;
    script.onerror = () => fail(new Error("assets/simulator.js cannot be read"));
    document.head.append(script);
  });
  return simulator;
}

/* The number at a path of the summary; a name may have a full stop inside. `*` adds up all. */
function numberAt(found, parts) {
  if (parts.length === 0) return found;
  if (found === null || typeof found !== "object") return NaN;
  if (parts[0] === "*")
    return Object.values(found).reduce((sum, one) => sum + numberAt(one, parts.slice(1)), 0);
  for (let count = 1; count <= parts.length; count += 1) {
    const name = parts.slice(0, count).join(".");
    if (name in found) return numberAt(found[name], parts.slice(count));
  }
  return NaN;
}

function svg(name, given, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  Object.entries(given).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

/* The part of a curve until an instant. */
function until({ time, value }, end) {
  const count = time.findLastIndex((one) => one <= end) + 1;
  return { time: time.slice(0, count), value: value.slice(0, count) };
}

/* Least and largest value of each of `MOST` stretches of a curve, which show all that a screen can.
   */
function thinned({ time, value }) {
  if (time.length <= MOST) return [...time].map((one, at) => [one, value[at]]);
  const points = [];
  const stretch = time.length / (MOST / 2);
  for (let from = 0; from < time.length; from += stretch) {
    const [start, end] = [Math.floor(from), Math.min(time.length, Math.floor(from + stretch))];
    let [low, high] = [start, start];
    for (let at = start; at < end; at += 1) {
      if (value[at] < value[low]) low = at;
      if (value[at] > value[high]) high = at;
    }
    [low, high].sort((a, b) => a - b).forEach((at) => points.push([time[at], value[at]]));
  }
  return points;
}

/* Round steps of an axis from 0 to `end`. */
function steps(end, count) {
  const least = end / count;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least * (1 - 1e-9));
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, at) => at * step);
}

class Curves {
  #place;
  #title;
  #before = null;
  #shown = null;

  constructor(place, title) {
    this.#place = place;
    this.#title = title;
  }

  /* Draws curves over `end` seconds, in front of the curves before them. */
  show(curves, unit, end) {
    const { least, height, left, right, top, bottom } = SIZE;
    const width = Math.max(least, this.#place.clientWidth);
    if (this.#shown && this.#shown.unit === unit) this.#before = this.#shown.curves;
    this.#shown = { curves, unit };
    const all = [...curves, ...(this.#before ?? [])].flatMap(({ points }) => points);
    const most = all.reduce((high, [, one]) => (one > high ? one : high), 0) * 1.05 || 1;
    const x = (time) => left + (time / end) * (width - left - right);
    const y = (value) => height - bottom - (value / most) * (height - top - bottom);
    const image = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    image.setAttribute("aria-label", `${this.#title}, ${unit}, over ${spoken(end)} s`);
    steps(most, 4).forEach((value) => {
      image.append(svg("line", { x1: left, x2: width - right, y1: y(value), y2: y(value) }));
      image.append(svg("text", { x: left - 6, y: y(value) + 4, class: "end" }, spoken(value)));
    });
    steps(end, width < 500 ? 4 : 6).forEach((time) =>
      image.append(svg("text", { x: x(time), y: height - 16, class: "middle" }, spoken(time)))
    );
    image.append(svg("text", { x: width - right, y: height - 3, class: "end" }, "time, s"));
    const draw = ({ points }, at, old) => {
      const d = points.map(([t, v], number) => {
        const place = `${x(t).toFixed(1)},${y(v).toFixed(1)}`;
        return number ? `L${place}` : `M${place}`;
      });
      const kind = old ? "curve before" : `curve curve${at % 4}`;
      image.append(svg("path", { d: d.join(""), class: kind }));
    };
    (this.#before ?? []).forEach((one, at) => draw(one, at, true));
    curves.forEach((one, at) => draw(one, at, false));
    this.#place.replaceChildren(this.#legend(curves, unit), image);
  }

  #legend(curves, unit) {
    const line = document.createElement("p");
    line.className = "lab-legend";
    line.append(`${this.#title}, ${unit}`);
    const mark = (words, kind) => {
      const made = document.createElement("span");
      made.className = kind;
      made.textContent = words;
      line.append(" ", made);
    };
    if (curves.length > 1) curves.forEach(({ name }, at) => mark(name, `curve${at % 4}`));
    if (this.#before) mark("before", "before");
    return line;
  }
}

class Laboratory {
  #figure;
  #data;
  #chart;
  #status;
  #at;
  #want = null;

  constructor(figure) {
    this.#figure = figure;
    this.#data = JSON.parse(figure.querySelector("script").textContent);
    this.#chart = new Curves(figure.querySelector(".lab-chart"), this.#data.title);
    this.#status = figure.querySelector("[role=status]");
    this.#at = Object.fromEntries(
      Object.entries(this.#data.controls).map(([name, { at }]) => [name, at])
    );
    figure.querySelectorAll("input").forEach((input) => {
      input.value = input.getAttribute("value");
      this.#name(input);
      input.addEventListener("input", () => {
        this.#at[input.dataset.control] = Number(input.value);
        this.#name(input);
        this.run();
      });
    });
  }

  #name(input) {
    const name = input.dataset.control;
    const [, label] = this.#data.controls[name].levels[Number(input.value)];
    this.#figure.querySelector(`[data-shown="${name}"]`).textContent = label;
    input.setAttribute("aria-valuetext", label);
  }

  #sets() {
    const chosen = Object.entries(this.#data.controls).flatMap(([name, { keys, levels }]) =>
      keys.map((key) => [key, levels[this.#at[name]][0]])
    );
    return [...this.#data.set, ...chosen];
  }

  async run() {
    this.#figure.classList.add("stale");
    const job = { text: this.#data.text, set: this.#sets(), keep: "series" };
    try {
      await fetched();
      this.#want ??= newest(engines.web(this.#data).ask).want;
      const answer = await this.#want(job);
      if (answer !== null) this.#take(answer);
    } catch ({ message }) {
      this.#status.textContent = message;
    }
  }

  #take(answer) {
    const faults = answer.faults ?? [];
    this.#status.textContent = faults.map(({ message }) => message).join("; ");
    if (faults.length) return;
    const summary = JSON.parse(answer.summary);
    const found = new Map(answer.columns.map((one) => [one.name, one]));
    const flat = { unit: "", time: [0, summary.duration_s], value: [0, 0] };
    const columns = this.#data.curves.map((name) => [name, found.get(name) ?? flat]);
    const unit = columns.map(([, column]) => column.unit).find(Boolean) ?? "";
    const [word, scale] = SHOWN[unit] ?? [unit && `${unit}s`, 1];
    const end = Math.min(summary.duration_s, this.#data.until ?? Infinity);
    const curves = columns.map(([name, column]) => ({
      name: name.slice(0, name.lastIndexOf(".")),
      points: thinned(until(column, end))
        .filter(([, value]) => Number.isFinite(value))
        .map(([time, value]) => [time, value / scale]),
    }));
    this.#chart.show(curves, word, end);
    Object.entries(this.#data.numbers).forEach(([name, { quantity, unit: of, per }]) => {
      const value = numberAt(summary, quantity.split(".")) / per;
      const place = this.#figure.querySelector(`[data-number="${name}"]`);
      place.textContent = `${spoken(value)} ${of}`.trim();
    });
    this.#figure.classList.remove("stale");
    this.#figure.dataset.runs = String(Number(this.#figure.dataset.runs ?? 0) + 1);
  }
}

const seen = new IntersectionObserver(
  (entries) =>
    entries
      .filter(({ isIntersecting }) => isIntersecting)
      .forEach(({ target }) => {
        seen.unobserve(target);
        new Laboratory(target).run();
      }),
  { rootMargin: "200px" }
);
document.querySelectorAll("figure.lab").forEach((figure) => seen.observe(figure));
