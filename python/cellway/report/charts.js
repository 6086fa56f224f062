/* Charts over one axis of time, with one cursor, one zoom and one instant for all. */
/* Values of all lines at all their instants: each value holds until the next. */
function joinedLines(lines) {
  const all = new Set();
  lines.forEach((line) => line.t.forEach((t) => all.add(t)));
  const time = Float64Array.from(all).sort();
  const values = lines.map((line) => {
    let at = -1;
    return Array.from(time, (t) => {
      while (at + 1 < line.t.length && line.t[at + 1] <= t) at += 1;
      const holds = at >= 0 && (!line.dots || line.t[at] === t);
      return holds ? line.v[at] : null;
    });
  });
  return [Array.from(time), ...values];
}

/* Shades a chart until an instant. */
function shadeChart(chart, until) {
  const { left, top, width, height } = chart.bbox;
  const right = Math.min(left + width, chart.valToPos(until, "x", true));
  if (right <= left) return;
  chart.ctx.fillStyle = chartColour("--shade");
  chart.ctx.fillRect(left, top, right - left, height);
}

/* Draws the limits of a panel, each with its name above it. */
function drawLimits(chart, limits) {
  const { left, top, width, height } = chart.bbox;
  const ctx = chart.ctx;
  const size = 11 * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = chartColour("--quiet");
  ctx.setLineDash([3, 3]);
  ctx.font = `${size}px system-ui, sans-serif`;
  ctx.textAlign = "right";
  limits.forEach(([name, value]) => {
    const y = Math.round(chart.valToPos(value, "y", true)) + 0.5;
    if (y < top || y > top + height) return;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    const base = y - size - 8 < top ? y + size + 5 : y - 5;
    ctx.fillStyle = chartColour("--quiet");
    ctx.fillText(name, left + width - 4, base);
  });
  ctx.restore();
}

/* The end of an axis, with room for the names of limits above their lines. */
function endOfAxis(panel, max) {
  const most = panel.top ?? 1.08 * max;
  const near = panel.limits.map(([, value]) => value).filter((value) => value <= 1.4 * most);
  const end = Math.max(most, 1.16 * Math.max(0, ...near));
  return end > 0 ? end : 1;
}

function chartSeries(line) {
  const ink = () => chartInk(line.colour);
  const looks = line.dots
    ? { paths: () => null, points: { show: true, size: line.dots, width: 0, fill: ink } }
    : { paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } };
  return {
    label: line.name,
    stroke: ink,
    width: line.dashed ? 1 : 1.4,
    dash: line.dashed ? [5, 3] : undefined,
    value: (_, value) => chartNumber(value),
    ...looks,
  };
}

/* Words for what a chart can be changed to only by another one in its place. */
const chartLooks = ({ unit, lines }) =>
  JSON.stringify([unit, lines.map(({ name, colour, dashed }) => [name, colour, dashed])]);

/* A chart of a panel; another one can be shown in its place. */
class Chart {
  #parts;
  #canvas;
  #board;
  #panel = null;
  #plot = null;

  constructor(board, place, panel) {
    this.#board = board;
    this.#parts = chartFigure(place);
    this.#canvas = this.#parts.canvas;
    this.show(panel);
    this.#canvas.addEventListener("keydown", (event) => this.#press(event));
    const fit = () =>
      this.#plot && this.#plot.width !== this.#width() && this.#plot.setSize(this.#size());
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(this.#canvas);
  }

  get figure() {
    return this.#parts.figure;
  }

  /* Shows a panel, over the axis that is seen or over `range`. */
  show(panel, range = null) {
    const seen = this.#plot && this.#plot.scales.x.min != null ? this.#plot.scales.x : null;
    const [min, max] = range ?? (seen ? [seen.min, seen.max] : this.#board.span);
    nameChart(this.#parts, panel.title);
    const isOther = !this.#plot || chartLooks(panel) !== chartLooks(this.#panel);
    this.#panel = panel;
    if (isOther) this.#make();
    else this.#plot.setData(joinedLines(panel.lines), false);
    this.zoom(min, max);
  }

  remove() {
    this.#plot?.destroy();
    this.#plot = null;
    this.#board.forget(this);
    this.figure.remove();
  }

  zoom(min, max) {
    this.#plot.setScale("x", { min, max });
  }

  redraw() {
    this.#plot.redraw(false, true);
  }

  /* Marks the instant of the drawn path by an element: it moves and nothing is drawn again. */
  mark() {
    const { instant } = this.#board;
    const { line, scales } = this.#plot;
    const { min, max } = scales.x;
    const isSeen = instant != null && instant >= min && instant <= max;
    line.hidden = !isSeen;
    if (isSeen) line.style.left = `${this.#plot.valToPos(instant, "x")}px`;
  }

  #make() {
    const { lines } = this.#panel;
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(), joinedLines(lines), this.#canvas);
    const plot = this.#plot;
    const rows = plot.root.querySelectorAll(".u-legend .u-series");
    lines.forEach((line, at) => (rows[at + 1].hidden = Boolean(line.unnamed)));
    plot.line = document.createElement("div");
    plot.line.className = "instant";
    plot.over.append(plot.line);
    this.mark();
    const pick = () => this.#board.pick(plot.posToVal(plot.cursor.left, "x"));
    plot.over.addEventListener("click", pick);
  }

  #options() {
    const { key, warmUp } = this.#board;
    const ends = (_, min, max) => [
      this.#panel.bottom ?? Math.min(0, min ?? 0),
      endOfAxis(this.#panel, max ?? 0),
    ];
    return {
      ...this.#size(),
      cursor: { sync: { key, scales: ["x", null] }, drag: { x: true, y: false } },
      scales: { x: { time: false, range: (_, min, max) => [min, max] }, y: { range: ends } },
      axes: chartAxes("time in s", this.#panel.unit),
      series: [
        { label: "time in s", value: (_, value) => chartNumber(value) },
        ...this.#panel.lines.map(chartSeries),
      ],
      hooks: {
        drawAxes: [(plot) => warmUp > 0 && shadeChart(plot, warmUp)],
        draw: [(plot) => drawLimits(plot, this.#panel.limits), (plot) => plot.line && this.mark()],
      },
    };
  }

  #width() {
    return Math.max(240, this.#canvas.clientWidth);
  }

  #size() {
    return { width: this.#width(), height: this.#board.height };
  }

  #press(event) {
    const { min, max } = this.#plot.scales.x;
    const range = rangeOfKey(event.key, [min, max], this.#board.span);
    if (!range) return;
    this.#board.zoom(...range);
    event.preventDefault();
  }
}

/* Charts that share their axis of time; `pick(instant)` hears of a click in one of them. */
class ChartBoard {
  instant = null;
  pick = () => {};
  #charts = [];

  constructor({ span, warmUp = 0, height = 220, key = "run" }) {
    Object.assign(this, { span, warmUp, height, key });
    onOtherColours(() => this.#charts.forEach((chart) => chart.redraw()));
  }

  add(place, panel) {
    const chart = new Chart(this, place, panel);
    this.#charts.push(chart);
    return chart;
  }

  forget(chart) {
    this.#charts.splice(this.#charts.indexOf(chart), 1);
  }

  zoom(min, max) {
    this.#charts.forEach((chart) => chart.zoom(min, max));
  }

  point(instant) {
    this.instant = instant;
    this.#charts.forEach((chart) => chart.mark());
  }
}
