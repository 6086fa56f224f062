/* The instant that is shown: a slider over the run, play and step. */
import { element } from "./elements.js";

const STEPS = 2000;
const SPEEDS = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0001];
const words = (seconds) => `${Number((seconds * 1e3).toPrecision(2))} ms`;

function button(label, title, act) {
  const made = element("button", { type: "button", textContent: label, title });
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

function speeds() {
  const made = element("select");
  made.setAttribute("aria-label", "simulated time in a second of play");
  SPEEDS.forEach((one) => {
    const textContent = one === 1 ? "as fast as it is" : `${words(one)} in a second`;
    made.append(element("option", { value: String(one), textContent }));
  });
  return made;
}

export class Transport {
  #acts;
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #span = [0, 1];
  #instant = 0;
  #cancel = null;
  #play = button("Play", "Play or pause (space)", () => this.#toggle());
  #slider = element("input", { type: "range", min: "0", max: String(STEPS), step: "1" });
  #clock = element("output");
  #speed = speeds();
  #keys = {
    " ": () => this.#toggle(),
    ",": () => this.#step(-1),
    ".": () => this.#step(1),
    "[": () => this.#loss(-1),
    "]": () => this.#loss(1),
  };

  /* `show(instant)` draws; `step(instant, by)` is the next packet, `loss(instant, by)` the next
     loss, each null if there is none. */
  constructor(place, acts) {
    this.#acts = acts;
    this.#slider.setAttribute("aria-label", "instant of the run");
    this.#slider.addEventListener("input", () => {
      const [start, end] = this.#span;
      this.go(start + (Number(this.#slider.value) / STEPS) * (end - start));
    });
    const steps = [
      button("‹", "Packet before (comma)", this.#keys[","]),
      button("›", "Packet after (full stop)", this.#keys["."]),
      button("‹ loss", "Loss before ([)", this.#keys["["]),
      button("loss ›", "Loss after (])", this.#keys["]"]),
    ];
    place.append(
      element("div", { className: "scrub" }, this.#play, this.#slider, this.#clock),
      element("div", { className: "tools" }, ...steps, this.#speed)
    );
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  /* Another run: its span, an instant, and a speed near `pace` simulated seconds a second. */
  run(span, time, pace) {
    this.#span = span;
    if (pace) {
      const far = (one) => Math.abs(Math.log(one / pace));
      const nearest = SPEEDS.reduce((best, one) => (far(one) < far(best) ? one : best));
      this.#speed.value = String(nearest);
    }
    this.#at(time);
  }

  go(time) {
    this.#pause();
    if (time !== null) this.#at(time);
  }

  again() {
    this.#at(this.#instant);
  }

  instant() {
    return this.#instant;
  }

  #step(by) {
    this.go(this.#acts.step(this.#instant, by));
  }

  #loss(by) {
    this.go(this.#acts.loss(this.#instant, by));
  }

  #at(time) {
    const [start, end] = this.#span;
    this.#instant = Math.min(end, Math.max(start, time));
    this.#slider.value = String(Math.round((STEPS * (this.#instant - start)) / (end - start)));
    const digits = Math.max(3, Math.ceil(-Math.log10((end - start) / 1e6)));
    this.#clock.textContent = `${this.#instant.toFixed(Math.min(6, digits))} s`;
    const said = [this.#clock.textContent, this.#acts.show(this.#instant)];
    this.#slider.setAttribute("aria-valuetext", said.filter(Boolean).join("; "));
  }

  #pause() {
    this.#cancel?.();
    this.#cancel = null;
    this.#play.textContent = "Play";
  }

  /* A reader who wants less motion gets a picture each second. */
  #later(act) {
    const { matches } = this.#still;
    const wait = matches ? setTimeout(act, 1000) : requestAnimationFrame(act);
    return () => (matches ? clearTimeout(wait) : cancelAnimationFrame(wait));
  }

  #move(last) {
    const now = performance.now();
    this.#at(this.#instant + ((now - last) / 1e3) * Number(this.#speed.value));
    if (this.#instant >= this.#span[1]) this.#pause();
    else this.#cancel = this.#later(() => this.#move(now));
  }

  #toggle() {
    if (this.#cancel !== null) return this.#pause();
    if (this.#instant >= this.#span[1]) this.#at(this.#span[0]);
    this.#play.textContent = "Pause";
    const now = performance.now();
    this.#cancel = this.#later(() => this.#move(now));
  }

  #press(event) {
    const takes = event.target.closest("textarea, select, summary, button, a, input[type=text]");
    if (!(event.key in this.#keys) || (takes && event.target !== this.#slider)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#keys[event.key]();
  }
}
