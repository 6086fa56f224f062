/* Parts of the charts of runs and of studies: colours, numbers, axes, places, and zoom by keys. */
const CHART_FONT = "12px system-ui, sans-serif";
const chartColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
/* A colour of a line: a property of the style, or the colour itself. */
const chartInk = (colour) => (colour.startsWith("--") ? chartColour(colour) : colour);
const chartNumber = (value) => (value == null ? "–" : String(Number(value.toPrecision(4))));

/* The two axes by their labels; colours are those of the page when they are drawn. */
function chartAxes(across, up) {
  const ink = () => chartColour("--ink");
  const grid = { stroke: () => chartColour("--line"), width: 1 };
  const axis = { font: CHART_FONT, labelFont: CHART_FONT, labelSize: 18, stroke: ink, grid };
  return [{ ...axis, label: across, size: 34 }, { ...axis, label: up, size: 54 }];
}

/* A figure whose chart the keyboard reaches. */
function chartFigure(place) {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  const canvas = document.createElement("div");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "group");
  figure.append(caption, canvas);
  place.append(figure);
  return { figure, caption, canvas };
}

function nameChart({ caption, canvas }, title) {
  caption.textContent = title;
  canvas.setAttribute("aria-label", `${title}, chart; arrows, + and - move and zoom`);
}

/* The range that a key asks for, within the first and the last place of the axis: arrows move,
   + and - zoom, 0 shows everything. It is null for other keys. */
function rangeOfKey(key, [min, max], [first, last]) {
  const width = max - min;
  const moves = { ArrowLeft: -0.2, ArrowRight: 0.2 };
  if (key in moves) {
    const by = Math.max(first - min, Math.min(last - max, moves[key] * width));
    return [min + by, max + by];
  }
  if (key === "+" || key === "=") return [min + width / 4, max - width / 4];
  if (key === "-") return [Math.max(first, min - width / 2), Math.min(last, max + width / 2)];
  return key === "0" ? [first, last] : null;
}

/* Calls when the page turns dark or light. */
function onOtherColours(redraw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
