/* The laboratory: settings to jobs, answers to pictures. */
import { controlRows, hashOf, setsOf, SIDES, stopsFrom } from "./controls.js";
import { copier, element } from "./elements.js";
import { engines, newest } from "./engine.js";
import { editor } from "./editor.js";
import { coloursOf, opened, rowsOf } from "./panels.js";
import { pathRow } from "./paths.js";
import { commandOf, derivedOf, numbersTable } from "./side.js";
import { studyPanel } from "./study.js";

const data = JSON.parse(document.getElementById("lab").textContent);
const engine = engines[data.engine](data);
const byId = (name) => document.getElementById(name);
const both = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));

const state = {
  text: data.text,
  controls: [],
  settings: { A: [], B: [] },
  runs: both(() => null),
  faults: both(() => []),
  places: {},
  explained: {},
  flows: null,
};
const asking = both(() => newest(engine.ask));
const describing = both(() => newest((job) => engine.describe(job)));
const rows = new Map();
const pending = both(() => null);
let board = null;
let controls = null;

const job = (side) => ({
  text: state.text,
  set: setsOf(state.controls, state.settings[side]),
  files: {},
  keep: "series",
});
const span = () => {
  const ends = SIDES.map((side) => state.runs[side]?.summary.duration_s ?? 0);
  return [0, Math.max(...ends)];
};

/* The text of a setting, with its command line and derived numbers. */
const said = both((side) => {
  const command = element("code");
  const derived = element("p");
  const faults = element("p", { className: "fault", hidden: true });
  const copy = copier("Copy", () => command.textContent);
  copy.setAttribute("aria-label", `copy the command of setting ${side}`);
  const head = element("h3", { textContent: `Setting ${side}` });
  const line = element("div", { className: "command" }, command, copy);
  const place = element("div", { className: "setting" }, head, derived, faults, line);
  byId("sides").append(place);
  return { command, derived, faults, place };
});

function showSetting(side) {
  const sets = setsOf(state.controls, state.settings[side]);
  said[side].command.textContent = commandOf(data.file, sets);
  if (state.explained[side])
    said[side].derived.textContent = derivedOf(state.explained[side], state.runs[side]);
}

function showFaults(side, faults) {
  const own = said[side].faults;
  own.hidden = faults.length === 0;
  own.textContent = faults
    .map(({ line, column, message }) => (line ? `${line}:${column}: ${message}` : message))
    .join("\n");
  controls?.blame(side, faults);
  state.faults[side] = faults;
  editing.show(faults.length ? faults : SIDES.flatMap((one) => state.faults[one]));
}

/* Marks pictures that are not those of the setting. */
function busy() {
  const those = SIDES.filter((side) => asking[side].isBusy());
  byId("stop").hidden = those.length === 0;
  byId("status").textContent = those.length ? `running ${those.join(" and ")}` : "";
  const figures = document.querySelectorAll("[data-side]");
  figures.forEach((one) => one.classList.toggle("stale", those.includes(one.dataset.side)));
}

/* Draws both settings when both have an answer; one alone only where the other has faults. */
function draw() {
  const known = SIDES.filter((side) => state.runs[side]);
  const isAwaited = (side) => !state.runs[side] && !state.faults[side].length;
  if (!known.length || SIDES.some(isAwaited)) return;
  const runs = Object.fromEntries(known.map((side) => [side, state.runs[side]]));
  const [first] = Object.values(runs);
  const warmUp = first.summary.warm_up_s;
  state.flows ??= coloursOf(first);
  if (!board || board.span[1] !== span()[1] || board.warmUp !== warmUp) start(warmUp);
  const made = rowsOf(runs, state.places, state.flows, span());
  const keys = new Set(made.map(({ key }) => key));
  [...rows].filter(([key]) => !keys.has(key)).forEach(([key]) => drop(key));
  made.forEach((one, at) => showRow(one, at));
  numbersTable(byId("numbers"), runs, state.flows.colours);
  SIDES.forEach(showPath);
}

/* A board for another span of time. */
function start(warmUp) {
  [...rows.keys()].forEach(drop);
  board = chartBoard({ span: span(), warmUp, height: 190, key: "lab" });
  board.pick = paths.go;
}

function drop(key) {
  const { place, charts } = rows.get(key);
  Object.values(charts).forEach((chart) => chart.remove());
  place.remove();
  rows.delete(key);
}

/* Draws a panel unless it is there already: a slider changes one setting, and seldom the axes. */
function showPanel(row, side, panel) {
  const { title, unit, top, limits } = panel;
  const looks = JSON.stringify([title, unit, top, limits, isOver()]);
  const runs = isOver() ? SIDES.map((one) => state.runs[one]) : [state.runs[side]];
  const before = row.drawn[side];
  if (before && before.looks === looks && runs.every((run, at) => run === before.runs[at])) return;
  row.drawn[side] = { looks, runs };
  if (row.charts[side]) return row.charts[side].show(panel);
  row.charts[side] = board.add(row.place, panel);
  const { figure } = row.charts[side];
  figure.dataset.side = side;
  if (side === "A") row.place.prepend(figure);
}

