/* The engine behind the address of the page: jobs run natively. */
import { engines } from "./engine.js";

async function post(what, job, signal) {
  const asked = { method: "POST", body: JSON.stringify(job), signal };
  asked.headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${location.pathname}/${what}`, asked).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("the laboratory does not answer; `cellway lab` has ended");
  });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}

/* The header, and columns as views of what came. */
function decoded(buffer) {
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  let at = 4 + size;
  const array = (points) => {
    const found = new Float64Array(buffer, at, points);
    at += 8 * points;
    return found;
  };
  const columns = header.columns.map(({ name, unit, points, mean, thinned }) => ({
    name,
    unit,
    thinned,
    time: array(points),
    value: array(points),
    mean: mean ? array(points) : undefined,
  }));
  return { ...header, columns };
}

engines.served = () => ({
  ask: async (job, signal) => decoded(await (await post("run", job, signal)).arrayBuffer()),
  describe: async (job) => (await post("describe", job)).json(),
});
