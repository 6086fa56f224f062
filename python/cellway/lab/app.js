/* The laboratory: settings to jobs, answers to pictures. */
import { ChartRows } from "./chart_rows.js";
import { controlRows, hashOf, setsOf, SIDES, stopsFrom } from "./controls.js";
import { data } from "./data.js";
import { copier, element } from "./elements.js";
import { engines, newest } from "./engine.js";
import { editor } from "./editor.js";
import { coloursOf, opened, rowsOf } from "./panels.js";
import { PathRow } from "./paths.js";
import { quietly } from "./quiet.js";
import { commandOf, derivedOf, numbersTable, worstDelay } from "./side.js";
import { studyPanel } from "./study.js";

const engine = engines[data.engine](data);
const byId = (name) => document.getElementById(name);
const both = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));

const state = {
  text: data.text,
  controls: [],
  settings: { A: [], B: [] },
  runs: both(() => null),
  // Runs whose path and derived numbers are shown.
  described: both(() => null),
  faults: both(() => ({ job: null, faults: [] })),
  refused: [],
  places: {},
  // Places that a study watches.
  seen: {},
  flows: null,
};
const asking = both(() => newest(engine.ask));
const describing = both(() => newest(engine.describe));
const pending = both(() => null);
let controls = null;

const job = (side) => ({
  text: state.text,
  set: setsOf(state.controls, state.settings[side]),
  keep: "series",
});
const isSame = (one, other) =>
  one?.text === other.text && String(one.set) === String(other.set);
const span = () => {
  const ends = SIDES.map((side) => state.runs[side]?.summary.duration_s ?? 0);
  return [0, Math.max(...ends)];
};