function showRow({ key, panels }, at) {
  if (isOver() && panels.A && panels.B)
    panels.A.lines = [...panels.A.lines, ...panels.B.lines.map(behind)];
  if (!rows.has(key))
    rows.set(key, { place: element("div", { className: "row" }), charts: {}, drawn: {} });
  const row = rows.get(key);
  const before = byId("rows").children[at];
  if (before !== row.place) byId("rows").insertBefore(row.place, before ?? null);
  Object.entries(panels).forEach(([side, panel]) => showPanel(row, side, panel));
}

/* Curves of B over those of A are dashed, and have no place in the legend. */
const behind = (line) => ({ ...line, dashed: true, unnamed: true, name: `${line.name} of B` });
const isOver = () => byId("over").ariaPressed === "true";

function lay() {
  byId("over").ariaPressed = String(!isOver());
  draw();
}

async function run(side) {
  showSetting(side);
  const asked = asking[side].want(job(side));
  busy();
  paths.wait(side);
  try {
    const answer = await asked;
    if (answer === null) return busy();
    showFaults(side, answer.faults ?? []);
    if (answer.faults?.length) {
      draw();
      return busy();
    }
    state.runs[side] = opened(answer);
    performance.mark(`answer ${side}`);
    draw();
    performance.mark(`picture ${side}`);
    describe(side);
  } catch (error) {
    showFaults(side, [{ line: 0, column: 0, message: error.message }]);
  }
  return busy();
}

/* The drawn path and the derived numbers, which no picture waits for. */
async function describe(side) {
  const found = engine.describe ? await describing[side].want(job(side)).catch(() => null) : data;
  if (!found || found.faults || !state.runs[side]) return;
  const isFirst = !state.places[side];
  state.places[side] = found.path;
  state.explained[side] = found.explained;
  pending[side] = { ...found, job: job(side), run: state.runs[side] };
  showSetting(side);
  if (isFirst) draw();
  showPath(side);
}

/* The path of a run, when both settings have one: only then flows have colours. */
function showPath(side) {
  if (!state.flows || !pending[side]) return;
  paths.show(side, { ...pending[side], flows: state.flows, span: span() });
  pending[side] = null;
}

function changed(side, number, at) {
  state.settings[side][number] = at;
  keep();
  run(side);
}

function keep() {
  history.replaceState(null, "", `#${hashOf(state.controls, state.settings)}`);
  study.show();
}

function set(settings) {
  state.settings = settings;
  SIDES.forEach((side) => {
    controls.show(side, settings[side]);
    run(side);
  });
  keep();
}

/* A text: its controls, and both settings as far as it has them. */
async function open(newText) {
  state.text = newText;
  const asked = { text: newText, set: [], files: {}, keep: "series" };
  const failed = ({ message }) => ({ faults: [{ line: 0, column: 0, message }] });
  const found = engine.describe ? await engine.describe(asked).catch(failed) : data;
  if (found.faults) return showFaults("A", found.faults);
  byId("title").textContent = found.title || found.name;
  const hash = state.controls.length ? hashOf(state.controls, state.settings) : location.hash;
  state.controls = found.controls;
  state.compare = found.compare;
  Object.assign(state, { flows: null, places: {}, runs: both(() => null) });
  byId("file").textContent = fileNote();
  controls = controlRows(byId("controls"), state.controls, changed);
  set(both((side) => stopsFrom(hash, state.controls, side, state.compare)));
  study.offer();
}

/* The file of the commands, if it is not there as it runs here. */
function fileNote() {
  if (state.text !== data.text) return "The commands are of the edited text: save it as the file.";
  return data.shipped ? `cellway init ${data.name} writes the file of the commands.` : "";
}

const paths = pathRow(engine, (instant) => board?.point(instant));
const editing = editor(byId("text"), data, open);
const study = studyPanel(byId("study"), () => ({ file: data.file, ...state }));
byId("question").append(
  ...data.question.split("`").map((part, at) =>
    at % 2 ? element("code", { textContent: part }) : part
  )
);
byId("over").addEventListener("click", lay);
byId("all").addEventListener("click", () => board?.zoom(...board.span));
addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("textarea, select") || event.ctrlKey || event.metaKey;
  if (event.key === "o" && !isTyped) lay();
});
byId("stop").addEventListener("click", () => SIDES.forEach((side) => asking[side].stop()));
byId("same").addEventListener("click", () => set({ ...state.settings, B: [...state.settings.A] }));
byId("reset").addEventListener("click", () =>
  set(both(() => state.controls.map((control) => control.at)))
);
addEventListener("hashchange", () =>
  set(both((side) => stopsFrom(location.hash, state.controls, side)))
);
open(data.text);
