/* The engine inside the page: the simulator as WebAssembly in a worker, an instance for each job.

   A job whose answer nobody wants ends the worker; the compiled module stays. */
import { engines } from "./engine.js";
import { placed } from "./placing.js";

async function moduleOf(name) {
  const text = document.getElementById(name).textContent.trim();
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function workers(drawn) {
  const text = atob(document.getElementById("worker").textContent.trim());
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const module = moduleOf("module");
  let idle = [];

  async function begin() {
    const worker = new Worker(address);
    worker.postMessage(await module);
    return worker;
  }

  /* Asks a worker; `signal` ends it. */
  async function ask(job, signal) {
    const worker = idle.pop() ?? (await begin());
    return new Promise((done, fail) => {
      const stop = () => {
        worker.terminate();
        fail(new DOMException("nobody waits", "AbortError"));
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop, { once: true });
      worker.onmessage = ({ data }) => {
        signal?.removeEventListener("abort", stop);
        idle.push(worker);
        if (data.failed) fail(new Error(data.failed));
        else done(data);
      };
      worker.postMessage({ job, drawn });
    });
  }
  return ask;
}

engines.web = (data) => {
  const send = workers(data.drawn);
  const whole = (job) => ({ ...job, origin: data.file, files: data.files });
  const ask = (job, signal) => {
    const set = job.keep === "packets" ? job.set : [...job.set, ...data.observed];
    return send({ ...whole(job), set }, signal);
  };
  const describe = async (job) => {
    const answer = await send({ ...whole(job), keep: "facts" });
    if (answer.faults.length) return { faults: answer.faults };
    const explained = JSON.parse(answer.explained);
    const { controls, compare, title } = data;
    const path = placed(data.path, explained);
    return { name: explained.scenario, title, explained, controls, compare, path };
  };
  return { ask, describe };
};
