/* Runs jobs one by one: the first message is the compiled module, every other a job and the names
   of the series that a page draws. */
"use strict";

let module = null;

/* True for a series of a panel; of queues those that are ever waited in. */
function isDrawn({ name, value }, { quantities, losses }) {
  if (losses.some((word) => name.includes(word))) return true;
  const quantity = name.slice(name.lastIndexOf(".") + 1);
  return quantities.includes(quantity) && (quantity !== "queue" || value.some((one) => one > 0));
}

function answerTo(job, drawn) {
  const { exports } = new WebAssembly.Instance(module, {});
  const read = (Kind, at, size) => new Kind(exports.memory.buffer, at, size).slice();
  const text = () =>
    new TextDecoder().decode(read(Uint8Array, exports.output(), exports.output_len()));
  const given = new TextEncoder().encode(JSON.stringify(job));
  // A call may move the memory: its buffer is taken after the call.
  const place = exports.input(given.length);
  new Uint8Array(exports.memory.buffer, place, given.length).set(given);
  try {
    exports.simulate();
  } catch (error) {
    if (exports.output_len() === 0) throw error;
  }
  const found = JSON.parse(text());
  let number = 0;
  const next = () => {
    const size = exports.column_len(number);
    const values = read(Float64Array, exports.column(number), size);
    number += 1;
    return values;
  };
  const columns = found.columns.map(({ name, unit, thinned, mean }) => {
    const [time, value] = [next(), next()];
    return { name, unit, thinned, time, value, mean: mean ? next() : undefined };
  });
  const isKept = (column) => job.keep !== "series" || isDrawn(column, drawn);
  return { ...found, columns: columns.filter(isKept) };
}

onmessage = ({ data }) => {
  if (data instanceof WebAssembly.Module) {
    module = data;
    return;
  }
  try {
    const answer = answerTo(data.job, data.drawn);
    const arrays = answer.columns.flatMap(({ time, value, mean }) => [time, value, mean]);
    const moved = arrays.filter(Boolean).map((array) => array.buffer);
    postMessage(answer, moved);
  } catch (error) {
    postMessage({ failed: `the simulator has failed: ${error.message}` });
  }
};
