/* Numbers of a drawn path from other derived numbers of it, where nobody draws it again. */
const MOST_QUEUES = 2;

const FOUR = { maximumSignificantDigits: 4, useGrouping: false, roundingMode: "halfEven" };

/* Four digits, and no power of ten. */
const digits = (value) => value.toLocaleString("en", FOUR);

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

const nameOf = ({ name, from }) => JSON.stringify([name, from]);
const shareOf = (link) => link.fair_share_bits_per_second || link.line_bits_per_second;

/* Names of the links that leave some flow the least, each with its sender. */
function tightOf(explained) {
  const least = explained.flows.filter(({ hops }) => hops.length).map((flow) => {
    const hops = flow.hops.map(({ link }, at) => linkOf(explained, link, flow.path[at]));
    return hops.reduce((most, link) => (shareOf(link) < shareOf(most) ? link : most));
  });
  return new Set(least.map(nameOf));
}

/* For each label of an edge true if it is of such a link. */
function tightLabels(labels, tight) {
  let isTight = false;
  return labels.map((label) => {
    if (label?.there)
      isTight = [...label.there, ...label.back].some((link) => tight.has(JSON.stringify(link)));
    return isTight;
  });
}

function edgeWith(edge, explained, tight) {
  const speeds = edge.labels.filter((label) => label?.there);
  const ends = speeds.flatMap(({ there }) => there);
  const rates = ends.map(([name, from]) => linkOf(explained, name, from).line_bits_per_second);
  const ports = edge.ports.map((port) => ({
    ...port,
    full: fullOf(explained.ports.find(({ name }) => name === port.name)),
  }));
  const rate = rates.reduce((sum, one) => sum + one, 0);
  return { ...edge, ports, rate, tight: tightLabels(edge.labels, tight).includes(true) };
}

function numberedWay({ hops }, flow, explained) {
  const lines = flow.hops.map(({ link }, at) => [
    linkOf(explained, link, flow.path[at]),
    linkOf(explained, link, flow.path[at + 1]) ?? linkOf(explained, link, flow.path[at]),
  ]);
  const shares = lines.map(([there]) => shareOf(there));
  const waits = flow.abr || shares.length === 0 ? 0 : shares.indexOf(Math.min(...shares));
  const numbered = hops.map(([edge, box], at) => {
    const [there, back] = lines[at];
    const rates = [there.line_bits_per_second, back.line_bits_per_second];
    return [edge, box, there.delay_seconds, ...rates];
  });
  return { hops: numbered, waits };
}

/* The drawing with the texts of its labels written anew, and its tight links marked. */
function drawingOf(path, explained, tight) {
  const svg = new DOMParser().parseFromString(path.svg, "text/html").body.firstElementChild;
  path.edges.forEach(({ labels }, at) => {
    const areTight = tightLabels(labels, tight);
    markTight(partOf(svg, `edge${at}`), areTight.includes(true));
    labels.forEach((label, row) => {
      const place = label && partOf(svg, `label${at}-${row}`);
      if (!place) return;
      const lines = label.there ? [speedOf(explained, label)] : queuesOf(explained, label.ports);
      place.textContent = lines[label.at ?? 0] ?? "";
      if (label.ports) markTight(place, areTight[row]);
    });
  });
  return svg.outerHTML;
}

function markTight(place, isTight) {
  place.classList.toggle("tight", isTight);
  if (!place.classList.length) place.removeAttribute("class");
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
  const tight = tightOf(explained);
  const edges = path.edges.map((edge) => edgeWith(edge, explained, tight));
  const ways = Object.fromEntries(
    explained.flows.map((flow) => [flow.name, numberedWay(path.ways[flow.name], flow, explained)])
  );
  return { ...path, svg: drawingOf(path, explained, tight), edges, ways };
}
