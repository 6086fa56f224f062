/* Engines, which answer jobs, and the rule that the newest job wins.

   Job    = { text, set: [[key, value]], keep: "series" | "packets", window?: [start, end] }
   Answer = { model, summary, columns: [Column], faults?: [Fault] }
   Column = { name, unit, time, value, mean?, thinned }            arrays of float64
   Fault  = { line, column, key?, message }

   `summary` has the exact octets. With `keep: "series"` the columns are queue, cwnd, ssthresh,
   arrived, one_way_delay, capacity and losses, by the names of series. With `keep: "packets"` they
   are the packets handed over within `window`, and there is no summary: FLOW.packets has instants
   of arrival (NaN: never), FLOW.packets.size octets, FLOW.packets.sequence numbers of TCP or -1;
   FLOW.answers and so on are those from the destination.

   An engine has `ask(job, signal)`, a promise of an answer that `signal` gives up, and
   `describe(job)`: { name, title, explained, controls, compare, path } or { faults }. */
export const engines = {};

const PATIENCE = 400;

/* Asks one job at a time. A new one waits for the one under way, which it ends when that has taken
   long, and takes the place of the one that waited. An answer that nobody wants is null. */
export function newest(ask) {
  let current = null;
  let waiting = null;

  function begin(next) {
    current = next;
    next.begun = performance.now();
    const ended = (tell) => (value) => {
      const then = waiting;
      current = waiting = null;
      if (then) begin(then);
      tell(value);
    };
    const failed = (error) => (error.name === "AbortError" ? next.done(null) : next.fail(error));
    ask(next.job, next.control.signal).then(ended(next.done), ended(failed));
  }

  function hurry() {
    if (!current || !waiting) return;
    const left = current.begun + PATIENCE - performance.now();
    if (left <= 0) current.control.abort();
    else setTimeout(hurry, left);
  }

  function want(job) {
    return new Promise((done, fail) => {
      const next = { job, done, fail, control: new AbortController() };
      if (!current) return begin(next);
      waiting?.done(null);
      waiting = next;
      hurry();
    });
  }

  function stop() {
    waiting?.done(null);
    waiting = null;
    current?.control.abort();
  }

  return { want, stop, isBusy: () => current !== null };
}
