/* Charts over one time axis, with one cursor and one zoom. */
function chartBoard({ span, warmUp = 0, height = 220, key = "run" }) {
  const charts = [];
  const FONT = "12px system-ui, sans-serif";
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const board = { span, warmUp, instant: null, pick: () => {}, add, zoom, point };

  function number(value) {
    return value == null ? "–" : String(Number(value.toPrecision(4)));
  }

  /* Values of all lines at all their instants: each value holds until the next. */
  function joined(lines) {
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

  function zoom(min, max) {
    charts.forEach((chart) => chart.setScale("x", { min, max }));
  }

  function redraw() {
    charts.forEach((chart) => chart.redraw(false, true));
  }

  /* Arrows move, + and - zoom, 0 shows everything. */
  function keys(chart) {
    return (event) => {
      const { min, max } = chart.scales.x;
      const width = max - min;
      const moves = { ArrowLeft: -0.2, ArrowRight: 0.2 };
      const [first, last] = board.span;
      if (event.key in moves) {
        const by = Math.max(first - min, Math.min(last - max, moves[event.key] * width));
        zoom(min + by, max + by);
      } else if (event.key === "+" || event.key === "=") zoom(min + width / 4, max - width / 4);
      else if (event.key === "-")
        zoom(Math.max(first, min - width / 2), Math.min(last, max + width / 2));
      else if (event.key === "0") zoom(first, last);
      else return;
      event.preventDefault();
    };
  }

  function shade(chart, until) {
    const { left, top, width, height: high } = chart.bbox;
    const right = Math.min(left + width, chart.valToPos(until, "x", true));
    if (right <= left) return;
    chart.ctx.fillStyle = colour("--shade");
    chart.ctx.fillRect(left, top, right - left, high);
  }

  function limits(chart, lines) {
    const { left, top, width, height: high } = chart.bbox;
    const ctx = chart.ctx;
    ctx.save();
    ctx.strokeStyle = colour("--quiet");
    ctx.setLineDash([3, 3]);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    lines.forEach(([name, value]) => {
      const y = Math.round(chart.valToPos(value, "y", true)) + 0.5;
      if (y < top || y > top + high) return;
      ctx.beginPath();
      ctx.moveTo(left, y);
      ctx.lineTo(left + width, y);
      ctx.stroke();
      const size = 11 * devicePixelRatio;
      const base = y - size - 8 < top ? y + size + 5 : y - 5;
      ctx.fillStyle = colour("--quiet");
      ctx.fillText(name, left + width - 4, base);
    });
    ctx.restore();
  }

  /* The instant of the drawn path, an element of its own: it moves and nothing is drawn again. */
  function mark(chart) {
    const { instant } = board;
    const { min, max } = chart.scales.x;
    const isSeen = instant != null && instant >= min && instant <= max;
    chart.line.hidden = !isSeen;
    if (isSeen) chart.line.style.left = `${chart.valToPos(instant, "x")}px`;
  }

  function point(instant) {
    board.instant = instant;
    charts.forEach(mark);
  }

  /* The end of an axis, with room for the names of limits above their lines. */
  function highest(panel, max) {
    const most = panel.top ?? 1.08 * max;
    const near = panel.limits.map(([, value]) => value).filter((value) => value <= 1.4 * most);
    const end = Math.max(most, 1.16 * Math.max(0, ...near));
    return end > 0 ? end : 1;
  }

  function series(line) {
    const ink = line.colour.startsWith("--") ? () => colour(line.colour) : line.colour;
    const looks = line.dots
      ? { paths: () => null, points: { show: true, size: line.dots, width: 0, fill: ink } }
      : { paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } };
    return {
      label: line.name,
      stroke: ink,
      width: line.dashed ? 1 : 1.4,
      dash: line.dashed ? [5, 3] : undefined,
      value: (_, value) => number(value),
      ...looks,
    };
  }

  function options(shown, width) {
    const ink = () => colour("--ink");
    const axis = { font: FONT, stroke: ink, grid: { stroke: () => colour("--line"), width: 1 } };
    return {
      width,
      height,
      cursor: { sync: { key, scales: ["x", null] }, drag: { x: true, y: false } },
      scales: {
        x: { time: false, range: (_, min, max) => [min, max] },
        y: {
          range: (_, min, max) => [
            shown.panel.bottom ?? Math.min(0, min ?? 0),
            highest(shown.panel, max ?? 0),
          ],
        },
      },
      axes: [
        { ...axis, label: "time in s", labelFont: FONT, labelSize: 18, size: 34 },
        { ...axis, label: shown.panel.unit, labelFont: FONT, labelSize: 18, size: 54 },
      ],
      series: [
        { label: "time in s", value: (_, value) => number(value) },
        ...shown.panel.lines.map(series),
      ],
      hooks: {
        drawAxes: [(chart) => board.warmUp > 0 && shade(chart, board.warmUp)],
        draw: [(chart) => limits(chart, shown.panel.limits), (chart) => chart.line && mark(chart)],
      },
    };
  }

  /* Adds a chart; what is returned shows another panel in its place, or takes it away. */
  function add(place, first) {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const canvas = document.createElement("div");
    const shown = { panel: null };
    let chart = null;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    figure.append(caption, canvas);
    place.append(figure);
    const width = () => Math.max(240, canvas.clientWidth);
    const looks = ({ unit, lines }) =>
      JSON.stringify([unit, lines.map(({ name, colour: ink, dashed }) => [name, ink, dashed])]);
    const view = () => (chart && chart.scales.x.min != null ? chart.scales.x : null);

    function drop() {
      if (!chart) return;
      charts.splice(charts.indexOf(chart), 1);
      chart.destroy();
      chart = null;
    }

    function make(panel) {
      drop();
      shown.panel = panel;
      chart = new uPlot(options(shown, width()), joined(panel.lines), canvas);
      const rows = chart.root.querySelectorAll(".u-legend .u-series");
      panel.lines.forEach((line, at) => (rows[at + 1].hidden = Boolean(line.unnamed)));
      const { over } = chart;
      chart.line = document.createElement("div");
      chart.line.className = "instant";
      over.append(chart.line);
      mark(chart);
      over.addEventListener("click", () => board.pick(chart.posToVal(chart.cursor.left, "x")));
      charts.push(chart);
    }

    function show(panel, range = null) {
      const [min, max] = range ?? (view() ? [chart.scales.x.min, chart.scales.x.max] : board.span);
      caption.textContent = panel.title;
      canvas.setAttribute("aria-label", `${panel.title}, chart; arrows, + and - move and zoom`);
      if (!chart || looks(panel) !== looks(shown.panel)) make(panel);
      else {
        shown.panel = panel;
        chart.setData(joined(panel.lines), false);
      }
      chart.setScale("x", { min, max });
    }

    show(first);
    canvas.addEventListener("keydown", (event) => keys(chart)(event));
    const size = () => ({ width: width(), height });
    const fit = () => chart && chart.width !== width() && chart.setSize(size());
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(canvas);
    const remove = () => (drop(), figure.remove());
    return { show, remove, figure };
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  return board;
}
