/* Workers of pages that were opened from a disk, where a browser starts none from a file: the
   script runs in a hidden frame. The search of the theme looks for the name `IFrameWorker`. */
(function () {
  "use strict";

  const Own = window.Worker;

  class IFrameWorker extends EventTarget {
    onmessage = null;
    #frame = document.createElement("iframe");
    #ready;

    constructor(address) {
      super();
      const source = String(new URL(address, document.baseURI)).replaceAll('"', "%22");
      this.#frame.hidden = true;
      this.#frame.title = "search";
      this.#frame.srcdoc = `<!doctype html><script src="${source}"><\/script>`;
      this.#ready = new Promise((done) => this.#frame.addEventListener("load", done));
      document.body.append(this.#frame);
      const within = this.#frame.contentWindow;
      this.#ready.then(() => {
        within.postMessage = (data) => this.#hear(data);
      });
    }

    postMessage(data) {
      const within = this.#frame.contentWindow;
      this.#ready.then(() => within.dispatchEvent(new within.MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }

    #hear(data) {
      const event = new MessageEvent("message", { data });
      this.onmessage?.(event);
      this.dispatchEvent(event);
    }
  }

  if (location.protocol !== "file:") return;
  window.IFrameWorker = IFrameWorker;
  window.Worker = new Proxy(Own, {
    construct: (_, [address, options]) =>
      String(address).startsWith("blob:")
        ? new Own(address, options)
        : new IFrameWorker(address),
  });
})();
