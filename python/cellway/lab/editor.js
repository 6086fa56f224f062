/* Editor of the scenario: a text with numbers of lines, and faults that lead to their places. */
import { element, saver } from "./elements.js";

export function editor(place, { text, file }, apply) {
  const gutter = element("pre", { className: "gutter" });
  const area = element("textarea", { value: text, spellcheck: false, wrap: "off" });
  const faults = element("ul", { className: "faults" });
  const run = element("button", { type: "button", textContent: "Run this text" });
  const back = element("button", { type: "button", textContent: "As it was" });
  const name = file.replace(/^.*\//, "");
  const save = saver("Save text", () => name, () => area.value);
  let marked = new Set();
  gutter.setAttribute("aria-hidden", "true");
  area.setAttribute("aria-label", "scenario, TOML");
  place.append(
    element("div", { className: "editor" }, gutter, area),
    faults,
    element("p", { className: "tools" }, run, back, save)
  );

  function number() {
    const count = area.value.split("\n").length;
    const lines = Array.from({ length: count }, (_, at) =>
      element("span", { textContent: `${at + 1}\n`, className: marked.has(at + 1) ? "bad" : "" })
    );
    gutter.replaceChildren(...lines);
    gutter.scrollTop = area.scrollTop;
  }

  function put(line, column) {
    const lines = area.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((total, one) => total + one.length + 1, 0);
    // Columns count characters, places in a text its units of sixteen bits.
    const at = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    area.focus();
    area.setSelectionRange(at, at);
    area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(area).lineHeight));
  }

  function show(found) {
    const placed = found.filter(({ line }) => line > 0);
    marked = new Set(placed.map(({ line }) => line));
    number();
    faults.replaceChildren(
      ...found.map(({ line, column, message }) => {
        if (!line) return element("li", { textContent: message });
        const textContent = `${line}:${column}: ${message}`;
        const button = element("button", { type: "button", textContent });
        button.addEventListener("click", () => put(line, column));
        return element("li", {}, button);
      })
    );
  }

  function restore() {
    area.value = text;
    apply(text);
    number();
  }

  area.addEventListener("input", number);
  area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) apply(area.value);
  });
  run.addEventListener("click", () => apply(area.value));
  back.addEventListener("click", restore);
  number();
  return { show, value: () => area.value };
}
