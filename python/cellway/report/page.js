/* Charts of a report, from the data that stand in it. */
(function () {
  "use strict";
  const place = document.getElementById("charts");

  function start(data) {
    const help = document.createElement("p");
    const reset = document.createElement("button");
    const board = new ChartBoard({ span: data.span, warmUp: data.warm_up });
    help.textContent =
      "Drag over a chart to zoom; a double click shows everything. With the keyboard: " +
      "arrows, + and -, 0. A name in a legend hides its curve. ";
    reset.textContent = "Show everything";
    reset.addEventListener("click", () => board.zoom(data.span[0], data.span[1]));
    help.append(reset);
    place.append(help);
    data.panels.forEach((panel) => board.add(place, panel));
    if (data.path)
      board.pick = scrubber(
        document.querySelector("svg.path"),
        data.path,
        data.span,
        (instant) => board.point(instant)
      );
  }

  stored().then(start, (error) => {
    place.textContent = `The charts cannot be shown: ${error.message}`;
  });
})();
