/* The instant that is shown: a slider over the run, play and step. */
import { element } from "./elements.js";

const STEPS = 2000;
const SPEEDS = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001];
const words = (seconds) => `${Number((seconds * 1e3).toPrecision(2))} ms`;

/* `show(instant)` draws; `step(instant, by)` is the next packet, `loss(instant, by)` the next loss,
   each null if there is none. */
export function transport(place, { show, step, loss }) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let span = [0, 1];
  let instant = 0;
  let timer = null;
  const button = (label, title, act) => {
    const made = element("button", { type: "button", textContent: label, title });
    made.setAttribute("aria-label", title);
    made.addEventListener("click", act);
    return made;
  };
  const play = button("Play", "Play or pause (space)", toggle);
  const back = button("‹", "Packet before (comma)", () => go(step(instant, -1)));
  const next = button("›", "Packet after (full stop)", () => go(step(instant, 1)));
  const before = button("‹ loss", "Loss before ([)", () => go(loss(instant, -1)));
  const after = button("loss ›", "Loss after (])", () => go(loss(instant, 1)));
  const slider = element("input", { type: "range", min: "0", max: String(STEPS), step: "1" });
  const clock = element("output");
  const speed = element("select");
  slider.setAttribute("aria-label", "instant of the run");
  speed.setAttribute("aria-label", "simulated time in a second of play");
  SPEEDS.forEach((one) => {
    const textContent = one === 1 ? "as fast as it is" : `${words(one)} in a second`;
    speed.append(element("option", { value: String(one), textContent }));
  });
  place.append(
    element("div", { className: "scrub" }, play, slider, clock),
    element("div", { className: "tools" }, back, next, before, after, speed)
  );

  function at(time, words = "") {
    instant = Math.min(span[1], Math.max(span[0], time));
    slider.value = String(Math.round((STEPS * (instant - span[0])) / (span[1] - span[0])));
    const digits = Math.max(3, Math.ceil(-Math.log10((span[1] - span[0]) / 1e6)));
    clock.textContent = `${instant.toFixed(Math.min(6, digits))} s`;
    const said = show(instant) || words;
    slider.setAttribute("aria-valuetext", [clock.textContent, said].filter(Boolean).join("; "));
  }

  function pause() {
    if (timer !== null) timer();
    timer = null;
    play.textContent = "Play";
  }

  function go(time) {
    pause();
    if (time !== null) at(time);
  }

  /* A reader who wants less motion gets a picture each second. */
  function later(act) {
    const wait = still.matches ? setTimeout(act, 1000) : requestAnimationFrame(act);
    return () => (still.matches ? clearTimeout(wait) : cancelAnimationFrame(wait));
  }

  function move(last) {
    const now = performance.now();
    at(instant + ((now - last) / 1e3) * Number(speed.value));
    if (instant >= span[1]) pause();
    else timer = later(() => move(now));
  }

  function toggle() {
    if (timer !== null) return pause();
    if (instant >= span[1]) at(span[0]);
    play.textContent = "Pause";
    const now = performance.now();
    timer = later(() => move(now));
  }

  const keys = {
    " ": toggle,
    ",": () => go(step(instant, -1)),
    ".": () => go(step(instant, 1)),
    "[": () => go(loss(instant, -1)),
    "]": () => go(loss(instant, 1)),
  };
  slider.addEventListener("input", () => {
    go(span[0] + (Number(slider.value) / STEPS) * (span[1] - span[0]));
  });
  document.addEventListener("keydown", (event) => {
    const takes = event.target.closest("textarea, select, summary, button, a, input[type=text]");
    if (!(event.key in keys) || (takes && event.target !== slider)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  /* Another run: its span, an instant, and a speed near `pace` simulated seconds a second. */
  function run(newSpan, time, pace) {
    span = newSpan;
    if (pace) {
      const far = (one) => Math.abs(Math.log(one / pace));
      speed.value = String(SPEEDS.reduce((best, one) => (far(one) < far(best) ? one : best)));
    }
    at(time);
  }

  return { go, run, again: () => at(instant), instant: () => instant, pause };
}
