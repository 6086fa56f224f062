/* A part of a drawn path by its name; null if it has none. Two drawings of a page have the same
   names, so they are no identifiers. */
const partOf = (svg, name) => svg.querySelector(`[data-part="${name}"]`);

/* A drawn path at an instant of its run: queues, windows, rates and losses at their places. */
function pathView(svg, path) {
  svg.querySelectorAll("rect.fill").forEach((bar) => {
    bar.whole = bar.whole ?? bar.width.baseVal.value;
    // A queue that nothing is told of has an empty bar.
    bar.setAttribute("width", "0");
  });
  svg.classList.add("playing");

  function said(quantity, at) {
    const value = quantity && quantity.v[at];
    return value == null ? "" : `${value} ${quantity.unit}`;
  }

  function fill(bar, queue, at, loses) {
    const part = Math.min(1, (queue.v[at] ?? 0) / (queue.full || 1));
    bar.setAttribute("width", String(part * bar.whole));
    bar.classList.toggle("loses", loses);
  }

  function showEdge(number, { queue, rate, lost }, at) {
    const line = partOf(svg, `edge${number}`);
    const loses = Boolean(lost && lost.v[at]);
    const waiting = queue && queue.several ? `at most ${said(queue, at)}` : said(queue, at);
    const words = [waiting, loses ? said(lost, at) : ""].filter(Boolean).join(", ");
    const bar = partOf(svg, `fill${number}`);
    line.classList.toggle("loses", loses);
    if (rate) line.style.strokeWidth = `${1.5 + 7 * Math.min(1, (rate.v[at] ?? 0) / rate.full)}px`;
    if (queue && bar) fill(bar, queue, at, loses);
    if (queue || lost) {
      partOf(svg, `now${number}-0`).textContent = words;
      partOf(svg, `now${number}-1`).textContent = said(rate, at);
    }
    return [words, said(rate, at)].filter(Boolean).join(", ");
  }

  function showBox(number, { window: cwnd, rate }, at) {
    const name = cwnd && cwnd.several ? "windows" : "window";
    const wide = said(cwnd, at);
    partOf(svg, `box${number}-0`).textContent = wide && `${name} ${wide}`;
    partOf(svg, `box${number}-1`).textContent = said(rate, at);
  }

  const isTight = (number) => partOf(svg, `edge${number}`).classList.contains("tight");

  /* Shows a frame; in words, the links that leave flows the least. */
  function show(at) {
    const edges = Object.entries(path.edges).map(([number, edge]) => {
      const words = showEdge(number, edge, at);
      return isTight(number) ? words : "";
    });
    Object.entries(path.boxes).forEach(([number, box]) => showBox(number, box, at));
    return edges.filter(Boolean);
  }

  /* The frame of the fullest queue of the tightest link, or else of a loss. */
  function striking() {
    const edges = Object.entries(path.edges);
    const queues = edges.filter(([, edge]) => edge.queue);
    const tight = queues.find(([number]) => isTight(number));
    const [, { queue, lost } = {}] = tight ?? queues[0] ?? edges[0] ?? [];
    const values = (queue ?? lost ?? { v: [] }).v;
    return Math.max(0, values.indexOf(Math.max(...values)));
  }

  const hasLosses = Object.values(path.edges).some((edge) => edge.lost);
  const loses = (at) => Object.values(path.edges).some((edge) => edge.lost && edge.lost.v[at]);
  return { show, striking, hasLosses, loses };
}

function helpOf({ hasLosses }) {
  const bars = "Bars: queues, of their buffers. Widths of lines: throughput, of their rates.";
  return hasLosses ? `${bars} Red: losses; [ and ] go to the one before and after.`
    : `${bars} Losses are shown where observe.segments records them.`;
}

/* A slider below a drawn path, and what it changes. */
function scrubber(svg, path, span, mark) {
  const view = pathView(svg, path);
  const step = (span[1] - span[0]) / path.count;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const WHOLE = 20000;
  let timer = null;

  function show(at) {
    const time = `${Number((span[0] + (at + 0.5) * step).toPrecision(4))} s`;
    const words = view.show(at);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", [time, ...words].join("; "));
    clock.textContent = time;
    mark(span[0] + (at + 0.5) * step);
  }

  function stop() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "Play";
  }

  /* All of it in 20 s; a reader who wants less motion gets a picture each second. */
  function move(begun, from) {
    const gone = (performance.now() - begun) / WHOLE;
    const at = Math.floor(from + gone * path.count);
    show(Math.min(at, path.count - 1));
    if (at >= path.count - 1) stop();
    else timer = setTimeout(() => move(begun, from), still.matches ? 1000 : 33);
  }

  function start() {
    const at = Number(slider.value);
    play.textContent = "Pause";
    move(performance.now(), at >= path.count - 1 ? 0 : at);
  }

  /* [ and ] go to the loss before and after. */
  function jump(event) {
    const by = { "[": -1, "]": 1 }[event.key];
    if (by === undefined) return;
    let at = Number(slider.value) + by;
    while (at >= 0 && at < path.count && !view.loses(at)) at += by;
    if (at >= 0 && at < path.count) {
      stop();
      show(at);
    }
  }

  const controls = document.createElement("div");
  const play = document.createElement("button");
  const slider = document.createElement("input");
  const clock = document.createElement("output");
  const help = document.createElement("p");
  controls.className = "scrub";
  play.addEventListener("click", () => (timer === null ? start() : stop()));
  Object.assign(slider, { type: "range", min: "0", max: String(path.count - 1), step: "1" });
  slider.setAttribute("aria-label", "instant of the run");
  slider.addEventListener("input", () => (stop(), show(Number(slider.value))));
  slider.addEventListener("keydown", jump);
  controls.append(play, slider, clock);
  help.textContent = helpOf(view);
  svg.parentNode.after(controls, help);
  stop();
  show(view.striking());
  return (time) => {
    stop();
    show(Math.max(0, Math.min(path.count - 1, Math.floor((time - span[0]) / step))));
  };
}
