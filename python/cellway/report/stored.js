/* Data that stand in a page, as its writer packed them. */
async function stored() {
  const packed = document.getElementById("data").textContent;
  const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
