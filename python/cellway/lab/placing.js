/* Numbers of a drawn path from other derived numbers of it, where nobody draws it again. */
const MOST_QUEUES = 2;

const digits = (value) => String(Number(value.toPrecision(4)));

function spanOf(values) {
  if (values.length === 0) return "";
  const [low, high] = [Math.min(...values), Math.max(...values)].map(digits);
  return low === high ? low : `${low} to ${high}`;
}

function linkOf(explained, name, from) {
  return explained.links.find((link) => link.name === name && link.from === from);
}

function speedOf(explained, { there, back }) {
  const all = (ends) => ends.map(([name, from]) => linkOf(explained, name, from));
  const rates = (links) => spanOf(links.map((link) => link.line_bits_per_second / 1e6));
  const [onward, other] = [rates(all(there)), rates(all(back))];
  const delay = spanOf(all(there).map((link) => link.delay_seconds * 1e3));
  const both = other === "" || other === onward ? onward : `${onward} / ${other}`;
  return `${both} Mbit/s, ${delay} ms`;
}

function queuesOf(explained, names) {
  const found = explained.ports.filter(({ name }) => names.includes(name)).flatMap((port) => {
    const policy = port.policy.replace(/^["{ ]+|["{ ]+$/g, "").split(/[ =]/)[0];
    return port.queues.map(({ buffer: { size, kind } }) => {
      const of = kind === "per_vc" ? " per VC" : "";
      return `${policy}: ${size === null ? "no limit" : `${size} ${port.unit}s${of}`}`;
    });
  });
  return [...new Set(found)].slice(0, MOST_QUEUES);
}

function fullOf(port) {
  const buffers = port.queues.map(({ buffer }) => buffer);
  const known = buffers.filter(({ kind, size }) => kind === "per_port" && size);
  return known.length && known.length === buffers.length
    ? Math.max(...known.map(({ size }) => size)) : null;
}

function edgeWith(edge, explained) {
  const speeds = edge.labels.filter((label) => label?.there);
  const ends = speeds.flatMap(({ there }) => there);
  const rates = ends.map(([name, from]) => linkOf(explained, name, from).line_bits_per_second);
  const ports = edge.ports.map((port) => ({
    ...port,
    full: fullOf(explained.ports.find(({ name }) => name === port.name)),
  }));
  return { ...edge, ports, rate: rates.reduce((sum, rate) => sum + rate, 0) };
}

function numberedWay({ hops }, flow, explained) {
  const lines = flow.hops.map(({ link }, at) => [
    linkOf(explained, link, flow.path[at]),
    linkOf(explained, link, flow.path[at + 1]) ?? linkOf(explained, link, flow.path[at]),
  ]);
  const shares = lines.map(
    ([there]) => there.fair_share_bits_per_second ?? there.line_bits_per_second
  );
  const waits = flow.abr || shares.length === 0 ? 0 : shares.indexOf(Math.min(...shares));
  const numbered = hops.map(([edge, box], at) => {
    const [there, back] = lines[at];
    const rates = [there.line_bits_per_second, back.line_bits_per_second];
    return [edge, box, there.delay_seconds, ...rates];
  });
  return { hops: numbered, waits };
}

/* The drawing with the texts of its labels written anew. */
function drawingOf(path, explained) {
  const svg = new DOMParser().parseFromString(path.svg, "text/html").body.firstElementChild;
  path.edges.forEach(({ labels }, at) =>
    labels.forEach((label, row) => {
      const place = label && partOf(svg, `label${at}-${row}`);
      if (!place) return;
      const lines = label.there ? [speedOf(explained, label)] : queuesOf(explained, label.ports);
      place.textContent = lines[label.at ?? 0] ?? "";
    })
  );
  return svg.outerHTML;
}

/* The path of a setting: the same links and flows, with the numbers that `explained` tells; null if
   it has other links or flows. */
export function placed(path, explained) {
  const ends = path?.edges.flatMap(({ labels }) => labels.flatMap((one) => one?.there ?? []));
  const isSame =
    path &&
    ends.every(([name, from]) => linkOf(explained, name, from)) &&
    explained.flows.every(({ name }) => path.ways[name]) &&
    path.edges.every(({ ports }) =>
      ports.every(({ name }) => explained.ports.some((port) => port.name === name)));
  if (!isSame) return null;
  const edges = path.edges.map((edge) => edgeWith(edge, explained));
  const ways = Object.fromEntries(
    explained.flows.map((flow) => [flow.name, numberedWay(path.ways[flow.name], flow, explained)])
  );
  return { ...path, svg: drawingOf(path, explained), edges, ways };
}
