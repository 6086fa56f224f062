/* The settings as a study file: A against B, or the levels of a control. */
import { copier, element, saver } from "./elements.js";

const HEAD = ["# From a setting of the laboratory: `cellway study FILE` runs it.", "", "[study]"];
const RESPONSES = [
  "[response.goodput]",
  'quantity = "flows.*.throughput_bits_per_second"',
  'reduce = "sum"',
  'unit = "Mbit/s"',
];
const LEVELS = 5;

const literal = (value) => (value.startsWith("{") ? value : JSON.stringify(value));
const valueOf = (control, at) => control.stops[at].value ?? control.own;
const list = (values) => `[${values.join(", ")}]`;

/* A is compared with B in the keys in which they differ; what they share is set. */
export function comparison(file, controls, settings) {
  const shared = [];
  const zip = [];
  controls.forEach((control, number) => {
    const [a, b] = [settings.A[number], settings.B[number]];
    const values = [valueOf(control, a), valueOf(control, b)];
    if (a === b && control.stops[a].value === null) return;
    control.keys.forEach((key) => {
      if (a === b) shared.push(`${JSON.stringify(key)} = ${literal(values[0])}`);
      else if (values.every((one) => one !== null))
        zip.push(`${JSON.stringify(key)} = ${list(values.map(literal))}`);
      else zip.push(`# ${key} differs between the flows of the file: give its values here`);
    });
  });
  const about = [`scenario = ${JSON.stringify(file)}`, "replications = 5"];
  if (zip.length) about.push('compare = "setting"');
  const factor = ["", "[factor.setting]", 'labels = ["A", "B"]', "[factor.setting.zip]", ...zip];
  return written(about, shared, zip.length ? factor : []);
}

/* Levels of one control around the stop of A; the others are as in A. */
export function levels(file, controls, settings, chosen) {
  const shared = controls.flatMap((control, number) => {
    const { value } = control.stops[settings.A[number]];
    if (number === chosen || value === null) return [];
    return control.keys.map((key) => `${JSON.stringify(key)} = ${literal(value)}`);
  });
  const control = controls[chosen];
  const stops = control.kind === "slider" ? around(control, settings.A[chosen]) : control.stops;
  const known = stops.filter((stop) => stop.value !== null || control.own !== null);
  const values = known.map(({ value }) => literal(value ?? control.own));
  const factor = [
    "",
    "[factor.level]",
    `keys = ${list(control.keys.map((key) => JSON.stringify(key)))}`,
    `labels = ${list(known.map(({ label }) => JSON.stringify(label)))}`,
    `levels = ${list(values)}`,
  ];
  return written([`scenario = ${JSON.stringify(file)}`, "replications = 5"], shared, factor);
}

function around(control, at) {
  const last = control.stops.length - 1;
  const first = Math.max(0, Math.min(at - LEVELS + 1, last - 2 * (LEVELS - 1)));
  const places = Array.from({ length: LEVELS }, (_, step) => Math.min(last, first + 2 * step));
  return [...new Set([...places, at])].sort((one, other) => one - other)
    .map((one) => control.stops[one]);
}

function written(about, shared, factor) {
  const set = shared.length ? ["", "[set]", ...shared] : [];
  return [...HEAD, ...about, ...set, ...factor, "", ...RESPONSES, ""].join("\n");
}

/* Draws the choice and the text; `now()` has file, controls and settings. */
export function studyPanel(place, now) {
  const kind = element("select");
  const shown = element("pre", { tabIndex: 0 });
  kind.setAttribute("aria-label", "what the study varies");
  const name = () => `${now().file.replace(/^.*\//, "").replace(/\.toml$/, "")}-study.toml`;
  place.append(
    element("p", { className: "tools" }, kind, copier("Copy", () => shown.textContent),
      saver("Save", name, () => shown.textContent)),
    element("p", {
      textContent: "Save it in the folder of the scenario and give it to `cellway study`.",
    }),
    shown
  );

  function show() {
    const { file, controls, settings } = now();
    const own = file.replace(/^.*\//, "");
    const chosen = Number(kind.value);
    shown.textContent =
      chosen < 0 || !controls[chosen]
        ? comparison(own, controls, settings)
        : levels(own, controls, settings, chosen);
  }

  function offer() {
    const before = kind.value;
    const options = now().controls.map(({ title }, at) => [String(at), `levels: ${title}`]);
    kind.replaceChildren(
      ...[["-1", "A and B"], ...options].map(([value, textContent]) =>
        element("option", { value, textContent })
      )
    );
    kind.value = before || "-1";
    show();
  }

  kind.addEventListener("change", show);
  return { offer, show };
}
