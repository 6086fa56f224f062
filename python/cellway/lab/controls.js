/* Controls of the two settings: a row for each control, with its stop in A and in B. */
import { element } from "./elements.js";

export const SIDES = ["A", "B"];

/* Keys and values of a setting, as `--set` takes them; the scenario's own are left out. */
export function setsOf(controls, at) {
  return controls.flatMap((control, number) => {
    const { value } = control.stops[at[number]] ?? { value: null };
    return value === null ? [] : control.keys.map((key) => [key, value]);
  });
}

/* Stops of a setting in an address, by key and side; without any that of `begin`, the stops with
   which each side begins. */
export function stopsFrom(hash, controls, side, begin) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return controls.map((control, number) => {
    if (given.size === 0 && begin?.[side]) return begin[side][number];
    const value = given.get(`${side}.${control.keys[0]}`);
    const at = control.stops.findIndex((stop) => stop.value !== null && stop.value === value);
    return at < 0 ? control.at : at;
  });
}

export function hashOf(controls, settings) {
  const said = new URLSearchParams();
  SIDES.forEach((side) =>
    controls.forEach((control, number) => {
      const { value } = control.stops[settings[side][number]];
      if (value !== null) said.set(`${side}.${control.keys[0]}`, value);
    })
  );
  // A setting as the file has it has an address, too.
  return said.toString() || "own";
}

function slider(control, name, change) {
  const input = element("input", { type: "range", min: "0", step: "1" });
  input.max = String(control.stops.length - 1);
  input.setAttribute("aria-label", name);
  const value = element("output");
  const show = (at) => {
    input.value = String(at);
    value.textContent = control.stops[at].label;
    value.classList.toggle("own", control.stops[at].value === null);
    input.setAttribute("aria-valuetext", control.stops[at].label);
  };
  input.addEventListener("input", () => {
    show(Number(input.value));
    change(Number(input.value));
  });
  return { show, input, parts: [input, value] };
}

function choice(control, name, change) {
  const input = element("select");
  input.setAttribute("aria-label", name);
  control.stops.forEach(({ label }, at) =>
    input.append(element("option", { value: String(at), textContent: label }))
  );
  const show = (at) => (input.value = String(at));
  input.addEventListener("change", () => change(Number(input.value)));
  return { show, input, parts: [input] };
}

/* Draws the rows into `place`; `change(side, number, at)` hears of every step. */
export function controlRows(place, controls, change) {
  const made = { A: [], B: [] };
  place.replaceChildren();
  controls.forEach((control, number) => {
    const row = element("div", { className: "row control", role: "group" });
    row.setAttribute("aria-label", control.title);
    row.append(element("h3", { textContent: control.title, title: control.keys.join(", ") }));
    SIDES.forEach((side) => {
      const name = `${control.title}, setting ${side}`;
      const make = control.kind === "slider" ? slider : choice;
      const one = make(control, name, (at) => change(side, number, at));
      const fault = element("p", { className: "fault", hidden: true });
      const letter = element("span", { className: "side", textContent: side });
      letter.setAttribute("aria-hidden", "true");
      const field = element("div", { className: "field" }, letter, ...one.parts);
      row.append(element("div", { className: "half" }, field, fault));
      made[side].push({ ...one, fault, control });
    });
    place.append(row);
  });
  return {
    show: (side, stops) => stops.forEach((at, number) => made[side][number].show(at)),
    blame: (side, faults) => made[side].forEach((one) => blame(one, faults)),
  };
}

/* Shows faults at the control whose key they name. */
function blame({ input, fault, control }, faults) {
  const names = ({ key, message }) =>
    control.keys.some((own) => key === own || (key === undefined && message.includes(own)));
  const own = faults.filter(names).map(({ message }) => message);
  fault.hidden = own.length === 0;
  fault.textContent = own.join("; ");
  input.toggleAttribute("aria-invalid", own.length > 0);
}
