/* Charts of a report: panels over one time axis, with one cursor and one zoom. */
(function () {
  "use strict";
  const place = document.getElementById("charts");
  const stored = document.getElementById("data");
  const charts = [];
  const FONT = "12px system-ui, sans-serif";
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  let instant = null;
  let show = () => {};

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
        return at < 0 ? null : line.v[at];
      });
    });
    return [Array.from(time), ...values];
  }

  function zoom(min, max) {
    charts.forEach((chart) => chart.setScale("x", { min, max }));
  }

  /* Arrows move, + and - zoom, 0 shows everything. */
  function keys(chart, span) {
    return (event) => {
      const { min, max } = chart.scales.x;
      const width = max - min;
      const moves = { ArrowLeft: -0.2, ArrowRight: 0.2 };
      if (event.key in moves) {
        const by = Math.max(span[0] - min, Math.min(span[1] - max, moves[event.key] * width));
        zoom(min + by, max + by);
      } else if (event.key === "+" || event.key === "=") zoom(min + width / 4, max - width / 4);
      else if (event.key === "-")
        zoom(Math.max(span[0], min - width / 2), Math.min(span[1], max + width / 2));
      else if (event.key === "0") zoom(span[0], span[1]);
      else return;
      event.preventDefault();
    };
  }

  function shade(chart, until) {
    const { left, top, width, height } = chart.bbox;
    const right = Math.min(left + width, chart.valToPos(until, "x", true));
    if (right <= left) return;
    chart.ctx.fillStyle = colour("--shade");
    chart.ctx.fillRect(left, top, right - left, height);
  }

  function limits(chart, lines) {
    const { left, top, width, height } = chart.bbox;
    const ctx = chart.ctx;
    ctx.save();
    ctx.strokeStyle = colour("--quiet");
    ctx.setLineDash([3, 3]);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    lines.forEach(([name, value]) => {
      const y = Math.round(chart.valToPos(value, "y", true)) + 0.5;
      if (y < top || y > top + height) return;
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

  /* The instant of the drawn path. */
  function mark(chart) {
    const { left, top, width, height } = chart.bbox;
    const x = instant == null ? -1 : Math.round(chart.valToPos(instant, "x", true)) + 0.5;
    if (x < left || x > left + width) return;
    chart.ctx.fillStyle = colour("--accent");
    chart.ctx.fillRect(x - 1, top, 2, height);
  }

  /* The end of an axis, with room for the names of limits above their lines. */
  function highest(panel, max) {
    const most = panel.top ?? 1.08 * max;
    const limits = panel.limits.map(([, value]) => value).filter((value) => value <= 1.4 * most);
    const end = Math.max(most, 1.16 * Math.max(0, ...limits));
    return end > 0 ? end : 1;
  }

  function options(panel, data, width) {
    const ink = () => colour("--ink");
    const axis = { font: FONT, stroke: ink, grid: { stroke: () => colour("--line"), width: 1 } };
    const lines = panel.lines.map((line) => ({
      label: line.name,
      stroke: line.colour,
      width: line.dashed ? 1 : 1.4,
      dash: line.dashed ? [5, 3] : undefined,
      paths: uPlot.paths.stepped({ align: 1 }),
      points: { show: false },
      value: (_, value) => number(value),
    }));
    return {
      width,
      height: 220,
      cursor: { sync: { key: "run", scales: ["x", null] }, drag: { x: true, y: false } },
      scales: {
        x: { time: false, range: (_, min, max) => [min, max] },
        y: { range: (_, min, max) => [Math.min(0, min ?? 0), highest(panel, max ?? 0)] },
      },
      axes: [
        { ...axis, label: "time in s", labelFont: FONT, labelSize: 18, size: 34 },
        { ...axis, label: panel.unit, labelFont: FONT, labelSize: 18, size: 54 },
      ],
      series: [{ label: "time in s", value: (_, value) => number(value) }, ...lines],
      hooks: {
        drawAxes: [(chart) => data.warm_up > 0 && shade(chart, data.warm_up)],
        draw: [(chart) => limits(chart, panel.limits), mark],
      },
    };
  }

  function add(panel, data) {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const canvas = document.createElement("div");
    caption.textContent = panel.title;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", `${panel.title}, chart; arrows, + and - move and zoom`);
    figure.append(caption, canvas);
    place.append(figure);
    const width = () => Math.max(240, canvas.clientWidth);
    const chart = new uPlot(options(panel, data, width()), joined(panel.lines), canvas);
    const rows = chart.root.querySelectorAll(".u-legend .u-series");
    panel.lines.forEach((line, at) => (rows[at + 1].hidden = line.unnamed));
    chart.setScale("x", { min: data.span[0], max: data.span[1] });
    canvas.addEventListener("keydown", keys(chart, data.span));
    chart.over.addEventListener("click", () => show(chart.posToVal(chart.cursor.left, "x")));
    const fit = () => chart.width !== width() && chart.setSize({ width: width(), height: 220 });
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(canvas);
    charts.push(chart);
  }

  function start(data) {
    const help = document.createElement("p");
    const reset = document.createElement("button");
    help.textContent =
      "Drag over a chart to zoom; a double click shows everything. With the keyboard: " +
      "arrows, + and -, 0. A name in a legend hides its curve. ";
    reset.textContent = "Show everything";
    reset.addEventListener("click", () => zoom(data.span[0], data.span[1]));
    help.append(reset);
    place.append(help);
    data.panels.forEach((panel) => add(panel, data));
    const redraw = () => charts.forEach((chart) => chart.redraw(false, true));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    if (data.path)
      show = scrubber(data.path, data.span, (time) => {
        instant = time;
        redraw();
      });
  }

  async function unpacked() {
    const bytes = Uint8Array.from(atob(stored.textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  unpacked().then(start, (error) => {
    place.textContent = `The charts cannot be shown: ${error.message}`;
  });
})();
