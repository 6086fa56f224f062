/* Charts of both settings, a row for each quantity; a chart that would be the same stays. */
import { SIDES } from "./controls.js";
import { element } from "./elements.js";

const HEIGHT = 190;

/* A curve of B over those of A is dashed, and has no place in the legend. */
const behind = (line) => ({ ...line, dashed: true, unnamed: true, name: `${line.name} of B` });

export class ChartRows {
  #place;
  #pick;
  #rows = new Map();
  #board = null;

  /* Rows go into `place`; `pick(instant)` hears of a click in a chart. */
  constructor(place, pick) {
    this.#place = place;
    this.#pick = pick;
  }

  /* Draws `rows` of `runs`, by side, over `span`; curves of B over those of A if `isOver`. */
  show(rows, { runs, span, warmUp, isOver }) {
    const board = this.#board;
    if (!board || board.span[1] !== span[1] || board.warmUp !== warmUp) this.#start(span, warmUp);
    const keys = new Set(rows.map(({ key }) => key));
    [...this.#rows.keys()].filter((key) => !keys.has(key)).forEach((key) => this.#drop(key));
    rows.forEach((row, at) => this.#showRow(row, at, runs, isOver));
  }

  /* Marks an instant in all charts. */
  point(instant) {
    this.#board?.point(instant);
  }

  whole() {
    this.#board?.zoom(...this.#board.span);
  }

  /* A board for another span of time. */
  #start(span, warmUp) {
    [...this.#rows.keys()].forEach((key) => this.#drop(key));
    this.#board = new ChartBoard({ span, warmUp, height: HEIGHT, key: "lab" });
    this.#board.pick = this.#pick;
  }

  #drop(key) {
    const { place, charts } = this.#rows.get(key);
    Object.values(charts).forEach((chart) => chart.remove());
    place.remove();
    this.#rows.delete(key);
  }

  #showRow({ key, panels }, at, runs, isOver) {
    if (isOver && panels.A && panels.B)
      panels.A.lines = [...panels.A.lines, ...panels.B.lines.map(behind)];
    if (!this.#rows.has(key))
      this.#rows.set(key, { place: element("div", { className: "row" }), charts: {}, drawn: {} });
    const row = this.#rows.get(key);
    const before = this.#place.children[at];
    if (before !== row.place) this.#place.insertBefore(row.place, before ?? null);
    Object.entries(panels).forEach(([side, panel]) => {
      const shown = isOver ? SIDES.map((one) => runs[one]) : [runs[side]];
      this.#showPanel(row, side, panel, { shown, isOver });
    });
  }

  /* Draws a panel unless it is there: a slider changes one setting, and seldom the axes. */
  #showPanel(row, side, panel, { shown, isOver }) {
    const { title, unit, top, limits } = panel;
    const looks = JSON.stringify([title, unit, top, limits, isOver]);
    const before = row.drawn[side];
    const isSame = before?.looks === looks && shown.every((run, at) => run === before.shown[at]);
    if (isSame) return;
    row.drawn[side] = { looks, shown };
    if (row.charts[side]) return row.charts[side].show(panel);
    row.charts[side] = this.#board.add(row.place, panel);
    const { figure } = row.charts[side];
    figure.dataset.side = side;
    if (side === "A") row.place.prepend(figure);
  }
}
