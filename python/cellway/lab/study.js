/* The settings as a study file: A against B, or the levels of a control. */
import { copier, element, saver } from "./elements.js";

/* At the end, since a study's question is its first paragraph, or else that of its scenario. */
const TAIL = ["# From a setting of the laboratory: `cellway study FILE` runs it.", ""];
const GOODPUT = [
  "[response.goodput]",
  'quantity = "flows.*.throughput_bits_per_second"',
  'reduce = "sum"',
  'unit = "Mbit/s"',
];
const LEVELS = 5;
const SAVED = "Save it in the folder of the scenario and give it to `cellway study`.";
const UNKNOWN =
  "A and B differ in a key whose value in the file no control has: move both to other levels.";

const text = (value) => JSON.stringify(value);
const literal = (value) => (value.startsWith("{") ? value : text(value));
const list = (values) => `[${values.join(", ")}]`;

/* Values of the keys of a control at a stop; null if nothing says those of the scenario. */
function valuesAt({ keys, stops, own }, at) {
  const { value } = stops[at];
  return value === null ? own : keys.map(() => value);
}

/* Keys with their values at several stops; null if the scenario's own is one that nobody knows. */
function columns(control, stops) {
  const values = stops.map((at) => valuesAt(control, at));
  if (values.includes(null)) return null;
  return control.keys.map((key, row) => [key, values.map((one) => literal(one[row]))]);
}

/* Lines that set the keys of controls as a setting has them, and what a response needs; the
   scenario's own are left out. */
function setLines(controls, at, { flow }) {
  const lines = controls.flatMap(({ keys, stops }, number) => {
    const value = stops[at[number]]?.value ?? null;
    return value === null ? [] : keys.map((key) => `${text(key)} = ${literal(value)}`);
  });
  if (flow) lines.push('"observe.series" = ["one_way_delay"]');
  return lines.length ? ["", "[set]", ...lines] : [];
}

/* Responses: goodput, the queue of a port, and the delay of a flow, as far as they were seen. */
function responses({ port, flow, warmUp }) {
  const lines = [...GOODPUT];
  if (port)
    lines.push("", "[response.queue]", `quantity = ${text(`ports.${port}.mean_queue`)}`);
  if (flow)
    lines.push("", "[response.longest_delay]", `series = ${text(`${flow}.one_way_delay`)}`,
      'reduce = "max"', `from = "${warmUp} s"`, 'unit = "ms"');
  return lines;
}

const written = (about, set, factor, seen) =>
  ["[study]", ...about, ...set, ...factor, "", ...responses(seen), "", ...TAIL].join("\n");

const aboutOf = (file) => [`scenario = ${text(file)}`, "replications = 5"];

/* Labels of A and B: their stops where they differ; told apart by their letters. */
function labelsOf(controls, settings, differ) {
  return ["A", "B"].map((side) => {
    const labels = differ.map((number) => controls[number].stops[settings[side][number]].label);
    return text(`${side}: ${labels.join(", ")}`);
  });
}

/* A is compared with B in the keys in which they differ; what they share is set. It is null if the
   file has a value that no key of the study can have. */
export function comparison(file, controls, settings, seen) {
  const numbers = controls.map((_, number) => number);
  const differ = numbers.filter((number) => settings.A[number] !== settings.B[number]);
  const shared = settings.A.map((at, number) =>
    differ.includes(number) ? controls[number].at : at
  );
  const set = setLines(controls, shared, seen);
  if (!differ.length) return written(aboutOf(file), set, [], seen);
  const pairs = differ.map((number) =>
    columns(controls[number], [settings.A[number], settings.B[number]])
  );
  if (pairs.includes(null)) return null;
  const about = [...aboutOf(file), 'compare = "setting"'];
  const zip = pairs.flat().map(([key, values]) => `${text(key)} = ${list(values)}`);
  const labels = list(labelsOf(controls, settings, differ));
  const factor = ["", "[factor.setting]", `labels = ${labels}`, "[factor.setting.zip]", ...zip];
  return written(about, set, factor, seen);
}

/* Levels of one control around the stop of A; the others are as in A. */
export function levels(file, controls, settings, chosen, seen) {
  const control = controls[chosen];
  const set = setLines(controls, settings.A.with(chosen, control.at), seen);
  const near = control.kind === "slider"
    ? around(control, settings.A[chosen]) : control.stops.map((_, at) => at);
  const known = near.filter((at) => valuesAt(control, at) !== null);
  const zip = columns(control, known);
  const labels = list(known.map((at) => text(control.stops[at].label)));
  const isCommon = new Set(zip.map(([, values]) => list(values))).size === 1;
  const ways = isCommon
    ? [`keys = ${list(control.keys.map(text))}`, `labels = ${labels}`,
      `levels = ${list(zip[0][1])}`]
    : [`labels = ${labels}`, "[factor.level.zip]",
      ...zip.map(([key, values]) => `${text(key)} = ${list(values)}`)];
  return written(aboutOf(file), set, ["", "[factor.level]", ...ways], seen);
}

/* Numbers of the stops around that of A. */
function around(control, at) {
  const last = control.stops.length - 1;
  const first = Math.max(0, Math.min(at - LEVELS + 1, last - 2 * (LEVELS - 1)));
  const places = Array.from({ length: LEVELS }, (_, step) => Math.min(last, first + 2 * step));
  return [...new Set([...places, at])].sort((one, other) => one - other);
}

/* Draws the choice and the text; `now()` has file, controls, settings, and and in `seen` the
   port and the flow that it watches, and the end of the warm-up. */
export function studyPanel(place, now) {
  const kind = element("select");
  const shown = element("pre", { tabIndex: 0 });
  const note = element("p");
  let chosenKeys = "";
  kind.setAttribute("aria-label", "what the study varies");
  const name = () => `${now().file.replace(/^.*\//, "").replace(/\.toml$/, "")}-study.toml`;
  const buttons = [
    copier("Copy", () => shown.textContent),
    saver("Save", name, () => shown.textContent),
  ];
  place.append(element("p", { className: "tools" }, kind, ...buttons), note, shown);

  function show() {
    const { file, controls, settings, seen } = now();
    const own = file.replace(/^.*\//, "");
    const chosen = Number(kind.value);
    const isOfTwo = chosen < 0 || !controls[chosen];
    const made = isOfTwo
      ? comparison(own, controls, settings, seen) : levels(own, controls, settings, chosen, seen);
    shown.textContent = made ?? "";
    note.textContent = made === null ? UNKNOWN : SAVED;
    [shown, ...buttons].forEach((one) => (one.hidden = made === null));
  }

  /* Offers what the text has; the choice stays as long as there is a control of its keys. */
  function offer() {
    const { controls } = now();
    const before = controls.findIndex(({ keys }) => String(keys) === chosenKeys);
    const options = controls.map(({ title }, at) => [String(at), `levels: ${title}`]);
    kind.replaceChildren(
      ...[["-1", "A and B"], ...options].map(([value, textContent]) =>
        element("option", { value, textContent })
      )
    );
    kind.value = String(before);
    show();
  }

  kind.addEventListener("change", () => {
    chosenKeys = String(now().controls[Number(kind.value)]?.keys ?? "");
    show();
  });
  return { offer, show };
}
