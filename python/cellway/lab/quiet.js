/* Acts that wait until nothing has asked for them for a while. */
const QUIET = 250;

/* An act that is done once, `QUIET` milliseconds after the last time it was asked for. */
export function quietly(act) {
  let timer = null;
  const cancel = () => {
    clearTimeout(timer);
    timer = null;
  };
  const now = () => {
    if (timer === null) return;
    cancel();
    act();
  };
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(now, QUIET);
  };
  return { ask, now, cancel };
}
