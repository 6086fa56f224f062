/* Charts of a study: means with their intervals over a factor with numbers. */
const STUDY_HEIGHT = 260;
const LONGEST_LABEL = 60;

/* Paths of the signs that tell lines apart without colours, of radius r around the origin. */
const LINE_SIGNS = {
  o: (ctx, r) => ctx.arc(0, 0, r, 0, 2 * Math.PI),
  s: (ctx, r) => ctx.rect(-r, -r, 2 * r, 2 * r),
  D: (ctx, r) => corners(ctx, [[0, -r], [r, 0], [0, r], [-r, 0]], 1.3),
  "^": (ctx, r) => corners(ctx, [[0, -r], [r, r], [-r, r]], 1.1),
  v: (ctx, r) => corners(ctx, [[0, r], [r, -r], [-r, -r]], 1.1),
  P: (ctx, r) => (ctx.rect(-r, -r / 3, 2 * r, r / 1.5), ctx.rect(-r / 3, -r, r / 1.5, 2 * r)),
  "*": (ctx, r) => corners(ctx, [[0, -r], [r / 3, r / 3], [r, r / 3], [0, r], [-r, r / 3]], 1.2),
  X: (ctx, r) => corners(ctx, [[-r, -r], [r, -r], [-r, r], [r, r]], 1),
};

/* Signs at the upper edge for points that lack runs or numbers. */
const GAP_SIGNS = {
  failed: { sign: "×", strokes: [[1, 1], [1, -1]] },
  missing: { sign: "+", strokes: [[1, 0], [0, 1]] },
  undefined: { sign: "–", strokes: [[1, 0]] },
};

function corners(ctx, all, by) {
  all.forEach(([x, y], at) => ctx[at ? "lineTo" : "moveTo"](by * x, by * y));
  ctx.closePath();
}

/* Values of all lines at all their places; those of a single line are as they are, since runs of a
   sampled design may share a place. */
function joinedMeans(lines) {
  if (lines.length === 1) return [lines[0].x, lines[0].v];
  const all = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  return [all, ...lines.map((line) => all.map((x) => line.v[line.x.indexOf(x)] ?? null))];
}

/* Draws within the axes; `x` and `y` are places of numbers. */
function withinAxes(plot, draw) {
  const { left, top, width, height } = plot.bbox;
  const { ctx } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([]);
  draw(ctx, (x) => plot.valToPos(x, "x", true), (y) => plot.valToPos(y, "y", true));
  ctx.restore();
}

function drawDiagonal(plot, line) {
  withinAxes(plot, (ctx, x, y) => {
    ctx.strokeStyle = chartColour("--quiet");
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    line.x.forEach((at) => ctx.lineTo(x(at), y(at)));
    ctx.stroke();
  });
}

/* Strokes around a place, given as pairs of ends in pixels of the page. */
function strokes(ctx, [x, y], pairs) {
  const unit = devicePixelRatio;
  ctx.beginPath();
  pairs.forEach(([from, to]) => {
    ctx.moveTo(x + from[0] * unit, y + from[1] * unit);
    ctx.lineTo(x + to[0] * unit, y + to[1] * unit);
  });
  ctx.stroke();
}

function drawInterval(ctx, x, [low, high]) {
  ctx.beginPath();
  ctx.moveTo(x, low);
  ctx.lineTo(x, high);
  ctx.stroke();
  [low, high].forEach((end) => strokes(ctx, [x, end], [[[-3, 0], [3, 0]]]));
}

function drawSign(ctx, place, line, isHollow) {
  ctx.save();
  ctx.translate(...place);
  ctx.beginPath();
  (LINE_SIGNS[line.sign] ?? LINE_SIGNS.o)(ctx, (line.sign ? 3.6 : 2.4) * devicePixelRatio);
  if (isHollow) ctx.fillStyle = chartColour("--paper");
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}

/* Intervals, signs, and the gaps of a line, whose number keeps those of others beside it. */
function drawMeans(plot, line, number) {
  withinAxes(plot, (ctx, x, y) => {
    ctx.strokeStyle = ctx.fillStyle = chartInk(line.colour);
    line.x.forEach((at, index) => {
      const [low, high] = [line.low[index], line.high[index]];
      if (low != null) drawInterval(ctx, x(at), [y(low), y(high)]);
      if (!line.dash) drawSign(ctx, [x(at), y(line.v[index])], line, line.hollow[index]);
    });
    line.gaps.forEach(({ x: at, kind }) => {
      const top = plot.bbox.top + (6 + 8 * number) * devicePixelRatio;
      const ends = GAP_SIGNS[kind].strokes.map(([dx, dy]) => [
        [-3 * dx, -3 * dy],
        [3 * dx, 3 * dy],
      ]);
      strokes(ctx, [x(at), top], ends);
    });
  });
}

function meansSeries(line) {
  const isCloud = !line.sign;
  return {
    label: line.name,
    stroke: () => chartInk(line.colour),
    width: isCloud ? 0 : 1.3,
    dash: line.dash ?? undefined,
    spanGaps: true,
    points: { show: false },
    ...(isCloud ? { paths: () => null } : {}),
    value: (plot, value, at, index) => {
      const x = index == null ? null : plot.data[0][index];
      const own = isCloud ? index : line.x.indexOf(x);
      return own == null || own < 0 ? "–" : line.text[own];
    },
  };
}

