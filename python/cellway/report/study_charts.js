/* Charts of a study: means with their intervals over a factor. */
(function () {
  "use strict";
  const FONT = "12px system-ui, sans-serif";
  const HEIGHT = 260;
  const place = document.getElementById("study-charts");
  const charts = [];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const ink = (name) => (name.startsWith("--") ? colour(name) : name);
  const number = (value) => (value == null ? "–" : String(Number(value.toPrecision(4))));

  /* Texts of ticks; a logarithmic axis has ticks without. */
  const words = (_, all) => all.map((tick) => (tick == null ? "" : number(tick)));

  /* Paths of the signs that tell lines apart without colours, of radius r around the origin. */
  const SIGNS = {
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
  const GAPS = {
    failed: { sign: "×", strokes: [[1, 1], [1, -1]] },
    missing: { sign: "+", strokes: [[1, 0], [0, 1]] },
    undefined: { sign: "–", strokes: [[1, 0]] },
  };

  function corners(ctx, all, by) {
    all.forEach(([x, y], at) => ctx[at ? "lineTo" : "moveTo"](by * x, by * y));
    ctx.closePath();
  }

  /* Values of all lines at all their places; a cloud has its dots as they are. */
  function joined(lines) {
    if (lines.length === 1) return [lines[0].x, lines[0].v];
    const all = [...new Set(lines.flatMap((line) => line.x))].sort((a, b) => a - b);
    return [all, ...lines.map((line) => all.map((x) => line.v[line.x.indexOf(x)] ?? null))];
  }

  /* Draws within the axes; lengths are in pixels of the page. */
  function drawing(chart, draw) {
    const { left, top, width, height } = chart.bbox;
    const { ctx } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([]);
    draw(ctx, (x) => chart.valToPos(x, "x", true), (y) => chart.valToPos(y, "y", true));
    ctx.restore();
  }

  function guide(chart, { guide: line }) {
    if (!line) return;
    drawing(chart, (ctx, x, y) => {
      ctx.strokeStyle = colour("--quiet");
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.beginPath();
      line.x.forEach((at) => ctx.lineTo(x(at), y(at)));
      ctx.stroke();
    });
  }

  /* Intervals, signs, and crosses at the edge above points that lack runs. */
  function marks(chart, lines) {
    const unit = devicePixelRatio;
    drawing(chart, (ctx, x, y) => {
      lines.forEach((line, number) => {
        if (!chart.series[number + 1].show) return;
        ctx.strokeStyle = ctx.fillStyle = ink(line.colour);
        line.x.forEach((at, index) => {
          const [low, high] = [line.low[index], line.high[index]];
          if (low == null) return;
          ctx.beginPath();
          ctx.moveTo(x(at), y(low));
          ctx.lineTo(x(at), y(high));
          [low, high].forEach((end) => {
            ctx.moveTo(x(at) - 3 * unit, y(end));
            ctx.lineTo(x(at) + 3 * unit, y(end));
          });
          ctx.stroke();
        });
        const sign = SIGNS[line.sign] ?? SIGNS.o;
        (line.dash ? [] : line.x).forEach((at, index) => {
          ctx.save();
          ctx.translate(x(at), y(line.v[index]));
          ctx.beginPath();
          sign(ctx, (line.sign ? 3.6 : 2.4) * unit);
          if (line.hollow[index]) ctx.fillStyle = colour("--paper");
          ctx.fill();
          ctx.stroke();
          ctx.restore();
        });
        line.gaps.forEach(({ x: at, kind }) => {
          const top = chart.bbox.top + (6 + 8 * number) * unit;
          ctx.beginPath();
          GAPS[kind].strokes.forEach(([dx, dy]) => {
            ctx.moveTo(x(at) - 3 * dx * unit, top - 3 * dy * unit);
            ctx.lineTo(x(at) + 3 * dx * unit, top + 3 * dy * unit);
          });
          ctx.stroke();
        });
      });
    });
  }

  function series(line) {
    const isCloud = !line.sign;
    return {
      label: line.name,
      stroke: () => ink(line.colour),
      width: isCloud ? 0 : 1.3,
      dash: line.dash ?? undefined,
      spanGaps: true,
      points: { show: false },
      ...(isCloud ? { paths: () => null } : {}),
      value: (chart, value, at, index) => {
        const x = index == null ? null : chart.data[0][index];
        const own = isCloud ? index : line.x.indexOf(x);
        return own == null || own < 0 ? "–" : line.text[own];
      },
    };
  }

  /* Ticks of a logarithmic axis: levels, or else 1, 2 and 5 of each decade where they are few. */
  const splitsOf = ({ ticks }) => ({ scales: { x: { min, max } } }) => {
    const isSeen = (x) => x >= min * 0.999 && x <= max * 1.001;
    const levels = (ticks ?? []).filter(isSeen);
    if (levels.length > 1) return levels;
    const [first, last] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
    const steps = last - first > 3 ? [1] : [1, 2, 5];
    const decades = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
    const found = decades.flatMap((decade) => steps.map((step) => step * decade)).filter(isSeen);
    return found.length > 1 ? found : [...levels, min, max].sort((one, other) => one - other);
  };

  const shortened = (words) => (words.length > 60 ? `${words.slice(0, 59)}…` : words);

  function options(panel, width, whole) {
    const axis = {
      font: FONT,
      labelFont: FONT,
      labelSize: 18,
      stroke: () => colour("--ink"),
      grid: { stroke: () => colour("--line"), width: 1 },
    };
    const ticks = panel.log && { splits: splitsOf(panel), filter: (_, splits) => splits };
    return {
      width,
      height: HEIGHT,
      cursor: { sync: { key: panel.label, scales: ["x", null] }, drag: { x: true, y: false } },
      scales: {
        x: {
          time: false,
          distr: panel.log ? 3 : 1,
          range: (_, min, max) => (min === max ? whole : [min, max]),
        },
        y: { range: () => panel.range },
      },
      axes: [
        { ...axis, label: shortened(panel.label), size: 34, values: words, ...ticks },
        { ...axis, label: panel.unit, size: 54 },
      ],
      series: [
        { label: shortened(panel.label), value: (_, x) => number(x) },
        ...panel.lines.map(series),
      ],
      hooks: {
        drawAxes: [(chart) => guide(chart, panel)],
        draw: [(chart) => marks(chart, panel.lines)],
      },
    };
  }

  /* The least and the greatest place with room beside it, on the scale of the axis. */
  function ends({ lines, log, guide: line }) {
    const places = lines.flatMap(({ x, gaps }) => [...x, ...gaps.map((gap) => gap.x)]);
    const all = [...places, ...(line ? line.x : [])];
    const known = log ? all.filter((x) => x > 0) : all;
    const [least, most] = [Math.min(...known), Math.max(...known)];
    if (log) {
      const room = most > least ? (most / least) ** 0.04 : 1.1;
      return [least / room, most * room];
    }
    const room = 0.04 * (most - least) || 1;
    return [least - room, most + room];
  }

  /* Zooms all charts over the same factor. */
  function zoom(label, range) {
    const those = charts.filter(({ panel }) => panel.label === label);
    those.forEach(({ chart, whole }) => {
      const [min, max] = range ?? whole;
      chart.setScale("x", { min, max });
    });
  }

  /* Arrows move, + and - zoom, 0 shows everything. */
  function keys(event, { chart, panel, whole }) {
    const [to, from] = panel.log ? [Math.log, Math.exp] : [(x) => x, (x) => x];
    const [min, max] = [chart.scales.x.min, chart.scales.x.max].map(to);
    const [first, last] = whole.map(to);
    const width = max - min;
    const moves = { ArrowLeft: -0.2, ArrowRight: 0.2 };
    const widths = { "+": -0.25, "=": -0.25, "-": 0.5 };
    if (event.key in moves) {
      const by = Math.max(first - min, Math.min(last - max, moves[event.key] * width));
      zoom(panel.label, [from(min + by), from(max + by)]);
    } else if (event.key in widths) {
      const by = widths[event.key] * width;
      zoom(panel.label, [from(Math.max(first, min - by)), from(Math.min(last, max + by))]);
    } else if (event.key === "0") zoom(panel.label, null);
    else return;
    event.preventDefault();
  }

  function add(board, panel) {
    if (!panel.lines.some((line) => line.x.length)) {
      const note = document.createElement("p");
      note.textContent = `${panel.title}: no run has this number.`;
      board.append(note);
      return;
    }
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const canvas = document.createElement("div");
    caption.textContent = panel.title;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", `${panel.title}, chart; arrows, + and - move and zoom`);
    figure.append(caption, canvas);
    board.append(figure);
    const width = () => Math.max(220, canvas.clientWidth);
    const whole = ends(panel);
    const chart = new uPlot(options(panel, width(), whole), joined(panel.lines), canvas);
    const one = { chart, panel, whole };
    charts.push(one);
    chart.setScale("x", { min: whole[0], max: whole[1] });
    chart.over.addEventListener("dblclick", () => zoom(panel.label, null));
    canvas.addEventListener("keydown", (event) => keys(event, one));
    const fit = () =>
      chart.width !== width() && chart.setSize({ width: width(), height: HEIGHT });
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(canvas);
  }

  function start({ panels }) {
    const help = document.createElement("p");
    const board = document.createElement("div");
    board.className = "board";
    const isHollow = panels.some(({ lines }) => lines.some((line) => line.hollow.some(Boolean)));
    const gaps = panels.flatMap(({ lines }) => lines.flatMap((line) => line.gaps));
    const signs = new Map(gaps.map(({ kind, why }) => [GAPS[kind].sign, why]));
    const isGuide = panels.some((panel) => panel.guide);
    help.textContent =
      "Drag over a chart to zoom; a double click shows everything. With the keyboard: " +
      "arrows, + and -, 0. A name in a legend hides its line." +
      (isHollow ? " Hollow: runs repeat each other, so there is no interval." : "") +
      [...signs].map(([sign, why]) => ` ${sign} at the edge: ${why}.`).join("") +
      (isGuide ? " Dotted: all that is offered." : "");
    place.append(help, board);
    panels.forEach((panel) => add(board, panel));
    const redraw = () => charts.forEach(({ chart }) => chart.redraw(false, true));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  stored().then(start, (error) => {
    place.textContent = `The charts cannot be shown: ${error.message}`;
  });
})();