/* The text of a setting, with its command line and derived numbers. */
const said = both((side) => {
  const command = element("code");
  const derived = element("p");
  Object.assign(derived.dataset, { side, described: "" });
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
}

/* Shows the faults of a job of a side. */
function showFaults(side, asked, faults) {
  const own = said[side].faults;
  own.hidden = faults.length === 0;
  own.textContent = faults
    .map(({ line, column, message }) => (line ? `${line}:${column}: ${message}` : message))
    .join("\n");
  controls?.blame(side, faults);
  state.faults[side] = { job: asked, faults };
  showPlaces();
}

/* Faults in the editor: those of a text that was refused, or else those of both settings. */
function showPlaces() {
  const own = SIDES.flatMap((side) => state.faults[side].faults);
  editing.show(state.refused.length ? state.refused : own);
}

/* True if the run of a side is the answer to another job than that of its setting. */
const isStale = (side) => !isSame(state.runs[side]?.job, job(side));

/* Marks pictures that are not those of the setting, and says why they are not. */
function mark() {
  const stale = SIDES.filter(isStale);
  const running = SIDES.filter((side) => asking[side].isBusy());
  const idle = SIDES.filter((side) => !running.includes(side));
  // Faults of a setting before are not those of this one.
  idle.filter((side) => state.faults[side].faults.length)
    .filter((side) => !isSame(state.faults[side].job, job(side)))
    .forEach((side) => showFaults(side, null, []));
  const isStopped = (side) => idle.includes(side) && !state.faults[side].faults.length;
  const words = [["running", running], ["stopped", stale.filter(isStopped)]];
  byId("stop").hidden = running.length === 0;
  byId("status").textContent = words
    .filter(([, sides]) => sides.length)
    .map(([word, sides]) => `${word} ${sides.join(" and ")}`)
    .join("; ");
  byId("equal").textContent = stale.length ? "" : equalNote(state.runs);
  const older = SIDES.filter((side) => state.described[side] !== state.runs[side]);
  const isOlder = ({ dataset: { side, described } }) =>
    stale.includes(side) || (described !== undefined && older.includes(side));
  const isBoth = (one) => isOver() && stale.length > 0 && one.closest("#rows");
  document.querySelectorAll("[data-side]")
    .forEach((one) => one.classList.toggle("stale", Boolean(isOlder(one) || isBoth(one))));
}

/* A sentence if two runs are equal, which a page of equal pictures would leave to the reader. */
function equalNote({ A, B }) {
  if (A.answer.summary !== B.answer.summary) return "";
  return isSame(A.job, B.job)
    ? "A and B are the same setting."
    : "A and B give the same numbers: what differs between them changes nothing in this run.";
}

/* Draws both settings when both have an answer; one alone only where the other has faults. */
function draw() {
  const known = SIDES.filter((side) => state.runs[side]);
  const isAwaited = (side) => !state.runs[side] && !state.faults[side].faults.length;
  if (!known.length || SIDES.some(isAwaited)) return;
  const runs = Object.fromEntries(known.map((side) => [side, state.runs[side]]));
  const [first] = Object.values(runs);
  const warmUp = first.summary.warm_up_s;
  state.flows ??= coloursOf(first);
  const made = rowsOf(runs, state.places, state.flows, span());
  state.seen = seenIn(made, first);
  study.show();
  charts.show(made, { runs, span: span(), warmUp, isOver: isOver() });
  numbersTable(byId("numbers"), runs, state.flows.colours);
  SIDES.forEach(showPath);
  mark();
}

/* The port of the first row, the flow with the longest delay, and the end of the warm-up. */
function seenIn(made, run) {
  const word = "queue ";
  const queue = made.find(({ key }) => key.startsWith(word));
  const port = queue?.key.slice(word.length);
  return { port, flow: worstDelay(run)?.name, warmUp: run.summary.warm_up_s };
}

const isOver = () => byId("over").ariaPressed === "true";

function lay() {
  byId("over").ariaPressed = String(!isOver());
  draw();
}

async function run(side) {
  showSetting(side);
  const asked = job(side);
  const answered = asking[side].want(asked).catch(failed);
  mark();
  paths.wait(side);
  const answer = await answered;
  // An answer to a text that is no longer that of the page is of no use.
  if (answer !== null && asked.text === state.text) take(side, asked, answer);
  mark();
}

const failed = ({ message }) => ({ faults: [{ line: 0, column: 0, message }] });

/* Shows the answer to a job of a side. */
function take(side, asked, answer) {
  const faults = answer.faults ?? [];
  showFaults(side, asked, faults);
  if (faults.length) return draw();
  state.runs[side] = { ...opened(answer), job: asked };
  performance.mark(`answer ${side}`);
  draw();
  performance.mark(`picture ${side}`);
  describe(side, state.runs[side]);
}

/* The drawn path and the derived numbers of a run, which no picture waits for. */
async function describe(side, run) {
  const found = await describing[side].want(run.job).catch(() => null);
  if (!found || found.faults || state.runs[side] !== run) return;
  const before = JSON.stringify(state.places[side]?.edges);
  state.places[side] = found.path;
  state.described[side] = run;
  pending[side] = { ...found, job: run.job, run };
  said[side].derived.textContent = derivedOf(found.explained, run);
  // Limits of panels are those of the path.
  if (JSON.stringify(found.path?.edges) !== before) draw();
  showPath(side);
  mark();
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

const address = quietly(() =>
  history.replaceState(null, "", `#${hashOf(state.controls, state.settings)}`)
);

function keep() {
  address.ask();
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
  state.wanted = newText;
  const found = await engine.describe({ text: newText, set: [], keep: "series" }).catch(failed);
  if (state.wanted !== newText) return;
  if (found.faults?.length) return refuse(found.faults);
  const hash = controls ? hashOf(state.controls, state.settings) : location.hash;
  state.text = newText;
  byId("title").textContent = found.title || found.name;
  state.controls = found.controls;
  state.compare = found.compare;
  Object.assign(state, { flows: null, places: {}, seen: {}, refused: [] });
  state.runs = both(() => null);
  byId("file").textContent = fileNote();
  controls = controlRows(byId("controls"), state.controls, changed);
  set(both((side) => stopsFrom(hash, state.controls, side, state.compare)));
  study.offer();
}

/* A text with faults: the page stays that of the text before. */
function refuse(faults) {
  state.refused = faults;
  byId("title").textContent ||= data.name;
  byId("text").open = true;
  showPlaces();
}

/* The file of the commands, if it is not there as it runs here. */
function fileNote() {
  if (state.text !== data.text) return "The commands are of the edited text: save it as the file.";
  return data.shipped ? `cellway init ${data.name} writes the file of the commands.` : "";
}

const paths = new PathRow(engine, (instant) => charts.point(instant));
const charts = new ChartRows(byId("rows"), paths.go);
const editing = editor(byId("text"), data, open);
const study = studyPanel(byId("study"), () => ({ file: data.file, ...state }));
byId("question").append(
  ...data.question.split("`").map((part, at) =>
    at % 2 ? element("code", { textContent: part }) : part
  )
);
byId("over").addEventListener("click", lay);
byId("all").addEventListener("click", () => charts.whole());
addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("textarea, select") || event.ctrlKey || event.metaKey;
  if (event.key === "o" && !isTyped) lay();
});
byId("stop").addEventListener("click", () => SIDES.forEach((side) => asking[side].stop()));
byId("same").addEventListener("click", () => set({ ...state.settings, B: [...state.settings.A] }));
byId("reset").addEventListener("click", () =>
  set(both(() => state.controls.map((control) => control.at)))
);
addEventListener("pagehide", address.now);
addEventListener("hashchange", () => {
  address.cancel();
  // Before the first text has controls, they will take the address themselves.
  if (controls) set(both((side) => stopsFrom(location.hash, state.controls, side)));
});
open(data.text);