/* Ticks of a logarithmic axis: levels, or else 1, 2 and 5 of each decade where they are few. */
const ticksOf = ({ ticks }) => ({ scales: { x: { min, max } } }) => {
  const isSeen = (x) => x >= min * 0.999 && x <= max * 1.001;
  const levels = (ticks ?? []).filter(isSeen);
  if (levels.length > 1) return levels;
  const [first, last] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const steps = last - first > 3 ? [1] : [1, 2, 5];
  const decades = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
  const found = decades.flatMap((decade) => steps.map((step) => step * decade)).filter(isSeen);
  return found.length > 1 ? found : [...levels, min, max].sort((one, other) => one - other);
};

const shortened = (words) =>
  words.length > LONGEST_LABEL ? `${words.slice(0, LONGEST_LABEL - 1)}…` : words;

/* The least and the greatest place with room beside it, on the scale of the axis. */
function endsOf({ lines, log, guide }) {
  const places = lines.flatMap(({ x, gaps }) => [...x, ...gaps.map((gap) => gap.x)]);
  const all = [...places, ...(guide ? guide.x : [])];
  const known = log ? all.filter((x) => x > 0) : all;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (log) {
    const room = most > least ? (most / least) ** 0.04 : 1.1;
    return [least / room, most * room];
  }
  const room = 0.04 * (most - least) || 1;
  return [least - room, most + room];
}

/* The chart of a panel; `board` zooms those over the same factor together. */
class StudyChart {
  #parts;
  #plot;
  #panel;
  #whole;

  constructor(board, place, panel) {
    this.#panel = panel;
    this.#whole = endsOf(panel);
    this.#parts = chartFigure(place);
    nameChart(this.#parts, panel.title);
    const { canvas } = this.#parts;
    this.#plot = new uPlot(this.#options(), joinedMeans(panel.lines), canvas);
    this.zoom(null);
    this.#plot.over.addEventListener("dblclick", () => board.zoom(panel.label, null));
    canvas.addEventListener("keydown", (event) => this.#press(board, event));
    const fit = () => this.#plot.width !== this.#width() && this.#plot.setSize(this.#size());
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(canvas);
  }

  get label() {
    return this.#panel.label;
  }

  /* Shows a range of the factor, or everything. */
  zoom(range) {
    const [min, max] = range ?? this.#whole;
    this.#plot.setScale("x", { min, max });
  }

  redraw() {
    this.#plot.redraw(false, true);
  }

  #width() {
    return Math.max(220, this.#parts.canvas.clientWidth);
  }

  #size() {
    return { width: this.#width(), height: STUDY_HEIGHT };
  }

  #options() {
    const { label, unit, log, lines, guide, range } = this.#panel;
    const [across, up] = chartAxes(shortened(label), unit);
    const words = (_, all) => all.map((tick) => (tick == null ? "" : chartNumber(tick)));
    const ticks = log && { splits: ticksOf(this.#panel), filter: (_, splits) => splits };
    const whole = (_, min, max) => (min === max ? this.#whole : [min, max]);
    return {
      ...this.#size(),
      cursor: { sync: { key: label, scales: ["x", null] }, drag: { x: true, y: false } },
      scales: { x: { time: false, distr: log ? 3 : 1, range: whole }, y: { range: () => range } },
      axes: [{ ...across, values: words, ...ticks }, up],
      series: [
        { label: shortened(label), value: (_, x) => chartNumber(x) },
        ...lines.map(meansSeries),
      ],
      hooks: {
        drawAxes: [(plot) => guide && drawDiagonal(plot, guide)],
        draw: [
          (plot) =>
            lines.forEach(
              (line, number) => plot.series[number + 1].show && drawMeans(plot, line, number)
            ),
        ],
      },
    };
  }

  #press(board, event) {
    const [to, from] = this.#panel.log ? [Math.log, Math.exp] : [Number, Number];
    const { min, max } = this.#plot.scales.x;
    const range = rangeOfKey(event.key, [min, max].map(to), this.#whole.map(to));
    if (!range) return;
    board.zoom(this.label, range.map(from));
    event.preventDefault();
  }
}

/* Charts of which those over the same factor are zoomed together. */
class StudyBoard {
  #charts = [];

  constructor() {
    onOtherColours(() => this.#charts.forEach((chart) => chart.redraw()));
  }

  add(place, panel) {
    if (panel.lines.some((line) => line.x.length))
      this.#charts.push(new StudyChart(this, place, panel));
    else {
      const note = document.createElement("p");
      note.textContent = `${panel.title}: no run has this number.`;
      place.append(note);
    }
  }

  zoom(label, range) {
    this.#charts.filter((chart) => chart.label === label).forEach((chart) => chart.zoom(range));
  }
}

/* Help on zoom, and words for the signs that occur. */
function studyHelp(panels) {
  const lines = panels.flatMap((panel) => panel.lines);
  const gaps = lines.flatMap((line) => line.gaps);
  const signs = new Map(gaps.map(({ kind, why }) => [GAP_SIGNS[kind].sign, why]));
  const isHollow = lines.some((line) => line.hollow.some(Boolean));
  return [
    "Drag over a chart to zoom; a double click shows everything. With the keyboard: arrows, + " +
      "and -, 0. A name in a legend hides its line.",
    isHollow && "Hollow: runs repeat each other, so there is no interval.",
    ...[...signs].map(([sign, why]) => `${sign} at the edge: ${why}.`),
    panels.some((panel) => panel.guide) && "Dotted: all that is offered.",
  ].filter(Boolean).join(" ");
}

(function () {
  const place = document.getElementById("study-charts");
  stored().then(
    ({ panels }) => {
      const help = document.createElement("p");
      const figures = document.createElement("div");
      help.textContent = studyHelp(panels);
      figures.className = "board";
      place.append(help, figures);
      const board = new StudyBoard();
      panels.forEach((panel) => board.add(figures, panel));
    },
    (error) => {
      place.textContent = `The charts cannot be shown: ${error.message}`;
    }
  );
})();
